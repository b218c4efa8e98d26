"""The function's entry with a match in the table, and where it cannot start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import boto3
import pytest

from handler import aws
from handler.ports import Nudge
from handler.unknown import leave_alone
from infra.timers.nudges import write_nudge
from tests.aws.events import failures, lines, record, update_request
from tests.aws.house import AwsFlow, house
from tests.aws.trouble import Trouble
from tests.shared import ROOT


@pytest.fixture
def trouble() -> Trouble:
    return Trouble()


@pytest.fixture
def bot(trouble: Trouble) -> Iterator[AwsFlow]:
    with house(watch=trouble) as made:
        yield made


def test_a_nudge_closes_the_phase_that_is_due(bot: AwsFlow) -> None:
    match = bot.begin()
    assert match.deadline is not None
    bot.clock.time = match.deadline + 1
    assert bot.come_again(record(write_nudge(Nudge(match.id, 99, 0)))) == {}
    assert bot.load(match.id).number == match.number + 1


def test_a_match_of_other_rules_is_left_as_it_is(bot: AwsFlow, caplog: pytest.LogCaptureFixture) -> None:
    leave_alone.cache_clear()
    id = stored(bot, '"rules":', '"rules":9')
    assert bot.come_again(record(write_nudge(Nudge(id, 99, 0)))) == {}
    assert lines(caplog) == [("a match is left as it is", {"match": id, "error": "UnknownRules"})]


def test_a_fault_of_ours_is_for_the_dead_letters(bot: AwsFlow, caplog: pytest.LogCaptureFixture) -> None:
    id = stored(bot, '"box":{}', '"box":{"0":[9]}')
    body = write_nudge(Nudge(id, 99, 0))
    assert bot.come_again(record(body)) == {body: 2}
    [(message, about)] = lines(caplog)
    assert (message, about["match"]) == ("a nudge failed", id)


def stored(bot: AwsFlow, old: str, new: str) -> str:
    """A match that is due, with something else in its body than this program writes."""
    match = bot.begin()
    item = bot.store.load(match.id)
    assert item is not None
    assert match.deadline is not None
    assert old in item.body
    bot.clock.time = match.deadline + 1
    spoilt = replace(item, version=item.version + 1, body=item.body.replace(old, new, 1))
    bot.store.commit(item, spoilt, None, None, bot.clock.now())
    return match.id


def test_the_sweep_does_what_is_due(bot: AwsFlow) -> None:
    match = bot.begin()
    assert match.deadline is not None
    bot.clock.time = match.deadline + 1
    assert bot.call({"act": "sweep"}) is None
    assert bot.load(match.id).number == match.number + 1


# --- the start ------------------------------------------------------------------------------------


def everything_fails(bot: AwsFlow, kind: str) -> None:
    """Each kind of event while the function cannot start."""
    body = write_nudge(Nudge("match", 1, 0))
    assert (bot.call(update_request({"update_id": 1})) or {})["statusCode"] == 503
    assert failures(bot.call, record(body), record("s?a")) == [body, "s?a"]
    with pytest.raises(aws.Failed, match=f"^{kind}$"):
        bot.call({"act": "sweep"})


def test_without_its_secrets_nothing_is_taken_in_and_the_next_event_tries_again(
    bot: AwsFlow, trouble: Trouble, caplog: pytest.LogCaptureFixture
) -> None:
    ssm, name = boto3.client("ssm"), bot.cloud.settings.token_parameter
    bot.end_process()
    token = ssm.get_parameter(Name=name, WithDecryption=True)["Parameter"]["Value"]
    ssm.delete_parameter(Name=name)
    everything_fails(bot, "Missing")
    assert lines(caplog) == [("an event came to nothing", {"error": "Missing", "call": "GetParameters"})] * 3
    ssm.put_parameter(Name=name, Value=token, Type="SecureString")
    trouble.calls.clear()
    for _ in range(3):
        assert (bot.call(update_request({"update_id": 1})) or {})["statusCode"] == 200
    assert trouble.calls.count("GetParameters") == 1, "once for a process"


def test_a_setting_that_is_missing_is_named(
    bot: AwsFlow, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bot.end_process()
    monkeypatch.delenv("QUEUE_ARN")
    everything_fails(bot, "MissingSetting")
    assert lines(caplog) == [("the setting QUEUE_ARN is missing or wrong", {})] * 3


def test_without_a_region_no_client_is_made(
    bot: AwsFlow, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bot.end_process()
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    everything_fails(bot, "Invalid")
    assert {about["error"] for _, about in lines(caplog)} == {"Invalid"}


def test_a_press_that_arms_nothing_waits_for_no_client_of_a_timer() -> None:
    made: list[str] = []
    with house(watch=lambda client: made.append(client.meta.service_model.service_name)) as bot:
        bot.begin()
        bot.end_process()
        made.clear()
        bot.push_label(bot.ada, "Hawk", bot.ada)
        assert sorted(made) == ["dynamodb", "ssm"]
        bot.wait(200)
        assert sorted(made) == ["dynamodb", "scheduler", "sqs", "ssm"], "each once"


def test_a_record_comes_again_late_where_the_client_of_the_queue_cannot_be_made(
    bot: AwsFlow, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    body = write_nudge(Nudge(stored(bot, '"box":{}', '"box":{"0":[9]}'), 99, 0))
    bot.end_process()
    aws.process()
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    assert bot.come_again(record(body)) == {body: 0}
    assert ("a record comes again late", {"error": "Invalid", "call": "ChangeMessageVisibility"}) in lines(caplog)


def test_what_is_imported_is_not_looked_at_again_and_garbage_is_collected_from_then_on() -> None:
    code = "import gc, handler.entry, handler.aws as aws; "
    code += "print(handler.entry.handler is aws.handler, gc.isenabled(), gc.get_freeze_count() > 100_000)"
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["True"] * 3
