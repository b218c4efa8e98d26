"""How long somebody had to wait for what they are told, and whether anything explains it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from itertools import pairwise
from typing import Final

from tests.simulation.judge.faults import LONG, lasts
from tests.simulation.judge.matches import Course
from tests.simulation.trace import Call, Ended, Happened, Struck, Trace

PROMPT: Final = 8.0
"""Seconds within which somebody is told, or shown, what has been stored."""
SPACING: Final = 6.0
"""Seconds for which each call to a busy group waits for its turn (``docs/limits.md``)."""
BEFORE: Final = 30.0
"""Seconds for which trouble may have its effect: a lease on telling lasts 20 s, and a nudge comes again."""
HARMLESS: Final = ("renamed", "left", "blocked", "bot removed", "update", "answer lost")
"""What holds up nobody who tells."""
VISIBLE: Final = ("sendMessage", "sendDocument", "editMessageText")


_PHASE: Final = re.compile(r"'([a-z2-7]{8}:[0-9]+):")


class Waits:
    """What may hold up telling, and when each chat was written to; ``panels`` are the private calls with buttons of a
    phase, by chat and ``match:number``.
    """

    def __init__(self, trace: Trace) -> None:
        self._trouble: list[float] = []
        self._lasting: list[tuple[float, float]] = []
        self._barred: dict[int | None, float] = {}
        self.calls: dict[int, list[Call]] = defaultdict(list)
        self.panels: dict[tuple[int, str], list[Call]] = defaultdict(list)
        self.end = trace.events[-1].at if trace.events else 0.0
        for event in trace.events:
            match event:
                case Struck(at=at, fault=fault) if fault in LONG:
                    self._lasting.append((at, lasts(event)))
                    self._trouble.append(at)
                case Struck(at=at, fault=fault) if not fault.startswith(HARMLESS):
                    self._trouble.append(at)
                case Ended(at=at, why=why) if why != "idle":
                    self._trouble.append(at)
                case Call(at=at, status=status, chat=int() as chat):
                    self.calls[chat].append(event)
                    found = _PHASE.search(str(event.params.get("reply_markup", ""))) if chat > 0 else None
                    if found is not None:
                        self.panels[chat, found[1]].append(event)
                    if status not in (200, 403):
                        self._trouble.append(at)
                case Happened(at=at, what=what) if what not in ("renamed", "joined", "started", "left", "bot added"):
                    for whom in (event.chat, event.user):
                        if whom is not None:
                            self._barred.setdefault(whom, at)
        self._trouble.sort()

    def explain(self, chat: int, start: float, end: float) -> bool:
        """Whether something explains that a chat had to wait, or cannot be written to."""
        held = (call for call in self.calls.get(chat, ()) if call.wait is not None and call.at <= end)
        if any(call.at + (call.wait or 0.0) >= start for call in held):
            return True
        return self._barred.get(chat, float("inf")) <= end or self.troubled(start, end)

    def troubled(self, start: float, end: float) -> bool:
        """Whether something went wrong in that time, or shortly before."""
        first = bisect_left(self._trouble, start - BEFORE)
        if first < len(self._trouble) and self._trouble[first] <= end:
            return True
        return any(at <= end and start <= until for at, until in self._lasting)

    def idle(self, chat: int, start: float, end: float) -> float:
        """The longest time from ``start`` to ``end`` in which nothing visible was sent there."""
        visible = (call.at for call in self.calls.get(chat, ()) if call.method in VISIBLE)
        times = [start, *sorted(at for at in visible if start < at < end), end]
        return max(after - before for before, after in pairwise(times))

    def late(self, chat: int, start: float, end: float) -> bool:
        """Whether something that was due at ``start`` and came at ``end`` came late, for no reason."""
        if end - start <= PROMPT:
            return False
        allowed = PROMPT if chat > 0 else PROMPT + SPACING
        return self.idle(chat, start, end) > allowed and not self.explain(chat, start, start + allowed)


def closed(course: Course, number: int) -> float:
    """When a phase was closed, or the match with it."""
    over = (w.at for w in course.writes if w.after.number > number or w.after.stage in ("over", "cancelled"))
    return next(over, float("inf"))


_READ: list[tuple[Trace, int, Waits]] = []


def waits_of(trace: Trace) -> Waits:
    """What may hold up telling in a trace; read once for all checks of it."""
    if _READ and _READ[0][0] is trace and _READ[0][1] == len(trace.events):
        return _READ[0][2]
    waits = Waits(trace)
    _READ[:] = [(trace, len(trace.events), waits)]
    return waits
