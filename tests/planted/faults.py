"""Faults as they could be made, one a function: each is planted with a MonkeyPatch and taken out with it again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

from engine.game import Player, Refusal, Tell, Transition
from engine.games import GAMES
from engine.gravity import facts, rules
from engine.gravity.birds import Bird, Seat
from engine.gravity.moves import Actions, Guess, Move
from engine.gravity.night import Night, resolve
from engine.gravity.state import State
from engine.gravity.view import Board, View
from handler import phases, pressing
from handler.buttons import PhasePress, Verb, write
from handler.match import Match, awaited, seal, with_notice
from handler.message import Button, Message
from handler.phases import begin
from handler.ports import Place
from handler.screening import board
from handler.telling import settle_afterwards
from tests import imports

Moves = Mapping[Player, Move]
Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


@dataclass(frozen=True)
class Fault:
    """A fault, in the words of ``docs/secrets.md``, and the lock that catches it."""

    says: str
    lock: str
    plant: Plant


# --- the contract of imports ------------------------------------------------------------------------


def view_imports_a_match(patch: Patch) -> None:
    modules = imports.modules

    def planted(root: Path) -> list[tuple[str, str]]:
        sources = dict(modules(root))
        sources["handler.views.layout"] += "\nfrom handler.match import Match\n"
        return list(sources.items())

    patch.setattr(imports, "modules", planted)


# --- the game ---------------------------------------------------------------------------------------


def _game(patch: Patch, **changed: Any) -> None:
    patch.setitem(GAMES, "gravity", replace(GAMES["gravity"], **changed))


def _advancing(patch: Patch, change: Callable[[State, Moves, Transition[State]], Transition[State]]) -> None:
    """Plant a change in every transition but the first."""
    advance = GAMES["gravity"].advance
    _game(patch, advance=lambda state, moves: change(state, moves, advance(state, moves)))


def view_shows_the_others_bird(patch: Patch) -> None:
    view = GAMES["gravity"].view

    def planted(state: State, viewer: Player | None) -> View:
        seen: View = view(state, viewer)
        return seen if viewer is None else replace(seen, named=state.named[1 - viewer])

    _game(patch, view=planted)


@dataclass(frozen=True)
class _Careless(Board):
    raven: Seat = 0


def board_carries_the_raven(patch: Patch) -> None:
    def planted(state: State, moves: Moves, after: Transition[State]) -> Transition[State]:
        board = after.state.board
        plain = {field.name: getattr(board, field.name) for field in fields(Board)}
        raven = after.state.seats.index(Bird.RAVEN) + 1
        return replace(after, state=replace(after.state, board=_Careless(**plain, raven=raven)))

    _advancing(patch, planted)


def no_morning_for_a_blocked_robin(patch: Patch) -> None:
    def planted(state: State, moves: Moves, after: Transition[State]) -> Transition[State]:
        orders = [move for move in moves.values() if isinstance(move, Actions)]
        blocked = [target for move in orders for bird, target in move.targets if bird is Bird.RAVEN]
        if Bird.ROBIN not in blocked:
            return after
        return replace(after, tells=tuple(t for t in after.tells if not isinstance(t.fact, facts.NightResolved)))

    _advancing(patch, planted)


def nothing_told_without_a_reveal(patch: Patch) -> None:
    def planted(state: State, moves: Moves, after: Transition[State]) -> Transition[State]:
        def empty(tell: Tell) -> bool:
            return isinstance(tell.fact, facts.RevealTold) and tell.fact.bird is None

        return replace(after, tells=tuple(tell for tell in after.tells if not empty(tell)))

    _advancing(patch, planted)


def lark_lists_own_birds(patch: Patch) -> None:
    def planted(seats: Any, flightless: Any, revealed: Any, drafter: Any, actions: Any) -> Night:
        night = resolve(seats, flightless, revealed, drafter, actions)
        if Bird.LARK not in night.visits:
            return night
        [aim] = night.visits[Bird.LARK]
        visitors = sorted(seats.index(bird) + 1 for bird, visited in night.visits.items() if aim in visited)
        return replace(night, responses={**night.responses, Bird.LARK: ", ".join(map(str, visitors))})

    patch.setattr("engine.gravity.rules.resolve", planted)


def responses_in_draft_order(patch: Patch) -> None:
    def planted(board: Board, player: Player) -> tuple[Bird, ...]:
        return tuple(bird for owner, bird, _ in board.picks if owner == player)

    patch.setattr("engine.gravity.rules.drafted", planted)


def wrong_guess_named(patch: Patch) -> None:
    announcement = rules._announcement

    def planted(board: Board, guesses: Mapping[Player, Guess], verdict: Any) -> facts.PeriodClosed:
        fact = announcement(board, guesses, verdict)
        return replace(fact, judged=tuple(replace(one, right=guesses[one.player]) for one in fact.judged))

    patch.setattr("engine.gravity.rules._announcement", planted)


def named_birds_in_table_order(patch: Patch) -> None:
    def planted(state: State, moves: Moves, after: Transition[State]) -> Transition[State]:
        def aloud(tell: Tell) -> Tell:
            if not isinstance(tell.fact, facts.RoundEnded):
                return tell
            named = tuple(dict.fromkeys(bird for bird in state.named if bird is not None))
            return replace(tell, fact=replace(tell.fact, named=named))

        return replace(after, tells=tuple(aloud(tell) for tell in after.tells))

    _advancing(patch, planted)


# --- screens ----------------------------------------------------------------------------------------


def board_lists_birds_as_drafted(patch: Patch) -> None:
    def planted(items: Iterable[Any], key: object) -> list[Any]:
        return list(items)

    # Its package has a function of the module's name, so the module is not to be found by attributes.
    patch.setattr(import_module("handler.views.gravity.board"), "sorted", planted, raising=False)


# --- the bot ----------------------------------------------------------------------------------------


def board_shows_who_locked(patch: Patch) -> None:
    def planted(match: Match, username: str) -> tuple[str, Message]:
        scene, message = board(match, username)
        done = [match.seats[player] for player in match.box if player not in awaited(match)]
        names = ", ".join(who.name for who in done if who is not None)
        return scene, replace(message, text=message.text + names)

    patch.setattr("handler.group_telling.board", planted)


def button_carries_the_raven(patch: Patch) -> None:
    def planted(match: Match, username: str) -> tuple[str, Message]:
        scene, message = board(match, username)
        if match.record is None:
            return scene, message
        seat = match.state.seats.index(Bird.RAVEN) + 1
        button = Button("?", data=write(PhasePress(match.id, match.number, Verb.MENU, str(seat))))
        return scene, replace(message, keyboard=(*message.keyboard, (button,)))

    patch.setattr("handler.group_telling.board", planted)


def group_told_of_a_lock(patch: Patch) -> None:
    def planted(ports: Any, outcome: Any) -> None:
        settle_afterwards(ports, outcome)
        match = outcome.match
        if match.phase is not None and len(awaited(match)) == 1 and not match.phase.instant:
            ports.telegram.send(Place(match.place.chat), Message(board(match, "bot")[1].text))

    patch.setattr("handler.pressing.settle_afterwards", planted)


def group_reminded_of_a_player(patch: Patch) -> None:
    remind = phases._remind

    def planted(match: Match) -> Match:
        reminded = remind(match)
        for player in awaited(match):
            who = match.seats[player]
            assert who is not None
            reminded = with_notice(reminded, "table.turn_reminder", name=who.name, unix="0")
        return reminded

    patch.setattr("handler.phases._remind", planted)


def toast_tells_of_the_other(patch: Patch) -> None:
    decide = pressing._decide

    def planted(match: Match, pressed: Any, press: Any) -> tuple[Match, pressing.Answer]:
        after, answer = decide(match, pressed, press)
        player = match.player(pressed.who.id)
        others = [sealed for other, sealed in match.box.items() if other != player and player is not None]
        return after, replace(answer, text=answer.text + " (2/2)") if any(each.final for each in others) else answer

    patch.setattr("handler.pressing._decide", planted)


def refusal_knows_the_deal(patch: Patch) -> None:
    def planted(match: Match, player: Player, move: Move, *, final: bool) -> Match | Refusal:
        if isinstance(move, Actions):
            for bird, target in move.targets:
                if target == match.state.seats.index(bird) + 1:
                    return Refusal("no-such-seat")
        return seal(match, player, move, final=final)

    patch.setattr("handler.sequence.seal", planted)


def seed_is_logged(patch: Patch) -> None:
    def planted(match: Match, seed: bytes, now: float) -> Match:
        logging.getLogger("handler.hosting").debug("a match begins", extra={"seed": seed.hex()})
        return begin(match, seed, now)

    patch.setattr("handler.hosting.begin", planted)


FAULTS: Final = (
    Fault("A view imports the module that holds a match", "1 types", view_imports_a_match),
    Fault("A view shows the bird that the other named", "2 blind view", view_shows_the_others_bird),
    Fault("The board carries the Raven's seat", "3 knowledge", board_carries_the_raven),
    Fault("Morning is not announced when the Robin was blocked", "4 shape", no_morning_for_a_blocked_robin),
    Fault("Only who named a bird is told something", "4 shape", nothing_told_without_a_reveal),
    Fault("Responses come in the order of the draft", "5 order and words", responses_in_draft_order),
    Fault("A wrong guess is announced with its bird", "5 order and words", wrong_guess_named),
    Fault("Named birds are announced in the order of the players", "5 order and words", named_birds_in_table_order),
    Fault(
        "The board lists a player's birds in the order of the draft", "5 order and words", board_lists_birds_as_drafted
    ),
    Fault("The Lark lists its own side's birds", "rulings", lark_lists_own_birds),
    Fault("The board shows who has locked in", "whole bot", board_shows_who_locked),
    Fault("A button in the group carries the Raven's seat", "whole bot", button_carries_the_raven),
    Fault("The group gets a message when one player has locked in", "whole bot", group_told_of_a_lock),
    Fault("The group is told whose secret choice is still open", "whole bot", group_reminded_of_a_player),
    Fault("A toast says that the other has locked in", "whole bot", toast_tells_of_the_other),
    Fault("A refusal depends on where a bird sits", "whole bot", refusal_knows_the_deal),
    Fault("A log line carries the seed", "whole bot", seed_is_logged),
)
