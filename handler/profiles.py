"""What is kept of a person or a chat from one match to the next: the language they chose, their name as last seen, and
of a person the groups they were seen in. A profile is a nicety: where the store does not answer, nobody waits for it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from handler.logs import kind
from handler.ports import Place, StoreRefused, StoreUnavailable
from handler.table import Busy, Ports
from handler.updates import Who
from handler.words import LANGUAGES

log = logging.getLogger(__name__)

ATTEMPTS: Final = 5
"""How often a profile is changed anew because somebody was faster."""

GROUPS_MOST: Final = 10
"""Groups that are remembered of a person; beyond them the one that was noted first is forgotten."""


@dataclass(frozen=True)
class Seen:
    """A group that somebody was seen in: its id, and its title then."""

    chat: int
    title: str


@dataclass(frozen=True)
class Profile:
    """``language`` is the one they chose (of LANGUAGES), None for none. ``groups`` are a person's, the latest first.
    ``hinted`` is when somebody who only chats with the bot was last told what it understands (Unix seconds; 0: never).
    """

    language: str | None = None
    name: str = ""
    groups: tuple[Seen, ...] = ()
    hinted: float = 0.0


def profile(ports: Ports, id: int) -> Profile:
    """The profile of a person or a chat. Raises StoreUnavailable, StoreRefused."""
    return _read(ports.people.profile(id))


def amend(ports: Ports, id: int, change: Callable[[Profile], Profile]) -> Profile:
    """Change a profile, and write it only if that changes anything. Raises Busy, StoreUnavailable, StoreRefused."""
    for _ in range(ATTEMPTS):
        was = ports.people.profile(id)
        before = _read(was)
        after = change(before)
        if after == before or ports.people.keep_profile(id, _write(after), was):
            return after
    raise Busy(f"{id}")


def meet(ports: Ports, who: Who, place: Place | None = None, title: str = "") -> Who:
    """Somebody used the bot, in a group if ``place`` is one: their name and the group are noted. They come back as they
    are to be spoken to: in the language they chose, else in their app's.
    """

    def noted(before: Profile) -> Profile:
        seen = before if place is None or place.chat > 0 else _seen(before, Seen(place.chat, title))
        return replace(seen, name=who.name)

    try:
        found = amend(ports, who.id, noted)
    except (Busy, StoreUnavailable, StoreRefused) as error:
        log.warning("a profile was not kept", extra=kind(error))
        return who
    return replace(who, language=found.language or who.language)


def parted(ports: Ports, user: int, chat: int) -> None:
    """Somebody is no longer in a group, so it is none of theirs to be shown any more."""
    try:
        amend(ports, user, lambda before: replace(before, groups=_without(before.groups, chat)))
    except (Busy, StoreUnavailable, StoreRefused) as error:
        log.warning("a profile was not kept", extra=kind(error))


def chosen(ports: Ports, chat: int) -> str | None:
    """The language that was chosen for a chat; None if none was, or the store does not say."""
    try:
        return profile(ports, chat).language
    except (StoreUnavailable, StoreRefused) as error:
        log.warning("a profile was not read", extra=kind(error))
        return None


def _seen(before: Profile, group: Seen) -> Profile:
    """The profile with a group in it. One that is there already keeps its place, or each command would be a write."""
    if group in before.groups:
        return before
    return replace(before, groups=(group, *_without(before.groups, group.chat))[:GROUPS_MOST])


def _without(groups: tuple[Seen, ...], chat: int) -> tuple[Seen, ...]:
    return tuple(each for each in groups if each.chat != chat)


def _read(text: str | None) -> Profile:
    data = {} if text is None else json.loads(text)
    language = data.get("language")
    return Profile(
        language=language if language in LANGUAGES else None,
        name=data.get("name", ""),
        groups=tuple(Seen(chat, title) for chat, title in data.get("groups", ())),
        hinted=data.get("hinted", 0.0),
    )


def _write(kept: Profile) -> str:
    data = {
        "language": kept.language,
        "name": kept.name,
        "groups": [[each.chat, each.title] for each in kept.groups],
        "hinted": kept.hinted,
    }
    return json.dumps({key: value for key, value in data.items() if value}, ensure_ascii=False, separators=(",", ":"))
