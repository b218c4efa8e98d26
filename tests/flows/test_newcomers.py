"""What somebody meets who plays for the first time: each answer says where things are, and what has happened."""

from __future__ import annotations

from tests.flows.house import Flow, flow
from tests.flows.players import finder, play, quiet
from tests.flows.seven import ready
from tests.flows.test_commands import bystander

ISOLATES = str.maketrans("", "", "\u2068\u2069")


def last(bot: Flow, chat: int) -> str:
    """The newest text in a chat, without marks."""
    return bot.texts(chat)[-1].translate(ISOLATES)


def test_the_status_of_a_draft_says_where_its_buttons_are(bot: Flow) -> None:
    match = bot.begin()
    play(bot, match.id, quiet, until="draft")
    bot.wait(20)
    bot.say(bot.ada, "/status")
    assert "The birds to press are under the board." in last(bot, bot.group)
    assert "below" not in last(bot, bot.group)
    assert any("Press a bird below." in text for text in bot.texts(bot.group))
    assert bot.labels(bot.group)[0] == "My panel", "a small group has no links to its messages"


def test_in_a_supergroup_the_status_leads_to_the_board(bot: Flow) -> None:
    bot.group = bot.world.groups.add_supergroup("The Park", bot.ada)
    bot.world.groups.join(bot.bruno, bot.group)
    bot.world.groups.add_bot(bot.group, bot.ada)
    bot.deliver()
    bot.begin()
    bot.wait(20)
    bot.say(bot.ada, "/status")
    assert bot.labels(bot.group)[:2] == ["To the board", "My panel"]


def test_a_call_typed_in_private_is_sent_to_where_the_match_is(bot: Flow) -> None:
    """To whoever plays it or hosts it; to others nothing is played."""
    nora = bystander(bot, started=True)
    bot.say(nora, "/gravity")
    for user in (bot.ada, bot.bruno):
        bot.press(user, "Join")
    bot.press(nora, "Start")
    for command in ("/pause", "/resume", "/extend 5", "/replace", "/pick", "/cancel"):
        for user in (nora, bot.ada):
            bot.say(user, command, user)
            assert last(bot, user) == "That belongs where the match is: send it in The Garden."
    eve = bot.world.people.add("Eve")
    bot.world.people.start(eve)
    bot.say(eve, "/pause", eve)
    assert last(bot, eve).startswith("Nothing is being played here.")
    assert bot.match().paused is None


def test_a_practice_that_has_not_begun_is_given_up_by_closing_its_lobby(bot: Flow) -> None:
    bot.say(bot.ada, "/practise gravity", bot.ada)
    bot.say(bot.ada, "/resign", bot.ada)
    assert last(bot, bot.ada).endswith("To give it up, close its lobby.")
    assert bot.press(bot.ada, "Close the lobby", bot.ada) == ""
    bot.press(bot.ada, "Yes, close it", bot.ada)
    assert not bot.store.of_person(bot.ada)
    assert "The lobby is closed." in [text.translate(ISOLATES) for text in bot.texts(bot.ada)]


def test_whoever_has_no_match_can_practise_at_once(bot: Flow) -> None:
    bot.say(bot.ada, "/matches", bot.ada)
    assert bot.press(bot.ada, "Practise now: Gravity", bot.ada) == ""
    assert bot.match().place.chat == bot.ada


def test_two_of_one_name_are_told_apart_on_the_buttons_that_remove_them(bot: Flow) -> None:
    bot.say(bot.ada, "/dog")
    first, second = (bot.world.people.add("Lena") for _ in range(2))
    for user in (first, bot.bruno, second):
        bot.world.people.start(user)
        bot.world.groups.join(user, bot.group)
        bot.deliver()
        bot.press(user, "Join")
    bot.wait(60)
    removing = [label.translate(ISOLATES) for label in bot.labels(bot.group) if label.startswith("✕")]
    assert removing == ["✕ Lena · Seat 1", "✕ Bruno", "✕ Lena · Seat 3"]


def test_a_board_that_may_stay_pinned_begins_with_that_it_is_over(bot: Flow) -> None:
    bot.begin()
    bot.wait(60)
    board = next(message for message in reversed(bot.world.history(bot.group)) if "reply_markup" in message)
    bot.say(bot.ada, "/cancel")
    for user in (bot.ada, bot.bruno):
        bot.press(user, "Yes, end it")
    assert "This match is over." in bot.texts(bot.group)
    bot.wait(60)
    assert bot.world.message(bot.group, board["message_id"])["text"].startswith("This match is over.\n")


def test_in_practice_what_happens_is_told_as_the_rules_tell_it() -> None:
    """A private result of the last step comes before what ends the match, and after what everybody hears first."""
    with flow(seed=bytes(32)) as bot:
        bot.say(bot.ada, "/practise gravity", bot.ada)
        bot.press(bot.ada, "Start", bot.ada)
        match = play(bot, bot.match().id, finder(0))
        bot.wait(60)
        texts = bot.texts(bot.ada)
        own = max(at for at, text in enumerate(texts) if "You were right" in text)
        end = max(at for at, text in enumerate(texts) if "wins the duel" in text)
        assert match.stage == "over"
        assert own < end
        assert texts.index(next(text for text in texts if "The match begins." in text)) < own
    with flow(seed=bytes(32)) as bot:
        bot.say(bot.ada, "/practise dog", bot.ada)
        bot.press(bot.ada, "Start", bot.ada)
        play(bot, bot.match().id, ready)
        bot.wait(60)
        texts = bot.texts(bot.ada)
        own = max(at for at, text in enumerate(texts) if "You played no card" in text)
        assert own < next(at for at, text in enumerate(texts) if "The judgement." in text)
