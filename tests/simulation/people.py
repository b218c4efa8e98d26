"""The simulated people: they come together, play, get in each other's way, and end what they have begun."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

from tests.simulation.befalling import befall, give_back, reopen
from tests.simulation.company import CALM, Company, Person, Table, Telegram
from tests.simulation.ending import tidy
from tests.simulation.habits import stale, stray
from tests.simulation.lobby import again, gather
from tests.simulation.names import ONLOOKER, OWNER, SEATED
from tests.simulation.playing import watch
from tests.simulation.scenario import Place, Planned, Scenario
from tests.simulation.schedule import Scheduler
from tests.simulation.trace import Trace
from tests.simulation.weather import Weather

OTHER_PHASES: Final = 4
"""So many phases a second match lasts at most."""


class People:
    """Everybody in a scenario, and the tables at which they play; the first is the one that the scenario is about."""

    def __init__(
        self,
        scenario: Scenario,
        scheduler: Scheduler,
        weather: Weather,
        trace: Trace,
        telegram: Telegram,
        random: Random,
    ) -> None:
        self._scenario = scenario
        self._telegram = telegram
        self._random = random
        self._company = Company(scenario, scheduler, weather, trace, telegram)
        self._stories = 0

    def begin(self) -> None:
        """They come together, and from now on do what they do."""
        company, scenario = self._company, self._scenario
        owner = None if scenario.place == "private" else company.arrive(OWNER)
        players = [company.arrive(word) for word in SEATED[: scenario.people]]
        main = self._table(scenario.place, "The Garden", owner or players[0], players)
        if owner is not None and self._random.random() < 0.5:
            onlooker = company.arrive(ONLOOKER)
            company.telegram.join(onlooker.user, main.chat)
        for person in company.persons:
            # Whoever has not heard of the bot yet will, when they press Join. An owner is asked nothing of the kind.
            if person in (owner, main.host) or self._random.random() < 0.75:
                company.start(person)
        if scenario.others:
            self._another(main)
        if main.chat < 0 and self._random.random() < 0.3:
            company.spawn(partial(self._office, main, self._random.choice(players)), self._random.uniform(1, 200))
        for delay, table in enumerate(company.tables):
            self._stories += 1
            company.spawn(partial(self._story, table), 1.0 + 20 * delay)

    def finished(self) -> bool:
        """Whether every match is over, and nobody has anything more in mind."""
        return self._company.busy == 0

    @property
    def match(self) -> str | None:
        """The match that the scenario is about, once there is one."""
        return self._company.tables[0].match

    def mishap(self, planned: Planned) -> None:
        """What is planned happens now, if it befalls people or groups and can happen."""
        befall(self._company, self._company.tables[0], planned)

    def settle(self) -> None:
        """From now on nobody strays; everybody is there again, and the bot may do everything where it still is."""
        company = self._company
        company.habits = CALM
        for person in company.persons:
            company.come_back(person)
        for table in company.tables:
            if table.chat < 0:
                give_back(company, table)
                reopen(company, table)

    def _story(self, table: Table) -> None:
        while gather(self._company, table):
            watch(self._company, table)
            if again(self._company, table):
                continue
            for person in table.people:
                if self._company.habits != CALM and self._company.chance(person, 0.3):
                    stale(self._company, table, person)
            break
        self._stories -= 1
        if self._stories == 0:
            self._company.spawn(partial(tidy, self._company), self._random.uniform(1, 30))

    def _office(self, table: Table, person: Person) -> None:
        """Somebody runs the group for a while, and presses what the host may."""
        company, promote = self._company, self._company.telegram.promote
        for status in ("administrator", "member"):
            if table.chat not in person.out_of and not person.gone and person is not table.owner:
                promote(person.user, table.chat, status)
            for _ in range(3):
                company.sleep(company.reaction(person))
                stray(company, table, person)

    def _table(self, place: Place, title: str, owner: Person, players: list[Person]) -> Table:
        """A place with its people and the bot in it."""
        company, scenario, random = self._company, self._scenario, self._random
        chat, topic = owner.user, None
        if place != "private":
            supergroup = place != "group"
            chat = self._telegram.group(title, owner.user, supergroup=supergroup, forum=place == "topic")
            for person in players:
                self._telegram.join(person.user, chat)
            self._telegram.add_bot(chat, owner.user)
            topic = self._telegram.topic(chat, owner.user, title) if place == "topic" else None
        table = Table(
            game=scenario.game,
            pace=scenario.pace,
            place=place,
            chat=chat,
            topic=topic,
            owner=owner,
            host=owner if random.random() < 0.2 else players[0],
            people=tuple(players),
            phases=scenario.phases,
            random=Random(f"{scenario.seed}/people/{title}"),
        )
        company.tables.append(table)
        return table

    def _another(self, main: Table) -> None:
        """A short match beside the main one: in another topic, or in another group."""
        shared = list(main.people[: self._random.randint(1, 2)])
        if main.place == "topic":
            topic = self._telegram.topic(main.chat, main.owner.user, "The Annex")
            chat = main.chat
        else:
            chat = self._telegram.group("The Annex", main.owner.user)
            for person in shared:
                if person is not main.owner:
                    self._telegram.join(person.user, chat)
            self._telegram.add_bot(chat, main.owner.user)
            topic = None
        self._company.tables.append(
            Table(
                game="gravity",
                pace="live",
                place="topic" if main.place == "topic" else "group",
                chat=chat,
                topic=topic,
                owner=main.owner,
                host=shared[0],
                people=tuple(shared),
                phases=self._random.randint(1, OTHER_PHASES),
                random=Random(f"{self._scenario.seed}/people/The Annex"),
            )
        )
