"""A log line is JSON, says which match and which update, and nothing that was not meant for it."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from handler import logs
from handler.host import host
from handler.logs import JsonLine
from handler.measures import UNITS, measure
from handler.play import play
from infra.aws.errors import Throttled
from tests.shared import ROOT


def line(message: str, *args: object, error: Exception | None = None, **extra: object) -> dict[str, Any]:
    """What is written for a record with these extras."""
    exc_info = None if error is None else (type(error), error, error.__traceback__)
    record = logging.getLogger("handler.test").makeRecord(
        "handler.test", logging.WARNING, "here.py", 1, message, args, exc_info, extra=extra
    )
    record.created = 1_800_000_000.25
    written = JsonLine().format(record)
    assert "\n" not in written
    parsed: dict[str, Any] = json.loads(written)
    return parsed


def raised() -> Exception:
    """A failure with a cause, both of them talkative."""
    try:
        try:
            raise ValueError("a:raven:7")
        except ValueError as cause:
            raise KeyError("token 123:abc") from cause
    except KeyError as error:
        return error


def test_a_line_carries_the_ids_it_was_given() -> None:
    assert line("Telegram refused a call", match="abcdefgh", update=17) == {
        "timestamp": "2027-01-15T08:00:00.250+00:00",
        "level": "WARNING",
        "logger": "handler.test",
        "message": "Telegram refused a call",
        "match": "abcdefgh",
        "update": 17,
    }


def test_the_kind_of_an_error_is_shown_and_unknown_extras_are_dropped() -> None:
    record = logging.makeLogRecord(
        {"msg": "it failed\n%s", "args": ("here",), "error": "Busy", "seed": "00", "name": "handler.x"}
    )
    shown = json.loads(JsonLine().format(record))
    assert (shown["message"], shown["error"]) == ("it failed\nhere", "Busy")
    assert shown.keys() == {"timestamp", "level", "logger", "message", "error"}


def test_what_is_no_text_and_no_number_is_shown_by_its_type() -> None:
    assert line("odd", match=ValueError("a:raven:7"))["match"] == "ValueError"


def test_a_failure_is_shown_by_its_way_and_its_type_without_its_words() -> None:
    shown = line("telling failed", error=raised(), match="abcdefgh")
    kinds = [step for step in shown["trace"] if " " not in step]
    assert kinds == ["ValueError", "KeyError"]
    assert [step.split(":")[0] for step in shown["trace"] if " " in step] == ["test_logs.py"] * 2
    assert "raven" not in str(shown)
    assert "123" not in str(shown)


def test_a_program_that_installs_it_writes_such_lines_to_standard_error() -> None:
    program = """
import logging
from handler import logs
logs.install()
logging.getLogger("handler.a").info("unheard")
logging.getLogger("handler.a").warning("heard", extra={"match": "abcdefgh", "title": "The Garden"})
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    [written] = done.stderr.splitlines()
    shown = json.loads(written)
    assert (shown["message"], shown["match"], done.stdout) == ("heard", "abcdefgh", "")
    assert "title" not in shown


def test_a_librarys_line_is_shown_without_what_it_fills_in() -> None:
    """What it fills in may be a request, and asyncio writes the repr of a failure into a second line."""
    record = logging.makeLogRecord(
        {"name": "urllib3.connectionpool", "msg": "Retrying after %s\n<Task 123:abc>", "args": ("123:abc",)}
    )
    assert json.loads(JsonLine().format(record))["message"] == "Retrying after %s"


def test_an_error_is_described_by_its_kind_and_its_call() -> None:
    assert logs.kind(ValueError("123:abc")) == {"error": "ValueError", "call": None}
    assert logs.kind(Throttled("PutItem")) == {"error": "Throttled", "call": "PutItem"}
    shown = line("stored late", call="PutItem", phase=3)
    assert (shown["call"], shown["phase"]) == ("PutItem", 3)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What is written where the function's log is installed, and somebody lets every library speak."""
    root, measures = logging.getLogger(), logging.getLogger("handler.measures")
    handlers, level, levels = root.handlers[:], root.level, measures.level
    root.handlers.clear()  # pytest's own: installing would close them
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "raven-dog-Function")
    monkeypatch.setenv("MEASURES", "all")
    logs.install_with_measures()
    root.setLevel(logging.DEBUG)
    yield written
    root.handlers[:] = handlers
    root.setLevel(level)
    measures.setLevel(levels)


def test_on_aws_a_measure_is_a_line_in_cloudwatchs_format(heard: io.StringIO) -> None:
    """By the schema of CloudWatch's embedded metric format: each reference is a member of the root."""
    for name in UNITS:
        measure(name, 1.5)
    for name, text in zip(UNITS, heard.getvalue().splitlines(), strict=True):
        shown = json.loads(text)
        [directive] = shown["_aws"]["CloudWatchMetrics"]
        assert isinstance(shown["_aws"]["Timestamp"], int)
        assert abs(shown["_aws"]["Timestamp"] / 1000 - datetime.fromisoformat(shown["timestamp"]).timestamp()) < 1
        assert directive == {
            "Namespace": "RavenDog",
            "Dimensions": [["Function"]],
            "Metrics": [{"Name": name, "Unit": UNITS[name]}],
        }
        assert (shown[name], shown["Function"], shown["level"]) == (1.5, "raven-dog-Function", "INFO")


def test_unless_all_are_asked_for_a_measure_is_heard_where_it_tells_of_trouble(
    heard: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEASURES", "alarms")
    measure("Presses")
    measure("Conflicts")
    measure("DeliveriesPending", 0)
    measure("DeadlineLateness", 1.5)
    assert heard.getvalue() == ""
    measure("ApiErrors")
    measure("DeliveriesPending", 1)
    measure("DeadlineLateness", 10.5)
    names = [set(UNITS) & json.loads(text).keys() for text in heard.getvalue().splitlines()]
    assert names == [{"ApiErrors"}, {"DeliveriesPending"}, {"DeadlineLateness"}]


def test_below_a_warning_nothing_else_is_heard(heard: io.StringIO) -> None:
    for name in ("botocore.endpoint", "httpx", "handler.table", "handler.measures.x"):
        logging.getLogger(name).debug("a request with %s", "123:abc")
        logging.getLogger(name).info("a request with %s", "123:abc")
    assert heard.getvalue() == ""
    logging.getLogger("handler.table").warning("heard")
    assert json.loads(heard.getvalue())["message"] == "heard"


def test_on_one_machine_measures_are_unheard() -> None:
    program = """
from handler import logs
from handler.measures import measure
logs.install()
measure("Presses")
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_both_programs_install_it_first_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[str] = []
    monkeypatch.setattr("handler.logs.install", lambda: installed.append("once more"))
    monkeypatch.setenv("PORT", "nonsense")
    monkeypatch.delenv("TELEGRAM_TOKEN", raising=False)
    assert (play(), host()) == (2, 2)
    assert len(installed) == 2
