"""``make remove``: nothing is lost, nothing stays but what is kept on purpose, and one that died is finished."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.documents import verify
from engine.games import GAMES
from engine.record import Record, Setup
from handler.codec import write_match
from handler.match import Match, Person, Stage
from handler.ports import Item, Place, Pointers, Result
from handler.remove import export
from infra.local.botapi.faults import line
from infra.operator import function, secrets, stack
from infra.operator.deployment import StackBusy, TableGone
from infra.operator.removal import Exported
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_people import DynamoPeople
from infra.stores.sqlite import SqliteStore
from infra.stores.sqlite_people import SqlitePeople
from tests.aws.operators import STACK, Cloud, Died, Life, account, clients, in_status
from tests.aws.test_deploy import names


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    with account():
        cloud = Cloud()
        cloud.deploy()
        yield cloud


def seat(number: int, stage: Stage, *, rules: int = GAMES["gravity"].rules) -> str:
    """Keep a match of two, and return its id."""
    record = None if stage == "lobby" else Record(Setup("gravity", rules, f"{number:064x}"))
    match = Match(
        id=f"m{number}",
        place=Place(-100 - number),
        title="The Aviary",
        game="gravity",
        host=1,
        host_name="Ada",
        stage=stage,
        pace="live",
        seats=(Person(1, "Ada"), Person(2, "Bruno")),
        opened=1000.0,
        deadline=None,
        update=number,
        record=record,
    )
    ended = None if stage in ("lobby", "playing") else time.time()
    item = Item(match.id, 1, write_match(match), None, 1, 1, "", 1, 0.0, None, 0.0, ended)
    place = None if ended else match.place
    DynamoStore(clients().dynamodb, "matches", 90, time.time).create(item, Pointers(take_place=place))
    return match.id


def there(name: str = STACK) -> dict[str, Any]:
    """What there still is."""
    tables = clients().dynamodb.list_tables()["TableNames"]
    kept = [name for name in secrets.BOTH if secrets.kept(clients().ssm, STACK, name)]
    return {"stack": stack.find(clients().cloudformation, name) is not None, "tables": tables, "secrets": kept}


def webhook(cloud: Cloud) -> str:
    return str(cloud.world.desk.state.settings["webhook"]["url"])


def nothing(table: str) -> Exported:
    return Exported(0, 0)


def test_everything_goes_but_the_table(cloud: Cloud) -> None:
    said = names(cloud.remove(nothing))
    assert there() == {"stack": False, "tables": ["matches"], "secrets": []}
    assert webhook(cloud) == ""
    assert clients().dynamodb.describe_table(TableName="matches")["Table"]["DeletionProtectionEnabled"]
    assert {"webhook_deleted", "exported", "table_stays", "secrets_deleted", "stack_deleted"} <= set(said)


def test_the_table_goes_if_it_is_asked_for(cloud: Cloud) -> None:
    assert "table_deleted" in names(cloud.remove(nothing, with_table=True))
    assert there() == {"stack": False, "tables": [], "secrets": []}


def test_nothing_runs_and_telegram_brings_nothing_when_matches_are_exported(cloud: Cloud) -> None:
    seen: list[tuple[str, bool, str]] = []

    def look(table: str) -> Exported:
        seen.append((table, function.find(clients().functions, "bot").stopped, webhook(cloud)))
        return Exported(0, 0)

    cloud.remove(look)
    assert seen == [("matches", True, "")]


class Unreadable(Exception):
    pass


def test_what_cannot_be_exported_is_not_deleted(cloud: Cloud) -> None:
    def fail(table: str) -> Exported:
        raise Unreadable

    with pytest.raises(Unreadable):
        cloud.remove(fail, with_table=True)
    assert there() == {"stack": True, "tables": ["matches"], "secrets": list(secrets.BOTH)}
    cloud.deploy()
    assert not function.find(clients().functions, "bot").stopped
    assert webhook(cloud) != ""


@pytest.mark.parametrize("last", range(14))
def test_a_removal_that_died_anywhere_is_finished_by_the_next(cloud: Cloud, last: int) -> None:
    exported: list[str] = []

    def remember(table: str) -> Exported:
        exported.append(table)
        return Exported(0, 0)

    with pytest.raises(Died):
        cloud.remove(remember, Life(last), with_table=True)
    cloud.remove(remember, with_table=True)
    assert there() == {"stack": False, "tables": [], "secrets": []}
    assert webhook(cloud) == ""
    assert exported


def test_there_are_as_many_moments_to_die_at_as_are_tried(cloud: Cloud) -> None:
    life = Life()
    cloud.remove(nothing, life, with_table=True)
    assert life.moments == 14


def test_where_there_is_nothing_to_remove_nothing_is_done(cloud: Cloud) -> None:
    cloud.remove(nothing, with_table=True)
    assert names(cloud.remove(nothing, with_table=True)) == ["no_secrets", "no_stack"]


def test_a_webhook_that_leads_elsewhere_stays(cloud: Cloud) -> None:
    cloud.world.call("setWebhook", {"url": "https://elsewhere.example/telegram"})
    assert "webhook_elsewhere" in names(cloud.remove(nothing))
    assert webhook(cloud) == "https://elsewhere.example/telegram"


def test_a_telegram_that_does_not_answer_does_not_keep_the_rest(cloud: Cloud) -> None:
    cloud.world.faults.expect("*", line("refuse"), times=2)
    assert "webhook_stays" in names(cloud.remove(nothing))
    assert not there()["stack"]


def test_a_stack_that_cloudformation_works_on_is_left_alone(cloud: Cloud) -> None:
    in_status("DELETE_IN_PROGRESS")
    with pytest.raises(StackBusy):
        cloud.remove(nothing)
    assert webhook(cloud) != ""


@pytest.mark.parametrize("status", ["REVIEW_IN_PROGRESS", "DELETE_FAILED", "UPDATE_ROLLBACK_FAILED"])
def test_what_cannot_be_deployed_to_can_be_removed(cloud: Cloud, status: str) -> None:
    in_status(status)
    cloud.remove(nothing)
    assert there() == {"stack": False, "tables": ["matches"], "secrets": []}


def test_once_the_table_is_deleted_only_the_removal_can_go_on(cloud: Cloud) -> None:
    last = Life(8)
    with pytest.raises(Died):
        cloud.remove(nothing, last, with_table=True)
    assert last.changes[-1] == "DeleteTable"
    with pytest.raises(TableGone):
        cloud.deploy()
    cloud.remove(nothing, with_table=True)
    assert there() == {"stack": False, "tables": [], "secrets": []}


def test_every_match_is_exported_and_the_records_of_those_that_are_over(
    cloud: Cloud, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seat(1, "lobby")
    seat(2, "playing")
    over = seat(3, "cancelled")
    old = seat(4, "cancelled", rules=99)
    people = DynamoPeople(clients().dynamodb, "matches")
    people.add([Result(over, 1, -103, time.time(), "{}")])
    people.keep_profile(-103, "{}", None)
    (tmp_path / "records").mkdir()
    assert export(clients(), tmp_path, "matches") == Exported(4, 1)
    [record] = (tmp_path / "records").iterdir()
    assert record.name == f"gravity-{over}.json"
    document = json.loads(record.read_bytes())
    assert document["seed"] == f"{3:064x}"
    assert verify(document)
    with closing(SqliteStore(tmp_path / "matches.sqlite")) as store:
        assert sorted(each.item.id for each in store.kept()) == ["m1", "m2", "m3", "m4"]
        assert store.at(Place(-102)) == "m2"
        exported = SqlitePeople(store.file)
        assert (list(exported.in_chat(-103)), exported.profile(-103)) == (list(people.in_chat(-103)), "{}")
    assert f"The match {old} is of other rules" in capsys.readouterr().out
