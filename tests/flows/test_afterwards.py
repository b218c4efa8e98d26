"""On one machine a press is answered before everybody is told what came of it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

from engine.gravity.birds import Bird
from engine.gravity.moves import Pick, Reveal
from engine.gravity.notation import write
from handler.dispatch import handle, nudge
from handler.ports import Stopped
from handler.table import LEASE_SECONDS, Ports, free_leases
from handler.webhook import make_app
from infra.stores.memory import MemoryStore
from infra.together import OneByOne
from tests.flows.house import SECRET
from tests.flows.patient import PatientFlow
from tests.flows.players import find
from tests.flows.segments import heard, lobby

RAVEN, ROBIN = ("s" + write(Pick(bird)) for bird in (Bird.RAVEN, Bird.ROBIN))


class Later(PatientFlow):
    """A bot that leaves what may come afterwards until a test does it."""

    def __init__(self) -> None:
        super().__init__(MemoryStore(), "afterwards")
        self.left: list[Callable[[], None]] = []
        self.serve(replace(self.ports, afterwards=lambda match, work: self.left.append(work)))
        lobby(self)
        self.wait(30)

    def serve(self, ports: Ports) -> None:
        """Take updates in with other ports."""
        self.ports = ports
        self.client = make_app(partial(handle, ports), SECRET).test_client()


class Stopping(OneByOne):
    """The process ends when so many calls more have begun, if that is known."""

    def __init__(self) -> None:
        self.left: int | None = None

    def begin(self, call: Callable[[], Any]) -> Future[Any]:
        """Begin a call, or no more."""
        if self.left is not None:
            if self.left == 0:
                raise Stopped
            self.left -= 1
        return super().begin(call)


def both_reveal(bot: Later) -> None:
    """Both name no bird; the last to lock in closes the phase."""
    for tail in ("s" + write(Reveal(None)), "l"):
        for user in (bot.ada, bot.bruno):
            bot.push(user, user, tail)


def told(bot: Later) -> list[int]:
    """How often each chat has heard that the reveals are over."""
    since = {bot.group: "Night 1", bot.ada: "Round 1.", bot.bruno: "Round 1."}
    return [sum(word in text for text in heard(bot, chat)) for chat, word in since.items()]


def test_a_press_is_answered_before_the_others_hear_what_it_closed() -> None:
    bot = Later()
    both_reveal(bot)
    assert bot.match().number == 1
    assert bot.world.calls[-1].method == "answerCallbackQuery"
    assert told(bot) == [0, 0, 0]
    [work] = bot.left
    work()
    assert told(bot) == [1, 1, 1]


def test_the_next_press_does_not_wait_for_it() -> None:
    """Whoever closed the phase may press on the panel that they still see."""
    bot = Later()
    both_reveal(bot)
    panel = bot.world.history(bot.bruno)[-1]["message_id"]
    bot.world.people.press(bot.bruno, bot.bruno, panel, f"{bot.id}:0:u")
    bot.deliver()
    assert [call.method for call in bot.world.calls[-2:]] == ["answerCallbackQuery", "editMessageText"]
    assert told(bot) == [0, 0, 0]
    [work] = bot.left
    work()
    assert told(bot) == [1, 1, 1]


def test_what_a_dead_process_left_is_told_when_its_lease_is_over() -> None:
    bot = Later()
    both_reveal(bot)
    bot.left.clear()
    nudge(bot.ports, bot.id)
    assert bot.left == []
    bot.clock.time += LEASE_SECONDS
    nudge(bot.ports, bot.id)
    assert told(bot) == [0, 0, 0], "nor does a nudge wait for it, behind which others stand"
    [work] = bot.left
    work()
    assert told(bot) == [1, 1, 1]


def test_what_comes_later_than_its_lease_finds_everything_told() -> None:
    bot = Later()
    both_reveal(bot)
    bot.clock.time += LEASE_SECONDS
    nudge(bot.ports, bot.id)
    late, work = bot.left
    work()
    calls = len(bot.world.calls)
    late()
    assert len(bot.world.calls) == calls


def test_what_comes_later_than_its_lease_tells_what_nobody_else_has() -> None:
    bot = Later()
    both_reveal(bot)
    bot.clock.time += LEASE_SECONDS + 1
    [work] = bot.left
    work()
    nudge(bot.ports, bot.id)
    assert len(bot.left) == 1
    assert told(bot) == [1, 1, 1]
    assert find(bot, bot.group, bot.match(), RAVEN) is not None


def test_a_turn_on_the_group_s_board_is_told_afterwards_too() -> None:
    bot = Later()
    both_reveal(bot)
    bot.left.pop()()
    bot.push(bot.bruno, bot.group, RAVEN)
    assert find(bot, bot.group, bot.match(), ROBIN) is None
    [work] = bot.left
    work()
    assert find(bot, bot.group, bot.match(), ROBIN) is not None


def test_a_lease_is_as_long_by_the_wall_at_a_table_whose_clock_is_fast() -> None:
    """Telegram's answers take no less there, and whoever only waits for one must not be taken for dead."""
    bot = Later()
    bot.clock.speed = 60.0
    both_reveal(bot)
    [mine] = bot.left
    bot.clock.time += 60 * LEASE_SECONDS - 1
    nudge(bot.ports, bot.id)
    assert bot.left == [mine]
    bot.clock.time += 1
    nudge(bot.ports, bot.id)
    assert len(bot.left) == 2


def test_where_the_process_stops_the_next_one_goes_on_from_what_was_told() -> None:
    bot = Later()
    bot.serve(replace(bot.ports, together=(line := Stopping())))
    both_reveal(bot)
    before = len(bot.world.calls)
    line.left = 4
    bot.left.pop()()
    assert len(bot.world.calls) == before + 3, "the fourth draws a picture"
    assert told(bot) == [1, 1, 1]
    line.left = None
    nudge(bot.ports, bot.id)
    bot.left.pop()()
    assert told(bot) == [1, 1, 1]
    assert find(bot, bot.group, bot.match(), RAVEN) is not None


def test_whoever_starts_alone_waits_for_no_lease_of_the_dead() -> None:
    bot = Later()
    both_reveal(bot)
    bot.left.clear()
    free_leases(bot.ports)
    nudge(bot.ports, bot.id)
    bot.left.pop()()
    assert told(bot) == [0, 1, 1], "the group was perhaps told just now, and has its rate"
    for _ in range(30):
        bot.wait(2)
        while bot.left:
            bot.left.pop(0)()
    assert told(bot) == [1, 1, 1]
