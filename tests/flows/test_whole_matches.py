"""Whole matches from lobby to record file: Update JSON in, Bot API calls out, every press on a button that is there."""

from __future__ import annotations

from engine.game import Player
from engine.gravity.birds import Bird
from engine.gravity.moves import Guess, Move, Pass
from engine.gravity.state import State
from handler.match import Match
from handler.ports import MatchStore, Place
from infra.local.botapi.state import BOT_ID
from tests.flows.house import Flow, flow
from tests.flows.players import busiest_minute, ended, finder, make, play, quiet, seat_of


def test_the_raven_found_in_every_round(store: MatchStore) -> None:
    with flow(store) as bot:
        id = bot.begin().id
        over = play(bot, id, finder(1))
        assert over.state.board.scores == (0, 4 * 12)
        assert over.state.board.winner == 1
        document = ended(bot, id, bot.group)
        assert [len(round_["nights"]) for round_ in document["rounds"]] == [1, 1, 1, 1]
        assert "wins the duel" in "".join(bot.texts(bot.group))


def test_four_rounds_in_which_nobody_ever_leads() -> None:
    with flow() as bot:
        id = bot.begin().id
        over = play(bot, id, quiet)
        assert over.state.board.updates == ()
        assert over.state.board.winner == 1
        assert over.number == 4 * (1 + 4 * (9 + 1 + 1))
        ended(bot, id, bot.group)
        assert "nobody ever led" in "".join(bot.texts(bot.group))


def test_a_tie_goes_to_whoever_led_last(store: MatchStore) -> None:
    """One right guess each: Ada in the first round, Bruno in the last. The Raven ends every round early (rule 20)."""

    def plan(match: Match, player: Player) -> Move:
        state: State = match.state
        board = state.board
        if board.stage != "guesses":
            return quiet(match, player)
        if board.period == 1 and (board.round, player) in ((1, 0), (4, 1)):
            return Guess(seat_of(match, Bird.HAWK), Bird.HAWK)
        # Both find the Raven in the same period, so that nobody gains on the other.
        if board.period == 1 and board.round in (1, 4):
            return Pass()
        return Guess(seat_of(match, Bird.RAVEN), Bird.RAVEN)

    with flow(store) as bot:
        id = bot.begin().id
        over = play(bot, id, plan)
        assert over.state.board.scores == (52, 52)
        assert over.state.board.winner == 0
        ended(bot, id, bot.group)
        assert "was the last to lead" in "".join(bot.texts(bot.group))


def test_resignation_ends_the_match_at_once(store: MatchStore) -> None:
    with flow(store) as bot:
        id = bot.begin().id
        bot.say(bot.bruno, "/resign")
        assert bot.load(id).stage == "playing"
        assert bot.press(bot.bruno, "Yes, I resign", bot.bruno) == "You have resigned."
        over = bot.load(id)
        assert (over.stage, over.state.board.winner) == ("over", 0)
        document = ended(bot, id, bot.group)
        assert document["resigned"] == "p2"
        assert "has resigned" in "".join(bot.texts(bot.group))
        assert bot.matches() == []


def test_both_silent_from_the_first_to_the_last_phase(store: MatchStore) -> None:
    with flow(store) as bot:
        id = bot.begin().id
        over = play(bot, id, lambda match, player: None)
        assert over.stage == "over"
        assert over.number == 4 * (1 + 4 * (9 + 1 + 1))
        ended(bot, id, bot.group)
        assert "so the bot picked" in "".join(bot.texts(bot.group))


def test_practice_against_a_house_player(store: MatchStore) -> None:
    with flow(store) as bot:
        bot.press(bot.ada, "Practise now", bot.ada)
        bot.press(bot.ada, "Start", bot.ada)
        id = bot.match().id
        assert play(bot, id, finder(0)).stage == "over"
        document = ended(bot, id, bot.ada)
        assert document["names"]["p2"].endswith("(house player)")
        said = [text for text in bot.texts(bot.group) if text]
        assert len(said) == 1, "only the greeting"


def test_a_house_player_in_a_group() -> None:
    with flow() as bot:
        bot.say(bot.bruno, "/gravity")
        bot.press(bot.bruno, "Add a house player")
        bot.press(bot.bruno, "Join")
        bot.press(bot.bruno, "Start")
        id = bot.match().id
        assert play(bot, id, finder(1)).stage == "over"
        assert ended(bot, id, bot.group)["names"]["p1"].endswith("(house player)")


def test_two_topics_of_a_forum_have_a_match_each() -> None:
    with flow() as bot:
        forum, first, second = forum_of(bot)
        ids = []
        for topic in (first, second):
            bot.world.people.say(bot.ada, forum, "/gravity", topic)
            bot.deliver()
            for user in (bot.ada, bot.bruno):
                bot.press(user, "Join", forum)
            bot.wait(30)  # both topics share the group's rate, and the card catches up
            bot.press(bot.ada, "Start", forum)
            bot.wait(60)
            id = bot.store.at(Place(forum, topic))
            assert id is not None
            ids.append(id)
        assert bot.store.at(Place(forum)) is None
        for id, seeker in zip(ids, (0, 1), strict=True):
            assert play(bot, id, finder(seeker)).state.board.winner == seeker
        bot.wait(120)
        assert busiest_minute(bot, forum) <= 20
        sent = [message for message in bot.world.history(forum) if message["from"]["is_bot"] and "text" in message]
        assert {message.get("message_thread_id") for message in sent} == {first, second}
        files = [message for message in bot.world.history(forum) if "document" in message]
        assert sorted(message["message_thread_id"] for message in files) == [first, second]


def forum_of(bot: Flow) -> tuple[int, int, int]:
    """A forum with the bot and two topics."""
    forum = bot.world.groups.add_supergroup("The Aviary", bot.ada, forum=True)
    bot.world.groups.join(bot.bruno, forum)
    topics = [bot.world.groups.add_topic(forum, bot.ada, name) for name in ("Perch", "Nest")]
    bot.world.groups.set_status(BOT_ID, forum, "member")
    bot.deliver()
    return forum, topics[0], topics[1]


def test_a_second_lobby_in_a_topic_is_refused_with_a_link() -> None:
    with flow() as bot:
        forum, topic, _ = forum_of(bot)
        for user in (bot.ada, bot.bruno):
            bot.world.people.say(user, forum, "/gravity", topic)
            bot.deliver()
        refusal = bot.world.history(forum)[-1]
        assert "already open" in refusal["text"]
        assert refusal["message_thread_id"] == topic
        [link] = [entity["url"] for entity in refusal["entities"] if entity["type"] == "text_link"]
        card, _ = bot.button("Join", forum)
        assert link == f"https://t.me/c/{str(forum).removeprefix('-100')}/{topic}/{card}"


def test_one_person_in_three_matches_at_once() -> None:
    """Presses go to the match whose panel they are on, whichever was played last; each panel names its match."""
    with flow() as bot:
        bot.begin()
        other = bot.world.groups.add("The Orchard", bot.bruno)
        bot.world.groups.join(bot.ada, other)
        bot.world.groups.add_bot(other, bot.bruno)
        bot.deliver()
        bot.say(bot.bruno, "/gravity", other)
        for user in (bot.bruno, bot.ada):
            bot.press(user, "Join", other)
        bot.press(bot.bruno, "Start", other)
        bot.say(bot.ada, "/start", bot.ada)
        bot.press(bot.ada, "Practise now", bot.ada)
        bot.press(bot.ada, "Start", bot.ada)
        ids = bot.store.of_person(bot.ada)
        assert len(ids) == 3
        for title in ("The Garden", "The Orchard", "Practice"):
            assert any(title in text and "Name one bird" in text for text in bot.texts(bot.ada))
        open_ = {id: bot.load(id) for id in ids}
        seats = {id: match.player(bot.ada) for id, match in open_.items()}
        for turn in range(4_000):
            playing = [id for id in ids if bot.load(id).stage == "playing"]
            if not playing:
                break
            id = playing[turn % len(playing)]
            others = {each: bot.load(each).record for each in playing if each != id}
            match = bot.load(id)
            pressed = False
            for player, who in enumerate(match.seats):
                if who is not None and who.user is not None and match.phase is not None:
                    move = finder(seats[id] or 0)(match, player) if player in match.phase.active else None
                    pressed |= move is not None and make(bot, match, who.user, move)
            if pressed:
                assert {each: bot.load(each).record for each in others} == others
            else:
                bot.step()
        assert [bot.load(id).state.board.winner for id in ids] == [seats[id] for id in ids]
        bot.wait(120)
        assert max(busiest_minute(bot, chat) for chat in (bot.group, other)) <= 20
