"""Nothing is told again but where a fault explains it: a cursor was lost between a call and the store."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tests.simulation.judge.letters import letters
from tests.simulation.judge.matches import courses
from tests.simulation.judge.told import Heard, told
from tests.simulation.trace import Call, Ended, Kept, Struck, Trace
from tests.simulation.verdict import Check, Offence

WINDOW: Final = 40.0
"""Seconds before a repeat in which a fault may have led to it, even if that was before the first telling: a call may
have been answered too late, and a lease lasts 20 s.
"""
UNDER_WAY: Final = 5.0
"""Seconds that a call or a write may take, which is seen when it is over: what befell it came before."""
STORE: Final = frozenset({"store throttled", "store lost before", "store lost after", "store slow"})
LINE: Final = frozenset(
    {"telegram silent before", "telegram silent after", "telegram slow", "telegram empty answer", "out of time"}
)
LOST: Final = "telegram edit not found"

_SCENE: Final = re.compile(r"(?:Gravity Pandemic|Dog's Judgement) · [^\n]*")
_STAGE: Final = re.compile(r"The draft\.|guessing period \d+|are sending their birds")
_MATCH: Final = re.compile(r"panel-([a-z2-7]{8})|'([a-z2-7]{8}):")


class Losses:
    """When each process lost what it knew, or may have; and when an edit found its message gone."""

    def __init__(self, trace: Trace) -> None:
        self._times: dict[int | None, list[float]] = defaultdict(list)
        for event in trace.events:
            match event:
                case Struck(fault=fault, process=process) if fault in STORE or fault in LINE:
                    self._times[process].append(event.at)
                case Ended(process=process, why=why) if why != "idle":
                    self._times[process].append(event.at)
                case Call(process=process, done=True, status=None | 429 | 500 | 502, replied=False):
                    self._times[process].append(event.at)
        self._lost = [struck.at for struck in trace.of(Struck) if struck.fault == LOST]

    def unexplained(
        self, what: str, sent: Sequence[Call | Kept], *, edited: bool = False, check: Check = "repeats"
    ) -> Iterator[Offence]:
        """Each repeat of a call, or of a write to what is kept of people, for which nothing that befell a process which
        had made it before accounts. ``edited``: it is only made again once an edit has failed.
        """
        for number, call in enumerate(sent[1:], 1):
            start = min(sent[0].at - UNDER_WAY, call.at - WINDOW)
            makers: set[int | None] = {None, *(each.process for each in sent[:number])}
            if any(self._befell(maker, start, call.at) for maker in makers):
                continue
            if edited and any(start <= at <= call.at for at in self._lost):
                continue
            yield Offence(check, f"{what} again, {call.at - sent[number - 1].at:.1f} s later", call.at)

    def _befell(self, process: int | None, start: float, end: float) -> bool:
        return any(start <= at <= end for at in self._times.get(process, ()))


def check(trace: Trace) -> Iterator[Offence]:
    """Whatever was told again, or shown on a new board again, without a reason."""
    faults = Losses(trace)
    yield from _told_again(trace, faults)
    for what, sent in _boards(trace).items():
        yield from faults.unexplained(what, sent, edited=True)
    yield from _at_once(trace)


def _at_once(trace: Trace) -> Iterator[Offence]:
    """What may not come twice is not made again at once, whatever became of it the first time."""
    last: dict[int, Call] = {}
    for call in trace.of(Call):
        if call.method in ("sendMessage", "sendPhoto", "sendDocument") and call.done:
            before = last.get(call.process)
            same = before is not None and before.at == call.at and before.params == call.params
            if same:
                yield Offence("repeats", f"{call.method} to {call.chat} was made again at once", call.at)
            last[call.process] = call


@dataclass(frozen=True)
class _Sent:
    """What was sent to tell something that was to be told so many ``times``, and to whom."""

    about: str
    times: int
    calls: list[Call]


def _told_again(trace: Trace, faults: Losses) -> Iterator[Offence]:
    """What was told more often than it was to be, unless a fault explains it. Of what two matches tell somebody in the
    same words nobody can say which of them told it again.
    """
    alike: dict[tuple[object, ...], list[_Sent]] = defaultdict(list)
    for place, heard in enumerate(told(trace).heard):
        if not heard.address.foreign:
            tenure = heard.address.tenure
            whom = ("table", place) if tenure is None else ("player", tenure.user)
            for what, sent in _sent(heard):
                alike[*whom, *what].append(sent)
    for those in alike.values():
        times = sum(min(each.times, len(each.calls)) for each in those)
        calls = sorted((call for each in those for call in each.calls), key=lambda call: call.at)
        if len(calls) > times:
            # Any of them may be the repeats, for the same may have been told anew in between.
            without = list(faults.unexplained(those[0].about, calls))
            yield from without[: max(0, len(without) - (times - 1))]


def _sent(heard: Heard) -> Iterator[tuple[tuple[object, ...], _Sent]]:
    """What was sent to tell an address each fact, the first one of its words, the second and so on, and each notice."""
    known = Counter[tuple[object, ...]]()
    for due, those in zip(heard.address.told, heard.facts, strict=True):
        known[due.what] += 1
        calls = [each.call for each in those if each.call.done]
        yield (known[due.what], due.what), _Sent(f"{heard.address}: {due.what} was told", 1, calls)
    for what, those in heard.notices.items():
        times = max(1, sum(due.what == what for due in heard.address.notices))
        calls = [each.call for each in those if each.call.done]
        yield (0, what), _Sent(f"{heard.address}: {what} was told", times, calls)


def _boards(trace: Trace) -> dict[str, list[Call]]:
    """The boards of each scene, where they are in English. They are sent without a sound; in answer to a command they
    come aloud.
    """
    foreign = {course.match for course in courses(trace).values() if course.is_foreign}
    sent: dict[str, list[Call]] = defaultdict(list)
    for letter in letters(trace):
        call = letter.call
        if call.method == "sendMessage" and call.done and call.params.get("disable_notification"):
            scene = _SCENE.search(letter.text)
            stage = _STAGE.search(letter.text)
            match = _MATCH.search(str(call.params.get("reply_markup", "")))
            id = None if match is None else match[1] or match[2]
            if scene is not None and id is not None and id not in foreign:
                sent[
                    f"the board of match {id} in chat {call.chat}, {scene[0]} {stage[0] if stage else ''}, was sent"
                ].append(call)
    return sent
