"""What a match in the whole bot sent and logged, searched for what may stand there and what may not."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

from engine.dog.events import EVENTS
from engine.episode.view import InDeath
from engine.gravity.birds import NAMES
from engine.gravity.facts import RevealTold
from engine.gravity.moves import Here, Pick
from handler.buttons import MatchPress, PhasePress, PlainPress, Verb
from handler.buttons import read as read_button
from handler.views.dog.terms import event
from infra.local.botapi.transport import TOKEN
from tests.engine.locks import Leak
from tests.flows.house import SECRET
from tests.flows.twins import Twin

Sent = tuple[int | None, str]
"""Whose chat a call was for, and what it carried."""


def everywhere(twin: Twin) -> Iterator[Sent]:
    """Every call of the bot; the record file apart, which is public (rule 22)."""
    for call in twin.flow.world.calls:
        reader = call.params.get("chat_id", twin.pressed.get(call.params.get("callback_query_id", "")))
        yield reader, json.dumps(dict(call.params), ensure_ascii=False, default=lambda _: "a file")


NOTHING = {"a", "?-", "g-", "resign", "-", "vs-", "end"}
"""Moves that do nothing, or that everybody hears of."""


def notations(twin: Twin) -> set[str]:
    """What was sealed in the phases that nobody sees into, but for doing nothing."""
    match = twin.match()
    assert match.record is not None
    phases = [match.engine.phase(transition.state) for transition in match.history]
    steps = (*match.record.steps, {player: sealed.text or "-" for player, sealed in match.box.items()})
    hidden = [step for phase, step in zip(phases, steps, strict=True) if phase is not None and not phase.instant]
    return {text for step in hidden for text in step.values()} - NOTHING


def markers(twin: Twin) -> set[str]:
    """What may stand nowhere at all while the match lasts: the seeds, the keys, and a night's orders as a whole."""
    return {*(seed.hex() for seed in twin.seeds), TOKEN, SECRET, *(text for text in notations(twin) if "," in text)}


def inspect(twin: Twin) -> None:
    """Leak if a marker, a private result or a telling button stands where it may not, or the record file comes before
    the end.
    """
    sent, forbidden = list(everywhere(twin)), markers(twin)
    for reader, carried in sent:
        for marker in forbidden:
            if marker in carried:
                raise Leak(f"{marker} was sent to {reader}")
    named_in_private(twin, sent)
    buttons_in_the_group(twin)
    files = sum(call.method == "sendDocument" for call in twin.flow.world.calls)
    if files > 0 and twin.match().stage == "playing":
        raise Leak("the record file was sent before the end")


def named_in_private(twin: Twin, sent: list[Sent]) -> None:
    """A bird named in private, with its seat, is written to whoever named it and to nobody else."""
    told = [(_within(tell.fact), tell.to) for each in twin.match().history for tell in each.tells]
    reveals = [(fact, to) for fact, to in told if isinstance(fact, RevealTold) and fact.bird is not None]
    for fact, _ in reveals:
        assert fact.bird is not None
        answer = f"the <b>{NAMES[fact.bird]}</b> is in <b>seat {fact.seat}</b>"
        named_by = {twin.users[to] for other, to in reveals if to is not None and other == fact}
        readers = {reader for reader, carried in sent if answer in carried and f"Round {fact.round}" in carried}
        if not readers <= named_by:
            raise Leak(f"{answer} was sent to {readers}")


def _within(fact: Any) -> Any:
    """A fact, taken out of the Death Match where it belongs to one."""
    return fact.fact if isinstance(fact, InDeath) else fact


def buttons_in_the_group(twin: Twin) -> None:
    """In the group there are buttons for picks, which are public, and for what is no move at all."""
    game = twin.match().engine
    for _, _, carried in twin.seen(None):
        for data in callback_data(json.loads(carried)):
            match read_button(data.replace("<match>", twin.id)):
                case PhasePress(verb=Verb.SEAL, arg=arg) if isinstance(game.read(arg), Pick | Here):
                    pass
                case MatchPress() | PlainPress():
                    pass
                case _:
                    raise Leak(f"a button in the group carries {data}")


def callback_data(value: Any) -> Iterator[str]:
    """Every button's data in a call's parameters."""
    if isinstance(value, dict):
        yield from ([value["callback_data"]] if "callback_data" in value else [])
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from callback_data(each)


PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


def logged(records: list[logging.LogRecord]) -> list[str]:
    """All that a record carries: its line with the traceback, and what was given as extras."""
    extras = [{key: value for key, value in vars(record).items() if key not in PLAIN} for record in records]
    return [f"{logging.Formatter().format(record)} {extra}" for record, extra in zip(records, extras, strict=True)]


def keep_quiet(records: list[logging.LogRecord], twin: Twin) -> int:
    """Leak if a record holds a marker, a sealed move or the name of a bird or an event; how many there were."""
    return search(logged(records), twin)


def search(lines: list[str], twin: Twin) -> int:
    """Leak if one of these lines does; how many there were."""
    forbidden = "|".join(re.escape(text) for text in sorted({*markers(twin), *notations(twin)}, key=len, reverse=True))
    secret = re.compile(rf"(?<!\w)(?:{forbidden})(?!\w)")
    named = re.compile(rf"\b(?:{'|'.join((*NAMES.values(), *map(event, EVENTS)))})\b", re.IGNORECASE)
    for line in lines:
        found = secret.search(line) or named.search(line)
        if found:
            raise Leak(f"a log line holds {found[0]}: {line}")
    return len(lines)
