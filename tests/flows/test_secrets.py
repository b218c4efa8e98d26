"""No secret leaves the bot: not in the group, not in the other's private chat, not in a button, an answer or a log."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handler.webhook import SECRET_HEADER
from tests.flows.house import SECRET, flow
from tests.flows.inspection import inspect, keep_quiet, logged, notations
from tests.flows.twins import TROUBLES, Twin, duel, follow

SCRIPTS = st.integers(0, 2**32 - 1)
"""A script of two matches is whatever chance makes of such a number. What must have come up at all comes up in the
examples that are given; the others are drawn.
"""


# --- the whole bot ----------------------------------------------------------------------------------


def test_the_group_sees_nothing_of_what_two_matches_keep_secret(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    count: Counter[str] = Counter()

    @settings(max_examples=2)
    @example(1)
    @example(2)
    @example(3)
    @given(SCRIPTS)
    def the_same(script: int) -> None:
        count.update(follow(Random(script), None, 36, lambda twin: inspect_all(twin, caplog)))

    the_same()
    assert count["public calls"] > 200
    assert count["phases that differ"] > 20
    assert count["orders of presses that differ"] > 20
    assert count["presses that closed nothing"] > 400
    assert count["rounds"] > 0


def test_a_player_sees_of_the_other_only_what_the_own_birds_were_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    count: Counter[str] = Counter()

    @settings(max_examples=2)
    @example(1, 0)
    @example(2, 0)
    @example(3, 1)
    @given(SCRIPTS, st.sampled_from((0, 1)))
    def the_same(script: int, player: int) -> None:
        count.update(follow(Random(script), player, 36, lambda twin: inspect_all(twin, caplog)))

    the_same()
    assert count["private calls"] > 300
    assert count["phases that differ"] > 10
    assert count["presses that closed nothing"] > 400


def inspect_all(twin: Twin, caplog: pytest.LogCaptureFixture) -> None:
    """What was sent and what was logged."""
    inspect(twin)
    keep_quiet(caplog.records, twin)


@pytest.fixture
def twin() -> Iterator[Twin]:
    with flow(salt="marked", seed=bytes(range(32))) as made:
        yield duel(made)


def to_stage(twin: Twin, stage: str) -> None:
    """On to a phase, nobody doing anything."""
    while twin.match().state.board.stage != stage:
        twin.flow.wait(1)


def test_a_bird_that_is_never_drafted_is_not_heard_of_before_the_round_ends_rule_3(twin: Twin) -> None:
    """Every other bird is named by the draft; Lovebird A only by whoever was told its seat, and where the first draft
    explains itself, in every match alike.
    """
    for user in twin.users:
        twin.press(user, user, 0, "s?a")
    to_stage(twin, "guesses")
    while twin.match().state.board.round == 1:
        assert not [call for call in twin.seen(None) if "Lovebird A" in call[2].replace("Nobody drafts Lovebird A", "")]
        twin.flow.wait(30)
    twin.flow.wait(30)
    assert [call for call in twin.seen(None) if "not to be named again: Lovebird A." in call[2]]


def test_the_log_of_a_match_in_trouble_holds_no_secret(twin: Twin, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    tails = {"reveals": ("s?a", "l"), "actions": ("sah5", "sac7", "saw1", "fa"), "guesses": ("m5", "fg2v")}
    for trouble in TROUBLES * 3:
        match = twin.match()
        twin.flow.world.faults.expect("*", trouble, 4)
        for user in twin.users:
            for tail in tails.get(match.state.board.stage, ()):
                twin.press(user, user, match.number, tail)
        twin.flow.wait(301)
    assert keep_quiet(caplog.records, twin) > len(TROUBLES)
    assert notations(twin)
    inspect(twin)


def test_a_fault_of_ours_is_logged_without_the_move_it_stumbled_over(
    twin: Twin, caplog: pytest.LogCaptureFixture
) -> None:
    twin.press(twin.users[0], twin.users[0], 0, "s?a")
    item = twin.flow.store.load(twin.id)
    assert item is not None
    spoilt = replace(item, version=item.version + 1, body=item.body.replace('"?a"', '"?a99"'))
    twin.flow.store.commit(item, spoilt, None, None, twin.flow.clock.now())
    assert '"?a99"' in spoilt.body
    world, ada = twin.flow.world, twin.users[0]
    world.people.press(ada, ada, world.history(ada)[-1]["message_id"], f"{twin.id}:0:l")
    twin.flow.deliver()
    lines = logged(caplog.records)
    assert any("BadNotation" in line for line in lines)
    assert not any("?a99" in line or twin.seeds[0].hex() in line for line in lines)


@pytest.mark.parametrize(
    ("headers", "body", "answer"),
    [
        ({}, b"{}", (401, "unauthorized")),
        ({SECRET_HEADER: "guessed"}, b"{}", (401, "unauthorized")),
        ({SECRET_HEADER: SECRET}, b"{g5h", (400, "not json")),
        ({SECRET_HEADER: SECRET}, b'{"update_id": 1, "message": "g5h"}', (200, "ok")),
        ({SECRET_HEADER: SECRET}, b"0" * (1024 * 1024 + 1), (413, "too large")),
    ],
)
def test_the_webhook_answers_with_fixed_words(
    twin: Twin, headers: dict[str, str], body: bytes, answer: tuple[int, str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    response = twin.flow.client.post("/telegram", data=body, headers={**headers, "Content-Type": "application/json"})
    assert (response.status_code, response.text) == answer
    assert {name for name, _ in response.headers} == {"Content-Type", "Content-Length"}
    assert not any(SECRET in line or "g5h" in line or "guessed" in line for line in logged(caplog.records))


def test_whoever_plays_nothing_learns_nothing_by_pressing(twin: Twin) -> None:
    """Every press of a stranger is answered the same, whatever is sealed; none is ever shown a panel."""
    ada, _ = twin.users
    for sealed in ("s?h", "l"):
        twin.press(ada, ada, 0, sealed)
        for tail in ("l", "u", "m5", "s?h", "fresign", "sg5h"):
            twin.press(twin.onlooker, twin.flow.group, 0, tail)
    answers = {shown for _, method, shown in twin.seen(None) if method == "answerCallbackQuery"}
    assert [json.loads(answer)["text"] for answer in answers] == ["You are not playing in this match."]
    assert twin.quiet == 14


ASKED = ("/history", "/notes", "/matches", "/stats", ":history:", ":history:1", ":notes:", ":notes:sheet")
"""What anybody may ask of a match that goes on."""

CALLED = (":calls:", ":pause:{number}.0", ":extend:ask", ":replace:ask", ":take:0.h", ":agree:0.h.house.yes", ":again:")
"""What others than the host may only try."""


def answered(twin: Twin, user: int) -> list[tuple[str, str]]:
    """Somebody asks for everything in the group; all that the bot does because of it. That they have been answered in
    private is said in the group only once a minute, so it is left out.
    """
    before = len(twin.flow.world.calls)
    loud = () if user == twin.onlooker else ("/status", "/top")  # in the group, whose rate is to be kept
    for tail in (*loud, *ASKED, *CALLED):
        twin.press(user, twin.flow.group, twin.match().number, tail)
    made = [
        call
        for call in twin.flow.world.calls[before:]
        if call.method != "getChatMember"
        and (call.method != "sendMessage" or call.params["text"] != "I have answered you in private.")
    ]
    given = [{key: value for key, value in call.params.items() if key != "callback_query_id"} for call in made]
    return [(call.method, json.dumps(params, sort_keys=True)) for call, params in zip(made, given, strict=True)]


@pytest.mark.parametrize("stage", ["reveals", "actions", "guesses"])
def test_whatever_is_asked_in_a_secret_phase_is_answered_alike_whatever_is_sealed(twin: Twin, stage: str) -> None:
    """To the opponent and to somebody who looks on, before and after the first player chose and locked in."""
    ada, bruno = twin.users
    twin.flow.world.people.start(twin.onlooker)
    twin.flow.deliver()
    if stage != "reveals":
        for user in twin.users:
            twin.press(user, user, 0, "s?h")
    to_stage(twin, stage)
    move = {"reveals": "s?o", "actions": "sa", "guesses": "sg5v"}[stage]
    number = twin.match().number
    twin.flow.wait(20)
    heard = []
    for tail in ("m", move, "l"):
        twin.press(ada, ada, number, tail)
        heard.append([answered(twin, user) for user in (bruno, twin.onlooker)])
        twin.flow.wait(13)
    assert twin.match().number == number
    assert twin.match().box[0].final
    assert heard[0] == heard[1] == heard[2]
    assert min(map(len, heard[0])) > len(ASKED) + len(CALLED)


def test_a_press_under_a_new_name_is_not_heard_of_in_the_group(twin: Twin) -> None:
    """The name is shown with the next news; at once, it would say who has just chosen something."""
    ada, bruno = twin.users
    with twin.flow.world.desk.change() as state:
        renamed = state.users[ada]
        renamed.first_name = "Ada the Second"
        state.save_user(renamed)
    twin.press(ada, ada, 0, "s?h")
    twin.press(ada, ada, 0, "l")
    assert not [call for call in twin.seen(None) if "Ada the Second" in call[2]]
    twin.press(bruno, bruno, 0, "l")
    twin.flow.wait(30)
    assert [call for call in twin.seen(None) if "Ada the Second" in call[2]]


@pytest.mark.parametrize("chose", [True, False])
def test_whether_a_reminder_was_due_is_not_heard_of_in_the_group(twin: Twin, chose: bool) -> None:
    """A reminder goes to whoever has not locked in. That it could not be delivered is told when the phase is over."""
    ada, _ = twin.users
    to_stage(twin, "actions")
    match = twin.match()
    assert match.deadline is not None
    if chose:
        twin.press(ada, ada, match.number, "l")
    twin.flow.world.people.block(ada)
    twin.flow.deliver()
    twin.until(match.deadline - 1)
    assert twin.match().reminded
    assert not [call for call in twin.seen(None) if "cannot write" in call[2]]
    twin.flow.wait(60)
    assert len([call for call in twin.seen(None) if "cannot write" in call[2]]) == 1
