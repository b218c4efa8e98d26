"""What finished matches add up to: a person's own numbers, a group's table, the records once more."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from engine.games import GAMES
from handler.buttons import MATCH_ID
from handler.codec import read_match
from handler.exporting import record_file
from handler.logs import kind
from handler.match import Match
from handler.measures import measure
from handler.message import Message
from handler.ports import Place, Result, TelegramError
from handler.replies import answer, privately, toast
from handler.results import is_practice, read
from handler.table import Ports
from handler.updates import Command, Pressed
from handler.views import after
from handler.views.after import Finished, Standing, Tally
from handler.words import plain, say

log = logging.getLogger(__name__)

FINISHED_MOST: Final = 8
"""Finished matches that ``/matches`` lists."""

BEST: Final = 10
"""The last place that a group's table shows; whoever shares it stands in it too, but for LINES_MOST."""

LINES_MOST: Final = 20


def stats(ports: Ports, command: Command) -> None:
    """``/stats``: a person's own numbers, in private."""
    privately(ports, command, after.numbers(tallies(ports.people.of(command.who.id))))


def top(ports: Ports, command: Command) -> None:
    """``/top``: the table of the group."""
    if command.private:
        answer(ports, command, Message(say("after.top.private")))
    else:
        answer(ports, command, after.table(*table(ports.people.in_chat(command.place.chat))))


def tallies(results: Iterable[Result]) -> list[Tally]:
    """A person's results added up, a tally for each game there is; practice is counted apart."""
    found = {game: Tally(game) for game in GAMES}
    for result in results:
        of = read(result.body)
        before = found[of.game]
        won = of.outcome == "won"
        if is_practice(result):
            played, of_them_won = before.practised
            found[of.game] = replace(before, practised=(played + 1, of_them_won + won))
        else:
            found[of.game] = replace(
                before,
                matches=before.matches + 1,
                won=before.won + won,
                lost=before.lost + (of.outcome == "lost"),
                right=before.right + of.right,
                wrong=before.wrong + of.wrong,
                ravens=before.ravens + of.ravens,
                points=before.points + of.points,
                bribes=before.bribes + of.bribes,
                life=before.life + of.life,
                candidate=before.candidate + of.candidate,
                deaths=before.deaths + of.death,
            )
    return list(found.values())


def table(results: Sequence[Result]) -> tuple[list[Standing], int]:
    """A group's best, and how many more share the last place: by matches won, then by how few they took. Whoever is
    equal in both shares a place. Everybody goes by the name in their latest result, which comes first in ``results``.
    """
    names: dict[int, str] = {}
    won: dict[int, int] = {}
    matches: dict[int, int] = {}
    for result in results:
        of = read(result.body)
        names.setdefault(result.user, of.name)
        won[result.user] = won.get(result.user, 0) + (of.outcome == "won")
        matches[result.user] = matches.get(result.user, 0) + 1
    order = sorted(names, key=lambda user: (-won[user], matches[user], user))
    ranks: dict[tuple[int, int], int] = {}
    for rank, user in enumerate(order, start=1):
        ranks.setdefault((won[user], matches[user]), rank)
    best = [
        Standing(rank, names[user], won[user], matches[user])
        for user in order
        if (rank := ranks[won[user], matches[user]]) <= BEST
    ]
    return best[:LINES_MOST], len(best[LINES_MOST:])


def finished(ports: Ports, user: int) -> list[Finished]:
    """The matches that somebody finished last, the latest first."""
    return [_finished(result) for result in islice(ports.people.of(user), FINISHED_MOST)]


def _finished(result: Result) -> Finished:
    of = read(result.body)
    title = None if is_practice(result) else of.title
    return Finished(result.match, of.game, title, of.outcome, result.ended_at)


def record_press(ports: Ports, pressed: Pressed, id: str) -> None:
    """The record of a finished match once more, in private, for somebody who sat in it; to anybody else it looks as if
    there were no such match.
    """
    item = ports.store.load(id) if MATCH_ID.fullmatch(id) else None
    match = None if item is None else read_match(item.id, item.body)
    if match is None or match.stage != "over" or match.player(pressed.who.id) is None:
        toast(ports, pressed, plain("after.record.expired"), alert=True)
    else:
        _send_record(ports, pressed, match)


def _send_record(ports: Ports, pressed: Pressed, match: Match) -> None:
    """The file, with the way to a rematch only where the match was played."""
    name, content, caption = record_file(match)
    if match.place.chat != pressed.who.id:
        caption = replace(caption, keyboard=())
    try:
        ports.telegram.document(Place(pressed.who.id), name, content, caption)
    except TelegramError as error:
        measure("ApiErrors")
        log.warning("a record was not delivered", extra={"match": match.id, **kind(error)})
        toast(ports, pressed, plain("after.record.unsent"))
    else:
        toast(ports, pressed)
