"""Who may do what: the policies say what the code calls, and nothing else."""

from __future__ import annotations

import copy
import re

import pytest

from tests.aws.template.reading import CALLED, SCHEDULES, Template, text, wrong_permissions


def test_the_function_may_do_what_the_code_calls_and_nothing_else(template: Template) -> None:
    assert wrong_permissions(template) == []


@pytest.mark.parametrize("permission", sorted(CALLED), ids=" ".join)
def test_a_permission_that_is_missing_is_found(template: Template, permission: tuple[str, str]) -> None:
    action, arn = permission
    planted = copy.deepcopy(template)
    policy = planted.properties("FunctionRole")["Policies"][0]["PolicyDocument"]
    kept = [each for each in planted.granted("FunctionRole") if each != permission]
    policy["Statement"] = [{"Effect": "Allow", "Action": act, "Resource": on} for act, on in kept]
    assert wrong_permissions(planted) == [f"missing: {action} on {arn}"]


@pytest.mark.parametrize(
    ("action", "arn"),
    [("dynamodb:Scan", "${Table.Arn}"), ("dynamodb:GetItem", "${Table.Arn}/index/due"), ("sqs:*", "*")],
)
def test_a_permission_that_is_not_needed_is_found(template: Template, action: str, arn: str) -> None:
    planted = copy.deepcopy(template)
    policy = planted.properties("FunctionRole")["Policies"][0]["PolicyDocument"]
    policy["Statement"].append({"Effect": "Allow", "Action": [action], "Resource": {"Fn::Sub": arn}})
    assert wrong_permissions(planted) == [f"unused: {action} on {arn}"]


def test_schedules_may_send_to_the_two_queues_and_nothing_else(template: Template) -> None:
    assert sorted(template.granted("ScheduleRole")) == [
        ("sqs:SendMessage", "${DeadLetters.Arn}"),
        ("sqs:SendMessage", "${Queue.Arn}"),
    ]


def test_there_is_no_wildcard_but_for_the_schedules_of_the_own_group(template: Template) -> None:
    granted = [each for role in template.of_type("AWS::IAM::Role") for each in template.granted(role)]
    assert [action for action, _ in granted if "*" in action] == []
    assert {arn for _, arn in granted if "*" in arn} == {SCHEDULES}


def test_every_permission_is_for_something_of_this_stack(template: Template) -> None:
    ours = {*template.body["Resources"], "AWS::StackName"}
    for role in template.of_type("AWS::IAM::Role"):
        for _, arn in template.granted(role):
            assert ours & {name.split(".")[0] for name in re.findall(r"\$\{(.+?)\}", arn)}, arn


def test_the_role_of_the_schedules_is_passed_to_the_scheduler_only(template: Template) -> None:
    [passing] = [each for each in template.statements("FunctionRole") if each["Action"] == "iam:PassRole"]
    assert passing["Condition"] == {"StringEquals": {"iam:PassedToService": "scheduler.amazonaws.com"}}


def test_each_role_is_trusted_to_its_service_for_this_stack_only(template: Template) -> None:
    roles = template.of_type("AWS::IAM::Role")
    assert roles.keys() == {"FunctionRole", "ScheduleRole"}
    [function] = roles["FunctionRole"]["AssumeRolePolicyDocument"]["Statement"]
    assert (function["Principal"], function["Action"]) == ({"Service": "lambda.amazonaws.com"}, "sts:AssumeRole")
    [schedule] = roles["ScheduleRole"]["AssumeRolePolicyDocument"]["Statement"]
    assert (schedule["Principal"], schedule["Action"]) == ({"Service": "scheduler.amazonaws.com"}, "sts:AssumeRole")
    [(comparison, condition)] = schedule["Condition"].items()
    assert comparison == "StringEquals"
    assert {key: text(value) for key, value in condition.items()} == {
        "aws:SourceAccount": "${AWS::AccountId}",
        "aws:SourceArn": "${ScheduleGroup.Arn}",
    }


def test_the_function_is_invoked_by_its_routes_and_its_rule_only(template: Template) -> None:
    api = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${Webhook}/*"
    invokers = {
        (each["Principal"], text(each["SourceArn"])) for each in template.of_type("AWS::Lambda::Permission").values()
    }
    assert invokers == {
        ("apigateway.amazonaws.com", f"{api}/POST/telegram"),
        ("apigateway.amazonaws.com", f"{api}/GET/healthz"),
        ("events.amazonaws.com", "${FunctionSweep.Arn}"),
    }
