"""A group is written to at most 20 times a minute, whoever writes and however often the process starts anew."""

from __future__ import annotations

from dataclasses import replace

from engine.gravity.draft import birds_left, drafter
from engine.gravity.moves import Pick
from handler.dispatch import handle, nudge
from handler.rates import GroupRates
from tests.flows.house import Flow, flow
from tests.flows.players import busiest_minute, make


def pick_for_minutes(bot: Flow, minutes: int, *, forgetful: bool) -> None:
    """Both players pick as soon as they can, and lock in at once; a forgetful process knows only what is stored."""
    match = bot.begin()
    for _ in range(minutes * 60):
        if forgetful:
            bot.ports = replace(bot.ports, rates=GroupRates())
        match = bot.load(match.id)
        phase = match.phase
        if phase is not None and phase.name == "draft":
            board = match.view(None).board
            turn = drafter(board)
            assert turn is not None
            make(bot, match, (bot.ada, bot.bruno)[turn], Pick(birds_left(board)[0]))
        elif phase is not None:
            for user in (bot.ada, bot.bruno):
                for update in _lock(bot, match.id, match.number, user):
                    handle(bot.ports, update)
        bot.clock.time += 1
        nudge(bot.ports, match.id)


def _lock(bot: Flow, id: str, number: int, user: int) -> list[dict[str, object]]:
    """A press on "Lock in" as an update of its own."""
    bot.world.people.press(user, user, bot.world.history(user)[-1]["message_id"], f"{id}:{number}:l")
    waiting = bot.world.pending()
    for update in waiting:
        bot.world.acknowledge(update["update_id"])
    return waiting


def test_a_fast_match_keeps_the_groups_rate() -> None:
    with flow() as bot:
        pick_for_minutes(bot, 4, forgetful=False)
        assert 10 <= busiest_minute(bot, bot.group) <= 20


def test_the_rate_holds_for_a_process_that_remembers_nothing() -> None:
    """What a match has sent stands in its item, so a restart or another process begins no new minute."""
    with flow() as bot:
        pick_for_minutes(bot, 4, forgetful=True)
        assert 10 <= busiest_minute(bot, bot.group) <= 20
