"""Lock 5 for Dog's Judgement: what the group reads of a round is what rule 9 lists, and not a number or a name more.

What may be said is worked out here by the second opinion of ``tests/engine/dog_oracle.py`` from what was played, not
from facts and boards: those are under suspicion too. Everywhere events come in their order, and players in table order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from random import Random
from typing import Any, Final

from engine.dog.events import PLAYERS, VP_EVENTS, Event, Movement
from engine.dog.moves import Move, Play
from engine.dog.state import State
from engine.game import Player, Tell
from handler.frame import GameViews
from handler.message import Message
from tests.engine.dog_matches import by_chance
from tests.engine.dog_oracle import judge_round
from tests.engine.locks import AnyGame, Leak
from tests.handler.dog_positions import NAMES, framed
from tests.handler.positions import shown

FRAME: Final = framed()
"""No digit in a name: apart from the deadline, every number in a text comes from the match."""

EVENT_NAMES: Final = {
    Event.EXCHANGE_STORE: "Exchange Store",
    Event.CHARGE_TOWER: "Charge Tower",
    Event.REMOVE_ONE: "Remove One",
    Event.MEDIAN_MERIDIAN: "Median Meridian",
    Event.BRIBING_THE_DOG: "Bribing the Dog",
}
_EVENT: Final = "|".join(EVENT_NAMES.values())
_NAME: Final = "|".join(NAMES)
_PEOPLE: Final = re.compile(rf"\u2068(?:{_NAME})\u2069(?:, \u2068(?:{_NAME})\u2069)+")
_SECRET: Final = re.compile(r"brib|\bDog\b(?!'s)|\bVP\b|card|gain|withdr|[Nn]obody played", re.IGNORECASE)
"""Words of what stays private when a round is announced: who bribed, amounts, cards."""


def order_and_words(game: AnyGame, views: GameViews, seeds: Iterable[bytes]) -> int:
    """Lock 5. Raises Leak where it finds one; returns how many texts it read."""
    return sum(_read(game, views, seed) for seed in seeds)


def _read(game: AnyGame, views: GameViews, seed: bytes) -> int:
    random, read = Random(seed), 0
    state: State = game.start(seed).state
    while (phase := game.phase(state)) is not None and state.board.stage != "choice":
        board = views.board(FRAME, game.view(state, None))
        _no_more(board, set(), {state.board.round, 9, state.board.level, 1, *state.board.tokens.win})
        panels = [views.panel(FRAME, game.view(state, player), phase, None, False, "") for player in PLAYERS]
        for message in (board, *(panel for panel in panels if panel is not None)):
            _in_order(message)
            read += 1

        sealed = {player: by_chance(random)(state, player) for player in reversed(PLAYERS)}
        moves = {player: move for player, move in sealed.items() if move is not None}
        after = game.advance(state, moves)
        if state.board.stage == "round":
            _round(_first(views, after.tells), state, moves)
            read += 1
        for tell in after.tells:
            text = (views.announce if tell.to is None else views.whisper)(FRAME, tell.fact)
            if text is not None:
                _in_order(Message(text))
                read += 1
        state = after.state
    return read


def _first(views: GameViews, tells: Iterable[Tell]) -> Message:
    """The announcement of the round, which comes before everything else."""
    text = next(views.announce(FRAME, tell.fact) for tell in tells if tell.to is None)
    if text is None:
        raise Leak("a round is not announced")
    return Message(text)


def _round(message: Message, before: State, moves: Mapping[Player, Move]) -> None:
    """Leak if the announcement of a round says more, or less, than rule 9."""
    judged = judge_round(_given(before, moves))
    scorers = [{player for player in PLAYERS if str(player) in judged["scores"][event.value]} for event in VP_EVENTS]
    _no_more(message, set().union(*scorers), {before.board.round, 9, judged["charge"]})
    text = shown(message.text)
    for event, who in zip(VP_EVENTS, scorers, strict=True):
        [line] = re.findall(rf"^• {EVENT_NAMES[event]}: (.*)$", text, re.MULTILINE)
        if re.findall(_NAME, line) != [NAMES[player] for player in sorted(who)]:
            raise Leak(f"other scorers than the rules give: {text}")
    moved = judged["moved"]
    goes = [] if moved is None else [EVENT_NAMES[Event(moved["from"])], EVENT_NAMES[Event(moved["to"])]]
    last = text.splitlines()[-1]
    if re.findall(_EVENT, last) != goes or ("No token moved." in last) != (moved is None):
        raise Leak(f"another movement than was made: {text}")
    if _SECRET.search(text):
        raise Leak(f"the group reads of what stays private: {text}")


def _given(state: State, moves: Mapping[Player, Move]) -> dict[str, Any]:
    """A round in the JSON of the adjudicator."""
    tokens = state.board.tokens
    win = {event.value: tokens.on(event) for event in VP_EVENTS}
    plays = {str(player): _play(move) for player, move in sorted(moves.items()) if isinstance(move, Play)}
    return {"charge": state.board.level, "tokens": {"win": win, "lose": tokens.lose.value}, "plays": plays}


def _play(play: Play) -> dict[str, Any]:
    told: dict[str, Any] = {"card": play.card, "events": [event.value for event in play.events]}
    if play.gain is not None:
        told["gain"] = play.gain
    if isinstance(play.movement, Movement):
        move = play.movement
        told["move"] = {"token": move.token, "from": move.origin.value, "to": move.goal.value}
    return told


def _no_more(message: Message, players: Set[Player], numbers: Set[int]) -> None:
    """Leak if a public text names another player or number."""
    text = re.sub(r"⏳.*", "", shown(message.text))
    named = set(re.findall(_NAME, text)) - {NAMES[player] for player in players}
    told = {int(number) for number in re.findall(r"\d+", text)} - numbers
    if named or told:
        raise Leak(f"the group reads of {named or told}: {text}")


def _in_order(message: Message) -> None:
    """Leak if events stand out of their order, or players out of table order."""
    text = shown(message.text)
    order = list(EVENT_NAMES.values())
    lists = [re.findall(rf"^• ({_EVENT})", text, re.MULTILINE)]
    lists += [re.findall(rf"({_EVENT}) \d+", line) for line in text.splitlines()]
    for events in lists:
        if events != sorted(events, key=order.index):
            raise Leak(f"events out of order: {text}")
    rows = [re.findall(rf"\u2068({_NAME})\u2069", found) for found in _PEOPLE.findall(text)]
    rows.append(re.findall(rf"^(?:• )?\u2068({_NAME})\u2069(?: ·|:)", text, re.MULTILINE))
    for people in rows:
        if people != sorted(people):
            raise Leak(f"players out of order: {text}")
