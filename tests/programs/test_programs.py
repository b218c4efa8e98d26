"""The two programs for one machine, run as their users run them, against a stand-in for Telegram over HTTP."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.request import Request, urlopen

import pytest

from infra.local import scene
from infra.local.clock import TableClock
from infra.local.table import LocalTable
from tests.ports import kept
from tests.shared import ROOT

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds after which something awaited counts as never coming; nothing here is timed."""


def until(done: Callable[[], T | None]) -> T:
    """Wait for another process to have done something, and say what."""
    given_up = time.monotonic() + PATIENCE
    while not (found := done()):
        assert time.monotonic() < given_up, "it never came"
        time.sleep(0.02)
    return found


def run(program: str, folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a program that ends by itself."""
    return subprocess.run(
        [sys.executable, "-m", f"handler.{program}"],
        cwd=ROOT,
        env={**os.environ, "RAVEN_DOG_VAR": str(folder), **settings},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


LAUNCHER = """
import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
runpy.run_module(sys.argv[1], run_name="__main__")
"""
"""Starts a program as a terminal would: whatever runs in the background passes on that signals are to be ignored."""


class Running(subprocess.Popen[str]):
    """A program that runs. ``ready`` is its first line."""

    ready = ""


@contextmanager
def running(program: str, folder: Path, ready: str, **settings: str) -> Iterator[Running]:
    """A program that runs until it is told to stop; its first line says that it is ``ready``."""
    process = Running(
        [sys.executable, "-c", LAUNCHER, f"handler.{program}"],
        cwd=ROOT,
        env={**os.environ, "RAVEN_DOG_VAR": str(folder), **settings},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        process.ready = process.stdout.readline()
        assert ready in process.ready
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(PATIENCE)
        assert process.stdout is not None
        process.stdout.close()


@pytest.fixture
def telegram() -> Iterator[LocalTable]:
    """A stand-in for Telegram that no webhook is set for, with a group, two people and the bot in it."""
    table = LocalTable(None, 0, TableClock())
    scene.open_table(table.world)
    try:
        yield table
    finally:
        table.close()


def texts(table: LocalTable, chat: int) -> str:
    return "\n".join(str(message.get("text", "")) for message in table.world.history(chat))


def press(table: LocalTable, user: int, chat: int, label: str) -> None:
    """Wait for a button and press it."""
    found: list[tuple[int, str]] = []

    def look() -> bool:
        for message in reversed(table.world.history(chat)):
            for row in message.get("reply_markup", {}).get("inline_keyboard", []):
                for button in row:
                    if button["text"] == label and "callback_data" in button:
                        found.append((message["message_id"], button["callback_data"]))
                        return True
        return False

    until(look)
    table.world.people.press(user, chat, *found[-1])


def test_a_match_is_hosted_by_long_polling_and_goes_on_after_a_restart(telegram: LocalTable, tmp_path: Path) -> None:
    world, state = telegram.world, telegram.world.desk.state
    group, ada = scene.current_group(state), scene.seated(state)[0]
    settings = {"TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API": telegram.address}
    world.people.start(ada)
    with running("host", tmp_path, "is hosting", **settings) as process:
        press(telegram, ada, group, "Gravity Pandemic")
        press(telegram, ada, group, "Join")
        until(lambda: "Waiting for 1 more" in texts(telegram, group))
        press(telegram, ada, group, "Add a house player")
        press(telegram, ada, group, "Start")
        press(telegram, ada, ada, "Owl")
        until(lambda: "Your choice: Owl." in texts(telegram, ada))
        process.kill()
    with running("host", tmp_path, "is hosting", **settings) as process:
        press(telegram, ada, ada, "🔒 Lock in")
        until(lambda: "Between you and me: the Owl is in seat" in texts(telegram, ada))
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    assert world.violations == []
    assert "Owl" not in texts(telegram, group)


def test_the_host_is_told_what_is_wrong_with_the_token(telegram: LocalTable, tmp_path: Path) -> None:
    missing = run("host", tmp_path, TELEGRAM_TOKEN="")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "TELEGRAM_TOKEN=123:abc make host" in missing.stderr
    malformed = run("host", tmp_path, TELEGRAM_TOKEN="hello")
    assert malformed.returncode == 2
    assert malformed.stderr.startswith("This is no token: one looks like ")
    wrong = run("host", tmp_path, TELEGRAM_TOKEN="1:wrong", TELEGRAM_API=telegram.address)
    assert wrong.returncode == 1
    [line] = wrong.stderr.splitlines()
    assert line.startswith("Telegram does not know this token")
    assert "1:wrong" not in line


def test_the_host_is_told_when_telegram_cannot_be_reached(tmp_path: Path) -> None:
    with kept(1) as [port]:
        offline = run("host", tmp_path, TELEGRAM_TOKEN="1:a", TELEGRAM_API=f"http://127.0.0.1:{port}")
    assert offline.returncode == 1
    assert "Telegram cannot be reached" in offline.stderr
    assert "Traceback" not in offline.stderr


def test_the_table_is_laid_and_says_where(tmp_path: Path) -> None:
    with running("play", tmp_path, "The table is laid: http://127.0.0.1:", PORT="0") as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0


def test_the_table_serves_its_page_on_the_port_that_was_asked_for(tmp_path: Path) -> None:
    with (
        kept(1) as [port],
        running("play", tmp_path, f"http://127.0.0.1:{port} ", PORT=str(port)),
        urlopen(f"http://127.0.0.1:{port}/") as page,
    ):
        assert "Raven &amp; Dog" in page.read().decode()


def test_a_port_that_is_taken_or_none_is_refused_kindly(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = run("play", tmp_path, PORT=str(port))
    assert refused.returncode == 1
    assert f"Port {port} is taken" in refused.stderr
    for nonsense in ("http", "-1", "65536", "8080 "):
        refused = run("play", tmp_path, PORT=nonsense)
        assert refused.returncode == 2
        assert "PORT must be a number" in refused.stderr


class Reader:
    """Who plays at the page of a table that another process has laid."""

    def __init__(self, line: str) -> None:
        found = re.search("http://[0-9.:]+", line)
        assert found is not None
        self._address = found[0]

    def state(self) -> Any:
        with urlopen(f"{self._address}/table/state") as answer:
            return json.load(answer)

    def do(self, what: str, **given: object) -> None:
        body = json.dumps(given).encode()
        urlopen(Request(f"{self._address}/table/{what}", body, {"Content-Type": "application/json"})).close()

    def text(self, chat: int) -> str:
        return "\n".join(str(message.get("text", "")) for message in self.state()["messages"].get(str(chat), ()))

    def press(self, user: int, chat: int, label: str) -> None:
        """Wait for a button and press it."""
        message, data = until(lambda: self._button(chat, label))
        self.do("press", user=user, chat=chat, message=message, data=data)

    def _button(self, chat: int, label: str) -> tuple[int, str] | None:
        for message in reversed(self.state()["messages"].get(str(chat), [])):
            for row in message.get("reply_markup", {}).get("inline_keyboard", []):
                for button in row:
                    if button["text"] == label and "callback_data" in button:
                        return message["message_id"], button["callback_data"]
        return None


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_a_table_opened_again_shows_what_was_said_and_the_match_goes_on(tmp_path: Path, end: signal.Signals) -> None:
    with running("play", tmp_path, "The table is laid", PORT="0") as process:
        page = Reader(process.ready)
        state = page.state()
        group, ada = state["group"]["id"], state["people"][0]["id"]
        page.do("start", user=ada, payload="")
        page.press(ada, group, "Gravity Pandemic")
        page.press(ada, group, "Join")
        until(lambda: "Waiting for 1 more" in page.text(group))
        page.press(ada, group, "Add a house player")
        page.press(ada, group, "Start")
        page.press(ada, ada, "Owl")
        until(lambda: "Your choice: Owl." in page.text(ada))
        said = page.state()["messages"]
        process.send_signal(end)
        process.wait(PATIENCE)
    with running("play", tmp_path, "The table is laid", PORT="0") as process:
        page = Reader(process.ready)
        state = page.state()
        for chat in (str(group), str(ada)):
            assert state["messages"][chat][: len(said[chat])] == said[chat]
        page.press(ada, ada, "🔒 Lock in")
        until(lambda: "Between you and me: the Owl is in seat" in page.text(ada))
        assert page.state()["clock"]["now"] >= state["clock"]["now"]
        assert "Owl" not in page.text(group)


def test_a_signal_closes_the_table_like_a_key(tmp_path: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGHUP):
        with running("play", tmp_path, "The table is laid", PORT="0") as process:
            process.send_signal(number)
            assert process.wait(PATIENCE) == 0


def said_kindly(refused: subprocess.CompletedProcess[str], words: str) -> bool:
    """Whether a program ended with one line for whoever started it."""
    return refused.returncode == 1 and words in refused.stderr and len(refused.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["matches.sqlite", "telegram.sqlite", "clock.sqlite"])
def test_a_damaged_file_is_no_riddle_at_the_table(tmp_path: Path, name: str) -> None:
    (tmp_path / "play").mkdir()
    (tmp_path / "play" / name).write_bytes(b"this is no database" * 100)
    refused = run("play", tmp_path, PORT="0")
    assert said_kindly(refused, f"What is kept in {tmp_path / 'play'} cannot be used ({name}: ")


def test_a_file_damaged_in_its_middle_is_no_riddle_at_the_table(tmp_path: Path) -> None:
    file = tmp_path / "play" / "telegram.sqlite"
    with running("play", tmp_path, "The table is laid", PORT="0") as process:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    with sqlite3.connect(file) as database:
        database.execute("UPDATE rows SET body = '{' WHERE kind = 'user'")
    database.close()
    assert said_kindly(run("play", tmp_path, PORT="0"), "cannot be used (telegram.sqlite: ")


def test_a_damaged_file_is_no_riddle_to_the_host(telegram: LocalTable, tmp_path: Path) -> None:
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "matches.sqlite").write_bytes(b"this is no database" * 100)
    refused = run("host", tmp_path, TELEGRAM_TOKEN=telegram.token, TELEGRAM_API=telegram.address)
    assert said_kindly(refused, f"What is kept in {tmp_path / 'host'} cannot be used (matches.sqlite: ")


@pytest.mark.parametrize("program", ["play", "host"])
def test_a_folder_that_cannot_be_written_is_no_riddle(telegram: LocalTable, tmp_path: Path, program: str) -> None:
    (tmp_path / "file").write_text("no folder")
    settings = {"PORT": "0", "TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API": telegram.address}
    refused = run(program, tmp_path / "file", **settings)
    assert said_kindly(refused, f"Nothing can be kept in {tmp_path / 'file' / program} (Not a directory)")


@pytest.mark.parametrize("program", ["play", "host"])
def test_a_store_that_cannot_be_opened_is_no_riddle(telegram: LocalTable, tmp_path: Path, program: str) -> None:
    (tmp_path / program / "matches.sqlite").mkdir(parents=True)
    settings = {"PORT": "0", "TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API": telegram.address}
    refused = run(program, tmp_path, **settings)
    assert said_kindly(refused, f"What is kept in {tmp_path / program} cannot be opened right now (SQLite: ")
