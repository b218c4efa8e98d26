"""What a text tells of Dog's Judgement and of the Death Match around it, and what a fact gives to tell: as tuples.

Not told: whom the candidate may challenge where the host has declined beforehand; then only a lot is told (rule 16).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.dog import facts
from engine.dog.events import EVENTS, LETTERS, VP_EVENTS, Event, Movement
from engine.dog.moves import Play
from engine.episode.view import DeathBegan, EpisodeEnded
from tests.simulation.judge.texts import PEOPLE, TOKEN, WHO, Said, Token, listed

NAMES: Final = dict(
    zip(EVENTS, ("Exchange Store", "Charge Tower", "Remove One", "Median Meridian", "Bribing the Dog"), strict=True)
)
_VP: Final = r"(Charge Tower|Remove One|Median Meridian)"

_ROUND: Final = re.compile(
    r"Round (\d) of 9 is over\. Who scored:\n"
    r"• Charge Tower: ([^\n]*)\n• Remove One: ([^\n]*)\n• Median Meridian: ([^\n]*)\n"
    rf"(⚡ [^\n\d⟨]*The threshold is broken\.\n)?The tower is at level (\d+)\.\n"
    rf"(?:No token moved\.|(A Win|The Lose) Token moved: {_VP} → {_VP}\.)"
)
_SCORERS: Final = re.compile(rf"(?:nobody|{PEOPLE})")
_JUDGEMENT: Final = re.compile(r"The judgement\. Nine rounds are over\.")
_EVENT: Final = re.compile(rf"{_VP} · (?:no Win Token|(\d) Win Tokens?)\n([^\n]*)")
_SOLE: Final = re.compile(rf"{WHO} leads alone with (\d+) VP and wins (\d) Tokens? of Life\.")
_SHARED: Final = re.compile(rf"(?:All seven|{PEOPLE}) share the lead with (\d+) VP")
_TOO_MANY: Final = re.compile(r"That makes (\d+) Tokens of Life\.")
_KEPT: Final = re.compile(rf"• {WHO}: (\d) Tokens? of Life, (\d+) garnets")
_LOSE: Final = re.compile(rf"It lies on {_VP}, and the least VP there, [^\n]*, is (\d+)\.")
_SAFE: Final = re.compile(rf"to the Lose Token, on {_VP}\. But everybody holds")
_CANDIDATES: Final = re.compile(rf"(?:{PEOPLE} is the Elimination Candidate|{PEOPLE} are joint|(All seven) are joint)")

_JUDGED_TO: Final = re.compile(r"There is no Elimination Candidate\.|(?:is the|are joint) Elimination Candidates?\.")
_LEGEND: Final = re.compile(r"How to read it: [^\n]*")

_PUBLISHED: Final = re.compile(r"Everything that was played\n")
_ROW: Final = re.compile(rf"{WHO} · Charge Tower (\d+) · Remove One (\d+) · Median Meridian (\d+)\n(1: [^\n]*)")
_LOT: Final = re.compile(rf"Several candidates, one place\. The lot falls on {WHO}:")
_CANDIDATE: Final = re.compile(rf"{WHO} is to meet one of these in the Death Match: {PEOPLE}\. {WHO} may choose")
_CHOSEN: Final = re.compile(rf"{WHO} has chosen: the opponent is {WHO}\.")
_DRAWN: Final = re.compile(rf"The lot has named the opponent of {WHO}: {WHO}\.")
_NONE: Final = re.compile(r"There is no Death Match\. (Nobody is a candidate|Everybody but|The host has declined)")
_NONES: Final = {
    "Nobody is a candidate": "no_candidate",
    "Everybody but": "no_opponent",
    "The host has declined": "declined",
}
_BEGAN: Final = re.compile(
    rf"The Death Match\. {WHO}, the Elimination Candidate \(EC\), meets {WHO}, the Death Match Opponent \(DMO\)[^\n]*\n"
    r"[^\n]*\n([0-9a-f]{64})"
)
_ENDED: Final = re.compile(rf"{WHO} is eliminated\. The episode is over\.")

_TOLD: Final = re.compile(
    TOKEN + r" · Dog's Judgement\nRound (\d) of 9\. (?:You were silent, so you|You) played (no card|[^\n]*)\.\n"
    r"Scored this round: ([^\n]*)\n"
    r"(?:The Dog took your bribe: [^\n]*[,.] ([Nn]o token|and the token) moved[^\n]*\n)?"
    r"(?:From the Exchange Store: a (\d)\.\n)?"
    r"Your hand: ([^\n]*)\nYour VP: ([^\n]*)"
)
_HOLDS: Final = re.compile(r"Your hand: ([^\n]*)\nYour VP: ([^\n]*)")
_PLAYED: Final = re.compile(r"(?:You played |Your play: |As it stands, you play |^)(\d on [^\n.]*)\.")

PUBLIC: Final = frozenset(
    {
        "round resolved",
        "judgement",
        "published",
        "lot",
        "candidate",
        "opponent",
        "no death match",
        "death begins",
        "episode over",
    }
)


def read(text: str) -> Iterator[Said]:
    """What a text tells of a match, to everybody or to a player."""
    if "Scored this round: " in text:
        for found in _TOLD.finditer(text):
            bribed = None if found[5] is None else "and" in found[5]
            gained = None if found[6] is None else int(found[6])
            yield Said(found.span(), ("told", int(found[2]), found[3], found[4], bribed, gained, found[7], found[8]))
    if "Who scored:" in text:
        for found in _ROUND.finditer(text):
            if all(map(_SCORERS.fullmatch, found.group(2, 3, 4))):
                scored = tuple(map(listed, found.group(2, 3, 4)))
                broken = found[5] is not None
                moved = None if found[7] is None else (found[7].endswith("Win"), found[8], found[9])
                yield Said(found.span(), ("round resolved", int(found[1]), scored, broken, int(found[6]), moved))
    if "The judgement." in text:
        for found in _JUDGEMENT.finditer(text):
            end = _JUDGED_TO.search(text, found.end())
            to = found.end() if end is None else end.end()
            yield Said((found.start(), to), _judgement_told(text[found.end() : to]))
    if "Everything that was played" in text:
        for found in _PUBLISHED.finditer(text):
            end = _LEGEND.search(text, found.end())
            to = found.end() if end is None else end.end()
            yield Said((found.start(), to), ("published", tuple(_ROW.findall(text[found.end() : to]))))
    yield from _after(text)


def _after(text: str) -> Iterator[Said]:
    """Rule 16."""
    if "one place" in text:
        for found in _LOT.finditer(text):
            yield Said(found.span(), ("lot", found[1]))
    if "one of these" in text:
        for found in _CANDIDATE.finditer(text):
            yield Said(found.span(), ("candidate", found[1], listed(found[2])))
    if " opponent " in text:
        for found in _CHOSEN.finditer(text):
            yield Said(found.span(), ("opponent", found[1], found[2], "chosen"))
        for found in _DRAWN.finditer(text):
            yield Said(found.span(), ("opponent", found[1], found[2], "lot"))
    if "There is no Death Match. " in text:
        for found in _NONE.finditer(text):
            yield Said(found.span(), ("no death match", _NONES[found[1]]))
    if " meets " in text:
        for found in _BEGAN.finditer(text):
            yield Said(found.span(), ("death begins", found[1], found[2], found[3]))
    if "The episode is over" in text:
        for found in _ENDED.finditer(text):
            yield Said(found.span(), ("episode over", found[1]))


def _judgement_told(text: str) -> tuple[object, ...]:
    events = tuple(_event(found) for found in _EVENT.finditer(text))
    too_many = _TOO_MANY.search(text)
    kept = tuple((who, int(life), int(garnets)) for who, life, garnets in _KEPT.findall(text))
    safe, lose, named = _SAFE.search(text), _LOSE.search(text), _CANDIDATES.search(text)
    if safe is not None:
        end: tuple[object, ...] = (safe[1], None, ())
    elif lose is not None and named is not None:
        end = (lose[1], int(lose[2]), "all" if named[3] else listed(named[1] or named[2]))
    else:
        end = ()
    return ("judgement", events, None if too_many is None else int(too_many[1]), kept, end)


def _event(found: re.Match[str]) -> tuple[object, ...]:
    """An event's name, its tokens, its leaders, their VP and what each wins; of six leaders or fewer each is named."""
    if found[2] is None:
        return (found[1], 0, (), None, 0)
    tokens, line = int(found[2]), found[3]
    if sole := _SOLE.fullmatch(line):
        return (found[1], tokens, (sole[1],), int(sole[2]), int(sole[3]))
    if shared := _SHARED.match(line):
        return (found[1], tokens, listed(shared[1]) if shared[1] else "all", int(shared[2]), 1)
    return (found[1], tokens, "all", 0, 1) if line.startswith("Nobody scored here") else (found[1], tokens, line)


def expected(fact: Any, names: Sequence[Token], declined: bool) -> Iterator[tuple[object, ...]]:
    """What is to be told of a fact, to whom it is told: nothing, one thing, or two of which one may come alone.
    ``names`` are the seven's in table order; ``declined``: the host had declined a Death Match beforehand.
    """
    match fact:
        case facts.RoundResolved():
            scored = tuple(tuple(names[player] for player in sorted(scorers)) for scorers in fact.scored)
            yield ("round resolved", fact.round, scored, bool(scored[0]), fact.level, _moved(fact.moved))
        case facts.Judgement():
            yield _judgement(fact, names)
        case facts.Published():
            yield ("published", tuple(_row(fact, player, name) for player, name in enumerate(names)))
        case facts.CandidateNamed():
            if fact.lot:
                yield ("lot", names[fact.candidate])
            if not declined:
                eligible = tuple(names[player] for player in sorted(fact.eligible))
                yield ("candidate", names[fact.candidate], eligible)
        case facts.OpponentNamed():
            yield ("opponent", names[fact.candidate], names[fact.opponent], fact.how)
        case facts.NoDeathMatch():
            yield ("no death match", fact.why)
        case DeathBegan():
            yield ("death begins", names[fact.pair[0]], names[fact.pair[1]], fact.commitment)
        case EpisodeEnded():
            yield ("episode over", names[fact.eliminated])
        case facts.RoundTold():
            play = "no card" if fact.play is None else _whole(fact.play)
            yield (
                "told",
                fact.round,
                play,
                _amounts(fact.scored),
                _bribed(fact),
                fact.gained,
                _hand(fact.hand),
                _amounts(fact.points),
            )


def _bribed(told: facts.RoundTold) -> bool | None:
    """Whether a token moved with a bribe that the player knows was taken; None where they cannot know: only the bonus
    of rule 8 proves it.
    """
    if told.play is None or Event.BRIBING_THE_DOG not in told.play.events:
        return None
    card = told.play.card
    proven = any(scored == most + 3 for scored, most in zip(told.scored, (8 - card, card, card), strict=True))
    return told.play.movement is not None if proven else None


def _moved(moved: Movement | None) -> tuple[bool, str, str] | None:
    return None if moved is None else (moved.token == "win", NAMES[moved.origin], NAMES[moved.goal])


def _judgement(fact: facts.Judgement, names: Sequence[Token]) -> tuple[object, ...]:
    """Rules 10 to 13, events in the rules' order and players in table order."""
    judged = {each.event: each for each in fact.events}
    events = tuple(_judged(event, judged.get(event), names) for event in VP_EVENTS)
    kept = tuple((names[player], life, fact.garnets[player]) for player, life in enumerate(fact.life) if life)
    if fact.least is None or not fact.candidates:
        end: tuple[object, ...] = (NAMES[fact.lose], None, ())
    else:
        end = (NAMES[fact.lose], fact.least, _all_or(fact.candidates, names))
    return ("judgement", events, sum(fact.won) if fact.all_lose else None, kept, end)


def _judged(event: Event, judged: facts.EventJudged | None, names: Sequence[Token]) -> tuple[object, ...]:
    if judged is None:
        return (NAMES[event], 0, (), None, 0)
    return (NAMES[event], judged.tokens, _all_or(judged.leaders, names), judged.points, judged.each)


def _all_or(players: Sequence[int], names: Sequence[Token]) -> object:
    return "all" if len(players) == len(names) else tuple(names[player] for player in sorted(players))


def _row(fact: facts.Published, player: int, name: Token) -> tuple[str, ...]:
    plays = " · ".join(f"{number}: {_short(plays[player])}" for number, plays in enumerate(fact.plays, 1))
    return (name, *map(str, fact.points[player]), plays)


def _short(play: Play | None) -> str:
    """``5 X3+B(WC→R)``, or ``–``."""
    if play is None:
        return "–"
    used = []
    for event in play.events:
        letter = LETTERS[event].upper()
        if event is Event.EXCHANGE_STORE and play.gain is not None:
            letter += str(play.gain)
        if event is Event.BRIBING_THE_DOG:
            moved = play.movement
            way = "–" if moved is None else f"{moved.token[0]}{LETTERS[moved.origin]}→{LETTERS[moved.goal]}".upper()
            letter += f"({way})"
        used.append(letter)
    return f"{play.card} {'+'.join(used)}"


def _whole(play: Play) -> str:
    """``5 on Exchange Store (for a 3) and Bribing the Dog (moving nothing)``."""
    used = []
    for event in play.events:
        name = NAMES[event]
        if event is Event.EXCHANGE_STORE and play.gain is not None:
            name += f" (for a {play.gain})"
        if event is Event.BRIBING_THE_DOG:
            moved = play.movement
            name += (
                " (moving nothing)"
                if moved is None
                else f" ({moved.token.capitalize()} Token: {NAMES[moved.origin]} → {NAMES[moved.goal]})"
            )
        used.append(name)
    return f"{play.card} on {' and '.join(used)}"


def _amounts(numbers: Sequence[int]) -> str:
    return " · ".join(f"{NAMES[event]} {number}" for event, number in zip(VP_EVENTS, numbers, strict=True))


def _hand(cards: Sequence[int]) -> str:
    return ", ".join(map(str, cards)) or "no cards"


def secrets_in(text: str) -> Iterator[tuple[object, ...]]:
    """What a text holds that one player alone may read: a hand with the VP, or a play."""
    if "Your hand: " in text:
        for hand, points in _HOLDS.findall(text):
            yield ("holds", hand, points)
    if " on " in text:
        for play in _PLAYED.findall(text):
            yield ("play", play)


def holds(hand: Sequence[int], points: Sequence[int]) -> tuple[object, ...]:
    """What a player holds, as ``secrets_in`` gives it."""
    return ("holds", _hand(hand), _amounts(points))


def sealed(move: Any) -> Iterator[tuple[object, ...]]:
    """A play that a player has sealed, as ``secrets_in`` gives it."""
    if isinstance(move, Play):
        yield ("play", _whole(move))
