"""An episode on the screen: Dog's Judgement, and then the Death Match in the words of Gravity Pandemic (rule 16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from markupsafe import Markup

from engine.dog.moves import Challenge, Decline, Play, Withdraw
from engine.dog.refusals import CODES
from engine.episode.view import DeathBegan, DeathView, EpisodeEnded, InDeath, Pair, View
from engine.game import Phase, Player
from handler.frame import Chapter, Frame, GameViews, News, Notes
from handler.message import Message
from handler.views.dog import DOG, history
from handler.views.dog.terms import who
from handler.views.gravity import GRAVITY
from handler.views.history import chapters
from handler.views.layout import lines, paragraphs
from handler.words import plain, say


def scene(view: View) -> str:
    """The scenes of the two games, apart from each other."""
    return f"death-{GRAVITY.scene(view.view)}" if isinstance(view, DeathView) else DOG.scene(view)


def board(frame: Frame, view: View) -> Message:
    """The board of the game that is being played; at the end, who is eliminated."""
    if not isinstance(view, DeathView):
        return DOG.board(frame, view)
    shown = GRAVITY.board(death(frame, view.pair), view.view)
    winner = view.view.board.winner
    eliminated = None if winner is None else say("episode.board.eliminated", name=who(frame, view.pair[1 - winner]))
    return replace(shown, text=paragraphs(say("episode.board.head"), shown.text, eliminated))


def panel(frame: Frame, view: View, phase: Phase, sealed: Any, final: bool, menu: str) -> Message | None:
    """The panel of the game that is being played; in the Death Match there is one for its two players alone."""
    if not isinstance(view, DeathView):
        return DOG.panel(frame, view, phase, sealed, final, menu)
    within = replace(phase, active=tuple(view.pair.index(player) for player in phase.active))
    shown = GRAVITY.panel(death(frame, view.pair), view.view, within, sealed, final, menu)
    return None if shown is None else replace(shown, text=paragraphs(say("episode.panel.head"), shown.text))


def announce(frame: Frame, fact: Any) -> Markup | None:
    """A public fact of either game, or of what joins them."""
    match fact:
        case DeathBegan():
            return _began(frame, fact)
        case InDeath(pair=pair, fact=inner):
            return GRAVITY.announce(death(frame, pair), inner)
        case EpisodeEnded(eliminated=eliminated):
            return say("episode.announce.ended", name=who(frame, eliminated))
        case _:
            return DOG.announce(frame, fact)


def opens(fact: Any) -> bool:
    """The Death Match's facts do what they do in Gravity Pandemic."""
    return GRAVITY.opens(fact.fact) if isinstance(fact, InDeath) else DOG.opens(fact)


def _began(frame: Frame, fact: DeathBegan) -> Markup:
    candidate, opponent = (who(frame, player) for player in fact.pair)
    return lines(
        say("episode.announce.began", candidate=candidate, opponent=opponent, commitment=fact.commitment),
        _shown_where(frame),
    )


def _shown_where(frame: Frame) -> Markup:
    if frame.brief:
        return say("episode.announce.brief")
    return say("episode.announce.here" if frame.private else "episode.announce.watch")


def whisper(frame: Frame, fact: Any) -> Markup | None:
    """A private fact of either game."""
    if isinstance(fact, InDeath):
        return GRAVITY.whisper(death(frame, fact.pair), fact.fact)
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


def rules(view: View) -> str:
    """Those of the game that is being played."""
    return GRAVITY.rules(view.view) if isinstance(view, DeathView) else DOG.rules(view)


def notes(player: Player, news: Sequence[News]) -> Notes:
    """The main match's; before it, to one of the two, the Death Match's."""
    main = DOG.notes(player, _main(news))
    pair = _pair(news)
    if player not in pair:
        return main
    duel = GRAVITY.notes(pair.index(player), tuple(_in_death(news)))
    return replace(duel, chapters=(*map(_of_death, duel.chapters), *main.chapters))


def recall(news: Sequence[News]) -> tuple[Chapter, ...]:
    """The main match's, then the Death Match's with what came of it."""
    main = chapters(_main(news), history.place, history.label, announce)
    duel = [_of_death(chapter) for chapter in GRAVITY.recall(tuple(_in_death(news)))]
    ended = [announce(each.frame, fact) for each in news for fact in each.facts if isinstance(fact, EpisodeEnded)]
    if duel:
        duel[-1] = replace(duel[-1], parts=(*duel[-1].parts, *(text for text in ended if text)))
    return (*main, *duel)


def _main(news: Sequence[News]) -> tuple[News, ...]:
    """What was told of the main match, and of how it led to the Death Match."""
    facts = [tuple(fact for fact in each.facts if not isinstance(fact, InDeath | EpisodeEnded)) for each in news]
    return tuple(replace(each, facts=main) for each, main in zip(news, facts, strict=True) if main)


def _in_death(news: Sequence[News]) -> Iterator[News]:
    """What was told of the Death Match, in its own terms."""
    for each in news:
        facts = [fact for fact in each.facts if isinstance(fact, InDeath)]
        if not facts:
            continue
        pair = facts[0].pair
        began = any(isinstance(fact, DeathBegan) for fact in each.facts)  # then the phase that closed was the main's
        silent = () if began else tuple(sorted(pair.index(player) for player in each.silent))
        yield News(death(each.frame, pair), tuple(fact.fact for fact in facts), each.phase, silent)


def _pair(news: Sequence[News]) -> tuple[Player, ...]:
    """Who meet in the Death Match; nobody before it."""
    return next((fact.pair for each in news for fact in each.facts if isinstance(fact, DeathBegan)), ())


def _of_death(chapter: Chapter) -> Chapter:
    """A chapter of the Death Match, told apart from the main match's."""
    return replace(
        chapter, place=f"d{chapter.place}", label=plain("notes.tab.death", label=chapter.label), story="death"
    )


def death(frame: Frame, pair: Pair) -> Frame:
    """The frame of the Death Match: its table are the two."""
    bare = tuple(frame.bare[player] for player in pair) if frame.bare else ()
    return replace(frame, names=tuple(frame.names[player] for player in pair), bare=bare)


EPISODE: Final = GameViews(
    scene=scene,
    board=board,
    panel=panel,
    announce=announce,
    opens=opens,
    whisper=whisper,
    refusal=refusal,
    hosted=hosted,
    sealed=sealed,
    locked=locked,
    pages=DOG.pages,
    rules=rules,
    notes=notes,
    recall=recall,
)
"""How ``dog`` is shown: whoever plays it plays episodes."""
