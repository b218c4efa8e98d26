"""The operator's programs used wrongly, or where nobody gets into AWS: one sentence says so, and nothing is changed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import (
    EndpointConnectionError,
    NoCredentialsError,
    SSOTokenLoadError,
    TokenRetrievalError,
    UnauthorizedSSOTokenError,
)

from handler import deploy, doctor, operating, remove
from infra.local.botapi.transport import TOKEN
from infra.operator.account import Account, open_account
from tests.aws.operators import STACK, Cloud
from tests.aws.started import SETTINGS, end, programs
from tests.shared import ROOT


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Cloud]:
    yield from programs(monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("program", "settings", "words"),
    [
        (deploy, {"TELEGRAM_TOKEN": ""}, "TELEGRAM_TOKEN=123:abc make deploy"),
        (deploy, {"TELEGRAM_TOKEN": "hello"}, "This is no token: one looks like 123456:ABC"),
        (deploy, {"STACK": "raven dog"}, "STACK is a name of letters, digits and dashes"),
        (doctor, {"STACK": "9"}, "not “9”"),
        (deploy, {"STACK": "aws-bot"}, "STACK cannot begin with aws or ssm"),
        (remove, {"STACK": "SSMraven"}, "STACK cannot begin with aws or ssm"),
        (deploy, {"ROTATE": "no"}, "ROTATE is yes or left out"),
        (deploy, {"ARCHITECTURE": "x86"}, "ARCHITECTURE is arm64 or x86_64"),
        (deploy, {"ALARM_EMAIL": "nobody"}, "ALARM_EMAIL is an address"),
        (deploy, {"FROM": "nowhere.sqlite"}, "FROM: there is no file nowhere.sqlite."),
        (deploy, {"FROM": "sqlite:build"}, "FROM: build is a folder. Is it build/matches.sqlite?"),
        (deploy, {"FROM": "dynamodb:"}, "“dynamodb:” is neither"),
        (deploy, {"PARAMETERS": "KeepDays"}, "“KeepDays” is none"),
        (deploy, {"PARAMETERS": "KeepDays=9 Runtime=python3.9"}, "“Runtime=python3.9” is none"),
        (deploy, {"PARAMETERS": "Keepdays=30"}, "no parameter Keepdays for you to set; it has KeepDays, MemorySize, "),
        (remove, {"TABLE": "keep"}, "TABLE is delete or left out"),
        (remove, {"YES": STACK}, "There is no stack raven-dog in eu-central-1, so nothing was removed."),
    ],
)
def test_wrong_use_is_told_kindly_and_changes_nothing(
    cloud: Cloud,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    program: Any,
    settings: dict[str, str],
    words: str,
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert end(program) == 2
    said = capfd.readouterr()
    assert words in said.err
    assert said.out == ""
    assert cloud.sams == []
    assert cloud.world.calls == []


def test_a_token_that_telegram_does_not_know_is_told_once(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TELEGRAM_TOKEN", "123:unknown")
    assert end(deploy) == 1
    [line] = capfd.readouterr().err.splitlines()
    assert line.startswith("Telegram does not know this token.")
    assert end(doctor) == 1
    assert capfd.readouterr().err == ""


def make(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """What make would do, and does not."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", "--dry-run", *words],
        cwd=ROOT,
        env={**environment, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def test_make_takes_no_token_that_others_can_read() -> None:
    refused = make("deploy", f"TELEGRAM_TOKEN={TOKEN}")
    assert refused.returncode == 2
    assert "TELEGRAM_TOKEN=… make deploy" in refused.stderr
    assert TOKEN not in refused.stdout + refused.stderr
    assert "handler.deploy" in make("deploy", TELEGRAM_TOKEN=TOKEN).stdout


def test_make_says_for_which_processors_there_are_packages() -> None:
    refused = make("package", "ARCHITECTURE=x86")
    assert refused.returncode == 2
    assert 'ARCHITECTURE is arm64 or x86_64, not "x86".' in refused.stderr
    assert "--architecture x86_64" in make("package", "ARCHITECTURE=x86_64").stdout


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"AWS_DEFAULT_REGION": ""}, "make {program} REGION=eu-central-1"),
        ({"REGION": "Frankfurt"}, "AWS has no region “Frankfurt”"),
        ({"REGION": "eu central"}, "AWS has no region “eu central”"),
        ({"REGION": "eu-centrl-1"}, "AWS has no region “eu-centrl-1”"),
        ({"AWS_PROFILE": "nope"}, "AWS_PROFILE is “nope”, and there is no such profile."),
        ({"AWS_SECRET_ACCESS_KEY": ""}, "Only one half of the access key is there."),
        ({"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, "No credentials were found."),
        ({"AWS_CONFIG_FILE": "scribble", "AWS_PROFILE": "some"}, "What the files of the AWS command line say cannot"),
    ],
)
def test_what_is_missing_to_ask_aws_anything_is_named(
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    settings: dict[str, str],
    words: str,
) -> None:
    """With boto3 as it is, which would ask nobody yet."""
    monkeypatch.chdir(tmp_path)
    Path("scribble").write_text("[profile some\n= what")
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("YES", STACK)
    for name, value in settings.items():
        monkeypatch.setenv(name, value) if value else monkeypatch.delenv(name)
    for program in (deploy, doctor, remove):
        assert end(program) == 2
        said = capfd.readouterr()
        assert words.format(program=program.__name__.rpartition(".")[2]) in said.err
        assert said.out == ""


def test_a_region_that_is_newer_than_boto3_is_asked() -> None:
    assert open_account("eu-central-9").region == "eu-central-9"


class Refused:
    """A client without credentials, or with a network that is gone."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        raise self._error


NOTHING_WORKS: dict[str, tuple[Exception, str]] = {
    "no credentials": (NoCredentialsError(), "Are the credentials the right ones"),
    "no login": (UnauthorizedSSOTokenError(), "aws sso login"),
    "a login of long ago": (TokenRetrievalError(provider="sso", error_msg="Token has expired"), "aws sso login"),
    "no session": (SSOTokenLoadError(error_msg="no token"), "aws sso login"),
    "no network, or no such region": (
        EndpointConnectionError(endpoint_url="https://sts.example"),
        "Is this machine onl",
    ),
}


@pytest.mark.parametrize("why", NOTHING_WORKS)
def test_an_account_that_nobody_gets_into_is_told(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], why: str
) -> None:
    error, words = NOTHING_WORKS[why]
    refused: Any = Refused(error)
    account = Account("eu-central-1", *[refused] * 7)
    monkeypatch.setattr(operating, "open_account", lambda region: account)
    monkeypatch.setenv("YES", STACK)
    for program in (deploy, remove):
        assert end(program) == 1
        assert words in capfd.readouterr().err
    assert end(doctor) == 1
    said = capfd.readouterr().out
    assert said.count("✗ Could not look: AWS does not ") == said.count("✗") == said.count(words) == 1
    assert "✓ Token: Telegram knows it" in said
    monkeypatch.delenv("TELEGRAM_TOKEN")
    assert end(doctor) == 1
    assert capfd.readouterr().out.count("\n") == 2, "what is wrong, and how many things are"
