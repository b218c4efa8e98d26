"""Every call with a text, read once for all checks: what people see in it, and what it tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.simulation.judge import said_dog, said_gravity, said_house
from tests.simulation.judge.texts import Readers, Said, unmarked
from tests.simulation.trace import Call, Trace

REFUSED_FOR_GOOD: Final = (400, 403)
PUBLIC: Final = said_gravity.PUBLIC | said_dog.PUBLIC | said_house.PUBLIC
"""What is told to everybody at the table."""


@dataclass(frozen=True)
class Letter:
    """A call with what stands in it, in tokens, whether it arrived or not; ``said`` only of what is sent, by place."""

    call: Call
    text: str
    said: tuple[Said, ...]

    @property
    def refused(self) -> bool:
        """Whether Telegram refused it for good: a text that it will never take is not sent again."""
        return not self.call.done and self.call.status in REFUSED_FOR_GOOD


_READ: list[tuple[Trace, int, tuple[Letter, ...]]] = []


def letters(trace: Trace) -> tuple[Letter, ...]:
    """All calls with a text, in the order in which they arrived; read once for all checks of a trace."""
    if _READ and _READ[0][0] is trace and _READ[0][1] == len(trace.events):
        return _READ[0][2]
    readers = Readers(trace.words)
    calls = sorted(trace.of(Call), key=lambda call: call.at)
    found = tuple(_letter(call, readers) for call in calls if _carried(call))
    _READ[:] = [(trace, len(trace.events), found)]
    return found


def _carried(call: Call) -> str:
    if call.chat is None:
        return ""  # a toast
    return call.text or call.params.get("text") or call.params.get("caption") or ""


def _letter(call: Call, readers: Readers) -> Letter:
    text = readers.read(call.text or unmarked(_carried(call)))
    if call.method != "sendMessage":
        return Letter(call, text, ())
    said = (*said_gravity.read(text), *said_dog.read(text), *said_house.read(text))
    return Letter(call, text, tuple(sorted(said, key=lambda each: each.at)))
