"""Lock 5, order and words: what the group reads names no bird and no number that the rules keep back.

What may be named is worked out here from the deal and the moves, not from facts and boards: those are under suspicion
too. Everywhere birds come in rulebook order, and players in table order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.game import Player
from engine.gravity import facts
from engine.gravity.birds import NAMES, Bird, Seat
from engine.gravity.draft import PLAYERS
from engine.gravity.moves import Guess, Move
from engine.gravity.state import State
from handler.frame import Frame, GameViews
from handler.message import Message
from tests.engine.locks import AnyGame, Leak
from tests.engine.matches import by_chance
from tests.handler.positions import shown

FRAME: Final = Frame("abcdefgh", 31, ("Ann", "Bob"), None, "The aviary")
"""No deadline and no digit in a name: every number in a text comes from the match."""

_ORDER: Final = list(NAMES.values())
_BIRD: Final = "|".join(sorted(_ORDER, key=len, reverse=True))
_LIST: Final = re.compile(rf"(?:{_BIRD})(?: \([^)]*\))?(?:, (?:{_BIRD})(?: \([^)]*\))?)+")


@dataclass
class _Public:
    """What the rules have made known: this round's right guesses, and the birds named in rounds that are over."""

    revealed: dict[Seat, Bird] = field(default_factory=dict)
    used: set[Bird] = field(default_factory=set)

    def follow(self, before: State, moves: Mapping[Player, Move], after: State) -> dict[Seat, Bird]:
        """Go on over a phase that has closed; the guesses that were right in it."""
        guesses = [move for move in moves.values() if isinstance(move, Guess)]
        right = {guess.seat: guess.bird for guess in guesses if before.seats[guess.seat - 1] is guess.bird}
        self.revealed.update(right)
        if after.board.round > before.board.round:
            self.used.update(bird for bird in before.named if bird is not None)
            self.revealed.clear()
        return right


def order_and_words(game: AnyGame, views: GameViews, seeds: Iterable[bytes]) -> int:
    """Lock 5. Raises Leak where it finds one; returns how many texts it read."""
    return sum(_read(game, views, seed) for seed in seeds)


def _read(game: AnyGame, views: GameViews, seed: bytes) -> int:
    random, public, read = Random(seed), _Public(), 0
    state: State = game.start(seed).state
    while (phase := game.phase(state)) is not None:
        board = views.board(FRAME, game.view(state, None))
        birds = public.used if state.board.stage == "reveals" else _drafted(state) | set(public.revealed.values())
        if state.board.stage == "draft":
            birds = birds | {Bird.LOVEBIRD_A}  # that nobody drafts it is a rule (4)
        _no_more(board, birds, {*_counted(state), *public.revealed, *range(1, 11)}, set(public.revealed))
        panels = (views.panel(FRAME, game.view(state, player), phase, None, False, "") for player in PLAYERS)
        for message in (board, *(panel for panel in panels if panel is not None)):
            _in_order(message)
            read += 1

        sealed = {player: by_chance(random)(state, player) for player in PLAYERS}
        moves = {player: move for player, move in sealed.items() if move is not None}
        after = game.advance(state, moves)
        right = public.follow(state, moves, after.state)
        for tell in after.tells:
            text = (views.announce if tell.to is None else views.whisper)(FRAME, tell.fact)
            if text is None:
                continue
            message = Message(text)
            if tell.to is None:
                birds = _announced(tell.fact, state, after.state) | set(right.values()) | public.used
                _no_more(message, birds, {*_counted(state), *_counted(after.state), *right}, set(right))
            _in_order(message)
            read += 1
        state = after.state
    return read


def _drafted(state: State) -> set[Bird]:
    return {bird for _, bird, _ in state.board.picks}


def _announced(fact: object, before: State, after: State) -> set[Bird]:
    """The birds that a fact of this kind may speak of, beside right guesses (17) and the birds used up (3)."""
    match fact:
        case facts.Picked(bird=bird):  # rule 4
            return {bird}
        case facts.RoundBegan():  # some theatre
            return {Bird.RAVEN}
        case facts.RoundEnded():  # rule 3
            return {Bird.RAVEN, *(bird for bird in before.named if bird is not None)}
        case facts.NightResolved() if after.board.scores != before.board.scores:  # rule 15
            return {Bird.ROBIN}
        case _:
            return set()


def _counted(state: State) -> set[int]:
    """Numbers that are nobody's secret: round, night, period, whole points of a score or of a change."""
    board = state.board
    changes = (0, 1, 2, 3, 4)
    return {board.round, board.night, board.period, *(abs(score) // 4 for score in board.scores), *changes}


def _no_more(message: Message, birds: Set[Bird], numbers: Set[int], seats: Set[Seat]) -> None:
    """Leak if a public text names another bird, number or seat."""
    text = re.sub(r"rulings? \d+", "", shown(message.text))
    named = set(re.findall(_BIRD, text)) - {NAMES[bird] for bird in birds}
    told = {int(number) for number in re.findall(r"\d+", text)} - numbers
    seated = {int(seat) for seat in re.findall(r"seat (\d+)", text)} - seats
    if named or told or seated:
        raise Leak(f"the group reads of {named or told or seated}: {text}")


def _in_order(message: Message) -> None:
    """Leak if birds stand out of rulebook order, or players out of table order."""
    text = shown(message.text)
    lists = [re.findall(_BIRD, found) for found in _LIST.findall(text)]
    lists.append(re.findall(rf"^• ({_BIRD})", text, re.MULTILINE))
    labels = [button.label for row in message.keyboard for button in row]
    lists.append([found[1] for label in labels if (found := re.match(rf"(?:✓ )?({_BIRD})", label))])
    for birds in lists:
        if birds != sorted(birds, key=_ORDER.index):
            raise Leak(f"birds out of order: {birds} in {text}")
    people = re.findall(r"^\W*(Ann|Bob)\W+(?:is right|is wrong|drafted)", text, re.MULTILINE)
    if people != sorted(people):
        raise Leak(f"players out of order: {text}")
