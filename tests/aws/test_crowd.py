"""A lobby that more people press Join in than DynamoDB changes pointers of in one transaction."""

from __future__ import annotations

from handler import aws, lobby
from handler.lobby import ASKED_MOST
from handler.match import LOBBY_SECONDS, Match
from handler.table import change
from tests.aws.house import house

CROWD = range(1000, 1105)


def test_a_lobby_closes_however_many_have_pressed_join() -> None:
    with house() as bot:
        bot.say(bot.ada, "/gravity")
        match = bot.match()
        ports = aws.process().ports
        for user in CROWD:

            def ask(match: Match, user: int = user) -> tuple[Match, None]:
                return lobby.ask(match, user), None

            change(ports, match.id, ask)
        assert bot.load(match.id).asked == tuple(CROWD)[-ASKED_MOST:], "the oldest press again"
        bot.cloud.sweep = lambda: None
        bot.wait(LOBBY_SECONDS)
        bot.wait(5)
        assert bot.load(match.id).stage == "cancelled"
        assert bot.cloud.dead == []
        assert not any(bot.store.of_person(user) for user in CROWD)
