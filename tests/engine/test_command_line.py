"""``python3 -m engine`` as a program: what it prints, how it exits, and that it needs nothing but Python."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.chance import commitment
from engine.documents import commitments, export
from tests.engine.lines import NIGHT
from tests.engine.matches import finished, house_players
from tests.shared import ROOT

SEED = bytes(range(32))


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    # -S leaves every installed package out of reach.
    command = [sys.executable, "-S", "-m", "engine", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, cwd=ROOT, check=False)
    assert b"Traceback" not in done.stderr
    return done


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("with a space") / "record.json"
    file.write_text(json.dumps(export(finished(SEED, house_players(SEED))[0], ("Ann", "Bob"))))
    return file


def only_line(output: bytes) -> Any:
    (line,) = output.splitlines()
    value = json.loads(line)
    assert line.decode() == json.dumps(value, sort_keys=True, separators=(",", ":"))
    return value


def test_adjudicate_answers_line_by_line() -> None:
    good = json.dumps({"kind": "gravity/night", "input": NIGHT}).encode()
    fine = run("adjudicate", stdin=good + b"\n\n" + good)
    assert fine.returncode == 0
    assert len(fine.stdout.splitlines()) == 2
    mixed = run("adjudicate", stdin=b"bad\n" + good + b"\n\xff\n")
    assert mixed.returncode == 1
    assert ["error" in json.loads(line) for line in mixed.stdout.splitlines()] == [True, False, True]


def test_replay_and_verify_print_one_canonical_object(record: Path) -> None:
    replayed, verified = run("replay", str(record)), run("verify", str(record), "--commitment", commitment(SEED))
    assert (replayed.returncode, verified.returncode) == (0, 0)
    assert replayed.stdout == verified.stdout
    assert only_line(replayed.stdout)["ok"] is True


def test_what_is_wrong_gives_status_1(record: Path, tmp_path: Path) -> None:
    refused = run("verify", str(record), "--commitment", "00" * 32)
    assert refused.returncode == 1
    assert only_line(refused.stdout)["at"] == "seed"
    for content in (b"{", b"[" * 100_000, b"\xff", b"", b'{"format": "raven-dog/1", "format": "raven-dog/1"}'):
        broken = tmp_path / "broken.json"
        broken.write_bytes(content)
        for command in ("replay", "verify"):
            done = run(command, str(broken))
            assert done.returncode == 1
            assert only_line(done.stdout)["at"] == "format"


def test_an_episode_takes_the_commitment_twice() -> None:
    kept = ROOT / "tests" / "records" / "dog-rules-2.json"
    posted = [f"--commitment={each}" for each in commitments(json.loads(kept.read_text()))]
    verified = run("verify", str(kept), *posted)
    assert (verified.returncode, verified.stdout) == (0, (kept.parent / "outcomes" / kept.name).read_bytes())
    turned = run("verify", str(kept), *reversed(posted))
    assert turned.returncode == 1
    assert only_line(turned.stdout)["at"] == "main.seed"


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_file_that_cannot_be_read_gives_status_2(command: str, tmp_path: Path) -> None:
    for file in (tmp_path, tmp_path / "absent"):
        done = run(command, str(file))
        assert done.returncode == 2
        assert done.stdout == b""
        assert b"cannot be read" in done.stderr


LINE = json.dumps({"kind": "gravity/night", "input": NIGHT}).encode() + b"\n"


def shell(redirections: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """A command as a shell starts it, with its standard files redirected."""
    words = shlex.join([sys.executable, "-S", "-m", "engine", *arguments])
    done = subprocess.run(f"{words} {redirections}", shell=True, input=LINE, capture_output=True, cwd=ROOT, check=False)
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
    return done


FULL = pytest.param(">/dev/full", marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full"))


@pytest.mark.parametrize("redirection", ["<&-", ">&-", FULL])
def test_nothing_to_read_from_or_to_answer_to_gives_status_2(redirection: str) -> None:
    done = shell(redirection, "adjudicate")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("redirection", [">&-", FULL])
def test_nowhere_to_print_an_outcome_gives_status_2(redirection: str, record: Path) -> None:
    done = shell(redirection, "replay", str(record))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_record_needs_no_standard_input(record: Path) -> None:
    assert shell("<&-", "replay", str(record)).returncode == 0


def test_input_that_cannot_be_read_gives_status_2(tmp_path: Path) -> None:
    # Python itself refuses to start with a directory as its standard input, so it is put there later.
    late = "import os, sys; from engine.__main__ import main; os.dup2(os.open(sys.argv[1], 0), 0)"
    command = [sys.executable, "-S", "-c", f"{late}; sys.exit(main(['adjudicate']))", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"cannot go on: Is a directory\n"


def test_a_reader_that_goes_away_is_no_accident() -> None:
    lines = json.dumps({"kind": "gravity/night", "input": NIGHT}).encode() + b"\n"
    command = [sys.executable, "-S", "-m", "engine", "adjudicate"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as program:
        assert program.stdin
        assert program.stdout
        assert program.stderr
        program.stdin.write(lines)
        program.stdin.flush()
        assert b"responses" in program.stdout.readline()  # each answer comes without waiting for the next question
        program.stdout.close()
        program.stdin.write(lines * 2)
        program.stdin.close()
        assert program.stderr.read() == b""
        assert program.wait() == 1


def test_help_says_what_there_is() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert all(command in done.stdout for command in (b"adjudicate", b"replay", b"verify"))
    assert run().returncode == 2
