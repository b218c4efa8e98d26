"""The built package as AWS runs it: under the emulator of Lambda's runtime interface, in a process of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import boto3
import pytest

from handler.codec import write_match
from infra.clock import SystemClock
from infra.local.botapi.transport import TOKEN
from tests.aws.cloud import GROUP
from tests.aws.emulated import EmulatedFlow, emulated
from tests.aws.events import failures, record, update_request
from tests.aws.packaged import HERE, emulator, lacking_runtime, package, show
from tests.flows.house import SECRET


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[EmulatedFlow]:
    if reason := lacking_runtime():
        pytest.skip(reason)
    if emulator() is None:
        pytest.skip("build/sam, with AWS's emulator, is not there: make test installs it, where there is a network")
    assert HERE is not None
    with emulated(package(HERE), tmp_path) as flow:
        yield flow


def let_time_pass(bot: EmulatedFlow) -> None:
    """Put the open phase's deadline behind now."""
    match = bot.match()
    item = bot.store.load(match.id)
    assert item is not None
    now = SystemClock().now()
    over = replace(match, deadline=now - 1)
    bot.store.commit(
        item, replace(item, version=item.version + 1, body=write_match(over), alarm_at=now - 1), None, None, now
    )


def newest_nudge() -> str:
    """What the schedule that was made last would put into the queue."""
    scheduler = boto3.client("scheduler")
    schedules = scheduler.list_schedules(GroupName=GROUP)["Schedules"]
    name = max(schedules, key=lambda schedule: schedule["CreationDate"])["Name"]
    return scheduler.get_schedule(GroupName=GROUP, Name=name)["Target"]["Input"]


def test_updates_come_in_and_calls_go_out_until_a_deadline_closes_the_phase(
    bot: EmulatedFlow, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = bot.begin()
    assert opened.stage == "playing"
    assert "Private reveals" in bot.texts(bot.group)[-1]
    assert "Hawk" in bot.labels(bot.ada)
    assert bot.press(bot.ada, "Hawk", bot.ada) != ""
    let_time_pass(bot)
    assert failures(bot.function.invoke, record(newest_nudge())) == []
    assert bot.match().number == opened.number + 1
    assert "Night 1 of Round 1" in bot.texts(bot.group)[-1]
    first, *warm = (round(invoked.seconds * 1000) for invoked in bot.function.invoked)
    times = f"the first event took {first} ms, {len(warm)} more {min(warm)} to {max(warm)} ms"
    show(capsys, f"Under AWS's emulator {times}, in {bot.function.most_memory / 2**20:.0f} MiB at most.")


def test_a_table_of_seven_opens_its_first_phase(bot: EmulatedFlow) -> None:
    bot.say(bot.ada, "/dog")
    bot.press(bot.ada, "Join")
    bot.press(bot.bruno, "Join")
    bot.press(bot.ada, "Fill up")
    bot.press(bot.ada, "Start")
    assert bot.match().stage == "playing"
    assert bot.labels(bot.bruno) != []


def test_the_sweep_closes_what_no_timer_brought_up(bot: EmulatedFlow) -> None:
    opened = bot.begin()
    let_time_pass(bot)
    assert bot.function.invoke({"act": "sweep"}) is None
    assert bot.match().number == opened.number + 1


def test_a_process_that_was_frozen_goes_on(bot: EmulatedFlow) -> None:
    bot.lobby()
    process = bot.function.process
    with bot.function.frozen():
        bot.world.people.say(bot.ada, bot.group, "/help")
    bot.deliver()
    assert bot.press(bot.ada, "Start") == "Off we go."
    assert bot.match().stage == "playing"
    assert bot.function.process == process


def test_whoever_does_not_know_the_secret_gets_nowhere(bot: EmulatedFlow) -> None:
    calls = len(bot.world.calls)
    bot.world.people.say(bot.ada, bot.group, "/gravity")
    [update] = bot.world.pending()
    assert bot.function.invoke(update_request(update, secret="guessed"))["statusCode"] == 401
    assert len(bot.world.calls) == calls
    bot.deliver()
    assert bot.match().stage == "lobby"


def test_what_the_function_logs_is_json_and_names_no_secret(bot: EmulatedFlow) -> None:
    bot.begin()
    bot.function.invoke({"act": "nothing that is known"})
    said = bot.function.log.read_text()
    emulators = ("START", "END", "REPORT")
    lines = [json.loads(line) for line in said.splitlines() if line and not line.startswith(emulators)]
    assert lines[-1]["level"] == "ERROR"
    assert TOKEN not in said
    assert SECRET not in said
