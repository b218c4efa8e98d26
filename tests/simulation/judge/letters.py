"""Every call with a text, read once for all checks: what people see in it, and what it tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.simulation.judge import said_dog, said_gravity, said_house
from tests.simulation.judge.texts import Readers, Said, unmarked
from tests.simulation.trace import Call, Happened, Trace

REFUSED_FOR_GOOD: Final = (400, 403)
HISTORY: Final = "🗒 So far"
"""How a history of a match begins."""
PUBLIC: Final = said_gravity.PUBLIC | said_dog.PUBLIC | said_house.PUBLIC
"""What is told to everybody at the table."""


@dataclass(frozen=True)
class Letter:
    """A call with what stands in it, in tokens, whether it arrived or not; ``said`` only of what is sent, by place.
    ``recalled`` is what a history says once more, whoever asked for it.

    ``refused``: a group did not take it for good, as without the right to write there, and so it is given up. Nobody is
    given up in private, nor is a group that has only moved: they are told later.
    """

    call: Call
    text: str
    said: tuple[Said, ...]
    refused: bool
    recalled: tuple[Said, ...] = ()


_READ: list[tuple[Trace, int, tuple[Letter, ...]]] = []


def letters(trace: Trace) -> tuple[Letter, ...]:
    """All calls with a text, in the order in which they arrived; read once for all checks of a trace."""
    if _READ and _READ[0][0] is trace and _READ[0][1] == len(trace.events):
        return _READ[0][2]
    readers = Readers(trace.words)
    moved = {each.chat: each.at for each in trace.of(Happened) if each.what == "migrated"}
    calls = sorted(trace.of(Call), key=lambda call: call.at)
    found = tuple(_letter(call, readers, moved) for call in calls if _carried(call))
    _READ[:] = [(trace, len(trace.events), found)]
    return found


def _carried(call: Call) -> str:
    if call.chat is None:
        return ""  # a toast
    return call.text or call.params.get("text") or call.params.get("caption") or ""


def _letter(call: Call, readers: Readers, moved: Mapping[int | None, float]) -> Letter:
    text = readers.read(call.text or unmarked(_carried(call)))
    if text.startswith(HISTORY) and call.done:
        return Letter(call, text, (), refused=False, recalled=(*said_gravity.read(text), *said_dog.read(text)))
    if call.method != "sendMessage":
        return Letter(call, text, (), refused=False)
    assert call.chat is not None
    stays = call.chat < 0 and call.at < moved.get(call.chat, float("inf"))
    refused = stays and not call.done and call.status in REFUSED_FOR_GOOD
    said = (*said_gravity.read(text), *said_dog.read(text), *said_house.read(text))
    return Letter(call, text, tuple(sorted(said, key=lambda each: each.at)), refused)
