"""The group's board of Gravity Pandemic, from the public view alone: never who, or how many, have locked in."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from engine.game import Player
from engine.gravity.birds import DRAFTED, RULEBOOK, Bird
from engine.gravity.draft import PLAYERS, birds_left, drafter
from engine.gravity.facts import By
from engine.gravity.moves import Here, HostPick, Pick
from engine.gravity.notation import write as notation
from engine.gravity.view import Board, View
from handler.buttons import Verb
from handler.frame import Frame
from handler.message import Keyboard, Message
from handler.views.gravity.terms import bird_name, known, place, tally, who
from handler.views.layout import lines, listed, moment, paragraphs, press, rows, until
from handler.words import plain, say


def scene(view: View) -> str:
    """One board for a round's private reveals, for a night's draft, its actions, each guessing period, and the end."""
    board = view.board
    match board.stage:
        case "reveals":
            return f"r{board.round}"
        case "draft" | "actions":
            return f"r{board.round}n{board.night}{board.stage}"
        case "guesses":
            return f"r{board.round}n{board.night}p{board.period}"
        case "over":
            return "over"


def board(frame: Frame, view: View) -> Message:
    """Everything public in one message; the draft's buttons are under it while the draft lasts."""
    public = view.board
    drafting = public.stage == "draft"
    text = paragraphs(
        lines(say("gravity.board.head", place=place(public)), tally(frame, public.scores)),
        None if public.stage == "over" else known(public),
        _draft(frame, public) if drafting else _awaited(frame, public),
        None if drafting else until(frame),
    )
    return Message(text, _picks(frame, public) if drafting and not frame.closed else ())


def hosted(view: View) -> tuple[tuple[str, str], ...]:
    """The birds that the host may pick in the drafter's place (rule 6), rulebook order."""
    if drafter(view.board) is None:
        return ()
    return tuple((bird_name(bird), notation(HostPick(bird))) for bird in birds_left(view.board))


def _awaited(frame: Frame, public: Board) -> Markup | None:
    """What was drafted, and what is awaited of both players while the phase lasts."""
    match public.stage:
        case "actions":
            key = "gravity.board.actions_alone" if frame.private else "gravity.board.actions"
            asked = None if frame.closed else say(key, night=public.night)
            return paragraphs(drafted(frame, public.picks), asked)
        case "guesses":
            key = "gravity.board.guesses_alone" if frame.private else "gravity.board.guesses"
            asked = say(key, night=public.night, period=public.period)
            return paragraphs(drafted(frame, public.picks), None if frame.closed else asked)
        case "over" if public.winner is not None:
            return say("gravity.board.over", winner=who(frame, public.winner))
        case _:
            key = "gravity.board.reveals_alone" if frame.private else "gravity.board.reveals"
            return None if frame.closed else say(key)


def drafted(frame: Frame, made: Sequence[tuple[Player, Bird, By]]) -> Markup:
    """Both players' birds of the night, in rulebook order, from the picks in the order in which they were made."""
    picks = sorted(enumerate(made, 1), key=lambda pick: RULEBOOK[pick[1][1]])
    return lines(
        *(
            _drafted(
                who(frame, player), [(number, bird, by) for number, (drafter, bird, by) in picks if drafter == player]
            )
            for player in PLAYERS
        )
    )


def _drafted(name: str, picks: Sequence[tuple[int, Bird, By]]) -> Markup:
    """A player's birds; where the bot chose all of them, it is said once."""
    if picks and all(by == "bot" for _, _, by in picks):
        return say(
            "gravity.board.drafted_bot", name=name, birds=listed(Markup.escape(bird_name(bird)) for _, bird, _ in picks)
        )
    return say("gravity.board.drafted", name=name, birds=listed(_chosen(*pick) for pick in picks))


def _chosen(number: int, bird: Bird, by: By) -> Markup:
    """A drafted bird, marked where somebody else chose it. The tenth pick is nobody's choice (rule 4)."""
    if by == "player" or number == len(DRAFTED):
        return Markup.escape(bird_name(bird))
    return say("gravity.board.by_bot" if by == "bot" else "gravity.board.by_host", bird=bird_name(bird))


def _draft(frame: Frame, public: Board) -> Markup | None:
    turn = drafter(public)
    if turn is None or public.first is None:
        return None
    asked = "gravity.draft.away" if turn in public.idle else "gravity.draft.turn"
    if frame.elsewhere:
        asked = "gravity.draft.away_elsewhere" if turn in public.idle else "gravity.draft.turn_elsewhere"
    absent = (say("gravity.draft.absent", name=who(frame, idle)) for idle in public.idle if idle != turn)
    if frame.rest is not None or frame.deadline is None:
        limit = until(frame)
    else:
        limit = say("gravity.draft.limit", moment=moment(frame.deadline))
    picks = lines(
        _why_first(frame, public, public.first),
        *(
            say("gravity.draft.pick", number=number, name=who(frame, player), bird=_chosen(number, bird, by))
            for number, (player, bird, by) in enumerate(public.picks, 1)
        ),
    )
    if frame.closed:
        return picks
    return paragraphs(
        picks,
        lines(say(asked, name=who(frame, turn)), *absent),
        limit,
    )


def _why_first(frame: Frame, public: Board, first: Player) -> Markup:
    """Who drafts first, and why (rule 5). Scores do not change while a draft lasts, so they still give the reason."""
    if (public.round, public.night) == (1, 1):
        return say("gravity.draft.opening", first=who(frame, first))
    if public.scores[0] != public.scores[1]:
        return say("gravity.draft.fewer", first=who(frame, first))
    return say("gravity.draft.level", first=who(frame, first), other=who(frame, 1 - first))


def _picks(frame: Frame, public: Board) -> Keyboard:
    left = [press(frame, Verb.SEAL, notation(Pick(bird)), bird_name(bird)) for bird in birds_left(public)]
    if all(idle == drafter(public) for idle in public.idle):
        return rows(left, 3)
    return (*rows(left, 3), (press(frame, Verb.SEAL, notation(Here()), plain("gravity.draft.back")),))
