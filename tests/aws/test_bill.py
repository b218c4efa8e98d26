"""What a match costs on AWS: what is counted in whole matches must be what docs/deploy.md says, within a tenth."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from tests.aws import evenings
from tests.aws.bill import INDEXES, opened, size
from tests.aws.house import AwsFlow, house
from tests.flows.seven import company
from tests.shared import ROOT

SEED = bytes([7]) * 32

ROWS = {
    "Requests to the webhook": "webhook",
    "Nudges out of the queue": "queue",
    "Read units of DynamoDB": "read",
    "Write units of DynamoDB": "write",
    "Schedules": "CreateSchedule",
    "Messages sent to the queue": "SendMessage",
    "Calls to Telegram": "Telegram",
    "Rounds of such calls, those of a telling side by side": "rounds",
}
"""The rows of the table in docs/deploy.md, by what is counted."""

WITHIN = 0.1


def documented() -> dict[str, tuple[int, int]]:
    """The counts in docs/deploy.md by row: of Gravity Pandemic, of an episode."""
    page = (ROOT / "docs" / "deploy.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+?) \| ([\d,]+) \| ([\d,]+) \|", page, re.MULTILINE)
    return {name: (int(two.replace(",", "")), int(seven.replace(",", ""))) for name, two, seven in rows}


@pytest.mark.parametrize(("column", "plays", "number"), [(0, evenings.gravity, 2), (1, evenings.episode, 7)])
def test_a_match_costs_what_the_page_says(
    column: int, plays: Callable[[AwsFlow, Sequence[int]], None], number: int
) -> None:
    with opened() as bill, house(seed=SEED) as bot:
        people = company(bot, number)
        bill.begin()
        plays(bot, people)
        counted = bill.counted()
    said = {name: figures[column] for name, figures in documented().items() if name in ROWS}
    assert said.keys() == ROWS.keys()
    off = {
        name: (figure, counted[ROWS[name]])
        for name, figure in said.items()
        if abs(counted[ROWS[name]] - figure) > WITHIN * figure
    }
    assert off == {}, dict(counted)


def test_items_are_as_large_as_dynamodb_says() -> None:
    assert size({"pk": {"S": "é"}}) == 4
    assert size({"n": {"N": "1800000000.25"}}) == 1 + 6 + 1
    assert size({"n": {"N": "0"}}) == 2
    assert size({"b": {"B": bytes(7)}}) == 8
    assert size({"l": {"L": [{"N": "1"}, {"N": "23"}]}}) == 1 + 3 + 2 * 3
    assert set(INDEXES) == {"due", "results"}
