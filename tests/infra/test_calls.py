"""A call to AWS that the list does not know is refused before it is made."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
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
def test_no_folder_but_those_of_our_services_is_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: set[str] = set()
    listdir = os.listdir

    def look(path: str) -> list[str]:
        looked.add(Path(path).name)
        return listdir(path)

    monkeypatch.setattr(os, "listdir", look)
    calls.session.cache_clear()
    for make in (calls.dynamodb, calls.scheduler, calls.sqs, calls.ssm):
        make()
    assert looked == {"dynamodb", "scheduler", "sqs", "ssm"}


@pytest.mark.usefixtures("aws")
def test_a_call_that_is_listed_is_made() -> None:
    assert calls.ssm().get_parameters(Names=["/none"])["InvalidParameters"] == ["/none"]
