"""How people come to a match: a lobby is opened, filled, set and started, each by the buttons that stand there."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.simulation.chats import Button
from tests.simulation.company import Company, Person, Table
from tests.simulation.habits import astray
from tests.simulation.trace import Snapshot

TRIES: Final = 60
"""So often somebody does something about a lobby before everybody gives up."""
LONGEST: Final = 6 * 3600.0
"""Seconds after which they do, whoever is away."""
MINUTE: Final = 60.0


def gather(company: Company, table: Table) -> bool:
    """Bring a match about. False: it was not to be."""
    invited = ""
    until = company.scheduler.now + LONGEST
    tries = 0
    while tries < TRIES and company.scheduler.now < until:
        snapshot = company.snapshot(table)
        if snapshot is not None and snapshot.stage == "playing":
            return True
        if not table.has_bot:
            return False
        host = _acting(table)
        if host is None:
            company.sleep(MINUTE / 2)
        elif snapshot is None or snapshot.stage != "lobby":
            tries += 1
            table.match = None
            _open(company, table, host)
            company.wait(partial(_is_open, company, table), MINUTE)
        elif invited != snapshot.match:
            invited = snapshot.match
            _invite(company, table, invited)
            company.wait(partial(_all_seated, company, table), 2 * MINUTE)
        else:
            tries += 1
            if table.random.random() < 0.3:
                astray(company, table, host)
            button = _missing(company, table, snapshot)
            if button is not None and company.press(host, button):
                company.wait(partial(_changed, company, table, snapshot.version), MINUTE)
                company.sleep(table.random.uniform(0.3, 3))
            else:
                company.sleep(10)
    return False


def again(company: Company, table: Table) -> bool:
    """Once more: whoever liked it presses for a rematch, some of them only the Join button of its lobby."""
    old = company.snapshot(table)
    if old is None or table.rematches or not table.has_bot or not company.chance(table.host, company.habits.again):
        return False
    button = f"{old.match}:again:"
    if not company.wait(lambda: button in company.seen(table.chat), 3 * MINUTE):
        return False
    table.rematches += 1
    for person in table.random.sample(table.people, len(table.people)):
        company.sleep(company.reaction(person))
        offered = company.seen(table.chat, 10_000).get(button)
        if offered is not None and person.random.random() < 0.8:
            company.press(person, offered)
    followed = company.wait(lambda: any(each.follows == old.match for each in company.trace.latest.values()), MINUTE)
    if followed:
        table.match, table.ending, table.hushed = None, False, 0
        table.phases = table.random.randint(1, 3)
    return followed


def _acting(table: Table) -> Person | None:
    """Who sees to the lobby: its host or, while the host is away, whoever runs the group; None: nobody is there."""
    for person in (table.host, table.owner):
        if table.chat not in person.out_of and not (person.blocked and table.chat > 0):
            return person
    return None


def _open(company: Company, table: Table, host: Person) -> None:
    """The host asks for a lobby: by the game's command, or by a button of a greeting or of /new."""
    new = f"-:new:{table.command}"
    offered = company.seen(table.chat)
    if table.topic is None and new in offered and table.random.random() < 0.5:
        company.press(host, offered[new])
    elif table.random.random() < 0.8:
        company.say(host, table.chat, f"/{table.command}", table.topic)
    elif company.say(host, table.chat, "/new", table.topic):
        before = max((button.message for button in offered.values()), default=0)

        def asked() -> bool:
            found = company.seen(table.chat).get(new)
            return found is not None and found.message > before

        if company.wait(asked, 20):
            company.press(host, company.seen(table.chat)[new])


def _invite(company: Company, table: Table, match: str) -> None:
    """Everybody who wants to play presses Join, a crowd in the same instant."""
    if table.place == "private":
        return
    together = table.random.uniform(1, 5)
    for person in table.people:
        delay = together if company.scenario.crowd else company.reaction(person)
        company.spawn(partial(_join, company, table, person, match), delay)


def _join(company: Company, table: Table, person: Person, match: str) -> None:
    """Press Join until there is a seat; whoever has never heard of the bot follows the link that the press opens."""
    join = f"{match}:join:"
    for _ in range(6):
        if not company.wait(lambda: join in company.seen(table.chat, 10_000), MINUTE) or _begun(company, table, match):
            return
        astray(company, table, person)
        button = company.seen(table.chat, 10_000).get(join)
        if button is None or not company.press(person, button):
            return
        if company.wait(lambda: _sits(company, match, person), 8):
            return
        if not person.started or person.random.random() < 0.3:
            company.start(person, f"join-{match}")
        if company.wait(lambda: _sits(company, match, person), 30):
            return


def _missing(company: Company, table: Table, snapshot: Snapshot) -> Button | None:
    """The button for what is still to be done about a lobby."""
    id = snapshot.match
    seen = _card(company, table, id)
    users = [who.user for who in snapshot.seats if who is not None and who.user is not None]
    if snapshot.pace != table.pace and (None not in snapshot.seats or table.random.random() < 0.5):
        return seen.get(f"{id}:pace:{table.pace}")
    after = f"{id}:after:{'no' if table.game == 'dog' else 'yes'}"
    if table.game != "gravity" and after in seen and table.random.random() < 0.8:
        return seen[after]
    if None in snapshot.seats:
        house = [button for data, button in seen.items() if data.startswith(f"{id}:house:")]
        # Mostly the last of them, which fills up; else one house player at a time.
        return house[-1 if table.random.random() < 0.8 else 0] if house else None
    if not users:
        occupied = [button for data, button in seen.items() if data.startswith(f"{id}:unseat:")]
        _invite(company, table, id)
        return table.random.choice(occupied) if occupied else None
    swap = [button for data, button in seen.items() if data.startswith(f"{id}:first:")]
    if swap and table.random.random() < 0.2:
        return swap[0]
    return seen.get(f"{id}:start:")


def _card(company: Company, table: Table, match: str) -> dict[str, Button]:
    """The buttons of a lobby's card. One that the bot sent without getting to know of it may stand there too, and stay
    as it is; then the newer is the card.
    """
    seen = company.seen(table.chat, 10_000)
    close = seen.get(f"{match}:cancel:ask")
    return {data: button for data, button in seen.items() if close is not None and button.message == close.message}


def _is_open(company: Company, table: Table) -> bool:
    return company.snapshot(table) is not None


def _changed(company: Company, table: Table, version: int) -> bool:
    snapshot = company.snapshot(table)
    return snapshot is None or snapshot.version != version


def _sits(company: Company, match: str, person: Person) -> bool:
    return any(who is not None and who.user == person.user for who in company.trace.latest[match].seats)


def _begun(company: Company, table: Table, match: str) -> bool:
    return company.trace.latest[match].stage != "lobby"


def _all_seated(company: Company, table: Table) -> bool:
    snapshot = company.snapshot(table)
    if snapshot is None or snapshot.stage != "lobby":
        return True
    users = [who.user for who in snapshot.seats if who is not None]
    return all(person.user in users for person in table.people) or None not in snapshot.seats
