"""Pieces of a match that touch everything the loop does, and what must have come of them whatever went wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.gravity.birds import Bird
from engine.gravity.moves import Pass, Pick, Reveal
from engine.gravity.notation import write
from handler.match import Match, Stage
from handler.views.calls import CALLS
from tests.flows.patient import PatientFlow
from tests.flows.players import buttons

Segment = Callable[[PatientFlow], None]

REMINDER = "⏳"

TOLD_AT_ONCE = 8
"""Paragraphs that one telling may have told a chat before it could note it."""


def lobby(bot: PatientFlow) -> None:
    """A match of Ada against Bruno begins."""
    bot.say(bot.ada, "/gravity")
    bot.push_label(bot.ada, "Join")
    bot.push_label(bot.bruno, "Join")
    bot.push_label(bot.ada, "Start")


def pressed(bot: PatientFlow) -> None:
    """From the lobby to a resignation in the second night, nearly all of it by presses."""
    lobby(bot)
    bot.push(bot.ada, bot.ada, "s" + write(Reveal(Bird.OWL)))
    bot.push(bot.ada, bot.ada, "s" + write(Reveal(Bird.HAWK)))
    for user, choice in ((bot.ada, "l"), (bot.bruno, "s" + write(Reveal(None))), (bot.bruno, "l")):
        bot.push(user, user, choice)
    bot.push(bot.bruno, bot.group, "s" + write(Pick(Bird.RAVEN)))
    bot.push(bot.ada, bot.group, "s" + write(Pick(Bird.ROBIN)))
    until(bot, "actions")
    for user in (bot.bruno, bot.ada):
        bot.push(user, user, "fa")
    for user in (bot.ada, bot.bruno):
        bot.push(user, user, "f" + write(Pass()))
    until(bot, "draft")
    bot.say(bot.ada, "/resign", bot.ada)
    bot.push_label(bot.ada, "Yes", bot.ada)
    bot.wait(200)


def silent(bot: PatientFlow) -> None:
    """From the lobby through one night and one day with nobody doing anything, until the host ends it."""
    lobby(bot)
    for phase in ("draft", "actions", "guesses", "draft"):
        until(bot, phase)
    bot.say(bot.ada, "/cancel")
    for user in (bot.ada, bot.bruno):
        bot.push_label(user, "Yes")
    bot.wait(200)


def troubled(bot: PatientFlow) -> None:
    """A player is lost and comes back, the group becomes a supergroup, and at last the bot is removed."""
    lobby(bot)
    bot.world.people.block(bot.bruno)
    bot.deliver()
    until(bot, "draft")
    bot.wait(90)
    bot.world.people.start(bot.bruno)
    bot.deliver()
    bot.group = bot.world.groups.migrate(bot.group, bot.ada)
    bot.deliver()
    until(bot, "actions")
    bot.wait(30)
    bot.world.groups.remove_bot(bot.group, bot.ada)
    bot.deliver()
    bot.wait(200)


def until(bot: PatientFlow, phase: str) -> None:
    """Let time pass until a phase is open."""
    for _ in range(400):
        found = bot.match().phase
        if found is not None and found.name == phase:
            return
        bot.wait(5)
    raise AssertionError(f"{phase} never opens")


# --- what came of it ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Aftermath:
    """How a segment ended: the stage, each step of the record, what each chat heard, paragraph by paragraph, how many
    record files the group got, and how many of its messages can still be pressed. The way to the host's calls does not
    count: it may stay under a board that is over, since it leads to what is there now; nor does that to a rematch.
    """

    stage: Stage
    steps: tuple[dict[int, str], ...]
    heard: dict[int, tuple[str, ...]]
    files: int
    pressable: int


def aftermath(bot: PatientFlow) -> Aftermath:
    """What stands now. Times and the match's id differ from run to run and are left out."""
    match = bot.last_match()
    item = bot.store.load(match.id)
    assert item is not None
    assert (item.told, item.lease, item.alarm_at) == (item.news, None, None)
    assert bot.matches() == []
    assert match.record is not None
    return Aftermath(
        stage=match.stage,
        steps=tuple(dict(step) for step in match.record.steps),
        heard={chat: heard(bot, chat) for chat in {bot.first_group, bot.group, bot.ada, bot.bruno, *match.users}},
        files=sum(1 for message in bot.world.history(bot.group) if "document" in message),
        pressable=len(
            {
                message
                for message, data in buttons(bot, bot.group)
                if data.startswith(match.id) and data not in (f"{match.id}:{CALLS}:", f"{match.id}:again:")
            }
        ),
    )


def heard(bot: PatientFlow, chat: int) -> tuple[str, ...]:
    """What was announced in a chat, in order: messages sent without buttons, however they were put together."""
    run, _, _ = bot.world.events.last.partition("-")
    events = bot.world.events.after(f"{run}-0", 0)
    assert events is not None, "too much has happened for the log"
    sent = [event.data["message"] for event in events if event.kind == "message"]
    said = [
        message["text"]
        for message in sent
        if message["chat"]["id"] == chat and message["from"]["is_bot"]
        if "text" in message and "reply_markup" not in message
    ]
    return tuple(timeless(paragraph) for text in said for paragraph in text.split("\n\n"))


def said(bot: PatientFlow, chat: int, words: str) -> int:
    """How many announcements in a chat hold these words."""
    return sum(words in text for text in heard(bot, chat))


def timeless(text: str) -> str:
    """A text without its moments."""
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "", text)


def check(bot: PatientFlow, clean: Aftermath, *, faults: int = 1, at_once: int = TOLD_AT_ONCE) -> None:
    """Nothing is different but that each fault may have had something told again, ``at_once`` paragraphs to a chat."""
    assert bot.world.violations == []
    found = aftermath(bot)
    assert (found.stage, found.steps) == (clean.stage, clean.steps)
    assert clean.files <= found.files <= clean.files + faults
    assert found.pressable <= clean.pressable + faults, "a board that nobody knew of may stay"
    for chat, paragraphs in clean.heard.items():
        wanted, told = announced(paragraphs), announced(found.heard[chat])
        assert in_order(wanted, told)
        more = Counter(told) - Counter(wanted)
        assert set(more) <= set(paragraphs), "somebody heard what is not theirs"
        assert more.total() <= faults * at_once


def announced(paragraphs: Sequence[str]) -> list[str]:
    """All but reminders: how many turns need one changes with the time that passes, and a late one is left out."""
    return [paragraph for paragraph in paragraphs if not paragraph.startswith(REMINDER)]


def in_order(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Whether all that is wanted was found, in its order, whatever else there was."""
    rest = iter(found)
    return all(each in rest for each in wanted)


def gone(bot: PatientFlow, match: Match) -> None:
    """The match is cancelled, its players know, its place is free."""
    after = bot.load(match.id)
    assert (after.stage, after.gone) == ("cancelled", True)
    assert bot.store.at(match.place) is None
    assert bot.matches() == []
    item = bot.store.load(match.id)
    assert item is not None
    assert (item.told, item.alarm_at) == (item.news, None)
