"""The host's calls: pauses, minutes and seats change only for who may call, once a call, and within the caps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.game import Player
from tests.simulation.judge.buttons import About
from tests.simulation.judge.hosts import may_host
from tests.simulation.judge.made import Press, presses
from tests.simulation.judge.matches import PACES, SAME, Course, courses
from tests.simulation.judge.presence import Presence
from tests.simulation.judge.typed import Typed, typed
from tests.simulation.trace import FORGOTTEN, Seat, Snapshot, Stored, Trace
from tests.simulation.verdict import Offence

PRESS: Final = 10
PHASE: Final = 20
MATCH: Final = 60
"""The most minutes that are added at once, to a phase and to a match, before the pace."""


def check(trace: Trace) -> Iterator[Offence]:
    """Calls that nobody made, who may not make them, or beyond what they may."""
    made, wrote, presence = presses(trace).about, typed(trace), Presence(trace)
    for course in courses(trace).values():
        chats = {write.after.chat for write in course.writes}
        calls = _Calls(
            course,
            presence,
            made.get(course.match, ()),
            tuple(each for each in wrote if each.chat in chats),
        )
        for write in course.writes:
            yield from (Offence("presses", f"{course.match}: {why}", write.at) for why in calls.judged(write))


DIGITS: Final = 7


class _Calls:
    """What was asked of one match, and what came of it so far: the minutes added to the open phase and to those before
    it, and the typed calls that have counted.
    """

    def __init__(
        self,
        course: Course,
        presence: Presence,
        made: tuple[Press, ...],
        wrote: tuple[Typed, ...],
    ) -> None:
        self.course = course
        self.presence = presence
        self.made = made
        self.wrote = wrote
        self.added = 0
        self.lent = 0
        self.counted: set[int] = set()

    def judged(self, write: Stored) -> Iterator[str]:
        """What is wrong with what a write does in answer to calls."""
        before, after = write.before, write.after
        if before is None or before.seed is None:
            return
        if before.stage in ("over", "cancelled"):
            yield from self._forgotten(before, after)
            return
        if write.write != "commit":
            return
        if before.number != after.number:
            self.lent, self.added = self.lent + self.added, 0
        yield from self._paused(write, before)
        yield from self._extended(write, before)
        yield from self._seats(write, before)

    def _forgotten(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        for was, now in zip(before.seats, after.seats, strict=True):
            if was is not None and now is not None and was.user != now.user and now.user != FORGOTTEN:
                yield f"{now.user} sits where {was.user} sat at the end"

    def _paused(self, write: Stored, before: Snapshot) -> Iterator[str]:
        after = write.after
        if before.paused is None and after.paused is not None:
            if not any(self._typed(write, "pause")) and not any(self._pressed(write, "pause")):
                yield "paused by none who may"
        elif before.paused is not None and after.paused is None and before.number == after.number:
            asked = any(self._typed(write, "resume")) or any(self._pressed(write, "resume"))
            if after.stage == "playing" and not asked:
                yield "resumed by none who may"

    def _extended(self, write: Stored, before: Snapshot) -> Iterator[str]:
        """Minutes that a press brings to a total count once however often it is made, typed ones once an update."""
        after, pace = write.after, PACES[write.after.pace]
        if after.stage != "playing":
            return
        total, lent = after.extended
        minutes = total - self.added
        if lent != self.lent or minutes < 0:
            yield f"{self.added} and {self.lent} minutes were added, {after.extended} are stored"
        if minutes <= 0:
            return
        pressed = any(
            press.asks.arg == f"{after.number}.{total}"
            for press in self._pressed(write, "extend")
            if isinstance(press.asks, About)
        )
        if not pressed:
            wrote = [each for each in self._typed(write, "extend") if _minutes(each.args) == minutes]
            unused = [each.update for each in wrote if each.update not in self.counted]
            if not unused:
                yield f"{minutes} minutes were added, for which nobody asked who may, or asked once"
            self.counted.update(unused[:1])
        within = before.number == after.number and before.paused == after.paused
        old, new = before.deadline, after.deadline
        if within and (old is None or new is None or abs(new - old - 60 * minutes) > SAME):
            yield f"{minutes} minutes moved the deadline from {old} to {new}"
        if minutes > PRESS * pace or total > PHASE * pace or total + lent > MATCH * pace:
            yield f"{minutes} minutes more, {total} of the phase, {lent} before it: beyond the caps"
        self.added = total

    # --- seats ------------------------------------------------------------------------------------

    def _seats(self, write: Stored, before: Snapshot) -> Iterator[str]:
        after = write.after
        for player, (was, now) in enumerate(zip(before.seats, after.seats, strict=True)):
            assert was is not None
            assert now is not None
            old, new = before.leaving.get(player), after.leaving.get(player)
            if was.user != now.user:
                yield from self._replaced(write, player, was, now, settled=old == ("person", True))
            elif was.since != now.since:
                yield f"seat {player} says that it was taken over, and was not"
            elif new is not None and new != old:
                by, agreed = new
                if agreed and not self._may_replace(write, player, was, by):
                    yield f"seat {player} is offered without who has to agree"
                if not agreed and not any(self._of_seat(write, "replace", player, was, by)):
                    yield f"seat {player} was asked to leave by nobody who may"

    def _replaced(self, write: Stored, player: Player, was: Seat, now: Seat, *, settled: bool) -> Iterator[str]:
        before, after = write.before, write.after
        assert before is not None
        if now.since not in range(before.number, after.number + 1):
            yield f"seat {player} was taken over in phase {now.since}, stored in {after.number}"
        if now.user is None:
            if not self._may_replace(write, player, was, "house"):
                yield f"seat {player} went to a house player without who has to agree"
            return
        if not settled:
            yield f"seat {player} went to {now.user}, and was not free to take"
        if any(each.user == now.user and each.player != player for each in self.course.tenures):
            yield f"{now.user} has sat in another seat"
        asked = [press for press in self.made if press.user == now.user and press.at <= write.at]
        if not any(isinstance(press.asks, About) and press.asks.act == "take" for press in asked):
            yield f"{now.user} took seat {player} and never asked for it"

    def _may_replace(self, write: Stored, player: Player, was: Seat, by: str) -> bool:
        """Whether somebody who may has called for it, and whoever sits there has agreed where they must: where the
        caller plays too, and they have missed no phase.
        """
        before = write.before
        assert before is not None
        for press in self._of_seat(write, "agree", player, was, f"{by}.yes", host=False):
            if press.user == was.user and before.leaving.get(player) == (by, False):
                return True
        playing = self.course.game.playing(self.course.state(write.after.number))
        players = {who.user for seat in playing if (who := write.after.seats[seat]) is not None}
        players |= {who.user for who in before.seats if who is not None} & {was.user}
        for press in self._of_seat(write, "replace", player, was, by):
            if press.user not in players or was.user in (None, press.user) or self._has_missed(write, player, was):
                return True
        return False

    def _has_missed(self, write: Stored, player: Player, was: Seat) -> bool:
        course = self.course
        for number in range(was.since, write.after.number):
            text = write.after.steps[number].get(player)
            if player in course.silent(number) or (text is not None and course.game.hosted(course.game.read(text))):
                return True
        return False

    # --- who asked --------------------------------------------------------------------------------

    def _typed(self, write: Stored, name: str) -> Iterator[Typed]:
        for each in self.wrote:
            if each.name == name and each.was_held(write.at, write.process) and self._may(write, each.user):
                yield each

    def _pressed(self, write: Stored, act: str, *, host: bool = True) -> Iterator[Press]:
        for press in self.made:
            asks = press.asks
            asked = isinstance(asks, About) and asks.act == act and press.was_held(write.at, write.process)
            if asked and (not host or self._may(write, press.user)):
                yield press

    def _of_seat(
        self, write: Stored, act: str, player: Player, was: Seat, word: str, *, host: bool = True
    ) -> Iterator[Press]:
        who = "h" if was.user is None else str(was.user)
        for press in self._pressed(write, act, host=host):
            if isinstance(press.asks, About) and press.asks.arg == f"{player}.{who}.{word}":
                yield press

    def _may(self, write: Stored, user: int) -> bool:
        return may_host(self.presence, self.course, user, write.at)


def _minutes(args: str) -> int:
    """The minutes that somebody typed; 0 for what is no number of them."""
    number = args.removeprefix("+")
    return int(number) if number.isascii() and number.isdecimal() and len(number) < DIGITS else 0
