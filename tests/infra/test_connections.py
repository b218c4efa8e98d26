"""What was written to while the process was frozen is not written to again; what is warm stays warm."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from markupsafe import Markup

from handler.message import Message
from handler.ports import Place, Uncertain
from infra import telegram
from infra.aws.connections import LONGEST_IDLE, FreshConnections
from infra.telegram import BotTelegram
from tests.infra.relay import Relay
from tests.infra.scripted_api import TOKEN, ScriptedApi

PERSON, TEXT = Place(5), Message(Markup("Night 1"))


class Wall:
    """The clock on the wall, which goes on while a process is frozen."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def api() -> Iterator[ScriptedApi]:
    api = ScriptedApi()
    yield api
    api.close()


@pytest.fixture
def relay(api: ScriptedApi) -> Iterator[Relay]:
    relay = Relay(api.address)
    yield relay
    relay.close()


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def bot(relay: Relay, wall: Wall) -> Iterator[BotTelegram]:
    bot = BotTelegram(TOKEN, relay.address, FreshConnections(wall))
    yield bot
    bot.close()


def test_a_connection_that_died_in_a_freeze_is_not_written_to(
    api: ScriptedApi, relay: Relay, wall: Wall, bot: BotTelegram
) -> None:
    bot.send(PERSON, TEXT)
    relay.freeze()
    wall.time += 600
    bot.send(PERSON, TEXT)
    bot.answer("q")
    assert (api.counts("sendMessage"), api.counts("answerCallbackQuery")) == (2, 1)
    assert (relay.accepted, relay.lost) == (2, 0)


def test_by_httpxs_own_clock_it_would_have_been(
    api: ScriptedApi, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same without the clock on the wall: why it is needed."""
    bot = BotTelegram(TOKEN, relay.address)
    bot.me()
    relay.freeze()
    monkeypatch.setattr(telegram, "LONGEST_CALL", 2.0)  # of the call alone that is not answered
    with pytest.raises(Uncertain):
        bot.send(PERSON, TEXT)
    assert (api.counts("sendMessage"), relay.accepted) == (0, 1)
    bot.close()
    relay.close()  # when it has read all that came
    assert relay.lost > 0


@pytest.mark.parametrize("pause", [0, LONGEST_IDLE - 0.1])
def test_a_warm_connection_is_used_again(
    api: ScriptedApi, relay: Relay, wall: Wall, bot: BotTelegram, pause: float
) -> None:
    for _ in range(3):
        bot.send(PERSON, TEXT)
        wall.time += pause
    assert (api.counts("sendMessage"), relay.accepted) == (3, 1)


@pytest.mark.parametrize("pause", [LONGEST_IDLE, -1])
def test_one_is_not_that_was_idle_too_long_or_nobody_knows_how_long(
    relay: Relay, wall: Wall, bot: BotTelegram, pause: float
) -> None:
    bot.send(PERSON, TEXT)
    wall.time += pause
    bot.send(PERSON, TEXT)
    assert relay.accepted == 2
