"""Faults as they could be made in the bot, one a function: the simulation must find each of them by itself."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import pytest

from engine.gravity.facts import NightTold
from handler import (
    calls,
    counting,
    deadlines,
    events,
    group_telling,
    intake,
    phases,
    picture_telling,
    places,
    pressing,
    sequence,
    table,
    telling,
)
from handler.buttons import PhasePress
from handler.codec import read_telling
from handler.errands import Errand
from handler.events import Event, chunks
from handler.frame import Frame
from handler.match import Made, Match, Person
from handler.message import Message
from handler.picturing import illustration
from handler.ports import Item, Lease, Nudge, Result, Timers, Unreachable
from handler.replies import Edit
from handler.screening import frame_of
from handler.screens import GROUP
from handler.table import Outcome, Ports
from handler.teller import Repair, Teller
from handler.updates import Pressed
from handler.views import VIEWS
from handler.views.dog import told as dog_told
from handler.views.dog.terms import people
from infra.stores import conditions, memory
from tests.simulation.scenario import FAMILIES, Game, House, Planned, Scenario, draw
from tests.simulation.verdict import Check

Patch = pytest.MonkeyPatch


@dataclass(frozen=True)
class Fault:
    """A fault in the words of ``docs/reliability.md``, the check that catches it, and what has to happen for it to
    matter. ``rates`` names families of the weather.
    """

    says: str
    check: Check
    plant: Callable[[Patch], None]
    game: Game = "gravity"
    house: House = "aws"
    rates: tuple[str, ...] = ()
    change: Callable[[Scenario], Scenario] = lambda scenario: scenario

    def scenario(self, seed: int) -> Scenario:
        """What is played with the fault planted, other at each seed."""
        drawn = draw(seed, self.game)
        return self.change(
            replace(
                drawn,
                house=self.house,
                processes=1 if self.house == "machine" else 3,
                people=max(2, drawn.people),
                place="group",
                pace="live",
                phases=14,
                spanish=0.0,
                rates={fault: rate for name in self.rates for fault, rate in FAMILIES[name].items()},
                mishaps=(),
            )
        )


# --- storing and telling --------------------------------------------------------------------------


def deliver_before_commit(patch: Patch) -> None:
    commit = table._commit

    def planted(ports: Ports, item: Item, before: Match, after: Match, token: str, now: float) -> Item:
        if before.record is not None and after.number > before.number:
            untold = events.events(after, None, read_telling(item.telling).at(GROUP))
            for chunk in chunks(untold):
                if chunk.text is not None:
                    ports.telegram.send(after.place, Message(chunk.text))
        return commit(ports, item, before, after, token, now)

    patch.setattr(table, "_commit", planted)


def never_move_the_cursor(patch: Patch) -> None:
    patch.setattr(Teller, "_told", lambda self, address, cursor: None)


def announce_twice(patch: Patch) -> None:
    announce = Teller.announce

    def planted(
        self: Teller, address: str, told: Iterable[Event], send: Callable[[Message], Errand[Any]]
    ) -> Errand[None]:
        def twice(message: Message) -> Errand[None]:
            yield from send(message)
            yield from send(message)

        yield from announce(self, address, told, twice)

    patch.setattr(Teller, "announce", planted)


def stop_telling_on_a_403(patch: Patch) -> None:
    guard = Teller.guard

    def planted(self: Teller, address: str, work: Callable[[], Errand[None]], lost: Repair) -> Errand[None]:
        def stopping() -> Errand[None]:
            try:
                yield from work()
            except Unreachable:
                vars(self)["stopped"] = True

        if "stopped" not in vars(self):
            yield from guard(self, address, stopping, lost)

    patch.setattr(Teller, "guard", planted)


def no_version_check(patch: Patch) -> None:
    committed = conditions.committed

    def planted(stored: Item | None, before: Item, after: Item, lease: Lease | None, now: float) -> Item:
        version = before.version if stored is None else stored.version
        return committed(stored, replace(before, version=version), replace(after, version=version + 1), lease, now)

    patch.setattr(memory, "committed", planted)


def acknowledge_what_was_not_stored(patch: Patch) -> None:
    take = intake.take

    def planted(handle: Callable[[Any], Edit | None], update: Any) -> intake.Taken:
        return replace(take(handle, update), done=True)

    patch.setattr("handler.webhook.take", planted)


# --- presses --------------------------------------------------------------------------------------


def ignore_the_phase_number(patch: Patch) -> None:
    decide = pressing._decide

    def planted(match: Match, pressed: Pressed, press: PhasePress) -> tuple[Match, pressing.Answer]:
        return decide(match, pressed, replace(press, number=match.number))

    patch.setattr(pressing, "_decide", planted)


def act_on_an_expired_press(patch: Patch) -> None:
    calls = 0

    def planted(match: Match, now: float) -> Match:
        """The first of each pair of calls is the one before the decision."""
        nonlocal calls
        calls += 1
        return match if calls % 2 and match.stage == "playing" else phases.wake(match, now)

    patch.setattr(table, "wake", planted)


def count_a_duplicate(patch: Patch) -> None:
    def planted(match: Match, player: int, press: Made) -> Any:
        return sequence._made(match, player, press)

    patch.setattr(sequence, "count", planted)


# --- time -----------------------------------------------------------------------------------------


class _Holding:
    """Timers that remember what to arm."""

    def __init__(self, timers: Timers) -> None:
        self.timers = timers
        self.held: list[tuple[str, int, float]] = []

    def arm(self, match: str, alarm: int, at: float) -> None:
        self.held.append((match, alarm, at))

    def release(self) -> None:
        for armed in self.held:
            self.timers.arm(*armed)


def arm_after_commit(patch: Patch) -> None:
    commit = table._commit

    def planted(ports: Ports, *rest: Any) -> Item:
        holding = _Holding(ports.timers)
        stored = commit(replace(ports, timers=holding), *rest)
        holding.release()
        return stored

    patch.setattr(table, "_commit", planted)


def close_too_early(patch: Patch) -> None:
    due = phases._due
    patch.setattr(phases, "_due", lambda match, now: due(match, now + 4))


def drop_each_nudge(patch: Patch) -> None:
    look_after = deadlines._look_after

    def planted(ports: Ports, item: Item, nudge: Nudge | None = None) -> bool:
        return nudge is not None or look_after(ports, item)

    patch.setattr(deadlines, "_look_after", planted)


# --- secrets and places ---------------------------------------------------------------------------


def tell_a_response_to_both(patch: Patch) -> None:
    texts = events._texts

    def planted(match: Match, to: int | None, step: int) -> Iterator[Any]:
        yield from texts(match, to, step)
        if to is not None and match.record is not None and match.place.chat < 0:
            views = VIEWS[match.game]
            for tell in match.history[step].tells:
                if isinstance(tell.fact, NightTold) and tell.to == 1 - to:
                    yield partial(views.whisper, frame_of(match, step), tell.fact)

    patch.setattr(events, "_texts", planted)


def name_scorers_in_another_order(patch: Patch) -> None:
    def planted(frame: Frame, players: Iterable[int]) -> str:
        return ", ".join(people(frame, [player]) for player in reversed(list(players)))

    patch.setattr(dog_told, "people", planted)


def log_the_seed(patch: Patch) -> None:
    begin = phases.begin

    def planted(match: Match, seed: bytes, now: float) -> Match:
        logging.getLogger("handler.phases").warning("a match begins with %s", seed.hex())
        return begin(match, seed, now)

    patch.setattr("handler.hosting.begin", planted)


def lose_a_migration(patch: Patch) -> None:
    def planted(ports: Ports, id: str, chat: int) -> Sequence[Outcome[Any] | None]:
        return []

    patch.setattr(places, "move", planted)


def write_to_groups_without_end(patch: Patch) -> None:
    patch.setattr(group_telling, "free_at", lambda times, now, calls=1: now)


def seal_into_a_neighbours_box(patch: Patch) -> None:
    count = pressing._count

    def planted(match: Match, player: int, pressed: Pressed, made: Made, said: str) -> Any:
        active = () if match.phase is None else match.phase.active
        other = active[-1] if player in active else player
        return count(match, other, pressed, made, said)

    patch.setattr(pressing, "_count", planted)


# --- the host's calls, people and pictures ---------------------------------------------------------


def forget_the_rest_of_a_pause(patch: Patch) -> None:
    def planted(match: Match, now: float) -> Match:
        resumed = phases.resume(match, now)
        assert match.deadline is not None
        return replace(resumed, deadline=now + match.deadline - match.opened)

    patch.setattr(calls, "resumed", planted)


def close_while_paused(patch: Patch) -> None:
    patch.setattr(calls, "paused", lambda match, now: replace(match, paused=now, deadline=now + 5))


def add_minutes_again(patch: Patch) -> None:
    patch.setattr(calls, "_typed", lambda match, caller: match)


def leave_the_last_move_in_the_seat(patch: Patch) -> None:
    seated = calls._seated

    def planted(match: Match, player: int, person: Person) -> Match:
        return replace(seated(match, player, person), box=match.box)

    patch.setattr(calls, "_seated", planted)


def write_results_again(patch: Patch) -> None:
    def planted(teller: Teller) -> Errand[None]:
        yield from counting.count(teller)
        teller.telling = replace(teller.telling, counted=False)
        yield from counting.count(teller)

    patch.setattr(telling, "count", planted)


def write_results_too_early(patch: Patch) -> None:
    def planted(teller: Teller) -> Errand[None]:
        match = teller.match
        if match.stage == "playing":
            teller.ports.people.add([Result(match.id, user, match.place.chat, 0.0, "{}") for user in match.users])
        yield from counting.count(teller)

    patch.setattr(telling, "count", planted)


def show_a_players_picture_to_all(patch: Patch) -> None:
    patch.setattr(group_telling, "illustration", lambda match, viewer: illustration(match, 0))


def let_a_picture_hold_up(patch: Patch) -> None:
    patch.setattr(picture_telling, "_drawn", lambda teller, wanted: teller.ports.draw(wanted.drawing))


def _migrating(scenario: Scenario) -> Scenario:
    return replace(scenario, mishaps=(Planned("migrate", 2, 1.0, 20),))


def _blocking(scenario: Scenario) -> Scenario:
    return replace(scenario, mishaps=(Planned("block", 1, 1.0, 4000),))


def _unsure(scenario: Scenario) -> Scenario:
    return replace(scenario, habits=replace(scenario.habits, dither=0.6, double=0.2, stale=0.2))


def _brought_again(scenario: Scenario) -> Scenario:
    return replace(_unsure(scenario), rates={"answer lost": 0.4, "update overtaken": 0.9})


def _idle(scenario: Scenario) -> Scenario:
    return replace(scenario, habits=replace(scenario.habits, silent=0.2, late=0.6))


def _unnudged(scenario: Scenario) -> Scenario:
    return replace(_idle(scenario), rates={"message lost": 1.0, "schedule late": 1.0})


def _calling(scenario: Scenario) -> Scenario:
    return replace(scenario, habits=replace(scenario.habits, calls=1.0, silent=0.1))


def _crowded(scenario: Scenario) -> Scenario:
    return replace(scenario, crowd=True)


FAULTS: Final = (
    Fault("The group is told before the store has it", "order", deliver_before_commit),
    Fault("The cursor of telling never moves", "repeats", never_move_the_cursor),
    Fault("A press counts whatever phase it was made in", "presses", ignore_the_phase_number, change=_unsure),
    Fault("A timer is armed after the commit that needs it", "order", arm_after_commit),
    Fault("A commit does not look at the version", "presses", no_version_check, change=_crowded),
    Fault("A press counts that came after its deadline", "presses", act_on_an_expired_press, change=_unnudged),
    Fault("A press that comes again counts again", "presses", count_a_duplicate, change=_brought_again),
    Fault("Both players are told each other's responses", "secrets", tell_a_response_to_both),
    Fault("Scorers are named in another order", "secrets", name_scorers_in_another_order, game="dog"),
    Fault("A group that becomes a supergroup is lost", "notices", lose_a_migration, change=_migrating),
    Fault("Everything is announced twice", "repeats", announce_twice),
    Fault("Telling stops at the first who has blocked the bot", "notices", stop_telling_on_a_403, change=_blocking),
    Fault("A phase closes four seconds early", "phases", close_too_early, change=_idle),
    Fault(
        "An update is acknowledged though nothing was stored",
        "presses",
        acknowledge_what_was_not_stored,
        rates=("store",),
    ),
    Fault("A nudge does nothing, and the sweep has to", "phases", drop_each_nudge, change=_idle),
    Fault("The seed is logged", "secrets", log_the_seed),
    Fault("The group's rate is not kept", "rate", write_to_groups_without_end),
    Fault("A press is sealed for the last of the phase's players", "presses", seal_into_a_neighbours_box),
    Fault("A pause forgets what was left of the phase", "phases", forget_the_rest_of_a_pause, change=_calling),
    Fault("A paused match goes on", "phases", close_while_paused, change=_calling),
    Fault(
        "A call for more time that comes again counts again",
        "presses",
        add_minutes_again,
        rates=("delivery",),
        change=_calling,
    ),
    Fault(
        "What lay sealed in a seat counts for who takes it over",
        "presses",
        leave_the_last_move_in_the_seat,
        game="dog",
        change=_calling,
    ),
    Fault("Results are written again", "results", write_results_again),
    Fault("Results are written before the end", "results", write_results_too_early),
    Fault("The group is shown a player's own picture", "secrets", show_a_players_picture_to_all),
    Fault("A picture that cannot be drawn holds up the rest", "updates", let_a_picture_hold_up, rates=("pictures",)),
)
"""All of them, in the order of the table in ``docs/reliability.md``."""
