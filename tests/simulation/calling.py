"""What hosts call for while a match is played: a pause, more time, somebody else in a seat; and who comes then."""

from __future__ import annotations

from typing import Final

from tests.simulation.chats import Button
from tests.simulation.company import Company, Person, Table
from tests.simulation.names import NEWCOMERS
from tests.simulation.trace import Snapshot

PAUSES: Final = (2.0, 30.0, 200.0, 2000.0, 90_000.0)
"""Seconds for which somebody lets a match rest, the last of them longer than Telegram keeps an update."""
MINUTES: Final = ("", "", "1", "2", "5", "+10", "11", "0", "-3", "five", "144", "10 ", "007")
"""What follows ``/extend``; nothing: it is asked."""
PATIENCE: Final = 20.0
"""Seconds for which somebody waits for what they have asked for."""


def call(company: Company, table: Table) -> None:
    """Somebody makes one of the calls; whether they may is not always known to them."""
    host = caller(company, table)
    snapshot = company.snapshot(table)
    if host is None or snapshot is None or snapshot.stage != "playing":
        return
    table.random.choice((_pause, _extend, _extend, _replace))(company, table, host, snapshot)


def caller(company: Company, table: Table) -> Person | None:
    """Who calls: mostly the host, else the owner of the group or somebody who only plays; None: nobody is there."""
    random = table.random
    wanted = random.choices((table.host, table.owner, random.choice(table.people)), (6, 2, 1))[0]
    for person in (wanted, table.host, table.owner):
        if table.chat not in person.out_of and not person.gone and not (person.blocked and table.chat > 0):
            return person
    return None


def resume(company: Company, table: Table) -> None:
    """Let a paused match run on; whoever sees to it does so again, should nothing come of it."""
    snapshot = company.snapshot(table)
    person = table.host if table.chat not in table.host.out_of else table.owner
    if snapshot is None or snapshot.paused is None:
        return
    prefix = f"{snapshot.match}:resume:"
    offered = [button for data, button in company.seen(table.chat).items() if data.startswith(prefix)]
    if offered and table.random.random() < 0.5:
        company.press(person, offered[0])
    else:
        company.say(person, table.chat, "/resume", table.topic)


def _pause(company: Company, table: Table, host: Person, snapshot: Snapshot) -> None:
    longest = len(PAUSES) if table.random.random() < 0.1 else len(PAUSES) - 1
    table.resume_at = company.scheduler.now + table.random.choice(PAUSES[:longest])
    if _chosen(company, table, host, snapshot, "pause"):
        return
    company.say(host, table.chat, "/pause", table.topic)
    if company.chance(host, company.habits.double):
        company.say(host, table.chat, "/pause", table.topic)


def _chosen(company: Company, table: Table, host: Person, snapshot: Snapshot, act: str) -> bool:
    """Choose a call from the menu under the board, if it is there."""
    menu = company.seen(table.chat).get(f"{snapshot.match}:calls:")
    if menu is None or table.random.random() < 0.6 or not company.press(host, menu):
        return False
    offered = _offered(company, table, f"{snapshot.match}:{act}:")
    return bool(offered) and company.press(host, offered[0])


def _extend(company: Company, table: Table, host: Person, snapshot: Snapshot) -> None:
    minutes = table.random.choice(MINUTES)
    if minutes:
        company.say(host, table.chat, f"/extend {minutes}", table.topic)
        if company.chance(host, company.habits.double):
            company.say(host, table.chat, f"/extend {minutes}", table.topic)
        return
    if not _chosen(company, table, host, snapshot, "extend"):
        company.say(host, table.chat, "/extend", table.topic)
    offered = _offered(company, table, f"{snapshot.match}:extend:{snapshot.number}.")
    for _ in range(table.random.choice((1, 1, 2, 4)) if offered else 0):
        company.press(host, table.random.choice(offered))
        company.sleep(company.reaction(host))


def _replace(company: Company, table: Table, host: Person, snapshot: Snapshot) -> None:
    """Whoever is chosen agrees or not, if they are asked; and somebody comes where the seat is offered."""
    if table.chat > 0:
        company.say(host, table.chat, "/replace")
        return
    if not _chosen(company, table, host, snapshot, "replace"):
        company.say(host, table.chat, "/replace", table.topic)
    seats = [each for each in _offered(company, table, f"{snapshot.match}:replace:") if each.data.count(".") == 1]
    if not seats:
        return
    seat = table.random.choice(seats)
    company.press(host, seat)
    ways = _offered(company, table, f"{seat.data}.")
    if not ways:
        return
    company.sleep(company.reaction(host))
    company.press(host, table.random.choice(ways))
    place, _, was = seat.data.removeprefix(f"{snapshot.match}:replace:").partition(".")
    agree, take = f"{snapshot.match}:agree:{place}.{was}.", f"{snapshot.match}:take:{place}.{was}"
    theirs = next((person for person in company.persons if str(person.user) == was), None)
    following = _offered(company, table, agree, take, private=theirs)
    asked = [each for each in following if each.data.startswith(agree)]
    if asked and theirs is not None:
        company.sleep(company.reaction(theirs))
        yes = [each for each in asked if each.data.endswith(".yes")]
        company.press(theirs, yes[0] if yes and theirs.random.random() < 0.7 else asked[-1])
        following = _offered(company, table, take)
    offers = [each for each in following if each.data.startswith(take)]
    if offers:
        _come(company, table, offers[0])


def _come(company: Company, table: Table, offer: Button) -> None:
    """Whoever comes first has the seat: somebody new, or somebody who is about anyway; now and then several."""
    newcomers = [_newcomer(company, table)] if table.random.random() < 0.7 else []
    others = [person for person in company.persons if person not in newcomers and table.random.random() < 0.2]
    match, _, _ = offer.data.partition(":")
    for person in (*newcomers, *others):
        company.sleep(company.reaction(person))
        company.press(person, offer)
        if person in newcomers and not person.started:
            company.sleep(company.reaction(person))
            company.start(person, f"join-{match}")


def _newcomer(company: Company, table: Table) -> Person:
    """Somebody comes into the group who was not there before; once nobody is left who could, the last who did."""
    here = {person.word for person in company.persons}
    word = next((word for word in NEWCOMERS if word not in here), None)
    if word is None:
        return next(person for person in reversed(company.persons) if person.word in NEWCOMERS)
    person = company.arrive(word)
    company.telegram.join(person.user, table.chat)
    if person.random.random() < 0.6:
        company.start(person)
    return person


def _offered(company: Company, table: Table, *beginnings: str, private: Person | None = None) -> list[Button]:
    """The buttons in the group, or in somebody's private chat, whose data begins so, once there are any."""
    chats = [table.chat] if private is None else [table.chat, private.user]

    def found() -> list[Button]:
        seen = [each for chat in chats for each in company.seen(chat).items()]
        return [button for data, button in seen if data.startswith(beginnings)]

    company.wait(lambda: bool(found()), PATIENCE)
    return found()
