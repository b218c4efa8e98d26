"""Facts and notices are told promptly, boards shown, where nothing went wrong that explains a wait."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from tests.simulation.judge.dues import Address
from tests.simulation.judge.matches import Course, courses
from tests.simulation.judge.told import Heard, told
from tests.simulation.judge.waits import PROMPT, SPACING, Waits, closed, waits_of
from tests.simulation.trace import Call, Happened, Snapshot, Stored, Trace
from tests.simulation.verdict import Offence

PASS: Final = 60.0
"""Seconds that a pass of telling may take which began before a phase closed."""
REMINDERS: Final = ("reminded", "turn")


def check(trace: Trace) -> Iterator[Offence]:
    """Whatever came late for no reason."""
    waits = waits_of(trace)
    for heard in told(trace).heard:
        yield from _tellings(heard, waits)
    boards, removed = _boards(trace), _removed(trace)
    end = trace.events[-1].at if trace.events else 0.0
    for course in courses(trace).values():
        for write in course.writes:
            if write.before is not None and _shown(write.before) != _shown(write.after):
                yield from _board(course, write, boards, waits, end)
        yield from _ends(course, removed, waits)


def _tellings(heard: Heard, waits: Waits) -> Iterator[Offence]:
    address = heard.address
    dues = [(due, those[0].call) for due, those in zip(address.told, heard.facts, strict=True) if those]
    for what, those in heard.notices.items():
        dues += zip((due for due in address.notices if due.what == what), (each.call for each in those), strict=False)
    for due, call in dues:
        if call.chat is not None and waits.late(call.chat, due.stored, call.at):
            why = f"{address}: {due.what} was told {call.at - due.stored:.1f} s after it was stored"
            yield Offence("notices", why, call.at)
    for due in address.notices:
        if due.what[0] in REMINDERS and not heard.notices.get(due.what):
            chat, over = _chat(address, due.stored), closed(address.course, due.step)
            allowed = PROMPT if chat > 0 else PROMPT + SPACING
            if over > due.stored + allowed and waits.late(chat, due.stored, over):
                yield Offence("notices", f"{address}: {due.what} was never told", due.stored)
    for what, those in heard.notices.items():
        steps = [due.step for due in address.notices if due.what == what and what[0] in REMINDERS]
        over = max((closed(address.course, step) for step in steps), default=float("inf"))
        for letter in those:
            at, where = letter.call.at, letter.call.chat
            if at > over + PASS or (at > over + PROMPT and not waits.explain(where or 0, over, at)):
                yield Offence("notices", f"{address}: {what} was told {at - over:.1f} s after its phase", at)


def _chat(address: Address, at: float) -> int:
    if address.player is not None:
        return address.course.people[address.player]
    return next((write.after.chat for write in reversed(address.course.writes) if write.at <= at), 0)


def _shown(match: Snapshot) -> tuple[object, ...]:
    """What a board shows for certain: a lobby its seats and its pace, a match its phase and how long that runs."""
    if match.stage != "lobby":
        return (match.stage, match.number, match.deadline)
    return (match.stage, match.pace, [None if who is None else who.user for who in match.seats])


def _boards(trace: Trace) -> dict[int, list[float]]:
    """When the boards of each chat were sent, without a sound, or edited."""
    shown: dict[int, list[float]] = defaultdict(list)
    messages: set[tuple[int, int | None]] = set()
    for call in trace.of(Call):
        if call.chat is None:
            continue  # a toast
        if call.method == "sendMessage" and call.params.get("disable_notification"):
            messages.add((call.chat, call.message))
            shown[call.chat].append(call.at)
        elif call.method == "editMessageText" and (call.chat, call.params.get("message_id")) in messages:
            shown[call.chat].append(call.at)
    return shown


def _board(
    course: Course, write: Stored, boards: dict[int, list[float]], waits: Waits, end: float
) -> Iterator[Offence]:
    """A board shows a change, unless that has been undone meanwhile."""
    chat = write.after.chat
    times = boards.get(chat, [])
    place = bisect_left(times, write.at)
    standing = [w.after for w in course.writes if place and w.at <= times[place - 1]]
    shown = times[place] if place < len(times) else end
    for undone in course.writes:
        if standing and write.at < undone.at < shown and _shown(undone.after) == _shown(standing[-1]):
            shown = undone.at
    if waits.late(chat, write.at, shown):
        yield Offence("notices", f"the board of {course.match} was {shown - write.at:.1f} s late", write.at)


def _removed(trace: Trace) -> dict[int, list[tuple[float, float]]]:
    """From when until when each group was known to have removed the bot: from the first call refused for it."""
    spans: dict[int, list[tuple[float, float]]] = defaultdict(list)
    out: dict[int, float | None] = {}
    for event in trace.events:
        match event:
            case Happened(what="bot removed", chat=int(group)):
                out[group] = None
            case Call(chat=int(group), status=403, at=at, method=method) if out.get(group, at) is None:
                if method == "getChatMember":
                    continue  # who asks about somebody's rights only learns that there are none
                out[group] = at
            case Happened(what="bot added", chat=int(group), at=at):
                spans[group].append((out.pop(group, None) or at, at))
    for chat, since in out.items():
        spans[chat].append((since or float("inf"), float("inf")))
    return spans


def _ends(course: Course, removed: dict[int, list[tuple[float, float]]], waits: Waits) -> Iterator[Offence]:
    """A match ends when its group turns out to have removed the bot."""
    for write in course.writes:
        if write.after.stage not in ("lobby", "playing"):
            return
        following = next((later.at for later in course.writes if later.at > write.at), float("inf"))
        for known, until in removed.get(write.after.chat, ()):
            late = known + PROMPT
            if write.at <= late < following and late < until and not waits.troubled(known, late):
                yield Offence("notices", f"{course.match} goes on in a group that has removed the bot", late)
