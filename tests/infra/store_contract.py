"""What every :class:`handler.ports.MatchStore` must do. A store's test module subclasses and gives a ``store``."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any, TypeVar

import pytest

from handler.lobby import ASKED_MOST
from handler.ports import Conflict, Item, Lease, MatchStore, Place, Pointers, Taken

GROUP = Place(-1001234567890123)
TOPIC = Place(GROUP.chat, 7)
NOTHING = Pointers()
ENDED = 1764489600.25
"""When a match ended: lately, so that no store has forgotten it."""

T = TypeVar("T")


def new(id: str = "m1", **changes: Any) -> Item:
    """A match as it is created: nothing due, nothing to tell."""
    item = Item(id, 1, "body 1", None, 0, 0, "telling 0", 0, 0.0, None, 0.0)
    return replace(item, **changes)


def following(item: Item, **changes: Any) -> Item:
    """The item as the next commit wants it."""
    return replace(item, version=item.version + 1, body=f"body {item.version + 1}", **changes)


class StoreContract:
    # --- load, create, commit ---------------------------------------------------------------------

    def test_unknown_match_is_none(self, store: MatchStore) -> None:
        assert store.load("m1") is None

    def test_created_item_is_loaded_whole(self, store: MatchStore) -> None:
        item = new(
            body='{"név": "Hollófi & Társai 🐦"}',
            alarm_at=1764489600.25,
            alarm=3,
            news=2,
            telling="[1]",
            told=1,
            tell_at=1764489599.5,
            lease="token",
            lease_until=1764489620.75,
            ended_at=ENDED,
        )
        store.create(item, NOTHING)
        assert store.load("m1") == item

    def test_create_with_an_id_in_use_shows_the_winner(self, store: MatchStore) -> None:
        store.create(new(body="first"), Pointers(take_place=GROUP))
        with pytest.raises(Conflict) as refused:
            store.create(new(body="second"), Pointers(take_place=GROUP, add_people=(5,)))
        assert refused.value.current == new(body="first")
        assert store.load("m1") == new(body="first")
        assert list(store.of_person(5)) == []

    def test_create_in_a_taken_place_leaves_no_trace(self, store: MatchStore) -> None:
        store.create(new(), Pointers(take_place=GROUP))
        with pytest.raises(Taken) as refused:
            store.create(new("m2"), Pointers(take_place=GROUP, add_people=(5,)))
        assert refused.value.match == "m1"
        assert store.load("m2") is None
        assert store.at(GROUP) == "m1"
        assert list(store.of_person(5)) == []

    def test_commit_writes_the_first_block_only(self, store: MatchStore) -> None:
        before = new(telling="kept", told=0, tell_at=3.0, lease="kept", lease_until=9.0)
        store.create(before, NOTHING)
        after = following(
            before, alarm_at=50.0, alarm=1, news=1, telling="x", told=8, tell_at=8.0, lease="x", lease_until=8.0
        )
        stored = store.commit(before, after, None, None, now=0.0)
        assert stored == following(before, alarm_at=50.0, alarm=1, news=1)
        assert store.load("m1") == stored

    def test_commit_on_an_old_version_shows_the_winner(self, store: MatchStore) -> None:
        before = new()
        store.create(before, NOTHING)
        winner = store.commit(before, following(before, news=1), None, None, now=0.0)
        with pytest.raises(Conflict) as refused:
            store.commit(before, following(before, news=2), Pointers(add_people=(5,)), Lease("t", 20.0), now=0.0)
        assert refused.value.current == winner
        assert store.load("m1") == winner
        assert list(store.of_person(5)) == []

    def test_commit_to_an_unknown_match_conflicts_with_nothing(self, store: MatchStore) -> None:
        with pytest.raises(Conflict) as refused:
            store.commit(new(), following(new()), Pointers(take_place=GROUP), None, now=0.0)
        assert refused.value.current is None
        assert store.load("m1") is None
        assert store.at(GROUP) is None

    def test_only_a_commit_writes_when_the_match_ended(self, store: MatchStore) -> None:
        item = new(news=1)
        store.create(item, NOTHING)
        item = store.commit(item, following(item, ended_at=ENDED), None, None, now=0.0)
        assert item.ended_at == ENDED
        item = store.take(replace(item, ended_at=None), Lease("mine", 20.0), now=0.0)
        assert item.ended_at == ENDED
        item = store.settle(replace(item, ended_at=ENDED + 1, told=1), done=False)
        assert item.ended_at == ENDED
        item = store.settle(replace(item, ended_at=None), done=True)
        assert item.ended_at == ENDED
        assert store.load("m1") == item
        assert store.commit(item, following(item, ended_at=None), None, None, now=0.0).ended_at is None
        assert store.load("m1") == following(item, ended_at=None)

    def test_commit_must_raise_the_version_by_one(self, store: MatchStore) -> None:
        store.create(new(), NOTHING)
        for version in (1, 3):
            with pytest.raises(ValueError, match="version"):
                store.commit(new(), new(version=version), None, None, now=0.0)
        assert store.load("m1") == new()

    # --- pointers ---------------------------------------------------------------------------------

    def test_places_of_a_chat_are_apart(self, store: MatchStore) -> None:
        store.create(new("m1"), Pointers(take_place=GROUP))
        store.create(new("m2"), Pointers(take_place=TOPIC))
        store.create(new("m3"), Pointers(take_place=Place(-5)))
        assert (store.at(GROUP), store.at(TOPIC), store.at(Place(-5))) == ("m1", "m2", "m3")
        assert sorted(store.in_chat(GROUP.chat)) == ["m1", "m2"]
        assert list(store.in_chat(-5)) == ["m3"]
        assert list(store.in_chat(-6)) == []

    def test_place_is_freed_and_taken_again(self, store: MatchStore) -> None:
        item = new()
        store.create(item, Pointers(take_place=GROUP))
        item = store.commit(item, following(item), Pointers(leave_place=GROUP), None, now=0.0)
        assert store.at(GROUP) is None
        assert list(store.in_chat(GROUP.chat)) == []
        store.create(new("m2"), Pointers(take_place=GROUP))
        assert store.at(GROUP) == "m2"

    def test_migration_moves_the_place(self, store: MatchStore) -> None:
        item = new()
        store.create(item, Pointers(take_place=Place(-5)))
        store.commit(item, following(item), Pointers(leave_place=Place(-5), take_place=GROUP), None, now=0.0)
        assert (store.at(Place(-5)), store.at(GROUP)) == (None, "m1")

    def test_commit_into_a_taken_place_changes_nothing(self, store: MatchStore) -> None:
        item = new()
        store.create(item, Pointers(take_place=Place(-5), add_people=(5,)))
        store.create(new("m2"), Pointers(take_place=GROUP))
        moved = Pointers(leave_place=Place(-5), take_place=GROUP, add_people=(6,), drop_people=(5,))
        with pytest.raises(Taken) as refused:
            store.commit(item, following(item), moved, Lease("t", 20.0), now=0.0)
        assert refused.value.match == "m2"
        assert store.load("m1") == item
        assert (store.at(Place(-5)), store.at(GROUP)) == ("m1", "m2")
        assert (list(store.of_person(5)), list(store.of_person(6))) == (["m1"], [])

    def test_nobody_frees_another_matchs_place(self, store: MatchStore) -> None:
        item = new()
        store.create(item, NOTHING)
        store.create(new("m2"), Pointers(take_place=GROUP))
        store.commit(item, following(item), Pointers(leave_place=GROUP), None, now=0.0)
        assert store.at(GROUP) == "m2"

    def test_a_match_moves_although_its_old_place_is_another_matchs(self, store: MatchStore) -> None:
        item = new()
        store.create(item, NOTHING)
        store.create(new("m2"), Pointers(take_place=Place(-5)))
        moved = Pointers(leave_place=Place(-5), take_place=GROUP, add_people=(5,))
        stored = store.commit(item, following(item), moved, None, now=0.0)
        assert (store.at(Place(-5)), store.at(GROUP), list(store.of_person(5))) == ("m2", "m1", ["m1"])
        assert store.load("m1") == stored

    def test_matches_of_a_person_come_oldest_first(self, store: MatchStore) -> None:
        for id in ("z", "a", "m"):
            store.create(new(id), Pointers(add_people=(5, 2**52)))
        assert list(store.of_person(5)) == ["z", "a", "m"]
        assert list(store.of_person(2**52)) == ["z", "a", "m"]
        assert list(store.of_person(6)) == []

    def test_adding_a_person_again_keeps_the_order(self, store: MatchStore) -> None:
        item = new("z")
        store.create(item, Pointers(add_people=(5,)))
        store.create(new("a"), Pointers(add_people=(5,)))
        store.commit(item, following(item), Pointers(add_people=(5,)), None, now=0.0)
        assert list(store.of_person(5)) == ["z", "a"]

    def test_dropping_a_person(self, store: MatchStore) -> None:
        item = new("z")
        store.create(item, Pointers(add_people=(5, 6)))
        store.create(new("a"), Pointers(add_people=(5,)))
        store.commit(item, following(item), Pointers(drop_people=(5, 404), add_people=(7,)), None, now=0.0)
        assert list(store.of_person(5)) == ["a"]
        assert list(store.of_person(6)) == ["z"]
        assert list(store.of_person(7)) == ["z"]
        assert list(store.of_person(404)) == []

    # --- the lease --------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("lease", "until", "taken"),
        [(None, 0.0, True), ("old", 99.0, True), ("old", 100.0, True), ("old", 100.5, False)],
    )
    def test_commit_takes_a_lease_nobody_holds(
        self, store: MatchStore, lease: str | None, until: float, taken: bool
    ) -> None:
        item = new(lease=lease, lease_until=until)
        store.create(item, NOTHING)
        stored = store.commit(item, following(item), None, Lease("mine", 120.0), now=100.0)
        assert (stored.lease, stored.lease_until) == (("mine", 120.0) if taken else (lease, until))
        assert store.load("m1") == stored

    def test_commit_goes_through_without_a_lease_taken_meanwhile(self, store: MatchStore) -> None:
        seen = new()
        store.create(seen, NOTHING)
        store.take(seen, Lease("theirs", 120.0), now=100.0)
        stored = store.commit(seen, following(seen), None, Lease("mine", 121.0), now=101.0)
        assert (stored.version, stored.lease, stored.lease_until) == (2, "theirs", 120.0)

    def test_commit_does_not_take_a_lease_prolonged_meanwhile(self, store: MatchStore) -> None:
        seen = new(lease="theirs", lease_until=100.0)
        store.create(seen, NOTHING)
        store.settle(replace(seen, lease_until=120.0), done=False)
        stored = store.commit(seen, following(seen), None, Lease("mine", 121.0), now=101.0)
        assert (stored.version, stored.lease, stored.lease_until) == (2, "theirs", 120.0)

    def test_commit_without_a_wish_leaves_the_lease(self, store: MatchStore) -> None:
        item = new(lease="old", lease_until=1.0)
        store.create(item, NOTHING)
        assert store.commit(item, following(item), None, None, now=100.0).lease == "old"

    def test_settle_writes_the_second_block_only(self, store: MatchStore) -> None:
        item = new(lease="mine", lease_until=20.0, news=3)
        store.create(item, NOTHING)
        wanted = replace(item, telling="told", told=2, tell_at=7.0, lease_until=40.0)
        changed = replace(wanted, body="x", alarm_at=1.0, alarm=9, news=9)
        assert store.settle(changed, done=False) == wanted
        assert store.load("m1") == wanted

    @pytest.mark.parametrize("lease", ["mine", None])
    def test_settle_keeps_what_was_committed_meanwhile(self, store: MatchStore, lease: str | None) -> None:
        item = new(lease=lease, lease_until=20.0)
        store.create(item, NOTHING)
        newer = store.commit(item, following(item, news=1), None, None, now=0.0)
        stored = store.settle(replace(item, telling="told"), done=False)
        assert stored == replace(newer, telling="told")

    def test_settle_done_gives_the_lease_back(self, store: MatchStore) -> None:
        item = new(lease="mine", lease_until=20.0, news=1)
        store.create(item, NOTHING)
        stored = store.settle(replace(item, telling="told", told=1), done=True)
        assert (stored.telling, stored.told, stored.lease) == ("told", 1, None)
        assert store.load("m1") == stored
        assert store.take(stored, Lease("next", 30.0), now=0.0).lease == "next"

    def test_settle_done_conflicts_with_a_newer_version(self, store: MatchStore) -> None:
        item = new(lease="mine", lease_until=20.0)
        store.create(item, NOTHING)
        newer = store.commit(item, following(item, news=1), None, None, now=0.0)
        with pytest.raises(Conflict) as refused:
            store.settle(replace(item, told=1), done=True)
        assert refused.value.current == newer
        assert store.load("m1") == newer

    @pytest.mark.parametrize("done", [False, True])
    def test_settle_under_a_foreign_lease_conflicts(self, store: MatchStore, done: bool) -> None:
        seen = new(lease="mine", lease_until=20.0)
        store.create(seen, NOTHING)
        winner = store.take(seen, Lease("theirs", 40.0), now=20.0)
        with pytest.raises(Conflict) as refused:
            store.settle(replace(seen, telling="told"), done=done)
        assert refused.value.current == winner
        assert store.load("m1") == winner

    def test_settle_of_an_unknown_match_conflicts(self, store: MatchStore) -> None:
        with pytest.raises(Conflict) as refused:
            store.settle(new(lease="mine", lease_until=20.0), done=False)
        assert refused.value.current is None

    def test_take_of_a_free_lease_leaves_the_rest(self, store: MatchStore) -> None:
        store.create(new(news=1), NOTHING)
        stored = store.take(new(news=1), Lease("mine", 20.0), now=0.0)
        assert stored == new(news=1, lease="mine", lease_until=20.0)
        assert store.load("m1") == stored

    def test_take_over_of_a_lease_from_its_end_on(self, store: MatchStore) -> None:
        item = new(lease="theirs", lease_until=20.0)
        store.create(item, NOTHING)
        with pytest.raises(Conflict) as refused:
            store.take(item, Lease("mine", 39.9), now=19.9)
        assert refused.value.current == item
        assert store.take(item, Lease("mine", 40.0), now=20.0).lease == "mine"

    def test_take_conflicts_if_somebody_took_or_prolonged_it(self, store: MatchStore) -> None:
        seen = new(lease="theirs", lease_until=20.0)
        store.create(seen, NOTHING)
        prolonged = store.settle(replace(seen, lease_until=21.0), done=False)
        with pytest.raises(Conflict) as refused:
            store.take(seen, Lease("mine", 60.0), now=30.0)
        assert refused.value.current == prolonged
        store.take(prolonged, Lease("third", 31.0), now=30.0)
        with pytest.raises(Conflict):
            store.take(prolonged, Lease("mine", 60.0), now=40.0)

    def test_take_of_an_unknown_match_conflicts(self, store: MatchStore) -> None:
        with pytest.raises(Conflict) as refused:
            store.take(new(), Lease("mine", 20.0), now=0.0)
        assert refused.value.current is None

    # --- what is due ------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("changes", "moment"),
        [
            ({}, None),
            ({"news": 4, "told": 4, "lease": "x", "lease_until": 5.0}, None),
            ({"alarm_at": 100.0}, 100.0),
            ({"alarm_at": 100.0, "lease": "x", "lease_until": 999.0, "tell_at": 999.0}, 100.0),
            ({"news": 4, "told": 3}, 0.0),
            ({"news": 1, "tell_at": 100.0}, 100.0),
            ({"news": 1, "lease": "x", "lease_until": 100.0}, 100.0),
            ({"news": 1, "lease": "x", "lease_until": 100.0, "tell_at": 90.0}, 100.0),
            ({"news": 1, "lease": "x", "lease_until": 90.0, "tell_at": 100.0}, 100.0),
            ({"news": 1, "tell_at": 300.0, "alarm_at": 100.0}, 100.0),
            ({"news": 1, "tell_at": 100.0, "alarm_at": 300.0}, 100.0),
        ],
    )
    def test_moment_of_a_match(self, store: MatchStore, changes: dict[str, Any], moment: float | None) -> None:
        store.create(new(**changes), NOTHING)
        assert list(store.alarms()) == ([] if moment is None else [("m1", moment)])
        if moment is None:
            assert list(store.due(1e12)) == []
        else:
            assert list(store.due(moment)) == ["m1"]
            assert list(store.due(moment - 0.25)) == []

    def test_due_gives_what_is_longest_due_first(self, store: MatchStore) -> None:
        store.create(new("late", alarm_at=30.0), NOTHING)
        store.create(new("early", alarm_at=10.0), NOTHING)
        store.create(new("untold", news=1, tell_at=20.0), NOTHING)
        store.create(new("later", alarm_at=99.0), NOTHING)
        assert list(store.due(50.0)) == ["early", "untold", "late"]
        assert sorted(store.alarms()) == [("early", 10.0), ("late", 30.0), ("later", 99.0), ("untold", 20.0)]

    def test_every_write_moves_the_moment(self, store: MatchStore) -> None:
        item = new(alarm_at=10.0)
        store.create(item, NOTHING)
        item = store.commit(item, following(item, alarm_at=500.0, news=1), None, Lease("mine", 20.0), now=0.0)
        assert list(store.alarms()) == [("m1", 20.0)]
        item = store.settle(replace(item, lease_until=30.0), done=False)
        assert list(store.alarms()) == [("m1", 30.0)]
        item = store.take(item, Lease("next", 45.0), now=30.0)
        assert list(store.alarms()) == [("m1", 45.0)]
        item = store.settle(replace(item, told=1), done=True)
        assert list(store.alarms()) == [("m1", 500.0)]
        store.commit(item, following(item, alarm_at=None), None, None, now=0.0)
        assert list(store.alarms()) == []
        assert list(store.due(1e12)) == []

    def test_a_commit_changes_as_many_pointers_as_a_full_lobby_has(self, store: MatchStore) -> None:
        """A place, a press that is kept from each of ASKED_MOST people, and a person in each of seven seats."""
        crowd = tuple(range(1, ASKED_MOST + 7 + 1))
        item = new()
        store.create(item, Pointers(take_place=GROUP, add_people=crowd))
        assert [list(store.of_person(user)) for user in crowd] == [["m1"]] * len(crowd)
        store.commit(item, following(item), Pointers(leave_place=GROUP, drop_people=crowd), None, now=0.0)
        assert store.at(GROUP) is None
        assert [list(store.of_person(user)) for user in crowd] == [[]] * len(crowd)

    # --- several at once --------------------------------------------------------------------------

    def test_concurrent_writers_lose_nothing(self, store: MatchStore) -> None:
        store.create(new(body=""), NOTHING)

        def write(writer: int) -> None:
            for turn in range(10):
                self._append(store, f"{writer}.{turn};", Pointers(add_people=(writer * 100 + turn,)))

        at_once(write, 8)
        item = store.load("m1")
        assert item is not None
        written = item.body.split(";")[:-1]
        assert sorted(written) == sorted(f"{writer}.{turn}" for writer in range(8) for turn in range(10))
        assert item.version == 1 + 80
        assert all(list(store.of_person(writer * 100 + turn)) == ["m1"] for writer in range(8) for turn in range(10))

    def test_only_one_of_many_gets_the_place(self, store: MatchStore) -> None:
        def create(number: int) -> str | None:
            try:
                store.create(new(f"m{number}"), Pointers(take_place=GROUP))
            except Taken as taken:
                return taken.match
            return None

        winners = at_once(create, 8)
        assert winners.count(None) == 1
        winner = f"m{winners.index(None)}"
        assert store.at(GROUP) == winner
        assert set(winners) == {None, winner}
        assert [number for number in range(8) if store.load(f"m{number}")] == [winners.index(None)]

    def test_only_one_of_many_gets_the_lease(self, store: MatchStore) -> None:
        store.create(new(), NOTHING)

        def take(number: int) -> bool:
            try:
                return store.take(new(), Lease(f"t{number}", 20.0), now=0.0).lease == f"t{number}"
            except Conflict:
                return False

        taken = at_once(take, 8)
        assert taken.count(True) == 1
        item = store.load("m1")
        assert item is not None
        assert item.lease == f"t{taken.index(True)}"

    @staticmethod
    def _append(store: MatchStore, text: str, pointers: Pointers) -> None:
        item = store.load("m1")
        while item:
            try:
                store.commit(item, replace(item, version=item.version + 1, body=item.body + text), pointers, None, 0.0)
            except Conflict as conflict:
                item = conflict.current
            else:
                return
        raise AssertionError("the match is gone")


def at_once(task: Callable[[int], T], number: int) -> list[T]:
    """The results of ``task(0)``, ``task(1)``, … started together in threads."""
    barrier = Barrier(number)

    def run(i: int) -> T:
        barrier.wait()
        return task(i)

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(run, range(number)))
