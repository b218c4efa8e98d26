"""Seeds, keys and sealed moves as texts: in which calls and log lines they stand."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final

from engine.episode.rules import death_seed
from tests.simulation.judge.matches import Course, courses
from tests.simulation.trace import Call, Logged, Trace
from tests.simulation.verdict import Offence

PIECE: Final = 16
"""Hex digits of a seed that may stand nowhere in a row."""
NOTHING: Final = frozenset({"a", "?-", "g-", "resign", "-", "vs-", "end"})
"""Moves that do nothing, or that everybody hears of."""

_HEX: Final = re.compile(rf"[0-9a-f]{{{PIECE},}}", re.IGNORECASE)


def check(trace: Trace) -> Iterator[Offence]:
    """What stands where it may not."""
    yield from _in_calls(trace)
    yield from _in_the_log(trace)


def seeds(course: Course) -> tuple[bytes, ...]:
    """A match's seed, and that of the Death Match that may follow."""
    if course.begun is None or course.begun.seed is None:
        return ()
    seed = bytes.fromhex(course.begun.seed)
    return (seed, death_seed(seed)) if course.game.key == "dog" else (seed,)


def _in_calls(trace: Trace) -> Iterator[Offence]:
    """What stands in calls; each is looked at only if it stands in any of them."""
    calls = [call for call in trace.of(Call) if call.method != "sendDocument"]
    texts = [carried(call) for call in calls]
    everything = "\n".join(texts)
    for key in trace.secrets:
        if key in everything:
            yield from _each(calls, [key in text for text in texts], "a secret of the operator's")
    opened, pieces = _opened(trace), set(_HEX.findall(everything))
    for course in courses(trace).values():
        until = opened.get(course.match, float("inf"))
        for seed in seeds(course):
            if is_held(everything, pieces, seed):
                found = [is_held(text, set(_HEX.findall(text)), seed) for text in texts]
                early = [here and call.at <= until for here, call in zip(found, calls, strict=True)]
                yield from _each(calls, early, f"a seed of {course.match}")
        for orders in sorted(text for text in hidden(course) if "," in text):
            if f"{orders}'" in everything:
                yield from _each(calls, [f"{orders}'" in text for text in texts], f"the orders {orders}")


def _each(calls: Sequence[Call], holding: Sequence[bool], what: str) -> Iterator[Offence]:
    for call, holds in zip(calls, holding, strict=True):
        if holds:
            yield Offence("secrets", f"{call.method} to {call.chat} carries {what}", call.at)


def carried(call: Call) -> str:
    """All that a call holds, as one text."""
    return repr(call.params) + call.text


def _opened(trace: Trace) -> Mapping[str, float]:
    """When the record of each match came, which tells everything."""
    found: dict[str, float] = {}
    seals = {sha256(seed).hexdigest(): course.match for course in courses(trace).values() for seed in seeds(course)[:1]}
    for call in trace.of(Call):
        if call.method == "sendDocument" and call.done:
            for seal in _HEX.findall(str(call.params.get("caption") or call.text)):
                if seal in seals:
                    found.setdefault(seals[seal], call.at)
    return found


def is_held(text: str, pieces: Collection[str], seed: bytes) -> bool:
    """Whether a seed stands in a text, in any of the ways in which bytes are written, or a good piece of it.
    ``pieces`` are the text's longer runs of hex digits.
    """
    whole = seed.hex()
    for piece in pieces:
        digits = piece.lower()
        if any(digits[start : start + PIECE] in whole for start in range(len(digits) - PIECE + 1)):
            return True
    return any(way in text for way in _ways(seed))


def _ways(seed: bytes) -> tuple[str, ...]:
    plain = b64encode(seed).decode().rstrip("=")
    return (plain, urlsafe_b64encode(seed).decode().rstrip("="), seed.decode("latin-1"), repr(seed)[2:-1])


def hidden(course: Course) -> set[str]:
    """What was sealed in the phases that nobody sees into, but for doing nothing."""
    found: set[str] = set()
    if course.record is None:
        return found
    phases = [course.phase(number) for number in range(len(course.record.history))]
    for write in course.writes:
        number = write.after.number
        if number < len(phases) and (phase := phases[number]) is not None and not phase.instant:
            found.update(text for text, _ in write.after.box.values() if text is not None)
    for phase, step in zip(phases, course.record.steps, strict=False):
        if phase is not None and not phase.instant:
            found.update(step.values())
    return found - NOTHING


def _in_the_log(trace: Trace) -> Iterator[Offence]:
    lines = list(trace.of(Logged))
    if not lines:
        return
    log = "\n".join(line.line for line in lines)
    for key in trace.secrets:
        if key in log:
            yield Offence("secrets", "a log line holds a secret of the operator's", _where(lines, key))
    pieces = set(_HEX.findall(log))
    for course in courses(trace).values():
        for seed in seeds(course):
            if is_held(log, pieces, seed):
                at = next(
                    (line.at for line in lines if is_held(line.line, _HEX.findall(line.line), seed)), lines[-1].at
                )
                yield Offence("secrets", f"a log line holds a seed of {course.match}", at)
        for text in sorted(hidden(course)):
            if text in log:
                whole = re.compile(rf"(?<![\w-]){re.escape(text)}(?![\w-])")
                for line in lines:
                    if whole.search(line.line):
                        yield Offence(
                            "secrets", f"a log line holds {text}, sealed in {course.match}: {line.line}", line.at
                        )
                        break


def _where(lines: list[Logged], key: str) -> float:
    return next((line.at for line in lines if key in line.line), lines[-1].at)
