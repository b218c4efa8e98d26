"""Rules as a service for those who run the games by hand: one JSON object a line in, one a line out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from engine.dog import judging as dog
from engine.gravity import judging as gravity
from engine.reading import Fault, NotJson, an_object, canonical, parse, required

Judge = Callable[[dict[str, Any], str], dict[str, Any]]
"""From an input and the path it stands at to the output; a Fault names the field at fault."""

KINDS: Final[dict[str, Judge]] = {
    "gravity/night": gravity.night,
    "gravity/guesses": gravity.guesses,
    "dog/round": dog.round_,
    "dog/judgement": dog.judgement,
}


def adjudicate(lines: Iterable[bytes]) -> Iterator[tuple[str, bool]]:
    """For each line that is not blank, what is answered (one line of JSON) and whether the line could be judged."""
    for line in lines:
        if not line.strip():
            continue
        try:
            yield canonical(judged(line)), True
        except (Fault, NotJson) as fault:
            yield canonical({"error": str(fault)}), False


def judged(line: bytes) -> dict[str, Any]:
    """The output for one line. Fault or NotJson if it cannot be judged."""
    try:
        value = parse(line)
    except NotJson as error:
        raise NotJson(f"line: {error}") from None
    question = an_object(value, "line")
    kind = required(question, "kind", "")
    judge = KINDS.get(kind) if isinstance(kind, str) else None
    if judge is None:
        raise Fault("kind", f"is unknown; there are {', '.join(KINDS)}")
    return judge(an_object(required(question, "input", ""), "input"), "input")
