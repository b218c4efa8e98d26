"""What people do in the simulated Telegram."""

from __future__ import annotations

import re

from infra.local.botapi.desk import Desk
from infra.local.botapi.entities import found_in, units
from infra.local.botapi.members import member_json
from infra.local.botapi.shelf import Json
from infra.local.botapi.state import BOT_ID, BOT_JSON, BOT_USERNAME, Chat, User

FIRST_USER = 1_000_001
LONGEST_TEXT = 4_096
"""UTF-16 units of a message."""


class NotPossible(Exception):
    """What a person wanted to do cannot be done in Telegram; the message says why."""


class People:
    """Persons and what they do: write, press, start the bot, block it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def add(self, first_name: str, username: str | None = None, language: str = "en") -> int:
        """A new person, who has never heard of the bot; ``language`` is their app's. Returns the user id."""
        with self._desk.change() as state:
            user = User(state.next("user", FIRST_USER), first_name, username, language=language)
            state.save_user(user)
            return user.id

    def start(self, user: int, payload: str = "") -> Json:
        """The person opens the bot's private chat and presses START, or follows a start link."""
        with self._desk.change() as state:
            person = state.users[user]
            if person.blocked:
                self.unblock(user)
            if not person.started:
                person.started = True
                state.save_user(person)
                state.save_chat(Chat(user, "private", members={user: "member", BOT_ID: "member"}))
                self._desk.events.add("user", {"user": user})
            return self.say(user, user, f"/start {payload}".rstrip())

    def say(self, user: int, chat: int, text: str, topic: int | None = None) -> Json:
        """A person writes. In groups the bot hears commands only, as privacy mode has it. Returns the Message.

        Raises NotPossible.
        """
        words = text.strip()
        if not words:
            raise NotPossible("A message needs some text.")
        if units(words) > LONGEST_TEXT:
            raise NotPossible(f"A message has at most {LONGEST_TEXT} characters. Send it in parts.")
        with self._desk.change():
            where = self._entered(user, chat)
            content: Json = {"text": words}
            if entities := found_in(words, []):
                content["entities"] = entities
            if topic is not None:
                if topic not in where.topics:
                    raise NotPossible("There is no such topic.")
                content |= {"message_thread_id": topic, "is_topic_message": True}
            message = self._desk.post(where, content, self._desk.state.users[user].json())
            if where.type == "private" or _is_for_bot(words):
                self._desk.queue("message", message)
            return message

    def edit(self, user: int, chat: int, message_id: int, text: str) -> None:
        """A person edits a message of their own. Raises NotPossible."""
        with self._desk.change() as state:
            message = state.messages.get((chat, message_id))
            if message is None or message["from"]["id"] != user:
                raise NotPossible("Only one's own messages can be edited.")
            edited = {**message, "text": text, "entities": found_in(text, []), "edit_date": self._desk.date()}
            self._desk.edited(edited)
            self._desk.queue("edited_message", edited)

    def press(self, user: int, chat: int, message_id: int, data: str) -> str:
        """A press on a callback button, genuine or forged: clients can send any data. Returns the query's id.

        Raises NotPossible.
        """
        with self._desk.change() as state:
            self._entered(user, chat)
            message = state.messages.get((chat, message_id))
            if message is None or message["from"]["id"] != BOT_ID:
                raise NotPossible("That message is gone.")
            query = {
                "id": str(state.next("query", 40_000_000_001)),
                "from": state.users[user].json(),
                "chat_instance": str(abs(chat) * 7 + 1),
                "message": message,
                "data": data,
            }
            state.save_query({"id": query["id"], "user": user, "chat": chat, "at": self._desk.network.now()})
            self._desk.queue("callback_query", query)
            return str(query["id"])

    def block(self, user: int) -> None:
        """The person blocks the bot."""
        self._set_blocked(user, True)

    def unblock(self, user: int) -> None:
        """The person unblocks the bot."""
        self._set_blocked(user, False)

    def _entered(self, user: int, chat: int) -> Chat:
        where = self._desk.state.chats.get(chat)
        if where is None or where.migrated_to is not None:
            raise NotPossible("There is no such chat.")
        if where.members.get(user, "left") in ("left", "kicked"):
            raise NotPossible("This person is not in this chat.")
        return where

    def _set_blocked(self, user: int, blocked: bool) -> None:
        with self._desk.change() as state:
            person = state.users[user]
            person.blocked = blocked
            state.save_user(person)
            before, after = ("member", "kicked") if blocked else ("kicked", "member")
            self._desk.queue("my_chat_member", membership(self._desk, state.chats[user], person, before, after))
            self._desk.events.add("user", {"user": user})


def membership(desk: Desk, chat: Chat, by: User, before: str, after: str) -> Json:
    """Telegram's ChatMemberUpdated about the bot."""
    return {
        "chat": desk.state.chat_json(chat),
        "from": by.json(),
        "date": desk.date(),
        "old_chat_member": member_json(BOT_JSON, before),
        "new_chat_member": member_json(BOT_JSON, after),
    }


def _is_for_bot(text: str) -> bool:
    command = re.match(r"/[a-zA-Z0-9_]{1,64}(?:@(\w+))?", text)
    return command is not None and (command[1] is None or command[1].lower() == BOT_USERNAME)
