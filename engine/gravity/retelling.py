"""The story of a match of Gravity Pandemic, out of what it went through."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from engine.game import Tell, Transition
from engine.gravity import facts
from engine.gravity.draft import PLAYERS
from engine.gravity.score import RAVEN_RIGHT
from engine.gravity.state import State
from engine.gravity.story import Outcome, RoundStory, Story, Update


def retold(history: Sequence[Transition[State]]) -> Story:
    """The story of a match that is over, from its start and all that followed. ValueError for one that is not."""
    last = history[-1].state
    if last.board.winner is None:
        raise ValueError("a match has its story once it is over")
    rounds = tuple(_round(history, number) for number in range(1, last.board.round + 1))
    updates = tuple(update for each in history for tell in each.tells if (update := _update(tell)) is not None)
    return Story(rounds, updates, last.board.scores, last.board.winner)


def _round(history: Sequence[Transition[State]], number: int) -> RoundStory:
    """A round from its states: one that has just begun stands in the transition that ended the one before."""
    states = [each.state for each in history if each.state.board.round == number]
    told = [tell.fact for each in history for tell in each.tells]
    ended = [fact for fact in told if isinstance(fact, facts.RoundEnded) and fact.round == number]
    poisoned = []
    for before, after in pairwise(states):
        night = before.board.night
        poisoned += [(bird, night) for bird in after.flightless if bird not in before.flightless]
    guessed = [
        (judged.player, judged.right.bird)
        for fact in told
        if isinstance(fact, facts.PeriodClosed) and fact.round == number
        for judged in fact.judged
        if judged.right is not None
    ]
    return RoundStory(
        round=number,
        seats=states[0].seats,
        poisoned=tuple(poisoned),
        guessed=tuple(guessed),
        raven_found=any(fact.raven_found for fact in ended),
        whole=bool(ended),
    )


def _update(tell: Tell) -> Update | None:
    """The scoring update that a fact tells of, if it does."""
    match tell.fact:
        case facts.NightResolved(round=round_, night=night, robin=(player, _), scores=scores):
            return Update(round_, night, scores, _by_player({player: "robin"}))
        case facts.PeriodClosed(round=round_, night=night, judged=judged, scores=scores) if judged:
            return Update(round_, night, scores, _by_player({each.player: _outcome(each) for each in judged}))
        case _:
            return None


def _outcome(judged: facts.Judged) -> Outcome:
    if judged.right is None:
        return "wrong"
    return "raven" if judged.delta == RAVEN_RIGHT else "right"


def _by_player(found: dict[int, Outcome]) -> tuple[Outcome, Outcome]:
    ec, dmo = (found.get(player, "") for player in PLAYERS)
    return ec, dmo
