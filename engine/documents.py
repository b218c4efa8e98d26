"""Whole matches as readable documents: written, played again, and their deals checked (``docs/records.md``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.chance import commitment
from engine.games import GAMES
from engine.gravity import export as gravity_export
from engine.gravity import replaying as gravity_replaying
from engine.reading import Fault, a_list, a_name, an_object, distinct, required
from engine.record import Record

FORMAT: Final = "raven-dog/1"
_SEED: Final = re.compile(r"[0-9a-fA-F]{64}")

Json = dict[str, Any]


@dataclass(frozen=True)
class Archive:
    """How one game's matches are written and read.

    ``export(record, players)`` gives what the document says beyond the head; ``replay(document, players)`` the
    outcome and the steps; ``check_deals(document, seed)`` raises a Fault for a deal that the seed does not give.
    """

    export: Callable[[Record, tuple[str, ...]], Json]
    replay: Callable[[Json, list[str]], Json]
    check_deals: Callable[[Json, bytes], None]


ARCHIVES: Final[dict[str, Archive]] = {
    "gravity": Archive(gravity_export.export, gravity_replaying.replay, gravity_replaying.check_deals),
}


def export(record: Record, names: Sequence[str], cancelled: bool = False) -> Json:
    """The document of a match that is over, or was ``cancelled`` before; ``names`` are the players', in table order.
    Raises UnknownRules.
    """
    game = GAMES[record.setup.game]
    over = game.phase(record.history[-1].state) is None
    if over == cancelled:
        raise ValueError("the match had ended" if cancelled else "the match is not over")
    players = tuple(f"p{number}" for number in range(1, game.players + 1))
    document = {
        "format": FORMAT,
        "game": game.key,
        "players": list(players),
        "names": dict(zip(players, names, strict=True)),
        "seed": record.setup.seed,
        **ARCHIVES[game.key].export(record, players),
    }
    return {**document, "cancelled": True} if cancelled else document


def replay(document: Any) -> Json:
    """What a match came to by the rules: ``{"ok": True, …}``. Fault for anything wrong with the document."""
    archive, players = _head(document)
    return {"ok": True, **archive.replay(document, players)}


def verify(document: Any, commitments: Sequence[str] = ()) -> Json:
    """As ``replay``, for a document whose seed gives every deal and is the one that was committed to."""
    archive, _ = _head(document)
    if document["seed"] is None:
        raise Fault("seed", "is not given, so nothing can be verified")
    seed = bytes.fromhex(document["seed"])
    if len(commitments) > 1:
        raise Fault("seed", "one match has one commitment")
    for posted in commitments:
        if posted.lower() != commitment(seed):
            raise Fault("seed", "is not the seed that was committed to")
    archive.check_deals(document, seed)
    return replay(document)


def failure(fault: Fault) -> Json:
    """What is printed for a document at fault."""
    return {"ok": False, "error": fault.message, "at": fault.at}


def _head(document: Any) -> tuple[Archive, list[str]]:
    """The document's game and players; Fault for a head that is not of this format."""
    given: Mapping[str, Any] = an_object(document, "format")
    if required(given, "format", "") != FORMAT:
        raise Fault("format", f"is unknown; this program reads {FORMAT}")
    game = required(given, "game", "")
    archive = ARCHIVES.get(game) if isinstance(game, str) else None
    if archive is None:
        raise Fault("game", f"is unknown; there are {', '.join(ARCHIVES)}")
    listed = a_list(required(given, "players", ""), "players")
    if len(listed) != GAMES[game].players:
        raise Fault("players", f"must be {GAMES[game].players}")
    players: list[str] = distinct(listed, "players", a_name)
    seed = required(given, "seed", "")
    if seed is not None and not (isinstance(seed, str) and _SEED.fullmatch(seed)):
        raise Fault("seed", "must be null or 64 hex digits")
    return archive, players
