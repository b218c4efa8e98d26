"""A match as it is played: people notice that a phase has opened, want something, and press until they have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from engine.game import Player
from handler.match import PACES
from tests.simulation.calling import call, resume
from tests.simulation.chats import NEWEST, Button
from tests.simulation.company import CALM, Company, Person, Table
from tests.simulation.ending import end
from tests.simulation.habits import astray
from tests.simulation.plans import NOTHING, Box, Goal, dithered, wish
from tests.simulation.trace import Snapshot

LOOKS: Final = 60
"""So often people look for a button of a goal before they let the phase go."""
BRISK: Final = 0.4
"""How many know at once what the last of several presses carries, and make that one alone."""
PATIENCE: Final = 15.0
"""Seconds after which a press without any consequence is made again."""
AGAIN: Final = 40.0
"""Seconds after which a paused match is resumed again, if it was not."""
LONGEST: Final = 260
"""Phases after which everybody has had enough."""
LAST: Final = (-6.0, 4.0)
"""Seconds around a deadline in which who comes late presses."""
IDLE: Final = 62
"""Seconds, at the rules' own pace, after which a host may pick for whoever does not."""


def watch(company: Company, table: Table) -> None:
    """Whatever people do in a match, from its start to its end."""
    known, step = -1, 0.4
    sitting: list[int | None] = []
    while (snapshot := company.snapshot(table)) is not None and snapshot.stage == "playing":
        before, sitting = sitting, [None if who is None else who.user for who in snapshot.seats]
        if snapshot.number != known:
            known, step = snapshot.number, 0.4
            _opened(company, table, snapshot)
        elif sitting != before:
            _handed_on(company, table, snapshot, before)
        elif snapshot.paused is not None and company.scheduler.now >= table.resume_at:
            table.resume_at = company.scheduler.now + AGAIN
            resume(company, table)
        elif step > 30 and company.replays.phase(snapshot) is not None:
            _hurry(company, table, snapshot)
        company.sleep(step)
        step = min(step * 1.2, 32 * company.slowness)


def _opened(company: Company, table: Table, snapshot: Snapshot) -> None:
    """A phase has opened."""
    enough = LONGEST if table.phases is None else table.phases
    if snapshot.number >= enough and not table.ending:
        table.ending = True
        company.spawn(partial(end, company, table), table.random.uniform(0, 8) * company.slowness)
    if company.chance(table.host, company.habits.calls):
        company.spawn(partial(call, company, table), table.random.uniform(0, 20) * company.slowness)
    table.moment = company.scheduler.now + table.random.uniform(0.5, 12) * company.slowness
    for person in company.persons:
        seat = seat_of(snapshot, person)
        if seat is not None:
            company.spawn(partial(_turn, company, table, person, seat, snapshot.number))
        elif table.random.random() < 0.3:
            company.spawn(partial(astray, company, table, person), company.reaction(person))


def _handed_on(company: Company, table: Table, snapshot: Snapshot, before: Sequence[int | None]) -> None:
    """Whoever has come into a seat plays on there."""
    for person in company.persons:
        seat = seat_of(snapshot, person)
        if seat is not None and before[seat] != person.user:
            company.spawn(partial(_turn, company, table, person, seat, snapshot.number))


def seat_of(snapshot: Snapshot, person: Person) -> Player | None:
    """Where somebody sits."""
    for seat, who in enumerate(snapshot.seats):
        if who is not None and who.user == person.user:
            return seat
    return None


def _turn(company: Company, table: Table, person: Person, seat: Player, number: int) -> None:
    """Somebody's part in one phase."""
    if company.chance(person, company.habits.silent) or number < table.hushed:
        return
    brisk = person.random.random() < BRISK
    crowded = company.scenario.crowd and person.random.random() < 0.8
    company.sleep(max(0.0, table.moment - company.scheduler.now) if crowded else company.reaction(person))
    snapshot = current(company, table, number)
    if snapshot is None:
        return
    if snapshot.deadline is not None and company.chance(person, company.habits.late):
        brisk = True
        company.sleep(max(0.0, snapshot.deadline + person.random.uniform(*LAST) - company.scheduler.now))
    for wanted in _goals(company, table, snapshot, person, seat):
        goal = replace(wanted, path=wanted.path[-1:]) if brisk else wanted
        astray(company, table, person)
        if not _pursue(company, table, person, seat, number, goal, 0.5 if crowded else None, brisk=brisk):
            return


def _goals(company: Company, table: Table, snapshot: Snapshot, person: Person, seat: Player) -> tuple[Goal, ...]:
    """What somebody is after in this phase, one after the other; now and then they leave something half made."""
    state = company.replays.state(snapshot)
    finder = table.phases is None and person.random.random() < 0.9
    wanted = None if state is None else wish(snapshot, state, seat, person.random, finder=finder)
    if wanted is None:
        return ()
    goals = wanted.goals
    if company.chance(person, company.habits.dither):
        first = wish(snapshot, state, seat, person.random, finder=False)
        goals = goals if first is None else dithered(first, wanted, person.random)
    if company.habits != CALM and len(goals[0].path) > 1 and person.random.random() < 0.04:
        _begin_another(company, person, snapshot)
    return goals


def _begin_another(company: Company, person: Person, snapshot: Snapshot) -> None:
    """Open a page, and leave it there."""
    prefix = f"{snapshot.match}:{snapshot.number}:m"
    pages = [button for data, button in company.seen(person.user).items() if data.startswith(prefix)]
    if pages:
        company.press(person, person.random.choice(pages))


def current(company: Company, table: Table, number: int) -> Snapshot | None:
    """The match, while this phase of it is open."""
    snapshot = company.snapshot(table)
    if snapshot is None or snapshot.stage != "playing" or snapshot.number != number:
        return None
    return snapshot


def _pursue(
    company: Company,
    table: Table,
    person: Person,
    seat: Player,
    number: int,
    goal: Goal,
    gap: float | None,
    *,
    brisk: bool,
) -> bool:
    """Press until a goal is reached. False: it cannot be any more, or they let it be."""
    last: Button | None = None
    again = company.scheduler.now
    since = company.scheduler.now
    for look in range(LOOKS):
        snapshot = current(company, table, number)
        if snapshot is None or _gone(table, person, goal):
            return False
        box = snapshot.box.get(seat, NOTHING)
        if goal.reached(box):
            return True
        if snapshot.paused is not None and person.random.random() < 0.9:
            company.wait(lambda: not _is_paused(company, table), max(PATIENCE, table.resume_at + PATIENCE - again))
            continue
        button = _next(company, table, person, snapshot, goal, box, look, brisk=brisk)
        now = company.scheduler.now
        if button is not None and (button != last or now >= again):
            company.press(person, button)
            last, again = button, now + PATIENCE * person.random.uniform(0.7, 4)
            since = now
            if company.chance(person, 0.15):
                _hasten(company, person, snapshot, goal, button)
        elif now - since > 50 and not goal.public:
            since = now
            company.say(person, person.user, person.random.choice((f"/start panel-{snapshot.match}", "/matches")))
        company.sleep(gap if gap is not None and look < 12 else _glance(company, person, look))
    return False


def _is_paused(company: Company, table: Table) -> bool:
    snapshot = company.snapshot(table)
    return snapshot is not None and snapshot.paused is not None


def _gone(table: Table, person: Person, goal: Goal) -> bool:
    """Whether somebody is where they cannot press this. Who has left the group may yet play on in private."""
    return table.chat in person.out_of if goal.public else person.blocked


def _glance(company: Company, person: Person, look: int) -> float:
    """How long until somebody looks again."""
    return person.random.uniform(0.4, 1.6) * (1.0 if look < 12 else company.slowness * min(8.0, look / 6))


def _next(
    company: Company,
    table: Table,
    person: Person,
    snapshot: Snapshot,
    goal: Goal,
    box: Box,
    look: int,
    *,
    brisk: bool,
) -> Button | None:
    """The button that leads furthest towards a goal; or back, where somebody is on another page. Whoever is brisk has a
    client that needs no pages.
    """
    chat = table.chat if goal.public else person.user
    seen = company.seen(chat, NEWEST if look % 8 != 7 else 10_000)
    phase = f"{snapshot.match}:{snapshot.number}:"
    for tail in reversed(goal.path):
        if phase + tail in seen:
            return seen[phase + tail]
    if box[1] and phase + "u" in seen:
        return seen[phase + "u"]
    if brisk:
        panel = next((button for data, button in seen.items() if data.startswith(phase)), None)
        return None if panel is None else replace(panel, data=phase + goal.path[-1])
    if look % 4 == 3:
        pages = [data for data in seen if data.startswith(phase + "m")]
        if pages:
            return seen[min(pages, key=len)]
    if look % 8 == 7:
        return seen.get(f"{snapshot.match}:panel:")
    return None


def _hasten(company: Company, person: Person, snapshot: Snapshot, goal: Goal, button: Button) -> None:
    """Press on without waiting for the page to change."""
    tail = button.data.removeprefix(f"{snapshot.match}:{snapshot.number}:")
    for following in goal.path[goal.path.index(tail) + 1 :] if tail in goal.path else ():
        company.sleep(person.random.uniform(0, 0.3))
        data = f"{snapshot.match}:{snapshot.number}:{following}"
        company.press(person, Button(button.chat, button.message, data))


def _hurry(company: Company, table: Table, snapshot: Snapshot) -> None:
    """A host may pick for somebody who is away, and sometimes does."""
    phase = company.replays.phase(snapshot)
    idle = company.scheduler.now - snapshot.opened > IDLE * PACES[table.pace]
    host = next((person for person in company.persons if person.user == snapshot.host), None)
    if phase is None or not phase.instant or not idle or host is None or table.random.random() > 0.1:
        return
    prefix = f"{snapshot.match}:pick:{snapshot.number}."
    chat = company.moved(snapshot.chat)

    def offered() -> list[Button]:
        return [button for data, button in company.seen(chat).items() if data.startswith(prefix)]

    if company.say(host, chat, "/pick", snapshot.topic) and company.wait(lambda: bool(offered()), 20):
        company.press(host, host.random.choice(offered()))
