"""What the group is told in a pass: announcements, pictures, the board, the record file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from handler import people, places
from handler.buttons import MatchPress, read
from handler.errands import Errand
from handler.events import events
from handler.exporting import record_file
from handler.match import Match
from handler.message import Button, Message
from handler.picture import Illustration
from handler.picture_telling import Failure, is_due, show
from handler.picturing import illustration, main_story
from handler.ports import Forbidden, MessageLost, NotSent, Refused, TooFast, Uncertain
from handler.practice_telling import in_turn
from handler.rates import WINDOW, free_at
from handler.screening import board, old_board
from handler.screens import GROUP, STORY, Screen, digest
from handler.table import Outcome
from handler.teller import Later, Teller
from handler.views.calls import CALLS

ROOM_TO_SPARE: Final = 4
"""Calls to the group that must still be possible at once for a nicety: an old board without its deadline, or a
picture, after which the old board is closed, the new one sent, and something announced.
"""

ROOM_FOR_A_PIN: Final = 3
"""As many for a pin, after which something can be announced and a board follow. The end of a round of Dog's Judgement
takes four calls of the seven that may be made at once: with more to spare than this its boards would never be pinned.
"""


def tell_group(teller: Teller) -> Errand[None]:
    """Tell the group, unless the bot is out of it. Raises Conflict if the lease is lost, StoreUnavailable."""
    match = teller.match
    alone = match.player(match.place.chat)
    host = None if alone is None else match.seats[alone]
    if not match.gone and (host is None or host.reachable):
        yield from teller.guard(GROUP, partial(_tell, teller), partial(_lose_place, teller))


def _lose_place(teller: Teller) -> Sequence[Outcome[Any] | None]:
    """The bot is out of the group. A practice match only waits for its person to come back; a lobby does not."""
    chat = teller.match.place.chat
    if chat > 0 and teller.match.stage != "lobby":
        return [people.lose(teller.ports, teller.item.id, chat)]
    return [places.remove(teller.ports, teller.item.id)]


def _tell(teller: Teller) -> Errand[None]:
    send = partial(_call, teller, partial(_send, teller))
    alone = teller.match.player(teller.match.place.chat)
    if alone is not None:
        told = {address: teller.telling.at(address) for address in (GROUP, str(alone))}
        for address, run in in_turn(teller.match, alone, told):
            yield from teller.say(address, run, send)
    untold = events(teller.match, None, teller.telling.at(GROUP))
    yield from teller.announce(GROUP, untold, send)
    failure = yield from _pictures(teller)  # before the board, which stays lowest
    for part in (_board, _file, _pin) if failure else (_board, _file, _last_pictures, _pin):
        try:
            yield from part(teller)
        except (Refused, Forbidden) as error:
            teller.give_up(error)
    if failure is not None:
        raise failure


def _pictures(teller: Teller) -> Errand[Failure | None]:
    """Pictures are a nicety: without room to spare they wait until the group is told something else. Returns why one is
    to be tried again.
    """
    match, now = teller.match, teller.ports.clock.now()
    for address, wanted in _owed(teller):
        if is_due(teller, address, match.place.chat, wanted) and _free(teller, now, ROOM_TO_SPARE) <= now:
            failure = yield from show(teller, address, match.place, wanted, partial(_call, teller))
            if failure is not None:
                return failure
    return None


def _last_pictures(teller: Teller) -> Errand[None]:
    """After the end, when nothing else will be told, pictures for which there was no room wait for their turn."""
    match, now = teller.match, teller.ports.clock.now()
    if match.stage == "playing":
        return
    for address, wanted in _owed(teller):
        if is_due(teller, address, match.place.chat, wanted):
            free = _free(teller, now)
            if free > now:
                raise Later(free)  # before anything is drawn
            failure = yield from show(teller, address, match.place, wanted, partial(_call, teller))
            if failure is not None:
                raise failure


def _owed(teller: Teller) -> Iterator[tuple[str, Illustration]]:
    """The pictures that the group should see, by address. The story of an episode's main match is told even where the
    Death Match has begun in the same breath.
    """
    match = teller.match
    if not teller.telling.photos:
        return
    story, now = main_story(match), illustration(match, None)
    if story is not None:
        yield STORY, story
    if now is not None and (story is None or now.scene != story.scene):
        yield GROUP, now


def _board(teller: Teller) -> Errand[None]:
    match, old = teller.match, teller.telling.board
    scene, message = board(match, teller.ports.telegram.me().username)
    if old is not None and old.chat == match.place.chat:
        if old.scene == scene:
            if old.digest == digest(message) or (yield from _edit(teller, old.message, message)):
                shown = _screen(match, old.message, scene, message)
                teller.telling = replace(teller.telling, board=replace(shown, pinned=old.pinned))
                return
        else:
            yield from _close(teller, old)
    if match.record is not None and match.stage == "cancelled":
        return  # what it was cancelled on was the last board
    if match.stage == "over" and match.place.chat > 0:
        return  # in practice the end has just been announced, and nobody else comes to look
    sent = yield from _call(teller, partial(_send, teller), message, quiet=True)
    teller.telling = replace(teller.telling, board=_screen(match, sent, scene, message))


def _close(teller: Teller, old: Screen) -> Errand[None]:
    """Leave the board of an earlier scene as it was at the end, with nothing to press and no deadline."""
    closed = old_board(teller.match, old.scene)
    now = teller.ports.clock.now()
    if old.digest == digest(closed) or not (old.pressable or _free(teller, now, ROOM_TO_SPARE) <= now):
        return
    yield from _edit(teller, old.message, closed)
    teller.telling = replace(teller.telling, board=replace(old, pressable=False, digest=digest(closed)))


def _edit(teller: Teller, message_id: int, message: Message) -> Errand[bool]:
    """Show another text in the group's board; False if the board is lost. A text that Telegram refuses is given up:
    tried again, it would only take the place of other calls.
    """
    try:
        yield from _call(teller, teller.ports.telegram.edit, teller.match.place.chat, message_id, message)
    except MessageLost:
        return False
    except (Refused, Forbidden) as error:
        teller.give_up(error)
    return True


def _send(teller: Teller, message: Message, *, quiet: bool = False) -> int:
    return teller.ports.telegram.send(teller.match.place, message, quiet=quiet)


def _pin(teller: Teller) -> Errand[None]:
    """Pinning is a nicety: without room to spare it waits until the group is told something else, and it is not tried
    again in a group that does not allow it. After the end, when nothing else will be told, it waits for its turn.
    """
    match, board, now = teller.match, teller.telling.board, teller.ports.clock.now()
    if match.stage not in ("playing", "over") or board is None or board.pinned or board.chat > 0:
        return
    free = _free(teller, now, ROOM_FOR_A_PIN if match.stage == "playing" else 1)
    if not teller.telling.pins or (match.stage == "playing" and (free > now or not teller.spoke)):
        return
    if free > now:
        raise Later(free)
    teller.telling = replace(teller.telling, board=replace(board, pinned=True))
    try:
        yield from _call(teller, teller.ports.telegram.pin, board.chat, board.message)
    except (Forbidden, Refused, MessageLost):
        teller.telling = replace(teller.telling, pins=False)
    except TooFast as error:
        teller.hold(GROUP, error)
    except (NotSent, Uncertain) as error:
        teller.give_up(error)


def _file(teller: Teller) -> Errand[None]:
    match = teller.match
    if match.record is None or match.stage == "playing" or teller.telling.filed:
        return
    name, content, caption = record_file(match)
    yield from _call(teller, teller.ports.telegram.document, match.place, name, content, caption)
    teller.telling = replace(teller.telling, filed=True)


def _free(teller: Teller, now: float, calls: int = 1) -> float:
    """When that many more calls may be made to the group, ``now`` at the earliest."""
    chat = teller.match.place.chat
    held = teller.telling.holds.get(GROUP, now)
    if chat > 0:
        return max(held, now)
    # Most calls stand in both lists, and several may have been made at the same reading of the clock.
    times = Counter(teller.telling.sent) | Counter(teller.ports.rates.times(chat, now))
    return max(held, free_at(times.elements(), now, calls))


def _call(teller: Teller, call: Callable[..., Any], *args: Any, **options: Any) -> Errand[Any]:
    """Make a call to the group if its rate allows one now, else raise Later."""
    chat, now = teller.match.place.chat, teller.ports.clock.now()
    free = _free(teller, now)
    if free > now:
        raise Later(free)
    if chat < 0:
        teller.ports.rates.note(chat, now)
        recent = tuple(time for time in teller.telling.sent if time > now - WINDOW)
        teller.telling = replace(teller.telling, sent=(*recent, now))
    teller.spoke = True
    return (yield partial(call, *args, **options))


def _goes(button: Button) -> bool:
    """Whether a button must go when the next scene begins: not the one to the host's calls, which stays right."""
    press = None if button.data is None else read(button.data)
    return press is not None and not (isinstance(press, MatchPress) and press.act == CALLS)


def _screen(match: Match, message_id: int, scene: str, message: Message) -> Screen:
    pressable = any(_goes(button) for row in message.keyboard for button in row)
    return Screen(match.place.chat, message_id, scene, digest(message), pressable)
