"""Faults of Dog's Judgement and its episode as they could be made, one a function as in ``tests/planted/faults.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

import pytest
from markupsafe import Markup

from engine.dog import facts, rules
from engine.dog.events import Event, Movement
from engine.dog.moves import Move, Play
from engine.dog.round import Resolved, resolve
from engine.dog.state import State
from engine.dog.view import Board
from engine.episode.rules import Death, death_seed
from engine.episode.view import DeathBegan, DeathView
from engine.game import Phase, Player, Tell, Transition
from engine.games import GAMES
from handler.frame import Frame
from handler.views import VIEWS
from tests import imports
from tests.planted.faults import Fault

Moves = Mapping[Player, Move]
Patch = pytest.MonkeyPatch
Change = Callable[[State, Moves, Transition[Any]], Transition[Any]]


def _game(patch: Patch, **changed: Any) -> None:
    patch.setitem(GAMES, "dog", replace(GAMES["dog"], **changed))


def _seeing(patch: Patch, change: Callable[[Any, Player | None, Any], Any]) -> None:
    """Plant a change in every view."""
    view = GAMES["dog"].view
    _game(patch, view=lambda state, viewer: change(state, viewer, view(state, viewer)))


def _closing_a_round(patch: Patch, change: Change) -> None:
    """Plant a change in what follows from a round."""
    advance = GAMES["dog"].advance

    def planted(state: Any, moves: Moves) -> Transition[Any]:
        after = advance(state, moves)
        in_a_round = isinstance(state, State) and state.board.stage == "round"
        return change(state, moves, after) if in_a_round else after

    _game(patch, advance=planted)


def _announcing(patch: Patch, change: Callable[[facts.RoundResolved, State, Resolved], facts.RoundResolved]) -> None:
    """Plant a change in the announcement of a round."""

    def planted(state: State, moves: Moves, after: Transition[Any]) -> Transition[Any]:
        resolved = _resolved(state, moves)

        def say(tell: Tell) -> Tell:
            fact = tell.fact
            return replace(tell, fact=change(fact, state, resolved)) if isinstance(fact, facts.RoundResolved) else tell

        return replace(after, tells=tuple(say(tell) for tell in after.tells))

    _closing_a_round(patch, planted)


def _resolved(state: State, moves: Moves) -> Resolved:
    plays = {player: move for player, move in moves.items() if isinstance(move, Play)}
    return resolve(state.board.level, state.board.tokens, plays)


@dataclass(frozen=True)
class _Remembering(Board):
    last: Any = None


def _on_the_board(patch: Patch, found: Callable[[State, Moves], Any]) -> None:
    """Plant a board with one field more, which says something of the round that has closed."""

    def planted(state: State, moves: Moves, after: Transition[Any]) -> Transition[Any]:
        own = after.state.board
        plain = {field.name: getattr(own, field.name) for field in fields(Board)}
        careless = _Remembering(**plain, last=found(state, moves))
        return replace(after, state=replace(after.state, board=careless))

    _closing_a_round(patch, planted)


# --- views ------------------------------------------------------------------------------------------


def view_shows_the_neighbours_points(patch: Patch) -> None:
    def planted(state: Any, viewer: Player | None, seen: Any) -> Any:
        if viewer is None or isinstance(state, Death):
            return seen
        return replace(seen, points=state.points[viewer - 1])

    _seeing(patch, planted)


def public_reads_what_the_players_were_told(patch: Patch) -> None:
    def planted(state: Any, viewer: Player | None, seen: Any) -> Any:
        if viewer is not None or isinstance(state, Death):
            return seen
        return replace(seen, told=tuple(fact for told in state.told for fact in told))

    _seeing(patch, planted)


def everybody_sees_what_the_candidate_sees(patch: Patch) -> None:
    view = GAMES["dog"].view

    def planted(state: Any, viewer: Player | None, seen: Any) -> Any:
        if not isinstance(state, Death) or viewer in state.pair:
            return seen
        candidate: DeathView = view(state, state.pair[0])
        return replace(seen, view=replace(candidate.view, viewer=None))

    _seeing(patch, planted)


@dataclass(frozen=True)
class _Opened(DeathView):
    seed: bytes = b""


def death_match_carries_its_seed(patch: Patch) -> None:
    def planted(state: Any, viewer: Player | None, seen: Any) -> Any:
        return _Opened(seen.pair, seen.view, death_seed(state.main.seed)) if isinstance(state, Death) else seen

    _seeing(patch, planted)


def round_waits_for_those_with_cards(patch: Patch) -> None:
    phase = GAMES["dog"].phase

    def planted(state: Any) -> Phase | None:
        open_: Phase | None = phase(state)
        if open_ is None or open_.name != "round":
            return open_
        return replace(open_, active=tuple(player for player in open_.active if state.hands[player]))

    _game(patch, phase=planted)


# --- the board --------------------------------------------------------------------------------------


def board_shows_who_has_played(patch: Patch) -> None:
    _on_the_board(patch, lambda state, moves: tuple(sorted(moves)))


def board_names_the_briber(patch: Patch) -> None:
    _on_the_board(patch, lambda state, moves: _resolved(state, moves).briber)


# --- what is told -----------------------------------------------------------------------------------


def only_who_played_is_told(patch: Patch) -> None:
    def planted(state: State, moves: Moves, after: Transition[Any]) -> Transition[Any]:
        def idle(tell: Tell) -> bool:
            return isinstance(tell.fact, facts.RoundTold) and tell.fact.play is None

        return replace(after, tells=tuple(tell for tell in after.tells if not idle(tell)))

    _closing_a_round(patch, planted)


def nothing_announced_where_nobody_played(patch: Patch) -> None:
    def planted(state: State, moves: Moves, after: Transition[Any]) -> Transition[Any]:
        if any(isinstance(move, Play) for move in moves.values()):
            return after
        return replace(after, tells=tuple(t for t in after.tells if not isinstance(t.fact, facts.RoundResolved)))

    _closing_a_round(patch, planted)


def scorers_by_amount(patch: Patch) -> None:
    def planted(fact: facts.RoundResolved, state: State, resolved: Resolved) -> facts.RoundResolved:
        charge, remove, median = (
            tuple(sorted(scored, key=lambda player: -scored[player])) for scored in resolved.scores
        )
        return replace(fact, scored=(charge, remove, median))

    _announcing(patch, planted)


@dataclass(frozen=True)
class _Loud(facts.RoundResolved):
    amounts: tuple[tuple[int, ...], ...] = ()


def amounts_announced(patch: Patch) -> None:
    def planted(fact: facts.RoundResolved, state: State, resolved: Resolved) -> facts.RoundResolved:
        amounts = tuple(tuple(scored.values()) for scored in resolved.scores)
        return _Loud(fact.round, fact.scored, fact.level, fact.moved, amounts)

    _announcing(patch, planted)


def idle_briber_told_apart(patch: Patch) -> None:
    def planted(fact: facts.RoundResolved, state: State, resolved: Resolved) -> facts.RoundResolved:
        if resolved.briber is None or resolved.moved is not None:
            return fact
        lose = state.board.tokens.lose
        return replace(fact, moved=Movement("lose", lose, lose))

    _announcing(patch, planted)


def bonus_shows_the_briber(patch: Patch) -> None:
    def planted(fact: facts.RoundResolved, state: State, resolved: Resolved) -> facts.RoundResolved:
        def first(scorers: tuple[Player, ...]) -> tuple[Player, ...]:
            return tuple(sorted(scorers, key=lambda player: player != resolved.briber))

        charge, remove, median = fact.scored
        return replace(fact, scored=(first(charge), first(remove), first(median)))

    _announcing(patch, planted)


def judgement_by_points(patch: Patch) -> None:
    def planted(state: State, moves: Moves, after: Transition[Any]) -> Transition[Any]:
        def say(tell: Tell) -> Tell:
            fact = tell.fact
            if not isinstance(fact, facts.Judgement):
                return tell
            return replace(tell, fact=replace(fact, events=tuple(sorted(fact.events, key=lambda event: -event.points))))

        return replace(after, tells=tuple(say(tell) for tell in after.tells))

    _closing_a_round(patch, planted)


def death_match_begins_with_its_seed(patch: Patch) -> None:
    advance = GAMES["dog"].advance

    def planted(state: Any, moves: Moves) -> Transition[Any]:
        after = advance(state, moves)

        def say(tell: Tell) -> Tell:
            if not isinstance(tell.fact, DeathBegan):
                return tell
            return replace(tell, fact=replace(tell.fact, commitment=death_seed(state.seed).hex()))

        return replace(after, tells=tuple(say(tell) for tell in after.tells))

    _game(patch, advance=planted)


# --- screens ----------------------------------------------------------------------------------------


def told_view_imports_the_round(patch: Patch) -> None:
    modules = imports.modules

    def planted(root: Path) -> list[tuple[str, str]]:
        sources = dict(modules(root))
        sources["handler.views.dog.told"] += "\nfrom engine.dog.round import resolve\n"
        return list(sources.items())

    patch.setattr(imports, "modules", planted)


@dataclass(frozen=True)
class _Outbid(facts.RoundTold):
    """A round in which somebody else bribed with a higher number."""


def outbid_is_told(patch: Patch) -> None:
    tell, views = rules._told, VIEWS["dog"]

    def planted(state: State, player: Player, play: Play | None, resolved: Resolved) -> facts.RoundTold:
        fact = tell(state, player, play, resolved)
        tried = play is not None and Event.BRIBING_THE_DOG in play.events
        return _Outbid(**vars(fact)) if tried and resolved.briber != player else fact

    def whisper(frame: Frame, fact: Any) -> Markup | None:
        text = views.whisper(frame, fact)
        return text + "\nSomebody else bribed the Dog." if isinstance(fact, _Outbid) and text is not None else text

    patch.setattr(rules, "_told", planted)
    patch.setitem(VIEWS, "dog", replace(views, whisper=whisper))


FAULTS: Final = (
    Fault("The view that announces a round imports how it is resolved", "1 types", told_view_imports_the_round),
    Fault("A view shows the VP of the player before", "2 blind view", view_shows_the_neighbours_points),
    Fault("The public reads what the players were told", "2 blind view", public_reads_what_the_players_were_told),
    Fault("A round waits for those alone who have cards", "2 blind view", round_waits_for_those_with_cards),
    Fault("Who looks on sees what the candidate sees", "2 blind view", everybody_sees_what_the_candidate_sees),
    Fault("The Death Match's view carries its seed", "2 blind view", death_match_carries_its_seed),
    Fault("The board shows who has played", "3 knowledge", board_shows_who_has_played),
    Fault("The board names the briber", "3 knowledge", board_names_the_briber),
    Fault("Only who played is told of the round", "4 shape", only_who_played_is_told),
    Fault("Nothing is announced of a round in which nobody played", "4 shape", nothing_announced_where_nobody_played),
    Fault("Scorers are announced in the order of their VP", "5 order and words", scorers_by_amount),
    Fault("The briber comes first among the scorers", "5 order and words", bonus_shows_the_briber),
    Fault("Amounts are announced", "5 order and words", amounts_announced),
    Fault("A briber who moves nothing is told apart from none", "5 order and words", idle_briber_told_apart),
    Fault("The judgement goes through the events by VP", "5 order and words", judgement_by_points),
    Fault("The Death Match begins with its seed told", "5 order and words", death_match_begins_with_its_seed),
    Fault("Whoever is outbid for the Dog is told so", "rulings", outbid_is_told),
)
