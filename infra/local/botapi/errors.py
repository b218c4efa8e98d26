"""How the Bot API refuses a call: the status, the wording and the parameters of the real one."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    """A call that the Bot API answers with ``ok: false``. Nothing has changed."""

    def __init__(self, code: int, description: str, parameters: dict[str, Any] | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def body(self) -> dict[str, Any]:
        """The answer's JSON."""
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        return body if self.parameters is None else {**body, "parameters": self.parameters}


class Malformed(Refusal):
    """A call no correct bot makes, whatever people do: it is remembered as a violation."""

    def __init__(self, description: str, code: int = 400) -> None:
        prefix = "Bad Request: " if code == 400 else ""
        super().__init__(code, prefix + description)


def bad_request(reason: str) -> Refusal:
    """A 400 that a correct bot can meet."""
    return Refusal(400, f"Bad Request: {reason}")


def forbidden(reason: str) -> Refusal:
    """A 403: the bot is not welcome there."""
    return Refusal(403, f"Forbidden: {reason}")


def upgraded(new_chat: int) -> Refusal:
    """The group has become the supergroup ``new_chat``."""
    return Refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", {"migrate_to_chat_id": new_chat})


def flood(seconds: int) -> Refusal:
    """429: not before ``seconds`` have passed."""
    return Refusal(429, f"Too Many Requests: retry after {seconds}", {"retry_after": seconds})


UNAUTHORIZED = Refusal(401, "Unauthorized")
NO_METHOD = Malformed("Not Found: method not found", 404)
WEBHOOK_ACTIVE = Refusal(
    409,
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
)
CHAT_NOT_FOUND = bad_request("chat not found")
CANT_INITIATE = forbidden("bot can't initiate conversation with a user")
BLOCKED = forbidden("bot was blocked by the user")
DEACTIVATED = forbidden("user is deactivated")
KICKED_GROUP = forbidden("bot was kicked from the group chat")
KICKED_SUPERGROUP = forbidden("bot was kicked from the supergroup chat")
GROUP_DELETED = forbidden("the group chat was deleted")
NOT_MODIFIED = bad_request(
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)
EDIT_NOT_FOUND = bad_request("message to edit not found")
CANT_EDIT = bad_request("message can't be edited")
PIN_NOT_FOUND = bad_request("message to pin not found")
NO_PIN_RIGHT = bad_request("not enough rights to manage pinned messages in the chat")
NO_MEDIA = bad_request("there is no media in the message to edit")
NO_TEXT_RIGHT = bad_request("not enough rights to send text messages to the chat")
NO_PHOTO_RIGHT = bad_request("not enough rights to send photos to the chat")
PHOTOS_FORBIDDEN = bad_request("CHAT_SEND_PHOTOS_FORBIDDEN")
THREAD_NOT_FOUND = bad_request("message thread not found")
TOPIC_CLOSED = bad_request("TOPIC_CLOSED")
QUERY_TOO_OLD = bad_request("query is too old and response timeout expired or query ID is invalid")
USER_NOT_FOUND = bad_request("user not found")
