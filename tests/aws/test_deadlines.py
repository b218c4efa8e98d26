"""Phases close by their deadlines on AWS's timers, as late, doubled, disordered and lost as those may be."""

from __future__ import annotations

import pytest

from handler.deadlines import sweep
from handler.match import LOBBY_SECONDS, Pace
from handler.phases import remind_at
from tests.aws.cloud import FAIR, Weather
from tests.aws.lateness import LENGTHS, SWEPT, USUAL, WORST, Loss, Timed, breaches, table, timed
from tests.aws.refusals import DENIED, MISSING_GROUP, THROTTLED, refuse
from tests.aws.silence import Close, House, house
from tests.shared import ROOT

SEED = 4
MATCHES: tuple[Pace, ...] = (*("live",) * 20, *("relaxed",) * 18)
"""A silent match has 36 phases of 60 and 120 s where play is live, 16 of 600 s where it is relaxed."""

OFTEN_LOST = Weather(schedules_lost=0.1, messages_lost=0.1, twice=0.1)
HOURS = 4

STORM = Weather(schedules_lost=0.5, messages_lost=0.5, twice=0.5)


def played(seed: int, weather: Weather, paces: tuple[Pace, ...]) -> tuple[House, list[Timed]]:
    """Silent matches to their ends, one after another; each phase has closed exactly once, and in its turn."""
    with house(seed, weather) as bot:
        for number, pace in enumerate(paces):
            id = f"m{number}"
            bot.lobby(id)
            bot.begin(id, pace)
            bot.run(id)
            closes = [close for close in bot.store.closes if close.match == id]
            numbers = [close.number for close in closes]
            match = bot.load(id)
            assert match.stage == "over"
            assert numbers == sorted(set(numbers))
            assert all(close.late >= 0 for close in closes), f"seed {seed}"
        assert bot.cloud.dead == []
        return bot, timed(bot.store.closes, bot.cloud.seen)


def test_a_thousand_phases_close_once_not_early_and_hardly_late() -> None:
    _, phases = played(SEED, OFTEN_LOST, MATCHES)
    assert len(phases) >= 1000
    assert {phase.close.length for phase in phases} == set(LENGTHS)
    assert breaches(phases) == [], f"seed {SEED}"
    found = table(phases)
    assert found in (ROOT / "docs" / "timers.md").read_text(encoding="utf-8"), f"docs/timers.md lacks\n{found}"


def test_nothing_is_late_where_nothing_is_lost() -> None:
    _, phases = played(SEED, FAIR, ("live", "relaxed"))
    assert {phase.lost for phase in phases} == {"nothing"}
    assert max(phase.close.late for phase in phases) <= USUAL


@pytest.mark.parametrize("seed", range(3))
def test_a_storm_delays_until_the_sweep_and_no_longer(seed: int) -> None:
    _, phases = played(seed, STORM, ("live", "relaxed"))
    late = [phase.close.late for phase in phases if phase.lost == "both ways"]
    assert late, f"seed {seed}"
    assert max(late) <= SWEPT, f"seed {seed}"
    assert max(phase.close.late for phase in phases if phase.lost != "both ways") <= WORST, f"seed {seed}"


def test_the_sweep_alone_closes_everything() -> None:
    _, phases = played(SEED, Weather(schedules_lost=1, messages_lost=1), ("live",))
    assert {phase.lost for phase in phases} == {"both ways"}
    assert breaches(phases) == []


def test_delayed_messages_alone_are_enough() -> None:
    _, phases = played(SEED, Weather(schedules_lost=1), ("live",))
    assert max(phase.close.late for phase in phases) <= USUAL


# --- while Telegram is down ---------------------------------------------------------------------------


@pytest.mark.parametrize("weather", [FAIR, OFTEN_LOST], ids=["fair", "often lost"])
def test_in_hours_without_telegram_nudges_stay_few(weather: Weather) -> None:
    """A telling that failed arms two nudges and uses up one. Phases go on closing meanwhile; then all is told."""
    with house(SEED, weather) as bot:
        bot.lobby("m")
        bot.begin("m", "relaxed")
        bot.telegram.down = True
        most, came = 0, len(bot.cloud.seen)
        end = bot.clock.time + HOURS * 3600
        while bot.clock.time < end:
            bot.cloud.step()
            most = max(most, bot.cloud.nudges)
        assert bot.load("m").number > 10, "phases need no Telegram"
        assert most <= 20
        assert len(bot.cloud.seen) - came <= HOURS * 400
        bot.telegram.down = False
        bot.cloud.run(120)
        item = bot.store.load("m")
        assert item is not None
        assert item.told == item.news


# --- what lateness is counted -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("late", "lost", "found"),
    [
        (-0.1, "nothing", "before its deadline"),
        (6.1, "one way", "6.1 s late with a timer"),
        (2.1, "nothing", "1 of 1 phases closed more than 2 s late"),
        (65.1, "both ways", "65.1 s late by the sweep"),
    ],
)
def test_what_breaks_the_promise_is_found(late: float, lost: Loss, found: str) -> None:
    close = Close("m", 0, 0.0, 60.0, 60.0 + late)
    phases = [Timed(close, lost)]
    assert any(found in breach for breach in breaches(phases))


# --- reminders and lobbies ---------------------------------------------------------------------------


def test_reminders_come_in_their_time() -> None:
    with house(SEED) as bot:
        bot.lobby("m")
        bot.begin("m", "live")
        while remind_at(match := bot.load("m")) is None:
            bot.cloud.step()
        moment = remind_at(match)
        assert moment is not None
        bot.cloud.run(moment - bot.clock.time + USUAL)
        assert bot.load("m").reminded
        told = [(time, text) for time, _, text in bot.telegram.said if text.startswith("⏳")]
        assert told
        assert all(moment <= time <= moment + USUAL for time, _ in told)


def test_a_lobby_nobody_starts_is_closed_in_its_time() -> None:
    with house(SEED) as bot:
        opened = bot.clock.time
        bot.lobby("m")
        bot.cloud.run(LOBBY_SECONDS - USUAL)
        assert bot.load("m").stage == "lobby"
        bot.cloud.run(2 * USUAL)
        assert bot.load("m").stage == "cancelled"
        [time] = [time for time, _, text in bot.telegram.said if "Nobody started this match" in text]
        assert opened + LOBBY_SECONDS <= time


@pytest.mark.parametrize("answer", [DENIED, MISSING_GROUP, THROTTLED])
def test_without_schedules_a_message_is_sent_on_and_on_until_the_lobby_closes(answer: tuple[int, str]) -> None:
    with house(SEED) as bot:
        refuse(bot.scheduler, "scheduler.CreateSchedule", answer)
        bot.cloud.sweep = lambda: None
        bot.lobby("m")
        bot.cloud.run(LOBBY_SECONDS - USUAL)
        assert bot.load("m").stage == "lobby"
        bot.cloud.run(2 * USUAL)
        assert bot.load("m").stage == "cancelled"


def test_where_nothing_can_be_armed_the_sweep_closes_the_lobby() -> None:
    with house(SEED) as bot:
        refuse(bot.scheduler, "scheduler.CreateSchedule", DENIED)
        refuse(bot.sqs, "sqs.SendMessage", DENIED)
        bot.lobby("m")
        bot.cloud.run(LOBBY_SECONDS + SWEPT)
        assert bot.load("m").stage == "cancelled"


def test_what_a_sweep_has_no_time_for_is_done_by_the_queue() -> None:
    with house(SEED, Weather(schedules_lost=1)) as bot:
        bot.cloud.sweep = lambda: None
        for id in ("m0", "m1", "m2"):
            bot.lobby(id)
        bot.cloud.run(LOBBY_SECONDS)
        sweep(bot.ports, bot.timers, lambda: 0.0)
        assert {bot.load(id).stage for id in ("m0", "m1", "m2")} == {"lobby"}
        bot.cloud.run(USUAL)
        assert {bot.load(id).stage for id in ("m0", "m1", "m2")} == {"cancelled"}
