"""The public things around a match that its screens show: which match, which phase, who sits where, until when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from engine.game import Phase
from handler.message import Message


@dataclass(frozen=True)
class Frame:
    """Everything public that a screen needs beside the game's own view.

    ``names`` are the players' display names in table order, not escaped (a house player's says so); ``number`` is the
    open phase's; ``deadline`` is in Unix seconds, None where nothing runs out; ``title`` is the group's name, to tell
    one match from another in private. ``closed``: the phase is over, and the screen stays as a record of it: what
    counted, nothing asked, nothing to press. ``brief``: only house players play, and what happens is told in short.
    ``declined``: the host has declined beforehand what may follow.
    """

    match: str
    number: int
    names: tuple[str, ...]
    deadline: float | None
    title: str
    closed: bool = False
    brief: bool = False
    declined: bool = False


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
    - ``whisper(frame, fact)``: a private fact, for its player.
    - ``refusal(code)``: what to say when ``Game.check`` refused, at most 200 characters, plain text.
    - ``hosted(view)``: what the host may do in the place of whoever's turn it is, from the public view, as labels with
      notations; empty where it is nobody's turn.
    - ``sealed(move)``: the toast for a move just sealed, at most 200 characters, plain text.
    - ``locked(view, final)``: the toast for having locked in, or for having taken that back, from the player's view.
    - ``pages``: the pages of its rules; the first says how to play.
    """

    scene: Callable[[Any], str]
    board: Callable[[Frame, Any], Message]
    panel: Callable[[Frame, Any, Phase, Any, bool, str], Message | None]
    announce: Callable[[Frame, Any], Markup | None]
    whisper: Callable[[Frame, Any], Markup | None]
    refusal: Callable[[str], str]
    hosted: Callable[[Any], tuple[tuple[str, str], ...]]
    sealed: Callable[[Any], str]
    locked: Callable[[Any, bool], str]
    pages: tuple[RulesPage, ...]


@dataclass(frozen=True)
class Card:
    """All that a lobby's card shows; everything on it is public.

    ``names`` are the seats in table order, None while free, not escaped; ``occupants`` name who sits there in a button:
    the user id, ``h`` for a house player, ``-`` for nobody. ``paces`` are all there are to choose from. ``deadline`` is
    when the lobby closes by itself, Unix seconds. ``private``: the lobby is in a private chat, for one person and house
    players. ``declined``: whether the host has declined beforehand what may follow the match; None where nothing may.
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
