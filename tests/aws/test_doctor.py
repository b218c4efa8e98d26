"""``make doctor``: all is well after a deployment, and each thing that can be wrong is found and named."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from handler.updates import KINDS
from infra.local.botapi.errors import flood
from infra.local.botapi.faults import line, refused
from infra.local.botapi.setup import delivery_failed
from infra.local.botapi.transport import TOKEN, WorldTransport
from infra.operator import function, secrets
from infra.operator.bot import OperatorsBot
from infra.operator.diagnosis import diagnosis
from infra.operator.findings import Finding
from tests.aws.operators import ENDPOINT, STACK, Cloud, Life, account, broken_web, clients, delete_table, in_status


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    with account():
        yield Cloud()


@pytest.fixture
def deployed(cloud: Cloud) -> Cloud:
    cloud.deploy()
    return cloud


def examine(
    cloud: Cloud, *, token: str = "", web: httpx.Client | None = None, now: float | None = None
) -> list[Finding]:
    """What the doctor finds."""
    return list(
        diagnosis(
            clients(),
            STACK,
            lambda token: OperatorsBot(token, transport=WorldTransport(cloud.world)),
            token,
            web or httpx.Client(transport=cloud.address()),
            KINDS,
            now or time.time(),
        )
    )


def marked(findings: list[Finding], *marks: str) -> list[str]:
    return [finding.name for finding in findings if finding.mark in marks]


def test_after_a_deployment_all_is_well(deployed: Cloud) -> None:
    found = examine(deployed)
    assert marked(found, "wrong", "note") == []
    assert len({finding.name for finding in found}) == len(found) == 26


def test_without_a_stack_the_doctor_says_so_and_looks_at_the_rest(cloud: Cloud) -> None:
    found = examine(cloud, token=TOKEN)
    assert marked(found, "wrong") == ["stack_missing"]
    assert {"clock", "account", "token"} <= set(marked(found, "fine"))


def test_without_a_stack_or_a_token_one_thing_is_wrong(cloud: Cloud) -> None:
    assert marked(examine(cloud), "wrong") == ["stack_missing"]


def test_looking_changes_nothing(deployed: Cloud) -> None:
    before, calls, life = dict(deployed.world.desk.state.settings), len(deployed.world.calls), Life()
    with deployed.process(life):
        examine(deployed)
    assert life.changes == []
    assert dict(deployed.world.desk.state.settings) == before
    assert {call.method for call in deployed.world.calls[calls:]} == {"getMe", "getWebhookInfo"}


Harm = Callable[[Cloud], object]


def telegram(setting: str, **changed: object) -> Harm:
    def harm(cloud: Cloud) -> None:
        state = cloud.world.desk.state
        state.set(setting, {**state.settings.get(setting, {}), **changed})

    return harm


def stop(cloud: Cloud) -> None:
    function.stop(clients().functions, function.find(clients().functions, "bot"), lambda seconds: None)


def rotate_half(cloud: Cloud) -> None:
    name = f"/{STACK}/webhook-secret"
    clients().ssm.put_parameter(Name=name, Value="half-rotated", Type="SecureString", Overwrite=True)


def backlog(cloud: Cloud) -> None:
    ada = cloud.world.people.add("Ada")
    cloud.world.people.start(ada)
    for _ in range(60):
        cloud.world.people.say(ada, ada, "/help")


def late(cloud: Cloud) -> None:
    for number in range(3):
        key = {"pk": {"S": f"match#{number}"}, "sk": {"S": "match"}}
        moment = {"N": str(time.time() - 1000 * number)}
        clients().dynamodb.put_item(TableName="matches", Item={**key, "due": {"S": "due"}, "moment": moment})


def fill(name: str, messages: int) -> Harm:
    def harm(cloud: Cloud) -> None:
        url = clients().sqs.get_queue_url(QueueName=name)["QueueUrl"]
        for _ in range(messages):
            clients().sqs.send_message(QueueUrl=url, MessageBody="{}")

    return harm


HARMS: dict[str, Harm] = {
    "stack_failed": lambda cloud: in_status("UPDATE_FAILED"),
    "stack_in_review": lambda cloud: in_status("REVIEW_IN_PROGRESS"),
    "stack_half_deleted": lambda cloud: in_status("DELETE_FAILED"),
    "stack_half_taken_back": lambda cloud: in_status("UPDATE_ROLLBACK_FAILED"),
    "function_stopped": stop,
    "other_token": lambda cloud: None,
    "other_bot": lambda cloud: None,
    "groups_closed": telegram("botfather", can_join_groups=False),
    "webhook_unset": lambda cloud: cloud.world.call("deleteWebhook", {}),
    "webhook_elsewhere": telegram("webhook", url="https://elsewhere.example/telegram?secret=1"),
    "kinds_differ": telegram("webhook", allowed_updates=["message"]),
    "connections_differ": telegram("webhook", max_connections=1),
    "backlog": backlog,
    "failure": lambda cloud: delivery_failed(cloud.world.desk, "Wrong response from the webhook: 503 Nothing"),
    "failure_secret": lambda cloud: delivery_failed(cloud.world.desk, "Wrong response from the webhook: 401 No"),
    "unprotected": lambda cloud: clients().dynamodb.update_table(TableName="matches", DeletionProtectionEnabled=False),
    "backups_off": lambda cloud: clients().dynamodb.update_continuous_backups(
        TableName="matches", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": False}
    ),
    "ttl_off": lambda cloud: clients().dynamodb.update_time_to_live(
        TableName="matches", TimeToLiveSpecification={"Enabled": False, "AttributeName": "expires"}
    ),
    "results_index_missing": lambda cloud: clients().dynamodb.update_table(
        TableName="matches", GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "results"}}]
    ),
    "overdue": late,
    "queue_full": fill("nudges", 30),
    "dead_letters": fill("dead-letters", 2),
    "schedules_missing": lambda cloud: clients().scheduler.delete_schedule_group(Name="deadlines"),
    "telegram_trouble": lambda cloud: cloud.world.faults.expect("getWebhookInfo", refused(flood(3))),
}


@pytest.mark.parametrize("name", HARMS)
def test_what_is_wrong_is_found(deployed: Cloud, name: str) -> None:
    HARMS[name](deployed)
    given = {"other_token": f"{TOKEN.partition(':')[0]}:another", "other_bot": "1:another"}
    assert marked(examine(deployed, token=given.get(name, "")), "wrong") == [name]


def test_how_many_are_overdue_is_counted(deployed: Cloud) -> None:
    late(deployed)
    [found] = [finding for finding in examine(deployed) if finding.name == "overdue"]
    assert found.values == {"n": 2}


def test_a_rotation_that_stopped_half_way_is_found(deployed: Cloud) -> None:
    answering = httpx.Client(transport=deployed.address())
    rotate_half(deployed)
    found = examine(deployed, web=answering)
    assert marked(found, "wrong") == ["secrets_version_differs", "webhook_old_secret", "not_admitted"]


def test_a_secret_that_somebody_deleted_and_made_anew_is_found_and_the_next_deployment_mends_it(
    deployed: Cloud,
) -> None:
    """Its versions count from 1 again."""
    answering = httpx.Client(transport=deployed.address())
    name = f"/{STACK}/{secrets.SECRET}"
    clients().ssm.delete_parameter(Name=name)
    clients().ssm.put_parameter(Name=name, Value="anew", Type="SecureString")
    found = examine(deployed, web=answering)
    assert marked(found, "wrong") == ["secrets_version_differs", "webhook_old_secret", "not_admitted"]
    deployed.deploy()
    assert marked(examine(deployed), "wrong") == []


def test_a_failure_of_long_ago_is_not_wrong(deployed: Cloud) -> None:
    delivery_failed(deployed.world.desk, "Connection refused")
    failed = deployed.world.desk.state.settings["webhook"]["last_error_date"]
    found = examine(deployed, now=failed + 30)
    assert marked(found, "wrong") == ["failure"]
    found = [finding for finding in examine(deployed, now=failed + 3600) if finding.name == "old_failure"]
    assert [finding.values for finding in found] == [{"minutes": 60, "why": "Connection refused"}]


def test_privacy_mode_that_is_off_is_worth_a_note(deployed: Cloud) -> None:
    telegram("botfather", can_read_all_group_messages=True)(deployed)
    found = examine(deployed)
    assert (marked(found, "wrong"), marked(found, "note")) == ([], ["privacy_off"])


def test_a_stack_that_is_being_changed_is_worth_a_note(deployed: Cloud) -> None:
    in_status("UPDATE_IN_PROGRESS")
    found = examine(deployed)
    assert (marked(found, "wrong"), marked(found, "note")) == ([], ["stack_busy"])


def test_a_clock_that_is_off_is_found(deployed: Cloud) -> None:
    [found] = [finding for finding in examine(deployed, now=time.time() + 300) if finding.name == "clock_off"]
    assert found.mark == "wrong"


def test_a_token_that_telegram_does_not_know_is_found_and_the_rest_is_looked_at(deployed: Cloud) -> None:
    clients().ssm.put_parameter(Name=f"/{STACK}/telegram-token", Value="1:revoked", Type="SecureString", Overwrite=True)
    found = examine(deployed)
    assert marked(found, "wrong") == ["secrets_version_differs", "bad_token", "bad_token"]
    assert "no_dead_letters" in marked(found, "fine")


def test_a_function_that_is_gone_is_found(deployed: Cloud) -> None:
    clients().functions.delete_function(FunctionName="bot")
    found = [finding for finding in examine(deployed) if finding.mark == "wrong"]
    assert [(finding.name, finding.values) for finding in found] == [
        ("aws_missing", {"call": "GetFunctionConfiguration"})
    ]


def test_a_table_that_is_gone_is_found(deployed: Cloud) -> None:
    delete_table()
    assert marked(examine(deployed), "wrong") == ["table_gone"]


@pytest.mark.parametrize(("status", "names"), [(500, ["unhealthy", "stranger", "not_admitted"]), (200, ["stranger"])])
def test_an_address_that_answers_wrongly_is_found(deployed: Cloud, status: int, names: list[str]) -> None:
    assert marked(examine(deployed, web=broken_web(status)), "wrong") == names


def test_an_address_that_does_not_answer_is_found(deployed: Cloud) -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        assert str(request.url).startswith(ENDPOINT)
        raise httpx.ConnectError("no route", request=request)

    web = httpx.Client(transport=httpx.MockTransport(refuse))
    assert marked(examine(deployed, web=web), "wrong") == ["unreachable", "unreachable"]


def test_telegram_that_cannot_be_reached_is_found(deployed: Cloud) -> None:
    deployed.world.faults.expect("*", line("refuse"), times=4)
    found = [finding for finding in examine(deployed) if finding.mark == "wrong"]
    assert [finding.name for finding in found] == ["telegram_offline", "telegram_offline"]


def test_a_doctor_without_any_token_says_so(deployed: Cloud) -> None:
    clients().ssm.delete_parameter(Name=f"/{STACK}/{secrets.TOKEN}")
    assert marked(examine(deployed), "wrong") == ["secret_missing", "no_token"]


def test_nothing_that_is_found_holds_a_secret(deployed: Cloud) -> None:
    kept = secrets.kept(clients().ssm, STACK, secrets.SECRET)
    assert kept is not None
    rotate_half(deployed)
    backlog(deployed)
    said = repr(examine(deployed, token="1:given-token"))
    for secret in (TOKEN, kept.value, "half-rotated", "1:given-token"):
        assert secret not in said
