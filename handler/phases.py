"""The phases of a match in time: what is due, what closes, what opens, who is reminded. Pure functions.

Each takes the match and the time, in Unix seconds, and gives the match that follows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine import chance
from engine.game import Phase, Player
from engine.record import Record, Setup
from handler.lobby import displayed
from handler.match import (
    LOBBY_SECONDS,
    PACES,
    Match,
    Sealed,
    all_in,
    awaited,
    can_decline,
    cancel,
    decline,
    is_ending,
    with_notice,
)
from handler.words import speaking

TURN_REMINDER_SECONDS: Final = 60
"""When the group is reminded of a turn (rule 6 of Gravity Pandemic), before the pace."""

SHORT_SECONDS: Final = 60
"""A phase no longer than this gets no reminder."""

LONG_PAUSE_SECONDS: Final = 24 * 3600
"""Telegram keeps an update for a day (Bot API, Getting updates), so after a longer pause none from before it comes."""

REMINDER: Final = "table.reminder"
TURN_REMINDER: Final = "table.turn_reminder"
LOBBY_REMINDER: Final = "calls.lobby.reminder"
LOBBY_EMPTY: Final = "calls.lobby.empty"
LOBBY_FULL: Final = "calls.lobby.full"


def begin(match: Match, seed: bytes, now: float) -> Match:
    """The match begins: the seed is fixed, the first phase opens."""
    setup = Setup(match.game, match.engine.rules, seed.hex())
    begun = replace(match, stage="playing", record=Record(setup), asked=(), notices=(), consent=None, kept=())
    return wake(_open(begun, now), now)


def wake(match: Match, now: float) -> Match:
    """Do whatever is due: close phases, remind, let a lobby expire. The same match if nothing is."""
    if match.stage == "lobby" and match.deadline is not None and match.deadline <= now:
        return _expire(match)
    while match.phase is not None and _due(match, now):
        match = _close(match, now)
    reminder = remind_at(match)
    return _remind(match) if reminder is not None and reminder <= now else match


def next_alarm(match: Match) -> float | None:
    """When something is due next, None if nothing ever will be; in a paused match nothing is."""
    if match.paused is not None:
        return None
    times = [time for time in (match.deadline, remind_at(match)) if time is not None]
    return min(times) if match.stage in ("lobby", "playing") and times else None


def remind_at(match: Match) -> float | None:
    """When to remind: of a turn after a minute at the match's pace; of a sealed phase, or of a group's lobby, with a
    quarter of it left. Of a paused match nobody is reminded.
    """
    phase, deadline = match.phase, match.deadline
    if deadline is None or match.reminded or match.paused is not None:
        return None
    if match.stage == "lobby" and match.place.chat < 0:
        return deadline - LOBBY_SECONDS / 4
    if phase is None:
        return None
    length = deadline - match.opened
    if length <= SHORT_SECONDS:
        return None
    return match.opened + TURN_REMINDER_SECONDS * PACES[match.pace] if phase.instant else deadline - length / 4


def grant_time(match: Match, deadline: float) -> Match:
    """Move the deadline of the open phase and say so. What lies in the box stays, not the presses that led to it."""
    moved = replace(_without_updates(match), deadline=deadline)
    return with_notice(moved, "table.deadline_moved", unix=str(int(deadline)))


def pause(match: Match, now: float) -> Match:
    """Nothing is due any more until the match is resumed; but it can still be ended."""
    return replace(match, paused=now)


def resume(match: Match, now: float) -> Match:
    """A paused match runs on, with exactly what was left of its phase."""
    assert match.paused is not None
    assert match.deadline is not None
    length = now - match.paused
    resumed = replace(match, paused=None, opened=match.opened + length, deadline=match.deadline + length)
    return _without_updates(resumed) if length >= LONG_PAUSE_SECONDS else resumed


def house_seals(match: Match, player: Player) -> Match:
    """Whoever sits in a seat now is a house player: it seals what it does in the open phase at once."""
    phase = match.phase
    assert phase is not None
    return replace(match, box={**match.box, **_house_moves(match, replace(phase, active=(player,)))})


def _without_updates(match: Match) -> Match:
    """The match without the ids of the updates that brought it here: after a week without any they begin anew (Bot API,
    Update), so they can no longer be compared.
    """
    box = {player: Sealed(sealed.text, sealed.final) for player, sealed in match.box.items()}
    seats = tuple(None if who is None else replace(who, turned=0) for who in match.seats)
    return replace(match, box=box, seats=seats, typed=())


def _due(match: Match, now: float) -> bool:
    if match.paused is not None:
        return is_ending(match)
    late = match.deadline is not None and match.deadline <= now
    return late or is_ending(match) or all_in(match)


def _open(match: Match, now: float) -> Match:
    """Open the phase that the record has come to: its time starts now, and house players seal at once. A phase that the
    host has declined beforehand is sealed with that alone, so it is due at once.
    """
    lent = match.lent + match.extended
    fresh = replace(match, box={}, opened=now, deadline=None, reminded=False, extended=0, lent=lent)
    phase = fresh.phase
    if phase is None:
        return _ended(replace(fresh, stage="over", consent=None, asked=(), paused=None, leaving={}))
    leaving = {player: each for player, each in fresh.leaving.items() if player in fresh.playing}
    deadline = None if phase.seconds is None else now + phase.seconds * PACES[match.pace]
    timed = replace(fresh, deadline=deadline, leaving=leaving, paused=None)
    timed = replace(timed, asked=timed.asked if timed.free else ())
    if match.declined and can_decline(timed):
        return decline(timed)
    return replace(timed, box=_house_moves(timed, phase))


def _ended(match: Match) -> Match:
    """Who plays is told in private too, unless that is where the match was played."""
    for player, who in enumerate(match.seats):
        if who is not None and who.user not in (None, match.place.chat):
            match = with_notice(match, "table.ended", player, title=match.title)
    return match


def _house_moves(match: Match, phase: Phase) -> dict[Player, Sealed]:
    assert match.record is not None
    game, seed = match.engine, bytes.fromhex(match.record.setup.seed)
    moves = {}
    for player in phase.active:
        who = match.seats[player]
        if who is not None and who.user is None:
            draw = chance.draws(seed, f"house/{player}/{match.number}")
            move = game.house(match.view(player), draw)
            moves[player] = Sealed(None if move is None else game.write(move), final=True)
    return moves


def _close(match: Match, now: float) -> Match:
    assert match.record is not None
    step = {player: sealed.text for player, sealed in sorted(match.box.items()) if sealed.text is not None}
    closed = replace(match, record=match.record.then(step))
    if closed.playing != match.playing:
        closed = replace(closed, consent=None)  # who agreed to end the match spoke for another table
    return _open(closed, now)


def _remind(match: Match) -> Match:
    phase, deadline = match.phase, match.deadline
    assert deadline is not None
    reminded = replace(match, reminded=True)
    if phase is None:
        return _remind_of_lobby(reminded)
    for player in awaited(match):
        who = match.seats[player]
        if who is None or who.user is None or match.engine.options(match.view(player)) is None:
            continue
        if phase.instant:
            reminded = with_notice(reminded, TURN_REMINDER, name=who.name, unix=str(int(deadline)))
        elif who.reachable:
            reminded = with_notice(reminded, REMINDER, player, title=match.title, unix=str(int(deadline)))
    return reminded


def _remind_of_lobby(match: Match) -> Match:
    """Say in the group who sits in a lobby that is about to close, and how many are missing."""
    assert match.deadline is not None
    with speaking(match.language):
        seated = "\n".join(displayed(who) for who in match.seats if who is not None)
    missing, unix = match.seats.count(None), str(int(match.deadline))
    if not seated:
        return with_notice(match, LOBBY_EMPTY, unix=unix)
    if not missing:
        return with_notice(match, LOBBY_FULL, names=seated, unix=unix)
    return with_notice(match, LOBBY_REMINDER, names=seated, n=str(missing), unix=unix)


def _expire(match: Match) -> Match:
    return cancel(match, "lobby.expired")
