"""How Dog's Judgement is put into words wherever it is shown: players, events, tokens, cards, points, plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from engine.dog.events import VP_EVENTS, Card, Event, Movement, Points, Tokens
from engine.dog.moves import Play
from engine.dog.view import Board
from engine.game import Player
from handler.frame import Frame
from handler.views.layout import cleaned, isolated, lines
from handler.words import plain, say


def who(frame: Frame, player: Player) -> str:
    """A player's name, with the seat where others go by the same one. Not escaped yet."""
    shown = Counter(cleaned(name) for name in frame.names)
    name = isolated(frame.names[player])
    if shown[cleaned(frame.names[player])] == 1:
        return name
    return plain("dog.who.same", name=name, seat=player + 1)


def people(frame: Frame, players: Iterable[Player]) -> str:
    """Players by name, in table order whatever order they came in. Not escaped yet."""
    return ", ".join(who(frame, player) for player in sorted(players))


def event(event: Event) -> str:
    """An event's name."""
    return plain(f"dog.event.{event.value}")


def place(board: Board) -> Markup:
    """Where in the match we are."""
    match board.stage:
        case "pregame":
            return say("dog.place.pregame")
        case "round":
            return say("dog.place.round", round=board.round)
        case "choice":
            return say("dog.place.choice")
        case "over":
            return say("dog.place.over")


def table(board: Board) -> Markup:
    """The tower and the tokens: what bears on everybody's next play."""
    tokens = (say("dog.tokens.line", event=event(each), tokens=lying(board.tokens, each)) for each in VP_EVENTS)
    return lines(say("dog.tower.level", level=board.level), *tokens)


def lying(tokens: Tokens, event: Event) -> Markup:
    """The tokens on one event."""
    number = tokens.on(event)
    if tokens.lose is event:
        return say("dog.tokens.both", n=number) if number else say("dog.tokens.lose")
    return say("dog.tokens.win", n=number) if number else say("dog.tokens.none")


def mine(hand: Sequence[Card], points: tuple[Points, Points, Points]) -> Markup:
    """What one player holds: the hand, and the VP by event."""
    cards = say("dog.mine.hand", cards=", ".join(map(str, hand))) if hand else say("dog.mine.no_hand")
    return lines(cards, say("dog.mine.points", points=amounts(points)))


def amounts(numbers: tuple[int, int, int]) -> str:
    """A number for each VP event, in their order."""
    pairs = zip(VP_EVENTS, numbers, strict=True)
    return " · ".join(plain("dog.mine.amount", event=event(each), points=number) for each, number in pairs)


def movement(movement: Movement) -> str:
    """A token movement, as a button and a play name it."""
    return plain(f"dog.movement.{movement.token}", origin=event(movement.origin), goal=event(movement.goal))


def played(play: Play) -> str:
    """A play in one breath, the value wanted and the movement in brackets. Not escaped yet."""
    one, other = (_used(play, each) for each in play.events)
    return plain("dog.play.whole", card=play.card, one=one, other=other)


def _used(play: Play, each: Event) -> str:
    if each is Event.EXCHANGE_STORE and play.gain is not None:
        return plain("dog.play.store", event=event(each), gain=play.gain)
    if each is Event.BRIBING_THE_DOG:
        moved = plain("dog.play.moving_nothing") if play.movement is None else movement(play.movement)
        return plain("dog.play.bribe", event=event(each), movement=moved)
    return event(each)
