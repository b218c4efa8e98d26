"""How people end a match that has not ended by itself, and tidy up what else they have begun."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from tests.simulation.company import Company, Person, Table
from tests.simulation.trace import Snapshot

TRIES: Final = 14


def end(company: Company, table: Table) -> None:
    """End the table's match, one way or, if that comes to nothing, another."""
    _hush(company, table)
    for turn in range(TRIES):
        snapshot = company.snapshot(table)
        if snapshot is None or snapshot.stage != "playing":
            return
        if turn >= 4 and not company.weather.calm:
            company.sleep(120)  # whatever is the matter may pass
        if turn >= 2:
            for person in company.persons:
                company.come_back(person)
        _try(company, table, snapshot, turn)
        company.wait(lambda: not _plays(company, table), 90)


def _hush(company: Company, table: Table) -> None:
    """Mostly they stop playing meanwhile; sometimes they first let a phase or two go by."""
    snapshot = company.snapshot(table)
    chance = table.random.random()
    if snapshot is None or chance < 0.3:
        return
    table.hushed = last = snapshot.number + (1 if chance < 0.9 else 2)
    if chance > 0.8:
        company.wait(lambda: not _plays(company, table) or _number(company, table) >= last, 3600)


def _try(company: Company, table: Table, snapshot: Snapshot, turn: int) -> None:
    random = table.random
    ways = ["cancel", "cancel", "resign"] + ([] if table.place == "private" else ["remove"])
    way = random.choice(ways) if turn < 5 else ways[-1] if turn % 2 else "cancel"
    if way == "resign":
        _resign(company, table, snapshot)
    elif way == "remove":
        if table.has_bot:
            remove(company, table)
    else:
        asker = table.host if turn < 3 or table.place == "private" else table.owner
        cancel(company, snapshot, asker)


def remove(company: Company, table: Table) -> None:
    """The owner removes the bot from the group."""
    for each in company.tables:
        if each.chat == table.chat:
            each.has_bot = False
    company.weather.note("bot removed", about=str(table.chat))
    company.telegram.remove_bot(table.chat, table.owner.user)


def _resign(company: Company, table: Table, snapshot: Snapshot) -> None:
    """Somebody gives up; in Dog's Judgement one after the other leaves, and at the choice of an opponent the host may
    want no Death Match.
    """
    ask = f"{snapshot.match}:decline:ask"
    chat = company.moved(snapshot.chat)
    if ask in company.seen(chat):
        yes = f"{snapshot.match}:decline:{snapshot.number}.yes"
        company.press(table.host, company.seen(chat)[ask])
        if company.wait(lambda: yes in company.seen(chat), 20):
            company.press(table.host, company.seen(chat)[yes])
        return
    seated = seated_people(company, snapshot)
    for person in table.random.sample(seated, min(len(seated), 2)):
        company.say(person, person.user, "/resign")
        answers = [f"{snapshot.match}:{act}:yes" for act in ("resign", "quit")]

        def asked(person: Person = person, answers: Sequence[str] = answers) -> list[str]:
            seen = company.seen(person.user)
            return [answer for answer in answers if answer in seen]

        if company.wait(lambda asked=asked: bool(asked()), 20):  # type: ignore[misc]
            company.press(person, company.seen(person.user)[asked()[0]])


def cancel(company: Company, snapshot: Snapshot, asker: Person) -> None:
    """Somebody asks to end a match or to close a lobby, and all who play agree."""
    chat = company.moved(snapshot.chat)
    answers = [f"{snapshot.match}:cancel:{word}" for word in ("yes", "close")]

    def asked() -> list[str]:
        seen = company.seen(chat)
        return [answer for answer in answers if answer in seen]

    if not company.say(asker, chat, "/cancel", snapshot.topic) or not company.wait(lambda: bool(asked()), 30):
        return
    agreeing = [asker, *(person for person in seated_people(company, snapshot) if person is not asker)]
    for person in agreeing:
        company.spawn(partial(_agree, company, person, chat, answers), company.reaction(person))
    company.wait(lambda: not asked(), 40)


def _agree(company: Company, person: Person, chat: int, answers: Sequence[str]) -> None:
    seen = company.seen(chat)
    for answer in answers:
        if answer in seen:
            company.press(person, seen[answer])
            return


def seated_people(company: Company, snapshot: Snapshot) -> list[Person]:
    """Who plays in a match."""
    users = [who.user for who in snapshot.seats if who is not None]
    return [person for person in company.persons if person.user in users]


def tidy(company: Company) -> None:
    """Close what else people have opened on the way, by the host of each; a lobby closes by itself after a day."""
    for turn in range(3):
        for snapshot in _open(company):
            host = next(person for person in company.persons if person.user == snapshot.host)
            company.come_back(host)
            cancel(company, snapshot, host if turn == 0 or snapshot.chat > 0 else company.persons[0])
        company.wait(lambda: not _open(company), (60, 600, 90_000)[turn])


def _open(company: Company) -> list[Snapshot]:
    return [each for each in company.trace.latest.values() if each.stage in ("lobby", "playing")]


def _plays(company: Company, table: Table) -> bool:
    snapshot = company.snapshot(table)
    return snapshot is not None and snapshot.stage == "playing"


def _number(company: Company, table: Table) -> int:
    snapshot = company.snapshot(table)
    return 0 if snapshot is None else snapshot.number
