"""What a viewer may do now: ``check``, ``options`` and ``amend``, pure functions of the view (and never of a state).

Screens import this module to offer only what is legal; ``engine.gravity.rules`` puts it into the game's contract.
"""

from __future__ import annotations

from typing import Final

from engine.game import Player, Refusal
from engine.gravity.birds import BIRDS, RULEBOOK, SEATS, Bird
from engine.gravity.draft import birds_left, drafted, drafter
from engine.gravity.moves import Actions, Guess, Here, HostPick, Move, Pass, Pick, Resign, Reveal
from engine.gravity.refusals import Code, refuse
from engine.gravity.targets import NAME_BIRDS, NAME_SEATS, SENT, hidden_birds, hidden_seats, refused
from engine.gravity.view import ActionOptions, DraftOptions, GuessOptions, Options, RevealOptions, View

_STAGE: Final[dict[type[Move], str]] = {
    Reveal: "reveals",
    Pick: "draft",
    HostPick: "draft",
    Here: "draft",
    Actions: "actions",
    Guess: "guesses",
    Pass: "guesses",
}


def check(view: View, move: Move) -> Refusal | None:
    """Why this viewer may not make this move now, or None."""
    code = _refusal(view, move)
    return None if code is None else refuse(code)


def _refusal(view: View, move: Move) -> Code | None:
    if view.viewer is None:
        return "not-a-player"
    if view.board.stage == "over":
        return "match-over"
    if isinstance(move, Resign):  # rule 21: at any time
        return None
    if _STAGE[type(move)] != view.board.stage:
        return "wrong-phase"
    match move:
        case Reveal(bird):
            return None if bird is None else _reveal(view, bird)
        case Pick(bird) | HostPick(bird):
            return _pick(view, view.viewer, bird)
        case Here():
            return _here(view, view.viewer)
        case Actions():
            return _actions(view, view.viewer, move)
        case Guess():
            return _guess(view, move)
        case Pass():
            return None


def _reveal(view: View, bird: Bird) -> Code | None:
    if bird is Bird.RAVEN:
        return "raven-unnameable"
    return "bird-used" if bird in view.board.used else None


def _pick(view: View, viewer: Player, bird: Bird) -> Code | None:
    if drafter(view.board) != viewer:
        return "not-your-turn"
    if bird is Bird.LOVEBIRD_A:
        return "bird-undrafted"
    return "bird-taken" if bird in [taken for _, taken, _ in view.board.picks] else None


def _here(view: View, viewer: Player) -> Code | None:
    if viewer not in view.board.idle:
        return "not-idle"
    return "your-turn" if drafter(view.board) == viewer else None


def _actions(view: View, viewer: Player, move: Actions) -> Code | None:
    own = drafted(view.board, viewer)
    birds = [bird for bird, _ in move.targets]
    for place, (bird, target) in enumerate(move.targets):
        if bird not in own:
            return "not-your-bird"
        if bird not in SENT:
            return "takes-no-target"
        if bird in birds[:place]:
            return "bird-twice"
        code = None if target is None else refused(bird, target, view.board.revealed)
        if code is not None:
            return code
    return None


def _guess(view: View, guess: Guess) -> Code | None:
    if guess.seat not in SEATS:
        return "no-such-seat"
    if guess.seat not in hidden_seats(view.board.revealed):
        return "seat-revealed"
    if guess.bird not in hidden_birds(view.board.revealed):
        return "bird-revealed"
    return "own-reveal" if guess.bird is view.named else None


def options(view: View) -> Options:
    """Everything ``check`` admits for this viewer now, apart from resigning and from doing nothing.

    The birds of a draft serve the drafter and the host who picks for them alike.
    """
    board, viewer = view.board, view.viewer
    if viewer is None:
        return None
    match board.stage:
        case "reveals":
            return RevealOptions(tuple(bird for bird in BIRDS if bird is not Bird.RAVEN and bird not in board.used))
        case "draft":
            if drafter(board) == viewer:
                return DraftOptions(birds_left(board), here=False)
            return DraftOptions((), here=True) if viewer in board.idle else None
        case "actions":
            seats, birds = hidden_seats(board.revealed), hidden_birds(board.revealed)
            sent = (bird for bird in drafted(board, viewer) if bird in SENT)
            return ActionOptions(
                tuple((bird, seats if bird in NAME_SEATS else (), birds if bird in NAME_BIRDS else ()) for bird in sent)
            )
        case "guesses":
            birds = tuple(bird for bird in hidden_birds(board.revealed) if bird is not view.named)
            return GuessOptions(hidden_seats(board.revealed), birds)
        case "over":
            return None


def amend(sealed: Move | None, move: Move) -> Move:
    """What is sealed when ``move`` arrives after ``sealed``: targets are laid over each other, anything else replaces.

    Sealed actions hold only birds that are sent somewhere, in rulebook order.
    """
    if not isinstance(move, Actions):
        return move
    targets = dict(sealed.targets) if isinstance(sealed, Actions) else {}
    targets.update(move.targets)
    sent = ((bird, target) for bird, target in targets.items() if target is not None)
    return Actions(tuple(sorted(sent, key=lambda errand: RULEBOOK[errand[0]])))
