"""Pictures in a pass of telling: shown quietly, in the place of the one of the same scene. A nicety: whatever becomes
of one, the rest is told.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from handler.errands import Errand
from handler.logs import kind
from handler.message import Message
from handler.picture import Illustration
from handler.ports import Forbidden, MessageLost, NotSent, Place, Refused, Uncertain
from handler.screens import GROUP, STORY, Shown
from handler.teller import Teller

log = logging.getLogger(__name__)

TRIES: Final = 3
"""Attempts in a row at one picture, after which it is given up: one that each time takes too long may have come each
time.
"""

Failure = NotSent | Uncertain

Call = Callable[..., Errand[Any]]
"""Makes a call to an address: a method of Telegram, and what it is given."""


def is_due(teller: Teller, address: str, chat: int, wanted: Illustration | None) -> bool:
    """Whether an address shows another picture than it should. One that could not be shown is not tried again, nor
    another of its scene.
    """
    if wanted is None:
        return False
    old = teller.telling.pictures.get(address)
    if old is None or is_new(teller, address, chat, wanted):
        return True
    return old.message is not None and old.digest != _digest(wanted)


def is_new(teller: Teller, address: str, chat: int, wanted: Illustration) -> bool:
    """Whether a picture is of another scene than the one that an address shows, so that it comes in a new message."""
    old = teller.telling.pictures.get(address)
    return old is None or (old.chat, old.scene) != (chat, wanted.scene)


def show(teller: Teller, address: str, place: Place, wanted: Illustration | None, call: Call) -> Errand[Failure | None]:
    """Show a picture if it is due. Returns the failure after which it is to be tried again, when the rest is told.

    Raises what else the call raises: it would befall the rest too. A picture is given up if Telegram refuses it, if it
    cannot be drawn, or if it has failed too often.
    """
    if wanted is None or not is_due(teller, address, place.chat, wanted):
        return None
    old = teller.telling.pictures.get(address)
    message = old.message if old is not None and (old.chat, old.scene) == (place.chat, wanted.scene) else None
    picture = yield partial(_drawn, teller, wanted)  # like a call: it is slow, and others go on meanwhile
    if picture is not None:
        try:
            message = yield from _put(teller, place, message, picture, Message(wanted.caption), call)
        except (Refused, Forbidden) as error:
            teller.give_up(error)
            if address in (GROUP, STORY):
                teller.telling = replace(teller.telling, photos=False)
        except (NotSent, Uncertain) as error:
            if teller.telling.failures + 1 < TRIES:
                return error
            teller.give_up(error)
    shown = Shown(place.chat, message, wanted.scene, _digest(wanted))
    teller.telling = replace(teller.telling, pictures={**teller.telling.pictures, address: shown})
    return None


def _put(
    teller: Teller, place: Place, message: int | None, picture: bytes, caption: Message, call: Call
) -> Errand[int]:
    """Put a picture into a message, or into a new one if there is none any more. Returns the message's id."""
    telegram = teller.ports.telegram
    if message is not None:
        try:
            yield from call(telegram.edit_photo, place.chat, message, picture, caption)
            return message
        except MessageLost:
            pass
    sent: int = yield from call(telegram.photo, place, picture, caption, quiet=True)
    return sent


def _drawn(teller: Teller, wanted: Illustration) -> bytes | None:
    """The picture; None if it cannot be drawn, which is a fault of ours and holds nothing up."""
    try:
        return teller.ports.draw(wanted.drawing)
    except Exception as error:
        about = {"match": teller.item.id, "phase": teller.match.number}
        log.exception("a picture cannot be drawn", extra={**about, **kind(error)})
        return None


def _digest(wanted: Illustration) -> str:
    shown = repr((wanted.drawing, str(wanted.caption)))
    return hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()[:12]
