"""What befalls people and groups by plan, and how it passes."""

from __future__ import annotations

from collections.abc import Callable

from tests.simulation.company import Company, Person, Table
from tests.simulation.ending import remove
from tests.simulation.habits import away
from tests.simulation.names import hostile
from tests.simulation.scenario import Planned


def befall(company: Company, table: Table, planned: Planned) -> None:
    """Let a mishap happen now, if it can, and pass in its time. What befalls the bot itself is not for here."""
    victim = table.random.choice(table.people)
    match planned.mishap:
        case "migrate":
            migrate(company, table)
        case "remove bot" if table.has_bot and table.chat < 0:
            remove(company, table)
            _later(company, planned.seconds, table, _add_again)
        case "close topic" if table.topic is not None:
            company.weather.note("topic closed", about=str(table.chat))
            company.telegram.close_topic(table.chat, table.topic)
            _later(company, planned.seconds, table, reopen)
        case "withdraw rights" if table.chat < 0:
            company.weather.note("rights withdrawn", about=str(table.chat))
            write = table.random.random() < 0.4
            pin, photos = not write and table.random.random() < 0.5, not write and table.random.random() < 0.5
            company.telegram.rights(table.chat, write=write, pin=pin, photos=photos)
            _later(company, planned.seconds, table, give_back)
        case "block":
            away(company, table, victim, company.block, planned.seconds)
        case "leave":
            away(company, table, victim, None, planned.seconds)
        case "rename":
            rename(company, victim)


def migrate(company: Company, table: Table) -> None:
    """A plain group becomes a supergroup, once."""
    if table.place != "group" or table.chat in company.moves.values():
        return
    old = table.chat
    company.weather.note("migrated", about=str(old))
    company.moves[old] = company.telegram.migrate(old, table.owner.user)
    for each in company.tables:
        if each.chat == old:
            each.chat = company.moves[old]
    for person in company.persons:
        person.out_of = [company.moved(chat) for chat in person.out_of]


def rename(company: Company, person: Person) -> None:
    """Somebody calls themselves something else, with their word in it."""
    company.weather.note("renamed", about=str(person.user))
    company.telegram.rename(person.user, hostile(person.word, person.random))


def _later(company: Company, seconds: float, table: Table, undo: Callable[[Company, Table], None]) -> None:
    company.spawn(lambda: undo(company, table), seconds)


def _add_again(company: Company, table: Table) -> None:
    if not table.has_bot:
        for each in company.tables:
            if each.chat == table.chat:
                each.has_bot = True
        company.telegram.add_bot(table.chat, table.owner.user)


def reopen(company: Company, table: Table) -> None:
    """The bot may write in the topic again."""
    if table.topic is not None:
        company.telegram.open_topic(table.chat, table.topic)


def give_back(company: Company, table: Table) -> None:
    """The bot may write and pin again."""
    company.telegram.rights(table.chat)
