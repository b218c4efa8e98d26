"""``make deploy FROM=…``: matches come from elsewhere, and nobody loses anything by it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.games import GAMES
from engine.record import Record, Setup
from handler import deploy
from handler.codec import read_match, write_match
from handler.match import Match, Person
from handler.ports import Item, Place, Pointers, Result
from infra.local.lock import alone
from infra.operator import function
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_people import DynamoPeople
from infra.stores.sqlite import SqliteStore
from infra.stores.sqlite_people import SqlitePeople
from tests.aws.operators import Cloud, Life, Mortal, clients
from tests.aws.started import end, programs


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Cloud]:
    yield from programs(monkeypatch, tmp_path)


def overdue(path: Path, left: float = -3600, told: int = 1) -> Match:
    """A self-hosted file with a match whose deadline passed an hour ago, or is in so many seconds; perhaps untold."""
    now = time.time()
    match = Match(
        id="m1",
        place=Place(-100),
        title="The Aviary",
        game="gravity",
        host=1,
        host_name="Ada",
        stage="playing",
        pace="live",
        seats=(Person(1, "Ada"), Person(2, "Bruno")),
        opened=now - 3700,
        deadline=now + left,
        update=1,
        record=Record(Setup("gravity", GAMES["gravity"].rules, "7" * 64)),
    )
    item = Item("m1", 1, write_match(match), match.deadline, 1, 1, "", told, 0.0, None, 0.0)
    with closing(SqliteStore(path)) as store:
        store.create(item, Pointers(take_place=match.place, add_people=(1, 2)))
    return match


def lag(parsed: dict[str, Any], **_: Any) -> None:
    """Let a query find nothing."""
    parsed.update(Items=[], Count=0)


def test_a_self_hosted_file_is_moved_in_and_nobody_loses_time(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The index lags behind the table, and does not know of the match yet."""
    overdue(tmp_path / "matches.sqlite")
    won = Result("m0", 1, -100, time.time() - 9000, "{}")
    with closing(SqliteStore(tmp_path / "matches.sqlite")) as store:
        SqlitePeople(store.file).add([won])
        SqlitePeople(store.file).keep_profile(1, "{}", None)
    monkeypatch.setenv("FROM", "matches.sqlite")
    clients().dynamodb.meta.events.register("after-call.dynamodb.Query", lag)
    began = time.time()
    try:
        assert end(deploy) == 0
    finally:
        clients().dynamodb.meta.events.unregister("after-call.dynamodb.Query", lag)
    assert "Moved 1 match, 1 of them open. Moved 1 result and 1 profile." in capfd.readouterr().out
    people = DynamoPeople(clients().dynamodb, "matches")
    assert (list(people.of(1)), people.profile(1)) == ([won], "{}")
    item = DynamoStore(clients().dynamodb, "matches", 90, time.time).load("m1")
    assert item is not None
    moved = read_match("m1", item.body)
    assert moved.deadline is not None
    assert began <= moved.deadline - 60 <= time.time()
    assert item.alarm_at is not None
    schedules = clients().scheduler.list_schedules(GroupName="deadlines")["Schedules"]
    assert {schedule["Name"].partition(".")[0] for schedule in schedules} == {"m1"}
    assert not function.find(clients().functions, "bot").stopped


def test_a_match_that_was_stopped_in_the_middle_of_a_telling_has_its_deadline_armed_too(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    match = overdue(tmp_path / "matches.sqlite", left=500, told=0)
    monkeypatch.setenv("FROM", "matches.sqlite")
    assert end(deploy) == 0
    assert match.deadline is not None
    schedules = clients().scheduler.list_schedules(GroupName="deadlines")["Schedules"]
    assert {schedule["Name"] for schedule in schedules} == {f"m1.1.{int(at * 1000)}" for at in (0, match.deadline)}


def test_the_same_command_again_finds_everything_there_and_lets_the_bot_go_on(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The deadline that was put off has changed the match, which is no trouble."""
    overdue(tmp_path / "matches.sqlite")
    monkeypatch.setenv("FROM", "matches.sqlite")
    assert end(deploy) == 0
    store = DynamoStore(clients().dynamodb, "matches", 90, time.time)
    granted = store.load("m1")
    capfd.readouterr()
    assert end(deploy) == 0
    assert "1 match had been moved before, 1 of them gone on since." in capfd.readouterr().out
    assert store.load("m1") == granted
    assert not function.find(clients().functions, "bot").stopped


def test_what_cannot_be_moved_in_leaves_the_bot_standing_until_it_is_deployed_without(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert end(deploy) == 0
    theirs = Item("m2", 1, "{}", None, 1, 1, "", 1, 0.0, None, 0.0)
    DynamoStore(clients().dynamodb, "matches", 90, time.time).create(theirs, Pointers(take_place=Place(-100)))
    overdue(tmp_path / "matches.sqlite")
    monkeypatch.setenv("FROM", "matches.sqlite")
    assert end(deploy) == 1
    said = capfd.readouterr().err
    assert "Match m1: match m2 is in its place." in said
    assert "deploy without FROM" in said
    assert function.find(clients().functions, "bot").stopped
    monkeypatch.delenv("FROM")
    assert end(deploy) == 0
    assert not function.find(clients().functions, "bot").stopped


def test_a_file_is_judged_before_aws_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nobody has credentials here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    Path("README.md").write_text("Raven & Dog " * 100)
    monkeypatch.setenv("FROM", "README.md")
    assert end(deploy) == 2
    said = capfd.readouterr().err
    assert said.endswith("nothing was changed. sqlite:README.md: file is not a database.\n")
    monkeypatch.delenv("FROM")
    assert end(deploy) == 2
    assert "No credentials were found." in capfd.readouterr().err


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("dynamodb:matches", "matches is the stack's own table"),
        ("dynamodb:nowhere", "dynamodb:nowhere: there is no such table"),
        ("other.sqlite", "sqlite:other.sqlite: the file is another program's database"),
        ("host/matches.sqlite", "sqlite:host/matches.sqlite: a bot is running there. Please stop it first."),
    ],
)
def test_a_source_that_is_of_no_use_is_told_before_anything_stands_still(
    cloud: Cloud,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    given: str,
    words: str,
) -> None:
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as database:
        database.execute("CREATE TABLE something (else_ TEXT)")
        database.commit()
    (tmp_path / "host").mkdir()
    overdue(tmp_path / "host" / "matches.sqlite")
    assert end(deploy) == 0
    monkeypatch.setenv("FROM", given)
    life = Mortal.life = Life()
    with alone(tmp_path / "host"):
        assert end(deploy) == 2
    assert words in capfd.readouterr().err
    assert life.changes == []
    assert not function.find(clients().functions, "bot").stopped
