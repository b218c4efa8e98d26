"""The operator's programs as they are started: what they take, what they say, how they end, what they keep quiet."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from handler import deploy, doctor, remove
from handler.words import catalogue
from infra.local.botapi.transport import TOKEN
from infra.operator import package, secrets
from tests.aws.operators import STACK, Cloud, Life, Mortal, clients
from tests.aws.started import end, programs
from tests.shared import ROOT


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Cloud]:
    yield from programs(monkeypatch, tmp_path)


def secret() -> str:
    kept = secrets.kept(clients().ssm, STACK, secrets.SECRET)
    assert kept is not None
    return kept.value


def test_a_bot_is_deployed_found_well_and_removed(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert end(deploy) == 0
    assert "@raven_and_dog_bot is hosting. Add it to a group and send /new there.\n" in capfd.readouterr().out
    assert end(doctor) == 0
    assert capfd.readouterr().out.endswith("All is well.\n")
    monkeypatch.setenv("YES", STACK)
    assert end(remove) == 0
    said = capfd.readouterr().out
    assert "The table matches stays, with its backups." in said
    assert re.search(r"What was exported is in export/raven-dog/[-0-9TZ]+\.", said)
    assert end(doctor) == 1
    assert "✗ There is no stack raven-dog in eu-central-1." in capfd.readouterr().out


def test_no_secret_is_printed(cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    kept = set()
    for settings in ({}, {"ROTATE": "yes"}, {}):
        monkeypatch.delenv("ROTATE", raising=False)
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        end(deploy)
        kept.add(secret())
        end(doctor)
    clients().ssm.put_parameter(
        Name=f"/{STACK}/webhook-secret", Value="half-rotated", Type="SecureString", Overwrite=True
    )
    cloud.world.call("setWebhook", {"url": "https://elsewhere.example/", "secret_token": "elsewhere-secret"})
    end(doctor)
    monkeypatch.setenv("TELEGRAM_TOKEN", "1:wrong-token")
    assert end(deploy) == 2
    end(doctor)
    monkeypatch.setenv("TELEGRAM_TOKEN", f"{TOKEN.partition(':')[0]}:wrong-token")
    assert end(deploy) == 1
    end(doctor)
    monkeypatch.setenv("YES", STACK)
    end(remove)
    said = "".join(capfd.readouterr())
    assert len(kept) == 2
    for hidden in (TOKEN, TOKEN.partition(":")[2], *kept, "half-rotated", "elsewhere-secret", "wrong-token"):
        assert hidden not in said


@contextmanager
def nobody_listens(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whoever read what is said is gone, as after ``make doctor | head -1``. What is said at the end counts too."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as gone, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", gone)
        yield


def test_whoever_has_heard_enough_is_told_no_more(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with nobody_listens(monkeypatch):
        assert end(doctor) == 1
    with nobody_listens(monkeypatch):
        assert package.main(["--architecture", "arm64", "--output", str(deploy.PACKAGE)]) == 0
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("yes", ["", "yes"])
def test_nothing_is_removed_that_nobody_confirms(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], yes: str
) -> None:
    assert end(deploy) == 0
    monkeypatch.setenv("YES", yes)
    life = Mortal.life = Life()
    assert end(remove) == 2
    assert "To confirm, type the stack's name, or give it: YES=raven-dog make remove" in capfd.readouterr().err
    assert life.changes == []
    assert not Path("export").exists()


def test_where_only_secrets_are_left_these_are_removed_and_no_empty_folder_is_made(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What a first deployment leaves that died before CloudFormation was asked for anything."""
    secrets.put(clients().ssm, STACK, secrets.TOKEN, TOKEN)
    monkeypatch.setenv("YES", STACK)
    assert end(remove) == 0
    said = capfd.readouterr().out
    assert said == "✓ Both secrets are deleted.\n· There is no stack raven-dog here.\n"
    assert not Path("export").exists()
    assert end(remove) == 2
    assert "Is it another region (REGION=…) or name (STACK=…)?" in capfd.readouterr().err


def test_a_token_need_not_be_given_again(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    assert end(deploy) == 0
    monkeypatch.delenv("TELEGRAM_TOKEN")
    version = cloud.deployed["SecretsVersion"]
    assert end(deploy) == 0
    assert cloud.deployed["SecretsVersion"] == version


def test_every_command_of_aws_that_is_printed_says_for_which_region() -> None:
    texts = [
        text for key, entry in catalogue("en").entries.items() if key.startswith("operator.") for text in entry.forms
    ]
    said = [line for text in texts for line in text.splitlines()]
    printed = [line for line in said if re.search(r"\baws (dynamodb|sqs|cloudformation) ", line)]
    assert len(printed) > 4
    assert [line for line in printed if "--region {region}" not in line] == []


def test_sam_that_fails_is_told(cloud: Cloud, capfd: pytest.CaptureFixture[str]) -> None:
    cloud.sam_fails = True
    assert end(deploy) == 1
    assert "SAM could not deploy" in capfd.readouterr().err


def test_a_key_that_ends_a_program_is_no_riddle(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupt(architecture: object, output: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(package, "build", interrupt)
    assert end(deploy) == 1
    assert capfd.readouterr().err == "Interrupted. What is done stays done; run it again to go on.\n"


def test_another_bot_does_not_take_the_place_of_one_that_has_matches(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert end(deploy) == 0
    monkeypatch.setenv("TELEGRAM_TOKEN", "1:other")
    assert end(deploy) == 2
    assert "another bot's than the one of the stack raven-dog" in capfd.readouterr().err
    assert len(cloud.sams) == 1
    kept = secrets.kept(clients().ssm, STACK, secrets.TOKEN)
    assert kept is not None
    assert kept.value == TOKEN


def test_what_is_given_reaches_the_template(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ALARM_EMAIL", "host@example.org")
    monkeypatch.setenv("PARAMETERS", "KeepDays=30 MemorySize=1024")
    monkeypatch.setenv("TELEGRAM_API", "https://telegram.example.org")
    monkeypatch.setenv("ARCHITECTURE", "x86_64")
    assert end(deploy) == 0
    assert (
        cloud.deployed.items()
        >= {
            "AlarmEmail": "host@example.org",
            "KeepDays": "30",
            "MemorySize": "1024",
            "TelegramApi": "https://telegram.example.org",
            "Architecture": "x86_64",
        }.items()
    )
    assert "Alarms are told to host@example.org" in capfd.readouterr().out


def test_an_address_that_a_shell_has_for_other_things_is_told_no_alarm(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMAIL", "me@example.org")
    assert end(deploy) == 0
    assert "AlarmEmail" not in cloud.deployed


def test_what_is_for_the_one_time_is_taken_back_the_next_time(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """SAM leaves a parameter as it was that it is told nothing of."""
    for name, value in {"TELEGRAM_API": "https://telegram.example.org", "ARCHITECTURE": "x86_64"}.items():
        monkeypatch.setenv(name, value)
        assert end(deploy) == 0
        monkeypatch.delenv(name)
    assert end(deploy) == 0
    assert (cloud.deployed["TelegramApi"], cloud.deployed["Architecture"]) == ("https://api.telegram.org", "arm64")


PROGRAMS = {"deploy": ("deployment",), "remove": ("removal",), "doctor": ("diagnosis", "checks_")}


def findings(program: str) -> Iterator[tuple[str, frozenset[str] | None]]:
    """Every finding in the code of a program, with the names of its values (None where they are spread)."""
    for path in sorted((ROOT / "infra" / "operator").glob("*.py")):
        if path.stem.startswith(PROGRAMS[program]):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("fine", "note", "wrong"):
                    given = [keyword.arg for keyword in node.keywords]
                    values = None if None in given else frozenset(filter(None, given))
                    for word in ast.walk(node.args[0]):
                        if isinstance(word, ast.Constant):
                            yield str(word.value), values


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_finding_has_its_sentence_with_its_values_and_every_sentence_is_said(program: str) -> None:
    found = dict(findings(program))
    sentences = {
        key.split(".")[2]: entry
        for key, entry in catalogue("en").entries.items()
        if key.startswith(f"operator.{program}.")
    }
    said_by_programs = {"doctor": {"well", "ailing"}, "remove": {"where", "unknown_rules"}, "deploy": set()}[program]
    by_variable = {"failure", "failure_secret"} if program == "doctor" else set()
    assert sentences.keys() - said_by_programs - by_variable == found.keys() - {"key"}
    for name, values in found.items():
        assert values is None or sentences[name].fields == values, name
