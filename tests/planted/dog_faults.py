"""Faults of Dog's Judgement and its episode as they could be made, one a function as in ``tests/planted/faults.py``."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

import pytest
from markupsafe import Markup

from engine.dog import facts, rules
from engine.dog.events import Event, Movement
from engine.dog.moves import Challenge, Move, Play
from engine.dog.round import Resolved, resolve
from engine.dog.state import State
from engine.dog.view import Board
from engine.episode.rules import Death, death_seed
from engine.episode.view import DeathBegan, DeathView
from engine.game import Phase, Player, Refusal, Tell, Transition
from engine.games import GAMES
from handler import group_telling, pressing
from handler.exporting import record_file
from handler.frame import Frame
from handler.match import Match, awaited, seal
from handler.message import Message
from handler.ports import Place
from handler.screening import board, panel
from handler.telling import settle
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


# --- the bot ----------------------------------------------------------------------------------------


def _ready(match: Match) -> int:
    return sum(sealed.final for sealed in match.box.values())


def _on_the_groups_board(patch: Patch, found: Callable[[Match], str]) -> None:
    def planted(match: Match, username: str) -> tuple[str, Message]:
        scene, message = board(match, username)
        return scene, replace(message, text=message.text + found(match))

    patch.setattr("handler.group_telling.board", planted)


def board_shows_who_is_ready(patch: Patch) -> None:
    def ready(match: Match) -> str:
        done = [match.seats[player] for player in sorted(match.box) if match.box[player].final]
        return ", ".join(who.name for who in done if who is not None)

    _on_the_groups_board(patch, ready)


def board_counts_who_has_played(patch: Patch) -> None:
    def played(match: Match) -> str:
        return str(sum(match.sealed_move(player) is not None for player in match.box))

    _on_the_groups_board(patch, played)


def toast_counts_who_is_ready(patch: Patch) -> None:
    decide = pressing._decide

    def planted(match: Match, pressed: Any, press: Any) -> tuple[Match, pressing.Answer]:
        after, answer = decide(match, pressed, press)
        return after, replace(answer, text=f"{answer.text} {_ready(after)}")

    patch.setattr("handler.pressing._decide", planted)


def last_one_is_urged(patch: Patch) -> None:
    def planted(ports: Any, outcome: Any) -> None:
        settle(ports, outcome)
        match = outcome.match
        late = awaited(match) if match.phase is not None else ()
        for who in (match.seats[player] for player in late if len(late) == 1):
            if who is not None and who.user is not None:
                ports.telegram.send(Place(who.user), Message(Markup("Everybody waits for you.")))

    patch.setattr("handler.pressing.settle", planted)


def panel_counts_who_is_ready(patch: Patch) -> None:
    def planted(match: Match, player: Player, menu: str = "") -> Message | None:
        shown = panel(match, player, menu)
        return None if shown is None else replace(shown, text=shown.text + f"\n{_ready(match)} of 7 are ready.")

    patch.setattr("handler.pressing.panel", planted)


def group_sees_the_choice_on_its_way(patch: Patch) -> None:
    def chosen(match: Match) -> str:
        move = next(iter(map(match.sealed_move, match.box)), None)
        return f"{move.opponent}" if isinstance(move, Challenge) else ""

    def planted(ports: Any, outcome: Any) -> None:
        settle(ports, outcome)
        if text := chosen(outcome.match):
            ports.telegram.send(Place(outcome.match.place.chat), Message(Markup(text)))

    patch.setattr("handler.pressing.settle", planted)


def record_comes_before_the_end(patch: Patch) -> None:
    file = group_telling._file

    def planted(teller: Any) -> None:
        match = teller.match
        if match.stage != "playing" or not isinstance(match.state, Death) or teller.telling.filed:
            file(teller)
            return
        teller.ports.telegram.document(match.place, *record_file(replace(match, stage="cancelled")))
        teller.telling = replace(teller.telling, filed=True)

    patch.setattr("handler.group_telling._file", planted)


def play_is_logged(patch: Patch) -> None:
    def planted(match: Match, player: Player, move: Any, *, final: bool) -> Match | Refusal:
        logging.getLogger("handler.pressing").debug("sealed %s", match.engine.write(move))
        return seal(match, player, move, final=final)

    patch.setattr("handler.pressing.seal", planted)


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
    Fault("The board shows who is ready", "whole bot", board_shows_who_is_ready),
    Fault("The board counts who has played", "whole bot", board_counts_who_has_played),
    Fault("A toast counts who is ready", "whole bot", toast_counts_who_is_ready),
    Fault("The last who is not ready is told that everybody waits", "whole bot", last_one_is_urged),
    Fault("A panel counts who is ready", "whole bot", panel_counts_who_is_ready),
    Fault("The group sees whom the candidate has in mind", "whole bot", group_sees_the_choice_on_its_way),
    Fault("The record comes with the Death Match's start", "whole bot", record_comes_before_the_end),
    Fault("A log line holds a play", "whole bot", play_is_logged),
)
