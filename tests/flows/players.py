"""People who play Gravity Pandemic by pressing the buttons they find, and nothing else.

What they want comes from a plan, which may know the deal; what they do is looked up in the chats of the stand-in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from engine.documents import verify
from engine.game import Player
from engine.gravity.birds import LETTERS, Bird, Seat
from engine.gravity.moves import Actions, Guess, Move, Pass, Pick, Reveal
from engine.gravity.notation import write
from engine.gravity.state import State
from handler.match import Match, awaited
from tests.flows.house import Flow

Plan = Callable[[Match, Player], Move | None]
"""What a player wants in the open phase; None: nothing at all, not even to lock in."""


def play(flow: Flow, id: str, plan: Plan, until: str | None = None) -> Match:
    """Play a match to its end or ``until`` a phase, each press as soon as its button is there."""
    for _ in range(5_000):
        match = flow.load(id)
        if match.phase is None or match.phase.name == until:
            return match
        acted = [_act(flow, match, player, plan) for player in awaited(match)]
        if not any(acted):
            flow.step()
    raise AssertionError("the match does not end")


def _act(flow: Flow, match: Match, player: Player, plan: Plan) -> bool:
    """Whether the player had something to press, and did."""
    who = match.seats[player]
    move = None if who is None or who.user is None else plan(match, player)
    return move is not None and who is not None and who.user is not None and make(flow, match, who.user, move)


def make(flow: Flow, match: Match, user: int, move: Move) -> bool:
    """Make a move by its buttons and lock in. False if the first of them is not there (yet)."""
    chat = match.place.chat if isinstance(move, Pick) else user
    first, *others = presses(move)
    if find(flow, chat, match, first) is None:
        return False
    for button in (first, *others):
        found = find(flow, chat, match, button)
        assert found is not None, f"{button} is not offered"
        flow.press_data(user, chat, *found)
    return True


def presses(move: Move) -> list[str]:
    """What the buttons carry that lead to a move, after match and phase."""
    match move:
        case Reveal():
            return ["s" + write(move), "l"]
        case Pick():
            return ["s" + write(move)]
        case Actions(targets=targets):
            sent = [press for each in targets for press in (f"m{LETTERS[each[0]]}", "s" + write(Actions((each,))))]
            return [*sent, "fa"]
        case Guess(seat=seat, bird=bird):
            return [f"m{seat}", f"m{seat}{LETTERS[bird]}", "f" + write(move)]
        case _:
            return ["f" + write(move)]


def find(flow: Flow, chat: int, match: Match, tail: str) -> tuple[int, str] | None:
    """The newest message in a chat with a button for this in the match's open phase, and the button's data."""
    data = f"{match.id}:{match.number}:{tail}"
    return next((found for found in buttons(flow, chat) if found[1] == data), None)


def buttons(flow: Flow, chat: int) -> Iterator[tuple[int, str]]:
    """Every button in a chat that can be pressed, newest message first, with its data."""
    for message in reversed(flow.world.history(chat)):
        for row in message.get("reply_markup", {}).get("inline_keyboard", []):
            for button in row:
                if "callback_data" in button:
                    yield message["message_id"], button["callback_data"]


# --- plans ----------------------------------------------------------------------------------------


def quiet(match: Match, player: Player) -> Move:
    """Names no bird, guesses nothing, picks the first bird, and keeps the Robin from scoring."""
    state: State = match.state
    match state.board.stage:
        case "reveals":
            return Reveal(None)
        case "draft":
            return Pick(match.engine.options(match.view(player)).birds[0])
        case "actions":
            raven = any(owner == player and bird is Bird.RAVEN for owner, bird, _ in state.board.picks)
            robin = Bird.ROBIN not in {bird for _, bird in state.board.revealed}
            return Actions(((Bird.RAVEN, Bird.ROBIN),)) if raven and robin else Actions()
        case _:
            return Pass()


def finder(seeker: Player, *, wanted: Bird = Bird.RAVEN, in_round: int | None = None) -> Plan:
    """As ``quiet``, but one player guesses a bird's true seat on the first day of every round, or of one."""

    def plan(match: Match, player: Player) -> Move:
        state: State = match.state
        board = state.board
        sought = player == seeker and in_round in (None, board.round)
        if board.stage == "guesses" and sought and wanted not in {bird for _, bird in board.revealed}:
            return Guess(seat_of(match, wanted), wanted)
        return quiet(match, player)

    return plan


def seat_of(match: Match, bird: Bird) -> Seat:
    """Where a bird sits in the round being played."""
    state: State = match.state
    return state.seats.index(bird) + 1


# --- what came of it ------------------------------------------------------------------------------


def commitment(flow: Flow, chat: int) -> str:
    """What was posted when the match began."""
    [posted] = [
        str(text[entity["offset"] : entity["offset"] + entity["length"]])
        for message in flow.world.history(chat)
        if "seal" in (text := message.get("text", ""))
        for entity in message.get("entities", [])
        if entity["type"] == "code" and entity["length"] == 64
    ]
    return posted


def record(flow: Flow, chat: int) -> dict[str, Any]:
    """The record file in a chat, once it has verified against the commitment posted there."""
    [file] = [message["document"]["file_id"] for message in flow.world.history(chat) if "document" in message]
    content = flow.world.file(file)
    assert content is not None
    document: dict[str, Any] = json.loads(content)
    assert verify(document, [commitment(flow, chat)])["ok"]
    return document


def busiest_minute(flow: Flow, chat: int) -> int:
    """The most calls that show something in a chat within any minute: messages, edits, files and pins."""
    shown = ("sendMessage", "sendDocument", "editMessageText", "pinChatMessage")
    times = [call.at for call in flow.world.calls if call.method in shown and call.params["chat_id"] == chat]
    return max(sum(1 for later in times[first:] if later < at + 60) for first, at in enumerate(times))


def ended(flow: Flow, id: str, chat: int) -> dict[str, Any]:
    """Let everything be told; the record, once it is found sound and no group was flooded."""
    flow.wait(120)
    item = flow.store.load(id)
    assert item is not None
    assert item.told == item.news
    assert item.lease is None
    assert chat > 0 or busiest_minute(flow, chat) <= 20
    return record(flow, chat)
