"""The adjudicator's kinds of Dog's Judgement: one round, or the judgement, of a match that was played elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dog import fields
from engine.dog.events import SEATS, THRESHOLD, VP_EVENTS, Card, Points
from engine.dog.facts import Judgement
from engine.dog.fields import Json
from engine.dog.judgement import judge
from engine.dog.round import resolve
from engine.reading import Fault, a_name, a_number, an_object, by_player, key, no_others, required


def round_(given: Json, at: str) -> Json:
    """Judge ``dog/round``. The players stand at the table as they stand in ``plays``; an illegal play is a Fault."""
    charge_at, plays_at = key(at, "charge"), key(at, "plays")
    charge = a_number(required(given, "charge", at), charge_at)
    if not 1 <= charge <= THRESHOLD:
        raise Fault(charge_at, f"must be a level from 1 to {THRESHOLD}")
    tokens = fields.tokens(required(given, "tokens", at), key(at, "tokens"))
    hands = _hands(given["hands"], key(at, "hands")) if "hands" in given else None
    entered = _some(required(given, "plays", at), plays_at)
    players = list(entered)
    plays = {place: fields.play(entered[player], key(plays_at, player)) for place, player in enumerate(players)}
    for place, player in enumerate(players):
        hand = None if hands is None else required(hands, player, key(at, "hands"))
        fields.admit(plays[place], hand, tokens, key(plays_at, player))
    result = resolve(charge, tokens, plays)
    return {
        "charge": result.level,
        "scores": {
            event.value: {players[place]: points for place, points in scored.items()}
            for event, scored in zip(VP_EVENTS, result.scores, strict=True)
        },
        "tokens": fields.written_tokens(result.tokens),
        "briber": None if result.briber is None else players[result.briber],
        "moved": fields.written_movement(result.moved),
        "gained": {players[place]: play.gain for place, play in plays.items() if play.gain is not None},
    }


def judgement(given: Json, at: str) -> Json:
    """Judge ``dog/judgement``. The players stand at the table as they stand in the first VP event."""
    vp_at, held_at = key(at, "vp"), key(at, "held")
    vp = fields.by_vp_event(required(given, "vp", at), vp_at)
    first_at = key(vp_at, VP_EVENTS[0].value)
    players = list(_some(vp[VP_EVENTS[0]], first_at))
    if len(players) != SEATS:
        raise Fault(first_at, f"must name {SEATS} players")
    totals = [_totals(vp[event], players, key(vp_at, event.value)) for event in VP_EVENTS]
    tokens = fields.tokens(required(given, "tokens", at), key(at, "tokens"))
    before = an_object(given.get("held", {}), held_at)
    no_others(before, players, held_at)
    held = [fields.a_count(before.get(player, 0), key(held_at, player)) for player in players]
    return written_judgement(judge(list(zip(*totals, strict=True)), tokens, held), players)


def written_judgement(judged: Judgement, players: Sequence[str]) -> Json:
    """The JSON of a judgement."""
    return {
        "life": dict(zip(players, judged.life, strict=True)),
        "all_lose": judged.all_lose,
        "garnets": dict(zip(players, judged.garnets, strict=True)),
        "candidates": [players[candidate] for candidate in judged.candidates],
    }


def _some(value: Any, at: str) -> Json:
    """An object with an entry for each of some players, at most as many as a match has."""
    given = an_object(value, at)
    for player in given:
        a_name(player, at)
    if len(given) > SEATS:
        raise Fault(at, f"must name at most {SEATS} players")
    return given


def _hands(value: Any, at: str) -> Mapping[str, tuple[Card, ...]]:
    return {player: fields.hand(cards, key(at, player)) for player, cards in _some(value, at).items()}


def _totals(value: Any, players: Sequence[str], at: str) -> list[Points]:
    """The VP in one event, by player in table order."""
    given = by_player(value, players, at)
    return [fields.a_count(points, key(at, player)) for player, points in given.items()]
