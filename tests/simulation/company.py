"""Who there is, where they sit, and the little that all they do is made of: wait, press, write, go and come back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Protocol

from infra.local.botapi.people import NotPossible
from tests.simulation.chats import NEWEST, Button, Json, by_data
from tests.simulation.names import hostile
from tests.simulation.replays import Replays
from tests.simulation.scenario import Game, Habits, Pace, Place, Scenario
from tests.simulation.schedule import Scheduler
from tests.simulation.trace import Snapshot, Trace
from tests.simulation.weather import Weather

SLOWNESS: Final[dict[Pace, float]] = {"live": 1.0, "relaxed": 3.0, "letters": 12.0}
"""By how much people take their time. Limits grow by more, so that no run gets longer than it must."""
REMEMBERED: Final = 12
CALM: Final = Habits()


class Telegram(Protocol):
    """What people and administrators can do in the simulated Telegram. All of it raises NotPossible."""

    def person(self, word: str, name: str, language: str = "en") -> int: ...
    def rename(self, user: int, name: str) -> object: ...
    def start(self, user: int, payload: str = "") -> object: ...
    def say(self, user: int, chat: int, text: str, topic: int | None = None) -> object: ...
    def press(self, user: int, chat: int, message: int, data: str) -> object: ...
    def edit(self, user: int, chat: int, message: int, text: str) -> object: ...
    def block(self, user: int) -> object: ...
    def deactivate(self, user: int) -> object: ...
    def promote(self, user: int, chat: int, status: str) -> object: ...
    def unblock(self, user: int) -> object: ...
    def group(self, title: str, owner: int, *, supergroup: bool = False, forum: bool = False) -> int: ...
    def topic(self, chat: int, by: int, name: str) -> int: ...
    def join(self, user: int, chat: int) -> object: ...
    def leave(self, user: int, chat: int) -> object: ...
    def add_bot(self, chat: int, by: int) -> object: ...
    def remove_bot(self, chat: int, by: int) -> object: ...
    def migrate(self, chat: int, by: int) -> int: ...
    def close_topic(self, chat: int, topic: int) -> object: ...
    def open_topic(self, chat: int, topic: int) -> object: ...
    def rights(self, chat: int, *, write: bool = True, pin: bool = True, photos: bool = True) -> object: ...
    def messages(self, chat: int) -> Sequence[Json]: ...


@dataclass
class Person:
    """Somebody. ``pressed`` are the buttons that they pressed last; ``out_of`` are the groups that they have left;
    ``gone``: they have deleted their account.
    """

    word: str
    user: int
    random: Random
    started: bool = False
    blocked: bool = False
    gone: bool = False
    out_of: list[int] = field(default_factory=list)
    pressed: list[Button] = field(default_factory=list)


@dataclass
class Table:
    """A place where a match is played, and by whom. ``owner`` runs the group, and may be the only one to host.

    ``phases``: after so many they end it. ``moment``: when a crowd acts in the open phase; ``hushed``: before this
    phase nobody does anything any more. ``resume_at``: when whoever paused it wants to play on.
    """

    game: Game
    pace: Pace
    place: Place
    chat: int
    topic: int | None
    owner: Person
    host: Person
    people: tuple[Person, ...]
    phases: int | None
    random: Random
    match: str | None = None
    has_bot: bool = True
    moment: float = 0.0
    hushed: int = 0
    ending: bool = False
    resume_at: float = 0.0
    rematches: int = 0

    @property
    def command(self) -> str:
        """What opens its lobby."""
        return "gravity" if self.game == "gravity" else "dog"


class Company:
    """Everybody, and what is common to all that they do.

    ``busy`` counts what they still have in mind; ``moves`` are the groups that have become supergroups.
    """

    def __init__(
        self, scenario: Scenario, scheduler: Scheduler, weather: Weather, trace: Trace, telegram: Telegram
    ) -> None:
        self.scenario = scenario
        self.scheduler = scheduler
        self.weather = weather
        self.trace = trace
        self.telegram = telegram
        self.habits = scenario.habits
        self.slowness = SLOWNESS[scenario.pace]
        self.persons: list[Person] = []
        self.tables: list[Table] = []
        self.replays = Replays()
        self.moves: dict[int, int] = {}
        self.busy = 0

    def arrive(self, word: str) -> Person:
        """Somebody new, who has never heard of the bot."""
        random = Random(f"{self.scenario.seed}/people/{word}")
        name = hostile(word, random) if self.scenario.hostile_names else word
        spanish = self.scenario.spanish > 0 and random.random() < self.scenario.spanish
        person = Person(word, self.telegram.person(word, name, "es" if spanish else "en"), random)
        self.persons.append(person)
        return person

    # --- time -------------------------------------------------------------------------------------

    def spawn(self, work: Callable[[], None], delay: float = 0.0) -> None:
        """Somebody has something in mind, to begin in so many seconds."""
        self.busy += 1

        def run() -> None:
            work()
            self.busy -= 1

        self.scheduler.spawn(run, delay)

    def sleep(self, seconds: float) -> None:
        """Let time pass for whoever does this."""
        self.scheduler.sleep(seconds)

    def wait(self, until: Callable[[], bool], seconds: float) -> bool:
        """Look again and again, less often as time goes by, whether something has come about."""
        end = self.scheduler.now + seconds
        step = 0.4
        while not until():
            left = end - self.scheduler.now
            if left <= 0:
                return False
            self.sleep(min(step, left))
            step = min(step * 1.5, seconds / 5)
        return True

    def reaction(self, person: Person) -> float:
        """How long somebody takes who has just seen something, in seconds."""
        longest = person.random.choice((2.0, 2.0, 4.0, 8.0, 20.0))
        return person.random.uniform(0.3, longest) * self.slowness

    # --- what stands ------------------------------------------------------------------------------

    def snapshot(self, table: Table) -> Snapshot | None:
        """The table's match as it is stored; None while there is none."""
        if table.match is None:
            for snapshot in self.trace.latest.values():
                here = (snapshot.chat, snapshot.topic) == (table.chat, table.topic)
                if here and snapshot.stage in ("lobby", "playing"):
                    table.match = snapshot.match
        return None if table.match is None else self.trace.latest[table.match]

    def seen(self, chat: int, newest: int = NEWEST) -> dict[str, Button]:
        """What can be pressed in a chat, by data."""
        return by_data(self.telegram.messages(chat), newest)

    def chance(self, person: Person, rate: float) -> bool:
        """Whether somebody does what they do at this rate."""
        return rate > 0 and person.random.random() < rate

    # --- doing ------------------------------------------------------------------------------------

    def press(self, person: Person, button: Button) -> bool:
        """Somebody presses a button, perhaps twice. False if it cannot be."""
        if not self._press(person, button):
            return False
        person.pressed = [*person.pressed[1 - REMEMBERED :], button]
        if self.chance(person, self.habits.double):
            again = self.scheduler.now + person.random.uniform(0, 0.1)
            self.scheduler.at(again, lambda: self._press(person, button))
        return True

    def _press(self, person: Person, button: Button) -> bool:
        if person.gone:
            return False
        try:
            self.telegram.press(person.user, button.chat, button.message, button.data)
        except NotPossible:
            return False
        return True

    def say(self, person: Person, chat: int, text: str, topic: int | None = None) -> bool:
        """Somebody writes. False if it cannot be. Nobody writes to a bot that they have blocked."""
        if person.gone or (person.blocked and chat == person.user):
            return False
        if chat == person.user and not person.started:
            return self.start(person)
        try:
            self.telegram.say(person.user, chat, text, topic)
        except NotPossible:
            return False
        return True

    def start(self, person: Person, payload: str = "") -> bool:
        """Somebody presses START in their private chat, perhaps by way of a link."""
        if person.gone:
            return False
        person.started, person.blocked = True, False
        self.telegram.start(person.user, payload)
        return True

    def block(self, person: Person) -> None:
        """Somebody wants no more of the bot."""
        if person.started and not person.blocked:
            person.blocked = True
            self.weather.note("blocked", about=str(person.user))
            self.telegram.block(person.user)

    def vanish(self, person: Person) -> None:
        """Somebody deletes their account; nobody does who is needed to end a match."""
        if person.started and not person.gone and person not in self._needed():
            person.gone = person.blocked = True
            self.weather.note("blocked", about=str(person.user))
            self.telegram.deactivate(person.user)

    def _needed(self) -> list[Person]:
        return [each for table in self.tables for each in (table.owner, table.host)]

    def leave(self, person: Person, chat: int) -> None:
        """Somebody leaves a group; its owner never does."""
        if chat < 0 and chat not in person.out_of and person.word != self.persons[0].word:
            person.out_of.append(chat)
            self.weather.note("left", about=str(person.user))
            self.telegram.leave(person.user, chat)

    def come_back(self, person: Person) -> None:
        """Somebody who blocked the bot unblocks it, and mostly says so; somebody who left is there again."""
        if person.gone:
            return
        if person.blocked:
            person.blocked = False
            self.telegram.unblock(person.user)
            if self.habits == CALM or person.random.random() < 0.7:
                self.say(person, person.user, "/start")
        for chat in person.out_of:
            self.telegram.join(person.user, self.moved(chat))
        person.out_of.clear()

    def moved(self, chat: int) -> int:
        """Where a group is now."""
        return self.moves.get(chat, chat)
