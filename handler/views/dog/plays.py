"""The choice of a play: a card, two events, the value wanted, the token movement, a confirmation (rules 1 to 4).

The half-made play travels in the menu's place, in the notation of plays as far as it has come: ``5``, ``5x``, ``5xb``,
``5xb3``, and with ``5xb3wcr`` it is whole. ``ready`` asks whether to play no card. A place that no press leads to shows
the top.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup

from engine.dog.events import LETTERS, ORDER, Card, Event
from engine.dog.moves import Move, Play, Withdraw
from engine.dog.notation import write as notation
from engine.dog.view import PlayOptions, View
from handler.buttons import Verb
from handler.frame import Frame
from handler.message import Button, Message
from handler.views.dog.terms import event, movement, played
from handler.views.layout import lines, paragraphs, press, rows
from handler.words import plain, say

_READY: Final = "ready"
_PLACE: Final = re.compile(r"([1-7])([xcrmb]{0,2})([1-7]?)(-|[wl][crm]{2}|)")
_EVENTS: Final = {letter: each for each, letter in LETTERS.items()}


@dataclass(frozen=True)
class _Half:
    """A play as far as it has come. ``moved`` is the notation of its movement, None while nothing is said of it."""

    card: Card
    events: tuple[Event, ...] = ()
    gain: Card | None = None
    moved: str | None = None

    @property
    def place(self) -> str:
        """The menu's place where it goes on."""
        gain = "" if self.gain is None else str(self.gain)
        return f"{self.card}{''.join(LETTERS[each] for each in self.events)}{gain}{self.moved or ''}"

    @property
    def wants_value(self) -> bool:
        return len(self.events) == 2 and Event.EXCHANGE_STORE in self.events and self.gain is None

    @property
    def wants_movement(self) -> bool:
        bribes = len(self.events) == 2 and Event.BRIBING_THE_DOG in self.events
        return bribes and not self.wants_value and self.moved is None

    def back(self) -> str:
        """The place one step before."""
        if self.moved is not None:
            return replace(self, moved=None).place
        if self.gain is not None:
            return replace(self, gain=None).place
        return replace(self, events=self.events[:-1]).place


def made(sealed: Move | None) -> Markup:
    """The play that counts; silence is none."""
    if isinstance(sealed, Play):
        return say("dog.round.played", play=played(sealed))
    return say("dog.round.nothing")


def settled(frame: Frame, sealed: Move | None) -> Markup:
    """The play of a player who is ready, or what counted once the round is over."""
    if not frame.closed:
        return made(sealed)
    return lines(say("notes.silent.phase" if frame.silent else "dog.round.counted"), made(sealed))


def empty(frame: Frame) -> Markup:
    """As ``settled``, for a player without cards."""
    return lines(say("dog.round.counted"), made(None)) if frame.closed else say("dog.round.empty_ready")


def choice(frame: Frame, view: View, offered: PlayOptions, sealed: Move | None, menu: str) -> Message:
    """The page at the menu's place."""
    if menu == _READY and not isinstance(sealed, Play):
        return _no_card(frame)
    half = _read(menu, offered)
    if half is None:
        return _top(frame, view, offered, sealed)
    if len(half.events) < 2:
        page = _events(frame, view, offered, half)
    elif half.wants_value:
        page = _values(frame, offered, half)
    elif half.wants_movement:
        page = _movements(frame, offered, half)
    else:
        page = _confirm(frame, offered, half)
    return Message(paragraphs(_standing(sealed), page.text), page.keyboard)


def _read(menu: str, offered: PlayOptions) -> _Half | None:
    """The half-made play at a place, None where there is none that the options allow."""
    found = _PLACE.fullmatch(menu)
    if found is None or int(found[1]) not in offered.cards:
        return None
    half = _Half(int(found[1]), tuple(_EVENTS[letter] for letter in found[2]))
    if list(half.events) != sorted(set(half.events), key=ORDER.__getitem__) or not set(half.events) <= {
        *offered.events
    }:
        return None
    if found[3]:
        if not half.wants_value or int(found[3]) not in dict(offered.values)[half.card]:
            return None
        half = replace(half, gain=int(found[3]))
    if found[4]:
        if not half.wants_movement or found[4] not in {moved for moved, _ in _ways(offered, half)}:
            return None
        half = replace(half, moved=found[4])
    return half


def _ways(offered: PlayOptions, half: _Half) -> list[tuple[str, Play]]:
    """Every play that a half-made one can still become by its movement, with the movement's notation."""
    one, other = half.events
    whole = [Play(half.card, (one, other), half.gain, moved) for moved in (*offered.movements, None)]
    start = replace(half, moved=None).place
    return [(notation(play).removeprefix(start), play) for play in whole]


def _whole(offered: PlayOptions, half: _Half) -> Play:
    if half.moved is not None:
        return dict(_ways(offered, half))[half.moved]
    one, other = half.events
    return Play(half.card, (one, other), half.gain)


def _standing(sealed: Move | None) -> Markup:
    """What counts while the player looks for something else: a confirmed play stays until another is confirmed."""
    if isinstance(sealed, Play):
        return say("dog.round.standing", play=played(sealed))
    return say("dog.round.standing_none")


def _top(frame: Frame, view: View, offered: PlayOptions, sealed: Move | None) -> Message:
    held = Counter(view.hand)
    cards = [press(frame, Verb.MENU, str(card), _card(card, held[card])) for card in offered.cards]
    if not isinstance(sealed, Play):
        none = press(frame, Verb.MENU, _READY, plain("dog.panel.ready"))
        return Message(lines(made(sealed), say("dog.round.ask")), (*rows(cards, 4), (none,)))
    ready = press(frame, Verb.LOCK, "", plain("dog.panel.ready"))
    withdraw = press(frame, Verb.SEAL, notation(Withdraw()), plain("dog.round.withdraw"))
    return Message(lines(made(sealed), say("dog.round.ask_again")), (*rows(cards, 4), (withdraw,), (ready,)))


def _no_card(frame: Frame) -> Message:
    """Whoever has cards and is ready without a play is asked once: the next round's panel may open under a finger that
    has just pressed Ready. For the same reason the way back stands last, where Ready was. To play no card on purpose is
    sealed as such, so that it is not taken for silence.
    """
    confirm = press(frame, Verb.FINAL, notation(Withdraw()), plain("dog.round.no_card_button"))
    back = press(frame, Verb.MENU, "", plain("dog.panel.back"))
    return Message(say("dog.round.no_card"), ((confirm,), (back,)))


def _card(card: Card, number: int) -> str:
    """Each value once, with how many of it are in the hand."""
    return str(card) if number == 1 else plain("dog.round.card", card=card, n=number)


def _events(frame: Frame, view: View, offered: PlayOptions, half: _Half) -> Message:
    """The five events: a first press ticks one, a second on the same takes it back, one on another goes on."""
    if half.events:
        text = say("dog.round.second", card=half.card, event=event(half.events[0]))
    else:
        # Explained once: later it would only push the hand and the tokens off a phone's screen.
        explained = map(_does, offered.events) if view.board.round == 1 else ()
        text = lines(say("dog.round.events", card=half.card), *explained)
    toggles = [_toggle(frame, half, each) for each in offered.events]
    other = press(frame, Verb.MENU, "", plain("dog.round.other_card"))
    return Message(text, (*rows(toggles, 2), (other,)))


def _does(each: Event) -> Markup:
    return say("dog.round.event", event=event(each), does=say(f"dog.does.{each.value}"))


def _toggle(frame: Frame, half: _Half, each: Event) -> Button:
    events = tuple(sorted({*half.events} ^ {each}, key=ORDER.__getitem__))
    return press(frame, Verb.MENU, replace(half, events=events).place, event(each), ticked=each in half.events)


def _values(frame: Frame, offered: PlayOptions, half: _Half) -> Message:
    one, other = map(event, half.events)
    values = [
        press(frame, Verb.MENU, replace(half, gain=value).place, str(value))
        for value in dict(offered.values)[half.card]
    ]
    text = say("dog.round.value", card=half.card, one=one, other=other)
    return Message(text, (*rows(values, 5), (_back(frame, half),)))


def _movements(frame: Frame, offered: PlayOptions, half: _Half) -> Message:
    """One row a movement: their names are long."""
    ways = [
        (
            press(
                frame,
                Verb.MENU,
                replace(half, moved=moved).place,
                plain("dog.round.move_nothing") if play.movement is None else movement(play.movement),
            ),
        )
        for moved, play in _ways(offered, half)
    ]
    one, other = half.events
    text = say("dog.round.movement", play=_so_far(half, one, other))
    return Message(text, (*ways, (_back(frame, half),)))


def _so_far(half: _Half, one: Event, other: Event) -> str:
    """A bribe before its movement."""
    store = plain("dog.play.store", event=event(one), gain=half.gain) if half.gain is not None else event(one)
    return plain("dog.play.whole", card=half.card, one=store, other=event(other))


def _confirm(frame: Frame, offered: PlayOptions, half: _Half) -> Message:
    play = _whole(offered, half)
    return Message(
        say("dog.round.confirm", play=played(play)),
        (
            (press(frame, Verb.SEAL, notation(play), plain("dog.round.seal")),),
            (press(frame, Verb.FINAL, notation(play), plain("dog.round.seal_ready")),),
            (_back(frame, half),),
        ),
    )


def _back(frame: Frame, half: _Half) -> Button:
    return press(frame, Verb.MENU, half.back(), plain("dog.panel.back"))
