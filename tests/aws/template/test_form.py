"""What the operator is asked for, and told in the end."""

from __future__ import annotations

import re

import pytest

from tests.aws.template.reading import Template, text


def test_every_parameter_is_explained_and_has_its_place(template: Template) -> None:
    parameters = template.body["Parameters"]
    form = template.body["Metadata"]["AWS::CloudFormation::Interface"]
    placed = [name for group in form["ParameterGroups"] for name in group["Parameters"]]
    assert sorted(placed) == sorted(parameters) == sorted(form["ParameterLabels"])
    assert all(it["Description"] and "Default" in it for it in parameters.values())


@pytest.mark.parametrize(
    ("parameter", "good", "bad"),
    [
        ("SecretsVersion", ["1", "3-2", "2026-01-31"], ["", "123456:AA" + "x" * 33, "a b"]),
        ("AlarmEmail", ["", "ada@example.org"], ["ada", "ada@example", "a@b.c d@e.f"]),
        (
            "TelegramApi",
            ["https://api.telegram.org", "https://bots.example.org:8081/api"],
            [
                "http://api.telegram.org",
                "https://api.telegram.org/",
                "https://ada:word@example.org",
                "https://a.b/?c=d",
            ],
        ),
    ],
)
def test_a_parameter_takes_what_it_should(template: Template, parameter: str, good: list[str], bad: list[str]) -> None:
    declared = template.body["Parameters"][parameter]
    # CloudFormation matches the whole value.
    taken = [value for value in (declared["Default"], *good, *bad) if re.fullmatch(declared["AllowedPattern"], value)]
    assert taken == [declared["Default"], *good]


def test_the_outputs_lead_to_everything(template: Template) -> None:
    outputs = template.body["Outputs"]
    assert all(output["Description"] for output in outputs.values())
    assert {name: text(output["Value"]) for name, output in outputs.items() if name != "DashboardUrl"} == {
        "WebhookUrl": "${Webhook.ApiEndpoint}/telegram",
        "HealthUrl": "${Webhook.ApiEndpoint}/healthz",
        "FunctionName": "${Function}",
        "TableName": "${Table}",
        "QueueUrl": "${Queue}",
        "DeadLetterUrl": "${DeadLetters}",
        "ScheduleGroupName": "${ScheduleGroup}",
        "LogGroupName": "${LogGroup}",
    }
    assert text(outputs["DashboardUrl"]["Value"]).endswith("#dashboards/dashboard/${Dashboard}")
