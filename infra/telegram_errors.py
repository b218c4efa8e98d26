"""What an error of the Bot API, or of the way to it, means for the house."""

from __future__ import annotations

import re
from datetime import timedelta

import httpx
from telegram import error as bot

from handler.ports import (
    Expelled,
    Forbidden,
    MessageLost,
    Migrated,
    NotSent,
    Refused,
    TelegramError,
    TooFast,
    Uncertain,
    Unreachable,
)


class Unconnected(NotSent):
    """No connection came about: nothing was written."""


class BadToken(NotSent):
    """401 or 404: Telegram does not know the token. Nothing can be sent until the operator sets another."""


class Contested(TelegramError):
    """409, of getUpdates alone: a webhook is set, or another process polls with the same token."""


class AlreadySo(Refused):
    """There was nothing left to do: the message reads so already, or the press was answered or has expired."""


class TopicLost(Refused):
    """The forum topic was deleted."""


class Illegible(Refused):
    """Telegram cannot read the HTML."""


class Stranger(Refused):
    """No such person, or none who was ever in the chat."""


# Parts of a 400's description in lower case, as the server words them or as they come through from MTProto.
_WORDINGS: tuple[tuple[type[TelegramError], tuple[str, ...]], ...] = (
    (AlreadySo, ("message is not modified", "query is too old", "query_id_invalid")),
    (
        MessageLost,
        (
            "message to edit not found",
            "message can't be edited",
            "message to pin not found",
            "there is no text in the message to edit",
            "there is no media in the message to edit",
            "message_id_invalid",
        ),
    ),
    (TopicLost, ("message thread not found", "topic_deleted")),
    (Illegible, ("can't parse entities",)),
    (Stranger, ("user not found", "member not found", "participant_id_invalid", "user_not_participant")),
)

# These come as a 400 or a 403, and even a 403 of this kind does not mean that the bot is out of the group.
_NO_RIGHTS = (
    "not enough rights",
    "have no rights",
    "need administrator rights",
    "admin_required",
    "_forbidden",
    "chat_restricted",
    "topic_closed",
)

_NO_CHAT = ("chat not found", "peer_id_invalid", "group is deactivated", "user_is_blocked", "input_user_deactivated")

_NOTHING_WRITTEN = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.InvalidURL,
)


def meaning(error: bot.TelegramError, chat: int | None) -> TelegramError:
    """The named error for what python-telegram-bot raised. ``chat`` is where the call went, None if to no chat.

    The result's text is Telegram's description, or the kind of network failure; never what was sent.
    """
    match error:
        case bot.ChatMigrated():
            return Migrated(error.new_chat_id)
        case bot.RetryAfter():
            return TooFast(_seconds(error.retry_after))
        case bot.InvalidToken():
            return BadToken("Telegram does not know the token")
        case bot.Conflict():
            return Contested(error.message)
        case bot.Forbidden():
            return _no_entry(error.message, chat)
        case bot.BadRequest():
            return _bad_request(error.message, chat)
        case bot.NetworkError():
            return _network(error)
    # Left is a 2xx whose body is not JSON.
    return Uncertain("the answer cannot be read")


def _no_entry(description: str, chat: int | None) -> TelegramError:
    if _has(description, _NO_RIGHTS):
        return Forbidden(description)
    return _no_chat(description, chat)


def _bad_request(description: str, chat: int | None) -> TelegramError:
    for kind, parts in _WORDINGS:
        if _has(description, parts):
            return kind(description)
    if _has(description, _NO_RIGHTS):
        return Forbidden(description)
    if _has(description, _NO_CHAT):
        return _no_chat(description, chat)
    return Refused(description)


def _no_chat(description: str, chat: int | None) -> TelegramError:
    """Private chats have their person's id; groups have negative ones."""
    if chat is None:
        return Refused(description)
    return Unreachable(description) if chat > 0 else Expelled(description)


def _network(error: bot.NetworkError) -> TelegramError:
    cause = error.__cause__
    if isinstance(cause, _NOTHING_WRITTEN):
        return Unconnected(type(cause).__name__)
    if cause is not None and not isinstance(cause, bot.TelegramError):
        return Uncertain(type(cause).__name__)
    if error.message.lower().startswith("too many requests"):
        # A 429 that has lost its parameters still says it in words.
        seconds = re.search(r"retry after (\d+)", error.message)
        return TooFast(float(seconds[1]) if seconds else 1.0)
    return NotSent("the server failed")


def _seconds(period: int | timedelta) -> float:
    return period.total_seconds() if isinstance(period, timedelta) else float(period)


def _has(description: str, parts: tuple[str, ...]) -> bool:
    return any(part in description.lower() for part in parts)
