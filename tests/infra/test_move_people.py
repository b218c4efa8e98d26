"""Profiles and results are moved with the matches, as often as one likes, and nothing is overwritten."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import boto3
import pytest

from handler.ports import PeopleStore
from infra.aws import calls
from infra.aws.errors import Unanswered
from infra.stores.dynamo_items import DAY
from infra.stores.dynamo_kept import WholeDynamoPeople
from infra.stores.dynamo_people import DynamoPeople
from infra.stores.kept import KeptPeople
from infra.stores.sqlite import SqliteStore
from infra.stores.sqlite_people import SqlitePeople
from tests.infra.moving import NOW, Said, fill, moved
from tests.infra.people_contract import ADA, BEN, GROUP, OTHER, result
from tests.infra.store_contract import ENDED

PROFILES = {ADA: '{"language":"es"}', GROUP: '{"név":"🐦"}', -5: "{}"}
RESULTS = [
    result("m2", ended_at=ENDED + 1 / 3),
    result(),
    result(user=BEN),
    result("m0", BEN, chat=OTHER, ended_at=5.0),
]


@pytest.fixture
def people(file: Path) -> Iterator[SqlitePeople]:
    """People of a file, which has matches too."""
    with closing(SqliteStore(file)) as store:
        fill(store)
        people = SqlitePeople(store.file)
        put(people)
        yield people


@pytest.fixture
def back(tmp_path: Path) -> Iterator[SqlitePeople]:
    """People of another file, in which there is nothing."""
    with ExitStack() as stack:
        store = stack.enter_context(closing(SqliteStore(tmp_path / "back.sqlite")))
        yield SqlitePeople(store.file)


def put(people: PeopleStore) -> None:
    people.add(RESULTS)
    for id, body in PROFILES.items():
        people.keep_profile(id, body, None)


def in_table(name: str) -> WholeDynamoPeople:
    """The people of a table, as an operator sees them."""
    return WholeDynamoPeople(boto3.client("dynamodb"), name)


EVERYTHING = KeptPeople(dict(sorted(PROFILES.items())), RESULTS)


def test_people_go_there_and_back(
    file: Path, tmp_path: Path, table: str, people: SqlitePeople, back: SqlitePeople, capsys: Said
) -> None:
    assert people.kept() == EVERYTHING
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 0
    said = "Moved 4 matches, 2 of them open. Moved 4 results and 3 profiles.\n"
    assert capsys.readouterr().out == said
    assert in_table(table).kept() == EVERYTHING
    assert list(DynamoPeople(calls.dynamodb(), table).in_chat(GROUP)) == RESULTS[:3]
    assert moved(f"dynamodb:{table}", f"sqlite:{tmp_path / 'back.sqlite'}") == 0
    assert capsys.readouterr().out == said
    assert back.kept() == EVERYTHING
    assert people.kept() == EVERYTHING, "the source stays as it is"


def test_a_repeat_moves_nothing_more(file: Path, table: str, people: SqlitePeople, capsys: Said) -> None:
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 0
    people.add([result("m3")])
    capsys.readouterr()
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 0
    there = "4 results and 3 profiles had been there before."
    assert capsys.readouterr().out.endswith(f"4 matches had been moved before. Moved 1 result. {there}\n")
    assert len(in_table(table).kept().results) == 5


def test_results_outlive_their_matches(file: Path, table: str, people: SqlitePeople, capsys: Said) -> None:
    """A match whose time has passed is left out; what it came to is not."""
    assert moved(f"sqlite:{file}", f"dynamodb:{table}", now=NOW + 1_000 * DAY) == 0
    assert capsys.readouterr().out == (
        "Moved 2 matches, 2 of them open. 2 matches left out, whose time has passed. Moved 4 results and 3 profiles.\n"
    )


def test_where_there_are_people_and_no_matches_the_people_are_moved(
    file: Path, tmp_path: Path, table: str, back: SqlitePeople, capsys: Said
) -> None:
    back.keep_profile(ADA, "{}", None)
    assert moved(f"sqlite:{tmp_path / 'back.sqlite'}", f"dynamodb:{table}") == 0
    assert capsys.readouterr().out == "There are no matches to move. Moved 1 profile.\n"
    assert moved(f"sqlite:{tmp_path / 'back.sqlite'}", f"dynamodb:{table}") == 0
    assert capsys.readouterr().out == "There are no matches to move. 1 profile had been there before.\n"


@pytest.mark.parametrize("to_file", [True, False])
def test_what_has_gone_on_since_stays_and_is_no_trouble(
    file: Path, tmp_path: Path, table: str, people: SqlitePeople, back: SqlitePeople, capsys: Said, to_file: bool
) -> None:
    """Somebody chose another language, and a group has become a supergroup."""
    arguments = (f"sqlite:{file}", f"sqlite:{tmp_path / 'back.sqlite'}" if to_file else f"dynamodb:{table}")
    assert moved(*arguments) == 0
    target = back if to_file else in_table(table)
    assert target.keep_profile(ADA, "changed", PROFILES[ADA])
    target.move(GROUP, -77)
    expected = target.kept()
    capsys.readouterr()
    assert moved(*arguments) == 0
    said = capsys.readouterr().out
    assert said.endswith("4 results and 2 profiles had been there before, 1 of the profiles changed there since.\n")
    assert "Moved 1 profile." in said, "the group's old profile, which nobody asks for any more"
    assert target.kept().results == expected.results
    assert target.profile(ADA) == "changed"
    assert target.profile(-77) == PROFILES[GROUP]


@pytest.mark.parametrize("to_file", [True, False])
def test_another_result_is_never_overwritten_but_named(
    file: Path, tmp_path: Path, table: str, people: SqlitePeople, back: SqlitePeople, capsys: Said, to_file: bool
) -> None:
    target = back if to_file else in_table(table)
    theirs = replace(RESULTS[1], body="another")
    target.add([theirs])
    assert moved(f"sqlite:{file}", f"sqlite:{tmp_path / 'back.sqlite'}" if to_file else f"dynamodb:{table}") == 1
    said = capsys.readouterr()
    assert said.err == f"Result of match m1 for {ADA}: it is there already, and not as it is in FROM.\n"
    assert said.out.endswith("Moved 3 results and 3 profiles. 1 result not moved, for the reasons above.\n")
    assert list(target.of(ADA)) == [RESULTS[0], theirs]


def test_a_move_that_died_among_the_people_goes_on(
    file: Path, table: str, people: SqlitePeople, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(self: DynamoPeople, id: int, body: str, was: str | None) -> bool:
        raise Unanswered("PutItem")

    with monkeypatch.context() as patch:
        patch.setattr(DynamoPeople, "keep_profile", die)
        assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 1
    said = capsys.readouterr()
    assert said.err == f"dynamodb:{table}: AWS does not answer, or not so often.\n"
    assert "Moved 4 results. Run it again" in said.out
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 0
    assert "Moved 3 profiles. 4 results had been there before.\n" in capsys.readouterr().out
    assert in_table(table).kept() == EVERYTHING
