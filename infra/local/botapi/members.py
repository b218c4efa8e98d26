"""Somebody's standing in a chat, as the Bot API tells it."""

from __future__ import annotations

from typing import Final

from infra.local.botapi.shelf import Json

_MEMBER_FIELDS: Final[dict[str, Json]] = {
    "creator": {"is_anonymous": False},
    "administrator": {
        "can_be_edited": False,
        "is_anonymous": False,
        "can_manage_chat": True,
        "can_delete_messages": True,
        "can_manage_video_chats": True,
        "can_restrict_members": True,
        "can_promote_members": False,
        "can_change_info": True,
        "can_invite_users": True,
        "can_post_stories": False,
        "can_edit_stories": False,
        "can_delete_stories": False,
    },
    "member": {},
    "restricted": {
        "is_member": True,
        "can_send_messages": False,
        "can_send_audios": False,
        "can_send_documents": False,
        "can_send_photos": False,
        "can_send_videos": False,
        "can_send_video_notes": False,
        "can_send_voice_notes": False,
        "can_send_polls": False,
        "can_send_other_messages": False,
        "can_add_web_page_previews": False,
        "can_react_to_messages": False,
        "can_edit_tag": False,
        "can_change_info": False,
        "can_invite_users": False,
        "can_pin_messages": False,
        "can_manage_topics": False,
        "until_date": 0,
    },
    "left": {},
    "kicked": {"until_date": 0},
}
"""What each status requires besides user and status (Bot API, ChatMember)."""


def member_json(user: Json, status: str) -> Json:
    """Telegram's ChatMember, with all that it requires."""
    return {"user": user, "status": status, **_MEMBER_FIELDS[status]}
