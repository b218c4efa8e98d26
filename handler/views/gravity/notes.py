"""A player's notebook of Gravity Pandemic, night by night, and what they were told of each seat.

Only facts that were told, to that player or to everybody, and no conclusion that the rules do not state.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from engine.game import Player
from engine.gravity.birds import SEATS, Bird, Seat
from engine.gravity.facts import (
    NOTHING,
    GuessTold,
    Judged,
    NightResolved,
    NightTold,
    PeriodClosed,
    Picked,
    Response,
    RevealTold,
    RoundBegan,
    RoundEnded,
)
from engine.gravity.moves import Guess
from handler.frame import Chapter, Frame, News, Notes
from handler.views.gravity.terms import bird_name, gain, heard, rulebook, who
from handler.views.gravity.told import responses
from handler.views.layout import lines
from handler.words import plain, say

Seated = tuple[Seat, Bird]


def notes(player: Player, news: Sequence[News]) -> Notes:
    """Everything the player has learnt, the latest round first; and the sheet of that round's seats."""
    rounds = _rounds(news)
    chapters = tuple(_chapter(player, number, rounds[number]) for number in sorted(rounds, reverse=True))
    return Notes(chapters, _sheet(max(rounds), _facts(rounds[max(rounds)])) if rounds else None)


def _rounds(news: Sequence[News]) -> dict[int, list[News]]:
    """What was told, by round: a phase may end one round and begin the next."""
    rounds: dict[int, list[News]] = {}
    for each in news:
        for fact in each.facts:
            if isinstance(fact, RoundBegan):
                rounds[fact.round] = []
            if rounds:
                rounds[max(rounds)].append(News(each.frame, (fact,), each.phase, each.silent))
    return rounds


def _facts(news: Iterable[News]) -> list[Any]:
    return [fact for each in news for fact in each.facts]


# --- night by night -------------------------------------------------------------------------------


def _chapter(player: Player, number: int, news: Sequence[News]) -> Chapter:
    """A round: before its first night, then each night with its day."""
    parts: dict[int, list[Markup]] = defaultdict(list)
    night = 0
    for each in news:
        for fact in each.facts:
            night = max(night, getattr(fact, "night", 0))
            parts[night].extend(_lines(player, each, fact, _facts(news)))
    noted = tuple(lines(*parts[at]) for at in sorted(parts) if parts[at])
    return Chapter(str(number), plain("notes.tab.round", round=number), noted or (say("notes.gravity.nothing"),))


def _lines(player: Player, news: News, fact: Any, known: Sequence[Any]) -> Iterator[Markup]:
    """What is noted of a fact, if anything."""
    frame, silent = news.frame, player in news.silent
    match fact:
        case RevealTold(bird=Bird() as bird, seat=int(seat)):
            yield say("notes.gravity.reveal", bird=bird_name(bird), seat=seat)
        case RevealTold():
            yield say("notes.gravity.reveal_silent" if silent else "notes.gravity.reveal_none")
        case NightTold():
            yield say("notes.gravity.night", night=fact.night)
            if silent:
                yield say("notes.gravity.night_silent")
            yield responses(fact)
            if any(each.text == NOTHING for each in fact.responses):
                yield say("notes.gravity.na")
            yield from _others(frame, player, fact, known)
        case PeriodClosed(judged=judged):
            yield from (_judged(frame, each, fact) for each in judged if each.player != player)
        case GuessTold(guess=Guess() as guess, delta=delta):
            key = "notes.gravity.right" if delta > 0 else "notes.gravity.wrong"
            yield say(key, night=fact.night, seat=guess.seat, bird=bird_name(guess.bird), gain=gain(delta))
        case GuessTold() if silent:
            yield say("notes.gravity.guess_silent", night=fact.night)
        case RoundEnded(named=named) if named:
            yield say("notes.gravity.named", birds=rulebook(named))
        case _:
            return


def _others(frame: Frame, player: Player, told: NightTold, known: Sequence[Any]) -> Iterator[Markup]:
    """What was public of the night: the birds of the other player, and the Robin's gain."""
    birds = [
        fact.bird for fact in known if isinstance(fact, Picked) and fact.night == told.night and fact.player != player
    ]
    yield say("notes.gravity.drafted", name=who(frame, 1 - player), birds=rulebook(birds))
    for fact in known:
        if isinstance(fact, NightResolved) and fact.night == told.night and fact.robin is not None:
            gainer, quarters = fact.robin
            yield say("notes.gravity.robin", name=who(frame, gainer), gain=gain(quarters))


def _judged(frame: Frame, judged: Judged, period: PeriodClosed) -> Markup:
    name, change = who(frame, judged.player), gain(judged.delta)
    if judged.right is None:
        return say("notes.gravity.other_wrong", night=period.night, name=name, gain=change)
    seat, bird = judged.right.seat, bird_name(judged.right.bird)
    return say("notes.gravity.other_right", night=period.night, name=name, seat=seat, bird=bird, gain=change)


# --- seat by seat ---------------------------------------------------------------------------------


@dataclass
class _Seats:
    """What was told of the seats in one round: by all, in private, by own wrong guesses; and answers word for word, by
    the seats that they name; what they name a bird by alone stands in ``by_name``.
    """

    public: dict[Seat, Bird] = field(default_factory=dict)
    told: dict[Seat, Bird] = field(default_factory=dict)
    wrong: dict[Seat, set[Bird]] = field(default_factory=lambda: defaultdict(set))
    quoted: dict[Seat, list[Markup]] = field(default_factory=lambda: defaultdict(list))
    by_name: list[Markup] = field(default_factory=list)


def _sheet(number: int, known: Sequence[Any]) -> Chapter:
    """A line for each seat; below, the birds that are placed and so sit in no other, and answers without a seat."""
    seats = _gathered(known)
    placed = {*seats.public.values(), *seats.told.values()}
    below = lines(
        say("notes.sheet.placed", birds=rulebook(placed)) if placed else None,
        say("notes.sheet.by_name", quotes=Markup(" · ").join(seats.by_name)) if seats.by_name else None,
    )
    groups = (SEATS[:4], SEATS[4:8], SEATS[8:])
    parts = (say("notes.sheet.ask"), *(lines(*(_seat(seats, seat) for seat in group)) for group in groups), below)
    return Chapter("sheet", plain("notes.tab.sheet", round=number), tuple(part for part in parts if part))


def _gathered(known: Sequence[Any]) -> _Seats:
    seats = _Seats()
    for fact in known:
        match fact:
            case PeriodClosed(judged=judged):
                seats.public.update((each.right.seat, each.right.bird) for each in judged if each.right is not None)
            case RevealTold(bird=Bird() as bird, seat=int(seat)):
                seats.told[seat] = bird
            case GuessTold(guess=Guess(seat=seat, bird=bird), delta=delta) if delta < 0:
                seats.wrong[seat].add(bird)
            case NightTold(night=night, responses=answers):
                for answer in answers:
                    _quote(seats, night, answer)
    return seats


def _quote(seats: _Seats, night: int, answer: Response) -> None:
    """An answer, word for word, next to each seat that it or the player's order names."""
    target = answer.target
    named = {int(number) for number in re.findall(r"\d+", answer.text)}
    if isinstance(target, Bird):
        text = _quoted(night, answer, bird_name(target))
        if not named:
            seats.by_name.append(text)
    elif target is not None:
        named.add(target)
        text = _quoted(night, answer, str(target))
    else:
        text = say("notes.sheet.quote", night=night, bird=bird_name(answer.bird), text=heard(answer.text))
    for seat in sorted(named):
        seats.quoted[seat].append(text)


def _quoted(night: int, answer: Response, target: str) -> Markup:
    bird, text = bird_name(answer.bird), heard(answer.text)
    return say("notes.sheet.quote_sent", night=night, bird=bird, target=target, text=text)


def _seat(seats: _Seats, seat: Seat) -> Markup:
    facts = []
    if seat in seats.public:
        facts.append(say("notes.sheet.public", bird=bird_name(seats.public[seat])))
    elif seat in seats.told:
        facts.append(say("notes.sheet.told", bird=bird_name(seats.told[seat])))
    if seats.wrong[seat]:
        facts.append(say("notes.sheet.wrong", birds=rulebook(seats.wrong[seat])))
    facts += seats.quoted[seat]
    return say("notes.sheet.seat", seat=seat, facts=Markup(" · ").join(facts or [say("notes.sheet.nothing")]))
