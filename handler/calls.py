"""The host's calls as decisions: a pause, more time, somebody else in a seat. Pure functions.

Each takes the match and gives the match that follows with a verdict for whoever called. Whether they may call at all is
asked before (:func:`handler.rights.may_host`). A call is announced by a notice of the same commit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.game import Player
from handler import silence
from handler.lobby import ASKED_MOST, HOUSE_NAMES, displayed, occupant
from handler.match import (
    PACES,
    PAUSED,
    RESUMED,
    WELCOME,
    Leaving,
    Match,
    Parted,
    Person,
    Successor,
    pause_mark,
    with_notice,
)
from handler.phases import house_seals
from handler.phases import pause as paused
from handler.phases import resume as resumed
from handler.views.calls import span
from handler.views.layout import cleaned, duration
from handler.words import plain, speaking

PRESS_MINUTES: Final = 10
"""The most that one call adds to a phase, before the pace."""

PHASE_MINUTES: Final = 20
"""The most that is added to one phase, before the pace."""

MATCH_MINUTES: Final = 60
"""The most that is added to all phases of a match, before the pace."""

STEPS: Final = (1, 2, 5, 10)
"""The minutes that ``/extend`` offers, before the pace."""

TYPED: Final = 32
"""How many updates that brought a typed call are remembered: one that Telegram delivers again counts once."""

MOST_NOTICES: Final = 60
"""With so many notices in one phase nobody is paused or replaced any more before the next, or the item would grow with
whoever plays with the calls.
"""


@dataclass(frozen=True)
class Caller:
    """Who makes a call: their Telegram id, and their name; neither of an administrator who speaks as the group.
    ``update`` is the id of the update with a typed call, None for a press, whose button says what shall be.
    """

    user: int | None
    name: str | None
    update: int | None = None


@dataclass(frozen=True)
class Verdict:
    """What whoever called is told, plain text; ``done``: it is as they wanted, and the group hears of it. ``shown``
    says what was done, plain text, where the question was; empty where the answer says it.
    """

    text: str
    done: bool = False
    shown: str = ""


Taking = Literal["already", "gone", "late", "sat"]
"""Why somebody cannot take a seat: they have one; the match is over; it is not free; they know too much."""


def pause(match: Match, caller: Caller, now: float, mark: str | None = None) -> tuple[Match, Verdict]:
    """Pause the match: nothing is due until it is resumed. ``mark`` is a button's (see :func:`pause_mark`)."""
    refused = _refused(match, caller)
    if refused is not None:
        return match, refused
    if match.paused is not None:
        return match, Verdict(plain("calls.pause.already"))
    if mark not in (None, pause_mark(match)):
        return match, Verdict(plain("calls.stale"))
    if match.deadline is None:
        return match, Verdict(plain("calls.pause.unlimited"))
    if _is_busy(match):
        return match, Verdict(plain("calls.enough"))
    return _announced(_typed(paused(match, now), caller), caller, PAUSED), _done()


def resume(match: Match, caller: Caller, now: float, mark: str | None = None) -> tuple[Match, Verdict]:
    """Let a paused match run on with what is left of its phase."""
    refused = _refused(match, caller)
    if refused is not None:
        return match, refused
    if match.paused is None:
        return match, Verdict(plain("calls.resume.running"))
    if mark not in (None, pause_mark(match)):
        return match, Verdict(plain("calls.stale"))
    going = resumed(match, now)
    assert going.deadline is not None
    return _announced(_typed(going, caller), caller, RESUMED, unix=str(int(going.deadline))), _done()


def room(match: Match) -> int:
    """How many minutes one call can still add to the open phase."""
    pace = PACES[match.pace]
    left = (PHASE_MINUTES * pace - match.extended, MATCH_MINUTES * pace - match.extended - match.lent)
    return max(0, min(PRESS_MINUTES * pace, *left))


def steps(match: Match) -> tuple[int, ...]:
    """The minutes to offer."""
    return tuple(step * PACES[match.pace] for step in STEPS if step * PACES[match.pace] <= room(match))


def cannot_extend(match: Match) -> str | None:
    """Why no time at all can be added now, None if some can."""
    if match.stage != "playing":
        return _not_playing(match)
    if match.deadline is None:
        return plain("calls.extend.unlimited")
    if room(match) > 0:
        return None
    whole = match.extended + match.lent >= MATCH_MINUTES * PACES[match.pace]
    return plain("calls.extend.match" if whole else "calls.extend.phase")


def extend(match: Match, caller: Caller, minutes: int) -> tuple[Match, Verdict]:
    """Add minutes to the open phase."""
    refused = _refused(match, caller)
    if refused is not None:
        return match, refused
    reason = cannot_extend(match)
    if reason is not None:
        return match, Verdict(reason)
    if minutes > room(match):
        return match, Verdict(plain("calls.extend.most", span=span(room(match))))
    assert match.deadline is not None
    deadline = match.deadline + 60 * minutes
    longer = _typed(replace(match, deadline=deadline, extended=match.extended + minutes), caller)
    done = _done(plain("calls.extend.done", span=span(minutes)))
    with speaking(match.language):
        added = span(minutes)
    if longer.rest is not None:
        rest = duration(longer.rest)
        return _announced(longer, caller, "calls.extend.told_paused", span=added, rest=rest), done
    return _announced(longer, caller, "calls.extend.told", span=added, unix=str(int(deadline))), done


def extend_by(match: Match, caller: Caller, minutes: str) -> tuple[Match, Verdict]:
    """Add minutes as somebody typed them."""
    reason = cannot_extend(match)
    number = minutes.removeprefix("+")
    if reason is None and not (_is_number(number) and int(number)):
        return match, Verdict(plain("calls.extend.number", span=span(room(match))))
    return extend(match, caller, int(number) if _is_number(number) else 0)


def extend_to(match: Match, caller: Caller, number: str, total: str) -> tuple[Match, Verdict]:
    """Add what brings the minutes added to phase ``number`` to ``total``, both as a button carries them."""
    if match.stage != "playing" or number != str(match.number) or not _is_number(total):
        return match, Verdict(plain("calls.stale"))
    if int(total) == match.extended:
        return match, Verdict(plain("calls.extend.already"), done=True)
    if int(total) < match.extended:
        return match, Verdict(plain("calls.extend.meanwhile", span=span(match.extended)))
    return extend(match, caller, int(total) - match.extended)


def missed(match: Match, player: Player) -> bool:
    """Whether whoever sits in a seat has let a phase pass, since they sit there, in which they had something to choose.
    A pick that the host made in their place is none of theirs.
    """
    who = match.seats[player]
    assert who is not None
    return any(
        silence.was_silent(match, player, number) or _was_picked_for(match, player, number)
        for number in range(who.since, match.number)
    )


def _was_picked_for(match: Match, player: Player, number: int) -> bool:
    assert match.record is not None
    text = match.record.steps[number].get(player)
    return text is not None and match.engine.hosted(match.engine.read(text))


def cannot_replace(match: Match) -> str | None:
    """Why nobody can be replaced at all, None if somebody can."""
    if match.stage != "playing":
        return _not_playing(match)
    return plain("calls.replace.practice") if match.place.chat > 0 else None


def sits(match: Match, seat: str, was: str) -> Player | None:
    """The seat of a match in play that a button names, if whoever it showed still sits there and still plays."""
    player = int(seat) if _is_number(seat) else len(match.seats)
    if match.stage != "playing" or player not in match.playing or occupant(match.seats[player]) != was:
        return None
    return player


def replace_by(match: Match, caller: Caller, player: Player, by: Successor) -> tuple[Match, Verdict]:
    """Put a house player into a seat, or offer it to another person. Where whoever calls plays too, whoever sits there
    is asked first, unless they have missed a phase.
    """
    who = match.seats[player]
    assert who is not None
    if match.place.chat > 0:
        return match, Verdict(plain("calls.replace.practice"))
    if by == "house" and who.user is None:
        return match, Verdict(plain("calls.stale"))
    if by == "house" and set(match.users) == {who.user}:
        return match, Verdict(plain("lobby.toast.people"))
    if match.leaving.get(player) == Leaving(by, agreed=True):
        return match, Verdict(plain("calls.replace.done"), done=True)
    if _is_busy(match):
        return match, Verdict(plain("calls.enough"))
    plays = caller.user is not None and match.plays(caller.user) is not None
    if plays and who.user not in (None, caller.user) and not missed(match, player):
        asked = {**match.leaving, player: Leaving(by, agreed=False)}
        return replace(match, leaving=asked), Verdict(plain("calls.replace.asked"), done=True)
    return _leave(match, player, by, _TOLD[by], name=_name(match, caller))


def answer_leaving(match: Match, user: int, player: Player, by: str, *, yes: bool) -> tuple[Match, Verdict]:
    """Whoever is asked to leave agrees, or stays."""
    who, leaving = match.seats[player], match.leaving.get(player)
    assert who is not None
    if user != who.user:
        return match, Verdict(plain("calls.replace.theirs", name=cleaned(displayed(who))))
    if leaving is None or leaving.agreed or leaving.by != by:
        return match, Verdict(plain("calls.replace.unasked"))
    if not yes:
        return keep(match, player)
    if by == "house" and match.users == (user,):
        return match, Verdict(plain("lobby.toast.people"))
    return _leave(match, player, leaving.by, _AGREED[leaving.by])


def keep(match: Match, player: Player) -> tuple[Match, Verdict]:
    """Somebody stays after all: they are no longer asked to leave, or their seat is no longer offered."""
    leaving, who = match.leaving.get(player), match.seats[player]
    assert who is not None
    if leaving is None:
        return match, Verdict(plain("calls.replace.unasked"))
    stays = _settled(replace(match, leaving=_without(match, player)))
    key = "calls.replace.withdrawn" if leaving.agreed else "calls.replace.refused"
    old = _displayed(match, who)
    return with_notice(stays, key, old=old), _done(plain(key, old=cleaned(old)))


def cannot_take(match: Match, user: int, player: Player | None) -> Taking | None:
    """Why somebody cannot take a seat (None: any that is free), None if they can. Whoever sits in the match already, or
    sat in another seat, may know what this one must not.
    """
    if match.stage != "playing":
        return "gone"
    if match.player(user) is not None:
        return "already"
    free = [seat for seat in match.free if player in (None, seat)]
    if not free:
        return "late"
    return None if any(_may_know(match, user, seat) for seat in free) else "sat"


def ask(match: Match, user: int) -> Match:
    """Keep the press of somebody who wants a seat although the bot may not be able to write to them yet."""
    return match if user in match.asked else replace(match, asked=(*match.asked, user)[-ASKED_MOST:])


def take(match: Match, person: Person, player: Player | None) -> Match:
    """Give a seat that is free to take (None: the first) to a person who can take it."""
    assert person.user is not None
    seat = next(seat for seat in match.free if player in (None, seat) and _may_know(match, person.user, seat))
    old = match.seats[seat]
    assert old is not None
    names = {"new": displayed(person), "old": _displayed(match, old)}
    taken = with_notice(_seated(match, seat, person), "calls.replace.taken", None, **names)
    with speaking(person.language):
        return with_notice(taken, WELCOME, seat, title=match.title, old=displayed(old))


def _leave(match: Match, player: Player, by: Successor, key: str, **names: str) -> tuple[Match, Verdict]:
    """Carry out that somebody leaves: at once for a house player, or as soon as another person comes."""
    who = match.seats[player]
    assert who is not None
    names["old"] = _displayed(match, who)
    if by == "person":
        free = {**match.leaving, player: Leaving(by, agreed=True)}
        return with_notice(replace(match, leaving=free), key, None, **names), _done(_worded(key, names))
    house = Person(None, HOUSE_NAMES[player])
    names["new"] = _displayed(match, house)
    told = with_notice(_seated(match, player, house), key, None, **names)
    phase = told.phase
    seated = house_seals(told, player) if phase is not None and player in phase.active else told
    return seated, _done(_worded(key, names))


def _worded(key: str, names: Mapping[str, str]) -> str:
    return plain(key, **{name: cleaned(value) for name, value in names.items()})


def _seated(match: Match, player: Player, person: Person) -> Match:
    """The match with somebody else in a seat. What lay sealed there is dropped, and whoever had agreed to end the match
    spoke for another table.
    """
    old = match.seats[player]
    assert old is not None
    person = replace(person, since=match.number)
    seated = replace(
        match,
        seats=(*match.seats[:player], person, *match.seats[player + 1 :]),
        box={seat: sealed for seat, sealed in match.box.items() if seat != player},
        leaving=_without(match, player),
        consent=None,
        former=match.former if old.user is None else tuple(dict.fromkeys((*match.former, (old.user, player)))),
        parted=_parted(match, old, person),
        asked=tuple(user for user in match.asked if user != person.user),
    )
    return _settled(seated)


def _parted(match: Match, old: Person, new: Person) -> tuple[Parted, ...]:
    """Who is still to be told that another has their seat, with one more of them."""
    if old.user is None or not old.reachable:
        return match.parted
    serial = match.parted[-1].serial + 1 if match.parted else 1
    with speaking(old.language):
        name = displayed(new)
    return (*match.parted, Parted(serial, old.user, old.language, name))


def _settled(match: Match) -> Match:
    """Without a seat that is free to take, nobody waits for one."""
    return match if match.free else replace(match, asked=())


def _without(match: Match, player: Player) -> dict[Player, Leaving]:
    return {seat: each for seat, each in match.leaving.items() if seat != player}


def _may_know(match: Match, user: int, player: Player) -> bool:
    """Whether somebody may know what a seat knows: not who sat in another."""
    return all(seat == player for former, seat in match.former if former == user)


def _refused(match: Match, caller: Caller) -> Verdict | None:
    """Why nothing can be called: nothing is played. A typed call that comes again has been heard."""
    if match.stage != "playing":
        return Verdict(_not_playing(match))
    return _done() if caller.update is not None and caller.update in match.typed else None


def _not_playing(match: Match) -> str:
    return plain("calls.not_begun" if match.stage == "lobby" else "table.over")


def _typed(match: Match, caller: Caller) -> Match:
    return match if caller.update is None else replace(match, typed=(*match.typed, caller.update)[-TYPED:])


def _is_busy(match: Match) -> bool:
    return sum(notice.step == match.number for notice in match.notices) >= MOST_NOTICES


def _announced(match: Match, caller: Caller, key: str, **values: str) -> Match:
    return with_notice(match, key, None, name=_name(match, caller), **values)


def _name(match: Match, caller: Caller) -> str:
    """What the group hears of who called."""
    if caller.name is not None:
        return caller.name
    with speaking(match.language):
        return plain("calls.administrator")


def _displayed(match: Match, who: Person) -> str:
    with speaking(match.language):
        return displayed(who)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _DIGITS


def _done(shown: str = "") -> Verdict:
    return Verdict(plain("calls.replace.done"), done=True, shown=shown)


_DIGITS: Final = 6
_TOLD: Final[dict[Successor, str]] = {"house": "calls.replace.house", "person": "calls.replace.free"}
_AGREED: Final[dict[Successor, str]] = {
    "house": "calls.replace.house_agreed",
    "person": "calls.replace.free_agreed",
}
