"""The delivery of updates: each of Telegram's rules, and each thing that can go wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from handler.message import Button, Message
from handler.ports import Place
from tests.simulation import delivery
from tests.simulation.delivery import LATENCY, OTHER_LIFE, PRESS_LIFE, WAIT, Brought
from tests.simulation.stage import Stage
from tests.simulation.telegram import Telegram
from tests.simulation.trace import Call, Delivered, Dropped, Pressed, Struck, Wrote
from tests.simulation.weather import Fault

RULES = Path(__file__).parents[3] / "shared" / "botapi" / "webhook_delivery.json"

Answer = Callable[[int], int | None]
"""The status for an update that is brought for the n-th time."""


def well(time: int) -> int:
    return 200


class Traffic(Stage):
    """Two persons in a group with buttons, and a bot that takes ``seconds`` for each update. ``seen`` says when each
    update, by its number, began and ended to be handled.
    """

    def __init__(self, seconds: float = 1.0, answer: Answer = well) -> None:
        super().__init__()
        self.seconds = seconds
        self.answer = answer
        self.reply: tuple[str, bytes] = ("", b"")
        self.seen: list[tuple[int, float, float]] = []
        self.telegram = Telegram(self.scheduler, self.weather, self.trace, self.stream("telegram"))
        self.one, self.other = (self.telegram.person(name, name) for name in ("Ann", "Bob"))
        self.group = self.telegram.group("Friends", self.one)
        self.telegram.join(self.other, self.group)
        self.telegram.add_bot(self.group, self.one)
        self.telegram.bring_to(lambda update: Brought(200, 1))
        line = self.telegram.line(self.process)
        buttons = Message(Markup("Press"), ((Button("Go", data="x:1:s"),),))
        self.buttons = self.run(lambda: line.send(Place(self.group), buttons))
        self.pass_time(1)
        assert self.telegram.pending() == []
        self.trace.events.clear()
        self.telegram.bring_to(self._take)

    def press(self, user: int) -> int:
        self.telegram.press(user, self.group, self.buttons, "x:1:s")
        return list(self.trace.of(Pressed))[-1].update

    def write(self) -> int:
        self.telegram.say(self.one, self.group, "/new")
        update = list(self.trace.of(Wrote))[-1].update
        assert update is not None
        return update

    def began(self, update: int) -> list[float]:
        return [began for id, began, _ in self.seen if id == update]

    def delivered(self, update: int) -> list[int | None]:
        return [event.status for event in self.trace.of(Delivered) if event.update == update]

    def struck(self) -> list[tuple[str, str]]:
        return [(event.fault, event.about) for event in self.trace.of(Struck)]

    def _take(self, update: dict[str, Any]) -> Brought:
        id, began = update["update_id"], self.scheduler.now
        time = len(self.began(id)) + 1
        place = len(self.seen)
        self.seen.append((id, began, began))
        self.scheduler.sleep(self.seconds)
        self.seen[place] = (id, began, self.scheduler.now)
        return Brought(self.answer(time), 1, *self.reply)


@pytest.fixture
def traffic() -> Iterator[Traffic]:
    stage = Traffic()
    yield stage
    stage.telegram.close()


def together(first: tuple[int, float, float], second: tuple[int, float, float]) -> bool:
    return first[1] < second[2] and second[1] < first[2]


def test_presses_of_one_person_are_brought_one_after_another(traffic: Traffic) -> None:
    presses = [traffic.press(traffic.one) for _ in range(4)]
    traffic.pass_time(10)
    assert [id for id, _, _ in traffic.seen] == presses
    assert not any(together(*pair) for pair in pairwise(traffic.seen))
    assert [event.update for event in traffic.trace.of(Delivered)] == presses
    assert traffic.telegram.pending() == []


def test_presses_of_two_and_a_message_are_brought_at_the_same_time(traffic: Traffic) -> None:
    traffic.press(traffic.one)
    traffic.press(traffic.other)
    traffic.write()
    traffic.pass_time(LATENCY + 2)
    first, second, third = traffic.seen
    assert together(first, second)
    assert together(first, third)
    assert together(second, third)


def test_what_fails_comes_again_at_once_and_then_after_ever_longer_pauses(traffic: Traffic) -> None:
    traffic.seconds = 0.0
    traffic.answer = lambda time: 503 if time < 12 else 200
    update = traffic.write()
    traffic.pass_time(900)
    began = traffic.began(update)
    pauses = [later - earlier for earlier, later in pairwise(began)]
    assert [round(pause) for pause in pauses[:6]] == [0, 2, 4, 8, 16, 32]
    assert all(60 <= pause <= 120 for pause in pauses[6:])
    assert len({round(pause, 3) for pause in pauses[7:]}) > 1, "the longest pause is another each time"
    assert traffic.delivered(update) == [503] * 11 + [200]


def test_a_press_lives_for_150_seconds(traffic: Traffic) -> None:
    traffic.answer = lambda time: 500
    update = traffic.press(traffic.one)
    pressed = traffic.scheduler.now
    traffic.pass_time(200)
    [dropped] = traffic.trace.of(Dropped)
    assert dropped.update == update
    assert dropped.at == pytest.approx(pressed + PRESS_LIFE)
    assert max(traffic.began(update)) <= pressed + PRESS_LIFE
    assert traffic.telegram.pending() == []


def test_a_message_lives_for_a_day(traffic: Traffic) -> None:
    traffic.seconds = 0.0
    traffic.answer = lambda time: None
    update = traffic.write()
    written = traffic.scheduler.now
    traffic.pass_time(OTHER_LIFE - 10)
    assert len(traffic.telegram.pending()) == 1
    traffic.pass_time(200)
    assert [event.update for event in traffic.trace.of(Dropped)] == [update]
    assert written + OTHER_LIFE - 121 <= max(traffic.began(update)) <= written + OTHER_LIFE


def test_who_does_not_answer_in_a_minute_gets_it_again_meanwhile(traffic: Traffic) -> None:
    traffic.seconds = 80.0
    update = traffic.write()
    traffic.pass_time(200)
    first, second = [seen for seen in traffic.seen if seen[0] == update][:2]
    assert second[1] - first[1] == pytest.approx(WAIT)
    assert together(first, second)
    assert all(event.status is None and event.until - event.at == WAIT for event in traffic.trace.of(Delivered))


def test_later_ones_wait_for_one_that_failed(traffic: Traffic) -> None:
    traffic.answer = lambda time: 503 if time < 3 else 200
    first, second = traffic.press(traffic.one), traffic.press(traffic.one)
    traffic.pass_time(20)
    assert [id for id, _, _ in traffic.seen] == [first] * 3 + [second] * 3


def test_unless_they_overtake_it(traffic: Traffic) -> None:
    answers = {1: 503, 2: 503}
    first, second = traffic.press(traffic.one), traffic.press(traffic.one)
    traffic.answer = lambda time: answers.get(time, 200) if traffic.seen[-1][0] == first else 200
    traffic.weather.plan("update overtaken")
    traffic.pass_time(20)
    assert [id for id, _, _ in traffic.seen] == [first, first, second, first]
    assert traffic.struck() == [("update overtaken", str(first))]


def test_an_update_may_come_late(traffic: Traffic) -> None:
    traffic.weather.plan("update late")
    update = traffic.press(traffic.one)
    pressed = traffic.scheduler.now
    traffic.pass_time(PRESS_LIFE + 5)
    [began] = traffic.began(update)
    assert pressed + 1 <= began <= pressed + PRESS_LIFE
    assert traffic.struck() == [("update late", str(update))]


def test_an_update_may_come_twice(traffic: Traffic) -> None:
    traffic.weather.plan("update twice")
    update = traffic.press(traffic.one)
    traffic.pass_time(2)
    assert traffic.telegram.pending() != []
    traffic.pass_time(120)
    assert traffic.delivered(update) == [200, 200]
    assert traffic.struck() == [("update twice", str(update))]
    assert traffic.telegram.pending() == []


def test_an_answer_may_be_lost(traffic: Traffic) -> None:
    traffic.weather.plan("answer lost")
    update = traffic.press(traffic.one)
    traffic.pass_time(10)
    assert traffic.delivered(update) == [None, 200]
    assert traffic.struck() == [("answer lost", str(update))]


def replies(traffic: Traffic) -> None:
    """Each answer from now on asks for other words under the buttons."""
    call = {"method": "editMessageText", "chat_id": traffic.group, "message_id": traffic.buttons, "text": "Pressed"}
    traffic.reply = ("application/json", json.dumps(call).encode())


def test_what_an_answer_asks_for_is_done_when_it_has_arrived(traffic: Traffic) -> None:
    replies(traffic)
    traffic.press(traffic.one)
    traffic.pass_time(10)
    [delivered], [call] = traffic.trace.of(Delivered), traffic.trace.of(Call)
    assert (call.at, call.process, call.method, call.chat) == (delivered.until, 1, "editMessageText", traffic.group)
    assert (call.done, call.status, call.replied, call.text) == (True, None, True, "Pressed")


def test_what_an_answer_asks_for_goes_astray_with_it(traffic: Traffic) -> None:
    replies(traffic)
    traffic.weather.plan("answer lost")
    traffic.press(traffic.one)
    traffic.pass_time(10)
    [lost, arrived], [call] = traffic.trace.of(Delivered), traffic.trace.of(Call)
    assert (lost.status, arrived.status) == (None, 200)
    assert call.at == arrived.until


@pytest.mark.parametrize("fault", ["telegram 429", "telegram 500", "telegram 502", "telegram edit not found"])
def test_what_an_answer_asks_for_may_not_be_done(traffic: Traffic, fault: Fault) -> None:
    replies(traffic)
    traffic.weather.plan(fault)
    update = traffic.press(traffic.one)
    traffic.pass_time(10)
    [call] = traffic.trace.of(Call)
    assert (call.done, call.status, call.wait, call.replied) == (False, None, None, True)
    assert traffic.delivered(update) == [200]


def test_nothing_strikes_once_it_is_calm(traffic: Traffic) -> None:
    traffic.weather.rates.update({"update late": 1.0, "update twice": 1.0, "answer lost": 1.0})
    traffic.weather.calm = True
    update = traffic.press(traffic.one)
    traffic.pass_time(10)
    assert traffic.delivered(update) == [200]
    assert traffic.struck() == []


def test_membership_goes_in_a_queue_of_its_own(traffic: Traffic) -> None:
    traffic.telegram.remove_bot(traffic.group, traffic.one)
    traffic.pass_time(5)
    status, message = traffic.seen
    assert together(status, message)


@pytest.mark.skipif(not RULES.is_file(), reason="needs ../shared beside the checkout")
def test_the_rules_are_telegram_s() -> None:
    rules = json.loads(RULES.read_text())
    assert rules["webhook_wait_seconds"]["value"] == WAIT
    lives = rules["lifetime_seconds"]
    assert lives["callback_query"] == PRESS_LIFE
    for kind in ("message_like", "my_chat_member", "chat_member"):
        assert lives[kind].startswith(f"{OTHER_LIFE:.0f} ")
    assert "60..120 s" in rules["retry"]["then"]
    assert delivery.LONGEST_PAUSE == (60.0, 120.0)
