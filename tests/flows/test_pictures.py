"""Pictures in the chats: how many, when, in whose place, and that nothing waits for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import pytest
from flask.testing import FlaskClient

from engine.gravity.birds import Bird
from engine.gravity.moves import Reveal
from engine.gravity.notation import write
from handler.codec import read_telling, write_telling
from handler.dispatch import handle
from handler.picture import Drawing
from handler.picture_telling import TRIES
from handler.rates import BURST
from handler.screens import Shown, Telling
from handler.webhook import make_app
from infra.drawing import draw
from infra.local.botapi.errors import EDIT_NOT_FOUND, Refusal, flood
from infra.local.botapi.faults import Fault, line, refused
from tests.drawn import legible
from tests.flows import seven
from tests.flows.frail import Around, Effect, Frail, Kill, T
from tests.flows.house import SECRET, Flow, flow
from tests.flows.patient import PatientFlow
from tests.flows.players import busiest_minute, ended, find, finder, play, quiet
from tests.flows.segments import lobby, until

PHOTOS = ("sendPhoto", "editMessageMedia")


@dataclass(frozen=True)
class Put:
    """A picture that was put into a chat: into which message, whether into a new one, and what it shows in words."""

    message: int
    new: bool
    words: str


def put(bot: Flow, chat: int) -> list[Put]:
    """The pictures of a chat, in order."""
    found = []
    for call in bot.world.calls:
        if call.method in PHOTOS and call.params["chat_id"] == chat and call.answer.status == 200:
            given = legible(dict(call.params))
            new = call.method == "sendPhoto"
            words = given["photo"] + given["caption"] if new else given["media"]["media"] + given["media"]["caption"]
            found.append(Put(call.answer.result["message_id"], new, words))
    return found


def photos(bot: Flow, chat: int) -> list[int]:
    """The messages of a chat with a picture, in order."""
    return [message["message_id"] for message in bot.world.history(chat) if "photo" in message]


def asked(bot: Flow, chat: int) -> int:
    """How often a picture was tried in a chat."""
    return sum(call.method in PHOTOS and call.params["chat_id"] == chat for call in bot.world.calls)


def caption(bot: Flow, chat: int, message: int) -> str:
    """What stands under a picture."""
    return str(bot.world.message(chat, message)["caption"])


def begun(bot: Flow) -> str:
    """A duel whose players took their time in the lobby, so that the group is quiet; the match's id."""
    bot.lobby()
    bot.wait(120)
    bot.press(bot.ada, "Start")
    return bot.match().id


@contextmanager
def duel() -> Iterator[Flow]:
    """The same, in the draft of its first night."""
    with flow() as bot:
        begun(bot)
        bot.wait(120)
        assert bot.match().phase is not None
        yield bot


def test_a_duel_has_a_ring_in_each_round_and_a_story_at_the_end() -> None:
    with flow() as bot:
        id = begun(bot)
        play(bot, id, lambda match, player: None)
        ended(bot, id, bot.group)
        public = put(bot, bot.group)
        new = [each for each in public if each.new]
        assert [each.message for each in new] == photos(bot, bot.group)
        assert ["Ring(" in each.words for each in new] == [True] * 4 + [False]
        assert "GravityTale(" in new[-1].words
        for number, each in enumerate(new[:4], 1):
            assert f"Round {number} of 4" in caption(bot, bot.group, each.message)
        assert len(public) > len(new), "a draft that is complete is shown in the same place"
        for user in (bot.ada, bot.bruno):
            private = put(bot, user)
            assert sum(each.new for each in private) == 4
            assert all("Ring(" in each.words for each in private)
            assert photos(bot, user) == [each.message for each in private if each.new]


def test_only_the_latest_picture_changes_quietly_and_each_change_shows_something_else() -> None:
    with flow() as bot:
        id = begun(bot)
        play(bot, id, finder(1))
        ended(bot, id, bot.group)
        for chat in (bot.group, bot.ada, bot.bruno):
            shown = put(bot, chat)
            for before, after in pairwise(shown):
                assert after.new or after.message == before.message
                assert after.words != before.words
        sent = [call for call in bot.world.calls if call.method == "sendPhoto"]
        assert all(call.params["disable_notification"] for call in sent)


def test_the_board_and_the_panel_stay_below_the_picture() -> None:
    with duel() as bot:
        telling = read_telling(_telling(bot))
        assert telling.board is not None
        assert telling.board.message > photos(bot, bot.group)[-1]
        bot.wait(400)
        assert bot.match().phase is not None
        telling = read_telling(_telling(bot))
        for player, panel in telling.panels.items():
            chat = (bot.ada, bot.bruno)[player]
            assert panel.message > photos(bot, chat)[-1]


def test_nobody_is_told_later_because_another_is_shown_something() -> None:
    """That one's picture changes says that they named a bird, and to draw it takes long enough to be felt."""
    with flow() as bot:
        match = bot.load(begun(bot))
        named = find(bot, bot.ada, match, "s" + write(Reveal(Bird.OWL)))
        assert named is not None
        bot.press_data(bot.ada, bot.ada, *named)
        before = len(bot.world.calls)
        bot.wait(60)
        calls = [(call.method, call.params.get("chat_id")) for call in bot.world.calls[before:]]
        assert bot.match().number == match.number + 1
        assert calls.count(("editMessageMedia", bot.ada)) == 1
        assert calls.index(("sendMessage", bot.bruno)) < calls.index(("editMessageMedia", bot.ada))
        assert not any(chat == bot.bruno for _, chat in calls[calls.index(("editMessageMedia", bot.ada)) :])


def test_an_episode_has_a_table_in_each_round_its_story_and_the_death_matchs_pictures() -> None:
    with flow() as bot:
        users = seven.company(bot, 2)
        id = seven.begin(bot, users).id
        play(bot, id, lambda match, player: None, until="actions")
        new = [each.words for each in put(bot, bot.group) if each.new]
        kinds = [next(kind for kind in ("DogTale(", "Table(", "Ring(") if kind in words) for words in new]
        assert kinds.count("DogTale(") == 1
        assert kinds.index("DogTale(") >= 9
        assert set(kinds[: kinds.index("DogTale(")]) == {"Table("}
        assert set(kinds[kinds.index("DogTale(") + 1 :]) <= {"Ring("}
        assert busiest_minute(bot, bot.group) <= 20


def test_in_practice_what_the_player_knows_is_shown_and_the_public_story_at_the_end() -> None:
    with flow() as bot:
        bot.press(bot.ada, "Practise now", bot.ada)
        bot.wait(60)
        bot.press(bot.ada, "Start", bot.ada)
        id = bot.match().id
        play(bot, id, finder(0))
        ended(bot, id, bot.ada)
        new = [each.words for each in put(bot, bot.ada) if each.new]
        assert ["Ring(" in words for words in new] == [True] * 4 + [False]
        assert all("own=True" in words for words in new[:-1])
        assert "GravityTale(" in new[-1]


# --- trouble --------------------------------------------------------------------------------------


def test_a_group_that_forbids_pictures_is_asked_once_and_told_everything() -> None:
    with flow() as bot:
        bot.world.groups.set_rights(bot.group, photos=False)
        id = begun(bot)
        play(bot, id, quiet)
        ended(bot, id, bot.group)
        assert asked(bot, bot.group) == 1
        assert photos(bot, bot.group) == []
        assert len(photos(bot, bot.ada)) == 4
        assert not read_telling(_telling(bot, id)).photos


def test_pictures_forbidden_in_the_middle_are_given_up_as_they_are() -> None:
    with duel() as bot:
        there = photos(bot, bot.group)
        assert there
        bot.world.groups.set_rights(bot.group, photos=False)
        tried = asked(bot, bot.group)
        play(bot, bot.match().id, finder(0))
        assert asked(bot, bot.group) == tried + 1
        assert photos(bot, bot.group) == there


def test_a_picture_that_is_lost_is_sent_anew() -> None:
    with flow() as bot:
        begun(bot)
        bot.wait(30)
        [first] = photos(bot, bot.group)
        bot.world.faults.expect("editMessageMedia", refused(EDIT_NOT_FOUND), chat=bot.group)
        play(bot, bot.match().id, lambda match, player: None, until="guesses")
        bot.wait(60)
        assert bot.world.faults.left == 0
        assert len(photos(bot, bot.group)) == 2
        assert put(bot, bot.group)[-1].message > first


SERVER_ERROR = refused(Refusal(500, "Internal Server Error"))


@pytest.mark.parametrize("fault", [line("cut", takes_effect=True), line("hang"), SERVER_ERROR])
def test_a_picture_that_never_comes_through_holds_nothing_up_and_is_given_up(fault: Fault) -> None:
    with flow() as bot:
        for chat in (bot.group, bot.ada):
            bot.world.faults.expect("sendPhoto", fault, 1_000, chat=chat)
        begun(bot)
        telling = read_telling(_telling(bot))
        assert telling.board is not None
        assert telling.board.scene != "lobby", "the board has come all the same"
        assert 0 in telling.panels
        bot.wait(50)
        assert asked(bot, bot.ada) == TRIES
        assert 1 <= asked(bot, bot.group) <= TRIES, "again only where there is room for it"
        assert len(photos(bot, bot.bruno)) == 1
        bot.world.faults.clear()


def test_a_picture_that_came_uncertainly_is_sent_again() -> None:
    with flow() as bot:
        bot.world.faults.expect("sendPhoto", line("cut", takes_effect=True), chat=bot.group)
        begun(bot)
        bot.wait(120)
        assert len(photos(bot, bot.group)) == 2


def test_a_wait_that_telegram_asks_for_is_kept() -> None:
    with flow() as bot:
        bot.world.faults.expect("sendPhoto", refused(flood(20)), chat=bot.group)
        begun(bot)
        since = bot.clock.time
        bot.wait(50)
        [_, *later] = [
            call.at for call in bot.world.calls if call.at >= since and call.params.get("chat_id") == bot.group
        ]
        assert min(at for at in later if at > since) >= since + 20
        assert len(photos(bot, bot.group)) == 1


def test_a_picture_that_cannot_be_drawn_is_logged_once_and_nothing_is_missing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def clumsy(drawing: Drawing) -> bytes:
        raise ValueError(repr(drawing))

    with flow() as bot:
        bot.ports = replace(bot.ports, draw=clumsy)
        bot.client = _served(bot)
        id = begun(bot)
        play(bot, id, finder(1), until="actions")
        bot.wait(20)
        assert bot.match().phase is not None
        assert asked(bot, bot.group) == asked(bot, bot.ada) == 0
        item = bot.store.load(id)
        assert item is not None
        assert item.told == item.news
    assert sum("cannot be drawn" in record.getMessage() for record in caplog.records) == 3


def test_without_room_to_spare_a_picture_is_left_out_while_the_match_goes_on() -> None:
    with flow() as bot:
        bot.lobby()
        bot.press(bot.ada, "Start")
        assert photos(bot, bot.group) == [], "the lobby has taken the places"
        assert len(photos(bot, bot.ada)) == 1
        board = read_telling(_telling(bot)).board
        assert board is not None
        assert board.scene != "lobby"


def test_at_the_end_the_story_waits_for_its_turn() -> None:
    with duel() as bot:
        id = bot.match().id
        for _ in range(BURST):
            bot.ports.rates.note(bot.group, bot.clock.time)
        bot.say(bot.bruno, "/resign")
        bot.press(bot.bruno, "Yes, I resign", bot.bruno)
        assert "GravityTale(" not in put(bot, bot.group)[-1].words
        ended(bot, id, bot.group)
        assert "GravityTale(" in put(bot, bot.group)[-1].words


def test_a_picture_moves_with_its_group() -> None:
    with duel() as bot:
        new = bot.world.groups.migrate(bot.group, bot.ada)
        bot.deliver()
        bot.wait(60)
        assert len(photos(bot, new)) == 1


class Photos(Around):
    """Notes which effects put a picture somewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.at: list[int] = []

    def carry_out(self, name: str, effect: Effect[T]) -> T:
        if name in ("photo", "edit_photo"):
            self.at.append(len(self.effects))
        return effect()


def _night(bot: PatientFlow) -> None:
    """A night, and what comes after it: whoever takes over from the dead spares the group a picture at first."""
    lobby(bot)
    bot.wait(60)
    for phase in ("actions", "guesses"):
        until(bot, phase)
        bot.wait(20)


def test_a_process_that_dies_at_a_picture_or_right_after_it_shows_it_twice_at_most() -> None:
    watched = Photos()
    clean = Frail(around=watched)
    _night(clean)
    wanted = {chat: [each.words for each in put(clean, chat)] for chat in (clean.group, clean.ada, clean.bruno)}
    clean.close()
    assert len(watched.at) >= 4
    for number in watched.at:
        for at in (number, number + 1):
            bot = Frail(around=Kill(at))
            _night(bot)
            assert bot.world.violations == []
            for chat, words in wanted.items():
                found = put(bot, chat)
                assert found[-1].words == words[-1]
                assert len(photos(bot, chat)) <= 2
            bot.close()


# --- the real thing -------------------------------------------------------------------------------


def test_real_pictures_are_taken() -> None:
    with flow() as bot:
        bot.ports = replace(bot.ports, draw=draw)
        bot.client = _served(bot)
        begun(bot)
        for chat in (bot.group, bot.ada):
            [message] = photos(bot, chat)
            [size] = bot.world.message(chat, message)["photo"]
            assert size["width"] >= 900
            assert bot.world.file(size["file_id"])


def test_what_was_shown_is_kept() -> None:
    told = Telling(pictures={"group": Shown(-5, 7, "ring1", "abc"), "0": Shown(5, None, "ring1", "abc")}, photos=False)
    assert read_telling(write_telling(told)) == told


def _telling(bot: Flow, id: str | None = None) -> str:
    item = bot.store.load(id or bot.match().id)
    assert item is not None
    return item.telling


def _served(bot: Flow) -> FlaskClient:
    """The webhook with the ports there are now."""
    return make_app(partial(handle, bot.ports), SECRET).test_client()
