"""The function, what invokes it, and what it is told: as the code expects it."""

from __future__ import annotations

import json
import re
from typing import Any
from unittest.mock import Mock

import pytest

from handler import aws, entry
from handler.webhook import make_app
from infra.aws.settings import Settings, from_environment
from tests.aws.template.reading import Template, text, texts
from tests.shared import ROOT


class Asked(dict[str, str]):
    """An environment that has everything, and remembers what it was asked for."""

    def get(self, name: str, default: Any = None) -> str:
        return self.setdefault(name, "1")


def environment(template: Template) -> dict[str, str]:
    variables = template.properties("Function")["Environment"]["Variables"]
    return {name: text(value) for name, value in variables.items()}


def test_the_environment_holds_what_the_code_reads_and_no_more(template: Template) -> None:
    asked = Asked()
    from_environment(asked)
    assert environment(template).keys() == asked.keys() | {"SECRETS_VERSION", "MEASURES"}


def test_each_name_in_the_environment_is_that_of_what_it_says(template: Template) -> None:
    given = environment(template)
    assert (given["KEEP_DAYS"], given["SECRETS_VERSION"]) == ("${KeepDays}", "${SecretsVersion}")
    assert given["MEASURES"] == "${Watch}"
    assert from_environment({**given, "KEEP_DAYS": "90"}) == Settings(
        table="${Table}",
        keep_days=90,
        queue_url="${Queue}",
        queue_arn="${Queue.Arn}",
        dead_letter_arn="${DeadLetters.Arn}",
        schedule_group="${ScheduleGroup}",
        schedule_role_arn="${ScheduleRole.Arn}",
        token_parameter="/${AWS::StackName}/telegram-token",
        secret_parameter="/${AWS::StackName}/webhook-secret",
        telegram_api="${TelegramApi}",
    )


def test_no_secret_passes_through_the_template(template: Template) -> None:
    inside = {*template.body["Parameters"], *environment(template), *template.body["Outputs"]}
    assert {name for name in inside if re.search("token|secret", name, re.IGNORECASE)} == {
        "SecretsVersion",
        "SECRETS_VERSION",
        "TOKEN_PARAMETER",  # the names of parameters that hold them
        "SECRET_PARAMETER",
    }
    # Neither a value that CloudFormation would fill in, nor one that it was asked not to show.
    assert [each for each in texts(template.body) if "{{resolve:" in each or each == "NoEcho"] == []


def test_lambda_finds_the_entry(template: Template) -> None:
    function = template.properties("Function")
    assert function["Handler"] == f"{entry.__name__}.{entry.handler.__name__}"
    assert "CodeUri: build/package/function.zip" in (ROOT / "template.yaml").read_text(encoding="utf-8")


def test_it_logs_as_json_into_its_own_group_that_forgets(template: Template) -> None:
    logging_config = template.properties("Function")["LoggingConfig"]
    assert text(logging_config["LogGroup"]) == "${LogGroup}"
    # Measures are logged as information: a higher level would lose them.
    assert (logging_config["LogFormat"], logging_config["ApplicationLogLevel"]) == ("JSON", "INFO")
    assert text(template.properties("LogGroup")["RetentionInDays"]) == "${LogDays}"
    assert template.body["Parameters"]["LogDays"]["Default"] in template.body["Parameters"]["LogDays"]["AllowedValues"]


def test_one_timeout_fits_into_the_next(template: Template) -> None:
    timeout = template.properties("Function")["Timeout"]
    # An HTTP API gives up after 30 s; Lambda advises six timeouts of visibility, and refuses less than one.
    assert aws.RESERVE < timeout < 30
    assert template.properties("Queue")["VisibilityTimeout"] >= 6 * timeout


def test_the_routes_are_those_of_the_webhook_and_no_others(template: Template) -> None:
    routes = {
        (method, path)
        for path, methods in template.properties("Webhook")["Body"]["paths"].items()
        for method in methods
    }
    served = {
        (method.lower(), rule.rule)
        for rule in make_app(Mock(), "secret").url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS")
    }
    assert routes == served == {("post", "/telegram"), ("get", "/healthz")}


def test_what_comes_too_fast_is_refused(template: Template) -> None:
    [stage] = template.of_type("AWS::ApiGatewayV2::Stage").values()
    limits = {key: text(value) for key, value in stage["DefaultRouteSettings"].items()}
    assert limits == {"ThrottlingRateLimit": "${RequestsPerSecond}", "ThrottlingBurstLimit": "${RequestBurst}"}


def test_the_queue_hands_over_one_record_at_a_time_and_takes_failures_back(template: Template) -> None:
    [source] = template.of_type("AWS::Lambda::EventSourceMapping").values()
    assert (text(source["EventSourceArn"]), source["BatchSize"]) == ("${Queue.Arn}", 1)
    assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


def test_the_sweep_comes_every_minute_and_is_not_repeated(template: Template, monkeypatch: pytest.MonkeyPatch) -> None:
    [rule] = template.of_type("AWS::Events::Rule").values()
    assert (rule["ScheduleExpression"], rule.get("State", "ENABLED")) == ("rate(1 minute)", "ENABLED")
    [target] = rule["Targets"]
    assert target["RetryPolicy"]["MaximumEventAgeInSeconds"] == 60
    [once] = template.of_type("AWS::Lambda::EventInvokeConfig").values()
    assert (once["MaximumRetryAttempts"], once["MaximumEventAgeInSeconds"]) == (0, 60)
    # And the entry takes it for a sweep.
    swept = Mock()
    monkeypatch.setattr(aws, "_bot", Mock())
    monkeypatch.setattr(aws, "_listen", Mock())
    monkeypatch.setattr(aws, "sweep", swept)
    aws.handler(json.loads(target["Input"]), Mock())
    swept.assert_called_once()
