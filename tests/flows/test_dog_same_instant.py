"""Seven people press in the same instant: nothing is lost, the phase closes once, and it is announced once."""

from __future__ import annotations

import re
from typing import Any

from handler.match import Match
from handler.ports import MatchStore
from tests.flows.house import Flow, flow
from tests.flows.instants import at_once, pressed
from tests.flows.players import NO_CARD, PLAY_NONE, busiest_minute, buttons, find, play
from tests.flows.seven import begin, company, ready

INSTANTS = 60
PER_MATCH = 10
"""Instants in which seven press: the pre-game, and nine rounds."""


def panels(bot: Flow, match: Match) -> dict[int, int]:
    """Each player's panel of the open phase."""
    phase = f"{match.id}:{match.number}:"
    return {user: next(at for at, data in buttons(bot, user) if data.startswith(phase)) for user in match.users}


EVENTS = ("cm", "rm", "cr", "xm", "cb", "", "mb")
"""Where each of the seven plays the lowest card; the sixth never plays and is only ready."""


def wishes(match: Match) -> list[str]:
    """What each of the seven presses in a phase: a play with which they are ready, or Ready alone where there is none
    to make.
    """
    hands = match.state.hands if match.number else ((),) * 7
    return [
        f"f{hand[0]}{events}{_ending(events, hand[0])}" if hand and events else PLAY_NONE if hand else "l"
        for hand, events in zip(hands, EVENTS, strict=True)
    ]


def _ending(events: str, card: int) -> str:
    """What the store and the bribe ask for: the same card again, and moving nothing."""
    return str(card) if "x" in events else "-" if "b" in events else ""


def instant(bot: Flow, id: str) -> None:
    """All seven confirm and are ready at once: the phase closes once, with everything in it."""
    match = bot.load(id)
    at, tails = panels(bot, match), wishes(match)
    for user, tail in zip(match.users, tails, strict=True):
        if tail == PLAY_NONE and (asked := find(bot, user, match, NO_CARD)) is not None:
            bot.press_data(user, user, *asked)
    updates: list[Any] = []
    for user, tail in zip(match.users, tails, strict=True):
        updates += pressed(bot, user, at[user], f"{id}:{match.number}:{tail}")
    answered = len(bot.world.calls)
    at_once(bot, updates)
    closed = bot.load(id)
    assert closed.number == match.number + 1
    assert closed.record is not None
    wanted = {player: tail[1:] for player, tail in enumerate(tails) if tail != "l"}
    assert dict(closed.record.steps[-1]) == wanted
    toasts = [call.params.get("text") for call in bot.world.calls[answered:] if call.method == "answerCallbackQuery"]
    assert len(toasts) == 7
    assert "That phase is over." not in toasts, "nobody came too late"


def rounds_told(bot: Flow, user: int) -> list[str]:
    """The number of each round whose result one of the seven was told, in the order told."""
    return [found for text in bot.texts(user) for found in re.findall(r"Round (\d) of 9\. You played", text)]


def test_sixty_instants(store: MatchStore) -> None:
    """Six matches in a row. In rounds 8 and 9 five of the seven have an empty hand, and are ready with it. On two
    events all numbers collide, so everybody keeps a Token of Life, and each match is over with its last round.
    """
    with flow(store) as bot:
        people = company(bot)
        for played in range(1, INSTANTS // PER_MATCH + 1):
            id = begin(bot, people).id
            for number in range(PER_MATCH):
                bot.wait(60)
                assert bot.load(id).number == number
                instant(bot, id)
            bot.wait(120)
            assert "".join(bot.texts(bot.group)).count("is over. Who scored") == 9 * played
            for user in people:
                assert rounds_told(bot, user) == [*"123456789"] * played
            gained = ["".join(bot.texts(user)).count("From the Exchange Store: ") for user in people]
            assert gained == [9 * played if "x" in events else 0 for events in EVENTS]
            assert bot.load(id).stage == "over"
            item = bot.store.load(id)
            assert item is not None
            assert item.told == item.news
        assert sum("document" in message for message in bot.world.history(bot.group)) == INSTANTS // PER_MATCH
        assert busiest_minute(bot, bot.group) <= 20


def test_seven_plays_sealed_at_once_all_stand(store: MatchStore) -> None:
    """None of them closes anything, and the group hears nothing of them."""
    with flow(store) as bot:
        match = play(bot, begin(bot, company(bot)).id, ready, until="round1")
        bot.wait(60)
        at, calls = panels(bot, match), len(bot.world.calls)
        plays = [f"{card}xm{card}" for card in range(1, 8)]
        updates: list[Any] = []
        for user, text in zip(match.users, plays, strict=True):
            updates += pressed(bot, user, at[user], f"{match.id}:{match.number}:s{text}")
        at_once(bot, updates)
        after = bot.load(match.id)
        assert after.number == match.number
        assert [after.box[player].text for player in range(7)] == plays
        assert not any(call.params.get("chat_id") == bot.group for call in bot.world.calls[calls:])
