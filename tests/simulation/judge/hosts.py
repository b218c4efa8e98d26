"""Who may make the host's calls, and who has to agree when a match is ended for everybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tests.simulation.judge.buttons import About
from tests.simulation.judge.made import Press, presses
from tests.simulation.judge.matches import Course, courses
from tests.simulation.judge.presence import BOT, Presence
from tests.simulation.trace import Happened, Stored, Trace
from tests.simulation.verdict import Offence

KEPT: Final = "The match goes on."
SETTINGS: Final = ("house", "unseat", "pace", "after", "first", "start")


def may_host(presence: Presence, course: Course, user: int, at: float) -> bool:
    """Whether somebody is the host, or was an administrator of the match's group just then."""
    chats = {write.after.chat for write in course.writes}
    hosts = {write.after.host for write in course.writes}
    return user in hosts or any(presence.rules(chat, user, at) for chat in sorted(chats))


def check(trace: Trace) -> Iterator[Offence]:
    """Lobbies that others than their hosts have set, and matches that were ended without everybody's consent."""
    about, presence = presses(trace).about, Presence(trace)
    moved = {each.chat: each.at for each in trace.of(Happened) if each.what == "migrated"}
    for course in courses(trace).values():
        mine = about.get(course.match, ())
        for write in course.writes:
            before, after = write.before, write.after
            if before is None or before.stage == after.stage == "playing":
                continue
            if before.stage == "lobby" and _is_set(write):
                held = [press for press in mine if _is_setting(press, write)]
                if not any(may_host(presence, course, press.user, write.at) for press in held):
                    yield Offence("presses", f"lobby {course.match} was set by none who may", write.at)
            if before.stage == "playing" and after.stage == "cancelled" and not _is_gone(presence, moved, write):
                yield from _consent(presence, course, write, mine)


def _is_set(write: Stored) -> bool:
    before, after = write.before, write.after
    assert before is not None
    return (before.pace, before.stage == "lobby" and after.stage == "playing") != (after.pace, False)


def _is_setting(press: Press, write: Stored) -> bool:
    return isinstance(press.asks, About) and press.asks.act in SETTINGS and press.was_held(write.at, write.process)


def _is_gone(presence: Presence, moved: Mapping[int | None, float], write: Stored) -> bool:
    """Whether the bot is out of the group, or the group has moved to where another match is."""
    assert write.before is not None
    chats = {write.before.chat, write.after.chat}
    return any(presence.is_out(chat, BOT, write.at) or moved.get(chat, write.at) < write.at for chat in chats)


def _consent(presence: Presence, course: Course, write: Stored, mine: tuple[Press, ...]) -> Iterator[Offence]:
    """A host who does not play ends it alone; everybody else only with all who play and can be written to."""
    before = write.before
    assert before is not None
    kept = [at for press in mine for at, text in press.answers if text == KEPT and at < write.at]
    since = max(kept, default=0.0)
    asked = [press for press in mine if isinstance(press.asks, About) and press.asks.act == "cancel"]
    yes = About(course.match, "cancel", "yes")
    recent = {
        press.user
        for press in asked
        if press.asks == yes and any(start <= write.at and end > since for start, end, _ in press.held)
    }
    playing = course.game.playing(course.state(before.number)) if course.knows(before.number) else ()
    needed = {
        who.user for player in playing if (who := before.seats[player]) and who.user is not None and who.reachable
    }
    players = {None if (who := before.seats[player]) is None else who.user for player in playing}
    alone = any(may_host(presence, course, user, write.at) for user in recent - players)
    if not alone and not needed <= recent:
        yield Offence("presses", f"{course.match} was cancelled without {sorted(needed - recent)}", write.at)
