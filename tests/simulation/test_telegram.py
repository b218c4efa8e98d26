"""The simulated Telegram's calls: what each fault is for the bot, and what the trace says of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from markupsafe import Markup

from handler import ports
from handler.message import Button, Message
from handler.picture import Head, Ring
from handler.ports import (
    Expelled,
    Forbidden,
    MessageLost,
    Migrated,
    NotSent,
    Place,
    TelegramError,
    TooFast,
    Uncertain,
    Unreachable,
)
from infra.local.botapi.faults import Answer
from infra.local.botapi.methods import METHODS
from infra.local.botapi.transport import TOKEN
from infra.telegram import LONGEST_CALL, BotTelegram
from tests.drawn import sketch
from tests.simulation.line import Line
from tests.simulation.processes import LATENCY, Killed
from tests.simulation.stage import Stage
from tests.simulation.telegram import Telegram
from tests.simulation.trace import Call, Happened, Pressed, Struck, Wrote
from tests.simulation.transport import Transport
from tests.simulation.weather import Fault

BOTAPI = Path(__file__).parents[3] / "shared" / "botapi"

HELLO = Message(Markup("<b>Hello</b> &amp; welcome"), ((Button("Go", data="x:1:s"),),))

Do = Callable[[ports.Telegram], object]


class Talk(Stage):
    """A person who has started the bot, a group that it is in, and its way there."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.telegram = Telegram(self.scheduler, self.weather, self.trace, self.stream("telegram"))
        self.person = self.telegram.person("Zed", "Zed")
        self.telegram.start(self.person)
        self.group = self.telegram.group("Friends", self.person)
        self.telegram.add_bot(self.group, self.person)
        self.bot = self.telegram.line(self.process)
        self.about = str(self.person)

    def close(self) -> None:
        self.telegram.close()

    def calls(self) -> list[Call]:
        return list(self.trace.of(Call))

    def outcomes(self) -> list[tuple[bool, int | None]]:
        return [(call.done, call.status) for call in self.calls()]

    def message(self, chat: int | None = None) -> int:
        """A message of the bot, sent in fair weather and forgotten by the trace."""
        calm, self.weather.calm = self.weather.calm, True
        where = Place(self.person if chat is None else chat)
        sent: int = self.run(lambda: self.bot.send(where, HELLO))
        self.weather.calm = calm
        self.trace.events.clear()
        return sent


@pytest.fixture
def talk() -> Iterator[Talk]:
    stage = Talk()
    yield stage
    stage.close()


def test_a_message_is_sent_and_noted(talk: Talk) -> None:
    sent = talk.run(lambda: talk.bot.send(Place(talk.person), HELLO))
    [call] = talk.calls()
    assert (call.method, call.chat, call.done, call.status, call.message) == (
        "sendMessage",
        talk.person,
        True,
        200,
        sent,
    )
    assert call.text == "Hello & welcome"
    assert call.params["reply_markup"] == {"inline_keyboard": [[{"text": "Go", "callback_data": "x:1:s"}]]}
    assert talk.telegram.messages(talk.person)[-1]["message_id"] == sent


def test_what_is_edited_and_pinned_is_noted(talk: Talk) -> None:
    sent = talk.message(talk.group)
    talk.run(lambda: talk.bot.edit(talk.group, sent, Message(Markup("<i>Bye</i>"), ())))
    talk.run(lambda: talk.bot.pin(talk.group, sent))
    assert [(call.method, call.message, call.text) for call in talk.calls()] == [
        ("editMessageText", sent, "Bye"),
        ("pinChatMessage", sent, ""),
    ]


def test_a_document_is_kept(talk: Talk) -> None:
    sent = talk.run(lambda: talk.bot.document(Place(talk.group), "r.json", b"{}", HELLO))
    assert talk.trace.files == {sent: b"{}"}
    [call] = talk.calls()
    assert (call.params["document"], call.text) == ("r.json", "Hello & welcome")


def test_each_process_asks_who_it_is_once(talk: Talk) -> None:
    for _ in range(2):
        bot = talk.telegram.line(talk.process)
        assert talk.run(bot.me) == talk.run(bot.me)
    assert [call.method for call in talk.calls()] == ["getMe", "getMe"]


def test_what_comes_directly_is_what_comes_by_http(talk: Talk) -> None:
    sent = talk.message(talk.group)
    unattached = BotTelegram(TOKEN, "http://telegram.test", talk.telegram.transport)
    by_http = Line(talk.process, unattached, talk.telegram.transport, talk.weather, talk.stream("line"), str)
    heard: list[list[object]] = []
    for number, bot in enumerate((talk.bot, by_http)):
        talk.trace.events.clear()
        talk.run(bot.me)
        talk.run(lambda bot=bot: bot.send(Place(talk.group), HELLO, quiet=True))  # type: ignore[misc]
        other = Message(Markup(f"&lt;ü+%&amp;=\n{number} 🦊"), HELLO.keyboard)
        talk.run(lambda bot=bot, other=other: bot.edit(talk.group, sent, other))  # type: ignore[misc]
        ring = talk.run(lambda bot=bot: bot.photo(Place(talk.group), ring_of("Night 1"), HELLO))  # type: ignore[misc]
        night = ring_of(f"Night 2 🦊 {number}")
        talk.run(lambda bot=bot, ring=ring, night=night: bot.edit_photo(talk.group, ring, night, HELLO))  # type: ignore[misc]
        talk.run(lambda bot=bot: bot.pin(talk.group, sent))  # type: ignore[misc]
        talk.run(lambda bot=bot: bot.member(talk.group, talk.person))  # type: ignore[misc]
        talk.run(lambda bot=bot: bot.answer("1", "a b+c", alert=True))  # type: ignore[misc]
        heard.append([(call.method, call.done, _alike(call)) for call in talk.calls()])
    unattached.close()
    assert len(heard[0]) == 8
    assert "Night 1" in str(heard[0][3]), "what a picture shows can be read"
    assert heard[0] == heard[1]


def ring_of(place: str) -> bytes:
    return sketch(Ring(Head("Gravity Pandemic", place, "Public", own=False), (), (), "", ()))


def _alike(call: Call) -> object:
    """A call apart from what differs from one line to the other: the numbers in its text, picture and message."""
    said = {**call.params, "text": call.text[:5]}
    if call.method == "editMessageMedia":
        return said["media"]["type"], "Night 2 🦊" in said["media"]["media"], said["media"]["caption"]
    return said


def send(talk: Talk) -> Do:
    return lambda bot: bot.send(Place(talk.person), HELLO)


def document(talk: Talk) -> Do:
    return lambda bot: bot.document(Place(talk.person), "r.json", b"{}", HELLO)


def edit(talk: Talk) -> Do:
    sent = talk.message()
    return lambda bot: bot.edit(talk.person, sent, Message(Markup("other"), ()))


def answer(talk: Talk) -> Do:
    talk.telegram.press(talk.person, talk.person, talk.message(), "x:1:s")
    [pressed] = talk.trace.of(Pressed)
    talk.about = str(pressed.update)
    return lambda bot: bot.answer(pressed.query, "ok")


ONCE: list[tuple[Fault, Callable[[Talk], Do], type[TelegramError] | None, list[tuple[bool, int | None]]]] = [
    ("telegram connection refused", send, None, [(True, 200)]),
    ("telegram cut before", send, Uncertain, [(False, None)]),
    ("telegram cut before", edit, None, [(False, None), (True, 200)]),
    ("telegram cut after", send, Uncertain, [(True, None)]),
    ("telegram cut after", document, Uncertain, [(True, None)]),
    ("telegram cut after", edit, None, [(True, None), (False, 400)]),
    ("telegram silent before", send, Uncertain, [(False, None)]),
    ("telegram silent before", edit, Uncertain, [(False, None)]),
    ("telegram silent after", send, Uncertain, [(True, None)]),
    ("telegram slow", send, None, [(True, 200)]),
    ("telegram 429", send, TooFast, [(False, 429)]),
    ("telegram 500", send, NotSent, [(False, 500)]),
    ("telegram 500", edit, None, [(False, 500), (True, 200)]),
    ("telegram 502", send, NotSent, [(False, 502)]),
    ("telegram 500 after", send, NotSent, [(True, 500)]),
    ("telegram empty answer", send, Uncertain, [(True, 200)]),
    ("telegram edit not found", edit, MessageLost, [(False, 400)]),
    ("telegram query too old", answer, None, [(False, 400)]),
    ("telegram query too old", send, None, [(True, 200)]),
]


@pytest.mark.parametrize(("fault", "prepare", "error", "outcomes"), ONCE)
def test_a_fault_that_strikes_once(
    talk: Talk,
    fault: Fault,
    prepare: Callable[[Talk], Do],
    error: type[TelegramError] | None,
    outcomes: list[tuple[bool, int | None]],
) -> None:
    do = prepare(talk)
    talk.trace.events.clear()
    talk.weather.plan(fault)
    began = talk.scheduler.now
    if error is None:
        talk.run(lambda: do(talk.bot))
    else:
        with pytest.raises(error):
            talk.run(lambda: do(talk.bot))
    took = talk.scheduler.now - began
    assert talk.outcomes() == outcomes
    if "silent" in fault:
        assert LONGEST_CALL <= took <= LONGEST_CALL + 2 * LATENCY
    elif fault == "telegram slow":
        assert 1 <= took <= LONGEST_CALL
    else:
        assert took <= 2 + 2 * LATENCY
    struck = [event.about for event in talk.trace.of(Struck)]
    assert struck == ([] if (fault, prepare) == ("telegram query too old", send) else [talk.about])


def test_a_message_whose_answer_was_lost_stands_in_the_chat(talk: Talk) -> None:
    talk.weather.plan("telegram silent after")
    with pytest.raises(Uncertain):
        talk.run(lambda: talk.bot.send(Place(talk.group), HELLO))
    [call] = talk.calls()
    assert call.message == talk.telegram.messages(talk.group)[-1]["message_id"]
    assert call.text == "Hello & welcome"


def test_no_connection_twice_is_no_call(talk: Talk) -> None:
    talk.weather.plan("telegram connection refused", "telegram connection refused")
    with pytest.raises(NotSent):
        talk.run(lambda: talk.bot.send(Place(talk.person), HELLO))
    assert talk.calls() == []


def test_a_slow_call_and_silence_take_no_longer_than_any_call(talk: Talk) -> None:
    talk.weather.plan("telegram slow", "telegram silent before")
    began = talk.scheduler.now
    with pytest.raises(Uncertain):
        talk.run(lambda: talk.bot.send(Place(talk.person), HELLO))
    assert LONGEST_CALL <= talk.scheduler.now - began <= LONGEST_CALL + 2 * LATENCY


def test_a_fault_of_the_simulation_is_not_taken_for_the_line_s(talk: Talk) -> None:
    talk.telegram.world.call = lambda *_: 1 / 0  # type: ignore[method-assign, assignment]
    with pytest.raises(ZeroDivisionError):
        talk.run(lambda: talk.bot.send(Place(talk.person), HELLO))


def test_a_group_is_sent_no_more_than_twenty_a_minute(talk: Talk) -> None:
    for _ in range(20):
        talk.run(lambda: talk.bot.send(Place(talk.group), HELLO))
    talk.run(lambda: talk.bot.send(Place(talk.person), HELLO))
    with pytest.raises(TooFast) as flood:
        talk.run(lambda: talk.bot.send(Place(talk.group), HELLO))
    assert 50 < flood.value.seconds <= 60
    talk.run(lambda: talk.bot.member(talk.group, talk.person))
    talk.scheduler.now += flood.value.seconds
    talk.run(lambda: talk.bot.send(Place(talk.group), HELLO))
    assert [status for _, status in talk.outcomes()] == [200] * 21 + [429, 200, 200]


def test_who_blocked_the_bot_is_out_of_reach_until_they_are_back(talk: Talk) -> None:
    talk.telegram.block(talk.person)
    with pytest.raises(Unreachable):
        talk.run(lambda: talk.bot.send(Place(talk.person), HELLO))
    talk.telegram.start(talk.person)
    talk.run(lambda: talk.bot.send(Place(talk.person), HELLO))
    what = [event.what for event in talk.trace.of(Happened)]
    assert what == ["started", "bot added", "blocked", "unblocked", "started"]


def test_a_group_that_has_moved_says_where(talk: Talk) -> None:
    new = talk.telegram.migrate(talk.group, talk.person)
    with pytest.raises(Migrated) as moved:
        talk.run(lambda: talk.bot.send(Place(talk.group), HELLO))
    assert moved.value.chat == new
    talk.run(lambda: talk.bot.send(Place(new), HELLO))


def test_a_group_that_has_removed_the_bot(talk: Talk) -> None:
    talk.telegram.remove_bot(talk.group, talk.person)
    with pytest.raises(Expelled):
        talk.run(lambda: talk.bot.send(Place(talk.group), HELLO))


def test_missing_rights(talk: Talk) -> None:
    sent = talk.message(talk.group)
    talk.telegram.rights(talk.group, write=False, pin=False)
    for do in (lambda: talk.bot.send(Place(talk.group), HELLO), lambda: talk.bot.pin(talk.group, sent)):
        with pytest.raises(Forbidden):
            talk.run(do)
    assert talk.outcomes() == [(False, 400)] * 2


def test_topics(talk: Talk) -> None:
    forum = talk.telegram.group("Forum", talk.person, forum=True)
    talk.telegram.add_bot(forum, talk.person)
    topic = talk.telegram.topic(forum, talk.person, "Games")
    talk.telegram.close_topic(forum, topic)
    with pytest.raises(Forbidden):
        talk.run(lambda: talk.bot.send(Place(forum, topic), HELLO))
    talk.telegram.open_topic(forum, topic)
    talk.run(lambda: talk.bot.send(Place(forum, topic), HELLO))
    talk.telegram.delete_topic(forum, topic)
    talk.run(lambda: talk.bot.send(Place(forum, topic), HELLO))
    assert talk.outcomes() == [(False, 400), (True, 200), (False, 400), (True, 200)]


def test_a_call_is_not_begun_when_too_little_time_is_left(talk: Talk) -> None:
    talk.process.until = talk.scheduler.now + LONGEST_CALL + 8.5
    talk.run(lambda: talk.bot.send(Place(talk.person), HELLO))
    talk.scheduler.now += 1
    with pytest.raises(NotSent):
        talk.run(lambda: talk.bot.send(Place(talk.person), HELLO))
    assert talk.outcomes() == [(True, 200)]


@pytest.mark.parametrize(("fault", "stands"), [("killed before an effect", 0), ("killed after an effect", 1)])
def test_a_process_that_ends_around_a_call(talk: Talk, fault: Fault, stands: int) -> None:
    talk.weather.plan(fault)
    with pytest.raises(Killed):
        talk.run(lambda: talk.bot.send(Place(talk.group), HELLO))
    assert len([message for message in talk.telegram.messages(talk.group) if "reply_markup" in message]) == stands
    assert talk.outcomes() == [(True, 200)] * stands


def test_numbers_of_messages_name_one_of_all_chats(talk: Talk) -> None:
    assert len({talk.message(), talk.message(talk.group), talk.message(), talk.message(talk.group)}) == 4


def test_what_people_write_is_sent_to_the_bot_where_it_may_read_it(talk: Talk) -> None:
    talk.trace.events.clear()
    talk.telegram.say(talk.person, talk.group, "hello")
    talk.telegram.say(talk.person, talk.group, "/new")
    talk.telegram.say(talk.person, talk.person, "hello")
    assert [(wrote.text, wrote.update is None) for wrote in talk.trace.of(Wrote)] == [
        ("hello", True),
        ("/new", False),
        ("hello", False),
    ]


def test_the_same_seed_gives_the_same_trace() -> None:
    def trace() -> str:
        stage = Talk()
        rates: dict[Fault, float] = {"telegram slow": 0.3, "telegram cut after": 0.3, "telegram 429": 0.2}
        stage.weather.rates.update(rates)
        for number in range(30):
            text = Message(Markup(str(number)), ())
            try:
                stage.run(lambda text=text: stage.bot.send(Place(stage.person), text))  # type: ignore[misc]
            except TelegramError as error:
                stage.trace.secrets.append(type(error).__name__)
        stage.close()
        return repr(stage.trace)

    assert trace() == trace()


# --- errors.json ----------------------------------------------------------------------------------

LONG = "x" * 4097


def _blocked(talk: Talk) -> Do:
    talk.telegram.block(talk.person)
    return lambda bot: bot.send(Place(talk.person), HELLO)


def _deactivated(talk: Talk) -> Do:
    talk.telegram.deactivate(talk.person)
    return lambda bot: bot.send(Place(talk.person), HELLO)


def _stranger(talk: Talk) -> Do:
    stranger = talk.telegram.person("Yan", "Yan")
    return lambda bot: bot.send(Place(stranger), HELLO)


def _kicked(talk: Talk) -> Do:
    talk.telegram.remove_bot(talk.group, talk.person)
    return lambda bot: bot.send(Place(talk.group), HELLO)


def _kicked_supergroup(talk: Talk) -> Do:
    chat = talk.telegram.group("Super", talk.person, supergroup=True)
    return lambda bot: bot.send(Place(chat), HELLO)


def _deleted(talk: Talk) -> Do:
    talk.telegram.world.desk.state.chats[talk.group].deleted = True
    return lambda bot: bot.send(Place(talk.group), HELLO)


def _migrated(talk: Talk) -> Do:
    talk.telegram.migrate(talk.group, talk.person)
    return lambda bot: bot.send(Place(talk.group), HELLO)


def _nowhere(talk: Talk) -> Do:
    return lambda bot: bot.send(Place(-17), HELLO)


def _same(talk: Talk) -> Do:
    sent = talk.message()
    return lambda bot: bot.edit(talk.person, sent, HELLO)


def _no_thread(talk: Talk) -> Do:
    return lambda bot: bot.send(Place(talk.group, 17), HELLO)


def _closed(talk: Talk) -> Do:
    forum = talk.telegram.group("Forum", talk.person, forum=True)
    talk.telegram.add_bot(forum, talk.person)
    topic = talk.telegram.topic(forum, talk.person, "Games")
    talk.telegram.close_topic(forum, topic)
    return lambda bot: bot.send(Place(forum, topic), HELLO)


def _mute(talk: Talk) -> Do:
    talk.telegram.rights(talk.group, write=False)
    return lambda bot: bot.send(Place(talk.group), HELLO)


def _says(text: str, *buttons: Button) -> Callable[[Talk], Do]:
    message = Message(Markup(text), tuple((button,) for button in buttons))
    return lambda talk: lambda bot: bot.send(Place(talk.person), message)


PROVOKED: dict[str, tuple[Callable[[Talk], Do], Fault | None]] = {
    "blocked": (_blocked, None),
    "cant_initiate": (_stranger, None),
    "deactivated": (_deactivated, None),
    "kicked_group": (_kicked, None),
    "kicked_supergroup": (_kicked_supergroup, None),
    "not_member": (_kicked_supergroup, None),
    "group_deleted": (_deleted, None),
    "upgraded": (_migrated, None),
    "chat_not_found": (_nowhere, None),
    "not_modified": (_same, None),
    "edit_not_found": (edit, "telegram edit not found"),
    "cant_edit": (edit, "telegram edit not found"),
    "query_too_old": (answer, "telegram query too old"),
    "thread_not_found": (_no_thread, None),
    "topic_closed": (_closed, None),
    "no_rights_text": (_mute, None),
    "write_forbidden": (_mute, None),
    "parse_html": (_says("<test>what</test>"), None),
    "empty_text": (_says("<b></b>"), None),
    "button_empty": (_says("x", Button("Go", data="")), None),
    "button_text_empty": (_says("x", Button(" ", data="x")), None),
    "button_data": (_says("x", Button("Go", data="x" * 65)), None),
    "markup_too_long": (_says("x", *(Button("x" * 400, data="x") for _ in range(30))), None),
    "too_long": (_says(LONG), None),
    "flood": (send, "telegram 429"),
    "flood_long": (send, "telegram 429"),
    "server_500": (send, "telegram 500"),
    "bad_gateway_html": (send, "telegram 502"),
    "empty_200": (send, "telegram empty answer"),
    "timeout_after_delivery": (send, "telegram silent after"),
    "connect_refused": (send, "telegram connection refused"),
    "connection_reset_midway": (send, "telegram cut after"),
}
"""How each error comes about here."""

ELSEWHERE = {
    "parse_md": "the bot sends HTML only",
    "unauthorized": "the token is the operator's, and no run changes it",
}
"""What cannot come about in a run."""

TROUBLE = {
    "timeout_after_delivery": "ReadTimeout",
    "connect_refused": "ConnectError",
    "connection_reset_midway": "ReadError",
}
"""How httpx tells of trouble on the line."""


@pytest.mark.skipif(not BOTAPI.is_dir(), reason="needs ../shared beside the checkout")
def test_every_error_that_the_bot_can_meet_comes_about(monkeypatch: pytest.MonkeyPatch) -> None:
    came: list[str] = []
    arrive = Transport._arrive

    def heard(self: Transport, path: str, given: Mapping[str, Any]) -> Answer:
        try:
            answer = arrive(self, path, given)
        except httpx.TransportError as error:
            came.append(type(error).__name__)
            raise
        came.append(_masked(answer.status, answer.text))
        return answer

    monkeypatch.setattr(Transport, "_arrive", heard)
    known: list[dict[str, Any]] = json.loads((BOTAPI / "errors.json").read_text())
    ours = {error["id"]: error for error in known if {"*", *METHODS} & {*error["methods"]} - {"getUpdates"}}
    assert set(ours) == set(PROVOKED) | set(ELSEWHERE)
    for id, (prepare, fault) in PROVOKED.items():
        came.clear()
        for seed in range(12):  # what the server may say in several ways it says in each of them at one of these
            if _expected(ours[id]) not in came:
                _provoke(seed, prepare, fault)
        assert _expected(ours[id]) in came, id


def _provoke(seed: int, prepare: Callable[[Talk], Do], fault: Fault | None) -> None:
    talk = Talk(seed)
    do = prepare(talk)
    if fault is not None:
        talk.weather.plan(fault)
    with suppress(TelegramError):
        talk.run(lambda: do(talk.bot))
    talk.close()


def _expected(error: dict[str, Any]) -> str:
    if "transport" in error:
        return TROUBLE[error["id"]]
    body = error["body_text"] if "body_text" in error else json.dumps(error["body"])
    return _masked(error["http_status"], body)


def _masked(status: int, body: str) -> str:
    """Without its numbers, which differ."""
    return f"{status} {re.sub('[0-9]+', '0', body)}"
