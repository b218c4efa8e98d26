"""The bot as its operator sets it up: the calls of the Bot API that no match needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from telegram import BotCommand, BotCommandScope, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats

from infra.telegram import BotTelegram

Menu = tuple[tuple[str, str], ...]
"""Commands without their slash, and what each does."""

SCOPES: Final[tuple[BotCommandScope, ...]] = (BotCommandScopeAllPrivateChats(), BotCommandScopeAllGroupChats())
"""Whom a menu is for. Administrators of a group see the group's: what they may do, the host of a match may do too."""


@dataclass(frozen=True)
class Profile:
    """The bot as getMe tells it. ``reads_all``: privacy mode is off."""

    username: str
    joins_groups: bool
    reads_all: bool


@dataclass(frozen=True)
class Webhook:
    """A WebhookInfo. ``url`` is empty if none is set; ``failed_at`` is in Unix seconds, None if nothing ever failed."""

    url: str
    kinds: tuple[str, ...] = ()
    connections: int | None = None
    waiting: int = 0
    failed_at: float | None = None
    failure: str = ""


class OperatorsBot(BotTelegram):
    """Every method raises what those of :class:`infra.telegram.BotTelegram` raise."""

    def profile(self) -> Profile:
        """getMe."""
        user = self._call(None, self._bot.get_me)
        return Profile(user.username or "", bool(user.can_join_groups), bool(user.can_read_all_group_messages))

    def webhook(self) -> Webhook:
        """getWebhookInfo."""
        info = self._call(None, self._bot.get_webhook_info)
        return Webhook(
            url=info.url,
            kinds=tuple(info.allowed_updates),
            connections=info.max_connections,
            waiting=info.pending_update_count,
            failed_at=info.last_error_date.timestamp() if info.last_error_date else None,
            failure=info.last_error_message or "",
        )

    def set_webhook(self, url: str, secret: str, kinds: Sequence[str], connections: int) -> None:
        """setWebhook: updates that wait stay, and come to the new address."""
        self._call(
            None,
            partial(
                self._bot.set_webhook,
                url,
                secret_token=secret,
                allowed_updates=list(kinds),
                max_connections=connections,
                drop_pending_updates=False,
            ),
        )

    def offer(self, menu: Menu) -> bool:
        """setMyCommands in private chats and in groups, for speakers of every language. Whether anything changed."""
        changed = False
        for scope in SCOPES:
            shown = self._call(None, partial(self._bot.get_my_commands, scope))
            if tuple((command.command, command.description) for command in shown) != menu:
                commands = [BotCommand(name, description) for name, description in menu]
                self._call(None, partial(self._bot.set_my_commands, commands, scope))
                changed = True
        return changed

    def describe(self, description: str, short: str) -> bool:
        """setMyDescription and setMyShortDescription, for speakers of every language. Whether anything changed."""
        changed = False
        if self._call(None, self._bot.get_my_description).description != description:
            self._call(None, partial(self._bot.set_my_description, description))
            changed = True
        if self._call(None, self._bot.get_my_short_description).short_description != short:
            self._call(None, partial(self._bot.set_my_short_description, short))
            changed = True
        return changed
