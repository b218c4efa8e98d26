"""The bot as its operator sets it up: the calls of the Bot API that no match needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    ChatAdministratorRights,
)

from infra.telegram import BotTelegram

Menu = tuple[tuple[str, str], ...]
"""Commands without their slash, and what each does."""

Audience = Literal["private", "groups", "administrators"]
"""Whom a menu is for: people in private, in groups, and the administrators of groups, who see theirs in place of the
group's.
"""

SCOPES: Final[Mapping[Audience, BotCommandScope]] = {
    "private": BotCommandScopeAllPrivateChats(),
    "groups": BotCommandScopeAllGroupChats(),
    "administrators": BotCommandScopeAllChatAdministrators(),
}

_NO_RIGHTS: Final = ChatAdministratorRights(
    is_anonymous=False,
    can_manage_chat=False,
    can_delete_messages=False,
    can_manage_video_chats=False,
    can_restrict_members=False,
    can_promote_members=False,
    can_change_info=False,
    can_invite_users=False,
    can_post_stories=False,
    can_edit_stories=False,
    can_delete_stories=False,
)

RIGHTS: Final[Mapping[bool, ChatAdministratorRights]] = {
    False: ChatAdministratorRights(
        **{**_NO_RIGHTS.to_dict(), "can_manage_chat": True, "can_pin_messages": True}  # the first comes with any other
    ),
    True: _NO_RIGHTS,
}
"""What the bot asks for where it is made an administrator, by whether that is a channel. In groups it pins the board,
and as any administrator it is told for sure who is there; to play it needs no right at all.
"""


@dataclass(frozen=True)
class Appearance:
    """How the bot shows itself to speakers of ``language`` (two letters; empty: of every other one): the menus by whom
    they are for, and the texts of an empty chat (at most 512 characters) and of its profile (120).
    """

    language: str
    menus: Mapping[Audience, Menu]
    description: str
    short: str


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

    def show(self, appearances: Sequence[Appearance]) -> bool:
        """Menus, descriptions and the rights asked for, where they are not so already. Whether anything changed."""
        changed = [self._dress(each) for each in appearances]
        return any((*changed, self._ask_for_rights()))

    def _dress(self, wanted: Appearance) -> bool:
        changed = [self._offer(audience, menu, wanted.language) for audience, menu in wanted.menus.items()]
        return any((*changed, self._describe(wanted)))

    def _offer(self, audience: Audience, menu: Menu, language: str) -> bool:
        """setMyCommands."""
        scope, code = SCOPES[audience], language or None
        shown = self._call(None, partial(self._bot.get_my_commands, scope, code))
        if tuple((command.command, command.description) for command in shown) == menu:
            return False
        commands = [BotCommand(name, description) for name, description in menu]
        self._call(None, partial(self._bot.set_my_commands, commands, scope, code))
        return True

    def _describe(self, wanted: Appearance) -> bool:
        """setMyDescription and setMyShortDescription."""
        changed, code = False, wanted.language or None
        if self._call(None, partial(self._bot.get_my_description, code)).description != wanted.description:
            self._call(None, partial(self._bot.set_my_description, wanted.description, code))
            changed = True
        if self._call(None, partial(self._bot.get_my_short_description, code)).short_description != wanted.short:
            self._call(None, partial(self._bot.set_my_short_description, wanted.short, code))
            changed = True
        return changed

    def _ask_for_rights(self) -> bool:
        """setMyDefaultAdministratorRights, for groups and for channels."""
        changed = False
        for channels, wanted in RIGHTS.items():
            shown = self._call(None, partial(self._bot.get_my_default_administrator_rights, for_channels=channels))
            if _granted(shown) != _granted(wanted):
                self._call(None, partial(self._bot.set_my_default_administrator_rights, wanted, for_channels=channels))
                changed = True
        return changed


def _granted(rights: ChatAdministratorRights) -> set[str]:
    """Telegram names some rights only where they mean something."""
    return {name for name, granted in rights.to_dict().items() if granted is True}
