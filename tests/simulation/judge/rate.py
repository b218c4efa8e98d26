"""No group sees more than 20 visible calls within a minute (Bots FAQ), those included that Telegram found too many."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Final

from tests.simulation.judge.letters import letters
from tests.simulation.judge.matches import courses
from tests.simulation.trace import Booted, Call, Ended, Struck, Trace
from tests.simulation.verdict import Offence

VISIBLE: Final = frozenset({"sendMessage", "sendPhoto", "sendDocument", "editMessageText", "editMessageMedia"})
MOST: Final = 20
UNKNOWN: Final = 10
"""Calls that a process may have made without storing them before it died: a burst, and the replies to spare."""
MINUTE: Final = 60.0
TOO_MANY: Final = 429
ASIDES: Final = ("I have answered you in private.", "Te he respondido en privado.")
"""Replies that come without a sound."""
SHORTLY: Final = 0.5
"""Seconds by which a wait may be cut short: for the bot it begins when it has sent the call."""


def check(trace: Trace) -> Iterator[Offence]:
    """Each call too many, and each that comes before Telegram allows it."""
    yield from _too_many(trace)
    yield from _too_soon(trace)


def _too_many(trace: Trace) -> Iterator[Offence]:
    """Each call beyond the rate. Matches in several topics of one group that several processes tell at once know
    nothing of each other's calls, and nobody knows what a process wrote just before it died (``handler/rates.py`` says
    so); there Telegram's refusals have to do.
    """
    shared = _shared(trace)
    deaths = [ended.at for ended in trace.of(Ended) if ended.why != "idle"]
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
            died = sum(times[0] <= death <= call.at for death in deaths)
            if len(times) > MOST + UNKNOWN * died:
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


def _too_soon(trace: Trace) -> Iterator[Offence]:
    """What a process tells a place although it was told to wait. What it has stored of that may have been lost."""
    held: dict[tuple[int | None, object, int], float] = {}
    lost = {struck.process for struck in trace.of(Struck) if struck.fault.startswith("store")}
    for letter in letters(trace):
        call = letter.call
        if call.chat is None or not (letter.said or call.params.get("disable_notification")):
            continue
        if letter.text in ASIDES:
            continue  # a reply waits for nobody
        theirs = [each for each in courses(trace).values() if call.chat in each.users or call.chat == each.last.chat]
        if call.chat > 0 and len(theirs) > 1:
            continue  # each match waits by itself
        place = (call.chat, call.params.get("message_thread_id"), call.process)
        until = held.get(place, 0.0)
        if call.at < until - SHORTLY and call.process not in lost:
            yield Offence("rate", f"chat {call.chat} was told something {until - call.at:.1f} s too soon", call.at)
        if call.wait is not None:
            held[place] = call.at + call.wait
