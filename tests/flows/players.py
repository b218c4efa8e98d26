"""People who play by pressing the buttons they find, and nothing else.

What they want comes from a plan, which may know the deal; what they do is looked up in the chats of the stand-in. The
plans in here are for Gravity Pandemic; those for Dog's Judgement are in :mod:`tests.flows.seven`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.documents import commitments, verify
from engine.dog.moves import Challenge, Play
from engine.dog.notation import write as written
from engine.episode.rules import Move as AnyMove
from engine.game import Player
from engine.gravity.birds import LETTERS, Bird, Seat
from engine.gravity.draft import birds_left
from engine.gravity.moves import Actions, Guess, Move, Pass, Pick, Reveal
from engine.gravity.notation import write
from engine.gravity.state import State
from handler.match import Match, awaited
from handler.views import VIEWS
from infra.local.botapi.world import VISIBLE
from tests.flows.house import Flow


@dataclass(frozen=True)
class Ready:
    """A wish to lock in whatever is sealed, be it nothing."""


Wish = AnyMove | Ready

NO_CARD = "mready"
"""The page of a round's panel that asks whether to play no card: where Ready leads while no play is sealed."""

PLAY_NONE = "f-"
"""What is confirmed there."""

NO_GUESS = "mnone"
"""The page of a later guessing period's panel that asks whether to make no guess."""

Plan = Callable[[Match, Player], Wish | None]
"""What a player wants in the open phase; None: nothing at all, not even to lock in."""


def play(flow: Flow, id: str, plan: Plan, until: str | None = None) -> Match:
    """Play a match to its end or ``until`` a phase or a scene, each press as soon as its button is there."""
    for _ in range(5_000):
        match = flow.load(id)
        if match.phase is None or until in (match.phase.name, VIEWS[match.game].scene(match.view(None))):
            return match
        acted = [_act(flow, match, player, plan) for player in awaited(match)]
        if not any(acted):
            flow.step()
    raise AssertionError("the match does not end")


def _act(flow: Flow, match: Match, player: Player, plan: Plan) -> bool:
    """Whether the player had something to press, and did."""
    who = match.seats[player]
    wish = None if who is None or who.user is None else plan(match, player)
    return wish is not None and who is not None and who.user is not None and make(flow, match, who.user, wish)


def make(flow: Flow, match: Match, user: int, wish: Wish) -> bool:
    """Make a move by its buttons and lock in. False if the first of them is not there (yet)."""
    chat = match.place.chat if isinstance(wish, Pick) else user
    first, *others = presses(wish)
    if isinstance(wish, Ready) and find(flow, chat, match, NO_CARD) is not None:
        first, others = NO_CARD, [PLAY_NONE]
    if isinstance(wish, Pass) and find(flow, chat, match, NO_GUESS) is not None:
        first, others = NO_GUESS, [first]
    if find(flow, chat, match, first) is None:
        return False
    for button in (first, *others):
        found = find(flow, chat, match, button)
        assert found is not None, f"{button} is not offered"
        flow.press_data(user, chat, *found)
    return True


def presses(wish: Wish) -> list[str]:
    """What the buttons carry that lead to a move, after match and phase."""
    match wish:
        case Ready():
            return ["l"]
        case Play():
            return [*pages(wish), "f" + written(wish)]
        case Challenge():
            return ["m" + written(wish), "f" + written(wish)]
        case Reveal() as move:
            return ["s" + write(move), "l"]
        case Pick() as move:
            return ["s" + write(move)]
        case Actions(targets=targets):
            sent = [press for each in targets for press in (f"m{LETTERS[each[0]]}", "s" + write(Actions((each,))))]
            return [*sent, "fa"]
        case Guess(seat=seat, bird=bird) as move:
            return [f"m{seat}", f"m{seat}{LETTERS[bird]}", "f" + write(move)]
        case Pass() as move:
            return ["f" + write(move)]
        case _:
            raise ValueError(f"nobody wishes for {wish}")


def pages(play: Play) -> list[str]:
    """The pages of the panel on the way to a play's confirmation: its card, its events, then what these ask for."""
    text = written(play)
    card_and_events, rest = text[:3], text[3:]
    places = [text[:length] for length in range(1, 4)]
    if play.gain is not None:
        places.append(card_and_events + rest[0])
    if text not in places:
        places.append(text)
    return ["m" + place for place in places]


def boxed(match: Match) -> dict[Player, tuple[str | None, bool]]:
    """What lies in the box: by player the sealed move's notation (None: none), and whether they locked in."""
    return {player: (sealed.text, sealed.final) for player, sealed in match.box.items()}


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
    return quietly(match.state, player)


def quietly(state: State, player: Player) -> Move:
    """As ``quiet``, with the match alone."""
    match state.board.stage:
        case "reveals":
            return Reveal(None)
        case "draft":
            return Pick(birds_left(state.board)[0])
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
        if player == seeker and in_round in (None, state.board.round):
            return finding(state, player, wanted)
        return quietly(state, player)

    return plan


def finding(state: State, player: Player, wanted: Bird) -> Move:
    """Guess a bird's true seat as soon as may be; apart from that as ``quiet``."""
    board = state.board
    if board.stage == "guesses" and wanted not in {bird for _, bird in board.revealed}:
        return Guess(state.seats.index(wanted) + 1, wanted)
    return quietly(state, player)


def seat_of(match: Match, bird: Bird) -> Seat:
    """Where a bird sits in the round being played."""
    state: State = match.state
    return state.seats.index(bird) + 1


# --- what came of it ------------------------------------------------------------------------------


def posted(flow: Flow, chat: int) -> tuple[str, ...]:
    """The commitments in a chat: what was posted when its match began, and when its Death Match did."""
    return tuple(
        marked(text, entity)
        for message in flow.world.history(chat)
        if "seal" in (text := message.get("text", ""))
        for entity in message.get("entities", [])
        if entity["type"] == "code" and entity["length"] == 64
    )


def marked(text: str, entity: dict[str, Any]) -> str:
    """The part of a text that an entity marks; its offset and length are in UTF-16 units (Bot API: MessageEntity)."""
    units = text.encode("utf-16-le")
    return units[2 * entity["offset"] :][: 2 * entity["length"]].decode("utf-16-le")


def record(flow: Flow, chat: int) -> dict[str, Any]:
    """The record file in a chat, once it has verified against all that was posted there, and nothing is missing."""
    [file] = [message["document"]["file_id"] for message in flow.world.history(chat) if "document" in message]
    content = flow.world.file(file)
    assert content is not None
    document: dict[str, Any] = json.loads(content)
    assert commitments(document) == posted(flow, chat)
    assert verify(document, posted(flow, chat))["ok"]
    return document


def busiest_minute(flow: Flow, chat: int) -> int:
    """The most calls that show something in a chat within any minute: messages, edits, pictures, files and pins."""
    shown = (*VISIBLE, "pinChatMessage")
    times = [call.at for call in flow.world.calls if call.method in shown and call.params["chat_id"] == chat]
    return max(sum(1 for later in times[first:] if later <= at + 60) for first, at in enumerate(times))


def ended(flow: Flow, id: str, chat: int) -> dict[str, Any]:
    """Let everything be told; the record, once it is found sound and no group was flooded."""
    flow.wait(120)
    item = flow.store.load(id)
    assert item is not None
    assert item.told == item.news
    assert item.lease is None
    assert chat > 0 or busiest_minute(flow, chat) <= 20
    return record(flow, chat)


def stranger(bot: Flow) -> int:
    """Somebody in the group who does not play."""
    eve = bot.world.people.add("Eve")
    bot.world.people.start(eve)
    bot.world.groups.join(eve, bot.group)
    bot.deliver()
    return eve


def last_of_bot(bot: Flow, chat: int) -> int:
    """The newest message of the bot in a chat."""
    return int([message["message_id"] for message in bot.world.history(chat) if message["from"]["is_bot"]][-1])
