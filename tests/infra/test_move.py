"""Every match goes from a file into a table and back, and is played on where it has come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import boto3
import pytest

from handler.ports import MatchStore, Place, Pointers
from infra.aws import calls
from infra.aws.errors import Unanswered
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_items import DAY
from infra.stores.dynamo_kept import WholeDynamoStore
from infra.stores.kept import Kept
from infra.stores.sqlite import SqliteStore
from tests.aws.table import make_table
from tests.flows.frail import Frail
from tests.flows.players import ended, play, quiet
from tests.flows.segments import heard, lobby, until
from tests.flows.seven import begin, company, silent
from tests.infra.moving import LOBBY, NOW, OVER, Opened, Said, everything, fill, in_table, moved
from tests.infra.store_contract import ENDED, GROUP, NOTHING, following, new


@pytest.fixture
def opened() -> Iterator[Callable[[Path], SqliteStore]]:
    """Opens files, and closes them when the test is over."""
    stores = []

    def open(path: Path) -> SqliteStore:
        stores.append(SqliteStore(path))
        return stores[-1]

    yield open
    for store in stores:
        store.close()


def test_everything_goes_there_and_back_and_there_again(
    file: Path, tmp_path: Path, table: str, opened: Opened, capsys: Said
) -> None:
    fill(opened(file))
    expected = everything(opened(file))
    assert expected[2] == [["b", "z"], ["z", "b"], [], ["b"]]
    make_table(boto3.client("dynamodb"), "second")
    back = tmp_path / "back.sqlite"
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 0
    assert capsys.readouterr().out == "Moved 4 matches, 2 of them open.\n"
    assert everything(in_table(table)) == expected
    whole = WholeDynamoStore(boto3.client("dynamodb"), table, 90, lambda: NOW)
    assert whole.kept() == opened(file).kept()
    assert [each.item.id for each in whole.kept()] == ["a", "c", "b", "z"], "the oldest of those in play first"
    assert moved(f"dynamodb:{table}", f"sqlite:{back}") == 0
    assert everything(opened(back)) == expected
    assert moved(f"dynamodb:{table}", "dynamodb:second") == 0
    assert everything(in_table("second")) == expected
    assert everything(opened(file)) == expected, "the source stays as it is"


def test_matches_of_a_table_go_into_a_file(file: Path, table: str, opened: Opened) -> None:
    fill(in_table(table))
    assert moved(f"dynamodb:{table}", f"sqlite:{file}") == 0
    store = opened(file)
    assert everything(store) == everything(in_table(table))
    store.create(new("n"), Pointers(take_place=Place(-5), add_people=(5, 6)))
    assert list(store.of_person(5)) == ["b", "z", "n"], "who joins later comes later"
    assert list(store.of_person(6)) == ["z", "b", "n"]


def test_who_joins_after_the_move_comes_later_in_the_table_too(file: Path, table: str, opened: Opened) -> None:
    fill(opened(file))
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 0
    store = in_table(table)
    store.create(new("A"), Pointers(add_people=(6,)))
    assert list(store.of_person(6)) == ["z", "b", "A"]


def test_people_who_came_in_one_instant_keep_their_order_in_a_file(file: Path, table: str, opened: Opened) -> None:
    """A file has no two of the same number."""
    still = DynamoStore(calls.dynamodb(), table, 90, lambda: NOW)
    for id in ("z", "a", "m"):
        still.create(new(id), Pointers(add_people=(5, 6, 7)))
    assert moved(f"dynamodb:{table}", f"sqlite:{file}") == 0
    assert [list(opened(file).of_person(user)) for user in (5, 6, 7)] == [["a", "m", "z"]] * 3


# --- again ----------------------------------------------------------------------------------------


def test_a_move_that_died_goes_on(
    file: Path, table: str, opened: Opened, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(opened(file))
    keep = WholeDynamoStore.keep
    kept: list[Kept] = []

    def die(self: WholeDynamoStore, each: Kept) -> None:
        if len(kept) == 2:
            raise Unanswered("TransactWriteItems")
        kept.append(each)
        keep(self, each)

    with monkeypatch.context() as patch:
        patch.setattr(WholeDynamoStore, "keep", die)
        assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 1
    said = capsys.readouterr()
    assert said.err == f"dynamodb:{table}: AWS does not answer, or not so often.\n"
    assert said.out.startswith("Moved 2 matches, 0 of them open. Run it again")
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 0
    assert capsys.readouterr().out == "Moved 2 matches, 2 of them open. 2 matches had been moved before.\n"
    assert everything(in_table(table)) == everything(opened(file))
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 0
    assert capsys.readouterr().out == "Moved 0 matches, 0 of them open. 4 matches had been moved before.\n"


@pytest.mark.parametrize("to_file", [True, False])
def test_what_is_there_is_never_overwritten(
    file: Path, tmp_path: Path, table: str, opened: Opened, capsys: Said, to_file: bool
) -> None:
    fill(opened(file))
    other = tmp_path / "other.sqlite"
    target: MatchStore = opened(other) if to_file else in_table(table)
    theirs = replace(LOBBY, body="another")
    target.create(theirs, NOTHING)
    target.create(new("q"), Pointers(take_place=GROUP))
    assert moved(f"sqlite:{file}", f"sqlite:{other}" if to_file else f"dynamodb:{table}") == 1
    said = capsys.readouterr()
    assert sorted(said.err.splitlines()) == [
        "Match b: match q is in its place.",
        "Match z: it is there already, and not as it is in FROM.",
    ]
    assert said.out == "Moved 2 matches, 0 of them open. 2 matches not moved, for the reasons above.\n"
    assert target.load("z") == theirs
    assert target.load("b") is None
    assert list(target.of_person(6)) == []
    assert target.at(GROUP) == "q"


@pytest.mark.parametrize("to_file", [True, False])
def test_what_has_gone_on_since_it_was_moved_stays_and_is_no_trouble(
    file: Path, tmp_path: Path, table: str, opened: Opened, capsys: Said, to_file: bool
) -> None:
    fill(opened(file))
    other = tmp_path / "other.sqlite"
    arguments = (f"sqlite:{file}", f"sqlite:{other}" if to_file else f"dynamodb:{table}")
    assert moved(*arguments) == 0
    target: MatchStore = opened(other) if to_file else in_table(table)
    told, later = target.load("b"), target.load("z")
    assert told is not None
    assert later is not None
    target.settle(replace(told, telling="more", told=2), done=True)
    target.commit(later, replace(following(later), body="granted"), None, None, NOW)
    expected = everything(target)
    capsys.readouterr()
    assert moved(*arguments) == 0
    assert capsys.readouterr().out == (
        "Moved 0 matches, 0 of them open. 4 matches had been moved before, 1 of them gone on since.\n"
    )
    assert everything(target) == expected


def test_what_has_gone_on_in_from_is_not_taken_for_moved(file: Path, table: str, opened: Opened, capsys: Said) -> None:
    fill(opened(file))
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 0
    opened(file).commit(LOBBY, following(LOBBY), None, None, NOW)
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 1
    assert capsys.readouterr().err == "Match z: it is there already, and not as it is in FROM.\n"
    assert in_table(table).load("z") == LOBBY


# --- time -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("to_file", [True, False])
def test_an_alarm_that_went_off_stays_as_it_is(
    file: Path, tmp_path: Path, table: str, opened: Opened, to_file: bool
) -> None:
    """Whoever starts a bot there puts it off."""
    late, back = new("late", alarm_at=NOW - 500), tmp_path / "back.sqlite"
    opened(file).create(late, NOTHING)
    assert moved(f"sqlite:{file}", f"sqlite:{back}" if to_file else f"dynamodb:{table}") == 0
    target: MatchStore = opened(back) if to_file else in_table(table)
    assert target.load("late") == late


def test_matches_whose_time_has_passed_are_left_out(
    file: Path, tmp_path: Path, table: str, opened: Opened, capsys: Said
) -> None:
    fill(opened(file))
    later = int(ENDED) + 90.0 * DAY
    assert moved(f"sqlite:{file}", f"dynamodb:{table}", now=later) == 0
    assert "2 matches left out, whose time has passed." in capsys.readouterr().out
    items = boto3.client("dynamodb").scan(TableName=table)["Items"]
    assert {item["pk"]["S"] for item in items if item["sk"]["S"] == "match"} == {"match#b", "match#z"}

    assert moved("--keep-days", 91, f"sqlite:{file}", f"dynamodb:{table}", now=later) == 0
    assert in_table(table, later).load("a") == following(OVER)
    capsys.readouterr()
    back = tmp_path / "back.sqlite"
    assert moved(f"dynamodb:{table}", f"sqlite:{back}", now=later + DAY) == 0
    assert capsys.readouterr().out == "Moved 2 matches, 2 of them open.\n"
    assert opened(back).load("a") is None


# --- a match in flight ----------------------------------------------------------------------------


def go_on(bot: Frail, store: MatchStore) -> None:
    """The bot starts where its matches are now."""
    bot.store = store
    bot.boot()


def test_a_match_in_flight_is_played_on_in_the_table_and_to_its_end_in_a_file(
    file: Path, tmp_path: Path, table: str, opened: Opened
) -> None:
    bot = Frail(opened(file))
    lobby(bot)
    id = bot.match().id
    until(bot, "draft")
    assert moved(f"sqlite:{file}", f"dynamodb:{table}", now=bot.clock.time) == 0
    go_on(bot, DynamoStore(calls.dynamodb(), table, 90, bot.clock.now))
    play(bot, id, quiet, until="guesses")
    back = tmp_path / "back.sqlite"
    assert moved(f"dynamodb:{table}", f"sqlite:{back}", now=bot.clock.time) == 0
    go_on(bot, opened(back))
    bot.say(bot.ada, "/resign", bot.ada)
    bot.push_label(bot.ada, "Yes", bot.ada)
    ended(bot, id, bot.group)
    assert bot.matches() == []
    bot.close()


def test_a_table_of_seven_in_flight_is_played_on(file: Path, table: str, opened: Opened) -> None:
    bot = Frail(opened(file))
    people = company(bot)
    id = begin(bot, people).id
    play(bot, id, silent, until="round3")
    assert moved(f"sqlite:{file}", f"dynamodb:{table}", now=bot.clock.time) == 0
    go_on(bot, DynamoStore(calls.dynamodb(), table, 90, bot.clock.now))
    match = play(bot, id, silent, until="round4")
    assert match.stage == "playing"
    assert [list(bot.store.of_person(user)) for user in people] == [[id]] * 7
    bot.close()


def test_nobody_loses_a_phase_to_the_move(file: Path, table: str, opened: Opened) -> None:
    """Its deadline passed meanwhile."""
    bot = Frail(opened(file))
    lobby(bot)
    before = bot.match()
    bot.clock.time += 3_600
    assert moved(f"sqlite:{file}", f"dynamodb:{table}", now=bot.clock.time) == 0
    go_on(bot, DynamoStore(calls.dynamodb(), table, 90, bot.clock.now))
    bot.wait(20)
    after = bot.match()
    assert after.number == before.number
    assert after.deadline is not None
    assert after.deadline > bot.clock.time
    assert sum("I was away" in text for text in heard(bot, bot.group)) == 1
    bot.close()
