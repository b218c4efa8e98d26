"""What a match that is over means for each person who played it to its end: pure, from what its rules told.

A bribe counts where the Dog took it (rule 8 of Dog's Judgement): the highest number that nobody else played there, in
whichever rounds, whether or not it moved a token. Who took a seat over answers for what was chosen since; points,
tokens and the outcome are the seat's. A match that was cancelled counts for nobody.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

from engine.dog.facts import CandidateNamed, Judgement, Published
from engine.dog.facts import RoundResolved as DogRound
from engine.dog.round import briber
from engine.episode.view import EpisodeEnded, InDeath
from engine.game import Player
from engine.gravity.birds import Bird
from engine.gravity.facts import GuessTold, MatchEnded
from handler.match import NOBODY, Match
from handler.ports import Result

Outcome = Literal["won", "lost", "spared"]
"""Of Gravity Pandemic the first two. Of Dog's Judgement: a Token of Life kept; eliminated in the Death Match; neither.
"""


@dataclass(frozen=True)
class Summary:
    """How a match went for one person, under the name they had at its end.

    ``right`` and ``wrong`` are guesses, ``ravens`` those of the right ones that found the Raven; in Dog's Judgement
    those of the Death Match, if they were one of the two (``death``). ``points`` are all VP, ``life`` the Tokens of
    Life kept, ``candidate`` says whether they were the Elimination Candidate.
    """

    game: str
    name: str
    title: str
    outcome: Outcome
    right: int = 0
    wrong: int = 0
    ravens: int = 0
    points: int = 0
    bribes: int = 0
    life: int = 0
    candidate: bool = False
    death: bool = False


_KEYS: Final = {
    "game": "g",
    "name": "n",
    "title": "t",
    "outcome": "o",
    "right": "r",
    "wrong": "w",
    "ravens": "f",
    "points": "v",
    "bribes": "b",
    "life": "l",
    "candidate": "c",
    "death": "d",
}
"""The fields as the store has them: a result is paid for by its size. What is zero is left out."""


def results(match: Match, ended_at: float) -> tuple[Result, ...]:
    """One for each person in a match that is over; ``ended_at`` in Unix seconds. Raises UnknownRules."""
    if match.stage != "over":
        return ()
    return tuple(
        Result(match.id, who.user, match.place.chat, ended_at, write(summary(match, player)))
        for player, who in enumerate(match.seats)
        if who is not None and who.user not in (None, NOBODY)
    )


def summary(match: Match, player: Player) -> Summary:
    """How a match that is over went for a player."""
    who = match.seats[player]
    assert who is not None
    empty = Summary(match.game, who.name, match.title, "spared")
    found = _guesses(match, player, who.since, empty)
    return _gravity(match, player, found) if match.game == "gravity" else _dog(match, player, who.since, found)


def is_practice(result: Result) -> bool:
    """Whether a result comes from the person's own private chat."""
    return result.chat == result.user


def write(found: Summary) -> str:
    """A summary as the store keeps it."""
    kept = {_KEYS[name]: value for name, value in asdict(found).items() if value}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def read(body: str) -> Summary:
    """A summary from the store."""
    data = json.loads(body)
    given: dict[str, Any] = {name: data[key] for name, key in _KEYS.items() if key in data}
    return Summary(**{"name": "", "title": "", **given})


def _facts(match: Match) -> Iterator[tuple[int, Player | None, Any]]:
    """What the rules told: the phase whose closing told it (-1: the start), to whom (None: everybody), and the fact."""
    for number, transition in enumerate(match.history, start=-1):
        for tell in transition.tells:
            yield number, tell.to, tell.fact


def _guesses(match: Match, player: Player, since: int, found: Summary) -> Summary:
    for number, to, fact in _facts(match):
        told = fact.fact if isinstance(fact, InDeath) else fact
        if to != player or number < since or not isinstance(told, GuessTold) or told.guess is None:
            continue
        if told.delta < 0:
            found = replace(found, wrong=found.wrong + 1)
        else:
            raven = told.guess.bird is Bird.RAVEN
            found = replace(found, right=found.right + 1, ravens=found.ravens + raven)
    return found


def _gravity(match: Match, player: Player, found: Summary) -> Summary:
    [winner] = [fact.winner for _, _, fact in _facts(match) if isinstance(fact, MatchEnded)]
    return replace(found, outcome="won" if winner == player else "lost")


def _dog(match: Match, player: Player, since: int, found: Summary) -> Summary:
    rounds = []
    for number, _, fact in _facts(match):
        match fact:
            case DogRound():
                rounds.append(number)
            case Judgement(life=life, candidates=candidates):
                kept: Outcome = "won" if life[player] else "spared"
                found = replace(found, life=life[player], candidate=candidates == (player,), outcome=kept)
            case CandidateNamed(candidate=candidate):
                found = replace(found, candidate=candidate == player)
            case Published(points=points, plays=plays):
                bribed = sum(
                    briber({each: play for each, play in enumerate(row) if play is not None}) == player
                    for number, row in zip(rounds, plays, strict=True)
                    if number >= since
                )
                found = replace(found, points=sum(points[player]), bribes=bribed)
            case InDeath(pair=pair):
                found = replace(found, death=player in pair)
            case EpisodeEnded(eliminated=eliminated) if eliminated == player:
                found = replace(found, outcome="lost")
    return found
