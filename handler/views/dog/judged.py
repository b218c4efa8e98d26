"""The judgement as the group reads it: event by event, Tokens of Life, garnets, candidates (rules 10 to 13)."""

from __future__ import annotations

from markupsafe import Markup

from engine.dog.events import SEATS, VP_EVENTS, Event
from engine.dog.facts import EventJudged, Judgement
from handler.frame import Frame
from handler.views.dog.terms import event, people, who
from handler.views.layout import lines, paragraphs
from handler.words import say


def judgement(frame: Frame, fact: Judgement) -> Markup:
    """The climax of a match, and the one place for a little theatre."""
    judged = {each.event: each for each in fact.events}
    return paragraphs(
        say("dog.judged.head"),
        *(_event(frame, each, judged.get(each)) for each in VP_EVENTS),
        say("dog.judged.too_many", n=sum(fact.won)) if fact.all_lose else None,
        _kept(frame, fact),
        _candidates(frame, fact),
    )


def _event(frame: Frame, each: Event, judged: EventJudged | None) -> Markup:
    if judged is None:
        return say("dog.judged.empty", event=event(each))
    tokens = say("dog.tokens.win", n=judged.tokens)
    return lines(say("dog.judged.event", event=event(each), tokens=tokens), _leaders(frame, judged))


def _leaders(frame: Frame, judged: EventJudged) -> Markup:
    """Rule 10: a sole leader wins as many Tokens of Life as Win Tokens lie there, tied leaders one each."""
    if len(judged.leaders) == 1:
        [leader] = judged.leaders
        life = say("dog.judged.life", n=judged.each)
        return say("dog.judged.sole", name=who(frame, leader), points=judged.points, life=life)
    if len(judged.leaders) < SEATS:
        return say("dog.judged.shared", names=people(frame, judged.leaders), points=judged.points)
    return say("dog.judged.all", points=judged.points) if judged.points else say("dog.judged.nobody")


def _kept(frame: Frame, fact: Judgement) -> Markup:
    """Rule 12: the Tokens of Life kept, with their garnets."""
    if not any(fact.life):
        return say("dog.judged.nothing")
    kept = (
        say("dog.judged.line", name=who(frame, player), life=say("dog.judged.life", n=life), garnets=garnets)
        for player, (life, garnets) in enumerate(zip(fact.life, fact.garnets, strict=True))
        if life
    )
    return lines(say("dog.judged.kept"), *kept)


def _candidates(frame: Frame, fact: Judgement) -> Markup:
    """Rule 13."""
    if fact.least is None or not fact.candidates:
        return say("dog.judged.safe", event=event(fact.lose))
    lose = say("dog.judged.lose", event=event(fact.lose), points=fact.least)
    if len(fact.candidates) == SEATS:
        return paragraphs(lose, say("dog.judged.all_joint"))
    names = people(frame, fact.candidates)
    if len(fact.candidates) == 1:
        return paragraphs(lose, say("dog.judged.candidate", name=names))
    return paragraphs(lose, say("dog.judged.joint", names=names))
