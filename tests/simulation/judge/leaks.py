"""Whatever one player alone may know is written to nobody else, and the group is told facts and nothing besides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from engine.gravity.birds import NAMES
from tests.simulation.judge import said_dog, said_gravity
from tests.simulation.judge.dues import aliases
from tests.simulation.judge.knowledge import knowledge
from tests.simulation.judge.letters import Letter, letters
from tests.simulation.judge.matches import courses
from tests.simulation.judge.texts import unmarked
from tests.simulation.judge.told import renamed, told
from tests.simulation.trace import Call, Pressed, Trace
from tests.simulation.verdict import Offence

_SEALING: Final = re.compile(r"[a-z2-7]{8}:[0-9]{1,5}:(.*)", re.DOTALL)
_RULING: Final = re.compile(r"\(ruling \d+(?:; /rules has them all)?\)")
_TELLING: Final = re.compile(rf"\d|⟨|\b(?:{'|'.join((*NAMES.values(), *said_dog.NAMES.values()))})\b")
_OPENLY: Final = re.compile(r"s(?:[hpcbloertv]|\+)")
"""In the group there are buttons for picks and to be back, which everybody sees anyway (rule 4)."""


def check(trace: Trace) -> Iterator[Offence]:
    """What somebody read who may not."""
    known = knowledge(trace)
    pressed = {press.query: press.user for press in trace.of(Pressed)}
    for letter in letters(trace):
        yield from _read_by(letter.call.chat, letter.text, letter.call.at, known)
        yield from _buttons(letter)
        yield from _besides(letter)
    for call in trace.of(Call):
        if call.method == "answerCallbackQuery":
            reader = pressed.get(str(call.params.get("callback_query_id")))
            yield from _read_by(reader, unmarked(str(call.params.get("text") or "")), call.at, known)
    yield from _strays(trace)
    yield from _recalled(trace)


def _recalled(trace: Trace) -> Iterator[Offence]:
    """What a history says that everybody was not told by then."""
    public: dict[tuple[object, ...], float] = {}
    for heard in told(trace).heard:
        if heard.address.tenure is None:
            for due in heard.address.told:
                public[due.what] = min(due.stored, public.get(due.what, due.stored))
    names = [aliases(course) for course in courses(trace).values() if course.begun is not None]
    for letter in letters(trace):
        for said in letter.recalled:
            known = [said.what, *(renamed(said.what, those) for those in names if those)]
            if not any(public.get(what, float("inf")) <= letter.call.at for what in known):
                yield Offence("secrets", f"a history says {said.what}, which nobody was told", letter.call.at)


def _read_by(reader: int | None, text: str, at: float, known: Any) -> Iterator[Offence]:
    mine = known.get(reader, {})
    for secret in (*said_gravity.secrets_in(text), *said_dog.secrets_in(text)):
        since = mine.get(secret)
        if since is None or since > at:
            yield Offence("secrets", f"chat {reader} read {secret}, which is none of theirs yet", at)


def _buttons(letter: Letter) -> Iterator[Offence]:
    call = letter.call
    markup = call.params.get("reply_markup")
    if call.chat is None or call.chat > 0 or not markup:
        return
    for row in markup.get("inline_keyboard", ()):
        for button in row:
            found = _SEALING.fullmatch(button.get("callback_data", ""))
            if found is not None and _OPENLY.fullmatch(found[1]) is None:
                yield Offence("secrets", f"a button in chat {call.chat} carries {found[0]}", call.at)


def _besides(letter: Letter) -> Iterator[Offence]:
    """An announcement says what its facts give to say; around that stands prose, in which nothing is named or
    counted.
    """
    if not letter.said or letter.call.chat is None or letter.call.chat > 0:
        return
    rest, end = [], 0
    for said in letter.said:
        rest.append(letter.text[end : said.at[0]])
        end = max(end, said.at[1])
    rest.append(letter.text[end:])
    found = _TELLING.search(_RULING.sub("", " ".join(rest)))
    if found is not None:
        yield Offence("secrets", f"the group is told of {found[0]!r} besides: {letter.text!r}", letter.call.at)


def _strays(trace: Trace) -> Iterator[Offence]:
    """What was told without a fact behind it; scorers in another order, say, or a player's own to the group."""
    unknown = {course.last.chat for course in courses(trace).values() if course.begun and course.record is None}
    for stray in told(trace).strays:
        call = stray.letter.call
        if unknown and (call.chat in unknown or (call.chat or 0) > 0):
            continue  # of a match that does not replay nobody can say what it has to tell
        whom = f"chat {call.chat}" if stray.like is None else str(stray.like)
        yield Offence("secrets", f"{whom} was told {stray.said.what}, which is no fact told to them", call.at)
