"""How Gravity Pandemic is put into words wherever it is shown: points, players, seats and birds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from markupsafe import Markup

from engine.game import Player
from engine.gravity.birds import NAMES, RULEBOOK, Bird, Quarters, Seat
from engine.gravity.draft import PLAYERS
from engine.gravity.facts import Scores
from engine.gravity.moves import Target
from engine.gravity.view import Board
from handler.frame import Frame
from handler.views.layout import cleaned, isolated, listed
from handler.words import plain, say

ROLES: Final = ("gravity.role.ec", "gravity.role.dmo")
"""Table order: the Elimination Candidate, then the Death Match Opponent."""

_FRACTIONS: Final = ("", "¼", "½", "¾")


def points(quarters: Quarters) -> str:
    """A score: ``0``, ``2½``, ``−¼``."""
    whole, rest = divmod(abs(quarters), 4)
    amount = f"{whole}{_FRACTIONS[rest]}" if whole or not rest else _FRACTIONS[rest]
    return f"−{amount}" if quarters < 0 else amount


def gain(quarters: Quarters) -> str:
    """A change of score: ``+3``, ``−1``."""
    return points(quarters) if quarters < 0 else f"+{points(quarters)}"


def who(frame: Frame, player: Player) -> str:
    """A player's name, with the role where both players go by the same one. Not escaped yet."""
    name = isolated(frame.names[player])
    if cleaned(frame.names[0]) == cleaned(frame.names[1]):
        return plain("gravity.who.same", name=name, role=plain(ROLES[player]))
    return name


def tally(frame: Frame, scores: Scores) -> Markup:
    """Both players' scores on one line, with their roles."""
    return Markup(" · ").join(
        say(
            "gravity.score.one",
            name=isolated(frame.names[player]),
            role=plain(ROLES[player]),
            points=points(scores[player]),
        )
        for player in PLAYERS
    )


def rulebook(birds: Iterable[Bird]) -> str:
    """Birds by name, in rulebook order whatever order they came in."""
    return ", ".join(NAMES[bird] for bird in sorted(birds, key=RULEBOOK.__getitem__))


def goal(target: Target) -> str:
    """What a bird was sent to: a bird or a seat, as the player named it."""
    return NAMES[target] if isinstance(target, Bird) else plain("gravity.seat.one", seat=target)


def sent(bird: Bird, target: Target | None) -> str:
    """A bird with its target, or at home. Not escaped yet."""
    if target is None:
        return plain("gravity.bird.home", bird=NAMES[bird])
    return plain("gravity.bird.sent", bird=NAMES[bird], target=goal(target))


def place(board: Board) -> Markup:
    """Where in the match we are."""
    match board.stage:
        case "reveals":
            return say("gravity.place.round", round=board.round)
        case "draft" | "actions":
            return say("gravity.place.night", round=board.round, night=board.night)
        case "guesses":
            return say("gravity.place.day", round=board.round, night=board.night)
        case "over":
            return say("gravity.place.over")


def known(board: Board) -> Markup | None:
    """What bears on everybody's choice: before a round's first night the birds used up, then the birds made known."""
    if board.stage == "reveals":
        return say("gravity.board.used", birds=rulebook(board.used)) if board.used else None
    if not board.revealed:
        return say("gravity.board.unrevealed")
    return say("gravity.board.revealed", birds=listed(_at(seat, bird) for seat, bird in board.revealed))


def _at(seat: Seat, bird: Bird) -> Markup:
    return say("gravity.bird.at", seat=seat, bird=NAMES[bird])
