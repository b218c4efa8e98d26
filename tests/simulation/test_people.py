"""People do what a scenario says of them: they bring a match to its end, and whatever they are given to is seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations
from random import Random
from typing import Any

import pytest

from engine.dog.moves import Play
from engine.dog.notation import read as read_play
from handler.views.layout import cleaned
from tests.simulation import names
from tests.simulation.chats import by_data
from tests.simulation.company import CALM
from tests.simulation.house import House
from tests.simulation.people import People
from tests.simulation.plans import LOCK, UNLOCK, WITHDRAW, dithered, played
from tests.simulation.scenario import GAMES, Game, Habits, Mishap, Place, Planned, Scenario, draw
from tests.simulation.schedule import Scheduler
from tests.simulation.telegram import Telegram
from tests.simulation.trace import Happened, Pressed, Struck, Trace, Wrote
from tests.simulation.weather import Weather

DAY = 86_400.0


class Observed(Telegram):
    """Telegram, with a count of what kinds of presses there are."""

    def __init__(self, scheduler: Scheduler, weather: Weather, trace: Trace, random: Random) -> None:
        super().__init__(scheduler, weather, trace, random)
        self.presses = Counter[str]()
        self._once: dict[tuple[int, int, str], None] = {}
        self._pressed_in: dict[int, None] = {}

    def press(self, user: int, chat: int, message: int, data: str) -> None:
        self._pressed_in |= {user: None, chat: None}
        super().press(user, chat, message, data)
        self.presses[self._kind(chat, message, data)] += 1
        self._once[chat, message, data] = None

    def _kind(self, chat: int, message: int, data: str) -> str:
        button = by_data(self.messages(chat), 10_000).get(data)
        if button is not None and button.message == message:
            return "genuine"
        if any(data in by_data(self.messages(other), 10_000) for other in self._pressed_in if other != chat):
            return "foreign"
        return "stale" if (chat, message, data) in self._once else "forged"


@dataclass
class Evening:
    """A scenario with its people in it, and what comes of it."""

    scenario: Scenario
    trace: Trace = field(default_factory=Trace)
    presses: Counter[str] = field(default_factory=Counter)
    finished: bool = False
    match: str | None = None

    def pass_by(self, interrupt: Callable[[People, Trace], bool] = lambda people, trace: False) -> Evening:
        """Let it go on until people are done. ``interrupt`` is called until it has happened."""
        seed, trace = self.scenario.seed, self.trace
        scheduler = Scheduler(1_800_000_000.0, Random(f"{seed}/order"))
        weather = Weather(self.scenario.rates, Random(f"{seed}/weather"), scheduler, trace)
        telegram = Observed(scheduler, weather, trace, Random(f"{seed}/telegram"))
        house = House(self.scenario, scheduler, weather, trace, telegram, Random(f"{seed}/house"))
        try:
            telegram.bring_to(house.take)
            people = People(self.scenario, scheduler, weather, trace, telegram, Random(f"{seed}/people"))
            people.begin()
            end, waiting = scheduler.now + 40 * DAY, True
            while scheduler.now < end and not people.finished() and scheduler.step():
                waiting = waiting and not interrupt(people, trace)
            self.finished, self.match, self.presses = people.finished(), people.match, telegram.presses
            people.settle()
        finally:
            house.close()
            telegram.close()
        return self


def calm(game: Game, place: Place, **changes: Any) -> Scenario:
    """An evening on which nothing goes wrong."""
    scenario = replace(
        draw(2, game), habits=CALM, rates={}, mishaps=(), place=place, pace="live", people=1, others=False, phases=None
    )
    return replace(scenario, house="machine", processes=1, hostile_names=False, spanish=0.0, **changes)


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", names.HOSTILE)
def test_a_hostile_name_shows_its_word(shape: str) -> None:
    for word in (*names.SEATED, *names.NEWCOMERS, names.OWNER, names.ONLOOKER):
        name = names.hostile(word, _Choosing(shape))
        assert word in cleaned(name)
        assert len(name) <= names.LONGEST


def test_no_word_is_part_of_another() -> None:
    words = (*names.SEATED, *names.NEWCOMERS, names.OWNER, names.ONLOOKER)
    assert not any(one in other for one, other in permutations(words, 2))


class _Choosing(Random):
    """Chance that is none."""

    def __init__(self, chosen: str) -> None:
        super().__init__(0)
        self._chosen = chosen

    def choice(self, seq: Any) -> Any:
        return self._chosen


# --- wishes ---------------------------------------------------------------------------------------


def test_a_play_is_had_page_by_page() -> None:
    play = read_play("5xb3wcr")
    assert isinstance(play, Play)
    assert [goal.path for goal in played(play, ready=True).goals] == [
        ("m5", "m5x", "m5xb", "m5xb3", "m5xb3wcr", "f5xb3wcr")
    ]
    assert [goal.path[-1] for goal in played(play, ready=False).goals] == ["s5xb3wcr", "l"]


def test_whoever_dithers_comes_to_the_second_wish() -> None:
    first, then = read_play("5cm"), read_play("7cr")
    assert isinstance(first, Play)
    assert isinstance(then, Play)
    seen = Counter[str]()
    for seed in range(20):
        goals = dithered(played(first, ready=False), played(then, ready=False), Random(seed))
        assert goals[-2:] == played(then, ready=False).goals or goals[-1] == LOCK
        assert UNLOCK in goals
        seen.update(goal.path[-1] for goal in goals)
        box: tuple[str | None, bool] = ("7cr", True)
        assert goals[-1].reached(box)
    assert 0 < seen[WITHDRAW.path[-1]] < 20
    assert seen["l"] > 20


# --- evenings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "place"),
    [("gravity", "group"), ("gravity", "private"), ("dog", "supergroup"), ("dog", "private"), ("episode", "topic")],
)
def test_a_match_is_played_out(game: Game, place: Place) -> None:
    evening = Evening(calm(game, place)).pass_by()
    assert evening.finished
    assert evening.match is not None
    match = evening.trace.latest[evening.match]
    assert match.stage == "over"
    assert set(evening.presses) <= {"genuine", "forged"}, "whoever is brisk presses what is not shown yet"


def test_a_crowd_presses_in_the_same_instant() -> None:
    evening = Evening(replace(calm("dog", "group"), people=5, crowd=True, phases=3)).pass_by()
    times = Counter(press.at for press in evening.trace.of(Pressed))
    assert max(times.values()) >= 4


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_ended_when_people_have_had_enough(game: Game) -> None:
    stages = Counter[str]()
    for seed in range(2):
        scenario = replace(calm(game, "group"), seed=seed, people=2, phases=2)
        evening = Evening(scenario).pass_by()
        assert evening.finished
        assert evening.match is not None
        stages[evening.trace.latest[evening.match].stage] += 1
    assert stages["cancelled"] or game == "gravity"
    assert sum(stages.values()) == stages["cancelled"] + stages["over"]


def test_silent_people_let_the_time_pass() -> None:
    scenario = replace(calm("gravity", "group"), habits=Habits(silent=1.0), people=2, phases=3)
    evening = Evening(scenario).pass_by()
    assert evening.match is not None
    played = [press for press in evening.trace.of(Pressed) if press.data.split(":")[1].isdigit()]
    assert played == []
    assert evening.trace.latest[evening.match].number >= 3


def test_every_habit_is_seen() -> None:
    presses, twice, undone, said, happened = Counter[str](), 0, 0, Counter[str](), Counter[str]()
    habits = Habits(0.1, 0.4, 0.15, 0.15, 0.15, 0.15, 0.15, 0.15, 0.1)
    for seed in range(3):
        scenario = replace(calm("gravity", "group"), seed=seed, people=2, phases=14, habits=habits, hostile_names=True)
        evening = Evening(scenario).pass_by()
        assert evening.finished
        trace = evening.trace
        presses.update(evening.presses)
        all_presses = list(trace.of(Pressed))
        twice += sum(
            1
            for one, other in pairwise(all_presses)
            if (one.user, one.message, one.data) == (other.user, other.message, other.data) and other.at - one.at <= 0.1
        )
        undone += sum(press.data.endswith(":u") for press in all_presses)
        said.update("group" if wrote.chat < 0 else "private" for wrote in trace.of(Wrote))
        happened.update(event.what for event in trace.of(Happened))
    for kind in ("genuine", "foreign", "stale", "forged"):
        assert presses[kind] >= 2, kind
    assert twice >= 2
    assert undone >= 1
    assert said["group"] > 5
    assert said["private"] > 5
    assert happened["blocked"] + happened["left"] >= 2
    assert happened["unblocked"] + happened["joined"] > 2


@pytest.mark.parametrize(
    ("mishap", "place", "seen"),
    [
        ("migrate", "group", ["migrated"]),
        ("remove bot", "supergroup", ["bot removed", "bot added"]),
        ("close topic", "topic", ["topic closed", "topic opened"]),
        ("withdraw rights", "group", ["rights", "rights"]),
        ("block", "group", ["blocked", "unblocked"]),
        ("leave", "group", ["left", "joined"]),
        ("rename", "private", ["renamed"]),
    ],
)
def test_what_is_planned_befalls_them_and_passes(mishap: Mishap, place: Place, seen: list[str]) -> None:
    def interrupt(people: People, trace: Trace) -> bool:
        if people.match is None or trace.latest[people.match].number < 1:
            return False
        trace.add(Struck(0.0, "restart"))  # from here on
        people.mishap(Planned(mishap, 1, 0.0, 20.0))
        return True

    evening = Evening(replace(calm("gravity", place), phases=8)).pass_by(interrupt)
    assert evening.finished
    assert evening.match is not None
    assert evening.trace.latest[evening.match].stage in ("over", "cancelled")
    begun = next(place for place, event in enumerate(evening.trace.events) if isinstance(event, Struck))
    happened = [event.what for event in evening.trace.events[begun:] if isinstance(event, Happened)]
    assert [what for what in happened if what in seen][: len(seen)] == seen


def test_at_last_everybody_is_there_again() -> None:
    for seed in range(3):
        scenario = replace(calm("gravity", "group"), seed=seed, people=2, habits=Habits(absent=0.4), phases=4)
        trace = Evening(scenario).pass_by().trace
        latest: dict[tuple[str, int | None], str] = {}
        for event in trace.of(Happened):
            if event.what in ("blocked", "unblocked"):
                latest["bot", event.user] = event.what
            elif event.what in ("left", "joined"):
                latest["group", event.user] = event.what
        assert "blocked" not in latest.values()
        assert "left" not in latest.values()


def test_a_second_match_goes_on_beside_the_first() -> None:
    for place in ("topic", "group"):
        evening = Evening(replace(calm("gravity", place), others=True, phases=3)).pass_by()
        assert evening.finished
        played = [match for match in evening.trace.latest.values() if match.steps]
        assert len({(match.chat, match.topic) for match in played}) == 2
