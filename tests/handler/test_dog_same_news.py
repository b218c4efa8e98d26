"""What is read of a round is a function of what may be known of it, and of nothing else.

For the group that is who scored, the level and the movement (rule 9); for a player also their own plays and what these
came to. Here by whole screens from a stored match on, so that nothing on the way from a state to a text is trusted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.dog.events import PLAYERS, ROUNDS
from engine.dog.facts import RoundResolved
from engine.dog.moves import Move
from engine.dog.notation import write
from engine.episode.rules import EPISODE
from engine.game import Player, Refusal
from engine.record import Record, Setup
from handler.events import events
from handler.match import Match, Person, Sealed, seal
from handler.ports import Place
from handler.screening import board, closed_panel, old_board, panel
from handler.screens import Cursor
from tests.engine.dog_matches import by_chance
from tests.flows.dog_twin_plans import alike
from tests.flows.twin_plans import Audience
from tests.handler.dog_positions import NAMES, PLAYS

OPENED = 1_800_000_000.0
MENUS = ("", "5", "5x", "3xb", "7bc", "4rm", "2xb3", "6rbwcr", "vs2")


def table(seed: bytes) -> Match:
    """Seven people in the pre-game."""
    return Match(
        id="abcdefgh",
        place=Place(-4001),
        title="The kennel",
        game="dog",
        host=1,
        host_name=NAMES[0],
        stage="playing",
        pace="live",
        seats=tuple(Person(number, name) for number, name in enumerate(NAMES, start=1)),
        opened=OPENED,
        deadline=OPENED + 600,
        update=1,
        record=Record(Setup("dog", EPISODE.rules, seed.hex())),
    )


def closed(match: Match, moves: Mapping[Player, Move]) -> Match:
    """The match with one more phase closed."""
    assert match.record is not None
    step = {player: write(move) for player, move in moves.items()}
    return replace(match, record=match.record.then(step), box={}, opened=match.opened + 600)


def drawn(match: Match, random: Random) -> dict[Player, Move]:
    """What everybody may do next."""
    sealed = {player: by_chance(random)(match.state, player) for player in PLAYERS}
    return {player: move for player, move in sealed.items() if move is not None}


def read_in_the_group(match: Match) -> list[Any]:
    """All that the group reads of the phase that has closed last, and its board from then on."""
    step = match.number
    news = [event.text for event in events(match, None, Cursor(step, 0))]
    return [news, board(match, "a_bot"), old_board(match, f"round{match.state.board.round - 1}")]


def read_by(match: Match, player: Player) -> list[Any]:
    """All that a player reads of it, every page of their panel, and what each play would be answered."""
    news = [event.text for event in events(match, player, Cursor(match.number, 0))]
    pages = [panel(match, player, menu) for menu in MENUS]
    tried = (seal(match, player, play, final=False) for play in PLAYS)
    answers = [answer.code if isinstance(answer, Refusal) else None for answer in tried]
    return [news, closed_panel(match, player, match.number - 1), pages, answers]


def announced(match: Match) -> RoundResolved:
    """What rule 9 lists of the round that has closed last."""
    [fact] = [tell.fact for tell in match.history[-1].tells if isinstance(tell.fact, RoundResolved)]
    return fact


# --- the group ------------------------------------------------------------------------------------


def test_rule_9_the_group_reads_a_function_of_scorers_level_and_movement() -> None:
    """Whatever was played: rounds of which the same is announced read the same, and others do not."""
    random, met = Random(9), 0
    for number in range(6):
        before = table(bytes([number]) * 32)
        for _ in range(1 + number):
            before = closed(before, drawn(before, random))
        readings: dict[RoundResolved, list[Any]] = {}
        played: defaultdict[RoundResolved, set[str]] = defaultdict(set)
        few = random.sample(PLAYERS, 3)
        for _ in range(400):
            moves = {player: move for player, move in drawn(before, random).items() if player in few}
            after = closed(before, moves)
            fact, reading = announced(after), read_in_the_group(after)
            assert readings.setdefault(fact, reading) == reading
            played[fact].add(repr(sorted(moves.items())))
        texts = [str(reading[0]) for reading in readings.values()]
        assert len(set(texts)) == len(texts) > 15
        met += sum(len(ways) - 1 for ways in played.values())
    assert met > 250


# --- a table, and another one that an audience cannot tell from it -----------------------------------


def together(script: int, audience: Audience) -> Counter[str]:
    """Two matches with other seeds and other hidden plays, in which others than the audience are elsewhere in each."""
    chance, count = Random(script), Counter[str]()
    one, other = table(chance.randbytes(32)), table(chance.randbytes(32))
    for _ in range(ROUNDS):
        moves = alike(chance, (one.state, other.state), audience)
        if moves is None:
            break
        one, other = closed(one, moves[0]), closed(other, moves[1])
        busy = replace(one, box={player: _sealed(one, player, chance) for player in PLAYERS if player != audience})
        assert read_in_the_group(busy) == read_in_the_group(other)
        count["rounds"] += 1
        count["hidden"] += one.state.plays != other.state.plays
        count["scored"] += one.state.board.stage == "round" and one.state.board.round > 1 and any(announced(one).scored)
        if audience is not None:
            assert read_by(busy, audience) == read_by(other, audience)
            count["private"] += 1
    return count


def _sealed(match: Match, player: Player, chance: Random) -> Sealed:
    move = by_chance(chance)(match.state, player)
    return Sealed(None if move is None else write(move), final=chance.random() < 0.5)


@pytest.mark.parametrize("audience", [None, 0, 3, 6])
def test_rule_9_nothing_is_read_of_what_is_hidden(audience: Audience) -> None:
    count: Counter[str] = Counter()

    @settings(max_examples=2)
    @example(1)
    @given(st.integers(0, 2**32 - 1))
    def the_same(script: int) -> None:
        count.update(together(script, audience))

    the_same()
    assert count["rounds"] > 7
    assert count["hidden"] > 5
    assert count["scored"] > 5
    assert audience is None or count["private"] > 7
