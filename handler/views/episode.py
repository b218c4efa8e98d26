"""An episode on the screen: Dog's Judgement, and then the Death Match in the words of Gravity Pandemic (rule 16)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from markupsafe import Markup

from engine.dog.moves import Challenge, Decline, Play, Withdraw
from engine.dog.refusals import CODES
from engine.episode.view import DeathBegan, DeathView, EpisodeEnded, InDeath, Pair, View
from engine.game import Phase
from handler.frame import Frame, GameViews
from handler.message import Message
from handler.views.dog import DOG
from handler.views.dog.terms import who
from handler.views.gravity import GRAVITY
from handler.views.layout import lines, paragraphs
from handler.words import say


def scene(view: View) -> str:
    """The scenes of the two games, apart from each other."""
    return f"death-{GRAVITY.scene(view.view)}" if isinstance(view, DeathView) else DOG.scene(view)


def board(frame: Frame, view: View) -> Message:
    """The board of the game that is being played; at the end, who is eliminated."""
    if not isinstance(view, DeathView):
        return DOG.board(frame, view)
    shown = GRAVITY.board(_death(frame, view.pair), view.view)
    winner = view.view.board.winner
    eliminated = None if winner is None else say("episode.board.eliminated", name=who(frame, view.pair[1 - winner]))
    return replace(shown, text=paragraphs(say("episode.board.head"), shown.text, eliminated))


def panel(frame: Frame, view: View, phase: Phase, sealed: Any, final: bool, menu: str) -> Message | None:
    """The panel of the game that is being played; in the Death Match there is one for its two players alone."""
    if not isinstance(view, DeathView):
        return DOG.panel(frame, view, phase, sealed, final, menu)
    within = replace(phase, active=tuple(view.pair.index(player) for player in phase.active))
    shown = GRAVITY.panel(_death(frame, view.pair), view.view, within, sealed, final, menu)
    return None if shown is None else replace(shown, text=paragraphs(say("episode.panel.head"), shown.text))


def announce(frame: Frame, fact: Any) -> Markup | None:
    """A public fact of either game, or of what joins them."""
    match fact:
        case DeathBegan():
            return _began(frame, fact)
        case InDeath(pair=pair, fact=inner):
            return GRAVITY.announce(_death(frame, pair), inner)
        case EpisodeEnded(eliminated=eliminated):
            return say("episode.announce.ended", name=who(frame, eliminated))
        case _:
            return DOG.announce(frame, fact)


def _began(frame: Frame, fact: DeathBegan) -> Markup:
    candidate, opponent = (who(frame, player) for player in fact.pair)
    return lines(
        say("episode.announce.began", candidate=candidate, opponent=opponent, commitment=fact.commitment),
        say("episode.announce.brief") if frame.brief else say("episode.announce.watch"),
    )


def whisper(frame: Frame, fact: Any) -> Markup | None:
    """A private fact of either game."""
    if isinstance(fact, InDeath):
        return GRAVITY.whisper(_death(frame, fact.pair), fact.fact)
    return DOG.whisper(frame, fact)


def refusal(code: str) -> str:
    """The codes that both games have mean the same in both."""
    return DOG.refusal(code) if code in CODES else GRAVITY.refusal(code)


def hosted(view: View) -> tuple[tuple[str, str], ...]:
    """What the host may do in the place of whoever's turn it is."""
    return GRAVITY.hosted(view.view) if isinstance(view, DeathView) else DOG.hosted(view)


def sealed(move: Any) -> str:
    """The toast of the game that the move belongs to."""
    if isinstance(move, Play | Withdraw | Challenge | Decline):
        return DOG.sealed(move)
    return GRAVITY.sealed(move)


def locked(view: View, final: bool) -> str:
    """The toast of the game that is being played."""
    return GRAVITY.locked(view.view, final) if isinstance(view, DeathView) else DOG.locked(view, final)


def _death(frame: Frame, pair: Pair) -> Frame:
    """The frame of the Death Match: its table are the two."""
    return replace(frame, names=tuple(frame.names[player] for player in pair))


EPISODE: Final = GameViews(
    scene=scene,
    board=board,
    panel=panel,
    announce=announce,
    whisper=whisper,
    refusal=refusal,
    hosted=hosted,
    sealed=sealed,
    locked=locked,
    pages=DOG.pages,
)
"""How ``dog`` is shown: whoever plays it plays episodes."""
