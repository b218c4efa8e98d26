"""The pictures of Dog's Judgement: the public table, round by round, and the whole match once it is judged (rule 14).

Everything in them is public; nobody has one of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from markupsafe import Markup

from engine.dog.events import PLAYERS, THRESHOLD, VP_EVENTS, Event, Movement, Tokens
from engine.dog.facts import RoundResolved
from engine.dog.story import Story
from engine.dog.view import Board, View
from engine.game import Player
from handler.frame import Frame
from handler.picture import DogTale, EventTale, Fate, Grid, Head, Illustration, Party, Table, Tower
from handler.views.captions import Naming, fitting, house_sign, party
from handler.views.dog.terms import event, lying, who
from handler.views.layout import lines
from handler.words import plain, say

_CHARGE: Final = VP_EVENTS.index(Event.CHARGE_TOWER)


# --- the table of a round -------------------------------------------------------------------------


def table(frame: Frame, view: View) -> Illustration | None:
    """The table of the round being played; None before the first and after the last."""
    board = view.board
    if board.stage != "round" or frame.brief:
        return None
    last = board.announced[-1] if board.announced else None
    drawing = Table(
        head=Head(plain("pictures.dog.game"), plain("dog.place.round", round=board.round), plain("pictures.public")),
        tower=_tower(board.level),
        events=tuple(_event(board.tokens, each, last) for each in VP_EVENTS),
        moved=_moved(last),
        parties=tuple(_party(frame, player) for player in PLAYERS),
        house=house_sign(frame),
    )
    return Illustration(f"table{board.round}", drawing, _table_caption(board, last))


def _party(frame: Frame, player: Player) -> Party:
    return party(frame, player, str(player + 1), _seat(player))


def _seat(player: Player) -> str:
    return plain("pictures.dog.seat", seat=player + 1)


def _tower(level: int) -> Tower:
    return Tower(
        title=plain("pictures.dog.tower"),
        level=level,
        top=THRESHOLD,
        caption=plain("pictures.dog.level", level=level),
        above=plain("pictures.dog.threshold"),
    )


def _letter(each: Event) -> str:
    return plain(f"dog.letter.{each.value}")


def _event(tokens: Tokens, each: Event, last: RoundResolved | None) -> EventTale:
    scorers = () if last is None else last.scored[VP_EVENTS.index(each)]
    return EventTale(
        title=event(each),
        letter=_letter(each),
        wins=tokens.on(each),
        lose=tokens.lose is each,
        tokens=str(lying(tokens, each)),
        scorers=scorers,
        scored="" if last is None else plain(_scored(scorers), round=last.round),
        does=plain(f"dog.does.{each.value}") if last is None else "",
    )


def _scored(scorers: tuple[Player, ...]) -> str:
    return "pictures.dog.scored" if scorers else "pictures.dog.nobody"


def _moved(last: RoundResolved | None) -> str:
    if last is None:
        return ""
    if last.moved is None:
        return plain("pictures.dog.unmoved", round=last.round)
    return _movement(last.moved, last.round)


def _movement(moved: Movement, round_: int) -> str:
    origin, goal = event(moved.origin), event(moved.goal)
    return plain(f"pictures.dog.moved.{moved.token}", round=round_, origin=origin, goal=goal)


def _table_caption(board: Board, last: RoundResolved | None) -> Markup:
    """What there is to see; what it comes to has just been announced, and the board below says it again."""
    if last is None:
        return say("pictures.dog.caption.first", round=board.round, level=board.level, top=THRESHOLD)
    return say("pictures.dog.caption.table", round=board.round, level=board.level, top=THRESHOLD, last=last.round)


# --- the whole match ------------------------------------------------------------------------------


def story(frame: Frame, tale: Story) -> Illustration:
    """The whole match in one picture, once it is judged."""
    judgement = tale.judgement
    judged = {each.event: each for each in judgement.events}
    grids = tuple(
        Grid(
            event=_event(tale.tokens, each, None),
            points=tuple(tuple(round_.scored[player][place] for round_ in tale.rounds) for player in PLAYERS),
            totals=tuple(_totals(tale, player)[place] for player in PLAYERS),
            leaders=judged[each].leaders if each in judged else (),
        )
        for place, each in enumerate(VP_EVENTS)
    )
    drawing = DogTale(
        head=Head(plain("pictures.dog.game"), plain("pictures.whole"), ""),
        parties=tuple(_party(frame, player) for player in PLAYERS),
        total=plain("pictures.dog.total"),
        rounds=plain("pictures.dog.round"),
        grids=grids,
        tower=plain("pictures.dog.tower"),
        levels=tuple(round_.level for round_ in tale.rounds),
        broken=tuple(any(scored[_CHARGE] for scored in round_.scored) for round_ in tale.rounds),
        movements=plain("pictures.dog.movements"),
        moves=tuple(None if round_.moved is None else _short(round_.moved) for round_ in tale.rounds),
        judgement=plain("pictures.dog.judgement"),
        fates=tuple(Fate(judgement.life[player], player in judgement.candidates) for player in PLAYERS),
        verdict=_verdict(tale),
        legend=tuple(_signs(frame, tale)),
    )
    return Illustration("judged", drawing, _story_caption(frame, tale))


def _totals(tale: Story, player: Player) -> tuple[int, ...]:
    return tuple(sum(round_.scored[player][place] for round_ in tale.rounds) for place in range(len(VP_EVENTS)))


def _short(moved: Movement) -> tuple[str, str, str]:
    return moved.token, _letter(moved.origin), _letter(moved.goal)


def _verdict(tale: Story) -> str:
    """The one thing about the judgement that the players' lines do not show."""
    if tale.judgement.all_lose:
        return plain("pictures.dog.too_many", n=sum(tale.judgement.won))
    return "" if tale.judgement.candidates else plain("pictures.dog.safe")


def _signs(frame: Frame, tale: Story) -> Iterator[tuple[str, str]]:
    """The signs that occur, explained."""
    if any(tale.judgement.life):
        yield "life", plain("pictures.dog.sign.life")
    candidates = len(tale.judgement.candidates)
    if candidates:
        yield "candidate", plain("pictures.dog.sign.candidate" if candidates == 1 else "pictures.dog.sign.joint")
    if any(any(scored[_CHARGE] for scored in round_.scored) for round_ in tale.rounds):
        yield "broken", plain("pictures.dog.sign.broken")
    kinds = Counter(round_.moved.token for round_ in tale.rounds if round_.moved is not None)
    if kinds["win"] or sum(tale.tokens.win):
        yield "win", plain("pictures.dog.sign.win")
    yield "lose", plain("pictures.dog.sign.lose")
    if house_sign(frame):
        yield "house", house_sign(frame)


def _story_caption(frame: Frame, tale: Story) -> Markup:
    judgement = tale.judgement

    def total(name: Naming, player: Player) -> Markup:
        charge, remove, median = _totals(tale, player)
        return say(
            "pictures.dog.caption.total",
            name=name(player),
            charge=charge,
            remove=remove,
            median=median,
            life=judgement.life[player],
        )

    def caption(name: Naming) -> Markup:
        events = ", ".join(event(each) for each in VP_EVENTS)
        candidates = ", ".join(name(player) for player in judgement.candidates)
        moves = sum(round_.moved is not None for round_ in tale.rounds)
        return lines(
            say("pictures.dog.caption.story", events=events, level=tale.rounds[-1].level),
            say("pictures.dog.caption.moves", n=moves) if moves else say("pictures.dog.caption.no_moves"),
            *(total(name, player) for player in PLAYERS),
            say("pictures.dog.caption.candidates", names=candidates)
            if candidates
            else say("pictures.dog.caption.no_candidate"),
        )

    return fitting((lambda: caption(lambda player: who(frame, player)), lambda: caption(_seat)))
