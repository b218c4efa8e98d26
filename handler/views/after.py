"""What the bot says after matches: rematches, records again, a person's numbers, a group's table, being forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from markupsafe import Markup

from handler.buttons import MatchPress, PlainPress, write
from handler.message import Button, Keyboard, Message
from handler.views.layout import isolated, lines, paragraphs, rows
from handler.words import plain, say


@dataclass(frozen=True)
class Finished:
    """A match that somebody has finished: its id, its game, the group's title (None: practice), how it went for them
    (``won``, ``lost`` or ``spared``), and when it ended, in Unix seconds.
    """

    match: str
    game: str
    title: str | None
    outcome: str
    ended_at: float


@dataclass(frozen=True)
class Tally:
    """What somebody's finished matches of one game add up to; of Dog's Judgement ``right``, ``wrong`` and ``ravens``
    are the Death Matches', of which they played ``deaths``. ``practised`` are further matches, and how many of them
    were won.
    """

    game: str
    matches: int = 0
    won: int = 0
    lost: int = 0
    right: int = 0
    wrong: int = 0
    ravens: int = 0
    points: int = 0
    bribes: int = 0
    life: int = 0
    candidate: int = 0
    deaths: int = 0
    practised: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Standing:
    """A line of a group's table: the place, which equals share, and of how many matches somebody has won how many."""

    rank: int
    name: str
    won: int
    matches: int


def rematch(match: str) -> Keyboard:
    """The button under a match that is over."""
    return ((Button(plain("after.button.again"), data=write(MatchPress(match, "again"))),),)


def practise(games: Sequence[str]) -> Keyboard:
    """Buttons that lead straight to a practice table; in private only."""
    return tuple(
        (Button(plain("after.button.practise", game=plain(f"lobby.name.{game}")), data=write(PlainPress("new", game))),)
        for game in games
    )


def which_practice(games: Sequence[str]) -> Message:
    """``/practise`` asks which game."""
    return Message(say("after.practise.which"), practise(games))


def practice_here(game: str) -> Message:
    """In private, to somebody who asked for practice in a group."""
    return Message(say("after.practise.here", game=plain(f"lobby.name.{game}")))


def moved() -> Message:
    """What stays of a board that has been shown anew."""
    return Message(say("after.moved"))


def with_finished(matches: Message, finished: Sequence[Finished]) -> Message:
    """A person's matches, and below them those that they have finished, each with a button for its record."""
    if not finished:
        return matches
    numbered = list(enumerate(finished, start=1))
    records = [
        Button(plain("after.button.record", number=number), data=write(PlainPress("record", each.match)))
        for number, each in numbered
    ]
    text = paragraphs(matches.text, lines(say("after.finished.title"), *(_line(*each) for each in numbered)))
    return replace(matches, text=text, keyboard=(*matches.keyboard, *rows(records, 4)))


def _line(number: int, match: Finished) -> Markup:
    day, game = _day(match.ended_at), plain(f"lobby.name.{match.game}")
    outcome = say(f"after.outcome.{match.game}.{match.outcome}")
    if match.title is None:
        return say("after.finished.practice", number=number, day=day, game=game, outcome=outcome)
    title = isolated(match.title)
    return say("after.finished.line", number=number, day=day, game=game, title=title, outcome=outcome)


def numbers(tallies: Sequence[Tally]) -> Message:
    """``/stats``: somebody's own numbers, game by game."""
    shown = [_numbers(tally) for tally in tallies if tally.matches or tally.practised[0]]
    if not shown:
        return Message(say("after.stats.none"))
    return Message(paragraphs(say("after.stats.title"), *shown))


def _numbers(tally: Tally) -> Markup:
    played, won = tally.practised
    return lines(
        say("after.stats.game", game=plain(f"lobby.name.{tally.game}")),
        *(_counted(tally) if tally.matches else ()),
        say("after.stats.practice", matches=played, won=won) if played else None,
    )


def _counted(tally: Tally) -> tuple[Markup | None, ...]:
    guesses = say("after.stats.guesses", right=tally.right, wrong=tally.wrong, ravens=tally.ravens)
    matches = say(f"after.stats.matches.{tally.game}", matches=tally.matches, won=tally.won)
    if tally.game == "gravity":
        return matches, guesses
    death = say("after.stats.death", matches=tally.deaths, won=tally.deaths - tally.lost)
    return (
        matches,
        say("after.stats.dog", points=tally.points, bribes=tally.bribes, life=tally.life),
        say("after.stats.candidate", candidate=tally.candidate, lost=tally.lost),
        death if tally.deaths else None,
        guesses if tally.deaths else None,
    )


def table(standings: Sequence[Standing], more: int) -> Message:
    """``/top``: a group's table; ``more`` are those who share the last place and are not shown."""
    if not standings:
        return Message(say("after.top.none"))
    listed = (
        say("after.top.line", rank=each.rank, name=isolated(each.name), won=each.won, matches=each.matches)
        for each in standings
    )
    rest = say("after.top.more", n=more) if more else None
    note = say("after.top.note", game=plain("lobby.name.dog"))
    return Message(paragraphs(say("after.top.title"), lines(*listed, rest), note))


def ask_forget() -> Message:
    """Forgetting somebody is asked once."""
    yes = Button(plain("after.button.forget"), data=write(PlainPress("forget", "yes")))
    no = Button(plain("after.button.keep"), data=write(PlainPress("forget", "no")))
    return Message(say("after.forget.ask"), ((yes, no),))


def _day(unix: float) -> Markup:
    """A day as a date-time entity, on the reader's own calendar, or in UTC by an old app (``d``: the short date)."""
    second = int(unix)
    return Markup('<tg-time unix="{}" format="d">{}</tg-time>').format(
        second, f"{datetime.fromtimestamp(second, UTC):%Y-%m-%d}"
    )
