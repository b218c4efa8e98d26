"""What every :class:`handler.ports.PeopleStore` must do. A store's test module subclasses and gives ``people``."""

from __future__ import annotations

from dataclasses import replace

from handler.ports import PeopleStore, Result
from tests.infra.store_contract import ENDED, at_once

GROUP = -1001234567890123
OTHER = -1009876543210987
ADA, BEN = 5, 2**52 - 1


def result(match: str = "m1", user: int = ADA, **changes: object) -> Result:
    """How a match went for somebody."""
    return replace(Result(match, user, GROUP, ENDED, f'{{"of": "{match} {user}"}}'), **changes)  # type: ignore[arg-type]


class PeopleContract:
    # --- profiles ---------------------------------------------------------------------------------

    def test_nobody_has_a_profile_at_first(self, people: PeopleStore) -> None:
        assert people.profile(ADA) is None
        assert people.profile(GROUP) is None

    def test_a_profile_comes_back_as_it_was_kept(self, people: PeopleStore) -> None:
        bodies = {
            ADA: '{"név": "Hollófi & Társai 🐦 \u202eمرحبا\u0000"}',
            BEN: "",
            GROUP: "{}",
            -5: '"five"',
            2**63 - 1: "x",
        }
        for id, body in bodies.items():
            assert people.keep_profile(id, body, None)
        assert {id: people.profile(id) for id in bodies} == bodies

    def test_a_profile_is_kept_only_on_the_one_that_was_read(self, people: PeopleStore) -> None:
        assert not people.keep_profile(ADA, "new", "read")
        assert people.profile(ADA) is None
        assert people.keep_profile(ADA, "first", None)
        assert not people.keep_profile(ADA, "second", None)
        assert not people.keep_profile(ADA, "second", "another")
        assert people.profile(ADA) == "first"
        assert people.keep_profile(ADA, "second", "first")
        assert people.keep_profile(ADA, "second", "second")
        assert people.profile(ADA) == "second"

    def test_what_is_there_already_was_not_kept_by_this_call(self, people: PeopleStore) -> None:
        """Whoever is told that it was, was the only one: so much may hang on it."""
        assert people.keep_profile(ADA, "greeted", None)
        assert not people.keep_profile(ADA, "greeted", None)

    def test_of_many_at_once_each_change_is_made_on_the_last(self, people: PeopleStore) -> None:
        def count(_: int) -> None:
            while True:
                was = people.profile(ADA)
                if people.keep_profile(ADA, str(int(was or 0) + 1), was):
                    return

        at_once(count, 6)
        assert people.profile(ADA) == "6"

    # --- results ----------------------------------------------------------------------------------

    def test_nobody_has_results_at_first(self, people: PeopleStore) -> None:
        people.add([])
        assert list(people.of(ADA)) == []
        assert list(people.in_chat(GROUP)) == []

    def test_results_are_the_persons_and_the_chats(self, people: PeopleStore) -> None:
        ada, ben = result(body='"🐦 é"'), result(user=BEN)
        elsewhere = result("m2", chat=OTHER, ended_at=ENDED + 0.5)
        people.add([ada, ben])
        people.add([elsewhere])
        assert list(people.of(ADA)) == [elsewhere, ada]
        assert list(people.of(BEN)) == [ben]
        assert list(people.in_chat(GROUP)) == [ada, ben]
        assert list(people.in_chat(OTHER)) == [elsewhere]
        assert list(people.of(GROUP)) == []

    def test_a_result_is_no_profile(self, people: PeopleStore) -> None:
        people.add([result()])
        assert people.profile(ADA) is None
        people.keep_profile(BEN, "{}", None)
        assert list(people.of(BEN)) == []

    def test_a_repeat_leaves_the_first_as_it_is_and_adds_the_rest(self, people: PeopleStore) -> None:
        people.add([result(body="first")])
        again = result(body="second", chat=OTHER, ended_at=ENDED + 9)
        people.add([again, result(user=BEN)])
        people.add([again, result(user=BEN)])
        assert list(people.of(ADA)) == [result(body="first")]
        assert list(people.in_chat(OTHER)) == []
        assert list(people.in_chat(GROUP)) == [result(body="first"), result(user=BEN)]

    def test_the_latest_come_first_and_of_one_moment_those_of_a_match_together(self, people: PeopleStore) -> None:
        late = [result(f"m{n}", user, ended_at=ENDED + 10) for n in (1, 2) for user in (ADA, 40, BEN)]
        early = [result("m9", user) for user in (ADA, BEN)]
        people.add([*reversed(late), *early])
        assert list(people.in_chat(GROUP)) == [*late, *early]
        assert list(people.of(ADA)) == [late[0], late[3], early[0]]

    def test_a_long_life_of_results_is_read_whole(self, people: PeopleStore) -> None:
        results = [result(f"m{n:02}", ended_at=ENDED - n, body="x" * 60_000) for n in range(40)]
        people.add(results)
        assert list(people.of(ADA)) == results
        assert list(people.in_chat(GROUP)) == results
        people.move(GROUP, OTHER)
        assert len(people.in_chat(OTHER)) == 40
        people.forget(ADA)
        assert list(people.of(ADA)) == []
        assert list(people.in_chat(OTHER)) == []

    # --- a group that becomes a supergroup --------------------------------------------------------

    def test_a_chat_moves_with_its_results_and_its_profile_and_again_moves_nothing(self, people: PeopleStore) -> None:
        people.add([result(), result(user=BEN), result("m2", chat=-7)])
        people.keep_profile(GROUP, "es", None)
        for _ in range(2):
            people.move(GROUP, OTHER)
            assert list(people.in_chat(GROUP)) == []
            assert list(people.in_chat(OTHER)) == [result(chat=OTHER), result(user=BEN, chat=OTHER)]
            assert list(people.of(ADA)) == [result(chat=OTHER), result("m2", chat=-7)]
            assert (people.profile(GROUP), people.profile(OTHER)) == (None, "es")

    def test_a_move_takes_up_what_was_added_to_the_old_chat_since(self, people: PeopleStore) -> None:
        people.add([result()])
        people.move(GROUP, OTHER)
        people.add([result("m2"), result("m3", chat=OTHER), result()])
        people.move(GROUP, OTHER)
        assert {each.match for each in people.in_chat(OTHER)} == {"m1", "m2", "m3"}
        assert list(people.in_chat(GROUP)) == []

    def test_a_profile_of_the_new_chat_stays(self, people: PeopleStore) -> None:
        people.keep_profile(GROUP, "old", None)
        people.keep_profile(OTHER, "new", None)
        people.move(GROUP, OTHER)
        assert (people.profile(GROUP), people.profile(OTHER)) == (None, "new")

    # --- people who want to be forgotten ----------------------------------------------------------

    def test_who_is_forgotten_leaves_nothing_and_nobody_else_loses_anything(self, people: PeopleStore) -> None:
        people.add([result(), result(user=BEN), result("m2")])
        for id in (ADA, BEN, GROUP):
            people.keep_profile(id, "{}", None)
        for _ in range(2):
            people.forget(ADA)
            assert people.profile(ADA) is None
            assert list(people.of(ADA)) == []
            assert list(people.in_chat(GROUP)) == [result(user=BEN)]
            assert (people.profile(BEN), people.profile(GROUP)) == ("{}", "{}")

    def test_who_was_forgotten_may_begin_anew(self, people: PeopleStore) -> None:
        people.add([result()])
        people.keep_profile(ADA, "{}", None)
        people.forget(ADA)
        people.add([result("m2")])
        assert people.keep_profile(ADA, "new", None)
        assert list(people.of(ADA)) == [result("m2")]
        assert list(people.in_chat(GROUP)) == [result("m2")]
