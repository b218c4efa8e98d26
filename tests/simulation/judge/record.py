"""The record that is stored replays, and the file of it verifies, is the match that was played, and is sent once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from engine import documents
from engine.reading import Fault, NotJson, parse
from tests.simulation.judge.faults import Faults
from tests.simulation.judge.matches import Course, courses
from tests.simulation.trace import Call, Happened, Pressed, Trace
from tests.simulation.verdict import Offence

_SEAL: Final = re.compile(r"\b[0-9a-f]{64}\b")
REPEATING: Final = ("killed", "out of time", "restart", "outage", "release", "store", "telegram")
"""Faults after which a call may have been made of which nobody knew."""
BARRED: Final = ("bot removed", "rights", "topic closed", "topic deleted", "blocked", "deactivated", "migrated")
"""Happenings after which the bot may not be able to send anything."""


def check(trace: Trace) -> Iterator[Offence]:
    """Records that do not replay, and files that are wrong, missing or sent too often."""
    faults = Faults(trace)
    sent, seals = list(_sent(trace)), _seals(trace)
    yield from _seeds(trace)
    known = {course.begun.seed for course in courses(trace).values() if course.begun is not None}
    for call, seed, _, why in sent:
        if why is not None:
            yield Offence("record", f"file {call.message}: {why}", call.at)
        elif seed not in known:
            yield Offence("record", f"file {call.message} is of no match that was stored", call.at)
    for course in courses(trace).values():
        record = course.record
        if course.fault is not None:
            yield Offence("record", f"{course.match}: {course.fault}", course.last.opened)
        if record is None or course.fault is not None:
            continue
        files = [(call, document) for call, of, document, _ in sent if of == record.setup.seed]
        for call, document in files:
            yield from (Offence("record", f"{course.match}: {why}", call.at) for why in _file(course, document))
            told = [seal for at, chat, seal in seals if at <= call.at and chat in _chats(course)]
            missing = [seal for seal in documents.commitments(document) if seal not in told]
            if missing and not _is_barred(trace, _chats(course)):
                yield Offence("record", f"{course.match}: the group was never told {missing}", call.at)
        yield from _number(course, [call for call, _ in files if not _is_asked_for(course, call, trace)], trace, faults)


def _is_asked_for(course: Course, call: Call, trace: Trace) -> bool:
    """Whether somebody has asked for the file once more, which they get in private."""
    data = f"-:record:{course.match}"
    return any((p.user, p.data) == (call.chat, data) and p.at <= call.at for p in trace.of(Pressed))


def _seeds(trace: Trace) -> Iterator[Offence]:
    """No two matches have a seed in common."""
    seen: dict[str, str] = {}
    for course in courses(trace).values():
        if course.begun is not None and course.begun.seed is not None:
            other = seen.setdefault(course.begun.seed, course.match)
            if other != course.match:
                yield Offence("record", f"{course.match} has the seed of {other}", course.begun.opened)


def _sent(trace: Trace) -> Iterator[tuple[Call, str | None, Any, str | None]]:
    """Each file that was sent: the seed in it and its document, or why it has none."""
    for call in trace.of(Call):
        if call.method != "sendDocument" or not call.done:
            continue
        content = trace.files.get(call.message or 0)
        if content is None:
            yield call, None, None, "has no content"
            continue
        try:
            document = parse(content)
            main = document.get("main", document)
            yield call, str(main["seed"]), document, None
        except (NotJson, KeyError, AttributeError, TypeError) as error:
            yield call, None, None, f"is no record: {error!r}"


def _seals(trace: Trace) -> list[tuple[float, int | None, str]]:
    """What the bot has committed to, where and when."""
    sent = (call for call in trace.of(Call) if call.done and call.method == "sendMessage")
    return [(call.at, call.chat, seal) for call in sent for seal in _SEAL.findall(call.text)]


def _chats(course: Course) -> set[int]:
    return {write.after.chat for write in course.writes}


def _file(course: Course, document: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a file."""
    assert course.record is not None
    main = document.get("main", document)
    names = list(main.get("names", {}).values())
    for player, user in course.people.items():
        known = {who.name for write in course.writes if (who := write.after.seats[player]) and who.user == user}
        if player >= len(names) or names[player] not in known:
            yield f"the file calls seat {player} by a name that nobody had"
            return
    try:
        silent = [course.silent(number) for number in range(len(course.record.steps))]
        expected = documents.export(course.record, names, silent, cancelled=course.last.stage == "cancelled")
        if document != expected:
            yield "the file is not the match that was stored"
        elif not documents.verify(document, documents.commitments(expected))["ok"]:
            yield "the file does not verify"
    except (Fault, ValueError) as error:
        yield f"the file is wrong: {error}"


def _number(course: Course, calls: list[Call], trace: Trace, faults: Faults) -> Iterator[Offence]:
    """Whether there is one file, where one can be sent."""
    last, chats = course.last, _chats(course)
    if last.stage not in ("over", "cancelled"):
        for call in calls:
            yield Offence("record", f"{course.match}: its secrets were sent before its end", call.at)
        return
    if not calls and not _is_barred(trace, chats):
        yield Offence("record", f"{course.match}: no file was sent", course.writes[-1].at)
    for earlier, call in pairwise(calls):
        if not faults.between(earlier.at - 30, call.at, REPEATING):
            yield Offence("record", f"{course.match}: the file was sent again", call.at)


def _is_barred(trace: Trace, chats: set[int]) -> bool:
    if any(event.what in BARRED and (event.chat in chats or event.user in chats) for event in trace.of(Happened)):
        return True
    return any(
        call.method == "sendDocument" and call.chat in chats and not call.done and call.status in (400, 403)
        for call in trace.of(Call)
    )
