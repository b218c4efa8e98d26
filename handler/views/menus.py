"""Every command in one table, from which the menus of Telegram and the page of ``/help`` are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from markupsafe import Markup

from handler.message import Message
from handler.views.layout import lines, paragraphs
from handler.words import plain, say

Audience = Literal["private", "groups", "administrators"]
"""Who is shown a menu: people in private, in groups, and the administrators of groups."""

AUDIENCES: Final[tuple[Audience, ...]] = ("private", "groups", "administrators")

Menu = tuple[tuple[str, str], ...]
"""Commands without their slash, and what each does."""


@dataclass(frozen=True)
class Entry:
    """A command, the part of ``/help`` it stands in, and whether the menus of private chats and of groups hold it. What
    only a host or an administrator may do stands in the part ``host``, and in no menu but the administrators'.
    """

    name: str
    part: Literal["play", "know", "host", "self"]
    private: bool
    groups: bool


_NEW: Final = Entry("new", "play", private=False, groups=True)
_OTHERS: Final = (
    Entry("practise", "play", private=True, groups=False),
    Entry("matches", "play", private=True, groups=True),
    Entry("resign", "play", private=True, groups=True),
    Entry("status", "know", private=False, groups=True),
    Entry("rules", "know", private=True, groups=True),
    Entry("notes", "know", private=True, groups=True),
    Entry("history", "know", private=True, groups=True),
    Entry("stats", "know", private=True, groups=True),
    Entry("top", "know", private=False, groups=True),
    Entry("pick", "host", private=False, groups=True),
    Entry("pause", "host", private=False, groups=True),
    Entry("resume", "host", private=False, groups=True),
    Entry("extend", "host", private=False, groups=True),
    Entry("replace", "host", private=False, groups=True),
    Entry("cancel", "host", private=False, groups=True),
    Entry("language", "self", private=True, groups=True),
    Entry("forget", "self", private=True, groups=False),
    Entry("help", "self", private=True, groups=True),
)


def entries(games: Sequence[str]) -> tuple[Entry, ...]:
    """Every command but ``/start``, in the order of the menus; each game's key is one, which opens a lobby of it."""
    return (_NEW, *(Entry(game, "play", private=False, groups=True) for game in games), *_OTHERS)


def menu(audience: Audience, games: Sequence[str]) -> Menu:
    """The menu of an audience (setMyCommands)."""
    return tuple((entry.name, _does(entry.name, games)) for entry in entries(games) if _is_in(entry, audience))


def help_page(games: Sequence[str]) -> Message:
    """What the bot understands."""
    parts = (
        _part(say("settings.help.play"), "play", games),
        _part(say("settings.help.know"), "know", games),
        _part(say("settings.help.host"), "host", games),
        _part(say("settings.help.self"), "self", games),
    )
    return Message(paragraphs(say("settings.help.head"), *parts, say("settings.help.buttons")))


def _part(head: Markup, part: str, games: Sequence[str]) -> Markup:
    told = (
        say("settings.help.line", command=entry.name, does=_does(entry.name, games))
        for entry in entries(games)
        if entry.part == part
    )
    return lines(head, *told)


def _is_in(entry: Entry, audience: Audience) -> bool:
    if audience == "private":
        return entry.private
    return entry.groups and (audience == "administrators" or entry.part != "host")


def _does(name: str, games: Sequence[str]) -> str:
    if name in games:
        return plain("settings.command.game", game=plain(f"lobby.name.{name}"))
    return plain(f"settings.command.{name}")
