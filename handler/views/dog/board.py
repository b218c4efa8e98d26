"""The group's board of Dog's Judgement, from the public view alone: never who, or how many, played or are ready."""

from __future__ import annotations

from markupsafe import Markup

from engine.dog.facts import NoDeathMatch
from engine.dog.view import Board, View
from handler.buttons import MatchPress, write
from handler.frame import Frame
from handler.message import Button, Message
from handler.views.dog.terms import people, place, table, who
from handler.views.layout import paragraphs, until
from handler.words import plain, say


def scene(view: View) -> str:
    """One board for the pre-game, each round, the choice of an opponent, and the end."""
    board = view.board
    return f"round{board.round}" if board.stage == "round" else board.stage


def board(frame: Frame, view: View) -> Message:
    """Everything public in one message. Under the choice of an opponent stands the host's way to do without."""
    public = view.board
    text = paragraphs(
        say("dog.board.head", place=place(public)),
        table(public) if public.stage in ("pregame", "round") else None,
        _asked(frame, public),
        until(frame),
    )
    if public.stage != "choice" or frame.closed:
        return Message(text)
    decline = Button(plain("dog.board.decline"), data=write(MatchPress(frame.match, "decline", "ask")))
    return Message(text, ((decline,),))


def hosted(view: View) -> tuple[tuple[str, str], ...]:
    """Nothing: nobody ever waits for one player's turn."""
    return ()


def _asked(frame: Frame, public: Board) -> Markup | None:
    """What is asked while the phase lasts; what came of the match once it is over."""
    match public.stage:
        case "pregame":
            return None if frame.closed else say("dog.board.pregame_alone" if frame.private else "dog.board.pregame")
        case "round":
            return None if frame.closed else say("dog.board.round_alone" if frame.private else "dog.board.round")
        case "choice":
            return _choice(frame, public)
        case "over":
            return _end(frame, public)


def _choice(frame: Frame, public: Board) -> Markup | None:
    named = public.candidate
    if named is None:
        return None
    candidate, eligible = who(frame, named.candidate), people(frame, named.eligible)
    if frame.closed:
        return say("dog.board.chose", candidate=candidate, eligible=eligible)
    return say("dog.board.choice", candidate=candidate, eligible=eligible)


def _end(frame: Frame, public: Board) -> Markup | None:
    match public.end:
        case NoDeathMatch(why="no_candidate"):
            return say("dog.board.no_candidate")
        case NoDeathMatch(why="no_opponent"):
            return say("dog.board.no_opponent")
        case NoDeathMatch() if public.candidate is not None:
            return say("dog.board.declined", candidate=who(frame, public.candidate.candidate))
        case _:  # an opponent is named: the Death Match has a board of its own
            return None
