"""What a text tells of Gravity Pandemic, and what a fact gives to tell: both as tuples, so that they can be compared.

Not told at all: a pick that its player made and the tenth, which is nobody's (rule 4; the board lists both), and a
period in which a player made no guess, to that player (rule 16). In a round between house players only its end is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.gravity import facts
from engine.gravity.birds import DRAFTED, NAMES, ROUNDS, RULEBOOK, Bird
from engine.gravity.moves import Actions, Guess, Reveal
from engine.gravity.targets import SENT
from tests.simulation.judge.texts import TOKEN, WHO, Said, Token

_BIRD: Final = "(" + "|".join(sorted(NAMES.values(), key=len, reverse=True)) + ")"
_NUMBER: Final = r"([+−]?[\d¼½¾]+)"

_ROUND: Final = re.compile(r"Round (\d) of 4\. Eleven birds[^\n\d⟨]*")
_NIGHT: Final = re.compile(rf"Night (\d) of Round (\d)\. {WHO} picks first")
_PICKED: Final = re.compile(rf"{WHO} was silent, so the (bot|host) picked: {_BIRD}\.")
_MORNING: Final = re.compile(
    rf"Day (\d) of Round (\d)\. Every bird[^\n\d⟨]*(?:\nThe Robin had company: {_NUMBER} for {WHO}\.)?"
)
_NO_GUESS: Final = re.compile(r"Nobody guesses\. Day (\d) is over\.")
_JUDGED: Final = rf"{WHO} is (?:right: seat (\d+) is the {_BIRD}|wrong)\. {_NUMBER}"
_ONE: Final = re.compile(_JUDGED)
_PERIOD: Final = re.compile(
    rf"(?:in seat (\d+) something black[^\n\d⟨]*\n\n[^\n\d⟨]*The Raven is found\.\n\n)?"
    rf"((?:{_JUDGED}\n?)+)(\n*One more guessing period)?"
)
_ROUND_OVER: Final = re.compile(
    r"Round (\d) is over\. (The Raven has flown|Nobody found the Raven)[^\n\d⟨]*\n"
    r"(?:Named in private this round(?:, and not to be named again)?: ([^.\n]*)\."
    r"|No bird was named in private[^\n\d⟨]*)(?:\nPoints: ([^\n]*))?"
)
_BRIEF: Final = re.compile(r"Round (\d): (the Raven was found|nobody found the Raven)\. ([^\n]*)")
_SCORE: Final = re.compile(rf"{TOKEN} \((EC|DMO)\)[ \u00a0]{_NUMBER}")
_WON: Final = re.compile(rf"{WHO} wins the duel\.\n([^\n]*)\nFinal points: ([^\n]*)")
_WHY: Final = {
    "points": "has more points",
    "led_last": "was the last to lead",
    "never_led": "nobody ever led",
    "resigned": "has resigned",
}

_TITLE: Final = TOKEN + r" · Gravity Pandemic\n"
_REVEAL: Final = re.compile(_TITLE + rf"Round (\d)\. Between you and me: the {_BIRD} is in seat (\d+)\.")
_NO_REVEAL: Final = re.compile(
    _TITLE + r"Round (\d)\. (?:You named no bird|You were silent, so no bird was named for you)\."
)
_HEARD: Final = re.compile(
    _TITLE
    + r"Round (\d), Night (\d)\. What your birds heard:\n"
    + r"(You were silent, so none of your birds was sent out\.\n)?((?:• [^\n]*(?:\n|$))*)"
)
_ANSWER: Final = re.compile(rf"• {_BIRD}(?: → (seat \d+|[A-Z][\w ]*?)|(, which stayed home))?: ([^\n]*)")
_GUESSED: Final = re.compile(_TITLE + rf"You were (right|wrong): seat (\d+) is (?:not )?the {_BIRD}\. {_NUMBER}")

_SEATED: Final = re.compile(rf"(?:You were told in private|Between you and me): the {_BIRD} is in seat (\d+)\.")
_WRONG: Final = re.compile(rf"You were wrong: seat (\d+) is not the {_BIRD}")
_WRONGS: Final = re.compile(r"Your wrong guesses this round: ([^\n]*)")
_PAIR: Final = re.compile(rf"(\d+) {_BIRD}")
_GUESS: Final = re.compile(rf"(?:Your guess: |Your earlier guess, |Locked in: )seat (\d+) is the {_BIRD}")
_CHOICE: Final = re.compile(rf"Your choice: {_BIRD}\.|^{_BIRD} it is\. Lock in")
_ORDER: Final = re.compile(rf"^(?:• |Now: |){_BIRD} → (seat \d+|[A-Z][\w ]*?)\.?$", re.MULTILINE)

PUBLIC: Final = frozenset({"round", "night", "picked", "day", "no guess", "period", "round over", "brief", "won"})


def read(text: str) -> Iterator[Said]:
    """What a text tells of a match, to everybody or to a player."""
    if "Gravity Pandemic\n" in text:
        yield from _whispered(text)
    if "Eleven birds" in text:
        for found in _ROUND.finditer(text):
            yield Said(found.span(), ("round", int(found[1])))
    if "picks first (" in text:
        for found in _NIGHT.finditer(text):
            yield Said(found.span(), ("night", int(found[2]), int(found[1]), found[3]))
    if "was silent" in text:
        for found in _PICKED.finditer(text):
            yield Said(found.span(), ("picked", found[1], found[3], found[2]))
    if "Every bird has told" in text:
        for found in _MORNING.finditer(text):
            yield Said(found.span(), ("day", int(found[2]), int(found[1]), found[4], found[3]))
    if "Nobody guesses" in text:
        for found in _NO_GUESS.finditer(text):
            yield Said(found.span(), ("no guess", int(found[1])))
    if " is right" in text or " is wrong" in text:
        for found in _PERIOD.finditer(text):
            judged = tuple(_ONE.findall(found[2]))
            yield Said(found.span(), ("period", found[1] or "", judged, found[7] is not None))
    if " is over. " in text:
        for found in _ROUND_OVER.finditer(text):
            raven = found[2].startswith("The")
            yield Said(found.span(), ("round over", int(found[1]), raven, found[3] or "", _scores(found[4] or "")))
    if "found" in text:
        for found in _BRIEF.finditer(text):
            yield Said(found.span(), ("brief", int(found[1]), found[2].startswith("the"), _scores(found[3])))
    if "wins the duel" in text:
        for found in _WON.finditer(text):
            why = next((why for why, words in _WHY.items() if words in found[2]), "")
            yield Said(found.span(), ("won", found[1], why, _scores(found[3])))


def _whispered(text: str) -> Iterator[Said]:
    for found in _REVEAL.finditer(text):
        yield Said(found.span(), ("reveal", int(found[2]), found[3], int(found[4])))
    for found in _NO_REVEAL.finditer(text):
        yield Said(found.span(), ("reveal", int(found[2]), None, None))
    for found in _HEARD.finditer(text):
        heard = tuple(_ANSWER.findall(found[5]))
        yield Said(found.span(), ("heard", int(found[2]), int(found[3]), found[4] is not None, heard))
    for found in _GUESSED.finditer(text):
        yield Said(found.span(), ("guessed", found[2] == "right", int(found[3]), found[4], found[5]))


def _scores(text: str) -> tuple[tuple[str, str, str], ...]:
    return tuple(_SCORE.findall(text))


def expected(fact: facts.Fact, names: Sequence[Token], brief: bool) -> tuple[object, ...] | None:
    """What is to be told of a fact, to whom it is told; None for nothing. ``names`` are those of EC and DMO;
    ``brief``: both are house players.
    """
    match fact:
        case facts.RoundEnded() if brief:
            return ("brief", fact.round, fact.raven_found, _tally(fact.scores, names))
        case facts.MatchEnded():
            return ("won", names[fact.winner], fact.why, _tally(fact.scores, names))
        case facts.RevealTold():
            return ("reveal", fact.round, None if fact.bird is None else NAMES[fact.bird], fact.seat)
        case facts.NightTold():
            return ("heard", fact.round, fact.night, fact.silent, answers(fact))
        case facts.GuessTold(guess=None):
            return None
        case facts.GuessTold():
            assert fact.guess is not None
            return ("guessed", fact.delta > 0, fact.guess.seat, NAMES[fact.guess.bird], _gain(fact.delta))
        case _ if brief:
            return None
        case facts.RoundBegan():
            return ("round", fact.round)
        case facts.NightBegan():
            return ("night", fact.round, fact.night, names[fact.first])
        case facts.Picked():
            told = fact.by != "player" and fact.pick < len(DRAFTED)
            return ("picked", names[fact.player], NAMES[fact.bird], fact.by) if told else None
        case facts.NightResolved():
            who, gain = (None, None) if fact.robin is None else (names[fact.robin[0]], _gain(fact.robin[1]))
            return ("day", fact.round, fact.night, who, gain)
        case facts.PeriodClosed(judged=()):
            return ("no guess", fact.night)
        case facts.PeriodClosed():
            return _period(fact, names)
        case facts.RoundEnded():
            scores = _tally(fact.scores, names) if fact.round < ROUNDS else ()
            return ("round over", fact.round, fact.raven_found, _birds(fact.named), scores)


def _period(fact: facts.PeriodClosed, names: Sequence[Token]) -> tuple[object, ...]:
    """Players in table order (rule 17 gives a content only to a right guess)."""
    right = [judged.right for judged in fact.judged if judged.right is not None]
    raven = next((str(guess.seat) for guess in right if guess.bird is Bird.RAVEN), "")
    judged = tuple(
        (
            names[each.player],
            "" if each.right is None else str(each.right.seat),
            "" if each.right is None else NAMES[each.right.bird],
            _gain(each.delta),
        )
        for each in fact.judged
    )
    return ("period", raven, judged, fact.again)


def answers(fact: facts.NightTold) -> tuple[tuple[str, str, str, str], ...]:
    """Each bird of a player's night as the player reads: the bird, its target, whether it stayed home, its answer.

    In rulebook order: the order of the draft would tell nothing new, but any order but one leaks somewhere.
    """
    ordered = sorted(fact.responses, key=lambda response: RULEBOOK[response.bird])
    return tuple(_answer(response) for response in ordered)


def _answer(response: facts.Response) -> tuple[str, str, str, str]:
    bird, target = response.bird, response.target
    if target is not None:
        return (NAMES[bird], NAMES[target] if isinstance(target, Bird) else f"seat {target}", "", response.text)
    return (NAMES[bird], "", ", which stayed home" if bird in SENT else "", response.text)


_WRONG_THEN: Final = re.compile(r"you were wrong, seat (\d+) is not the ([A-Z][A-Za-z ]*)")
"""As a notebook has it."""


def secrets_in(text: str) -> Iterator[tuple[object, ...]]:
    """What a text holds that one player alone may read: a bird's seat, an answer, a wrong guess, a sealed choice."""
    if "in private: the " in text or "you and me" in text:
        for bird, seat in _SEATED.findall(text):
            yield ("seat", bird, int(seat))
    if "• " in text and ("birds heard" in text or "📓 Notebook" in text):
        for answer in _ANSWER.findall(text):
            yield ("answer", *answer)
    if "wrong" in text:
        for seat, bird in (*_WRONG.findall(text), *_WRONG_THEN.findall(text)):
            yield ("wrong", int(seat), bird)
        for pairs in _WRONGS.findall(text):
            for seat, bird in _PAIR.findall(pairs):
                yield ("wrong", int(seat), bird)
    if " seat " in text:
        for seat, bird in _GUESS.findall(text):
            yield ("guess", int(seat), bird)
    if "choice: " in text or " it is. " in text:
        for one, other in _CHOICE.findall(text):
            yield ("choice", one or other)
    if " → " in text:
        for bird, target in _ORDER.findall(text):
            yield ("order", bird, target)


def secrets_of(fact: Any) -> Iterator[tuple[object, ...]]:
    """The same, of a fact that a player has been told."""
    match fact:
        case facts.RevealTold(bird=Bird() as bird, seat=seat):
            yield ("seat", NAMES[bird], seat)
        case facts.NightTold():
            for answer in answers(fact):
                yield ("answer", *answer)
        case facts.GuessTold() if fact.guess is not None and fact.delta < 0:
            yield ("wrong", fact.guess.seat, NAMES[fact.guess.bird])


def sealed(move: Any) -> Iterator[tuple[object, ...]]:
    """The same, of a move that a player has sealed."""
    match move:
        case Reveal(bird=Bird() as bird):
            yield ("choice", NAMES[bird])
        case Guess(seat=seat, bird=bird):
            yield ("guess", seat, NAMES[bird])
        case Actions(targets=targets):
            for bird, target in targets:
                if target is not None:
                    yield ("order", NAMES[bird], NAMES[target] if isinstance(target, Bird) else f"seat {target}")


def _birds(birds: Sequence[Bird]) -> str:
    return ", ".join(NAMES[bird] for bird in sorted(birds, key=RULEBOOK.__getitem__))


def _tally(scores: facts.Scores, names: Sequence[Token]) -> tuple[tuple[str, str, str], ...]:
    return ((names[0], "EC", _points(scores[0])), (names[1], "DMO", _points(scores[1])))


def _gain(quarters: int) -> str:
    return ("+" if quarters >= 0 else "") + _points(quarters)


def _points(quarters: int) -> str:
    """``2½``, ``−¼``, ``0``: points are counted in quarters."""
    whole, rest = divmod(abs(quarters), 4)
    amount = (str(whole) if whole or not rest else "") + ("", "¼", "½", "¾")[rest]
    return f"−{amount}" if quarters < 0 else amount
