"""How Gravity Pandemic is put into words wherever it is shown: points, players, seats and birds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from markupsafe import Markup

from engine.game import Player
from engine.gravity.birds import NAMES, RULEBOOK, Bird, Quarters, Seat
from engine.gravity.draft import PLAYERS
from engine.gravity.facts import NOTHING, Scores
from engine.gravity.moves import Target
from engine.gravity.view import Board
from handler.frame import Frame
from handler.views.layout import cleaned, isolated, listed
from handler.words import plain, say

ROLES: Final = ("gravity.role.ec", "gravity.role.dmo")
"""Table order: the Elimination Candidate, then the Death Match Opponent."""

_FRACTIONS: Final = ("", "¼", "½", "¾")

_ANSWERS: Final = {"Yes": "gravity.heard.yes", "No": "gravity.heard.no", NOTHING: "gravity.heard.nothing"}

_CALLED: Final = {name: bird for bird, name in NAMES.items()}


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


def bird_name(bird: Bird) -> str:
    """A bird's name in the language that is spoken; in English the very one that stands in responses and records."""
    return plain(f"gravity.bird.name.{bird.value}")


def heard(text: str) -> str:
    """A response (rule 14) in the language that is spoken; in English it stays as the engine gives it.

    Responses are a small closed set: ``Yes``, ``No``, ``N/A``, seats, or a seat with birds.
    """
    if text in _ANSWERS:
        return plain(_ANSWERS[text])
    seat, colon, birds = text.partition(": ")
    return f"{seat}: {', '.join(bird_name(_CALLED[name]) for name in birds.split(', '))}" if colon else text


def rulebook(birds: Iterable[Bird]) -> str:
    """Birds by name, in rulebook order whatever order they came in."""
    return ", ".join(bird_name(bird) for bird in sorted(birds, key=RULEBOOK.__getitem__))


def goal(target: Target) -> str:
    """What a bird was sent to: a bird or a seat, as the player named it."""
    return bird_name(target) if isinstance(target, Bird) else plain("gravity.seat.one", seat=target)


def sent(bird: Bird, target: Target | None) -> str:
    """A bird with its target, or at home. Not escaped yet."""
    if target is None:
        return plain("gravity.bird.home", bird=bird_name(bird))
    return plain("gravity.bird.sent", bird=bird_name(bird), target=goal(target))


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
    return say("gravity.bird.at", seat=seat, bird=bird_name(bird))
