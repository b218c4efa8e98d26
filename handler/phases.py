"""The phases of a match in time: what is due, what closes, what opens, who is reminded. Pure functions.

Each takes the match and the time, in Unix seconds, and gives the match that follows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine import chance
from engine.game import Phase, Player
from engine.record import Record, Setup
from handler.match import PACES, Match, Sealed, all_in, awaited, can_decline, cancel, decline, is_ending, with_notice

TURN_REMINDER_SECONDS: Final = 60
"""When the group is reminded of a turn (rule 6 of Gravity Pandemic), before the pace."""

SHORT_SECONDS: Final = 60
"""A phase no longer than this gets no reminder."""

REMINDER: Final = "table.reminder"
TURN_REMINDER: Final = "table.turn_reminder"


def begin(match: Match, seed: bytes, now: float) -> Match:
    """The match begins: the seed is fixed, the first phase opens."""
    setup = Setup(match.game, match.engine.rules, seed.hex())
    begun = replace(match, stage="playing", record=Record(setup), asked=(), notices=(), consent=None)
    return wake(_open(begun, now), now)


def wake(match: Match, now: float) -> Match:
    """Do whatever is due: close phases, remind, let a lobby expire. The same match if nothing is."""
    if match.stage == "lobby":
        return _expire(match) if match.deadline is not None and match.deadline <= now else match
    while match.phase is not None and _due(match, now):
        match = _close(match, now)
    reminder = remind_at(match)
    return _remind(match) if reminder is not None and reminder <= now else match


def next_alarm(match: Match) -> float | None:
    """When something is due next, None if nothing ever will be."""
    times = [time for time in (match.deadline, remind_at(match)) if time is not None]
    return min(times) if match.stage in ("lobby", "playing") and times else None


def remind_at(match: Match) -> float | None:
    """When to remind: of a turn after a minute at the match's pace; of a sealed phase with a quarter of it left."""
    phase, deadline = match.phase, match.deadline
    if phase is None or deadline is None or match.reminded:
        return None
    length = deadline - match.opened
    if length <= SHORT_SECONDS:
        return None
    return match.opened + TURN_REMINDER_SECONDS * PACES[match.pace] if phase.instant else deadline - length / 4


def grant_time(match: Match, deadline: float) -> Match:
    """Move the deadline of the open phase and say so. What lies in the box stays, without the presses that led to it:
    after a week without updates their ids begin anew (Bot API, Update), so they can no longer be compared.
    """
    box = {player: Sealed(sealed.text, sealed.final) for player, sealed in match.box.items()}
    seats = tuple(None if who is None else replace(who, turned=0) for who in match.seats)
    moved = replace(match, deadline=deadline, box=box, seats=seats)
    return with_notice(moved, "table.deadline_moved", unix=str(int(deadline)))


def _due(match: Match, now: float) -> bool:
    late = match.deadline is not None and match.deadline <= now
    return late or is_ending(match) or all_in(match)


def _open(match: Match, now: float) -> Match:
    """Open the phase that the record has come to: its time starts now, and house players seal at once. A phase that the
    host has declined beforehand is sealed with that alone, so it is due at once.
    """
    fresh = replace(match, box={}, opened=now, deadline=None, reminded=False)
    phase = fresh.phase
    if phase is None:
        return _ended(replace(fresh, stage="over", consent=None))
    deadline = None if phase.seconds is None else now + phase.seconds * PACES[match.pace]
    timed = replace(fresh, deadline=deadline)
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
    assert phase is not None
    assert deadline is not None
    reminded = replace(match, reminded=True)
    for player in awaited(match):
        who = match.seats[player]
        if who is None or who.user is None or match.engine.options(match.view(player)) is None:
            continue
        if phase.instant:
            reminded = with_notice(reminded, TURN_REMINDER, name=who.name, unix=str(int(deadline)))
        elif who.reachable:
            reminded = with_notice(reminded, REMINDER, player, title=match.title, unix=str(int(deadline)))
    return reminded


def _expire(match: Match) -> Match:
    return cancel(match, "lobby.expired")
