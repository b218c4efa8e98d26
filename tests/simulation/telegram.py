"""Telegram, as people and the bot have it in a simulation."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from handler import ports
from infra.local.botapi.transport import TOKEN
from infra.local.botapi.world import World
from infra.telegram import BotTelegram
from tests.simulation.delivery import Delivery, Take
from tests.simulation.inline import without_thread
from tests.simulation.line import Line
from tests.simulation.processes import Process
from tests.simulation.schedule import Scheduler
from tests.simulation.trace import Happened, Pressed, Trace, Wrote
from tests.simulation.transport import Transport
from tests.simulation.weather import Weather

Json = dict[str, Any]

APART: Final = 100_000
"""By how much the numbers of two chats' messages differ, so that a number names one message of all chats."""


@dataclass(frozen=True)
class _True:
    """The true time, as a clock."""

    scheduler: Scheduler

    def now(self) -> float:
        return self.scheduler.now


class Telegram:
    """People act in it, the bot calls it, and it brings the bot its updates.

    Whatever people do raises :class:`infra.local.botapi.people.NotPossible` where Telegram would not let them.
    """

    def __init__(self, scheduler: Scheduler, weather: Weather, trace: Trace, random: Random) -> None:
        self._scheduler = scheduler
        self._weather = weather
        self._trace = trace
        self._random = random
        self.world = World(_True(scheduler))
        self.transport = Transport(self.world, scheduler, weather, trace, random)
        self._delivery = Delivery(scheduler, weather, trace, random, self.transport.carry)
        self._bot = without_thread(BotTelegram(TOKEN, "http://telegram.test", self.transport))
        self.transport.attach(self._bot)
        self._updates: dict[str, int] = {}  # by the callback query's id
        self._chats = 0

    # --- the house's side -------------------------------------------------------------------------

    def bring_to(self, take: Take) -> None:
        """To whom updates are brought. ``take`` runs in a task of its own and may sleep."""
        self._delivery.bring_to(take)

    def line(self, process: Process) -> ports.Telegram:
        """The bot's way here. What a client remembers (getMe) is each process's own; the thread is everybody's."""
        return Line(process, copy(self._bot), self.transport, self._weather, self._random, self._update_of)

    def pending(self) -> list[str]:
        """Updates that are neither acknowledged nor expired."""
        return self._delivery.pending()

    def close(self) -> None:
        """End the thread, and forget everything."""
        self._bot.close()
        self.world.close()

    def _update_of(self, query: str) -> str:
        return str(self._updates.get(query, ""))

    # --- people -----------------------------------------------------------------------------------

    def person(self, word: str, name: str, language: str = "en") -> int:
        """Somebody new. All of their names hold ``word``; ``language`` is their app's. Returns the user id."""
        user = self.world.people.add(name, language=language)
        self._trace.words[user] = word
        return user

    def rename(self, user: int, name: str) -> None:
        """From now on they are called so."""
        with self.world.desk.change() as state:
            person = state.users[user]
            person.first_name = name
            state.save_user(person)
        self._happened("renamed", user=user, text=name)

    def start(self, user: int, payload: str = "") -> None:
        """Open the bot's private chat and press START, or follow a start link."""
        person = self.world.desk.state.users[user]
        new, blocked = not person.started, person.blocked
        message = self.world.people.start(user, payload)
        if new:
            self._number(user)
        if blocked:
            self._trace.add(Happened(self._scheduler.now, "unblocked", user=user))
        self._trace.add(Happened(self._scheduler.now, "started", user=user))
        self._wrote(user, user, message["text"])

    def say(self, user: int, chat: int, text: str, topic: int | None = None) -> None:
        """Write something. In groups the bot gets commands only."""
        message = self.world.people.say(user, chat, text, topic)
        self._wrote(user, chat, message["text"])

    def edit(self, user: int, chat: int, message: int, text: str) -> None:
        """Change a message of one's own."""
        self.world.people.edit(user, chat, message, text)
        self._wrote(user, chat, text)

    def press(self, user: int, chat: int, message: int, data: str) -> None:
        """Press a button, be there one with such data or not."""
        query = self.world.people.press(user, chat, message, data)
        [update] = self._fetched()
        self._updates[query] = update["update_id"]
        self._trace.add(Pressed(self._scheduler.now, update["update_id"], user, chat, message, data, query))
        self._delivery.put(update)

    def block(self, user: int) -> None:
        """Block the bot."""
        self.world.people.block(user)
        self._happened("blocked", user=user)

    def unblock(self, user: int) -> None:
        """Unblock it."""
        self.world.people.unblock(user)
        self._happened("unblocked", user=user)

    def deactivate(self, user: int) -> None:
        """Delete one's account."""
        with self.world.desk.change() as state:
            person = state.users[user]
            person.deactivated = True
            state.save_user(person)
        self._happened("deactivated", user=user)

    # --- groups -----------------------------------------------------------------------------------

    def group(self, title: str, owner: int, *, supergroup: bool = False, forum: bool = False) -> int:
        """A new group of one person. Returns the chat id."""
        groups = self.world.groups
        chat = groups.add_supergroup(title, owner, forum=forum) if supergroup or forum else groups.add(title, owner)
        self._number(chat)
        return chat

    def topic(self, chat: int, by: int, name: str) -> int:
        """A new topic of a forum. Returns its message_thread_id."""
        topic = self.world.groups.add_topic(chat, by, name)
        self._bring()
        return topic

    def join(self, user: int, chat: int) -> None:
        """Come into a group."""
        self.world.groups.join(user, chat)
        self._happened("joined", chat=chat, user=user)

    def leave(self, user: int, chat: int) -> None:
        """Leave a group."""
        self.world.groups.leave(user, chat)
        self._happened("left", chat=chat, user=user)

    def promote(self, user: int, chat: int, status: str) -> None:
        """Make somebody creator, administrator, member, restricted or kicked."""
        self.world.groups.set_status(user, chat, status)
        self._happened("promoted", chat=chat, user=user, text=status)

    def add_bot(self, chat: int, by: int) -> None:
        """Add the bot to a group."""
        self.world.groups.add_bot(chat, by)
        self._happened("bot added", chat=chat, user=by)

    def remove_bot(self, chat: int, by: int) -> None:
        """Remove it from a group."""
        self.world.groups.remove_bot(chat, by)
        self._happened("bot removed", chat=chat, user=by)

    def migrate(self, chat: int, by: int) -> int:
        """A group becomes a supergroup. Returns the new chat id."""
        new = self.world.groups.migrate(chat, by)
        self._number(new)
        self._happened("migrated", chat=chat, user=by, number=new)
        return new

    def close_topic(self, chat: int, topic: int) -> None:
        """The bot may no longer write in a topic."""
        self.world.groups.close_topic(chat, topic)
        self._happened("topic closed", chat=chat, number=topic)

    def open_topic(self, chat: int, topic: int) -> None:
        """It may again."""
        with self.world.desk.change() as state:
            state.chats[chat].topics[topic] = True
            state.save_chat(state.chats[chat])
        self._happened("topic opened", chat=chat, number=topic)

    def delete_topic(self, chat: int, topic: int) -> None:
        """A topic is no more."""
        self.world.groups.delete_topic(chat, topic)
        self._happened("topic deleted", chat=chat, number=topic)

    def rights(self, chat: int, *, write: bool = True, pin: bool = True, photos: bool = True) -> None:
        """What the bot may do in a group: the event's text names it."""
        self.world.groups.set_rights(chat, write=write, pin=pin, photos=photos)
        may = [name for name, given in (("write", write), ("pin", pin), ("photos", photos)) if given]
        self._happened("rights", chat=chat, text=" ".join(may))

    def messages(self, chat: int) -> list[Json]:
        """What stands in a chat now, oldest first. Not to be changed."""
        return self.world.history(chat)

    # --- what becomes of it -----------------------------------------------------------------------

    def _number(self, chat: int) -> None:
        """Let a chat's messages have numbers that no other chat's have, save for its very first."""
        with self.world.desk.change() as state:
            self._chats += 1
            state.chats[chat].last_message = self._chats * APART
            state.save_chat(state.chats[chat])

    def _happened(
        self, what: str, *, chat: int | None = None, user: int | None = None, text: str = "", number: int | None = None
    ) -> None:
        self._trace.add(Happened(self._scheduler.now, what, chat, user, text, number))
        self._bring()

    def _wrote(self, user: int, chat: int, text: str) -> None:
        """The bot is sent it in the latest update, or not at all."""
        updates = self._fetched()
        update = updates[-1]["update_id"] if updates else None
        self._trace.add(Wrote(self._scheduler.now, update, user, chat, text))
        for fetched in updates:
            self._delivery.put(fetched)

    def _bring(self) -> None:
        for update in self._fetched():
            self._delivery.put(update)

    def _fetched(self) -> list[Json]:
        """The updates that came of what has just been done."""
        updates = self.world.pending()
        for update in updates:
            self.world.acknowledge(update["update_id"])
        return updates
