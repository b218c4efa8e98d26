"""One program at a time at a table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from handler.host import host
from handler.play import play
from infra.local.lock import AlreadyOpen, alone

HOLDER = """
import sys
from pathlib import Path
from infra.local.lock import alone
with alone(Path(sys.argv[1])) as note:
    note("http://127.0.0.1:1")
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_one_is_told_where_the_table_is_open(tmp_path: Path) -> None:
    with alone(tmp_path) as note:
        with pytest.raises(AlreadyOpen, match=r"already open\. "), alone(tmp_path):
            pass
        note("http://127.0.0.1:8080")
        with pytest.raises(AlreadyOpen, match=r"already open at http://127\.0\.0\.1:8080\."), alone(tmp_path):
            pass
    with alone(tmp_path), pytest.raises(AlreadyOpen, match=r"already open\. "), alone(tmp_path):
        pass


def test_a_killed_holder_leaves_the_table_free(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(AlreadyOpen, match=r"127\.0\.0\.1:1\."), alone(tmp_path):
            pass
        holder.kill()
    with alone(tmp_path):
        pass


def test_play_says_so_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAVEN_DOG_VAR", str(tmp_path))
    monkeypatch.setenv("PORT", "0")
    (tmp_path / "play").mkdir()
    with alone(tmp_path / "play") as note:
        note("http://127.0.0.1:8080")
        assert play() == 1
    assert "already open at http://127.0.0.1:8080" in capsys.readouterr().err
    assert [file.name for file in (tmp_path / "play").iterdir()] == ["open.lock"]


def test_host_says_so_and_ends_before_it_asks_telegram_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAVEN_DOG_VAR", str(tmp_path))
    monkeypatch.setenv("TELEGRAM_TOKEN", "1:a")
    monkeypatch.setenv("TELEGRAM_API", "http://127.0.0.1:0")
    (tmp_path / "host").mkdir()
    with alone(tmp_path / "host"):
        assert host() == 1
    assert f"A bot is hosting from {tmp_path}/host already" in capsys.readouterr().err
    assert [file.name for file in (tmp_path / "host").iterdir()] == ["open.lock"]
