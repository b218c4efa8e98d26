"""Groups in the simulated Telegram: who comes and goes, topics, and a group becoming a supergroup."""

from __future__ import annotations

from infra.local.botapi.desk import Desk
from infra.local.botapi.people import membership
from infra.local.botapi.shelf import Json
from infra.local.botapi.state import BOT_ID, BOT_JSON, Chat

FIRST_GROUP = 4_000_001
SUPERGROUPS = -1_000_000_000_000


class Groups:
    """Chats of several people."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def add(self, title: str, owner: int) -> int:
        """A new group of one person. Returns the chat id."""
        with self._desk.change() as state:
            return self._new(Chat(-state.next("chat", FIRST_GROUP), "group", title), owner)

    def add_supergroup(self, title: str, owner: int, *, forum: bool = False) -> int:
        """A new supergroup of one person, with topics if it is a forum. Returns the chat id."""
        with self._desk.change() as state:
            return self._new(Chat(SUPERGROUPS - state.next("chat", FIRST_GROUP), "supergroup", title, forum), owner)

    def join(self, user: int, chat: int) -> None:
        """A person comes into a group."""
        with self._desk.change() as state:
            state.chats[chat].members[user] = "member"
            self._happen(chat, {"new_chat_members": [state.users[user].json()]}, user)
            self._desk.events.add("user", {"user": user})

    def leave(self, user: int, chat: int) -> None:
        """A person leaves a group."""
        with self._desk.change() as state:
            state.chats[chat].members[user] = "left"
            self._happen(chat, {"left_chat_member": state.users[user].json()}, user)

    def set_status(self, user: int, chat: int, status: str) -> None:
        """Make a person creator, administrator, member, restricted, left or kicked, without a word."""
        with self._desk.change() as state:
            state.chats[chat].members[user] = status
            state.save_chat(state.chats[chat])

    def set_rights(self, chat: int, *, write: bool = True, pin: bool = True, photos: bool = True) -> None:
        """What the bot may do in a group."""
        with self._desk.change() as state:
            where = state.chats[chat]
            where.bot_may_write, where.bot_may_pin, where.bot_may_send_photos = write, pin, photos
            state.save_chat(where)

    def add_bot(self, chat: int, by: int) -> None:
        """Somebody adds the bot to a group."""
        self._set_bot(chat, by, "member", {"new_chat_members": [BOT_JSON]})

    def remove_bot(self, chat: int, by: int) -> None:
        """Somebody removes the bot from a group."""
        self._set_bot(chat, by, "kicked", {"left_chat_member": BOT_JSON})

    def migrate(self, chat: int, by: int) -> int:
        """A group becomes a supergroup. Returns the new chat id."""
        with self._desk.change() as state:
            old = state.chats[chat]
            new = self.add_supergroup(old.title, by)
            state.chats[new].members = dict(old.members)
            self._happen(chat, {"migrate_to_chat_id": new}, by)
            self._happen(new, {"migrate_from_chat_id": chat}, by)
            old.migrated_to = new
            state.save_chat(old)
            return new

    def add_topic(self, chat: int, by: int, name: str) -> int:
        """A new topic of a forum. Returns its message_thread_id."""
        with self._desk.change() as state:
            where = state.chats[chat]
            topic = where.last_message + 1
            where.topics[topic] = True
            created = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
            self._happen(chat, {**created, "message_thread_id": topic, "is_topic_message": True}, by)
            return topic

    def close_topic(self, chat: int, topic: int) -> None:
        """The bot may no longer write in a topic."""
        with self._desk.change() as state:
            state.chats[chat].topics[topic] = False
            state.save_chat(state.chats[chat])

    def delete_topic(self, chat: int, topic: int) -> None:
        """A topic is no more."""
        with self._desk.change() as state:
            del state.chats[chat].topics[topic]
            state.save_chat(state.chats[chat])

    def _new(self, chat: Chat, owner: int) -> int:
        chat.members[owner] = "creator"
        self._desk.state.save_chat(chat)
        return chat.id

    def _happen(self, chat: int, content: Json, by: int) -> None:
        """A service message, which the bot gets too."""
        state = self._desk.state
        self._desk.queue("message", self._desk.post(state.chats[chat], content, state.users[by].json()))

    def _set_bot(self, chat: int, by: int, status: str, content: Json) -> None:
        with self._desk.change() as state:
            where = state.chats[chat]
            before = where.members.get(BOT_ID, "left")
            where.members[BOT_ID] = status
            self._desk.queue("my_chat_member", membership(self._desk, where, state.users[by], before, status))
            self._happen(chat, content, by)
