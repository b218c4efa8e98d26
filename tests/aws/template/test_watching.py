"""Alarms and dashboard: every number that they show is one that somebody counts."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from handler import logs, measures
from tests.aws.template.reading import Template, text

AWS_METRICS: Mapping[str, tuple[str, str, frozenset[str]]] = {
    "AWS/Lambda": (
        "FunctionName",
        "${Function}",
        frozenset({"Invocations", "Errors", "Throttles", "Duration", "ConcurrentExecutions"}),
    ),
    "AWS/ApiGateway": ("ApiId", "${Webhook}", frozenset({"Count", "4xx", "5xx", "Latency"})),
    "AWS/SQS": (
        "QueueName",
        "${Queue.QueueName}",
        frozenset(
            {
                "ApproximateNumberOfMessagesVisible",
                "ApproximateNumberOfMessagesDelayed",
                "ApproximateAgeOfOldestMessage",
            }
        ),
    ),
    "AWS/DynamoDB": (
        "TableName",
        "${Table}",
        frozenset(
            {"ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits", "ReadThrottleEvents", "WriteThrottleEvents"}
        ),
    ),
}
"""By namespace: the dimension, what of ours it is about, and the metrics that AWS documents for it."""


def test_every_alarm_is_on_a_number_that_exists(template: Template) -> None:
    alarms = template.of_type("AWS::CloudWatch::Alarm")
    watched = set()
    for alarm in alarms.values():
        [dimension] = alarm["Dimensions"]
        number = (alarm["Namespace"], alarm["MetricName"], dimension["Name"], text(dimension["Value"]))
        assert exists(*number), number
        watched.add(number[:2])
    assert watched >= {
        ("AWS/Lambda", "Errors"),
        ("AWS/Lambda", "Throttles"),
        ("AWS/SQS", "ApproximateNumberOfMessagesVisible"),
        ("AWS/ApiGateway", "5xx"),
        (logs.NAMESPACE, "DeadlineLateness"),
    }


def test_the_alarm_for_dead_letters_and_that_for_lateness_are_as_meant(template: Template) -> None:
    dead, late = template.properties("DeadLettersAlarm"), template.properties("LatenessAlarm")
    assert text(dead["Dimensions"][0]["Value"]) == "${DeadLetters.QueueName}"
    assert (dead["ComparisonOperator"], dead["Threshold"]) == ("GreaterThanThreshold", 0)
    assert (late["Statistic"], late["ComparisonOperator"], late["Threshold"]) == ("Maximum", "GreaterThanThreshold", 60)
    assert measures.UNITS["DeadlineLateness"] == "Seconds"


def test_only_the_alarm_for_silence_goes_off_at_missing_numbers(template: Template) -> None:
    missing = {name: it["TreatMissingData"] for name, it in template.of_type("AWS::CloudWatch::Alarm").items()}
    assert missing.pop("StandstillAlarm") == "breaching"
    assert set(missing.values()) == {"notBreaching"}


def test_alarms_are_mailed_if_there_is_an_address(template: Template) -> None:
    mailed = {"Fn::If": ["HasAlarmEmail", [{"Ref": "AlarmTopic"}], []]}
    for name, alarm in template.of_type("AWS::CloudWatch::Alarm").items():
        assert alarm["AlarmActions"] == mailed, name
    for name in ("AlarmTopic", "AlarmSubscription"):
        assert template.body["Resources"][name]["Condition"] == "HasAlarmEmail"
    assert template.body["Conditions"]["HasAlarmEmail"] == {
        "Fn::Not": [{"Fn::Equals": [{"Ref": "AlarmEmail"}, ""]}],
    }
    assert template.body["Parameters"]["AlarmEmail"]["Default"] == ""


def test_what_is_dear_is_there_for_whoever_asks_for_it(template: Template) -> None:
    body = template.body
    assert body["Resources"]["Dashboard"]["Condition"] == body["Outputs"]["DashboardUrl"]["Condition"] == "HasDashboard"
    assert body["Conditions"]["HasDashboard"] == {"Fn::Equals": [{"Ref": "Watch"}, "all"]}
    assert (body["Parameters"]["Watch"]["Default"], body["Parameters"]["Watch"]["AllowedValues"]) == (
        "alarms",
        ["alarms", "all"],
    )


def test_alarms_on_measures_are_about_values_that_are_always_sent(template: Template) -> None:
    for alarm in template.of_type("AWS::CloudWatch::Alarm").values():
        if alarm["Namespace"] == logs.NAMESPACE:
            assert measures.is_trouble(alarm["MetricName"], alarm["Threshold"])


def exists(namespace: str, metric: str, dimension: str, value: str) -> bool:
    """Whether somebody puts this number into CloudWatch: AWS, or a measure of the handler's as it is logged."""
    if namespace in AWS_METRICS:
        of, about, metrics = AWS_METRICS[namespace]
        return (of, metric in metrics) == (dimension, True) and value in (about, "${DeadLetters.QueueName}")
    if metric not in measures.UNITS:
        return False
    record = logging.makeLogRecord({"name": measures.__name__, "measure": (metric, 1)})
    line = json.loads(logs.JsonLine().format(record))
    [directive] = line["_aws"]["CloudWatchMetrics"]
    named = (directive["Namespace"], directive["Metrics"][0]["Name"], directive["Dimensions"])
    return named == (namespace, metric, [[dimension]]) and value == "${Function}"


@pytest.mark.parametrize(
    "number",
    [
        ("AWS/Lambda", "Mistakes", "FunctionName", "${Function}"),
        ("AWS/Lambda", "Errors", "Function", "${Function}"),
        ("RavenDog", "Laughs", "Function", "${Function}"),
        ("RavenDog", "Presses", "FunctionName", "${Function}"),
        ("Ravens", "Presses", "Function", "${Function}"),
    ],
)
def test_a_number_that_nobody_counts_is_found(number: tuple[str, str, str, str]) -> None:
    assert not exists(*number)


def widgets(template: Template) -> list[dict[str, Any]]:
    body = json.loads(text(template.properties("Dashboard")["DashboardBody"]))
    found: list[dict[str, Any]] = body["widgets"]
    return found


def shown(template: Template) -> Iterator[tuple[str, str, str, str]]:
    for widget in widgets(template):
        for metric in widget["properties"].get("metrics", []):
            namespace, name, dimension, value, _ = metric
            yield namespace, name, dimension, value


def test_the_dashboard_shows_numbers_that_exist_and_all_measures(template: Template) -> None:
    numbers = list(shown(template))
    assert [number for number in numbers if not exists(*number)] == []
    assert {name for namespace, name, *_ in numbers if namespace == logs.NAMESPACE} == measures.UNITS.keys()


def test_the_dashboard_shows_what_every_alarm_is_about(template: Template) -> None:
    alarms = template.of_type("AWS::CloudWatch::Alarm")
    [lights] = [widget for widget in widgets(template) if widget["type"] == "alarm"]
    assert set(lights["properties"]["alarms"]) == {f"${{{name}.Arn}}" for name in alarms}
    numbers = set(shown(template))
    for alarm in alarms.values():
        [dimension] = alarm["Dimensions"]
        assert (alarm["Namespace"], alarm["MetricName"], dimension["Name"], text(dimension["Value"])) in numbers


def test_the_widgets_of_the_dashboard_lie_side_by_side(template: Template) -> None:
    cells = [
        (x, y)
        for widget in widgets(template)
        for x in range(widget["x"], widget["x"] + widget["width"])
        for y in range(widget["y"], widget["y"] + widget["height"])
    ]
    assert len(cells) == len(set(cells))
    assert {x for x, _ in cells} == set(range(24))
