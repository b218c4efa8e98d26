"""A call to AWS that the list does not know is refused before it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from infra.aws import calls


@pytest.mark.usefixtures("aws")
@pytest.mark.parametrize(
    ("client", "call", "name"),
    [
        (calls.dynamodb, "list_tables", "dynamodb.ListTables"),
        (calls.scheduler, "list_schedules", "scheduler.ListSchedules"),
        (calls.sqs, "list_queues", "sqs.ListQueues"),
        (calls.ssm, "describe_parameters", "ssm.DescribeParameters"),
    ],
)
def test_a_call_that_is_not_listed_is_refused(client: Callable[[], Any], call: str, name: str) -> None:
    with pytest.raises(calls.Unlisted, match=name):
        getattr(client(), call)()


@pytest.mark.usefixtures("aws")
def test_a_call_that_is_listed_is_made() -> None:
    assert calls.ssm().get_parameters(Names=["/none"])["InvalidParameters"] == ["/none"]
