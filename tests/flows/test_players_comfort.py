"""Small kindnesses that a careless hand needs: double presses, lost boards, the word at the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from handler.match import Match
from handler.message import Message
from handler.ports import Item, Lease, Place
from infra.local.botapi.errors import flood
from infra.local.botapi.faults import refused
from infra.stores.memory import MemoryStore
from tests.flows.house import Flow, flow
from tests.flows.players import buttons, play, quiet


def practice(bot: Flow) -> Match:
    """Ada alone against a house player, in her private chat, in the first draft."""
    bot.say(bot.ada, "/gravity", bot.ada)
    bot.press(bot.ada, "Start", bot.ada)
    bot.press(bot.ada, "No bird", bot.ada)
    bot.press(bot.ada, "🔒", bot.ada)
    match = bot.match()
    assert match.phase is not None
    assert match.phase.name == "draft"
    return match


def picks(bot: Flow, match: Match, chat: int) -> list[tuple[int, str]]:
    """The draft's buttons that can be pressed now, newest message first."""
    return [found for found in buttons(bot, chat) if found[1].startswith(f"{match.id}:{match.number}:s")]


def test_a_second_press_on_a_practice_board_leaves_the_board_alone(bot: Flow) -> None:
    match = practice(bot)
    (message, data), (_, other), *_ = picks(bot, match, bot.ada)
    first = bot.press_data(bot.ada, bot.ada, message, data)
    assert bot.press_data(bot.ada, bot.ada, message, data) == first, "the pick counted, and is said to again"
    assert bot.press_data(bot.ada, bot.ada, message, other) == "That phase is over."
    after = bot.match()
    assert after.number > match.number
    assert picks(bot, after, bot.ada)[0][0] == message, "the same board goes on"


def test_a_wait_that_telegram_asks_for_holds_for_all_of_a_practice_chat(bot: Flow) -> None:
    """The board and the panel are of one chat, though told to two addresses."""
    practice(bot)
    while (phase := bot.match().phase) is not None and phase.name == "draft":
        bot.wait(300)
    bot.world.faults.expect("sendMessage", refused(flood(30)))
    bot.press(bot.ada, "🔒", bot.ada)
    bot.wait(60)
    calls = [call for call in bot.world.calls if call.params.get("chat_id") == bot.ada]
    [refusal] = [index for index, call in enumerate(calls) if call.answer.status == 429]
    assert calls[refusal].params["text"].startswith("🌅"), "what the group would be told"
    assert calls[refusal + 1].at >= calls[refusal].at + 30


def test_the_practice_board_comes_back_on_demand(bot: Flow) -> None:
    match = practice(bot)
    board = picks(bot, match, bot.ada)[0][0]
    bot.say(bot.ada, "/matches", bot.ada)
    bot.press(bot.ada, "Gravity Pandemic", bot.ada)
    assert picks(bot, match, bot.ada)[0][0] > board


def test_a_drafter_who_asks_for_a_panel_is_shown_the_way_to_the_board(bot: Flow) -> None:
    bot.begin()
    bot.wait(61)
    bot.say(bot.bruno, "/matches", bot.bruno)
    bot.press(bot.bruno, "Gravity Pandemic", bot.bruno)
    assert "It is your turn" in bot.texts(bot.bruno)[-1]
    bot.say(bot.ada, "/matches", bot.ada)
    bot.press(bot.ada, "Gravity Pandemic", bot.ada)
    assert "nothing for you to choose" in bot.texts(bot.ada)[-1]


@pytest.mark.parametrize(
    ("command", "answer", "last"),
    [
        ("/resign", "Yes, I resign", "Bruno\u2069 has won"),
        ("/cancel", "Yes, end it", "This match is over.\n\nGravity Pandemic"),
    ],
)
def test_a_match_ends_with_a_board_and_in_private(bot: Flow, command: str, answer: str, last: str) -> None:
    match = bot.begin()
    bot.wait(90)
    [*_, board] = [message for message in bot.world.history(bot.group) if "My panel" in str(message)]
    bot.say(bot.ada, command, bot.ada if command == "/resign" else bot.group)
    chat = bot.ada if command == "/resign" else bot.group
    message, data = bot.button(answer, chat)
    for user in (bot.ada,) if chat == bot.ada else (bot.ada, bot.bruno):
        bot.press_data(user, chat, message, data)
    bot.wait(60)
    assert bot.load(match.id).stage in ("over", "cancelled")
    closed = bot.world.message(bot.group, board["message_id"])
    assert "reply_markup" not in closed
    assert "⏳" not in closed["text"]
    # A result stands below what led to it; a match that is cut short ends where it was.
    [final] = [message for message in bot.world.history(bot.group) if last in message.get("text", "")][-1:]
    assert (final["message_id"] > board["message_id"]) == (command == "/resign")
    if command == "/resign":
        for user in (bot.ada, bot.bruno):
            assert bot.texts(user)[-1] == "The match in \u2068The Garden\u2069 is over. The result stands there."


def test_a_panel_that_was_asked_for_is_the_panel_from_then_on(bot: Flow) -> None:
    match = bot.begin()
    [*_, old] = bot.world.history(bot.ada)
    bot.say(bot.ada, f"/start panel-{match.id}", bot.ada)
    [*_, asked] = bot.world.history(bot.ada)
    assert asked["text"] == old["text"]
    assert bot.world.message(bot.ada, old["message_id"])["text"] == "Your panel has moved further down."
    bot.wait(60)
    closed = bot.world.message(bot.ada, asked["message_id"])
    assert "You were silent, so the rules chose:" in closed["text"]
    assert "reply_markup" not in closed


class Interrupted(MemoryStore):
    """A store in which something happens just after somebody has taken the lease on telling."""

    def __init__(self) -> None:
        super().__init__()
        self.then: Callable[[], object] = lambda: None

    def take(self, item: Item, lease: Lease, now: float) -> Item:
        held = super().take(item, lease, now)
        then, self.then = self.then, lambda: None
        then()
        return held


def test_what_happens_while_a_panel_is_sent_is_told_at_once() -> None:
    store = Interrupted()
    with flow(store) as bot:
        match = bot.begin()
        bot.wait(40)  # the group has room again
        for user in (bot.ada, bot.bruno):
            bot.press(user, "No bird", user)
        bot.press(bot.ada, "🔒", bot.ada)
        bot.world.people.press(bot.bruno, bot.bruno, *bot.button("🔒", bot.bruno))
        [closing] = bot.world.pending()
        bot.world.acknowledge(closing["update_id"])
        store.then = lambda: bot.post(closing)
        bot.say(bot.ada, f"/start panel-{match.id}", bot.ada)
        assert bot.load(match.id).number == 1
        item = store.load(match.id)
        assert item is not None
        assert (item.told, item.lease) == (item.news, None)
        assert "your pick" in bot.texts(bot.group)[-1]


@pytest.mark.parametrize("before", [True, False])
def test_a_panel_that_comes_when_its_phase_is_over_replaces_none(bot: Flow, before: bool) -> None:
    """The phase closes, and is told, while the panel that was asked for is on its way."""
    match = bot.begin()
    bot.wait(40)
    send = bot.telegram.send

    def slow(place: Place, message: Message, *, quiet: bool = False) -> int:
        bot.telegram.send = send  # type: ignore[method-assign]
        if before:
            bot.wait(60)
        sent = send(place, message, quiet=quiet)
        if not before:
            bot.wait(60)
        return sent

    for user in (bot.ada, bot.bruno):
        bot.press(user, "No bird", user)
    play(bot, match.id, quiet, until="actions")
    bot.wait(90)
    bot.telegram.send = slow  # type: ignore[method-assign]
    bot.say(bot.ada, f"/start panel-{match.id}", bot.ada)
    bot.wait(20)
    phase = bot.match().phase
    assert phase is not None
    assert phase.name == "guesses"
    live = [found for found in buttons(bot, bot.ada) if found[1].startswith(f"{match.id}:{bot.match().number}:")]
    assert live, "the panel of the open phase is there to be pressed"
