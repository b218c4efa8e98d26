"""What the judge says of seats that change, of who makes the host's calls, and of how a match is ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.simulation.calm import duel, evening
from tests.simulation.edits import edited, with_events
from tests.simulation.judge import hosts, phases, record, repeats, seats
from tests.simulation.judge.presence import BOT, Presence
from tests.simulation.trace import Call, Happened, Pressed, Seat, Snapshot, Stored, Trace


def user(trace: Trace, name: str) -> int:
    return next(user for user, word in trace.words.items() if word == name)


def whys(check: Callable[[Trace], object], trace: Trace) -> list[str]:
    return [offence.why for offence in check(trace)]  # type: ignore[attr-defined]


def reseated(trace: Trace, name: str, change: Callable[[Seat], Seat]) -> Trace:
    """The trace with somebody's seat another one from the third phase on."""

    def seated(match: Snapshot | None) -> Snapshot | None:
        if match is None or match.number < 2:
            return match
        return replace(match, seats=tuple(who and (change(who) if who.name == name else who) for who in match.seats))

    def written(write: Stored) -> list[Stored]:
        after = seated(write.after)
        assert after is not None
        return [replace(write, before=seated(write.before), after=after)]

    return edited(trace, Stored, written)


def unpressed(trace: Trace, name: str, tail: str) -> Trace:
    """The trace without somebody's presses of a kind."""
    whose = user(trace, name)
    return edited(trace, Pressed, lambda press: [] if press.user == whose and press.data.endswith(tail) else [press])


@pytest.mark.parametrize("trace", [duel(), evening()])
def test_a_calm_match_seats_nobody_for_no_reason(trace: Trace) -> None:
    assert not whys(seats.check, trace)
    assert not whys(hosts.check, trace)


def test_somebody_taken_for_gone_without_a_reason() -> None:
    trace = duel()
    lost = reseated(trace, "Ada", lambda who: replace(who, reachable=False))
    assert any("Telegram never said so" in why for why in whys(seats.check, lost))
    left = reseated(trace, "Ada", lambda who: replace(who, left=True))
    assert any("has left, and never did" in why for why in whys(seats.check, left))


def test_a_seat_that_nobody_asked_for() -> None:
    assert any("never asked for one" in why for why in whys(seats.check, unpressed(evening(), "Bruno", ":join:")))


def test_a_match_that_not_everybody_agreed_to_end() -> None:
    trace = unpressed(evening(), "Bruno", ":cancel:yes")
    assert any("was cancelled without" in why for why in whys(hosts.check, trace))


def test_a_host_who_does_not_play_ends_a_match_alone() -> None:
    """Whoever added the bot runs the group; once they do not any more, it is not theirs to end."""
    trace = evening()
    ended = [press for press in trace.of(Pressed) if press.data.endswith(":cancel:yes")]
    group, start = ended[0].chat, trace.events[0].at
    stranger = edited(trace, Pressed, lambda press: [replace(press, user=99)] if press in ended else [press])
    added = Happened(start, "bot added", group, 99)
    demoted = Happened(start + 1, "promoted", group, 99, "member")
    assert whys(hosts.check, stranger)
    assert not whys(hosts.check, with_events(stranger, [added, *stranger.events]))
    assert whys(hosts.check, with_events(stranger, [added, demoted, *stranger.events]))


def test_a_lobby_that_somebody_else_set() -> None:
    trace = evening()
    host = next(press.user for press in trace.of(Pressed) if press.data.endswith(":start:"))
    started = edited(trace, Pressed, lambda press: [replace(press, user=99)] if press.user == host else [press])
    assert any("set by none who may" in why for why in whys(hosts.check, started))


def test_who_is_out_of_a_group() -> None:
    """An answer of Telegram's may be a little old."""
    trace = Trace()
    for event in (
        Happened(0, "bot added", -1, 7),
        Happened(100, "bot removed", -1, 7),
        Happened(200, "bot added", -1, 7),
    ):
        trace.add(event)
    presence = Presence(trace)
    assert [presence.is_out(-1, BOT, at) for at in (50, 105, 150, 205, 215)] == [False, True, True, True, False]
    assert presence.rules(-1, 7, 50)
    assert not presence.rules(-1, 8, 50)


def test_two_matches_with_one_seed() -> None:
    trace = duel()
    twins = [
        replace(
            write,
            before=write.before and replace(write.before, match="aaaaaaaa"),
            after=replace(write.after, match="aaaaaaaa"),
        )
        for write in trace.of(Stored)
    ]
    assert any("has the seed of" in why for why in whys(record.check, with_events(trace, [*trace.events, *twins])))


def test_a_match_that_is_not_found_at_its_place() -> None:
    astray = edited(duel(), Stored, lambda write: [replace(write, astray=("its place",))])
    assert any("its place" in why for why in whys(phases.check, astray))


def test_what_may_not_come_twice_is_not_made_again_at_once() -> None:
    trace = duel()
    twice = edited(trace, Call, lambda call: [call, call] if "wins the duel" in call.text else [call])
    assert any("again at once" in why for why in whys(repeats.check, twice))
