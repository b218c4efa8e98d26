"""The table of everything that was played, short enough for one message (rule 14)."""

from __future__ import annotations

from markupsafe import Markup

from engine.dog.events import PLAYERS, Event
from engine.dog.facts import Published
from engine.dog.moves import Play
from engine.game import Player
from handler.frame import Frame
from handler.views.dog.terms import amounts, who
from handler.views.layout import lines, paragraphs
from handler.words import plain, say


def published(frame: Frame, fact: Published) -> Markup:
    """Each player's VP by event and plays by round, in table order; folded, so as not to bury the judgement."""
    players = (_player(frame, fact, player) for player in PLAYERS)
    table = paragraphs(*players, say("dog.published.legend"))
    return lines(say("dog.published.head"), say("dog.published.table", table=table))


def _player(frame: Frame, fact: Published, player: Player) -> Markup:
    rounds = (
        plain("dog.published.round", round=number, play=_short(plays[player]))
        for number, plays in enumerate(fact.plays, 1)
    )
    head = say("dog.published.player", name=who(frame, player), points=amounts(fact.points[player]))
    return lines(head, Markup.escape(" · ".join(rounds)))


def _short(play: Play | None) -> str:
    """A play in a few letters."""
    if play is None:
        return plain("dog.published.nothing")
    one, other = (_used(play, each) for each in play.events)
    return plain("dog.published.play", card=play.card, one=one, other=other)


def _used(play: Play, each: Event) -> str:
    if each is Event.EXCHANGE_STORE and play.gain is not None:
        return plain("dog.published.store", event=_letter(each), gain=play.gain)
    if each is Event.BRIBING_THE_DOG:
        return plain("dog.published.bribe", event=_letter(each), movement=_moved(play))
    return _letter(each)


def _moved(play: Play) -> str:
    moved = play.movement
    if moved is None:
        return plain("dog.published.nothing")
    return plain(f"dog.published.moved.{moved.token}", origin=_letter(moved.origin), goal=_letter(moved.goal))


def _letter(event: Event) -> str:
    return plain(f"dog.letter.{event.value}")
