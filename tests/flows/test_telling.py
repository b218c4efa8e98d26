"""People are told side by side: nobody waits for what another's call takes, and nothing newer is overwritten."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from engine.gravity.birds import Bird
from engine.gravity.moves import Reveal
from engine.gravity.notation import write
from handler.dispatch import handle, handle_by_calls
from handler.ports import Place, Uncertain
from handler.webhook import make_app
from infra.stores.memory import MemoryStore
from infra.telegram import LONGEST_CALL
from tests.flows.house import SECRET, ManualClock, SideBySide
from tests.flows.patient import PatientFlow
from tests.flows.players import find
from tests.flows.segments import heard, lobby

OWL, HAWK, NONE = ("s" + write(Reveal(bird)) for bird in (Bird.OWL, Bird.HAWK, None))


class Line(SideBySide):
    """Telegram is silent to calls to one chat, if ``silent`` says so; ``before`` comes right before each call."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self.silent: int | None = None
        self.before: Callable[[int | None], None] = lambda chat: None

    def begin(self, call: Callable[[], Any]) -> Future[Any]:
        """Begin a call, in vain perhaps."""
        chat = _chat(call)
        self.before(chat)
        return super().begin(self._wait if chat is not None and chat == self.silent else call)

    def _wait(self) -> None:
        self.clock.time += LONGEST_CALL
        raise Uncertain("no answer in time")


def _chat(call: Callable[[], Any]) -> int | None:
    """Where a call goes."""
    to = call.args[0] if isinstance(call, partial) else None
    return to.chat if isinstance(to, Place) else to if isinstance(to, int) else None


def on(line: Callable[[ManualClock], Line]) -> tuple[PatientFlow, Line]:
    """A bot whose calls go over a line."""
    bot = PatientFlow(MemoryStore(), "telling")
    made = line(bot.clock)
    bot.ports = replace(bot.ports, together=made)
    bot.client = make_app(partial(handle, bot.ports), SECRET).test_client()
    return bot, made


def times(bot: PatientFlow, since: int, chat: int) -> list[float]:
    """When a chat was called, from the ``since``-th call on."""
    return [call.at for call in bot.world.calls[since:] if call.params.get("chat_id") == chat]


@pytest.mark.parametrize("silent", ["group", "bruno"])
def test_nobody_waits_for_a_chat_to_which_telegram_is_silent(silent: str) -> None:
    bot, line = on(Line)
    lobby(bot)
    bot.wait(30)  # the group's rate leaves room again
    for user, tail in ((bot.ada, NONE), (bot.bruno, NONE), (bot.ada, "l")):
        bot.push(user, user, tail)
    since, now = len(bot.world.calls), bot.clock.time
    line.silent = chat = {"group": bot.group, "bruno": bot.bruno}[silent]
    bot.push(bot.bruno, bot.bruno, "l")
    others = {bot.group, bot.ada, bot.bruno} - {chat}
    assert {user: set(times(bot, since, user)) for user in others} == {user: {now} for user in others}
    line.silent = None
    bot.wait(120)
    assert any("Night 1" in text for text in heard(bot, bot.group))
    assert any("Round 1." in text for text in heard(bot, bot.bruno))


def test_a_panel_on_its_way_does_not_hide_what_was_pressed_meanwhile() -> None:
    """More time comes, and Ada presses just when her panel with the new deadline, and the old choice, goes out."""
    bot, line = on(Line)
    lobby(bot)
    bot.wait(5)
    bot.push(bot.ada, bot.ada, OWL)
    pressed: list[str] = []

    def press(chat: int | None) -> None:
        if chat == bot.ada and not pressed:
            found = find(bot, bot.ada, bot.match(), HAWK)
            assert found is not None
            pressed.append(bot.world.people.press(bot.ada, bot.ada, *found))
            [update] = bot.world.pending()[-1:]
            handle_by_calls(replace(bot.ports, together=SideBySide(bot.clock)), update)
            bot.world.acknowledge(update["update_id"])

    line.before = press
    bot.say(bot.ada, "/extend 5")
    bot.wait(60)
    assert pressed
    assert bot.match().box[0].text == HAWK[1:]
    assert "Your choice: Hawk." in bot.world.history(bot.ada)[-1]["text"]
