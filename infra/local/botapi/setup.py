"""What the operator sets up once, in the simulated Telegram: the webhook, the menus of commands, the descriptions."""

from __future__ import annotations

import re
from typing import Any, Final

from infra.local.botapi import checks
from infra.local.botapi.desk import Desk
from infra.local.botapi.errors import Malformed
from infra.local.botapi.shelf import Json

Params = dict[str, Any]

CONNECTIONS: Final = 40
"""The connections that setWebhook takes where nothing else is said, of 1-100."""
SCOPES: Final = ("default", "all_private_chats", "all_group_chats", "all_chat_administrators")
NEEDED_RIGHTS: Final = (
    "is_anonymous",
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
)
"""Fields of ChatAdministratorRights that are never left out."""

_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{1,256}")
_LANGUAGE: Final = re.compile(r"([a-z]{2})?")


def set_webhook(desk: Desk, params: Params) -> bool:
    """Where updates are pushed from now on. What is not said again of allowed_updates stays as it was."""
    if "secret_token" in params and not _SECRET.fullmatch(params["secret_token"]):
        raise Malformed("secret token contains unallowed characters")
    connections = params.get("max_connections", CONNECTIONS)
    if not 1 <= connections <= 100:
        raise Malformed("invalid max_connections")
    if params.get("drop_pending_updates"):
        desk.outbox.clear()
    webhook: Json = {
        "url": params["url"],
        "secret": params.get("secret_token", ""),
        "max_connections": connections,
        "allowed_updates": params.get("allowed_updates", _webhook(desk).get("allowed_updates", [])),
    }
    desk.state.set("webhook", webhook)
    desk.queued.notify_all()
    return True


def delete_webhook(desk: Desk, params: Params) -> bool:
    """Updates wait for getUpdates from now on."""
    return set_webhook(desk, {**params, "url": ""})


def get_webhook_info(desk: Desk, params: Params) -> Json:
    """The webhook without its secret, how many updates wait, and the last delivery that failed."""
    webhook = _webhook(desk)
    info: Json = {
        "url": webhook["url"],
        "has_custom_certificate": False,
        "pending_update_count": len(desk.outbox.pending(desk.network.now())),
    }
    if webhook["url"]:
        info["max_connections"] = webhook["max_connections"]
    for name in ("allowed_updates", "last_error_date", "last_error_message"):
        if webhook.get(name):
            info[name] = webhook[name]
    return info


def delivery_failed(desk: Desk, why: str) -> None:
    """Remember, as a WebhookInfo tells it, that an update could not be delivered."""
    desk.state.set("webhook", {**_webhook(desk), "last_error_date": int(desk.network.now()), "last_error_message": why})


def set_my_commands(desk: Desk, params: Params) -> bool:
    """The commands offered to people, by scope and language."""
    desk.state.set(_menu(params), {"commands": checks.commands(params["commands"])})
    desk.events.add("commands", {})
    return True


def get_my_commands(desk: Desk, params: Params) -> list[Json]:
    """The commands of exactly this scope and language, none if there are none."""
    menu: list[Json] = desk.state.settings.get(_menu(params), {"commands": []})["commands"]
    return menu


def set_my_description(desk: Desk, params: Params) -> bool:
    """What an empty chat with the bot shows."""
    return _describe(desk, params, "description", 512)


def get_my_description(desk: Desk, params: Params) -> Json:
    """The same, read."""
    return _described(desk, params, "description")


def set_my_short_description(desk: Desk, params: Params) -> bool:
    """What the bot's profile and links to it show."""
    return _describe(desk, params, "short_description", 120)


def get_my_short_description(desk: Desk, params: Params) -> Json:
    """The same, read."""
    return _described(desk, params, "short_description")


def set_my_default_administrator_rights(desk: Desk, params: Params) -> bool:
    """What the bot asks for where somebody makes it an administrator; without ``rights``, nothing."""
    rights = params.get("rights", dict.fromkeys(NEEDED_RIGHTS, False))
    if set(NEEDED_RIGHTS) - rights.keys() or not all(isinstance(granted, bool) for granted in rights.values()):
        raise Malformed("can't parse administrator rights")
    desk.state.set(_rights(params), rights)
    return True


def get_my_default_administrator_rights(desk: Desk, params: Params) -> Json:
    """The same, read."""
    return desk.state.settings.get(_rights(params), dict.fromkeys(NEEDED_RIGHTS, False))


def _rights(params: Params) -> str:
    return f"rights {'channels' if params.get('for_channels') else 'groups'}"


def _webhook(desk: Desk) -> Json:
    return desk.state.settings.get("webhook", {"url": ""})


def _menu(params: Params) -> str:
    kind = params.get("scope", {"type": "default"}).get("type")
    if kind not in SCOPES:
        raise Malformed("unsupported BotCommandScope")
    return f"commands {kind} {_language(params)}".rstrip()


def _describe(desk: Desk, params: Params, what: str, longest: int) -> bool:
    text = params.get(what, "")
    if len(text) > longest:
        raise Malformed(f"{what} is too long")
    desk.state.set(f"{what} {_language(params)}".rstrip(), {what: text})
    return True


def _described(desk: Desk, params: Params, what: str) -> Json:
    everybody = desk.state.settings.get(what, {what: ""})
    return desk.state.settings.get(f"{what} {_language(params)}".rstrip(), everybody)


def _language(params: Params) -> str:
    language: str = params.get("language_code", "")
    if not _LANGUAGE.fullmatch(language):
        raise Malformed("invalid language code specified")
    return language
