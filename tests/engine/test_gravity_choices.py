"""``options`` offers exactly what ``check`` admits, for every viewer in every phase of matches played by chance."""

from __future__ import annotations

from collections import Counter
from random import Random

from engine.gravity.birds import BIRDS, SEATS, Bird
from engine.gravity.choices import check, options
from engine.gravity.moves import Actions, Guess, Here, HostPick, Move, Pick, Reveal, Target
from engine.gravity.refusals import CODES
from engine.gravity.state import view
from engine.gravity.view import ActionOptions, DraftOptions, GuessOptions, Options, RevealOptions, View
from tests.engine.matches import by_chance, played

TARGETS: tuple[Target, ...] = (*SEATS, *BIRDS)
MOVES: tuple[Move, ...] = (
    *(Reveal(bird) for bird in BIRDS),
    *(Pick(bird) for bird in BIRDS),
    *(HostPick(bird) for bird in BIRDS),
    Here(),
    *(Actions(((bird, target),)) for bird in BIRDS for target in TARGETS),
    *(Guess(seat, bird) for seat in SEATS for bird in BIRDS),
)
"""Every choice there is, leaving out passing and resigning."""


def offered(choice: Options) -> set[Move]:
    """The menu spelt out as moves."""
    moves: list[Move] = []
    match choice:
        case RevealOptions(birds):
            moves.extend(Reveal(bird) for bird in birds)
        case DraftOptions(birds, here):
            moves.extend(pick(bird) for bird in birds for pick in (Pick, HostPick))
            moves.extend([Here()] if here else [])
        case ActionOptions(entries):
            for bird, seats, names in entries:
                targets: tuple[Target, ...] = (*seats, *names)
                moves.extend(Actions(((bird, target),)) for target in targets)
        case GuessOptions(seats, birds):
            moves.extend(Guess(seat, bird) for seat in seats for bird in birds)
    return set(moves)


def test_options_are_what_check_admits() -> None:
    seen: Counter[str] = Counter()
    views: set[View] = set()
    for seed in range(6):
        for _, state in played(bytes([seed]) * 32, by_chance(Random(seed))):
            views.update(view(state, viewer) for viewer in (None, 0, 1))
    for one in views:
        verdicts = {move: check(one, move) for move in MOVES}
        assert {move for move, refusal in verdicts.items() if refusal is None} == offered(options(one))
        seen.update(refusal.code for refusal in verdicts.values() if refusal is not None)
        seen[one.board.stage] += 1
    assert all(seen[stage] > 20 for stage in ("reveals", "draft", "actions", "guesses"))
    assert seen["over"] > 0
    # "bird-twice" needs two errands, "no-such-seat" a twelfth seat; neither can come from a menu.
    assert set(CODES) - set(seen) == {"bird-twice", "no-such-seat"}


def test_menus_are_in_rulebook_order() -> None:
    for _, state in played(bytes(32), by_chance(Random(7))):
        for viewer in (0, 1):
            choice = options(view(state, viewer))
            lists: list[tuple[Bird, ...]] = []
            match choice:
                case RevealOptions(birds) | DraftOptions(birds) | GuessOptions(_, birds):
                    lists.append(birds)
                case ActionOptions(entries):
                    lists.append(tuple(bird for bird, _, _ in entries))
                    lists.extend(names for _, _, names in entries)
            assert all(list(birds) == [bird for bird in BIRDS if bird in birds] for birds in lists)
