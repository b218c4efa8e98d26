"""What the stack keeps: the table, the queues, and whether a second stack fits beside it."""

from __future__ import annotations

from unittest.mock import Mock

from tests.aws.cloud import RECEIVES
from tests.aws.table import make_table
from tests.aws.template.reading import Template, text


def test_the_table_is_the_one_that_the_stores_tests_make(template: Template) -> None:
    client = Mock()
    make_table(client, "table")
    made = client.create_table.call_args.kwargs
    del made["TableName"]
    table = template.properties("Table")
    assert {key: table[key] for key in made} == made
    time_to_live = client.update_time_to_live.call_args.kwargs["TimeToLiveSpecification"]
    assert table["TimeToLiveSpecification"] == time_to_live


def test_the_table_outlives_mistakes(template: Template) -> None:
    resource, table = template.body["Resources"]["Table"], template.properties("Table")
    assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == ("Retain", "Retain")
    assert table["DeletionProtectionEnabled"]
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}


def test_what_fails_eight_times_is_kept_for_the_operator(template: Template) -> None:
    queue, dead = template.properties("Queue"), template.properties("DeadLetters")
    assert text(queue["RedrivePolicy"]["deadLetterTargetArn"]) == "${DeadLetters.Arn}"
    assert queue["RedrivePolicy"]["maxReceiveCount"] == RECEIVES == 8
    # A message keeps the age it had in the first queue.
    assert dead["MessageRetentionPeriod"] == 14 * 24 * 60 * 60 > queue["MessageRetentionPeriod"]
    assert queue["SqsManagedSseEnabled"]
    assert dead["SqsManagedSseEnabled"]
    assert not any("FifoQueue" in each for each in (queue, dead))


def test_two_stacks_fit_into_one_account(template: Template) -> None:
    given = {"AlarmName", "DashboardName", "LogGroupName", "FunctionName", "TableName", "QueueName", "RoleName", "Name"}
    for name in template.body["Resources"]:
        for key, value in template.properties(name).items():
            assert key not in given or "${" in text(value), (name, key)
