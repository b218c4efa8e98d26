"""The stand-in as python-telegram-bot sees it, in process and over HTTP, and the local table's guard."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.error import Forbidden, InvalidToken, NetworkError, RetryAfter, TimedOut
from telegram.request import HTTPXRequest

from infra.local import table as local_table
from infra.local.botapi import faults
from infra.local.botapi.errors import flood
from infra.local.botapi.transport import TOKEN, WorldTransport
from infra.local.botapi.world import World
from infra.local.clock import SPEEDS, TableClock
from infra.local.scene import open_table
from infra.local.table import LocalTable, PortTaken, create_app
from tests.infra.local.steps import Scene, Steps, scene

KEYBOARD = InlineKeyboardMarkup([[InlineKeyboardButton("Join", callback_data="join")]])


async def speak(bot: Bot, at: Scene) -> None:
    """What every way to the stand-in must carry."""
    assert (await bot.get_me()).id == bot.id
    sent = await bot.send_message(at.group, "<b>a &amp; b</b>", parse_mode="HTML", reply_markup=KEYBOARD)
    assert (sent.text, sent.reply_markup) == ("a & b", KEYBOARD)
    await bot.edit_message_text("c", at.group, sent.message_id)
    file = await bot.send_document(at.group, b'{"a": 1}', filename="record.json", caption="Your record")
    assert file.document is not None
    assert at.world.file(file.document.file_id) == b'{"a": 1}'
    assert await bot.pin_chat_message(at.group, sent.message_id, disable_notification=True)
    query = at.world.people.press(at.ada, at.group, sent.message_id, "x" * 64)
    assert await bot.answer_callback_query(query, "Seated", show_alert=True)
    with pytest.raises(Forbidden, match="can't initiate"):
        await bot.send_message(at.ada, "x")
    for update in await bot.get_updates(timeout=0):
        assert isinstance(update, Update)


def in_process(at: Scene, do: Callable[[Bot], Coroutine[Any, Any, None]], token: str = TOKEN) -> None:
    async def run() -> None:
        requests = [HTTPXRequest(httpx_kwargs={"transport": WorldTransport(at.world)}) for _ in range(2)]
        await do(Bot(token, request=requests[0], get_updates_request=requests[1]))

    asyncio.run(run())


def test_the_client_library_works_in_process() -> None:
    at = scene()
    in_process(at, lambda bot: speak(bot, at))
    assert at.world.violations == []


def test_trouble_on_the_line_is_raised_as_on_a_real_one() -> None:
    at = scene()
    script: list[tuple[faults.Fault, type[Exception]]] = [
        (faults.line("refuse"), NetworkError),
        (faults.line("cut", takes_effect=True), NetworkError),
        (faults.line("hang"), TimedOut),
        (faults.broken(502, "<html>"), NetworkError),
        (faults.refused(flood(3)), RetryAfter),
    ]
    for fault, _ in script:
        at.world.faults.expect("sendMessage", fault)

    async def meet(bot: Bot) -> None:
        for _, error in script:
            with pytest.raises(error):
                await bot.send_message(at.group, "x")
        await bot.send_message(at.group, "x")

    in_process(at, meet)
    assert [message.get("text") for message in at.world.history(at.group)[1:]] == ["x", "x"]


def test_another_token_is_refused() -> None:
    async def ask(bot: Bot) -> None:
        with pytest.raises(InvalidToken):
            await bot.get_me()

    in_process(scene(), ask, "1:other")


def test_the_client_library_works_over_http() -> None:
    clock = TableClock()
    table = LocalTable(None, 0, clock)
    try:
        ada = table.world.people.add("Ada")
        group = table.world.groups.add("The Garden", ada)
        table.world.groups.add_bot(group, ada)
        asyncio.run(_over_http(f"{table.address}/bot", table.token, Scene(Steps(), table.world, ada, group)))
        with pytest.raises(PortTaken, match=f"PORT={table.port + 1}"):
            LocalTable(None, table.port, clock)
        assert table.world.violations == []
    finally:
        table.close()
        clock.close()


async def _over_http(api: str, token: str, at: Scene) -> None:
    bot = Bot(token, base_url=api)
    await speak(bot, at)
    at.world.faults.expect("getMe", faults.line("cut"))
    with pytest.raises(NetworkError):
        await bot.get_me()
    (last,) = await bot.get_updates(offset=-1)
    waiting = asyncio.create_task(bot.get_updates(offset=last.update_id + 1, timeout=30))
    at.world.people.say(at.ada, at.group, "/later")
    (update,) = await waiting
    assert update.message is not None
    assert update.message.text == "/later"


@pytest.fixture
def page() -> Iterator[tuple[FlaskClient, World]]:
    """The page's app without a server, at a table that is laid."""
    clock = TableClock()
    world = World(clock)
    open_table(world)
    yield create_app(world, clock, TOKEN, threading.Event()).test_client(), world
    world.close()
    clock.close()


def test_the_page_says_what_it_shows_and_does(page: tuple[FlaskClient, World]) -> None:
    client, world = page
    state = client.get("/table/state").get_json()
    ada, group = state["people"][0]["id"], state["group"]["id"]
    assert client.post("/table/say", json={"user": ada, "chat": group, "text": "/a"}).status_code == 200
    assert client.post("/table/start", json={"user": ada, "payload": "x"}).status_code == 200
    sent = world.call("sendMessage", {"chat_id": ada, "text": "x"}).result
    press = {"user": ada, "chat": ada, "message": sent["message_id"], "data": "x"}
    assert client.post("/table/press", json=press).get_json()["query"]
    cleo = client.post("/table/person", json={"name": " Cleo <i> "}).get_json()
    assert cleo["name"] == "Cleo <i>"
    assert client.post("/table/speed", json={"speed": SPEEDS[-1]}).status_code == 200
    again = client.get("/table/state").get_json()
    assert [person["name"] for person in again["people"]] == ["Ada", "Bruno", "Cleo <i>"]
    assert [message.get("text") for message in again["messages"][str(ada)]] == ["/start x", "x"]
    assert again["clock"]["speed"] == SPEEDS[-1]


def test_a_new_table_has_another_group_and_the_bot_leaves_the_old_one(page: tuple[FlaskClient, World]) -> None:
    client, world = page
    before = client.get("/table/state").get_json()["group"]["id"]
    assert client.post("/table/reset", json={}).status_code == 200
    after = client.get("/table/state").get_json()
    assert after["group"]["id"] != before
    assert len(after["people"]) == 2
    assert world.call("sendMessage", {"chat_id": before, "text": "x"}).status == 403


@pytest.mark.parametrize(
    ("name", "given", "status"),
    [
        ("say", {"user": 1, "chat": 1, "text": "x"}, 409),
        ("say", {"user": "1"}, 409),
        ("say", [], 400),
        ("person", {"name": " "}, 409),
        ("person", {"name": "x" * 65}, 409),
        ("speed", {"speed": 7}, 409),
        ("fly", {}, 404),
    ],
)
def test_the_page_refuses_kindly(page: tuple[FlaskClient, World], name: str, given: Any, status: int) -> None:
    answer = page[0].post(f"/table/{name}", json=given)
    assert (answer.status_code, bool(answer.get_json()["why"])) == (status, True)


def test_other_sites_are_kept_out(page: tuple[FlaskClient, World]) -> None:
    client, _ = page
    assert client.get("/table/state", headers={"Host": "127.0.0.1:8080"}).status_code == 200
    assert client.get("/table/state", headers={"Host": "rebound.example"}).status_code == 403
    assert client.post("/table/reset", json={}, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.post("/table/reset", json={}, headers={"Origin": "null"}).status_code == 403
    assert client.post("/table/reset", data={"a": "b"}).status_code == 415
    assert client.post("/table/reset", json={}, headers={"Origin": "http://localhost"}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/table/state", "/table/events", "/static/app.js", f"/bot{TOKEN}/deleteWebhook"])
def test_other_sites_are_kept_out_of_what_a_picture_or_a_link_can_ask_for(
    page: tuple[FlaskClient, World], path: str
) -> None:
    client, world = page
    world.call("setWebhook", {"url": "http://127.0.0.1/"})
    for site in ("cross-site", "same-site"):
        assert client.get(path, headers={"Sec-Fetch-Site": site}).status_code == 403
    assert world.desk.state.settings["webhook"]["url"] == "http://127.0.0.1/"
    for site in ("same-origin", "none"):
        assert client.get("/table/state", headers={"Sec-Fetch-Site": site}).status_code == 200


def test_a_table_that_stands_for_long_remembers_the_latest_calls_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_table, "CALLS_REMEMBERED", 3)
    clock = TableClock()
    table = LocalTable(None, 0, clock)
    for _ in range(5):
        table.world.call("getMe", {})
    assert len(table.world.calls) == 3
    table.close()
    clock.close()


def test_no_token_opens_two_tables_and_the_one_in_the_source_none() -> None:
    clock = TableClock()
    tables = [LocalTable(None, 0, clock) for _ in range(2)]
    tokens = [TOKEN, *(table.token for table in tables)]
    try:
        answers = [
            [table.app.test_client().get(f"/bot{token}/getMe").status_code for token in tokens] for table in tables
        ]
        assert answers == [[401, 200, 401], [401, 401, 200]]
        assert tables[0].app.test_client().get("/bot%ED%A0%80ä/getMe").status_code == 401
    finally:
        for table in tables:
            table.close()
        clock.close()


def test_events_follow_the_state_and_a_lost_reader_is_told(page: tuple[FlaskClient, World]) -> None:
    client, world = page
    state = client.get("/table/state").get_json()
    world.people.say(state["people"][0]["id"], state["group"]["id"], "x\ny")
    events = client.get("/table/events", query_string={"after": state["event"]})
    stream = iter(events.response)
    assert next(stream) == b"retry: 1000\n\n"
    told = bytes(next(stream)).decode()  # type: ignore[arg-type]
    assert told.startswith("id: ")
    assert "event: message\ndata: {" in told
    assert told.count("\n") == 4
    events.close()
    lost = client.get("/table/events", headers={"Last-Event-ID": "another-run-5"})
    assert b"event: lost" in lost.data
