"""A player's presses in the open phase, counted in the order in which they were made, each once.

Telegram delivers the presses of one person one after another, but one whose delivery failed comes again after those
that followed it; had it counted the first time, counting it again would undo what was chosen since. Update ids rise
(Bot API, Update), so the box keeps the latest few presses and lays them over each other in the order of their ids.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.game import Player, Refusal
from handler.match import Made, Match, Sealed, lock, seal, unlock

KEPT: Final = 10
"""How many presses of a player are kept; one that comes still later does not count any more."""


def count(match: Match, player: Player, press: Made) -> Match | Refusal:
    """The match with a press counted in its place; the same match if it has counted before, or is forgotten."""
    sealed = _sealed(match, player)
    if press.update <= sealed.upto or press.update in {made.update for made in sealed.made}:
        return match
    now = sealed.text, sealed.final
    before, upto = (sealed.before if sealed.made else now), sealed.upto
    order = sorted((*sealed.made, press), key=lambda made: made.update)
    # One that comes in its order, as nearly all do, changes what lies here; another is laid between the others.
    counted = _laid(match, player, now, [press]) if order[-1] is press else _laid(match, player, before, order)
    if isinstance(counted, Refusal):
        return counted
    if len(order) > KEPT:
        oldest = order.pop(0)
        first = _laid(match, player, before, [oldest])
        assert isinstance(first, Match), "it was admitted when it came, and nothing that it depends on has changed"
        before, upto = (_sealed(first, player).text, _sealed(first, player).final), oldest.update
    result = _sealed(counted, player)
    return _with(match, player, Sealed(result.text, result.final, tuple(order), before, upto))


def has_counted(match: Match, player: Player, update: int) -> bool:
    """Whether a press has counted in the open phase, as far as is known."""
    return update in {made.update for made in _sealed(match, player).made}


def is_forgotten(match: Match, player: Player, update: int) -> bool:
    """Whether so many presses have followed this one that nobody knows any more whether it has counted."""
    return update <= _sealed(match, player).upto


def is_latest(match: Match, player: Player, update: int) -> bool:
    """Whether no later press of the player's has counted in the open phase."""
    return all(made.update <= update for made in _sealed(match, player).made)


def _laid(match: Match, player: Player, before: tuple[str | None, bool], presses: list[Made]) -> Match | Refusal:
    laid: Match | Refusal = _with(match, player, Sealed(*before))
    for press in presses:
        if isinstance(laid, Refusal):
            break
        laid = _made(laid, player, press)
    return laid


def _made(match: Match, player: Player, press: Made) -> Match | Refusal:
    if press.text is not None:
        return seal(match, player, match.engine.read(press.text), final=press.final)
    return lock(match, player) if press.final else unlock(match, player)


def _sealed(match: Match, player: Player) -> Sealed:
    return match.box.get(player, Sealed(None, final=False))


def _with(match: Match, player: Player, sealed: Sealed) -> Match:
    return replace(match, box={**match.box, player: sealed})
