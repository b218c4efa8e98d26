"""What a finished match means for each person, against its record as anybody can replay it, and what it adds up to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.documents import export, replay
from engine.gravity.birds import Bird
from engine.gravity.moves import Guess, Move, Resign
from engine.gravity.state import State
from engine.record import Record
from handler.match import NOBODY, Match, Person
from handler.ports import Place, Result
from handler.results import Summary, read, results, summary, write
from handler.tallies import LINES_MOST, table, tallies
from handler.views.after import Standing, Tally
from tests.engine import episodes, matches

GROUP = -100_5
SEED = bytes(32)


def over(record: Record, users: Sequence[int | None]) -> Match:
    """A match that is over, in a group, with these people and house players."""
    seats = tuple(Person(user, f"n{seat}") for seat, user in enumerate(users))
    return Match(
        id="aaaaaaaa",
        place=Place(GROUP),
        title="The Garden",
        game=record.setup.game,
        host=1,
        host_name="n0",
        stage="over",
        pace="live",
        seats=seats,
        opened=0,
        deadline=None,
        update=1,
        record=record,
    )


def seeker(state: State, player: int) -> Move | None:
    """The first player finds the Raven on the first day of rounds 1 and 2, and is wrong in round 3; the second guesses
    the Hawk's seat right in round 1, and resigns in round 4.
    """
    board = state.board
    if board.round == 4:
        return Resign() if player == 1 else None
    if board.stage != "guesses" or board.night > 1 or board.period > 1:
        return None
    if player == 1:
        return Guess(state.seats.index(Bird.HAWK) + 1, Bird.HAWK) if board.round == 1 else None
    raven = state.seats.index(Bird.RAVEN) + 1
    return Guess(raven if board.round < 3 else raven % 11 + 1, Bird.RAVEN)


def test_a_duel_comes_to_these_numbers() -> None:
    record, _ = matches.finished(SEED, seeker)
    match = over(record, (1, 2))
    first, second = (summary(match, player) for player in range(2))
    assert first == Summary("gravity", "n0", "The Garden", "won", right=2, wrong=1, ravens=2)
    assert second == Summary("gravity", "n1", "The Garden", "lost", right=1)


def test_whoever_took_a_seat_over_answers_for_what_was_guessed_since() -> None:
    record, _ = matches.finished(SEED, seeker)
    match = over(record, (1, 2))
    late = next(number for number, each in enumerate(match.history) if each.state.board.round == 3)
    seats = (replace(match.seats[0] or Person(1, ""), since=late), match.seats[1])
    assert summary(replace(match, seats=seats), 0) == Summary("gravity", "n0", "The Garden", "won", wrong=1)


def bribes(rounds: Sequence[Any]) -> Counter[str]:
    """How often the Dog took whose bribe, by the plays in a record: the highest number that nobody else played."""
    taken: Counter[str] = Counter()
    for plays in (each["plays"] for each in rounds):
        cards = {who: play["card"] for who, play in plays.items() if "bribing_the_dog" in play["events"]}
        alone = {card: who for who, card in cards.items() if list(cards.values()).count(card) == 1}
        if alone:
            taken[alone[max(alone)]] += 1
    return taken


def guesses(played: Any, who: str) -> tuple[int, int, int]:
    """Right and wrong guesses and Ravens found of somebody, by the points in a replayed match of Gravity Pandemic."""
    deltas = [step["deltas"][who] for step in played["steps"] if "deltas" in step]
    return sum(each > 0 for each in deltas), sum(each < 0 for each in deltas), sum(each == 12 for each in deltas)


@pytest.mark.parametrize("luck", range(6))
def test_an_episode_comes_to_what_its_record_says(luck: int) -> None:
    record, document = episodes.whole(luck)
    replayed = replay(document)
    judged, death = replayed["main"]["judgement"], replayed["death"]
    totals, taken = replayed["main"]["steps"][-1]["vp"], bribes(document["main"]["rounds"])
    match = over(record, (1, 2, 3, 4, 5, 6, 7))
    candidate = None if death is None else next(iter(document["death"]["players"]))
    for player, who in enumerate(episodes.PLAYERS):
        found = summary(match, player)
        assert found.points == sum(event[who] for event in totals.values())
        assert found.bribes == taken[who]
        assert found.life == judged["life"][who]
        assert found.death == (death is not None and who in death["scores"])
        assert candidate is None or found.candidate == (who == candidate)
        assert (found.right, found.wrong, found.ravens) == (guesses(death, who) if found.death else (0, 0, 0))
        expected = "lost" if who == replayed["eliminated"] else "won" if found.life else "spared"
        assert found.outcome == expected


def test_some_of_these_episodes_went_to_a_death_match_with_right_guesses_and_bribes() -> None:
    documents = [episodes.whole(luck)[1] for luck in range(6)]
    deaths = [replay(each)["death"] for each in documents if each["death"] is not None]
    assert deaths
    assert any(guesses(death, who)[1] for death in deaths for who in death["scores"])
    assert all(bribes(each["main"]["rounds"]) for each in documents)


@pytest.mark.parametrize("luck", range(3))
def test_a_duel_by_chance_comes_to_what_its_record_says(luck: int) -> None:
    record, _ = matches.finished(Random(luck).randbytes(32), matches.by_chance(Random(luck)))
    replayed = replay(export(record, ("n0", "n1")))
    match = over(record, (1, 2))
    for player, who in enumerate(("p1", "p2")):
        found = summary(match, player)
        assert (found.right, found.wrong, found.ravens) == guesses(replayed, who)
        assert found.outcome == ("won" if replayed["winner"] == who else "lost")


def test_only_people_in_a_match_that_is_over_have_a_result() -> None:
    record, _ = matches.finished(SEED, seeker)
    match = over(record, (1, None))
    [result] = results(match, 5.0)
    assert (result.match, result.user, result.chat, result.ended_at) == (match.id, 1, GROUP, 5.0)
    assert read(result.body) == summary(match, 0)
    assert results(replace(match, stage="cancelled"), 5.0) == ()
    assert results(over(record, (NOBODY, None)), 5.0) == ()


def test_a_result_is_short_and_comes_back_as_it_was() -> None:
    full = Summary("dog", "Ada", "The Garden", "lost", 1, 2, 1, 30, 3, 0, candidate=True, death=True)
    assert read(write(full)) == full
    nameless = Summary("gravity", "", "", "lost")
    assert read(write(nameless)) == nameless
    assert json.loads(write(nameless)) == {"g": "gravity", "o": "lost"}


# --- what they add up to ----------------------------------------------------------------------------


def kept(user: int, outcome: str, *, match: str = "m", chat: int = GROUP, name: str = "", **numbers: Any) -> Result:
    """A result of Dog's Judgement as stored."""
    of = Summary("dog", name or f"n{user}", "The Garden", outcome, **numbers)  # type: ignore[arg-type]
    return Result(match, user, chat, 0.0, write(of))


def test_numbers_add_up_and_practice_is_counted_apart() -> None:
    found = tallies(
        [
            kept(1, "won", points=20, bribes=2, life=2),
            kept(1, "lost", points=5, bribes=1, candidate=True, death=True, right=1, wrong=4),
            kept(1, "won", points=99, chat=1),
        ]
    )
    [gravity, dog] = found
    assert gravity == Tally("gravity")
    assert dog == Tally("dog", 2, 1, 1, 1, 4, 0, 25, 3, 2, 1, 1, practised=(1, 1))


def test_equals_share_a_place_and_names_are_the_latest() -> None:
    latest_first = [
        kept(1, "won", name="Ada the Great"),
        kept(1, "spared", name="Ada"),
        kept(2, "won"),
        kept(3, "won"),
        kept(4, "spared"),
    ]
    best, more = table(latest_first)
    assert best == [
        Standing(1, "n2", 1, 1),
        Standing(1, "n3", 1, 1),
        Standing(3, "Ada the Great", 1, 2),
        Standing(4, "n4", 0, 1),
    ]
    assert more == 0


def test_nobody_who_shares_the_last_place_is_left_out_by_chance() -> None:
    nine = [kept(user, "won") for user in range(1, 10)]
    best, more = table([*nine, *(kept(user, "spared") for user in range(10, 40))])
    assert [each.rank for each in best] == [1] * 9 + [10] * (LINES_MOST - 9)
    assert len(best) + more == 39
    eleven, none = table([*nine, kept(10, "spared"), *(kept(11, "spared") for _ in range(2))])
    assert (len(eleven), none) == (10, 0), "the eleventh is behind the tenth place"
