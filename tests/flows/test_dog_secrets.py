"""No secret of Dog's Judgement, or of the episode around it, leaves the bot before its time."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.chance import commitment
from engine.episode.rules import Death
from infra.local.botapi.methods import Upload
from tests.flows import seven
from tests.flows.dog_twin_plans import TO_THE_CHOICE
from tests.flows.dog_twins import follow, follow_the_choice, table, to_the_choice
from tests.flows.house import flow
from tests.flows.inspection import inspect, keep_quiet, logged, notations
from tests.flows.players import play
from tests.flows.twins import TROUBLES, Twin

SCRIPTS = st.integers(0, 2**32 - 1)
"""A script of two matches is whatever chance makes of such a number."""

AUDIENCES = st.sampled_from((None, *range(7)))


# --- two matches that differ in secrets alone -----------------------------------------------------


def test_group_and_player_see_nothing_of_what_two_tables_keep_secret(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    count: Counter[str] = Counter()

    @settings(max_examples=3)
    @example(7, 0)
    @given(SCRIPTS, AUDIENCES)
    def the_same(script: int, audience: int | None) -> None:
        count.update(follow(Random(script), audience, 10, lambda twin: inspect_all(twin, caplog)))

    the_same()
    assert count["public calls"] > 40
    assert count["private calls"] > 90
    assert count["rounds"] > 7
    assert count["scoring rounds"] > 5
    assert count["hands that differ"] > 5
    assert count["numbers of cards that differ"] > 5
    assert count["bribers that differ"] > 3
    assert count["idle bribers against none"] > 1
    assert count["players who differ in having played"] > 10
    assert count["orders of presses that differ"] > 8
    assert count["phases that others left"] > 5
    assert count["presses that closed nothing"] > 400


@pytest.mark.parametrize(("script", "audience"), [(3, None), (7, 0)])
def test_as_little_is_seen_where_the_host_has_declined_beforehand(
    script: int, audience: int | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    count = follow(Random(script), audience, 3, lambda twin: inspect_all(twin, caplog), declined=True)
    assert count["phases that differ"] > 1
    assert count["orders of presses that differ"] > 1


def test_nothing_is_seen_of_a_choice_and_of_what_a_death_match_keeps_secret(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    count: Counter[str] = Counter()

    @settings(max_examples=3)
    @example(4, 4)
    @example(6, 6)
    @example(8, None)
    @given(SCRIPTS, AUDIENCES)
    def the_same(script: int, audience: int | None) -> None:
        count.update(follow_the_choice(Random(script), audience, 13, lambda twin: inspect_all(twin, caplog)))

    the_same()
    assert count["public calls"] > 100
    assert count["private calls"] > 60
    assert count["lots"] > 0
    assert count["declined"] > 0
    assert count["secret phases"] > 4


def inspect_all(twin: Twin, caplog: pytest.LogCaptureFixture) -> None:
    """What was sent and what was logged."""
    inspect(twin)
    keep_quiet(caplog.records, twin)


# --- the seeds ------------------------------------------------------------------------------------


@pytest.fixture
def twin() -> Iterator[Twin]:
    with flow(salt="marked", seed=bytes(range(32))) as made:
        yield table(made)


def cancel(twin: Twin) -> None:
    """The host asks to end the match for everybody, and all who play agree."""
    twin.flow.say(twin.users[0], "/cancel")
    message, data = twin.flow.button("Yes, end it", twin.flow.group)
    for user in twin.users:
        if twin.match().stage == "playing":
            twin.flow.press_data(user, twin.flow.group, message, data)
    assert twin.match().stage == "cancelled"


def carried(value: Any) -> str:
    """All that a call carries, a file's content too."""
    return json.dumps(
        dict(value),
        default=lambda each: each.content.decode("utf-8", "replace") if isinstance(each, Upload) else str(each),
    )


@pytest.mark.parametrize("end", ["pregame", "round4", "choice", "declined", "reveals", "actions", "over"])
def test_the_seeds_come_once_and_last_in_the_record_of_the_whole_episode(
    twin: Twin, end: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whichever part is the last, and whether it was cancelled: until then nothing sent or logged holds either seed."""
    caplog.set_level(logging.DEBUG)
    script = [" ".join(row.get(player, ".") for player in range(7)) for row in TO_THE_CHOICE[0]]
    plan = seven.scripted(script, opponent=2, death=seven.finds(2))
    until = {"declined": "choice", "over": None}.get(end, end)
    play(twin.flow, twin.id, plan, until=until)
    if twin.match().stage == "playing":
        twin.flow.wait(90)
        inspect_all(twin, caplog)
        if end == "declined":
            twin.flow.press(twin.users[0], "No Death Match")
            twin.flow.press(twin.users[0], "Yes, end it here")
        else:
            cancel(twin)
    assert twin.match().stage != "playing"
    met = isinstance(twin.match().state, Death)
    assert met == (end in ("reveals", "actions", "over"))
    twin.flow.wait(90)

    main, death = twin.seeds
    showing = [call for call in twin.flow.world.calls if main.hex() in carried(call.params)]
    [file] = [call for call in twin.flow.world.calls if call.method == "sendDocument"]
    assert showing == [file]
    assert [call for call in twin.flow.world.calls if death.hex() in carried(call.params)] == [file] * met
    assert not any(seed.hex() in line for seed in twin.seeds for line in logged(caplog.records))
    posted = [carried(call.params) for call in twin.flow.world.calls if call.method == "sendMessage"]
    assert [any(commitment(seed) in text for text in posted) for seed in twin.seeds] == [True, met]


# --- one after the other --------------------------------------------------------------------------


def to_round(twin: Twin, round_: int) -> None:
    """On to a round, nobody doing anything."""
    while twin.match().state.board.round < round_:
        twin.flow.wait(30)


def test_whoever_plays_nothing_learns_nothing_by_pressing(twin: Twin) -> None:
    """Every press of a stranger is answered the same, whatever is sealed and whoever is ready."""
    to_round(twin, 1)
    for player, tail in enumerate(("s5cm", "s2xb3-", "f1rm", "l", "f7cr")):
        twin.press(twin.users[player], twin.users[player], 1, tail)
        for nosy in ("l", "u", "m5x", "s5cm", "fend", "svs2"):
            twin.press(twin.onlooker, twin.flow.group, 1, nosy)
    answers = [shown for _, method, shown in twin.seen(None) if method == "answerCallbackQuery"]
    assert {json.loads(answer)["text"] for answer in answers} == {"You are not playing in this match."}
    assert twin.quiet == len(answers) + 5 == 35


def rename(twin: Twin, user: int, name: str) -> None:
    """Somebody takes another name in Telegram."""
    with twin.flow.world.desk.change() as state:
        renamed = state.users[user]
        renamed.first_name = name
        state.save_user(renamed)


def test_a_press_under_a_new_name_is_not_heard_of_in_the_group(twin: Twin) -> None:
    """The name is shown with the next news; at once, it would say who has just played something."""
    to_round(twin, 1)
    user = twin.users[3]
    rename(twin, user, "Dora the Second")
    for tail in ("s5rm", "l"):
        twin.press(user, user, 1, tail)
    assert not [call for call in twin.seen(None) if "Dora the Second" in call[2]]
    to_round(twin, 2)
    twin.flow.wait(30)
    assert [call for call in twin.seen(None) if "Dora the Second" in call[2]]


def test_that_somebody_leaves_or_plays_on_brings_nobodys_new_name(twin: Twin) -> None:
    """It is no news to the others. With it the board would say that the candidate has looked at their choice."""
    to_the_choice(twin, TO_THE_CHOICE[0])
    twin.flow.wait(60)
    candidate, other, number = twin.users[6], twin.users[0], twin.match().number
    rename(twin, candidate, "Gina the Second")
    twin.press(candidate, candidate, number, "mvs2")
    for tail in ("/resign", ":quit:yes", "/resign", ":quit:no"):
        twin.press(other, other, number, tail)
    assert twin.quiet == 5
    assert not [call for call in twin.seen(None) if "Gina the Second" in call[2]]
    twin.press(candidate, candidate, number, "fvs2")
    twin.flow.wait(60)
    assert [call for call in twin.seen(None) if "Gina the Second" in call[2]]


@pytest.mark.parametrize("doing", [(), ("/resign", ":quit:yes")])
def test_what_waits_for_the_next_news_does_not_say_who_got_a_reminder(twin: Twin, doing: tuple[str, ...]) -> None:
    """A new name comes when a quarter of the time is left, whether the candidate is reminded or has left the table."""
    to_the_choice(twin, TO_THE_CHOICE[0])
    twin.flow.wait(60)
    match, candidate, other = twin.match(), twin.users[6], twin.users[3]
    for tail in doing:
        twin.press(candidate, candidate, match.number, tail)
    rename(twin, other, "Dora the Second")
    twin.press(other, other, match.number, "m")
    assert match.deadline is not None
    twin.until(match.deadline - 1)
    named = [call for call in twin.seen(None) if "Dora the Second" in call[2]]
    assert {call[0] for call in named} == {match.deadline - 75}
    assert [call[1] for call in named] == ["sendPhoto", "editMessageText"], (
        "the story, for which there was no room before, and the board"
    )


@pytest.mark.parametrize("doing", [(), ("l",), ("/resign", ":quit:yes")])
def test_whose_reminder_was_due_is_not_heard_of_in_the_group(twin: Twin, doing: tuple[str, ...]) -> None:
    """A reminder goes to whoever is not ready and at the table. That it could not be delivered is told afterwards."""
    to_round(twin, 1)
    user, match = twin.users[4], twin.match()
    assert match.deadline is not None
    for tail in doing:
        twin.press(user, user, 1, tail)
    twin.flow.world.people.block(user)
    twin.flow.deliver()
    twin.until(match.deadline - 1)
    assert twin.match().reminded
    assert not [call for call in twin.seen(None) if "cannot write" in call[2]]
    twin.flow.wait(60)
    assert len([call for call in twin.seen(None) if "cannot write" in call[2]]) == 1


def test_the_log_of_a_match_in_trouble_holds_no_secret(twin: Twin, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    plays = ("f5rbwcr", "s6xb7-", "s3xm4", "l", "f2cm", "s2-", "f7cr")
    for round_, trouble in enumerate(TROUBLES, start=1):
        to_round(twin, round_)
        twin.flow.world.faults.expect("*", trouble, 4)
        for user, tail in zip(twin.users, plays[round_:] + plays[:round_], strict=True):
            twin.press(user, user, round_, tail)
    twin.flow.wait(601)
    assert keep_quiet(caplog.records, twin) > len(TROUBLES)
    assert len(notations(twin)) == 5
    inspect(twin)


def test_a_fault_of_ours_is_logged_without_the_play_it_stumbled_over(
    twin: Twin, caplog: pytest.LogCaptureFixture
) -> None:
    to_round(twin, 1)
    user = twin.users[2]
    twin.press(user, user, 1, "s5rbwcr")
    item = twin.flow.store.load(twin.id)
    assert item is not None
    spoilt = replace(item, version=item.version + 1, body=item.body.replace('"5rbwcr"', '"5rbwcc"'))
    assert spoilt.body != item.body
    twin.flow.store.commit(item, spoilt, None, None, twin.flow.clock.now())
    world = twin.flow.world
    world.people.press(user, user, world.history(user)[-1]["message_id"], f"{twin.id}:1:l")
    twin.flow.deliver()
    lines = logged(caplog.records)
    assert any("BadNotation" in line for line in lines)
    assert not any("5rb" in line or seed.hex() in line for line in lines for seed in twin.seeds)
