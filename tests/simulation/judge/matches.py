"""Each match of a trace: what was stored of it, and what the engine makes of its record, replayed once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from engine import chance
from engine.game import Game, Phase, Player
from engine.games import GAMES
from engine.record import Record, Setup, Step
from tests.simulation.trace import Snapshot, Stored, Trace

PACES: Final[Mapping[str, int]] = {"live": 1, "relaxed": 5, "letters": 144}
"""By how much the rules' seconds are stretched."""
MINUTE: Final = 60.0

Slot = tuple[str | None, bool]
"""What a seat has in the box: a move's notation (None: nothing), and whether it is locked in."""
EMPTY: Final[Slot] = (None, False)


class Course:
    """A match: all writes of it in order. ``record`` is as much of the longest record that was stored as replays;
    ``fault`` says why not all of it did.
    """

    def __init__(self, match: str, writes: tuple[Stored, ...]) -> None:
        self.match = match
        self.writes = writes
        self.last: Snapshot = writes[-1].after
        self.begun = next((write.after for write in writes if write.after.seed is not None), None)
        self.game: Game[Any, Any, Any] = GAMES[self.last.game]
        self.fault: str | None = None
        self._views: dict[tuple[int, Player], Any] = {}
        self._phases: dict[int, Phase | None] = {}
        self._house: dict[int, Mapping[Player, Slot]] = {}

    @cached_property
    def people(self) -> Mapping[Player, int]:
        """Who sits in the seats that are people's, by seat; nobody while it is a lobby."""
        if self.begun is None:
            return {}
        return {player: who.user for player, who in enumerate(self.begun.seats) if who and who.user is not None}

    def seat_of(self, user: int) -> Player | None:
        """A person's seat."""
        return next((player for player, who in self.people.items() if who == user), None)

    def stored(self, number: int) -> float:
        """When it was stored first that ``number`` phases have closed."""
        return next(w.at for w in self.writes if w.after.seed is not None and w.after.number >= number)

    @cached_property
    def record(self) -> Record | None:
        """None for a lobby, and where not even the start is the engine's."""
        begun = self.begun
        if begun is None or begun.seed is None or begun.rules is None:
            return None
        steps: tuple[Step, ...] = max((write.after.steps for write in self.writes), key=len)
        record = Record(Setup(begun.game, begun.rules, begun.seed))
        try:
            assert record.history
        except Exception as error:
            self.fault = f"it does not start: {error!r}"
            return None
        try:
            for step in steps:
                record = record.then(step)
        except Exception as error:
            self.fault = f"step {len(record.steps)} does not replay: {error!r}"
        return record

    def state(self, number: int) -> Any:
        """The state in which phase ``number`` is open."""
        assert self.record is not None
        return self.record.history[number].state

    def knows(self, number: int) -> bool:
        """Whether the record leads as far as phase ``number``."""
        return self.record is not None and number < len(self.record.history)

    def phase(self, number: int) -> Phase | None:
        """Phase ``number``, None after the end."""
        if number not in self._phases:
            self._phases[number] = self.game.phase(self.state(number))
        return self._phases[number]

    def view(self, number: int, player: Player) -> Any:
        """What a player may know in phase ``number``."""
        key = (number, player)
        if key not in self._views:
            self._views[key] = self.game.view(self.state(number), player)
        return self._views[key]

    def house(self, number: int) -> Mapping[Player, Slot]:
        """What house players have in the box from the moment at which phase ``number`` opens."""
        if number not in self._house:
            self._house[number] = self._house_moves(number)
        return self._house[number]

    def _house_moves(self, number: int) -> Mapping[Player, Slot]:
        phase, record = self.phase(number), self.record
        moves: dict[Player, Slot] = {}
        if phase is None or record is None:
            return moves
        seed = bytes.fromhex(record.setup.seed)
        for player in phase.active:
            if player not in self.people:
                move = self.game.house(self.view(number, player), chance.draws(seed, f"house/{player}/{number}"))
                moves[player] = (None if move is None else self.game.write(move), True)
        return moves

    def can_resign(self, number: int, player: Player) -> bool:
        """Whether a player may give the match up in phase ``number``."""
        resign = self.game.resign
        return resign is not None and self.game.check(self.view(number, player), resign) is None

    @cached_property
    def resigning(self) -> str | None:
        """The notation of resigning."""
        return None if self.game.resign is None else self.game.write(self.game.resign)

    @cached_property
    def declining(self) -> str | None:
        """The notation of declining what may follow."""
        return None if self.game.decline is None else self.game.write(self.game.decline)

    def seconds(self, number: int) -> float | None:
        """How long phase ``number`` lasts at the match's pace."""
        phase = self.phase(number)
        assert self.begun is not None
        return None if phase is None or phase.seconds is None else phase.seconds * PACES[self.begun.pace]

    def remind_at(self, match: Snapshot) -> float | None:
        """When the reminder of the open phase is due: in a turn after a minute at the match's pace, else with a quarter
        of the time left. None where there is none, as in a phase of no more than a minute.
        """
        phase = self.phase(match.number)
        if phase is None or match.deadline is None or match.deadline - match.opened <= MINUTE:
            return None
        quarter = match.deadline - (match.deadline - match.opened) / 4
        return match.opened + MINUTE * PACES[match.pace] if phase.instant else quarter


_READ: list[tuple[Trace, int, dict[str, Course]]] = []


def courses(trace: Trace) -> dict[str, Course]:
    """The matches of a trace by id, in the order in which they were opened; read once for all checks of a trace."""
    if _READ and _READ[0][0] is trace and _READ[0][1] == len(trace.events):
        return _READ[0][2]
    writes: dict[str, list[Stored]] = {}
    for write in trace.of(Stored):
        writes.setdefault(write.after.match, []).append(write)
    found = {match: Course(match, tuple(those)) for match, those in writes.items()}
    _READ[:] = [(trace, len(trace.events), found)]
    return found
