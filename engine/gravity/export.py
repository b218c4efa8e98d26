"""A match of Gravity Pandemic as the rounds of a readable record (``docs/records.md``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.game import Player
from engine.gravity import fields
from engine.gravity.birds import BIRDS
from engine.gravity.draft import PLAYERS
from engine.gravity.fields import Json
from engine.gravity.moves import Actions, Guess, Move, Resign
from engine.gravity.state import State


def export(states: Sequence[State], steps: Sequence[Mapping[Player, Move]], players: Sequence[str]) -> Json:
    """The ``rounds`` of a match that went through these states by these steps, one less, and who ``resigned``;
    ``players`` are the two's names in the document, EC first.
    """
    rounds: list[Json] = []
    resigned: str | None = None
    _opened(rounds, states[0])
    for before, after, moves in zip(states, states[1:], steps, strict=False):
        gave_up = [player for player in PLAYERS if isinstance(moves.get(player), Resign)]
        if gave_up:  # the phase it closed leaves no choice
            resigned = players[gave_up[0]]
            break
        _closed(rounds[-1], before, after, moves, players)
        _opened(rounds, after)
    return {"rounds": rounds, "resigned": resigned}


def place(state: State) -> str | None:
    """Where in the document stands what the open phase will leave; None once the match is over."""
    board = state.board
    round_, night = f"rounds[{board.round - 1}]", f"rounds[{board.round - 1}].nights[{board.night - 1}]"
    match board.stage:
        case "reveals":
            return f"{round_}.reveals"
        case "draft":
            return f"{night}.drafts[{len(board.picks)}]"
        case "actions":
            return f"{night}.actions"
        case "guesses":
            return f"{night}.periods[{board.period - 1}]"
        case "over":
            return None


def _opened(rounds: list[Json], state: State) -> None:
    """The list of a round or night that has just begun."""
    board = state.board
    if board.stage == "reveals" and len(rounds) < board.round:
        rounds.append({"seats": [bird.value for bird in state.seats]})
    elif board.stage == "draft" and len(rounds[-1].setdefault("nights", [])) < board.night:
        rounds[-1]["nights"].append({"drafts": []})


def _closed(round_: Json, before: State, after: State, moves: Mapping[Player, Move], players: Sequence[str]) -> None:
    """What the phase that closed between two states adds to its round."""
    match before.board.stage:
        case "reveals":
            round_["reveals"] = {players[player]: fields.written_bird(after.named[player]) for player in PLAYERS}
        case "draft":
            round_["nights"][-1]["drafts"] = [
                [players[player], bird.value, *([] if by == "player" else [by])]
                for player, bird, by in after.board.picks
            ]
        case "actions":
            round_["nights"][-1]["actions"] = _actions(moves)
            round_["nights"][-1]["periods"] = []
        case _:
            guesses = {player: move for player, move in moves.items() if isinstance(move, Guess)}
            round_["nights"][-1]["periods"].append(
                {players[player]: fields.written_guess(guesses.get(player)) for player in PLAYERS}
            )


def _actions(moves: Mapping[Player, Move]) -> Json:
    sent = dict(errand for move in moves.values() if isinstance(move, Actions) for errand in move.targets)
    targets = ((bird, sent.get(bird)) for bird in BIRDS)
    return {bird.value: fields.written_target(target) for bird, target in targets if target is not None}
