"""A call of the host's typed in private: it belongs where the match is."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from handler.codec import read_match
from handler.logs import kind
from handler.message import Message
from handler.ports import StoreRefused, StoreUnavailable
from handler.profiles import profile
from handler.table import Ports
from handler.unknown import leaving_alone
from handler.updates import Command, Who
from handler.views import calls as words
from handler.words import say


def nothing_here(ports: Ports, command: Command) -> Message:
    """The answer where nothing is played: in private the way to where something is, for whoever hosts or plays it."""
    titles = tuple(dict.fromkeys(_titles(ports, command.who))) if command.private else ()
    return words.elsewhere(titles) if titles else Message(say("table.reply.nothing_here"))


def _titles(ports: Ports, who: Who) -> Iterator[str]:
    """The groups with an open match in which somebody plays, or that they host in a group where they were seen."""
    for id in dict.fromkeys((*ports.store.of_person(who.id), *_seen(ports, who))):
        with leaving_alone(id):
            item = ports.store.load(id)
            match = None if item is None else read_match(id, item.body)
            is_open = match is not None and match.stage in ("lobby", "playing") and match.place.chat < 0
            if match is not None and is_open and (match.host == who.id or match.player(who.id) is not None):
                yield match.title


def _seen(ports: Ports, who: Who) -> Iterator[str]:
    try:
        groups = profile(ports, who.id).groups
    except (StoreUnavailable, StoreRefused) as error:
        logging.getLogger(__name__).warning("a profile was not read", extra=kind(error))
        return
    for group in groups:
        yield from ports.store.in_chat(group.chat)
