"""What a forger may put into a press or type after a slash: it is answered once, and moves nobody else's match."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handler.hosting import ACTS, SETTINGS
from tests.fuzz.scene import Scene, everything, scene
from tests.fuzz.seeds import genuine, seeds
from tests.fuzz.strategies import TEXT, garbled, plain


@pytest.fixture(scope="module", params=["lobby", "match"])
def stage(request: pytest.FixtureRequest) -> Iterator[tuple[Scene, int]]:
    """A bot, and somebody in its group who has no part in the match and no rights."""
    with scene(request.param) as made:
        eve = made.bot.world.people.add("Eve")
        made.bot.world.groups.join(eve, made.bot.group)
        made.bot.world.people.start(eve)
        made.bot.deliver()
        yield made, eve


def answers(stage: Scene) -> int:
    return sum(call.method == "answerCallbackQuery" for call in stage.bot.world.calls)


@settings(max_examples=70)
@given(data=st.data())
def test_a_stranger_moves_nothing_with_any_data(stage: tuple[Scene, int], data: st.DataObject) -> None:
    made, eve = stage
    known = [each for each in genuine(made.bot) if not each.startswith("-:new") and ":join:" not in each]
    carried = data.draw(garbled(known) | TEXT)
    if carried.startswith("-:new") or ":join:" in carried:
        return
    before, told = everything(made.bot), answers(made)
    press = {
        "id": "5",
        "from": {"id": eve, "is_bot": False, "first_name": "Eve"},
        "chat_instance": "1",
        "data": carried,
    }
    for message in (made.bot.world.history(made.bot.group)[-1], made.bot.world.history(made.bot.ada)[-1]):
        assert made.bot.post(plain({"update_id": 1, "callback_query": {**press, "message": message}})) == 200
    assert everything(made.bot) == before
    assert answers(made) == told + 2


@settings(max_examples=50)
@given(text=st.builds("/{}{}{}".format, TEXT, st.sampled_from((" ", "@", "\n", "\x00")), TEXT))
def test_a_stranger_moves_nothing_with_any_command(stage: tuple[Scene, int], text: str) -> None:
    made, eve = stage
    before = everything(made.bot)
    who = {"id": eve, "is_bot": False, "first_name": "Eve"}
    for chat in (
        {"id": eve, "type": "private", "first_name": "Eve"},
        {"id": made.bot.group, "type": "group", "title": "x"},
    ):
        message = {"message_id": 1, "date": 1, "chat": chat, "from": who, "text": text}
        assert made.bot.post(plain({"update_id": 1, "message": message})) == 200
    assert everything(made.bot) == before


@pytest.mark.parametrize("stage_", ["lobby", "match"])
@settings(max_examples=12)
@given(data=st.data())
def test_a_player_moves_only_their_own(stage_: str, data: st.DataObject) -> None:
    """Ada may forge what she likes: what Bruno has sealed stays sealed, as he left it."""
    with scene(stage_) as made:
        bot = made.bot
        if stage_ == "match":
            bot.press(bot.bruno, "Owl", bot.bruno)
        [id] = bot.matches()
        sealed = bot.load(id).box.get(1)
        presses = [update for update in seeds(made) if "callback_query" in update]
        for forged in data.draw(st.lists(garbled(genuine(bot)) | TEXT, min_size=1, max_size=5)):
            update = data.draw(st.sampled_from(presses))
            assert bot.post(plain({**update, "callback_query": {**update["callback_query"], "data": forged}})) == 200
        match = bot.load(id)
        assert match.box.get(1) == sealed
        assert [who is not None and who.user for who in match.seats][1] == bot.bruno


ARGUMENTS = ("", "x", "²", "٣", "-1", "99", "9" * 40, "0.", "0.x", "99.1", "1,1,,x", "0.?h", "\ud800", "\x00", "None")


@pytest.mark.parametrize("stage_", ["lobby", "match"])
def test_every_act_may_carry_any_argument(stage_: str) -> None:
    """All of them come from the host, who may do the most."""
    with scene(stage_) as made:
        bot = made.bot
        [id] = bot.matches()
        [press, *_] = [update for update in seeds(made) if "callback_query" in update]
        acts = [f"{id}:{act}:" for act in (*SETTINGS, *ACTS)]
        for begun in (*acts, f"{id}:0:s", f"{id}:0:f", f"{id}:0:m", f"{id}:99999:s", "-:rules:", "-:rulebook:"):
            for argument in ARGUMENTS:
                forged = {**press["callback_query"], "data": begun + argument}
                assert bot.post(plain({**press, "callback_query": forged})) == 200
        assert bot.load(id).box.get(1) is None
