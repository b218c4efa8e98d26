"""One match as a readable document: written, played again, and its deals checked (``docs/records.md``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.chance import commitment
from engine.dog import export as dog_export
from engine.dog import replaying as dog_replaying
from engine.game import Player
from engine.games import GAMES
from engine.gravity import export as gravity_export
from engine.gravity import replaying as gravity_replaying
from engine.reading import Fault, a_list, a_name, an_object, distinct, required

FORMAT: Final = "raven-dog/1"
_SEED: Final = re.compile(r"[0-9a-fA-F]{64}")

Json = dict[str, Any]


@dataclass(frozen=True)
class Archive:
    """How one game's matches are written and read.

    ``export(states, steps, players)`` gives what the document says beyond the head; ``replay(document, players)`` the
    outcome and the steps; ``check_deals(document, seed)`` raises a Fault for a deal that the seed does not give, and
    is None where nothing is dealt; ``place(state)`` is the path of what the open phase will leave in the document, None
    where it leaves nothing.
    """

    export: Callable[[Sequence[Any], Sequence[Mapping[Player, Any]], Sequence[str]], Json]
    replay: Callable[[Json, list[str]], Json]
    check_deals: Callable[[Json, bytes], None] | None
    place: Callable[[Any], str | None]


ARCHIVES: Final[dict[str, Archive]] = {
    "gravity": Archive(
        gravity_export.export, gravity_replaying.replay, gravity_replaying.check_deals, gravity_export.place
    ),
    "dog": Archive(dog_export.export, dog_replaying.replay, None, dog_export.place),
}


@dataclass(frozen=True)
class Course:
    """A match as it went: its game, its seed, the states it passed through and the moves that led from each to the
    next, by the game's own players.
    """

    game: str
    seed: bytes
    states: Sequence[Any]
    steps: Sequence[Mapping[Player, Any]]


@dataclass(frozen=True)
class Head:
    """What stands at the head of a document: the game, the players in table order, the 32-byte seed if it is given."""

    game: str
    players: list[str]
    seed: bytes | None


def written(course: Course, names: Mapping[str, str], cancelled: bool) -> Json:
    """The document of a match; ``names`` are the players', by what the document calls them, in table order."""
    document = {
        "format": FORMAT,
        "game": course.game,
        "players": list(names),
        "names": dict(names),
        "seed": course.seed.hex(),
        **ARCHIVES[course.game].export(course.states, course.steps, tuple(names)),
    }
    return {**document, "cancelled": True} if cancelled else document


def replay(document: Any) -> Json:
    """What a match came to by the rules. Fault for anything wrong with the document."""
    head = read_head(document)
    return ARCHIVES[head.game].replay(document, head.players)


def check_seed(document: Any, posted: str | None) -> None:
    """Fault unless the document gives its seed, the seed gives every deal, and ``posted`` (if any) commits to it."""
    head = read_head(document)
    if head.seed is None:
        raise Fault("seed", "is not given, so nothing can be verified")
    if posted is not None and posted.lower() != commitment(head.seed):
        raise Fault("seed", "is not the seed that was committed to")
    check_deals = ARCHIVES[head.game].check_deals
    if check_deals is not None:
        check_deals(document, head.seed)


def read_head(document: Any) -> Head:
    """The head of a document; Fault for one that is not of this format."""
    given: Json = an_object(document, "format")
    if required(given, "format", "") != FORMAT:
        raise Fault("format", f"must be {FORMAT}")
    game = required(given, "game", "")
    if not isinstance(game, str) or game not in ARCHIVES:
        raise Fault("game", f"is unknown; there are {', '.join(ARCHIVES)}")
    listed = a_list(required(given, "players", ""), "players")
    if len(listed) != GAMES[game].players:
        raise Fault("players", f"must be {GAMES[game].players}")
    players: list[str] = distinct(listed, "players", a_name)
    seed = required(given, "seed", "")
    if seed is None:
        return Head(game, players, None)
    if not isinstance(seed, str) or not _SEED.fullmatch(seed):
        raise Fault("seed", "must be null or 64 hex digits")
    return Head(game, players, bytes.fromhex(seed))
