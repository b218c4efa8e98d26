"""The Bot API's stand-in for what is measured: a process that serves it on loopback, and in which people act."""

from __future__ import annotations

import json
import re
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any

from flask import Flask, request

from benchmarks.copies import renamed
from benchmarks.elsewhere import serve
from infra.clock import SystemClock
from infra.local.botapi import server, wire
from infra.local.botapi.state import BOT_ID
from infra.local.botapi.world import World

Json = dict[str, Any]


@dataclass(frozen=True)
class Heard:
    """A call of the Bot API: when its request was there (monotonic seconds, the same for all processes of a machine),
    its method, the bytes of its body, the button press that it answers, if it does, and the chat that it sends a text
    to, if it does.
    """

    at: float
    method: str
    size: int
    query: str | None
    chat: int | None


class StandIn:
    """A small Telegram for one bot. Whatever people do returns the updates that the bot would be sent for it."""

    def __init__(self) -> None:
        self._world = World(SystemClock(), memory=100)
        self._token = f"{BOT_ID}:{secrets.token_urlsafe(26)}"
        self._heard: list[Heard] = []
        self._wait = 0.0
        self._closing = threading.Event()
        app = Flask("stand_in")
        app.before_request(self._listen)
        app.register_blueprint(server.blueprint(self._world, self._token, self._closing))
        self._address = serve(app)

    def close(self) -> None:
        """Let calls that wait come back."""
        self._closing.set()

    def address(self) -> str:
        """Where the Bot API is."""
        return self._address

    def token(self) -> str:
        """The bot's."""
        return self._token

    # --- people -----------------------------------------------------------------------------------

    def company(self, names: Sequence[str]) -> tuple[int, Sequence[int]]:
        """A group with these people and the bot, whom all of them started long ago: the bot is sent nothing of it.
        Returns the group and the people.
        """
        with self._world.desk.lock:
            people = [self._world.people.add(name) for name in names]
            group = self._world.groups.add("The Garden", people[0])
            for user in people:
                if user != people[0]:
                    self._world.groups.join(user, group)
                self._world.people.start(user)
            self._world.groups.add_bot(group, people[0])
            self._updates()
        return group, people

    def say(self, user: int, chat: int, text: str) -> Json:
        """Somebody writes a command. Returns the update."""
        with self._world.desk.lock:
            self._world.people.say(user, chat, text)
            [update] = self._updates()
        return update

    def press(self, user: int, chat: int, *wanted: str) -> Json | None:
        """Somebody presses a button of a chat's newest message that has any: the first that carries, after the match's
        id, what one of these regular expressions says, the first of them that any button fits. Returns the update; None
        if there is no such button.
        """
        with self._world.desk.lock:
            for each in wanted:
                found = self._button(chat, re.compile(f"[a-z2-7]{{8}}:{each}"))
                if found is not None:
                    return self.forge(user, chat, *found)
        return None

    def forge(self, user: int, chat: int, message: int, data: str) -> Json:
        """Somebody's client sends a press with data that no button has. Returns the update."""
        with self._world.desk.lock:
            self._world.people.press(user, chat, message, data)
            [update] = self._updates()
        return update

    def copy(self, chat: int, user: int) -> None:
        """Let somebody have the newest message of a chat that has buttons, with its text and its buttons."""
        with self._world.desk.lock:
            original = next(each for each in reversed(self._world.history(chat)) if "reply_markup" in each)
            copied = {"chat_id": user, "text": original["text"], "reply_markup": original["reply_markup"]}
            self._world.call("sendMessage", copied)

    def let_have(self, names: Mapping[str, str]) -> None:
        """Let chats have the messages of others, everything in them named anew (:func:`benchmarks.copies.renamed`).
        ``names`` gives the other chat for each chat.
        """
        with self._world.desk.change() as state:
            for chat in [id for id in state.chats if str(id) in names]:
                for message in state.history(chat):
                    state.save_message(json.loads(renamed(json.dumps(message), names)))
                state.chats[int(names[str(chat)])].last_message = state.chats[chat].last_message

    # --- the bot ----------------------------------------------------------------------------------

    def answer_after(self, seconds: float) -> None:
        """From now on let each call wait so long for its answer, as one does that goes far."""
        self._wait = seconds

    def carry_out(self, method: str, params: Mapping[str, Any]) -> None:
        """A call that came as the webhook's answer (Bot API: "Making requests when getting updates")."""
        self._world.call(method, params)

    def heard(self) -> Sequence[Heard]:
        """The calls since last time, in order; those that came as a webhook's answer are not among them."""
        heard, self._heard = self._heard, []
        return heard

    def violations(self) -> Sequence[str]:
        """What no correct bot would have called."""
        return [f"{each.method}: {each.why}" for each in self._world.violations]

    def _listen(self) -> None:
        at, method = monotonic(), request.path.rpartition("/")[2]
        params = wire.params(request) if method in ("answerCallbackQuery", "sendMessage") else {}
        query, chat = params.get("callback_query_id"), params.get("chat_id")
        self._heard.append(Heard(at, method, request.content_length or 0, query, None if chat is None else int(chat)))
        sleep(self._wait)

    def _button(self, chat: int, wanted: re.Pattern[str]) -> tuple[int, str] | None:
        for message in reversed(self._world.history(chat)):
            buttons = [button for row in message.get("reply_markup", {}).get("inline_keyboard", []) for button in row]
            for data in (button.get("callback_data", "") for button in buttons):
                if wanted.fullmatch(data):
                    return message["message_id"], data
            if buttons:
                return None
        return None

    def _updates(self) -> list[Json]:
        updates = self._world.pending()
        for update in updates:
            self._world.acknowledge(update["update_id"])
        return updates
