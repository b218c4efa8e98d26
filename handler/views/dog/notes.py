"""A player's notebook of Dog's Judgement, round by round: what they played and got, and what everybody heard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from engine.dog.events import VP_EVENTS
from engine.dog.facts import RoundResolved, RoundTold
from engine.game import Player
from handler.frame import Chapter, Frame, News, Notes
from handler.views.dog.terms import amounts, event, mine, people, played
from handler.views.layout import lines, listed
from handler.words import plain, say


def notes(player: Player, news: Sequence[News]) -> Notes:
    """The latest round first, under what the player holds since then."""
    rounds: dict[int, list[Markup]] = {}
    now: Markup | None = None
    for each in news:
        for fact in each.facts:
            match fact:
                case RoundTold(round=round_):
                    rounds.setdefault(round_, []).insert(0, _own(fact, silent=player in each.silent))
                    now = mine(fact.hand, fact.points)
                case RoundResolved(round=round_):
                    rounds.setdefault(round_, []).append(_public(each.frame, fact))
                case _:
                    continue
    chapters = [
        Chapter(str(number), plain("notes.tab.round", round=number), (lines(*rounds[number]),))
        for number in sorted(rounds, reverse=True)
    ]
    if now is not None:
        chapters.insert(0, Chapter("now", plain("notes.tab.now"), (now,)))
    return Notes(tuple(chapters))


def _own(told: RoundTold, *, silent: bool) -> Markup:
    """The player's own round."""
    if told.play is not None:
        head = say("notes.dog.played", play=played(told.play))
    else:
        head = say("notes.dog.silent" if silent else "notes.dog.nothing")
    scored = say("notes.dog.scored", points=amounts(told.scored)) if any(told.scored) else None
    gained = None if told.gained is None else say("notes.dog.gained", card=told.gained)
    return lines(head, scored, gained)


def _public(frame: Frame, fact: RoundResolved) -> Markup:
    """What everybody heard (rule 9)."""
    return lines(
        say("notes.dog.scorers", scorers=listed(_scorers(frame, fact)))
        if any(fact.scored)
        else say("notes.dog.nobody"),
        say("notes.dog.table", level=fact.level, moved=_moved(fact)),
    )


def _scorers(frame: Frame, fact: RoundResolved) -> Iterator[Markup]:
    for each, scorers in zip(VP_EVENTS, fact.scored, strict=True):
        if scorers:
            yield say("notes.dog.scorer", event=event(each), names=people(frame, scorers))


def _moved(fact: RoundResolved) -> Markup:
    if fact.moved is None:
        return say("dog.announce.unmoved")
    return say(f"dog.moved.{fact.moved.token}", origin=event(fact.moved.origin), goal=event(fact.moved.goal))
