"""What newcomers read besides the greetings: where they could join, what to allow, what is understood."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from handler.message import Message
from handler.views.layout import isolated, lines, paragraphs
from handler.words import plain, say


def with_lobbies(greeting: Message, lobbies: Sequence[tuple[str, str, str | None]]) -> Message:
    """A greeting with the open lobbies that its reader could join, as (game, title, link to the card or None)."""
    if not lobbies:
        return greeting
    listed = lines(say("settings.welcome.lobbies"), *(_lobby(*lobby) for lobby in lobbies))
    return Message(paragraphs(greeting.text, listed), greeting.keyboard)


def _lobby(game: str, title: str, link: str | None) -> Markup:
    shown = isolated(title) if link is None else Markup('<a href="{}">{}</a>').format(link, isolated(title))
    return say("settings.welcome.lobby", game=plain(f"lobby.name.{game}"), title=shown)


def may_not_write(title: str) -> Message:
    """To whoever added the bot to a group that forbids it to write."""
    return Message(say("settings.welcome.forbidden", title=isolated(title)))


def after(sentence: Markup, greeting: Message) -> Message:
    """A greeting to somebody whose link did not lead where it promised to, and why not."""
    return Message(paragraphs(sentence, greeting.text), greeting.keyboard)


def hint() -> Message:
    """To somebody who chats."""
    return Message(say("settings.welcome.hint"))
