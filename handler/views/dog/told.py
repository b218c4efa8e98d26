"""What becomes known in Dog's Judgement, worded from the fact alone: for the group, and for one player."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from engine.dog.events import VP_EVENTS, Event, Movement
from engine.dog.facts import (
    CandidateNamed,
    Fact,
    Judgement,
    NoDeathMatch,
    OpponentNamed,
    Published,
    RoundResolved,
    RoundTold,
)
from handler.frame import Frame
from handler.views.dog.judged import judgement
from handler.views.dog.published import published
from handler.views.dog.terms import amounts, event, mine, people, played, who
from handler.views.layout import isolated, lines
from handler.words import say


def announce(frame: Frame, fact: Fact) -> Markup | None:
    """A public fact for the group; None for what is not public."""
    match fact:
        case RoundResolved():
            return _round(frame, fact)
        case Judgement():
            return judgement(frame, fact)
        case Published():
            return published(frame, fact)
        case CandidateNamed():
            return _candidate(frame, fact)
        case OpponentNamed(candidate=candidate, opponent=opponent, how=how):
            key = "dog.announce.chosen" if how == "chosen" else "dog.announce.drawn"
            return say(key, candidate=who(frame, candidate), opponent=who(frame, opponent))
        case NoDeathMatch(why=why):
            return say(f"dog.no_death_match.{why}")
        case _:
            return None


def opens(fact: Fact) -> bool:
    """The table of all plays, so that it does not bury the judgement."""
    return isinstance(fact, Published)


def _round(frame: Frame, fact: RoundResolved) -> Markup:
    """Rule 9: who scored where, the level, and the token moved. Whoever moved it, or did not, is not said."""
    return lines(
        say("dog.announce.round", round=fact.round),
        *_scorers(frame, fact),
        _broken(fact),
        say("dog.announce.level", level=fact.level),
        _moved(fact.moved),
    )


def _scorers(frame: Frame, fact: RoundResolved) -> Iterator[Markup]:
    for each, scorers in zip(VP_EVENTS, fact.scored, strict=True):
        if scorers:
            yield say("dog.announce.scored", event=event(each), names=people(frame, scorers))
        else:
            yield say("dog.announce.nobody", event=event(each))


def _broken(fact: RoundResolved) -> Markup | None:
    """Some theatre where the tower's threshold was broken, which the scorers there say anyway: nobody else scores."""
    return say("dog.announce.broken") if dict(zip(VP_EVENTS, fact.scored, strict=True))[Event.CHARGE_TOWER] else None


def _moved(moved: Movement | None) -> Markup:
    if moved is None:
        return say("dog.announce.unmoved")
    return say(f"dog.moved.{moved.token}", origin=event(moved.origin), goal=event(moved.goal))


def _candidate(frame: Frame, fact: CandidateNamed) -> Markup | None:
    """Rule 16: who chooses among whom; where the host has declined beforehand nobody does, and only the lot is told."""
    name = who(frame, fact.candidate)
    lot = say("dog.announce.lot", name=name) if fact.lot else None
    if frame.declined:
        return lot
    return lines(lot, say("dog.announce.candidate", name=name, names=people(frame, fact.eligible)))


def whisper(frame: Frame, fact: Fact) -> Markup | None:
    """A round as it went for one player, under the group's title; whether they played or not."""
    if not isinstance(fact, RoundTold):
        return None
    if fact.play is None:
        head = say("notes.silent.round" if frame.silent else "dog.whisper.nothing", round=fact.round)
    else:
        head = say("dog.whisper.played", round=fact.round, play=played(fact.play))
    gained = None if fact.gained is None else say("dog.whisper.gained", card=fact.gained)
    bribed = "dog.whisper.bribed_nothing" if fact.play is None or fact.play.movement is None else "dog.whisper.bribed"
    return lines(
        say("dog.whisper.title", title=isolated(frame.title)),
        head,
        say("dog.whisper.scored", points=amounts(fact.scored)),
        say(bribed) if fact.bribed else None,
        gained,
        mine(fact.hand, fact.points),
    )
