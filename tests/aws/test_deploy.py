"""``make deploy``: what it sets up, that a second one changes nothing, and that it finishes what one left undone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from handler.updates import KINDS
from infra.aws.settings import Settings
from infra.local.botapi.transport import TOKEN
from infra.operator import function, secrets, stack
from infra.operator.deployment import StackBusy, TableGone
from infra.operator.stack import SamFailed
from infra.operator.wheels import NoWheels, install
from tests.aws.operators import (
    ENDPOINT,
    PARAMETERS,
    STACK,
    Cloud,
    Died,
    Life,
    account,
    clients,
    delete_table,
    in_status,
)
from tests.shared import ROOT


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    with account():
        yield Cloud()


def names(findings: object) -> list[str]:
    assert isinstance(findings, list)
    return [finding.name for finding in findings]


def kept(name: str) -> secrets.Kept:
    found = secrets.kept(clients().ssm, STACK, name)
    assert found is not None
    return found


def telegram(cloud: Cloud) -> dict[str, object]:
    """All that is set in Telegram."""
    return {name: value for name, value in cloud.world.desk.state.settings.items() if name != "update"}


def all_there(cloud: Cloud) -> None:
    """That everything is as a deployment leaves it, whatever came before."""
    token, secret = kept(secrets.TOKEN), kept(secrets.SECRET)
    assert token.value == TOKEN
    webhook = cloud.world.desk.state.settings["webhook"]
    assert webhook["url"] == f"{ENDPOINT}/telegram?secret={secret.mark}"
    assert webhook["secret"] == secret.value
    assert webhook["allowed_updates"] == list(KINDS)
    assert webhook["max_connections"] == 40
    running = function.find(clients().functions, "bot")
    assert running.environment["SECRETS_VERSION"] == secrets.secrets_version(token, secret)
    assert not running.stopped
    settings = cloud.world.desk.state.settings
    for menu, some in (
        ("all_private_chats", {"practise", "matches", "help"}),
        ("all_group_chats", {"new", "dog", "gravity", "help"}),
        ("all_chat_administrators", {"new", "pick", "cancel"}),
    ):
        for language in ("", " es"):
            assert some <= {command["command"] for command in settings[f"commands {menu}{language}"]["commands"]}
    assert "secret choices" in settings["description"]["description"]
    assert "decisiones secretas" in settings["description es"]["description"]
    assert settings["short_description"]["short_description"]
    assert settings["rights groups"]["can_pin_messages"]
    assert cloud.world.violations == []


def test_a_first_deployment_sets_everything_up(cloud: Cloud) -> None:
    said = names(cloud.deploy())
    assert said[-1] == "ready"
    assert {"secrets_written", "deployed", "webhook_set", "face_set"} <= set(said)
    all_there(cloud)
    [arguments] = cloud.sams
    assert arguments[:5] == ("deploy", "--stack-name", STACK, "--region", "eu-central-1")


def test_a_second_deployment_changes_nothing(cloud: Cloud) -> None:
    cloud.deploy()
    before, life = telegram(cloud), Life()
    said = names(cloud.deploy(life))
    assert life.changes == []
    assert telegram(cloud) == before
    assert {"secrets_kept", "webhook_kept", "face_kept"} <= set(said)


MOMENTS = 30
"""At which a first deployment could die; the last of them is after its end."""
INTRODUCED = 8
"""From this one on only the bot's menus, texts and rights are set, each like the others."""


def test_there_are_as_many_moments_to_die_at_as_are_tried(cloud: Cloud) -> None:
    life = Life()
    cloud.deploy(life)
    assert life.moments == MOMENTS


@pytest.mark.parametrize("last", [*range(INTRODUCED), *range(INTRODUCED, MOMENTS, 3), MOMENTS - 1])
def test_a_deployment_that_died_anywhere_is_finished_by_the_next(cloud: Cloud, last: int) -> None:
    with pytest.raises(Died):
        cloud.deploy(Life(last))
    cloud.deploy()
    all_there(cloud)
    life = Life()
    cloud.deploy(life)
    assert life.changes == []


def test_a_webhook_that_somebody_else_set_is_set_again(cloud: Cloud) -> None:
    cloud.deploy()
    cloud.world.call("setWebhook", {"url": "https://elsewhere.example/"})
    life = Life()
    assert "webhook_set" in names(cloud.deploy(life))
    assert life.changes == ["set_webhook"]
    all_there(cloud)


def test_sam_that_fails_ends_the_deployment(cloud: Cloud) -> None:
    cloud.sam_fails = True
    with pytest.raises(SamFailed):
        cloud.deploy()
    assert "webhook" not in cloud.world.desk.state.settings
    cloud.sam_fails = False
    cloud.deploy()
    all_there(cloud)


def leave_stack(status: str) -> None:
    """Let there be a stack without outputs in a status in which moto leaves none."""
    template = '{"Resources": {"Room": {"Type": "AWS::SQS::Queue"}}}'
    clients().cloudformation.create_stack(StackName=STACK, TemplateBody=template)
    in_status(status)


@pytest.mark.parametrize("status", ["ROLLBACK_COMPLETE", "CREATE_FAILED"])
def test_what_a_first_deployment_that_failed_has_left_is_cleared_away(cloud: Cloud, status: str) -> None:
    leave_stack(status)
    assert "clearing" in names(cloud.deploy())
    all_there(cloud)


def test_a_stack_that_cloudformation_works_on_is_left_alone(cloud: Cloud) -> None:
    leave_stack("UPDATE_IN_PROGRESS")
    with pytest.raises(StackBusy, match="UPDATE_IN_PROGRESS"):
        cloud.deploy()
    assert cloud.sams == []


def test_a_stack_that_was_only_named_is_begun_again(cloud: Cloud) -> None:
    leave_stack("REVIEW_IN_PROGRESS")
    cloud.sam_fails = True  # moto makes none where there is one
    with pytest.raises(SamFailed):
        cloud.deploy()
    assert len(cloud.sams) == 1


@pytest.mark.parametrize(
    ("status", "error"), [("DELETE_FAILED", stack.HalfDeleted), ("UPDATE_ROLLBACK_FAILED", stack.HalfTakenBack)]
)
def test_a_stack_that_cannot_be_deployed_to_is_left_alone(
    cloud: Cloud, status: str, error: type[stack.HalfDeleted | stack.HalfTakenBack]
) -> None:
    cloud.deploy()
    in_status(status)
    life = Life()
    with pytest.raises(error, match=STACK):
        cloud.deploy(life, rotate=True)
    assert life.changes == []


def test_a_table_that_is_gone_is_told_before_anything_is_changed(cloud: Cloud) -> None:
    cloud.deploy()
    delete_table()
    life = Life()
    with pytest.raises(TableGone, match="matches"):
        cloud.deploy(life, rotate=True)
    assert life.changes == []


def test_matches_are_moved_while_nothing_runs_and_resumed_before_it_does(cloud: Cloud) -> None:
    order: list[tuple[str, bool]] = []

    def stopped() -> bool:
        return function.find(clients().functions, "bot").stopped

    def move(settings: Settings) -> None:
        order.append((f"move to {settings.table}", stopped()))

    said = cloud.deploy(move=move, resume=lambda settings: order.append(("resume", stopped())))
    assert order == [("move to matches", True), ("resume", True)]
    assert "moved" in names(said)
    all_there(cloud)


def test_whoever_was_given_time_is_told_as_soon_as_the_bot_runs(cloud: Cloud) -> None:
    """By the sweep that the minute's rule starts otherwise, a minute late."""
    cloud.deploy()
    invoked: list[dict[str, Any]] = []
    watch = lambda params, **_: invoked.append(params)  # noqa: E731
    clients().functions.meta.events.register("provide-client-params.lambda.Invoke", watch)
    life = Life()
    cloud.deploy(life, move=lambda settings: None)
    clients().functions.meta.events.unregister("provide-client-params.lambda.Invoke", watch)
    assert life.changes == ["PutFunctionConcurrency", "DeleteFunctionConcurrency", "Invoke"]
    assert invoked == [{"FunctionName": "bot", "InvocationType": "Event", "Payload": sweep_of_the_rule()}]


def sweep_of_the_rule() -> bytes:
    """What template.yaml lets the rule send every minute."""
    [sent] = re.findall("Input: '(.*sweep.*)'", (ROOT / "template.yaml").read_text("utf-8"))
    return str(sent).encode()


def test_a_stop_lasts_until_nothing_can_run_any_more(cloud: Cloud) -> None:
    cloud.deploy()
    waited: list[float] = []
    function.stop(clients().functions, function.find(clients().functions, "bot"), waited.append)
    assert waited == [29 + 5]


@pytest.mark.parametrize("last", range(7, 12))
def test_a_bot_that_was_left_standing_is_resumed_and_runs_again(cloud: Cloud, last: int) -> None:
    with pytest.raises(Died):
        cloud.deploy(Life(last), move=lambda settings: None)
    resumed: list[str] = []
    cloud.deploy(resume=lambda settings: resumed.append(settings.table))
    all_there(cloud)


def test_a_stopped_bot_runs_again_after_its_deadlines_were_put_off(cloud: Cloud) -> None:
    cloud.deploy()
    functions = clients().functions
    function.stop(functions, function.find(functions, "bot"), lambda seconds: None)
    resumed: list[str] = []
    assert "resumed" in names(cloud.deploy(resume=lambda settings: resumed.append(settings.table)))
    assert resumed == ["matches"]
    all_there(cloud)


def give_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``make deploy TELEGRAM_TOKEN=…`` gives it."""
    monkeypatch.setenv("TELEGRAM_TOKEN", TOKEN)
    for name in ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS"):
        monkeypatch.setenv(name, f" -- REGION=eu-central-1 TELEGRAM_TOKEN={TOKEN}")


def test_pip_is_run_without_the_token(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    python, lock = tmp_path / "python", tmp_path / "lock.txt"
    python.write_text('#!/bin/sh\necho "pip: $3" >&2\nenv >&2\nexit 1\n')
    python.chmod(0o755)
    lock.touch()
    monkeypatch.setattr(sys, "executable", str(python))
    give_token(monkeypatch)
    with pytest.raises(NoWheels, match="pip: download") as refused:
        install(lock, "arm64", tmp_path / "wheels", tmp_path / "target")
    assert TOKEN not in str(refused.value)


def test_sam_is_run_without_the_token_and_tells_nobody_about_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sam = tmp_path / "python"
    sam.write_text('#!/bin/sh\necho "$*"\necho "telemetry $SAM_CLI_TELEMETRY"\nenv\nexit 3\n')
    sam.chmod(0o755)
    monkeypatch.setattr(stack, "SAM", sam)
    give_token(monkeypatch)
    assert stack.run_sam(("deploy", "--stack-name", STACK)) == 3
    said = capfd.readouterr().out
    assert said.startswith("-m samcli deploy --stack-name raven-dog\ntelemetry 0\n")
    assert TOKEN not in said
    sam.unlink()
    assert stack.run_sam(("deploy",)) == stack.NO_SAM


def test_sam_understands_what_it_is_told(cloud: Cloud) -> None:
    if not stack.SAM.exists():
        pytest.skip("SAM's environment, build/sam, is not there; make test makes it")
    cloud.deploy()
    [(command, *words)] = cloud.sams
    assert command == "deploy"
    look = (
        "import json, sys\n"
        "from samcli.commands.deploy.command import cli\n"
        "understood = cli.make_context('deploy', sys.argv[1:]).params\n"
        "print(json.dumps([understood[name] for name in ('stack_name', 'parameter_overrides')]))\n"
    )
    environment = {"HOME": "/nonexistent", "AWS_DEFAULT_REGION": "eu-central-1", "SAM_CLI_TELEMETRY": "0"}
    said = subprocess.run(
        [stack.SAM, "-c", look, *words], capture_output=True, text=True, check=True, env=environment, cwd=ROOT
    )
    version = secrets.secrets_version(kept(secrets.TOKEN), kept(secrets.SECRET))
    assert json.loads(said.stdout) == [STACK, {**PARAMETERS, "SecretsVersion": version}]
