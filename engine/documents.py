"""Whole matches and episodes as readable documents, whichever it is: the one way in and out (``docs/records.md``)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from engine import archives, chance
from engine.archives import Course, Json
from engine.episode import document as episode
from engine.episode.rules import EPISODE
from engine.game import Player
from engine.games import GAMES
from engine.reading import Fault, an_object, required
from engine.record import Record


def export(
    record: Record, names: Sequence[str], silent: Sequence[Collection[Player]] = (), *, cancelled: bool = False
) -> Json:
    """The document of a match that is over, or was ``cancelled`` before; ``names`` are the players', in table order,
    ``silent`` for each step those who let its phase pass in silence. A match of Dog's Judgement is an episode, with or
    without a Death Match. Raises UnknownRules.
    """
    game = GAMES[record.setup.game]
    states = [transition.state for transition in record.history]
    over = game.phase(states[-1]) is None
    if over == cancelled:
        raise ValueError("the match had ended" if cancelled else "the match is not over")
    if len(names) != game.players:
        raise ValueError(f"a match has {game.players} players")
    steps = [{player: game.read(text) for player, text in step.items()} for step in record.steps]
    course = Course(game.key, bytes.fromhex(record.setup.seed), states, steps)
    players = {f"p{number}": name for number, name in enumerate(names, start=1)}
    write, place = archives.written, archives.ARCHIVES[game.key].place
    if game.key == EPISODE.key:
        write, place = episode.written, episode.place
    missed: dict[str, list[str]] = {}
    for state, missing in zip(states, silent, strict=False):  # no phase has closed in the last state
        path = place(state)
        if path is not None:
            for player in missing:
                missed.setdefault(f"p{player + 1}", []).append(path)
    return {**write(course, players, cancelled), "silent": missed}


def replay(document: Any) -> Json:
    """What a match or an episode came to by the rules: ``{"ok": True, …}``. Fault for anything wrong with it."""
    return {"ok": True, **(episode.replay(document) if _is_episode(document) else archives.replay(document))}


def verify(document: Any, posted: Sequence[str] = ()) -> Json:
    """As ``replay``, for a document whose seeds give every deal and lot and are those that were committed to.

    ``posted`` is nothing, or the match's commitment; of an episode the main match's, then perhaps the Death Match's.
    """
    if _is_episode(document):
        episode.check_seeds(document, posted)
    else:
        archives.check_seed(document, next(iter(posted), None))
        if len(posted) > 1:
            raise Fault("seed", "one match has one commitment")
    return replay(document)


def commitments(document: Json) -> tuple[str, ...]:
    """What the seeds in a document that ``export`` gave were committed to by: one, or that of the Death Match too."""
    matches = [document]
    if _is_episode(document):
        matches = [match for match in (document["main"], document["death"]) if match is not None]
    return tuple(chance.commitment(bytes.fromhex(match["seed"])) for match in matches)


def failure(fault: Fault) -> Json:
    """What is printed for a document at fault."""
    return {"ok": False, "error": fault.message, "at": fault.at}


def _is_episode(document: Any) -> bool:
    """Whether a document holds an episode, or else one match; Fault if neither."""
    format_ = required(an_object(document, "format"), "format", "")
    if format_ not in (archives.FORMAT, episode.FORMAT):
        raise Fault("format", f"is unknown; this program reads {archives.FORMAT} and {episode.FORMAT}")
    return bool(format_ == episode.FORMAT)
