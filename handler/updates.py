"""What an Update means: an intent (who, where, what), or nothing.

Edited messages, channel posts, reactions, inline queries and everything else that is not meant for this bot mean
nothing. Whatever gets past here can be stored and sent: texts are printable, ids are integers of 64 bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from telegram import (
    CallbackQuery,
    Chat,
    ChatMember,
    ChatMemberRestricted,
    ChatMemberUpdated,
    Message,
    Update,
    User,
)

from handler.ports import Me, Place, TelegramError
from handler.words import DEFAULT, understood

ANONYMOUS_ADMIN: Final = 1087968824
"""GroupAnonymousBot: who a message is from that an administrator sent as the group."""
CHANNEL_BOTS: Final = frozenset({136817688, 777000})
"""Who a message is from that was sent as a channel, or forwarded from the linked one."""

KINDS: Final = ("message", "callback_query", "my_chat_member")
"""The allowed_updates: all that gets a meaning here."""

_OF_PRESSED: Final = frozenset({"message_id", "date", "chat", "message_thread_id", "is_topic_message"})
"""What is read of a message that was pressed, apart from its buttons."""

_GROUPS: Final = (Chat.GROUP, Chat.SUPERGROUP)
_COMMAND: Final = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]{1,64}))?(?:\s+(.*))?", re.DOTALL)


class BadUpdate(ValueError):
    """Not an Update that python-telegram-bot can read."""


@dataclass(frozen=True)
class Who:
    """A person: Telegram id, display name, and the language to speak to them: at first that of their app."""

    id: int
    name: str
    language: str = DEFAULT


Speaker = Literal["person", "group", "channel"]


@dataclass(frozen=True)
class Command:
    """A command typed in a chat. ``speaker`` tells a person from a group or channel that speaks for somebody."""

    update: int
    who: Who
    place: Place
    title: str
    name: str
    args: str
    speaker: Speaker

    @property
    def private(self) -> bool:
        """Whether it was typed to the bot alone."""
        return self.place.chat > 0


@dataclass(frozen=True)
class Pressed:
    """A button press. ``message`` is where the button is, None if Telegram no longer says.

    ``offered``: Telegram, too, knows a button with this data under that message, so the press is not forged.
    """

    update: int
    who: Who
    query: str
    data: str
    place: Place | None
    title: str
    message: int | None
    offered: bool

    @property
    def private(self) -> bool:
        """Whether the button is in the presser's private chat."""
        return self.place is not None and self.place.chat == self.who.id


@dataclass(frozen=True)
class Added:
    """The bot was added to a group, or may write there at last. ``who`` did that; ``may_write`` says that nothing
    Telegram tells of the bot forbids it.
    """

    who: Who
    place: Place
    title: str
    may_write: bool


@dataclass(frozen=True)
class Removed:
    """The bot is no longer in a group."""

    chat: int


@dataclass(frozen=True)
class Left:
    """A person is no longer in a group."""

    update: int
    chat: int
    user: int


@dataclass(frozen=True)
class Moved:
    """A group became a supergroup."""

    old: int
    new: int


@dataclass(frozen=True)
class Wrote:
    """A person wrote to the bot in private, or unblocked it, so it can write to them. ``text``: it was a text of their
    own, and no command.
    """

    who: Who
    text: bool = False


Intent = Command | Pressed | Added | Removed | Left | Moved | Wrote


def parse(data: Any, me: Callable[[], Me]) -> Intent | None:
    """The intent of an Update as JSON. ``me`` is asked for the bot itself where that is a question, which for a press
    it never is. Raises BadUpdate for what is no Update, and TelegramError as ``me`` does.
    """
    try:
        _id(data["update_id"])
        query = data.get("callback_query")
        message = None if query is None else query.get("message")
        if message is None:
            return _intent(Update.de_json(data, None), me, [])
        # The library would make objects of a long keyboard and of every piece of a text that nobody looks at, which
        # takes it longer than all the rest.
        kept = {name: value for name, value in message.items() if name in _OF_PRESSED}
        update = Update.de_json({**data, "callback_query": {**query, "message": kept}}, None)
        return _intent(update, me, _buttons(message))
    except TelegramError:
        raise
    except Exception as error:  # the library checks no types: a malformed field raises whatever its use leads to
        raise BadUpdate(type(error).__name__) from error


def _intent(update: Update, me: Callable[[], Me], buttons: list[Any]) -> Intent | None:
    if update.callback_query is not None:
        return _pressed(update.update_id, update.callback_query, buttons)
    if update.my_chat_member is not None:
        return _membership(update.my_chat_member)
    if update.message is not None:
        return _message(update.update_id, update.message, me)
    return None


def _pressed(update: int, query: CallbackQuery, buttons: list[Any]) -> Pressed | None:
    if query.data is None or query.from_user.is_bot:
        return None
    message = query.message
    return Pressed(
        update=update,
        who=_who(query.from_user),
        query=_printable(query.id),
        data=_printable(query.data),
        place=None if message is None else _place(message.chat, message if isinstance(message, Message) else None),
        title="" if message is None else _title(message.chat),
        message=None if message is None else _id(message.message_id),
        offered=query.data in buttons,
    )


def _buttons(message: dict[str, Any]) -> list[Any]:
    """The data of each button under a message, as JSON."""
    keyboard = message.get("reply_markup")
    rows = [] if keyboard is None else keyboard["inline_keyboard"]
    return [button.get("callback_data") for row in rows for button in row]


def _membership(change: ChatMemberUpdated) -> Intent | None:
    was, now = change.old_chat_member, change.new_chat_member
    if change.chat.type not in _GROUPS:
        return Wrote(_who(change.from_user)) if change.chat.type == Chat.PRIVATE and _is_in(now) else None
    chat = _id(change.chat.id)
    if not _is_in(now):
        return Removed(chat) if _is_in(was) else None
    if _is_in(was) and (_may_write(was) or not _may_write(now)):
        return None
    return Added(_who(change.from_user), Place(chat), _title(change.chat), _may_write(now))


def _is_in(member: ChatMember) -> bool:
    """Whether a member is in the chat; what they may do can stay restricted after they have gone."""
    if isinstance(member, ChatMemberRestricted):
        return bool(member.is_member)
    return member.status not in (ChatMember.LEFT, ChatMember.BANNED)


def _may_write(member: ChatMember) -> bool:
    return not isinstance(member, ChatMemberRestricted) or bool(member.can_send_messages)


def _message(update: int, message: Message, me: Callable[[], Me]) -> Intent | None:
    chat = message.chat
    if chat.type in _GROUPS:
        if message.migrate_to_chat_id is not None:
            return Moved(_id(chat.id), _id(message.migrate_to_chat_id))
        if message.migrate_from_chat_id is not None:
            return Moved(_id(message.migrate_from_chat_id), _id(chat.id))
        if message.left_chat_member is not None:
            gone = _id(message.left_chat_member.id)
            return Removed(_id(chat.id)) if gone == me().id else Left(update, _id(chat.id), gone)
    sender = message.from_user
    if sender is None or chat.type not in (Chat.PRIVATE, *_GROUPS):
        return None
    speaker = _speaker(message, sender)
    if speaker is None:
        return None
    found = _COMMAND.fullmatch(message.text or "")
    borrowed = message.via_bot is not None or message.forward_origin is not None
    if found is None or borrowed:
        return Wrote(_who(sender), bool(message.text) and not borrowed) if chat.type == Chat.PRIVATE else None
    name, addressee, args = found.groups()
    if addressee is not None and addressee.lower() != me().username.lower():
        return None
    place = _place(chat, message)
    return Command(update, _who(sender), place, _title(chat), name.lower(), _printable(args or "").strip(), speaker)


def _speaker(message: Message, sender: User) -> Speaker | None:
    """Who speaks: ``person``, ``group`` (an anonymous administrator) or ``channel``; None for other bots."""
    if message.is_automatic_forward:
        return None
    if sender.id == ANONYMOUS_ADMIN:
        return "group"
    if sender.id in CHANNEL_BOTS or message.sender_chat is not None:
        return "channel"
    return None if sender.is_bot else "person"


def _who(user: User) -> Who:
    # Not the library's full_name, which is None for whoever has no first name, as a deleted account.
    name = " ".join(part for part in (user.first_name, user.last_name) if part)
    return Who(_id(user.id), _printable(name), understood(user.language_code))


def _title(chat: Chat) -> str:
    return _printable(chat.title or chat.full_name or "")


def _place(chat: Chat, message: Message | None) -> Place:
    topic = message.message_thread_id if message is not None and message.is_topic_message else None
    return Place(_id(chat.id), None if topic is None else _id(topic))


def _id(value: int) -> int:
    """An id as given; the library takes whatever stands in its place. Raises ValueError."""
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise ValueError("not an id")
    return value


def _printable(text: str) -> str:
    """Lone surrogates cannot be stored or sent; they become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
