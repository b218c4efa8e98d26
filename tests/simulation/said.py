"""Facts of many matches as the bot words them, for the tests of the judge's recognisers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from engine.episode.rules import EPISODE
from engine.episode.view import InDeath
from engine.game import Player, Tell
from engine.gravity.rules import GRAVITY
from handler.frame import Frame
from handler.views import VIEWS
from handler.views.lobby import house_name
from tests.engine import episodes, matches
from tests.simulation.judge import said_dog, said_gravity
from tests.simulation.judge.texts import Readers, Token, house_player, person, unmarked
from tests.simulation.names import HOSTILE, LONGEST, SEATED

WORDS: Final = {1000 + place: word for place, word in enumerate(SEATED)}
READERS: Final = Readers(WORDS)


@dataclass(frozen=True)
class Sample:
    """A fact: what is to be told of it and how the bot words it, None for nothing."""

    to: Player | None
    fact: Any
    due: tuple[tuple[object, ...], ...]
    text: str | None


def frame(players: int, random: Random, *, house: bool, brief: bool = False, declined: bool = False) -> Frame:
    """A table of people under hostile names, the last of them a house player if ``house``."""
    names = [random.choice(HOSTILE).replace("~", word)[:LONGEST] for word in SEATED[:players]]
    if house:
        names[-1] = house_name("Corvus")
    return Frame("abcdefgh", 3, tuple(names), None, "Tom & <Jerry>", brief=brief, declined=declined)


def tokens(players: int, *, house: bool) -> tuple[Token, ...]:
    """Theirs."""
    people = [person(user) for user in list(WORDS)[:players]]
    return (*people[:-1], house_player("Corvus")) if house else tuple(people)


def gravity(number: int) -> Iterator[Sample]:
    """All facts of a match of Gravity Pandemic by chance."""
    random = Random(number)
    seed = random.randbytes(32)
    record, _ = matches.finished(seed, matches.by_chance(random) if number % 3 else matches.house_players(seed))
    house, brief = number % 2 == 0, number % 5 == 4
    about, names = frame(2, random, house=house, brief=brief), tokens(2, house=house)
    for tell in (tell for transition in record.history for tell in transition.tells):
        due = said_gravity.expected(tell.fact, names, brief)
        yield Sample(tell.to, tell.fact, () if due is None else (due,), _worded(GRAVITY.key, about, tell))


def episode(number: int) -> Iterator[Sample]:
    """All facts of an episode by chance."""
    random = Random(number)
    *_, record = episodes.by_chance(random.randbytes(32), number)
    house, declined = number % 2 == 0, number % 5 == 4
    about, names = frame(7, random, house=house, declined=declined), tokens(7, house=house)
    for tell in (tell for transition in record.history for tell in transition.tells):
        if isinstance(tell.fact, InDeath):
            pair = tuple(names[player] for player in tell.fact.pair)
            due = said_gravity.expected(tell.fact.fact, pair, brief=False)
            dues: tuple[tuple[object, ...], ...] = () if due is None else (due,)
        else:
            dues = tuple(said_dog.expected(tell.fact, names, declined))
        yield Sample(tell.to, tell.fact, dues, _worded(EPISODE.key, about, tell))


def _worded(game: str, about: Frame, tell: Tell) -> str | None:
    views = VIEWS[game]
    markup = (views.announce if tell.to is None else views.whisper)(about, tell.fact)
    return None if markup is None else READERS.read(unmarked(str(markup)))
