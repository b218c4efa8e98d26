"""The public things around a match that its screens show: which match, which phase, who sits where, until when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from engine.game import Phase, Player
from handler.message import Message


@dataclass(frozen=True)
class Frame:
    """Everything public that a screen needs beside the game's own view.

    ``names`` are the players' display names in table order, not escaped (a house player's says so), and ``bare`` those
    of house players without that, None for people (empty: there are no house players); ``number`` is the open phase's;
    ``deadline`` is in Unix seconds, None where nothing runs out; ``title`` is the group's name, to tell one match from
    another in private. ``closed``: the phase is over, and the screen stays as a record of it: what counted, nothing
    asked, nothing to press. ``brief``: only house players play, and what happens is told in short. ``declined``: the
    host has declined beforehand what may follow. ``rest``: the match is paused, and so many seconds are left of the
    phase once it is resumed; None while it runs. ``silent``: whoever this is told let the phase that it is about pass
    in silence. ``private``: the match is practice, in a private chat. ``elsewhere``: the board is shown where its
    buttons are not.
    """

    match: str
    number: int
    names: tuple[str, ...]
    deadline: float | None
    title: str
    closed: bool = False
    brief: bool = False
    elsewhere: bool = False
    declined: bool = False
    rest: float | None = None
    silent: bool = False
    private: bool = False
    bare: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class News:
    """What somebody was told when a phase closed, or when the match began: the ``facts`` in order, in the frame in
    which they were told. ``phase`` is the name of the phase that closed, empty at the start; ``silent`` are the players
    who let it pass in silence, as far as the reader may know.
    """

    frame: Frame
    facts: tuple[Any, ...]
    phase: str
    silent: tuple[Player, ...]


@dataclass(frozen=True)
class Chapter:
    """A part of what can be read page by page, mostly a round. ``place`` is short, for buttons, ``label`` plain text;
    ``parts`` are the paragraphs under it, none longer than a page. Chapters with another ``story`` share no page.
    """

    place: str
    label: str
    parts: tuple[Markup, ...]
    story: str = ""


@dataclass(frozen=True)
class Notes:
    """A player's notebook: a chapter a round, the latest first, and the sheet that puts together what they were told of
    each seat, None where there is none.
    """

    chapters: tuple[Chapter, ...]
    sheet: Chapter | None = None


@dataclass(frozen=True)
class RulesPage:
    """One topic of a game's rules with its rulings by number. ``extra`` gives what stands before them, beside the
    introduction. The texts are ``rules.<game>.page.<topic>``, ``.tab.<topic>`` and ``.ruling.<number>``.
    """

    topic: str
    rulings: tuple[int, ...] = ()
    extra: Callable[[], Markup | None] = lambda: None


@dataclass(frozen=True)
class GameViews:
    """How one game is shown. All pure: a view or a fact in, a message out. None: there is nothing to say.

    - ``scene(view)``: a short key; while it stays the same, the group's board is edited, when it changes a new one is
      sent.
    - ``board(frame, view)``: the group's board, from the public view.
    - ``panel(frame, view, phase, sealed, final, menu)``: a player's private panel in the open phase, from the player's
      view, with the move sealed so far (None: none), whether it is locked in, and the menu's place (``""``: the top).
    - ``announce(frame, fact)``: a public fact, for the group.
    - ``opens(fact)``: whether a public fact begins a message of its own, where it is announced at all.
    - ``whisper(frame, fact)``: a private fact, for its player.
    - ``refusal(code)``: what to say when ``Game.check`` refused, at most 200 characters, plain text.
    - ``hosted(view)``: what the host may do in the place of whoever's turn it is, from the public view, as labels with
      notations; empty where it is nobody's turn.
    - ``sealed(move)``: the toast for a move just sealed, at most 200 characters, plain text.
    - ``locked(view, final)``: the toast for having locked in, or for having taken that back, from the player's view.
    - ``pages``: the pages of its rules; the first says how to play.
    - ``rules(view)``: the game whose rules hold now, from the public view.
    - ``notes(player, news)``: a player's notebook, from what the player and everybody was told, in order.
    - ``recall(news)``: what everybody was told, in order, as the chapters of the match's history.
    """

    scene: Callable[[Any], str]
    board: Callable[[Frame, Any], Message]
    panel: Callable[[Frame, Any, Phase, Any, bool, str], Message | None]
    announce: Callable[[Frame, Any], Markup | None]
    opens: Callable[[Any], bool]
    whisper: Callable[[Frame, Any], Markup | None]
    refusal: Callable[[str], str]
    hosted: Callable[[Any], tuple[tuple[str, str], ...]]
    sealed: Callable[[Any], str]
    locked: Callable[[Any, bool], str]
    pages: tuple[RulesPage, ...]
    rules: Callable[[Any], str]
    notes: Callable[[Player, Sequence[News]], Notes]
    recall: Callable[[Sequence[News]], tuple[Chapter, ...]]


@dataclass(frozen=True)
class Card:
    """All that a lobby's card shows; everything on it is public.

    ``names`` are the seats in table order, None while free, not escaped; ``occupants`` name who sits there in a button:
    the user id, ``h`` for a house player, ``-`` for nobody. ``paces`` are all there are to choose from. ``deadline`` is
    when the lobby closes by itself, Unix seconds. ``private``: the lobby is in a private chat, for one person and house
    players. ``declined``: whether the host has declined beforehand what may follow the match; None where nothing may.
    ``kept`` are, in a rematch, the names for whom the seats are kept, in table order, not escaped.
    """

    match: str
    game: str
    host: str
    pace: str
    paces: tuple[str, ...]
    names: tuple[str | None, ...]
    occupants: tuple[str, ...]
    deadline: float | None
    private: bool
    declined: bool | None
    kept: tuple[str | None, ...] = ()
