"""What pictures show and say: worked positions of both games, for every viewer, and nothing its viewer may not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from markupsafe import Markup

from engine.dog import retelling as dog_retelling
from engine.dog.events import Tokens
from engine.dog.rules import advance
from engine.episode.rules import EPISODE, Death
from engine.game import Player, Transition
from engine.games import GAMES
from engine.gravity import retelling
from engine.gravity.birds import DRAFTED, Bird, Seat
from engine.gravity.facts import GuessTold
from engine.gravity.moves import Guess, Move, Pick, Resign, Reveal
from engine.gravity.rules import GRAVITY
from engine.gravity.state import State, view
from engine.record import Record
from handler.match import Match, Person, Sealed, Stage
from handler.picture import DogTale, GravityTale, Illustration, Ring, Table
from handler.picturing import illustration, main_story
from handler.ports import Place
from handler.views.captions import LONGEST, fitting, length
from handler.views.dog import pictures as dog
from handler.views.gravity import pictures as gravity
from handler.words import LANGUAGES, speaking
from tests.engine import dog_locks, dog_matches, episodes, matches, test_locks
from tests.engine.matches import RING, close, draft, opened, to_guesses
from tests.handler import dog_positions, positions
from tests.handler.positions import shown

FRAME = positions.framed()
DOG_FRAME = dog_positions.framed()
EC, DMO = 0, 1
LONG_NAMES = ("W" * 64, "\N{FOX FACE}" * 64, *("\N{FOX FACE}" + "&<" * 40 + str(number) for number in range(5)))
"""Seven that are cut to 32 characters, and count for more as UTF-16."""


def ring(state: State, viewer: Player | None = None) -> Ring:
    shown = gravity.ring(FRAME, view(state, viewer))
    assert shown is not None
    assert isinstance(shown.drawing, Ring)
    return shown.drawing


def known(drawing: Ring, kind: str) -> dict[Seat, str]:
    return {number: seat.bird for number, seat in enumerate(drawing.seats, 1) if seat.known == kind}


def match(
    record: Record,
    game: str = "gravity",
    *,
    chat: int = -5,
    stage: Stage = "playing",
    house: tuple[Player, ...] = (),
) -> Match:
    """A match of people, table order, with ids from 10 on, but for those who are house players."""
    seats = tuple(
        Person(None if player in house else 10 + player, name)
        for player, name in enumerate(dog_positions.NAMES[: GAMES[game].players])
    )
    return Match("m", Place(chat), "The aviary", game, 10, "Ann", stage, "live", seats, 0.0, None, 1, record=record)


def in_state(record: Record, state: Any) -> Record:
    """A record that has come to another state than it says, everything else as it was."""
    other = replace(record)
    last = record.history[-1]
    vars(other)["history"] = (*record.history[:-1], Transition(state, last.tells))
    return other


@cache
def gravity_records() -> tuple[tuple[Record, State], ...]:
    return tuple(matches.played(bytes([5]) * 32, matches.by_chance(Random(5))))


@cache
def episode_records() -> tuple[Record, ...]:
    """An episode that comes to a Death Match."""
    for number in range(20):
        found = tuple(episodes.by_chance(bytes([number]) * 32, number))
        if isinstance(episodes.state(found[-1]), Death):
            return found
    raise AssertionError("no episode of these comes to a Death Match")


# --- the ring -------------------------------------------------------------------------------------


def test_a_round_begins_with_eleven_hidden_seats() -> None:
    for viewer in (None, EC, DMO):
        drawing = ring(opened(), viewer)
        assert known(drawing, "no") == dict.fromkeys(range(1, 12), "")
        assert [kind for kind, _ in drawing.legend] == ["no"]
        assert drawing.flocks == ()


def test_a_bird_named_in_private_is_in_its_readers_ring_alone() -> None:
    state = close(opened(), {EC: Reveal(Bird.OWL)})
    assert known(ring(state, EC), "me") == {RING.index(Bird.OWL) + 1: "Owl"}
    assert known(ring(state, DMO), "me") == known(ring(state), "me") == {}
    assert ring(state, EC).head.own
    assert not ring(state).head.own


def test_a_right_guess_is_in_everybodys_ring_and_a_wrong_one_in_the_guessers() -> None:
    state = close(to_guesses(opened()), {EC: Guess(RING.index(Bird.OWL) + 1, Bird.OWL), DMO: Guess(1, Bird.PENGUIN)})
    for viewer in (None, EC, DMO):
        assert known(ring(state, viewer), "all") == {RING.index(Bird.OWL) + 1: "Owl"}
    assert [ring(state, viewer).seats[0].not_here for viewer in (None, EC, DMO)] == [(), (), ("Penguin",)]
    assert "not" in dict(ring(state, DMO).legend)
    assert "not" not in dict(ring(state, EC).legend)


def test_what_was_told_in_private_gives_way_to_what_everybody_knows() -> None:
    state = close(opened(), {EC: Reveal(Bird.OWL)})
    state = close(to_guesses(state), {DMO: Guess(RING.index(Bird.OWL) + 1, Bird.OWL)})
    assert known(ring(state, EC), "me") == {}
    assert known(ring(state, EC), "all") == {RING.index(Bird.OWL) + 1: "Owl"}


def test_a_draft_is_shown_when_it_is_complete_and_no_pick_of_it_before() -> None:
    state = close(opened())
    drawings = set()
    for bird in DRAFTED[:-2]:
        drawings.add(ring(state))
        state = close(state, {(len(state.board.picks) + 1) % 2: Pick(bird)})
    assert drawings == {ring(opened())}
    done = draft(close(opened()), (Bird.HAWK, Bird.CROW, Bird.LARK, Bird.OWL, Bird.RAVEN))
    ec, dmo = ring(done, EC).flocks
    assert dmo.birds == ("Hawk", "Crow", "Lark", "Owl", "Raven")
    assert ec.birds == ("Penguin", "Lovebird B", "Eagle", "Robin", "Parrot")
    assert (ec.mine, dmo.mine) == (True, False)
    assert ec.who.mark == "EC"


def test_a_ring_has_a_message_a_round_and_changes_only_with_what_is_told() -> None:
    for viewer in (None, EC, DMO):
        before: Illustration | None = None
        for _, state in gravity_records():
            now = gravity.ring(FRAME, view(state, viewer))
            if before is None or now is None:
                assert state.board.stage in ("reveals", "over")
            elif before != now:
                assert (before.scene != now.scene) == (state.board.stage == "reveals")
                drafted = state.board.stage == "actions" or (state.board.stage == "draft" and not state.board.picks)
                told = state.board.stage == "guesses" and (state.board.period > 1 or state.board.revealed)
                assert drafted or told or state.board.stage == "reveals"
            before = now


def test_house_players_by_themselves_have_no_pictures() -> None:
    assert gravity.ring(replace(FRAME, brief=True), view(opened(), None)) is None
    death = next(record for record in episode_records() if isinstance(episodes.state(record), Death))
    pair = episodes.state(death).pair  # type: ignore[union-attr]
    told = illustration(match(death, "dog", house=pair), None)
    assert told is not None
    assert isinstance(told.drawing, DogTale)


# --- the whole of Gravity Pandemic ----------------------------------------------------------------


def story(history: list[Transition[State]]) -> GravityTale:
    told = gravity.story(FRAME, retelling.retold(history))
    assert told is not None
    assert told.scene == "story"
    assert isinstance(told.drawing, GravityTale)
    return told.drawing


def course(*steps: dict[Player, Move]) -> Iterator[Transition[State]]:
    """The ring's match from its start on."""
    state = opened()
    yield Transition(state, ())
    for step in steps:
        following = GRAVITY.advance(state, step)
        state = following.state
        yield following


def test_the_story_has_the_poison_the_guesses_and_the_points() -> None:
    owl, raven = RING.index(Bird.OWL) + 1, RING.index(Bird.RAVEN) + 1
    picks: list[dict[Player, Move]] = [{(number + 1) % 2: Pick(bird)} for number, bird in enumerate(DRAFTED[:-1])]
    right: dict[Player, Move] = {EC: Guess(owl, Bird.OWL), DMO: Guess(1, Bird.ROBIN)}
    found: dict[Player, Move] = {DMO: Guess(raven, Bird.RAVEN)}
    drawing = story(list(course({}, *picks, {}, right, found, {EC: Resign()})))
    first, second = drawing.rounds
    assert [perch.raven for perch in first.perches] == [place == 5 for place in range(11)]
    assert [perch.seat for perch in first.perches] == [6, 7, 8, 9, 10, 11, 1, 2, 3, 4, 5]
    assert {perch.bird: perch.night for perch in first.perches if perch.night} == {"Parrot": 1, "Hawk": 1}
    assert {perch.bird: perch.right for perch in first.perches if perch.right} == {"Owl": ("EC",), "Raven": ("DMO",)}
    assert [perch.bird for perch in first.perches if perch.grounded] == ["Penguin"]
    assert (first.end, second.end) == ("Raven found", "Broken off")
    assert [(beat.round, beat.scores, beat.events) for beat in drawing.beats][-2:] == [
        (1, (4, drawing.beats[-2].scores[1]), ("right", "wrong")),
        (1, (4, drawing.beats[-2].scores[1] + 12), ("", "raven")),
    ]
    assert drawing.winner == DMO
    assert {sign for sign, _ in drawing.legend} >= {"poison", "grounded", "right", "wrong", "raven"}


def test_a_match_that_goes_on_has_no_story() -> None:
    with pytest.raises(ValueError, match="once it is over"):
        retelling.retold(list(course({})))
    with pytest.raises(ValueError, match="once it is judged"):
        dog_retelling.retold(dog_matches.opened())


def test_stories_tell_the_points_that_were_played_for() -> None:
    record, last = gravity_records()[-1]
    tale = retelling.retold(record.history)
    assert tuple(update.scores for update in tale.updates) == last.board.updates
    assert [round_.seats for round_ in tale.rounds] == list(last.deals)
    assert all(sorted(night for _, night in round_.poisoned) == [1, 1, 2, 2, 3, 3, 4, 4][: len(round_.poisoned)]
               for round_ in tale.rounds)  # fmt: skip


# --- Dog's Judgement ------------------------------------------------------------------------------


def test_the_table_shows_tower_tokens_scorers_and_the_token_moved() -> None:
    state = advance(
        dog_matches.opened(2, level=9, tokens=Tokens((0, 2, 1))), dog_matches.row("5cm 3rm 7rblcm . 2cr")
    ).state
    told = dog.table(DOG_FRAME, GAMES["dog"].view(state, None))
    assert told is not None
    assert told.scene == "table3"
    assert isinstance(told.drawing, Table)
    charge, remove, median = told.drawing.events
    assert told.drawing.tower.level == state.board.level == 5
    assert [(each.wins, each.lose) for each in (charge, remove, median)] == [(0, False), (2, False), (1, True)]
    scored = state.board.announced[-1].scored
    assert (charge.scorers, remove.scorers, median.scorers) == scored
    assert charge.scored == "scored in Round 2"
    assert told.drawing.moved == "Round 2: Lose Token, Charge Tower → Median Meridian"
    assert [each.does for each in told.drawing.events] == ["", "", ""]


def test_before_the_first_round_there_is_no_table_and_in_it_every_event_says_what_it_does() -> None:
    start = dog_positions.of_stage("pregame")
    assert dog.table(DOG_FRAME, start.public) is None
    told = dog.table(DOG_FRAME, dog_positions.of_stage("round").public)
    assert told is not None
    assert isinstance(told.drawing, Table)
    assert all(each.does for each in told.drawing.events)
    assert told.drawing.moved == ""


def test_the_story_comes_with_the_judgement_and_adds_up() -> None:
    judged = [record for record in episode_records() if main_story(match(record, "dog")) is not None]
    assert len(judged) > 2
    state = episodes.state(judged[0])
    assert not isinstance(state, Death)
    told = illustration(match(judged[0], "dog"), None)
    assert told == main_story(match(judged[-1], "dog"))
    assert told is not None
    assert told.scene == "judged"
    assert isinstance(told.drawing, DogTale)
    for place, grid in enumerate(told.drawing.grids):
        assert grid.totals == tuple(points[place] for points in state.points)
        assert grid.totals == tuple(map(sum, grid.points))
    assert told.drawing.levels == tuple(each.level for each in state.board.announced)
    assert state.board.judgement is not None
    assert tuple(fate.life for fate in told.drawing.fates) == state.board.judgement.life
    assert [player for player, fate in enumerate(told.drawing.fates) if fate.candidate] == list(
        state.board.judgement.candidates
    )


# --- who is owed which ----------------------------------------------------------------------------


def test_an_episode_shows_the_table_its_story_the_rings_and_their_story() -> None:
    scenes: list[str] = []
    for record in episode_records():
        stage: Stage = "playing" if EPISODE.phase(episodes.state(record)) else "over"
        told = illustration(match(record, "dog", stage=stage), None)
        if told is not None and told.scene not in scenes[-1:]:
            scenes.append(told.scene)
    rings = [scene for scene in scenes if scene.startswith("ring")]
    assert scenes == [*(f"table{number}" for number in range(1, 10)), "judged", *rings, "story"]
    assert rings


def test_in_a_death_match_only_its_two_have_a_ring_of_their_own() -> None:
    for record in episode_records():
        state = episodes.state(record)
        told = [illustration(match(record, "dog"), player) for player in range(7)]
        playing = state.pair if isinstance(state, Death) and state.match.board.winner is None else ()
        assert [player for player in range(7) if told[player] is not None] == sorted(playing)


def test_a_cancelled_match_is_owed_nothing_but_what_was_judged() -> None:
    record, _ = gravity_records()[3]
    assert illustration(match(record, stage="cancelled"), None) is None
    assert illustration(match(record, stage="cancelled"), EC) is None
    for each in episode_records():
        told = illustration(match(each, "dog", stage="cancelled"), None)
        assert told is None or told.scene in ("judged", "story")


def test_in_a_private_chat_the_players_own_ring_stands_for_both() -> None:
    record, _ = gravity_records()[3]
    practice = match(record, chat=10, house=(DMO,))
    assert illustration(practice, None) is None
    assert illustration(practice, EC) is not None
    over = match(gravity_records()[-1][0], chat=10, house=(DMO,), stage="over")
    assert illustration(over, None) is not None
    assert illustration(over, EC) is None
    main = next(record for record in episode_records() if illustration(match(record, "dog"), None))
    assert illustration(match(main, "dog", chat=10, house=tuple(range(1, 7))), None) is not None


# --- nothing its viewer may not know --------------------------------------------------------------


def test_a_picture_of_gravity_pandemic_depends_on_nothing_its_viewer_may_not_know() -> None:
    random, compared = Random(1), 0
    for record, state in gravity_records()[:-1]:
        for viewer in (None, EC, DMO):
            other = in_state(record, test_locks.scramble(state, viewer, random))
            assert illustration(match(other), viewer) == illustration(match(record), viewer)
            compared += 1
    assert compared > 200


def test_a_picture_of_an_episode_depends_on_nothing_its_viewer_may_not_know() -> None:
    random, compared = Random(1), 0
    for record in episode_records():
        state = episodes.state(record)
        if isinstance(state, Death):
            if state.match.board.winner is not None:
                continue
            viewers: tuple[Player | None, ...] = (None, *state.pair)
        elif state.board.judgement is not None:
            continue  # all of it is published (rule 14)
        else:
            viewers = (None,)
        for viewer in viewers:
            scrambled = dog_locks.scramble(state, viewer, random)
            if isinstance(state, Death):
                assert isinstance(scrambled, Death)
                scrambled = replace(scrambled, main=state.main)
            other = in_state(record, scrambled)
            assert illustration(match(other, "dog"), viewer) == illustration(match(record, "dog"), viewer)
            compared += 1
    assert compared > 50


def test_a_locked_move_changes_no_picture() -> None:
    record, _ = gravity_records()[0]
    pressed = replace(match(record), box={EC: Sealed("?o", final=True), DMO: Sealed("?h", final=False)})
    assert [illustration(pressed, viewer) for viewer in (None, EC, DMO)] == [
        illustration(match(record), viewer) for viewer in (None, EC, DMO)
    ]


# --- captions -------------------------------------------------------------------------------------


def captions() -> Iterator[Illustration]:
    """Pictures with the longest names there are."""
    two, seven = positions.framed(*LONG_NAMES[:2], title=LONG_NAMES[2]), dog_positions.framed(*LONG_NAMES)
    for _, state in gravity_records()[::7]:
        yield from filter(None, (gravity.ring(two, view(state, viewer)) for viewer in (None, EC, DMO)))
    wrong = view(to_guesses(opened()), EC)
    many = tuple(
        GuessTold(1, 1, number, Guess(seat, bird), -4) for number, (seat, bird) in enumerate(
            (seat, bird) for seat in range(1, 12) for bird in Bird if RING[seat - 1] is not bird)
    )  # fmt: skip
    yield from filter(None, (gravity.ring(two, replace(wrong, told=many)),))
    yield from filter(None, (gravity.story(two, retelling.retold(gravity_records()[-1][0].history)),))
    for position in dog_positions.positions()[::3]:
        yield from filter(None, (dog.table(seven, position.public),))
    for points in (dog_matches.LEADS, dog_matches.JOINT, dog_matches.NOBODY):
        over = dog_matches.close(dog_matches.opened(9, points=points))
        nine = tuple(replace(over.board.announced[0], round=number) for number in range(1, 10))
        told = tuple(each * 9 for each in over.told)
        yield dog.story(
            seven, dog_retelling.retold(replace(over, told=told, board=replace(over.board, announced=nine)))
        )
    for record in episode_records()[9:11]:
        reached = episodes.state(record)
        if not isinstance(reached, Death) and reached.board.judgement is not None:
            yield dog.story(seven, dog_retelling.retold(reached))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_caption_fits_whatever_people_are_called(language: str) -> None:
    with speaking(language):
        told = list(captions())
    assert len(told) > 40
    for each in told:
        assert 0 < length(each.caption) <= LONGEST
        assert len(shown(each.caption).encode("utf-16-le")) // 2 == length(each.caption)


def test_a_caption_says_what_is_drawn() -> None:
    state = close(opened(), {EC: Reveal(Bird.OWL)})
    state = close(to_guesses(state), {EC: Guess(1, Bird.PENGUIN), DMO: Guess(3, Bird.CROW)})
    own, public = gravity.ring(FRAME, view(state, EC)), gravity.ring(FRAME, view(state, None))
    assert own is not None
    assert public is not None
    assert "seat 3 Crow" in public.caption
    assert "Owl" not in public.caption.partition("drafted")[0]
    for words in ("The aviary", "seat 3 Crow", "Known to you alone: seat 7 Owl", "in vain: seat 1 Penguin"):
        assert words in shown(own.caption)


def test_a_caption_that_is_too_long_gives_way_to_a_shorter_one() -> None:
    long, short = Markup("x" * (LONGEST + 1)), Markup("y")
    assert fitting((lambda: long, lambda: short)) == short
    assert length(Markup("&amp;\N{FOX FACE}")) == 3
