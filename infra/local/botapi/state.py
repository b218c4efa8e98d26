"""What the simulated Telegram knows: people, chats, messages, button presses. Every change is written through."""

from __future__ import annotations

from dataclasses import dataclass, field

from infra.local.botapi import errors
from infra.local.botapi.shelf import Json, Shelf

BOT_ID = 7_000_000_001
BOT_USERNAME = "raven_and_dog_bot"
BOT_NAME = "Raven & Dog"

ANSWER_WITHIN = 15.0
"""Seconds in which a button press must be answered."""


@dataclass
class User:
    """A person. ``started``: the bot may write to them; ``blocked``: no longer. ``language``: what their app is set to,
    as an IETF tag; empty where it does not say.
    """

    id: int
    first_name: str
    username: str | None = None
    started: bool = False
    blocked: bool = False
    deactivated: bool = False
    language: str = "en"

    def json(self) -> Json:
        """Telegram's User."""
        shown: Json = {"id": self.id, "is_bot": False, "first_name": self.first_name}
        if self.language:
            shown["language_code"] = self.language
        return shown if self.username is None else {**shown, "username": self.username}


@dataclass
class Chat:
    """A group, supergroup or private chat (whose id is the person's).

    ``members``: status by user id as in ChatMember (the bot included). ``topics``: a forum's open topics by
    message_thread_id, False once closed. ``bot_may_write``, ``bot_may_pin`` and ``bot_may_send_photos`` (of what it
    writes) are the bot's rights.
    """

    id: int
    type: str
    title: str = ""
    is_forum: bool = False
    members: dict[int, str] = field(default_factory=dict)
    topics: dict[int, bool] = field(default_factory=dict)
    pinned: list[int] = field(default_factory=list)
    last_message: int = 0
    migrated_to: int | None = None
    deleted: bool = False
    bot_may_write: bool = True
    bot_may_pin: bool = True
    bot_may_send_photos: bool = True

    def json(self, user: User | None) -> Json:
        """Telegram's Chat; ``user`` is whose private chat it is."""
        if user is not None:
            named = {} if user.username is None else {"username": user.username}
            return {"id": self.id, "type": "private", "first_name": user.first_name, **named}
        shown: Json = {"id": self.id, "type": self.type, "title": self.title}
        return {**shown, "is_forum": True} if self.is_forum else shown


BOT_JSON: Json = {"id": BOT_ID, "is_bot": True, "first_name": BOT_NAME, "username": BOT_USERNAME}


class State:
    """The rows in memory, as loaded from the shelf; ``save_*`` writes a changed one through."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.users = {int(key): User(**row) for key, row in shelf.rows("user").items()}
        self.chats = {int(key): _chat(row) for key, row in shelf.rows("chat").items()}
        self.messages: dict[tuple[int, int], Json] = {}
        self._by_chat: dict[int, dict[int, Json]] = {}
        for row in sorted(shelf.rows("message").values(), key=lambda row: int(row["message_id"])):
            self._remember(row)
        self.queries = shelf.rows("query")
        self.settings = shelf.rows("setting")

    # --- counting ---------------------------------------------------------------------------------

    def next(self, name: str, first: int) -> int:
        """The next number of a sequence that begins with ``first``."""
        number: int = self.settings.get(name, {"next": first})["next"]
        self.set(name, {"next": number + 1})
        return number

    def set(self, name: str, value: Json) -> None:
        """Keep a named setting."""
        self.settings[name] = value
        self.shelf.save("setting", name, value)

    # --- writing ----------------------------------------------------------------------------------

    def save_user(self, user: User) -> None:
        """Keep a person."""
        self.users[user.id] = user
        self.shelf.save("user", user.id, vars(user))

    def save_chat(self, chat: Chat) -> None:
        """Keep a chat."""
        self.chats[chat.id] = chat
        self.shelf.save("chat", chat.id, vars(chat))

    def save_message(self, message: Json) -> None:
        """Keep a message, new or edited."""
        self._remember(message)
        self.shelf.save("message", f"{message['chat']['id']}/{message['message_id']}", message)

    def save_query(self, query: Json) -> None:
        """Keep a button press that awaits its answer, and forget those for which an answer would come too late."""
        late = [id for id, kept in self.queries.items() if query["at"] - kept["at"] > ANSWER_WITHIN]
        for id in late:
            self.drop_query(id)
        self.queries[query["id"]] = query
        self.shelf.save("query", query["id"], query)

    def drop_query(self, id: str) -> None:
        """Forget a button press."""
        self.queries.pop(id, None)
        self.shelf.drop("query", id)

    # --- reading ----------------------------------------------------------------------------------

    def chat_json(self, chat: Chat) -> Json:
        """Telegram's Chat."""
        return chat.json(self.users.get(chat.id))

    def history(self, chat: int) -> list[Json]:
        """A chat's messages, oldest first."""
        return list(self._by_chat.get(chat, {}).values())

    def chat_for_bot(self, id: int | str) -> Chat:
        """The chat a call is for. Raises Refusal where Telegram would not let the bot in."""
        chat = self.chats.get(id) if isinstance(id, int) else None
        if chat is None:
            raise errors.CANT_INITIATE if id in self.users else errors.CHAT_NOT_FOUND
        if chat.type == "private":
            user = self.users[chat.id]
            if user.deactivated:
                raise errors.DEACTIVATED
            if user.blocked:
                raise errors.BLOCKED
            return chat
        if chat.migrated_to is not None:
            raise errors.upgraded(chat.migrated_to)
        if chat.deleted:
            raise errors.GROUP_DELETED
        if chat.members.get(BOT_ID, "left") in ("left", "kicked"):
            raise errors.KICKED_SUPERGROUP if chat.type == "supergroup" else errors.KICKED_GROUP
        return chat

    def _remember(self, message: Json) -> None:
        """Numbers rise within a chat, so that its messages are in order."""
        chat, id = message["chat"]["id"], message["message_id"]
        self.messages[chat, id] = message
        self._by_chat.setdefault(chat, {})[id] = message


def _chat(row: Json) -> Chat:
    members = {int(user): status for user, status in row.pop("members").items()}
    topics = {int(topic): is_open for topic, is_open in row.pop("topics").items()}
    return Chat(**row, members=members, topics=topics)
