"""What pictures show: to a group what everybody may know, to a player what they may know besides, and never the end
before it has come. The words in a picture are English, or nothing is judged of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.episode.rules import Death
from engine.game import Player
from engine.gravity import facts
from engine.gravity.birds import NAMES
from engine.gravity.state import State as Gravity
from engine.gravity.state import view
from tests.simulation.judge.dues import stored_times
from tests.simulation.judge.matches import Course, courses
from tests.simulation.trace import Call, Trace
from tests.simulation.verdict import Offence

METHODS: Final = ("sendPhoto", "editMessageMedia")
ENGLISH: Final = frozenset(NAMES.values())

_OWN: Final = re.compile(r"\b(Ring|Table|GravityTale|DogTale)\(head=Head\(.*?, own=(True|False)\)", re.DOTALL)
_SEAT: Final = re.compile(r"Seat\(known='(no|all|me)', bird='([^']*)', not_here=\(([^)]*)\)\)")
_BIRD: Final = re.compile(r"'([^']+)'")

Shown = tuple[tuple[str, str, frozenset[str]], ...]
"""The seats of a ring: how much is known, the bird, and what was guessed there in vain."""


def check(trace: Trace) -> Iterator[Offence]:
    """Pictures that show what their readers may not know."""
    known = [_Known(course, stored_times(course)) for course in courses(trace).values() if course.record is not None]
    for call in trace.of(Call):
        if call.method in METHODS and call.chat is not None:
            yield from (Offence("secrets", why, call.at) for why in _wrong(call, known))


def drawn(params: Any) -> str:
    """The words in a picture, wherever a call carries it."""
    if isinstance(params, Mapping):
        return next(filter(None, map(drawn, params.values())), "")
    return params if isinstance(params, str) and _OWN.search(params) else ""


@dataclass(frozen=True)
class _Known:
    """A match, and from when on each phase of it was open, Unix seconds."""

    course: Course
    times: list[float]

    def states(self, until: float) -> Iterator[Any]:
        """The states that were stored by then, the latest first."""
        for number in range(bisect_right(self.times, until) - 1, -1, -1):
            yield self.course.state(number)


def _wrong(call: Call, known: list[_Known]) -> Iterator[str]:
    words = drawn(call.params)
    found = _OWN.search(words)
    if found is None:
        return
    kind, own = found[1], found[2] == "True"
    where = f"the {kind} in chat {call.chat}"
    assert call.chat is not None
    here = [each for each in known if any(write.after.chat == call.chat for write in each.course.writes)]
    if own and call.chat < 0:
        yield f"{where} is one player's own"
    elif kind.endswith("Tale") and not any(_is_told(kind, state) for each in here for state in each.states(call.at)):
        yield f"{where} came before the end"
    elif kind == "Ring":
        yield from _ring(call, words, where, known if own else here, own=own)


def _ring(call: Call, words: str, where: str, known: list[_Known], *, own: bool) -> Iterator[str]:
    shown = tuple((how, bird, frozenset(_BIRD.findall(vain))) for how, bird, vain in _SEAT.findall(words))
    named = {bird for _, bird, _ in shown if bird} | {bird for *_, vain in shown for bird in vain}
    if not named <= ENGLISH:
        return
    if not any(shown == lawful for each in known for lawful in _lawful(each, call, own=own)):
        yield f"{where} shows {[each for each in shown if each[1] or each[2]]}, which is not what its readers may know"


def _lawful(known: _Known, call: Call, *, own: bool) -> Iterator[Shown]:
    """What a ring may show whoever reads it: as the match stands, or stood while they had their seat."""
    if not own:
        for state in known.states(call.at):
            yield from _seats(state, None)
        return
    for tenure in known.course.tenures:
        if tenure.user == call.chat and tenure.at <= call.at:
            for state in known.states(min(call.at, tenure.until)):
                yield from _seats(state, tenure.player)


def _seats(state: Any, player: Player | None) -> Iterator[Shown]:
    if isinstance(state, Death):
        if player is not None and player not in state.pair:
            return
        state, player = state.match, None if player is None else state.pair.index(player)
    if not isinstance(state, Gravity):
        return
    seen = view(state, player)
    public, told, vain = dict(seen.board.revealed), dict[int, str](), dict[int, set[str]]()
    for fact in seen.told:
        match fact:
            case facts.RevealTold(bird=bird, seat=seat) if bird is not None and seat is not None:
                told[seat] = NAMES[bird]
            case facts.GuessTold() if fact.guess is not None and fact.delta < 0:
                vain.setdefault(fact.guess.seat, set()).add(NAMES[fact.guess.bird])
    yield tuple(
        ("all", NAMES[public[seat]], frozenset[str]())
        if seat in public
        else ("me", told[seat], frozenset[str]())
        if seat in told
        else ("no", "", frozenset(vain.get(seat, ())))
        for seat in range(1, 12)
    )


def _is_told(kind: str, state: Any) -> bool:
    """Whether a story may be told: of a match of Gravity Pandemic that is over, or of nine rounds that are judged."""
    if kind == "GravityTale":
        match = state.match if isinstance(state, Death) else state
        return isinstance(match, Gravity) and match.board.winner is not None
    main = state.main if isinstance(state, Death) else state
    return not isinstance(main, Gravity) and main.board.judgement is not None
