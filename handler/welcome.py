"""The first minute: what the bot says when it comes into a group, when somebody opens its private chat, and, now and
then, to somebody who only chats with it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from engine.games import GAMES
from handler.logs import kind
from handler.match import Match
from handler.message import Message
from handler.opening import link
from handler.places import is_gone
from handler.ports import Forbidden, Migrated, Place, StoreRefused, StoreUnavailable, TelegramError
from handler.profiles import Profile, amend, chosen, meet, profile
from handler.replies import reply
from handler.table import Busy, Ports, change, keep
from handler.telling import settle
from handler.unknown import leaving_alone
from handler.updates import ANONYMOUS_ADMIN, Added, Who
from handler.views import talk
from handler.views import welcome as words
from handler.words import speaking

log = logging.getLogger(__name__)

LOBBIES_MOST: Final = 5
"""Open lobbies that a greeting lists."""

HINT_SECONDS: Final = 3600.0
"""Whoever only chats with the bot is told what it understands at most once in this time."""


def greet(ports: Ports, added: Added) -> None:
    """Introduce the bot to a group, in the language of whoever added it. Where it may not write, that person is told in
    private what to allow, if they can be told. What is only nice to have (pinning, pictures) is not asked for.
    """
    named = added.who.id != ANONYMOUS_ADMIN
    who = meet(ports, added.who, added.place, added.title) if named else added.who
    with speaking(chosen(ports, added.place.chat) or who.language):
        heard = added.may_write and _introduce(ports, added.place)
    if named and not heard:
        with speaking(who.language):
            reply(ports, Place(who.id), words.may_not_write(added.title))


def _introduce(ports: Ports, place: Place) -> bool:
    """Say who the bot is; False if the group forbids it to write."""
    if not ports.rates.admit(place.chat, ports.clock.now()):
        return True
    try:
        ports.telegram.send(place, talk.group_greeting(tuple(GAMES)))
    except Forbidden:
        return False
    except Migrated as migrated:
        return _introduce(ports, Place(migrated.chat))
    except TelegramError as error:
        log.warning("a greeting was not delivered", extra=kind(error))
    return True


def private_greeting(ports: Ports, who: Who) -> Message:
    """Who the bot is, what can be done here, and which lobbies somebody could join where they were seen."""
    greeting = talk.private_greeting(who.name, ports.telegram.me().username, tuple(GAMES))
    return words.with_lobbies(greeting, list(islice(_lobbies(ports, who), LOBBIES_MOST)))


def hint(ports: Ports, who: Who) -> None:
    """Somebody wrote in private what is no command: say once what is understood, and nothing for a while after. Which
    of several messages is answered is decided where the profile is kept, so it is one, whatever process they come to.
    """
    now, due = ports.clock.now(), False

    def noted(before: Profile) -> Profile:
        nonlocal due
        due = now - before.hinted >= HINT_SECONDS
        return replace(before, hinted=now) if due else before

    try:
        kept = amend(ports, who.id, noted)
    except (Busy, StoreUnavailable, StoreRefused) as error:
        log.warning("a hint was not given", extra=kind(error))
        return
    if due:
        with speaking(kept.language or who.language):
            reply(ports, Place(who.id), words.hint())


def _lobbies(ports: Ports, who: Who) -> Iterator[tuple[str, str, str | None]]:
    """Lobbies with a free seat in the groups where somebody was seen and, as Telegram says, still is, as (game, title,
    link to the card), with whatever is due there done.
    """
    try:
        groups = profile(ports, who.id).groups
    except (StoreUnavailable, StoreRefused) as error:
        log.warning("a profile was not read", extra=kind(error))
        return
    for group in groups:
        gone: bool | None = None
        for id in ports.store.in_chat(group.chat):
            with leaving_alone(id):
                outcome = change(ports, id, keep)
                settle(ports, outcome)
                if outcome is not None and _may_join(outcome.match, who):
                    gone = is_gone(ports, group.chat, who.id) if gone is None else gone
                    if not gone:
                        yield outcome.match.game, outcome.match.title, link(outcome)


def _may_join(match: Match, who: Who) -> bool:
    return match.stage == "lobby" and None in match.seats and match.player(who.id) is None
