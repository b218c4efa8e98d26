"""No group sees more than 20 visible calls within a minute (Bots FAQ), those included that Telegram found too many."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Final

from tests.simulation.judge.matches import courses
from tests.simulation.trace import Booted, Call, Trace
from tests.simulation.verdict import Offence

VISIBLE: Final = frozenset({"sendMessage", "sendDocument", "editMessageText"})
MOST: Final = 20
MINUTE: Final = 60.0
TOO_MANY: Final = 429


def check(trace: Trace) -> Iterator[Offence]:
    """Each call beyond the rate. Matches in several topics of one group that several processes tell at once know
    nothing of each other's calls (``handler/rates.py`` says so); there Telegram's refusals have to do.
    """
    shared = _shared(trace)
    recent: dict[int, deque[float]] = defaultdict(deque)
    for call in sorted(trace.of(Call), key=lambda call: call.at):
        chat = call.chat
        if chat is None or chat > 0 or chat in shared or call.method not in VISIBLE:
            continue
        if call.done or call.status == TOO_MANY:
            times = recent[chat]
            while times and times[0] <= call.at - MINUTE:
                times.popleft()
            times.append(call.at)
            if len(times) > MOST:
                yield Offence("rate", f"{len(times)} visible calls within a minute to chat {chat}", call.at)


def _shared(trace: Trace) -> frozenset[int]:
    """The groups of several matches, where there is more than one process."""
    if sum(1 for _ in trace.of(Booted)) < 2:
        return frozenset()
    matches: dict[int, set[str]] = defaultdict(set)
    for course in courses(trace).values():
        for write in course.writes:
            matches[write.after.chat].add(course.match)
    return frozenset(chat for chat, there in matches.items() if len(there) > 1)
