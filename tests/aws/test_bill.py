"""What a match costs on AWS: what is counted in whole matches must be what docs/deploy.md says, within a fifth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from math import ceil
from typing import Any

import pytest

from handler import aws
from tests.aws.house import AwsFlow, house
from tests.flows.players import finder, play
from tests.flows.seven import DORA, GINA, SCRIPT, challenge, company, finds, judged, scripted
from tests.shared import ROOT

ROWS = {
    "Requests to the webhook": "webhook",
    "Nudges out of the queue": "queue",
    "Read units of DynamoDB": "read",
    "Write units of DynamoDB": "write",
    "Schedules": "CreateSchedule",
    "Messages sent to the queue": "SendMessage",
}
"""The rows of the table in docs/deploy.md, by what is counted."""

WITHIN = 0.2


def gravity(bot: AwsFlow) -> None:
    play(bot, bot.begin().id, finder(1))


def episode(bot: AwsFlow) -> None:
    people = company(bot)
    match = judged(bot, people)
    challenge(bot, people[GINA], DORA)
    play(bot, match.id, scripted(SCRIPT, death=finds(GINA)))


def size(item: dict[str, dict[str, Any]]) -> int:
    """Bytes of an item as DynamoDB counts them, near enough: names and texts in UTF-8, two digits a byte."""
    return sum(
        len(name) + sum(len(str(value).encode()) // (2 if kind == "N" else 1) for kind, value in typed.items())
        for name, typed in item.items()
    )


class Bill:
    """Counts what a bot asks of AWS, in the units that are paid for."""

    def __init__(self) -> None:
        self.counted: Counter[str] = Counter()
        self._largest = 0

    def watch(self, client: Any) -> None:
        """Count this client's calls."""
        client.meta.events.register("provide-client-params", self._call)

    def event(self, handler: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        """The function's entry with its events counted, the sweep's aside."""

        def counted(event: Any, context: Any) -> Any:
            self.counted["queue" if "Records" in event else "webhook" if "act" not in event else "sweep"] += 1
            return handler(event, context)

        return counted

    def _call(self, params: dict[str, Any], model: Any, **_: Any) -> None:
        self.counted[model.name] += 1
        match model.name:
            case "GetItem":
                self.counted["read"] += max(1, ceil(self._largest / 4096))
            case "PutItem":
                self._largest = max(self._largest, size(params["Item"]))
                # One more for the index, which is written too whenever the next moment changes.
                self.counted["write"] += ceil(size(params["Item"]) / 1024) + 1
            case "TransactWriteItems":
                items = [each["Put"]["Item"] for each in params["TransactItems"] if "Put" in each]
                others = len(params["TransactItems"]) - len(items)
                self.counted["write"] += 2 * (sum(ceil(size(item) / 1024) for item in items) + others) + 1


def documented() -> dict[str, tuple[int, int]]:
    """The counts in docs/deploy.md by row: of Gravity Pandemic, of an episode."""
    page = (ROOT / "docs" / "deploy.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+?) \| ([\d,]+) \| ([\d,]+) \|", page, re.MULTILINE)
    return {name: (int(two.replace(",", "")), int(seven.replace(",", ""))) for name, two, seven in rows}


@pytest.mark.parametrize(("column", "plays"), [(0, gravity), (1, episode)])
def test_a_match_costs_what_the_page_says(
    column: int, plays: Callable[[AwsFlow], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    bill = Bill()
    monkeypatch.setattr(aws, "handler", bill.event(aws.handler))
    with house(watch=bill.watch) as bot:
        plays(bot)
    said = {name: figures[column] for name, figures in documented().items() if name in ROWS}
    assert said.keys() == ROWS.keys()
    off = {
        name: (figure, counted)
        for name, figure in said.items()
        if abs((counted := bill.counted[ROWS[name]]) - figure) > WITHIN * figure
    }
    assert off == {}, dict(bill.counted)
