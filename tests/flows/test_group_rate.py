"""A group is written to at most 20 times a minute, whoever writes and however often the process starts anew."""

from __future__ import annotations

from dataclasses import replace

from engine.gravity.draft import birds_left, drafter
from engine.gravity.moves import Pick
from handler.codec import read_telling
from handler.dispatch import handle_by_calls, nudge
from handler.ports import Item, Lease, Pointers
from handler.rates import BURST, GroupRates
from handler.screens import Screen
from handler.table import LEASE_SECONDS, change
from handler.telling import settle
from infra.local.botapi.errors import flood
from infra.local.botapi.faults import refused
from infra.stores.memory import MemoryStore
from tests.flows.house import Flow, flow
from tests.flows.players import busiest_minute, make
from tests.flows.seven import be_ready, lobby


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
                    handle_by_calls(bot.ports, update)
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


def test_a_board_that_there_was_no_room_to_pin_is_pinned_later() -> None:
    def board() -> Screen:
        item = bot.store.load(match.id)
        assert item is not None
        found = read_telling(item.telling).board
        assert found is not None
        return found

    def pins() -> list[int]:
        return [call.params["message_id"] for call in bot.world.calls if call.method == "pinChatMessage"]

    with flow() as bot:
        match = lobby(bot, (bot.ada,))
        for label in ("Without a Death Match", "Fill up", "Start"):
            bot.press(bot.ada, label)
        for _ in range(9):
            be_ready(bot, bot.ada)
            bot.wait(7)
        last = board()
        assert bot.match().view(None).board.round == 9
        assert last.message not in pins(), "there was always room"
        bot.wait(60)
        for _ in range(6):
            bot.say(bot.bruno, "/status")
        be_ready(bot, bot.ada)
        assert board().message not in pins()
        bot.wait(60)
        assert bot.load(match.id).stage == "over"
        assert board().message == pins()[-1]
        assert board().pinned


def test_whoever_takes_over_from_a_teller_who_stored_nothing_takes_the_group_for_busy() -> None:
    """What was sent is known to nobody: seven more at once, and the minute would see more than there may be."""
    with flow() as bot:
        bot.begin()
        bot.wait(300)
        bot.world.faults.expect("sendMessage", refused(flood(5)), chat=bot.group)
        bot.wait(60)
        bot.ports = replace(bot.ports, rates=GroupRates())
        [id] = bot.matches()
        untold = bot.store.load(id)
        assert untold is not None
        assert untold.told < untold.news
        bot.clock.time = untold.tell_at
        bot.store.take(untold, Lease("dead", bot.clock.time + LEASE_SECONDS), bot.clock.time)
        died = bot.clock.time
        bot.clock.time += LEASE_SECONDS
        nudge(bot.ports, id)
        assert bot.ports.rates.times(bot.group, bot.clock.time).count(died) == BURST


class GivesBack(MemoryStore):
    """A store in which somebody gives their lease back just before the next commit."""

    held: Item | None = None

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        """Not before that."""
        held, self.held = self.held, None
        if held is not None:
            self.settle(held, done=True)
        return super().commit(before, after, pointers, lease, now)


def test_whoever_follows_a_teller_who_has_just_finished_does_not() -> None:
    """Nobody has died, and all that was sent is stored."""
    store = GivesBack()
    with flow(store) as bot:
        bot.begin()
        bot.wait(300)
        bot.world.faults.expect("sendMessage", refused(flood(5)), chat=bot.group)
        bot.wait(60)
        bot.ports = replace(bot.ports, rates=GroupRates())
        [id] = bot.matches()
        untold = store.load(id)
        assert untold is not None
        assert untold.told < untold.news
        begun = bot.clock.time = untold.tell_at
        store.held = store.take(untold, Lease("alive", begun + LEASE_SECONDS), begun)
        bot.clock.time += 1
        outcome = change(bot.ports, id, lambda match: (replace(match, consent=()), None))
        assert outcome is not None
        assert outcome.tells
        assert not bot.ports.rates.times(bot.group, bot.clock.time)
        settle(bot.ports, outcome)
