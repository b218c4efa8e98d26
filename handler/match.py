"""A match around its record: who sits where, and what lies sealed in the box of the open phase.

A lobby is the same item before its record begins. Values and pure functions: nothing here waits, writes or tells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal

from engine.game import Game, Phase, Player, Refusal, Transition
from engine.games import GAMES
from engine.record import Record
from handler.ports import Place
from handler.words import DEFAULT

Stage = Literal["lobby", "playing", "over", "cancelled"]
Successor = Literal["house", "person"]
"""Who comes in somebody's place: a house player, or another person who is still to be found."""
Pace = Literal["live", "relaxed", "letters"]

PACES: Final[Mapping[Pace, int]] = {"live": 1, "relaxed": 5, "letters": 144}
"""By how much every limit of the rules is stretched."""

PAUSED: Final = "calls.pause.told"
RESUMED: Final = "calls.resume.told"
WELCOME: Final = "calls.replace.welcome"

NOBODY: Final = 0
"""The user id of somebody who has asked to be forgotten: Telegram gives it to nobody."""

LOBBY_SECONDS: Final = 24 * 3600
"""A lobby nobody starts closes after this."""


@dataclass(frozen=True)
class Person:
    """Who sits in a seat. ``user`` is the Telegram id, None for a house player; ``name`` as last seen.

    ``reachable`` turns False when Telegram says that the bot cannot write to them, ``left`` turns True when they leave
    the table or the group; a press of theirs in the match brings them back. ``turned`` is the id of the update that
    said so last: an earlier one that comes late, or again, says nothing. ``language`` is what they are spoken to in.
    ``since`` is the phase in which they took the seat over; 0 for whoever sat there when the match began.
    """

    user: int | None
    name: str
    reachable: bool = True
    left: bool = False
    turned: int = 0
    language: str = DEFAULT
    since: int = 0


@dataclass(frozen=True)
class Made:
    """A press in the open phase: the id of its update, the notation of the move it sealed (None: it sealed none), and
    whether it locked in or took that back.
    """

    update: int
    text: str | None
    final: bool


@dataclass(frozen=True)
class Sealed:
    """What a player has in the box of the open phase: a move's notation (None: none), and whether they locked it in.

    ``made`` are the latest presses that led there, by update id; ``before`` is what lay here before them, when every
    press up to the update ``upto`` had been counted (see :mod:`handler.sequence`).
    """

    text: str | None
    final: bool
    made: tuple[Made, ...] = ()
    before: tuple[str | None, bool] = (None, False)
    upto: int = 0


@dataclass(frozen=True)
class Notice:
    """Something the house tells beside the rules' facts, after the tells of step ``step`` (0 is the start).

    ``key`` names a text of the catalogue, ``args`` are its values (``unix`` is shown as a moment); ``to`` is a player,
    None the group.
    """

    step: int
    key: str
    args: tuple[tuple[str, str], ...] = ()
    to: Player | None = None


@dataclass(frozen=True)
class Leaving:
    """Somebody is to be replaced by ``by``: once they agree, or (``agreed``) once another person takes the seat."""

    by: Successor
    agreed: bool


@dataclass(frozen=True)
class Parted:
    """Somebody whose seat another has now, to be told so: their Telegram id and language, and what the other is called
    in it. ``serial`` counts them within the match.
    """

    serial: int
    user: int
    language: str
    new: str


@dataclass(frozen=True)
class Match:
    """One match, or the lobby it grows from.

    ``seats`` are in table order, None while free in a lobby. ``asked`` are users whose Join press was kept although
    the bot could not yet write to them. ``opened`` is when the open phase (or lobby) opened, ``deadline`` when it ends
    by itself; Unix seconds. ``consent`` are the users who agreed to cancel, None while nobody asked. ``update``
    is the id of the update that opened the lobby: repeated, it finds its work done. ``gone``: the bot is no longer in
    the chat. ``declined``: the host has declined beforehand what may follow, where the game has a ``decline``.
    ``follows`` is the match that this one is the rematch of, ``kept`` for whom of it each seat of the lobby is kept.

    ``paused`` is since when the match is paused, in Unix seconds, None while it runs; only a phase with a deadline can
    be, and ``deadline`` and ``opened`` are moved by the length of the pause when it ends. ``extended`` are the minutes
    that were added to the open phase, ``lent`` to those before it. ``typed`` are the ids of the latest updates that
    brought a call, so that each counts once. ``leaving`` are the seats that somebody else shall take, ``former`` who
    sat in the match before, and in which seat, ``parted`` those of them who may not have been told yet, the latest
    always among them. While a seat is free to take, ``asked`` are those who want it, as in a
    lobby.
    """

    id: str
    place: Place
    title: str
    game: str
    host: int
    host_name: str
    stage: Stage
    pace: Pace
    seats: tuple[Person | None, ...]
    opened: float
    deadline: float | None
    update: int
    asked: tuple[int, ...] = ()
    record: Record | None = None
    box: Mapping[Player, Sealed] = field(default_factory=dict)
    reminded: bool = False
    notices: tuple[Notice, ...] = ()
    consent: tuple[int, ...] | None = None
    gone: bool = False
    declined: bool = False
    language: str = DEFAULT
    follows: str | None = None
    kept: tuple[Person | None, ...] = ()
    paused: float | None = None
    extended: int = 0
    lent: int = 0
    typed: tuple[int, ...] = ()
    leaving: Mapping[Player, Leaving] = field(default_factory=dict)
    former: tuple[tuple[int, Player], ...] = ()
    parted: tuple[Parted, ...] = ()

    @property
    def engine(self) -> Game[Any, Any, Any]:
        """The game being played."""
        return GAMES[self.game]

    @property
    def number(self) -> int:
        """The number of the open phase: how many have closed."""
        return len(self.record.steps) if self.record else 0

    @property
    def history(self) -> tuple[Transition[Any], ...]:
        """The start and one transition a step; empty in a lobby."""
        return () if self.record is None else self.record.history

    @property
    def state(self) -> Any:
        """The state now. Only for a match that has begun."""
        assert self.record is not None
        return self.record.latest.state

    @cached_property
    def phase(self) -> Phase | None:
        """The open phase; None in a lobby and after the end."""
        return self.engine.phase(self.state) if self.stage == "playing" else None

    def view(self, viewer: Player | None) -> Any:
        """What a player (None: the public) may know now."""
        return self.engine.view(self.state, viewer)

    def player(self, user: int) -> Player | None:
        """The seat of a Telegram user."""
        return next((seat for seat, who in enumerate(self.seats) if who is not None and who.user == user), None)

    @property
    def users(self) -> tuple[int, ...]:
        """The Telegram ids of the seated people, table order."""
        return tuple(who.user for who in self.seats if who is not None and who.user is not None)

    @property
    def playing(self) -> tuple[Player, ...]:
        """The players whom the match still concerns. Only for a match that has begun."""
        return self.engine.playing(self.state)

    @property
    def rest(self) -> float | None:
        """The seconds that are left of the open phase once a paused match is resumed; None while it runs."""
        return None if self.paused is None or self.deadline is None else self.deadline - self.paused

    @property
    def free(self) -> tuple[Player, ...]:
        """The seats of a match in play that are free to take, their players still in them."""
        return tuple(seat for seat, each in sorted(self.leaving.items()) if each.by == "person" and each.agreed)

    def plays(self, user: int) -> Player | None:
        """The seat of a Telegram user whom a match in play still concerns."""
        player = self.player(user)
        return player if self.stage == "playing" and player in self.playing else None

    def sealed_move(self, player: Player) -> Any:
        """The move a player has in the box, None for none."""
        sealed = self.box.get(player)
        return None if sealed is None or sealed.text is None else self.engine.read(sealed.text)


def with_notice(match: Match, key: str, to: Player | None = None, /, **args: str) -> Match:
    """The match with one more notice."""
    return replace(match, notices=(*match.notices, Notice(match.number, key, tuple(args.items()), to)))


def pause_mark(match: Match) -> str:
    """Which state of running or being paused this is: the open phase, and how often it was paused or resumed. A button
    that carries another mark was drawn for another state.
    """
    turns = sum(notice.step == match.number and notice.key in (PAUSED, RESUMED) for notice in match.notices)
    return f"{match.number}.{turns}"


def seal(match: Match, player: Player, move: Any, *, final: bool) -> Match | Refusal:
    """Put a move into the box of the open phase, if the rules admit it; an instant phase makes it final."""
    game, phase = match.engine, match.phase
    assert phase is not None, "only an open phase has a box"
    view = match.view(player)
    refusal = game.check(view, move)
    if refusal is not None:
        return refusal
    whole = game.amend(match.sealed_move(player), move)
    refusal = game.check(view, whole)
    if refusal is not None:
        return refusal
    locked = player in phase.active and (final or phase.instant)
    return _box(match, player, Sealed(game.write(whole), locked))


def lock(match: Match, player: Player) -> Match:
    """Lock in what is sealed, or that nothing is."""
    phase = match.phase
    if phase is None or player not in phase.active:
        return match
    sealed = match.box.get(player, Sealed(None, final=False))
    return _box(match, player, replace(sealed, final=True))


def unlock(match: Match, player: Player) -> Match:
    """Take a lock back; what is sealed stays sealed."""
    sealed = match.box.get(player)
    return match if sealed is None else _box(match, player, replace(sealed, final=False))


def can_resign(match: Match, player: Player) -> bool:
    """Whether a player can give the match up now; otherwise leaving is only silence."""
    return _admits(match, player, match.engine.resign)


def resign(match: Match, player: Player) -> Match:
    """A player gives up: the open phase closes with that alone, whatever else was sealed."""
    return _end(match, player, match.engine.resign) if can_resign(match, player) else match


def can_decline(match: Match) -> bool:
    """Whether the host can end the match where it stands, with what it has come to."""
    phase = match.phase
    return phase is not None and _admits(match, phase.active[0], match.engine.decline)


def decline(match: Match) -> Match:
    """The host ends the match where it stands: the open phase closes with that alone."""
    phase = match.phase
    return _end(match, phase.active[0], match.engine.decline) if phase is not None and can_decline(match) else match


def is_ending(match: Match) -> bool:
    """Whether a move lies in the box that ends the match at once."""
    endings = [move for move in (match.engine.resign, match.engine.decline) if move is not None]
    return any(match.sealed_move(player) in endings for player in match.box)


def is_shown_panels(match: Match, player: Player) -> bool:
    """Whether a player gets the panel of the open phase unasked: not somebody who has left a match that goes on without
    them, unless the phase is theirs alone.
    """
    who, phase = match.seats[player], match.phase
    stays = who is not None and (not who.left or can_resign(match, player))
    return stays or (phase is not None and phase.active == (player,))


def is_away(match: Match, player: Player) -> bool:
    """Whether nobody waits for a player: in a match that goes on without whoever leaves (rule 15 of Dog's Judgement),
    they have left it or cannot be written to.
    """
    who = match.seats[player]
    return who is not None and (who.left or not who.reachable) and not can_resign(match, player)


def awaited(match: Match) -> tuple[Player, ...]:
    """The active players, those who are away left out, who have not locked in. Secret: for them only, not the group."""
    phase = match.phase
    if phase is None:
        return ()
    return tuple(player for player in phase.active if not is_final(match, player) and not is_away(match, player))


def turn(match: Match) -> Player | None:
    """Whose turn it is, where the phase is one player's alone, which everybody may know; None where all choose in
    secret.
    """
    phase = match.phase
    return phase.active[0] if phase is not None and len(phase.active) == 1 else None


def all_in(match: Match) -> bool:
    """Whether the open phase need not wait for anybody. Where people are away it takes a person who has locked in:
    house players alone would play the match out before anybody could come back.
    """
    phase = match.phase
    if phase is None or awaited(match):
        return False
    if not any(is_away(match, player) for player in phase.active):
        return True
    return any(is_final(match, player) for player in phase.active if _is_person(match, player))


def cancel(match: Match, key: str, **names: str) -> Match:
    """End the match without a winner, or close the lobby; ``key`` and ``names`` are what the group is told."""
    over = replace(match, stage="cancelled", deadline=None, box={}, consent=None, asked=(), paused=None, leaving={})
    return with_notice(over, key, None, **names)


def _is_person(match: Match, player: Player) -> bool:
    who = match.seats[player]
    return who is not None and who.user is not None


def _admits(match: Match, player: Player, move: Any) -> bool:
    return match.phase is not None and move is not None and match.engine.check(match.view(player), move) is None


def _end(match: Match, player: Player, move: Any) -> Match:
    return _box(replace(match, box={}), player, Sealed(match.engine.write(move), final=True))


def _box(match: Match, player: Player, sealed: Sealed) -> Match:
    if match.box.get(player) == sealed:
        return match
    return replace(match, box={**match.box, player: sealed})


def is_final(match: Match, player: Player) -> bool:
    """Whether a player has locked in."""
    sealed = match.box.get(player)
    return sealed is not None and sealed.final
