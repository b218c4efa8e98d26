"""Faults of the bot at a table of Dog's Judgement as they could be made, one a function."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest
from markupsafe import Markup

from engine.dog.events import Event
from engine.dog.moves import Challenge, Play
from engine.dog.state import State
from engine.episode import rules as episode
from engine.episode.rules import Death, death_seed
from engine.game import Player, Refusal
from handler import group_telling, people, phases, pressing
from handler.errands import Errand
from handler.exporting import record_file
from handler.match import Match, awaited, can_decline, seal, with_notice
from handler.message import Message
from handler.ports import Place
from handler.screening import board, closed_panel, panel
from handler.telling import settle_afterwards
from tests.planted.faults import Fault

Patch = pytest.MonkeyPatch


def _on_the_groups_board(patch: Patch, found: Callable[[Match], str]) -> None:
    def planted(match: Match, username: str) -> tuple[str, Message]:
        scene, message = board(match, username)
        return scene, replace(message, text=message.text + found(match))

    patch.setattr("handler.group_telling.board", planted)


def _ready(match: Match) -> int:
    return sum(sealed.final for sealed in match.box.values())


def _bribed(match: Match) -> bool:
    """Whether somebody bribed the Dog in the round that has closed last."""
    if match.record is None or not isinstance(match.state, State) or not match.state.plays:
        return False
    return any(play is not None and Event.BRIBING_THE_DOG in play.events for play in match.state.plays[-1])


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
        settle_afterwards(ports, outcome)
        match = outcome.match
        late = awaited(match) if match.phase is not None else ()
        for who in (match.seats[player] for player in late if len(late) == 1):
            if who is not None and who.user is not None:
                ports.telegram.send(Place(who.user), Message(Markup("Everybody waits for you.")))

    patch.setattr("handler.pressing.settle_afterwards", planted)


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
        settle_afterwards(ports, outcome)
        if text := chosen(outcome.match):
            ports.telegram.send(Place(outcome.match.place.chat), Message(Markup(text)))

    patch.setattr("handler.pressing.settle_afterwards", planted)


def record_comes_before_the_end(patch: Patch) -> None:
    file = group_telling._file

    def planted(teller: Any) -> Errand[None]:
        match = teller.match
        if match.stage != "playing" or not isinstance(match.state, Death) or teller.telling.filed:
            yield from file(teller)
            return
        teller.ports.telegram.document(match.place, *record_file(replace(match, stage="cancelled")))
        teller.telling = replace(teller.telling, filed=True)

    patch.setattr("handler.group_telling._file", planted)


def play_is_logged(patch: Patch) -> None:
    def planted(match: Match, player: Player, move: Any, *, final: bool) -> Match | Refusal:
        logging.getLogger("handler.pressing").debug("sealed %s", match.engine.write(move))
        return seal(match, player, move, final=final)

    patch.setattr("handler.sequence.seal", planted)


def board_says_whether_anybody_bribed(patch: Patch) -> None:
    _on_the_groups_board(patch, lambda match: "Somebody bribed the Dog." if _bribed(match) else "")


def deadline_is_later_after_a_bribe(patch: Patch) -> None:
    close = phases._close

    def planted(match: Match, now: float) -> Match:
        after = close(match, now)
        late = after.deadline is not None and _bribed(after)
        return replace(after, deadline=(after.deadline or 0) + 60) if late else after

    patch.setattr("handler.phases._close", planted)


def group_hears_when_somebody_is_ready(patch: Patch) -> None:
    def planted(ports: Any, outcome: Any) -> None:
        settle_afterwards(ports, outcome)
        match = outcome.match
        if match.phase is not None and len(awaited(match)) == 1 < len(match.phase.active):
            ports.telegram.send(Place(match.place.chat), Message(Markup("One is not ready yet.")))

    patch.setattr("handler.pressing.settle_afterwards", planted)


def group_hears_who_was_reminded(patch: Patch) -> None:
    remind = phases._remind

    def planted(match: Match) -> Match:
        reminded = remind(match)
        late = [match.seats[player] for player in awaited(match)]
        for name in (who.name for who in late if who is not None):
            reminded = with_notice(reminded, "table.turn_reminder", name=name, unix="0")
        return reminded

    patch.setattr("handler.phases._remind", planted)


def group_hears_who_has_left(patch: Patch) -> None:
    left = people.left

    def planted(match: Match, user: int, update: int) -> Match:
        player = match.player(user)
        who = None if player is None else match.seats[player]
        gone = left(match, user, update)
        return gone if who is None else with_notice(gone, "table.unreachable", name=who.name)

    patch.setattr("handler.people.left", planted)


def refusal_knows_the_others_movements(patch: Patch) -> None:
    def planted(match: Match, player: Player, move: Any, *, final: bool) -> Match | Refusal:
        others = [match.sealed_move(other) for other in match.box if other != player]
        taken = {other.movement for other in others if isinstance(other, Play)} - {None}
        if isinstance(move, Play) and move.movement in taken:
            return Refusal("no-such-token")
        return seal(match, player, move, final=final)

    patch.setattr("handler.sequence.seal", planted)


def panel_counts_the_others_cards(patch: Patch) -> None:
    def planted(match: Match, player: Player, menu: str = "") -> Message | None:
        shown = panel(match, player, menu)
        if shown is None or not isinstance(match.state, State):
            return shown
        others = sum(len(hand) for other, hand in enumerate(match.state.hands) if other != player)
        return replace(shown, text=shown.text + f"\nThe others hold {others} cards.")

    patch.setattr("handler.player_telling.panel", planted)


def closed_panel_holds_the_neighbours_play(patch: Patch) -> None:
    def planted(match: Match, player: Player, number: int) -> Message:
        shown = closed_panel(match, player, number)
        assert match.record is not None
        played = match.record.steps[number].get((player + 1) % 7, "")
        return replace(shown, text=shown.text + played)

    patch.setattr("handler.player_telling.closed_panel", planted)


def host_declines_only_before_the_choice_is_made(patch: Patch) -> None:
    patch.setattr("handler.ending.can_decline", lambda match: can_decline(match) and not match.box)


def button_counts_whom_the_candidate_has_in_mind(patch: Patch) -> None:
    def planted(match: Match, username: str) -> tuple[str, Message]:
        scene, message = board(match, username)
        chosen = "".join(str(match.sealed_move(player)) for player in match.box)
        rows = tuple(tuple(replace(button, label=button.label + chosen) for button in row) for row in message.keyboard)
        return scene, replace(message, keyboard=rows) if scene == "choice" else message

    patch.setattr("handler.group_telling.board", planted)


def death_matchs_seed_is_logged(patch: Patch) -> None:
    begin = episode._death_began

    def planted(pair: Any, main: State) -> Any:
        logging.getLogger("handler.phases").info("a Death Match begins", extra={"seed": death_seed(main.seed).hex()})
        return begin(pair, main)

    patch.setattr("engine.episode.rules._death_began", planted)


def main_seed_comes_with_the_death_match(patch: Patch) -> None:
    def seed(match: Match) -> str:
        assert match.record is not None
        return match.record.setup.seed if isinstance(match.state, Death) else ""

    def planted(match: Match, username: str) -> tuple[str, Message]:
        scene, message = board(match, username)
        return scene, message if match.record is None else replace(message, text=message.text + seed(match))

    patch.setattr("handler.group_telling.board", planted)


FAULTS: Final = (
    Fault("The board shows who is ready", "whole bot", board_shows_who_is_ready),
    Fault("The board counts who has played", "whole bot", board_counts_who_has_played),
    Fault("A toast counts who is ready", "whole bot", toast_counts_who_is_ready),
    Fault("The last who is not ready is told that everybody waits", "whole bot", last_one_is_urged),
    Fault("A panel counts who is ready", "whole bot", panel_counts_who_is_ready),
    Fault("The group sees whom the candidate has in mind", "whole bot", group_sees_the_choice_on_its_way),
    Fault("The record comes with the Death Match's start", "whole bot", record_comes_before_the_end),
    Fault("A log line holds a play", "whole bot", play_is_logged),
    Fault("The board says whether anybody bribed", "whole bot", board_says_whether_anybody_bribed),
    Fault("A round lasts a minute longer after a bribe", "whole bot", deadline_is_later_after_a_bribe),
    Fault("The group hears when all but one are ready", "whole bot", group_hears_when_somebody_is_ready),
    Fault("The group hears who was reminded", "whole bot", group_hears_who_was_reminded),
    Fault("The group hears who has left the table", "whole bot", group_hears_who_has_left),
    Fault("A movement is refused that somebody else has sealed", "whole bot", refusal_knows_the_others_movements),
    Fault("A panel counts the others' cards", "whole bot", panel_counts_the_others_cards),
    Fault("A closed panel holds the neighbour's play", "whole bot", closed_panel_holds_the_neighbours_play),
    Fault(
        "The host can decline only before the candidate chose",
        "whole bot",
        host_declines_only_before_the_choice_is_made,
    ),
    Fault(
        "The button to decline says whom the candidate has in mind",
        "whole bot",
        button_counts_whom_the_candidate_has_in_mind,
    ),
    Fault("The main match's seed comes with the Death Match", "whole bot", main_seed_comes_with_the_death_match),
    Fault("A log line carries the Death Match's seed", "whole bot", death_matchs_seed_is_logged),
)
