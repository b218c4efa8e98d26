"""A readable record of Dog's Judgement played again by the rules, every play checked (``docs/records.md``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.dog import fields
from engine.dog.events import ROUNDS, VP_EVENTS
from engine.dog.facts import RoundResolved
from engine.dog.fields import Json
from engine.dog.judging import written_judgement
from engine.dog.moves import Play
from engine.dog.rules import begin, closed
from engine.dog.state import State
from engine.game import Player
from engine.reading import Fault, a_list, an_object, key, no_others, required


def replay(document: Json, players: list[str]) -> Json:
    """``steps`` and ``judgement`` of a record whose seven ``players`` are known to be well-formed; of a cancelled match
    the steps alone. Fault at the first thing that is malformed, missing, surplus or against the rules.
    """
    return outcome(final(document, players), players)


def final(document: Json, players: Sequence[str]) -> State:
    """The state that a record leads to, cancelled or not. Its lots are those of the seed; without one, believe none."""
    cancelled = document.get("cancelled", False)
    if not isinstance(cancelled, bool):
        raise Fault("cancelled", "must be true or false")
    given = a_list(required(document, "rounds", ""), "rounds")
    if len(given) > ROUNDS:
        raise Fault("rounds", "the match is over before the last of them")
    if len(given) == ROUNDS and cancelled:
        raise Fault("cancelled", "the match had ended")
    if len(given) < ROUNDS and not cancelled:
        raise Fault("rounds", "the match is not over")
    state = closed(begin(bytes.fromhex(document["seed"] or "")).state, {}).state
    for place, round_ in enumerate(given):
        state = closed(state, _plays(state, round_, players, f"rounds[{place}]")).state
    return state


def outcome(state: State, players: Sequence[str]) -> Json:
    """The steps that led to a state and, where it was reached, the judgement."""
    steps = [_step(state, announced, players) for announced in state.board.announced]
    judged = state.board.judgement
    return {"steps": steps} if judged is None else {"steps": steps, "judgement": written_judgement(judged, players)}


def _plays(state: State, round_: Any, players: Sequence[str], at: str) -> dict[Player, Play]:
    """Rules 1 to 3; silent players are absent."""
    given = an_object(round_, at)
    no_others(given, ("plays",), at)
    plays_at = key(at, "plays")
    entered = an_object(required(given, "plays", at), plays_at)
    no_others(entered, players, plays_at)
    plays: dict[Player, Play] = {}
    for player, name in enumerate(players):
        if name in entered:
            where = key(plays_at, name)
            plays[player] = fields.play(entered[name], where)
            fields.admit(plays[player], state.hands[player], state.board.tokens, where)
    return plays


def _step(state: State, announced: RoundResolved, players: Sequence[str]) -> Json:
    """What a round came to, with everybody's VP after it."""
    points = [told[announced.round - 1].points for told in state.told]
    return {
        "round": announced.round,
        "scored": {
            event.value: [players[player] for player in scorers]
            for event, scorers in zip(VP_EVENTS, announced.scored, strict=True)
        },
        "charge": announced.level,
        "moved": fields.written_movement(announced.moved),
        "vp": fields.written_points(points, players),
    }
