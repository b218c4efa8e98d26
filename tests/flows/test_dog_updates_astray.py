"""Updates of Dog's Judgement come twice, late and in another order: each counts once, and for its own phase alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest

from handler.lobby import displayed
from tests.flows.dog_segments import (
    CANDIDATE,
    CHOICE,
    ID,
    ROUND_3,
    ROUND_9,
    by_press,
    clean,
    declined,
    host_of,
    judged,
    lay,
    put,
    ready,
    rounds,
    seek_ready,
)
from tests.flows.frail import Frail
from tests.flows.mishaps import Twice
from tests.flows.players import NO_CARD, PLAY_NONE, boxed, find
from tests.flows.segments import Segment, aftermath, announced, heard
from tests.flows.seven import lobby

OVER = "That phase is over."


def on_its_way(bot: Frail, user: int, tail: str) -> Any:
    """A press in the private chat that has not arrived yet."""
    found = find(bot, user, bot.match(), tail)
    assert found is not None, tail
    bot.world.people.press(user, user, *found)
    update = bot.world.pending()[-1]
    bot.world.acknowledge(update["update_id"])
    return update


def toast(bot: Frail, update: Any) -> str:
    """The update arrives; what the press is answered."""
    before = len(bot.world.calls)
    assert bot.post(update) == 200
    [answer] = [call for call in bot.world.calls[before:] if call.method == "answerCallbackQuery"]
    return str(answer.params.get("text", ""))


def steps(bot: Frail) -> Sequence[Any]:
    """The record so far."""
    record = bot.match().record
    assert record is not None
    return record.steps


AGAIN = [(by_press, 0), *((segment, behind) for segment in (judged, declined) for behind in (0, 1, 3))]


@pytest.mark.parametrize(("segment", "behind"), AGAIN)
def test_every_update_comes_twice(segment: Segment, behind: int) -> None:
    """Where a page of the panel may come once more behind others, only who looks for theirs again gets on."""
    bot = Twice(behind)
    segment(bot)
    wanted, found = clean(segment)[0], aftermath(bot)
    assert (found.stage, found.steps, found.files) == (wanted.stage, wanted.steps, wanted.files)
    for chat, paragraphs in wanted.heard.items():
        # A command is answered twice; the match itself speaks once.
        told = [text for text in announced(found.heard[chat]) if text in paragraphs]
        assert told == announced(paragraphs)
    bot.close()


# --- each press twice -------------------------------------------------------------------------------


def test_each_press_of_a_round_twice_is_as_once() -> None:
    bot = Frail()
    users = lay(bot, ROUND_3)
    ada = users[0]
    for tail in ("m5", "m5x", "m5xr", "m5xr7", "s5xr7", "s-", "m4", "m4c", "m4cm", "f4cm", "u", "l"):
        update = on_its_way(bot, ada, tail)
        first = toast(bot, update)
        kept, shown = bot.match(), bot.world.history(ada)
        assert toast(bot, update) == first
        assert bot.match() == kept
        assert [message["text"] for message in bot.world.history(ada)] == [message["text"] for message in shown]
    assert boxed(bot.match()) == {0: ("4cm", True)}
    bot.close()


def test_the_ready_that_closed_a_round_does_not_count_for_the_next_when_it_comes_again() -> None:
    bot = Frail()
    users = lay(bot, ROUND_3, dict.fromkeys(range(6)))
    last = on_its_way(bot, users[6], seek_ready(bot, users[6]))
    assert toast(bot, last) != OVER
    assert bot.match().number == ROUND_3 + 1
    for _ in range(3):
        assert toast(bot, last) == OVER
    assert bot.match().box == {}
    # What was pressed becomes the way to the panel of the round that is open, where Ready is for that one.
    ready(bot, users[:6])
    assert bot.match().number == ROUND_3 + 1
    ready(bot, users[6:])
    assert bot.match().number == ROUND_3 + 2
    bot.close()


@pytest.mark.parametrize("tail", ["s5cm", "f5cm", PLAY_NONE])
def test_a_press_of_round_3_that_arrives_in_round_4_changes_nothing_and_says_so(tail: str) -> None:
    bot = Frail()
    users = lay(bot, ROUND_3)
    ada = users[0]
    for page in (NO_CARD,) if tail == PLAY_NONE else ("m5", "m5c", "m5cm"):
        bot.push(ada, ada, page)
    late = on_its_way(bot, ada, tail)
    rounds(bot, ROUND_3 + 1)
    bot.wait(30)
    before = bot.store.load(ID)
    for _ in range(2):
        assert toast(bot, late) == OVER
        assert bot.store.load(ID) == before
    assert steps(bot)[ROUND_3] == {}
    put(bot, ada, "5cm")
    assert boxed(bot.match()) == {0: ("5cm", False)}
    bot.close()


def test_a_ready_of_the_pregame_does_not_count_for_round_1() -> None:
    bot = Frail()
    users = lay(bot, 0)
    late = [on_its_way(bot, user, "l") for user in users]
    rounds(bot, 1)
    for update in late:
        assert toast(bot, update) == OVER
    assert (bot.match().number, bot.match().box) == (1, {})
    bot.close()


def test_not_ready_that_arrives_after_the_round_changes_nothing() -> None:
    bot = Frail()
    users = lay(bot, ROUND_3, dict.fromkeys(range(1, 6)))
    ready(bot, users[:1])
    late = on_its_way(bot, users[0], "u")
    ready(bot, users[6:])
    assert bot.match().number == ROUND_3 + 1
    ready(bot, users[:1])
    assert toast(bot, late) == OVER
    assert boxed(bot.match()) == {0: ("-", True)}
    bot.close()


def test_a_choice_confirmed_twice_begins_one_death_match() -> None:
    bot = Frail()
    users = lay(bot, CHOICE)
    bruno = users[CANDIDATE]
    bot.push(bruno, bruno, "mvs4")
    update = on_its_way(bot, bruno, "fvs4")
    assert toast(bot, update) == "Your challenge stands."
    for _ in range(2):
        assert toast(bot, update) == "Your challenge stands."
    bot.wait(30)
    assert steps(bot)[CHOICE:] == ({CANDIDATE: "vs4"},)
    assert sum("has chosen" in text for text in heard(bot, bot.group)) == 1
    # The Death Match's panel is not the one that was pressed, and works.
    bot.push(bruno, bruno, "s?h")
    bot.close()


@pytest.mark.parametrize("late", [False, True])
def test_a_decline_confirmed_twice_counts_once(late: bool) -> None:
    """The second time at once, or long after the episode is over."""
    bot = Frail()
    lay(bot, CHOICE)
    host = host_of(bot)
    bot.push_label(host, "No Death Match")
    bot.world.people.press(host, bot.group, *bot.button("Yes", bot.group))
    [update] = bot.world.pending()
    bot.world.acknowledge(update["update_id"])
    assert toast(bot, update) == "Done."
    if late:
        bot.wait(120)
    before = bot.store.load(ID)
    assert toast(bot, update) == "This phase is over."
    after = bot.store.load(ID)
    assert before is not None
    assert after is not None
    assert after.body == before.body
    bot.wait(120)
    assert aftermath(bot).steps[CHOICE:] == ({CANDIDATE: "end"},)
    assert sum("There is no Death Match" in text for text in heard(bot, bot.group)) == 1
    bot.close()


def test_a_decline_that_arrives_in_the_death_match_does_not_end_it() -> None:
    bot = Frail()
    users = lay(bot, CHOICE)
    host = host_of(bot)
    bot.push_label(host, "No Death Match")
    bot.world.people.press(host, bot.group, *bot.button("Yes", bot.group))
    [update] = bot.world.pending()
    bot.world.acknowledge(update["update_id"])
    bot.push(users[CANDIDATE], users[CANDIDATE], "mvs4")
    bot.push(users[CANDIDATE], users[CANDIDATE], "fvs4")
    assert toast(bot, update) == "This phase is over."
    assert (bot.match().stage, bot.match().number) == ("playing", CHOICE + 1)
    bot.close()


def test_filling_up_twice_is_as_once_and_ousts_nobody() -> None:
    bot = Frail()
    lobby(bot, [bot.ada])
    bot.world.people.press(bot.ada, bot.group, *bot.button("Fill", bot.group))
    [fill] = bot.world.pending()
    bot.world.acknowledge(fill["update_id"])
    assert toast(bot, fill) == "Done."
    match = bot.match()
    assert None not in match.seats
    assert match.seats[1] is not None
    bot.push_label(bot.ada, f"✕ \u2068{displayed(match.seats[1])}")
    bot.push_label(bot.bruno, "Join")
    before = bot.match()
    assert before.users == (bot.ada, bot.bruno)
    assert toast(bot, fill)
    assert bot.match().seats == before.seats
    bot.close()


# --- in any order -----------------------------------------------------------------------------------


def test_presses_of_seven_count_in_any_order() -> None:
    ends = []
    for turn in list(permutations(range(4)))[::5]:
        bot = Frail()
        users = lay(bot, ROUND_3, dict.fromkeys((4, 5, 6)))
        plays = ("1cm", "2cm", "3xr5", "4mb-")
        for user, play in zip(users, plays, strict=False):
            put(bot, user, play)
        waiting = [on_its_way(bot, user, "l") for user in users[:4]]
        for place in turn:
            assert toast(bot, waiting[place]) != OVER
        ends.append((steps(bot)[ROUND_3:], heard(bot, bot.group)))
        bot.close()
    assert len(ends) == 5
    assert all(end == ends[0] for end in ends)
    assert ends[0][0] == (dict(enumerate(("1cm", "2cm", "3xr5", "4mb-"))),)


def test_a_play_and_a_ready_that_come_after_it_was_taken_back_do_not_bring_it_back() -> None:
    """They count in the order in which they were pressed, whatever order they come in."""
    bot = Frail()
    users = lay(bot, ROUND_9, dict.fromkeys(range(1, 6)))
    ada = users[0]
    for page in ("m5", "m5c", "m5cm"):
        bot.push(ada, ada, page)
    play = on_its_way(bot, ada, "s5cm")
    toast(bot, play)
    lock = on_its_way(bot, ada, "l")
    bot.push(ada, ada, "s-")
    assert toast(bot, lock) != OVER
    assert toast(bot, play) != OVER
    assert boxed(bot.match())[0] == ("-", False)
    ready(bot, users[6:])
    assert bot.match().number == ROUND_9
    bot.close()
