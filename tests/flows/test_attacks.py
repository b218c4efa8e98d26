"""What people try who do not play by the rules of the table: forged presses, foreign chats, borrowed voices.

What is forged within a match of one's own is tried in ``test_presses.py`` and ``test_dog_presses.py``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest

from handler.hosting import ACTS, PRIVATE, SETTINGS
from handler.match import Match
from handler.ports import Item
from infra.local.botapi.state import BOT_ID
from infra.local.botapi.world import Call
from tests.flows.house import START, Flow
from tests.flows.players import boxed, buttons, last_of_bot, make, play, posted, quiet

GONE: Final = "That match is no longer here."
UNKNOWN: Final = "aaaaaaaa"

WHOLE: Final = (
    "join:",
    "leave:",
    "start:",
    "house:0",
    "unseat:0.h",
    "pace:relaxed",
    "first:h",
    "after:no",
    "pick:{number}.",
    "pick:{number}.o!",
    "decline:ask",
    "decline:{number}.yes",
    "cancel:ask",
    "cancel:yes",
    "cancel:no",
    "cancel:close",
    "calls:",
    "pause:{number}.0",
    "resume:{number}.0",
    "resume:{number}.1",
    "extend:ask",
    "extend:{number}.1",
    "replace:ask",
    "replace:1.h",
    "replace:1.h.person",
    "replace:1.h.keep",
    "take:1.h",
    "again:",
)
"""What is decided about a match in its own chat."""

OWN: Final = (
    "panel:",
    "notes:",
    "notes:sheet",
    "history:",
    "history:1",
    "resign:yes",
    "resign:no",
    "quit:yes",
    "quit:no",
    "agree:1.h.house.yes",
    "{number}:s?h",
    "{number}:f?-",
    "{number}:so",
    "{number}:l",
    "{number}:u",
    "{number}:m",
    "{number}:mnotes.sheet.",
    "0:m",
    "99999:l",
)
"""What only its players do, also in private."""


def outsider(bot: Flow, name: str = "Eve") -> int:
    """Somebody who knows the bot and is not in the group."""
    user = bot.world.people.add(name)
    bot.world.people.start(user)
    bot.deliver()
    return user


def elsewhere(bot: Flow, user: int) -> int:
    """Another group with the bot in it, where there is a message of the bot's."""
    chat = bot.world.groups.add("The Attic", user)
    bot.world.groups.add_bot(chat, user)
    bot.deliver()
    return chat


def stored(bot: Flow, match: Match) -> Item:
    item = bot.store.load(match.id)
    assert item is not None
    return item


def calls_of(bot: Flow, update: dict[str, Any]) -> list[Call]:
    """Post an update made by hand; what the bot called because of it."""
    before = len(bot.world.calls)
    assert bot.post({"update_id": 800_000_000 + before, **update}) == 200
    return bot.world.calls[before:]


@pytest.fixture(params=["lobby", "reveals", "draft", "over"])
def stage(request: pytest.FixtureRequest, bot: Flow) -> Match:
    """A match of Ada and Bruno that has come to a stage."""
    bot.lobby()
    match = bot.match()
    if request.param != "lobby":
        bot.press(bot.ada, "Start")
        match = bot.match()
    if request.param == "draft":
        play(bot, match.id, quiet, until="draft")
    if request.param == "over":
        bot.say(bot.ada, "/resign", bot.ada)
        bot.press(bot.ada, "Yes", bot.ada)
    bot.wait(120)
    return bot.load(match.id)


# --- from outside the group ---------------------------------------------------------------------------


def test_everything_that_a_button_can_ask_of_a_match_is_tried_from_outside() -> None:
    tried = {data.partition(":")[0] for data in (*WHOLE, *OWN)}
    assert tried - {"{number}", "0", "99999"} == {*ACTS, *SETTINGS}
    assert {data.partition(":")[0] for data in OWN} >= PRIVATE


def test_an_outsider_cannot_even_tell_that_a_match_is_there(bot: Flow, stage: Match) -> None:
    """Whatever is pressed under whatever message is answered as for an id that never was."""
    eve = outsider(bot)
    before = stored(bot, stage)
    shown = {chat: bot.texts(chat) for chat in (bot.group, bot.ada, bot.bruno)}
    for chat in (eve, elsewhere(bot, eve)):
        said = bot.texts(chat)
        for tail in (*WHOLE, *OWN):
            data = tail.format(number=stage.number)
            for id in (stage.id, UNKNOWN):
                assert bot.press_data(eve, chat, last_of_bot(bot, chat), f"{id}:{data}") == GONE, (data, id)
        assert bot.texts(chat) == said
    for id in (stage.id, UNKNOWN):
        assert bot.press_data(eve, eve, last_of_bot(bot, eve), f"-:record:{id}").startswith(
            "I no longer have that match"
        )
    told = set()
    for payload in (stage.id, UNKNOWN):
        bot.world.people.start(eve, f"panel-{payload}")
        bot.deliver()
        told.add(bot.texts(eve)[-1])
    [same] = told
    assert same.startswith("You have no seat in that match.\n\nGood evening")
    assert stored(bot, stage) == before
    assert {chat: bot.texts(chat) for chat in shown} == shown
    assert bot.store.of_person(eve) == ()


def test_nobody_joins_without_being_in_the_group(bot: Flow) -> None:
    """A link gives the match's id away, and a client can press any data under any message it sees."""
    bot.say(bot.ada, "/gravity")
    match, eve = bot.match(), outsider(bot)
    for chat in (eve, elsewhere(bot, eve)):
        assert bot.press_data(eve, chat, last_of_bot(bot, chat), f"{match.id}:join:") == GONE
        bot.world.people.start(eve, f"join-{match.id}")
        bot.deliver()
    assert bot.match() == match


def test_a_host_who_was_put_out_of_the_group_decides_nothing_there(bot: Flow) -> None:
    """Neither the seat nor the match is lost with it: another administrator goes on."""
    nora = outsider(bot, "Nora")
    bot.world.groups.join(nora, bot.group)
    bot.say(nora, "/gravity")
    bot.press(bot.ada, "Join")
    bot.press(bot.bruno, "Join")
    match = bot.match()
    bot.world.groups.set_status(nora, bot.group, "kicked")
    for tail in WHOLE:
        data = f"{match.id}:{tail.format(number=match.number)}"
        assert bot.press_data(nora, nora, last_of_bot(bot, nora), data) == GONE
    assert bot.match() == match
    assert bot.press(bot.ada, "Start") == "Off we go."


def test_a_player_decides_nothing_about_the_match_from_private(bot: Flow) -> None:
    """Not even the host: what is decided for everybody is decided where everybody sees it."""
    match = bot.begin()
    for tail in WHOLE:
        data = f"{match.id}:{tail.format(number=match.number)}"
        assert bot.press_data(bot.ada, bot.ada, last_of_bot(bot, bot.ada), data) == GONE
    assert bot.match() == match


def test_a_player_of_one_match_is_nobody_in_another(bot: Flow) -> None:
    match = bot.begin()
    eve = outsider(bot)
    attic = elsewhere(bot, eve)
    bot.say(eve, "/gravity", attic)
    bot.press(eve, "Join", attic)
    nora = outsider(bot, "Nora")
    bot.world.groups.join(nora, attic)
    bot.press(nora, "Join", attic)
    bot.press(eve, "Start", attic)
    bot.wait(10)
    [own] = bot.store.of_person(eve)
    assert bot.load(own).number == match.number, "the same phase, so that only the match's id differs"
    before = stored(bot, match)
    pressed = [found for found in buttons(bot, eve) if found[1].startswith(f"{own}:{match.number}:")]
    assert len(pressed) > 10
    for message, data in pressed:
        assert bot.press_data(eve, eve, message, data.replace(own, match.id)) == GONE
    assert stored(bot, match) == before


# --- another player's buttons -------------------------------------------------------------------------


def test_another_players_button_copied_to_the_byte_does_nothing_to_them(bot: Flow) -> None:
    """A button names no player: in other hands it is a button of theirs."""
    match = bot.begin()
    bot.wait(10)
    make(bot, match, bot.ada, quiet(match, 0))
    match, hers = bot.match(), bot.texts(bot.ada)
    sealed = boxed(match)[0]
    copied = [data for _, data in buttons(bot, bot.ada) if data.startswith(f"{match.id}:{match.number}:")]
    assert copied
    for data in copied:
        bot.press_data(bot.bruno, bot.bruno, last_of_bot(bot, bot.bruno), data)
    assert boxed(bot.match())[0] == sealed
    assert bot.texts(bot.ada) == hers


# --- with the webhook's secret ------------------------------------------------------------------------


def forgeries(bot: Flow, match: Match, eve: int) -> Iterator[dict[str, Any]]:
    """Updates that Telegram would not send: in Ada's name, in chats that are not hers."""
    ada = {"id": bot.ada, "is_bot": False, "first_name": "Ada"}
    chats = (
        {"id": eve, "type": "private", "first_name": "Eve"},
        {"id": bot.group, "type": "group", "title": "The Garden"},
        {"id": -1_009_999_999_999, "type": "supergroup", "title": "The Cellar"},
    )
    for chat in chats:
        sender = {"id": BOT_ID, "is_bot": True, "first_name": "Raven"}
        message = {"message_id": 1, "date": int(START), "chat": chat, "from": sender}
        unreachable = {"message_id": 1, "date": 0, "chat": chat}
        for tail in (*WHOLE, *OWN):
            if tail == "resign:yes":
                continue  # it would be the end of the others
            data = f"{match.id}:{tail.format(number=match.number)}"
            query = {"id": "1", "from": ada, "chat_instance": "1", "data": data}
            for place in ({"message": message}, {"message": unreachable}, {"inline_message_id": "1"}, {}):
                yield {"callback_query": {**query, **place}}
        asked = (
            "/matches",
            "/status",
            "/resign",
            "/start",
            "/cancel",
            "/pick",
            "/notes",
            "/history",
            "/stats",
            "/replace",
        )
        for text in (f"/start panel-{match.id}", *asked):
            typed = {"message_id": 2, "date": int(START), "chat": chat, "from": ada, "text": text}
            yield {"message": typed}


def test_whoever_forges_updates_can_act_for_others_but_reads_nothing_of_theirs(bot: Flow) -> None:
    """A thief of the webhook's secret: a panel goes to the chat that has its player's number, whatever is claimed."""
    match, eve = bot.begin(), outsider(bot)
    bot.wait(10)
    panel, notebook = f"{match.id}:{match.number}:", f"{match.id}:panel:"
    assert panel in json.dumps(bot.world.history(bot.ada))
    shown = tried = 0
    for update in forgeries(bot, match, eve):
        for call in calls_of(bot, update):
            if panel in json.dumps(call.params) or notebook in json.dumps(call.params):
                assert call.params["chat_id"] in (bot.ada, bot.bruno), "a pause is told to both"
                assert not call.replied, "whoever brings an update reads the answer to it"
                shown += call.params["chat_id"] == bot.ada
        tried += 1
    assert bot.match().number == match.number, "every one of them fell into the same phase"
    assert tried > 300
    assert shown > 3


def test_whoever_forges_a_move_of_the_group_reads_what_the_group_would_and_no_more(bot: Flow) -> None:
    match, eve = bot.begin(), outsider(bot)
    bot.wait(10)
    cellar = bot.world.groups.add_supergroup("The Cellar", eve)
    bot.world.groups.add_bot(cellar, eve)
    bot.deliver()
    group = {"id": bot.group, "type": "group", "title": "The Garden"}
    sender = {"id": bot.ada, "is_bot": False, "first_name": "Ada"}
    moved = {"message_id": 1, "date": int(START), "chat": group, "from": sender, "migrate_to_chat_id": cellar}
    calls_of(bot, {"message": moved})
    bot.wait(30)
    shown = bot.texts(cellar)
    assert any("The match has moved here" in text for text in shown)
    assert not set(shown) & {*bot.texts(bot.ada), *bot.texts(bot.bruno)}
    assert f"{match.id}:{match.number}:" not in json.dumps(bot.world.history(cellar))
    make(bot, bot.match(), bot.ada, quiet(bot.match(), 0))
    assert bot.texts(cellar) == shown


# --- borrowed voices ----------------------------------------------------------------------------------


def test_whoever_was_an_administrator_hosts_no_more(bot: Flow) -> None:
    """Asked at every press: what somebody was when the button appeared is nothing."""
    match = bot.begin()
    nora = outsider(bot, "Nora")
    bot.world.groups.join(nora, bot.group)
    bot.world.groups.set_status(nora, bot.group, "administrator")
    bot.wait(60)
    bot.say(nora, "/cancel")
    question, yes = bot.button("Yes, end it", bot.group)
    bot.world.groups.set_status(nora, bot.group, "member")
    assert bot.press_data(nora, bot.group, question, yes) == "Only Ada (the host) or a group administrator can do that."
    assert bot.match().stage == "playing"
    assert bot.match().id == match.id


def test_a_group_renamed_into_markup_is_shown_as_it_is_called(bot: Flow) -> None:
    """Telegram refuses markup that is not whole, and a link of a stranger's would speak in the bot's voice."""
    title = '</b><a href="https://evil.test">Press here</a> & <code>'
    with bot.world.desk.change() as state:
        state.chats[bot.group].title = title
        state.save_chat(state.chats[bot.group])
    bot.begin()
    bot.say(bot.ada, "/matches", bot.ada)
    bot.say(bot.ada, "/resign", bot.ada)
    assert '</b><a href="https://evil.test"' in bot.texts(bot.ada)[-1]
    for message in bot.world.history(bot.ada):
        assert all(entity["type"] != "text_link" for entity in message.get("entities", []))


# --- the seed -----------------------------------------------------------------------------------------


def test_no_seed_is_drawn_before_start_is_pressed_and_none_is_kept_before_every_seat_is_filled(
    bot: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lobby has none that could be looked at before one sits down; a Start that is refused leaves none behind."""
    draw, seeds = bot.ports.entropy.bytes, list[bytes]()

    def watched(n: int) -> bytes:
        drawn = draw(n)
        if n == 32:
            seeds.append(drawn)
        return drawn

    monkeypatch.setattr(bot.ports.entropy, "bytes", watched)
    bot.say(bot.ada, "/gravity")
    bot.press(bot.ada, "Join")
    assert seeds == []
    match = bot.match()
    assert bot.press_data(bot.ada, bot.group, last_of_bot(bot, bot.group), f"{match.id}:start:") != "Off we go."
    [refused] = seeds
    assert bot.match() == match
    assert refused.hex() not in stored(bot, match).body
    bot.press(bot.bruno, "Join")
    bot.press(bot.ada, "Start")
    record = bot.match().record
    assert record is not None
    assert record.setup.seed == seeds[-1].hex() != refused.hex()


def test_the_commitment_is_posted_before_anybody_is_asked_to_choose(bot: Flow) -> None:
    bot.lobby()
    before = len(bot.world.calls)
    bot.press(bot.ada, "Start")
    bot.wait(60)
    [seal] = posted(bot, bot.group)
    sent = [call for call in bot.world.calls[before:] if call.method == "sendMessage"]
    sealed = [at for at, call in enumerate(sent) if seal in str(call.params["text"])]
    asked = [at for at, call in enumerate(sent) if call.params["chat_id"] in (bot.ada, bot.bruno)]
    assert sealed
    assert asked
    assert sealed[0] < asked[0]


def test_the_message_with_the_commitment_is_never_edited(bot: Flow) -> None:
    """So an edit of it, which Telegram marks, is somebody else's doing."""
    match = bot.begin()
    play(bot, match.id, quiet)
    bot.wait(120)
    [seal] = posted(bot, bot.group)
    [message] = [each for each in bot.world.history(bot.group) if seal in str(each.get("text", ""))]
    assert "edit_date" not in message
