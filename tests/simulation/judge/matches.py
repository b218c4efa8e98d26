"""Each match of a trace: what was stored of it, and what the engine makes of its record, replayed once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from engine import chance
from engine.game import Game, Phase, Player
from engine.games import GAMES
from engine.record import Record, Setup, Step
from tests.simulation.trace import Snapshot, Stored, Trace

PACES: Final[Mapping[str, int]] = {"live": 1, "relaxed": 5, "letters": 144}
"""By how much the rules' seconds are stretched."""
ENGLISH: Final = "en"
MINUTE: Final = 60.0
SAME: Final = 0.001
"""Seconds by which two moments may differ that are one."""
DONE: Final = ("over", "cancelled")

Slot = tuple[str | None, bool]
"""What a seat has in the box: a move's notation (None: nothing), and whether it is locked in."""
EMPTY: Final[Slot] = (None, False)


@dataclass(frozen=True)
class Tenure:
    """A person in a seat from phase ``since``, stored at ``at``, until another had it (``until``; Unix seconds)."""

    player: Player
    user: int
    since: int
    at: float
    until: float = float("inf")


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
        self._house: dict[tuple[int, Player], Slot] = {}
        self._sat: dict[int, Mapping[Player, int]] = {}

    @cached_property
    def tenures(self) -> tuple[Tenure, ...]:
        """Who sat in the seats that are people's, and when; nobody while it is a lobby."""
        found: list[Tenure] = []
        sitting: dict[Player, Tenure] = {}
        for write in self.writes:
            before, after = write.before, write.after
            if after.seed is None or (before is not None and before.stage in DONE):
                continue
            for player, who in enumerate(after.seats):
                user, old = None if who is None else who.user, sitting.get(player)
                if user == (None if old is None else old.user):
                    continue
                if old is not None:
                    found.append(replace(sitting.pop(player), until=write.at))
                if who is not None and user is not None:
                    sitting[player] = Tenure(player, user, who.since, write.at)
        return tuple(sorted((*found, *sitting.values()), key=lambda each: (each.player, each.at)))

    @cached_property
    def users(self) -> frozenset[int]:
        """Everybody who has had a seat in the match since it began."""
        return frozenset(each.user for each in self.tenures)

    @cached_property
    def people(self) -> Mapping[Player, int]:
        """Who sat at last in the seats that are people's, by seat."""
        return {each.player: each.user for each in self.tenures if each.until == float("inf")}

    def sat(self, number: int) -> Mapping[Player, int]:
        """Who sat in the seats that were people's when phase ``number`` closed, or sits there while it is open."""
        if number not in self._sat:
            self._sat[number] = self._sitting(number)
        return self._sat[number]

    def _sitting(self, number: int) -> dict[Player, int]:
        seats: dict[Player, int | None] = {}
        for write in self.writes:
            if write.after.seed is None or (write.before is not None and write.before.stage in DONE):
                continue
            if write.before is not None and write.before.number > number:
                break
            for player, who in enumerate(write.after.seats):
                if who is not None and who.since <= number:
                    seats[player] = who.user
        return {player: user for player, user in seats.items() if user is not None}

    def seat_of(self, user: int) -> Player | None:
        """The seat that is or was a person's; nobody ever has two."""
        return next((each.player for each in self.tenures if each.user == user), None)

    @cached_property
    def is_foreign(self) -> bool:
        """Whether another language than English is spoken at the table at any time."""
        return any(write.after.language != ENGLISH for write in self.writes)

    def is_paused(self, start: float, end: float) -> bool:
        """Whether the match was paused at any time between two."""
        return any(since <= end and until >= start for since, until in self._pauses)

    @cached_property
    def _pauses(self) -> tuple[tuple[float, float], ...]:
        found: list[tuple[float, float]] = []
        since: float | None = None
        for write in self.writes:
            if since is None and write.after.paused is not None:
                since = write.at
            elif since is not None and write.after.paused is None:
                found.append((since, write.at))
                since = None
        return (*found, *([] if since is None else [(since, float("inf"))]))

    def silent(self, number: int) -> tuple[Player, ...]:
        """The people who had something to choose in phase ``number`` and let it pass; nobody if it was cut short."""
        assert self.record is not None
        phase, step = self.phase(number), self.record.steps[number]
        assert phase is not None
        if any(text in (self.resigning, self.declining) for text in step.values()):
            return ()
        here = [player for player in phase.active if player in self.sat(number) and player not in step]
        return tuple(player for player in here if self.game.options(self.view(number, player)) is not None)

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

    def house(self, number: int, people: Collection[Player]) -> Mapping[Player, Slot]:
        """What house players have in the box of phase ``number`` from the moment at which it opens, or they come;
        ``people`` are the seats that are none of theirs.
        """
        phase = self.phase(number)
        active = () if phase is None else phase.active
        return {player: self._house_move(number, player) for player in active if player not in people}

    def _house_move(self, number: int, player: Player) -> Slot:
        key = (number, player)
        if key not in self._house:
            assert self.record is not None
            seed = bytes.fromhex(self.record.setup.seed)
            move = self.game.house(self.view(number, player), chance.draws(seed, f"house/{player}/{number}"))
            self._house[key] = (None if move is None else self.game.write(move), True)
        return self._house[key]

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
        of the time left. None where there is none, as in a phase of no more than a minute, or while it is
        paused.
        """
        phase = self.phase(match.number)
        if phase is None or match.paused is not None or match.deadline is None:
            return None
        if match.deadline - match.opened <= MINUTE:
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
