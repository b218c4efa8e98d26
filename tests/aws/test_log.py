"""The function's log, as CloudWatch gets it."""

from __future__ import annotations

import json

from tests.aws.house import house
from tests.aws.log_lock import function_log, listening
from tests.aws.trouble import Trouble
from tests.flows.frail import SEED
from tests.flows.segments import pressed


def test_it_holds_no_secret_whatever_is_said_inside() -> None:
    assert function_log() > 100


def test_its_lines_are_json_with_match_phase_and_call_and_its_measures_are_cloudwatchs() -> None:
    trouble = Trouble(lambda name, n: "throttled" if n % 17 == 0 else None)
    with listening() as (written, _), house(seed=SEED, watch=trouble) as bot:
        pressed(bot)
        bot.wait(200)
        lines = [json.loads(line) for line in written.getvalue().splitlines()]
        id = bot.match().id
    measures = [line for line in lines if "_aws" in line]
    assert {"Presses", "DeliveriesPending", "DeadlineLateness"} <= {key for line in measures for key in line}
    assert sum(line.get("Presses", 0) for line in measures) > 10
    assert all(line["level"] == "INFO" for line in measures)
    others = [line for line in lines if "_aws" not in line]
    assert {line["level"] for line in others} <= {"WARNING", "ERROR"}
    assert {("Throttled", "GetItem"), ("Throttled", "SendMessage")} <= {
        (line.get("error"), line.get("call")) for line in others
    }
    assert {line["match"] for line in others if "match" in line} == {id}
    assert all(isinstance(line["update"], int) for line in others if line["message"].startswith("an update"))
