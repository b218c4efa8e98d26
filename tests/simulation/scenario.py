"""What a seed decides before anything happens: who plays what, where, on what, and what is going to go wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Final, Literal, get_args

from tests.simulation.weather import Fault

Game = Literal["gravity", "dog", "episode"]
"""``dog`` is Dog's Judgement with the Death Match declined beforehand, ``episode`` with the Death Match to follow."""
Store = Literal["memory", "sqlite", "dynamodb"]
House = Literal["machine", "aws"]
Pace = Literal["live", "relaxed", "letters"]
Place = Literal["group", "supergroup", "topic", "private"]
Mishap = Literal[
    "restart",
    "outage",
    "release",
    "migrate",
    "remove bot",
    "close topic",
    "withdraw rights",
    "block",
    "leave",
    "rename",
]

SPANISH: Final = (0.0,) * 7 + (0.3, 1.0)
GAMES: Final[tuple[Game, ...]] = get_args(Game)


@dataclass(frozen=True)
class Planned:
    """A mishap, to come ``after`` seconds into phase ``phase`` (or the first after it that lasts so long), and to be
    over ``seconds`` later where it is one that passes.
    """

    mishap: Mishap
    phase: int
    after: float
    seconds: float


@dataclass(frozen=True)
class Habits:
    """How people are, each from 0 to 1: the chance, at each thing they do, that they first do something else.

    ``silent``: do nothing in a phase at all. ``dither``: change their mind after sealing. ``double``: press the same
    button again at once. ``stray``: press any button they see. ``stale``: press one that stands no more, as it was.
    ``foreign``: press a button meant for somebody else. ``forge``: send data that no button ever carried.
    ``chatter``: write a command, here or there. ``absent``: block the bot or leave the group, and come back or not.
    ``late``: wait for the phase's last seconds, or until they are over. ``calls``: call for a pause, for more time or
    for somebody else in a seat. ``again``: ask for a rematch when a match is over.
    """

    silent: float = 0.0
    dither: float = 0.0
    double: float = 0.0
    stray: float = 0.0
    stale: float = 0.0
    foreign: float = 0.0
    forge: float = 0.0
    chatter: float = 0.0
    absent: float = 0.0
    late: float = 0.0
    calls: float = 0.0
    again: float = 0.0


@dataclass(frozen=True)
class Scenario:
    """One run. ``processes``: how many there are at once at most. ``people``: how many of the seats are people's.
    ``phases``: after so many closed phases people end the match, if it has not ended by then; None: they play it out.
    ``crowd``: people tend to press at the same instant. ``others``: a second match goes on in the same chat's other
    topic, or with one of these people in another group. ``spanish``: how many people's apps are, from 0 to 1.
    """

    seed: int
    game: Game
    store: Store
    house: House
    processes: int
    people: int
    pace: Pace
    place: Place
    phases: int | None
    crowd: bool
    others: bool
    hostile_names: bool
    spanish: float
    habits: Habits
    rates: Mapping[Fault, float]
    mishaps: tuple[Planned, ...]


FAMILIES: Final[Mapping[str, Mapping[Fault, float]]] = {
    "processes": {"killed before an effect": 0.01, "killed after an effect": 0.01},
    "store": {"store throttled": 0.02, "store lost before": 0.015, "store lost after": 0.015, "store slow": 0.03},
    "delivery": {"update twice": 0.05, "update late": 0.05, "update overtaken": 0.1, "answer lost": 0.03},
    "telegram": {
        "telegram connection refused": 0.015,
        "telegram cut before": 0.01,
        "telegram cut after": 0.01,
        "telegram silent before": 0.004,
        "telegram silent after": 0.004,
        "telegram slow": 0.02,
        "telegram 429": 0.01,
        "telegram 500": 0.01,
        "telegram 502": 0.01,
        "telegram 500 after": 0.01,
        "telegram empty answer": 0.005,
        "telegram edit not found": 0.005,
        "telegram query too old": 0.01,
    },
    "pictures": {"drawing failed": 0.1},
    "timers": {
        "schedule refused": 0.03,
        "schedule lost": 0.1,
        "schedule late": 0.1,
        "schedule twice": 0.1,
        "message refused": 0.03,
        "message lost": 0.1,
        "message late": 0.1,
        "message twice": 0.1,
        "sweep lost": 0.1,
        "timers lost": 0.1,
    },
}
"""Faults by where they strike, each at its rate in a day of middling weather."""


def draw(seed: int, game: Game | None = None, store: Store = "memory") -> Scenario:
    """The scenario of a seed; of another ``game`` or ``store`` it is another one."""
    random = Random(f"scenario/{seed}")
    drawn: Game = random.choices(GAMES, (2, 1, 1))[0]
    game = drawn if game is None else game
    house: House = "aws" if store == "dynamodb" else random.choice(("machine", "aws"))
    place: Place = random.choices(("group", "supergroup", "topic", "private"), (5, 2, 2, 1))[0]
    people = _people(game, place, random)
    storm = random.choices((0.0, 0.5, 1.0, 2.0), (1, 3, 4, 2))[0]
    families = [name for name in FAMILIES if random.random() < 0.5] if random.random() < 0.7 else list(FAMILIES)
    rates = {fault: rate * storm for name in families for fault, rate in FAMILIES[name].items()}
    return Scenario(
        seed=seed,
        game=game,
        store=store,
        house=house,
        processes=1 if house == "machine" else random.randint(2, 5),
        people=people,
        pace=random.choices(("live", "relaxed", "letters"), (6, 2, 1))[0],
        place=place,
        phases=_phases(random),
        crowd=random.random() < 0.3,
        others=random.random() < 0.1,
        hostile_names=random.random() < 0.5,
        spanish=random.choice(SPANISH),
        habits=_habits(random),
        rates={fault: rate for fault, rate in rates.items() if rate},
        mishaps=tuple(_drawn_out(planned, seed) for planned in _mishaps(place, random)),
    )


def _drawn_out(planned: Planned, seed: int) -> Planned:
    """Now and then an outage lasts longer than Telegram keeps updates."""
    long = planned.mishap == "outage" and Random(f"scenario/{seed}/outage").random() < 0.1
    return replace(planned, seconds=100_000.0) if long else planned


def _people(game: Game, place: Place, random: Random) -> int:
    if place == "private":
        return 1
    return random.choice((1, 2, 2, 2)) if game == "gravity" else random.choices((1, 2, 3, 5, 7), (20, 16, 6, 1, 1))[0]


def _phases(random: Random) -> int | None:
    """Most matches end early: what goes wrong does so at any phase, and long ones take long."""
    span = random.choices(((1, 4), (5, 12), (13, 24), None), (26, 11, 2, 1))[0]
    return None if span is None else random.randint(*span)


def _habits(random: Random) -> Habits:
    if random.random() < 0.15:
        return Habits()
    rates = [random.choice((0.0, 0.0, 0.05, 0.15)) for _ in fields(Habits)]
    calls, again = random.choice((0.0, 0.0, 0.1, 0.3, 0.6)), random.choice((0.0, 0.0, 0.0, 0.5))
    return replace(Habits(*rates), calls=calls, again=again)


def _mishaps(place: Place, random: Random) -> tuple[Planned, ...]:
    kinds: list[Mishap] = ["restart", "outage", "release", "block", "leave", "rename"]
    if place == "group":
        kinds.append("migrate")
    if place == "topic":
        kinds.append("close topic")
    if place != "private":
        kinds += ["withdraw rights", "remove bot"]
    count = random.choice((0, 0, 1, 1, 2, 3))
    return tuple(
        Planned(random.choice(kinds), random.randint(0, 12), random.uniform(0, 60), random.choice((20, 90, 400, 4000)))
        for _ in range(count)
    )
