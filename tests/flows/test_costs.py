"""What a press costs the store, and how large a match grows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.chance import draws
from engine.gravity.birds import Bird
from engine.gravity.house import house
from engine.gravity.moves import Guess, Move, Pass, Reveal
from engine.gravity.notation import write
from handler.dispatch import nudge
from handler.events import last
from handler.match import Match, Person, lock, seal
from handler.phases import begin, wake
from handler.ports import Conflict, Item, Lease, Place, Pointers
from handler.table import ATTEMPTS, LEASE_SECONDS
from infra.stores.memory import MemoryStore
from tests.flows.frail import Frail
from tests.flows.measures import KIB, Meter, size
from tests.flows.segments import lobby, until


@pytest.fixture
def meter() -> Meter:
    return Meter()


def test_a_press_costs_one_read_and_one_write_and_a_vain_one_no_write(meter: Meter) -> None:
    bot = Frail(around=meter)
    lobby(bot)
    meter.since()

    def cost(user: int, tail: str, number: int = 0, chat: int | None = None) -> dict[str, int]:
        where = user if chat is None else chat
        [*_, message] = [sent["message_id"] for sent in bot.world.history(where) if sent["from"]["is_bot"]]
        bot.world.people.press(user, where, message, f"{bot.match().id}:{number}:{tail}")
        bot.deliver()
        return meter.since()

    seal_owl = "s" + write(Reveal(Bird.OWL))
    assert cost(bot.ada, seal_owl) == {"read": 1, "commit": 1}
    assert cost(bot.ada, seal_owl) == {"read": 1, "commit": 1}, "pressed again, which has its place among the presses"
    assert cost(bot.ada, "m") == {"read": 1}, "a menu"
    assert cost(bot.ada, seal_owl, number=3) == {"read": 1}, "another phase"
    assert cost(bot.ada, "sv") == {"read": 1}, "a move that is refused"
    assert cost(bot.ada, "l") == {"read": 1, "commit": 1}
    stranger = bot.world.people.add("Cleo")
    bot.world.groups.join(stranger, bot.group)
    bot.deliver()
    meter.since()
    assert cost(stranger, seal_owl, chat=bot.group) == {"read": 1}
    assert cost(bot.bruno, "l") == {"read": 1, "commit": 1, "settle": 1}, "this closes the phase, and it is told"
    bot.close()


def test_a_press_costs_no_more_while_the_group_has_to_wait(meter: Meter) -> None:
    """What waits for Telegram's rate is told in its time, by whoever that was armed for: a press is not its turn."""
    bot = Frail(around=meter)
    lobby(bot)
    until(bot, "actions")
    id, now = bot.match().id, bot.clock.now()
    told = bot.store.load(id)
    assert told is not None
    held = bot.store.take(told, Lease("teller", now + LEASE_SECONDS), now)
    bot.ports.timers.arm(id, held.alarm, now + 30)
    bot.store.settle(replace(held, told=held.news - 1, tell_at=now + 30), done=True)
    meter.since()
    press(bot, bot.ada, f"{id}:{bot.match().number}:l")
    assert meter.since() == {"read": 1, "commit": 1}
    bot.wait(60)
    told = bot.store.load(id)
    assert told is not None
    assert told.told == told.news
    bot.close()


def press(bot: Frail, user: int, data: str) -> None:
    """A press on somebody's newest panel."""
    [*_, message] = [sent["message_id"] for sent in bot.world.history(user) if sent["from"]["is_bot"]]
    bot.world.people.press(user, user, message, data)
    bot.deliver()


def test_a_nudge_for_nothing_writes_nothing(meter: Meter) -> None:
    bot = Frail(around=meter)
    lobby(bot)
    meter.since()
    nudge(bot.ports, bot.match().id)
    assert meter.since() == {"read": 1}
    bot.close()


# --- somebody is always faster --------------------------------------------------------------------


class Faster(MemoryStore):
    """A store in which somebody else writes just before each of the next ``times`` commits."""

    times = 0

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        if self.times:
            self.times -= 1
            current = self.load(before.id)
            assert current is not None
            bumped = super().commit(before, _next(before), None, None, now)
            raise Conflict(bumped)
        return super().commit(before, after, pointers, lease, now)


def _next(item: Item) -> Item:
    fields = {**vars(item), "version": item.version + 1}
    return Item(**fields)


@pytest.mark.parametrize("times", [1, ATTEMPTS - 1, ATTEMPTS + 5])
def test_a_storm_of_conflicts_loses_no_press_and_is_bounded(times: int) -> None:
    store = Faster()
    bot = Frail(store)
    lobby(bot)
    store.times = times
    bot.push(bot.ada, bot.ada, "s" + write(Reveal(Bird.OWL)))
    assert bot.match().box[0].text == write(Reveal(Bird.OWL))
    assert bot.again == (times >= ATTEMPTS)
    bot.close()


# --- size -----------------------------------------------------------------------------------------


def longest(periods: int) -> Match:
    """Sixteen nights, each player pressing everything they can, and wrong guesses until there were enough periods."""
    people = tuple(Person(7_000_000_000 + seat, "Wilhelmina Featherstonehaugh " + "🪶" * 8) for seat in range(2))
    match = Match(
        id="abcdefgh",
        place=Place(-1_001_234_567_890, 4711),
        title="The Tuesday Garden Society of Upper Tern",
        game="gravity",
        host=people[0].user or 0,
        host_name=people[0].name,
        stage="lobby",
        pace="live",
        seats=people,
        opened=0.0,
        deadline=None,
        update=900_000_000,
    )
    now = 1_800_000_000.0
    match = begin(match, bytes(range(32)), now)
    played = 0
    while match.stage == "playing":
        now += 5
        phase, number = match.phase, match.number
        assert phase is not None
        again = phase.name == "guesses" and played < periods
        played += again
        for player in phase.active:
            if match.number == number:
                match = _played(match, player, again=again)
        match = wake(match, now)
    assert played >= periods
    return match


def _played(match: Match, player: int, *, again: bool) -> Match:
    """A match in which a player has sealed something sizeable and locked in."""
    move: Move = house(match.view(player), draws(bytes(32), f"{match.number}/{player}"))
    if match.phase is not None and match.phase.name == "guesses":
        move = _wrong(match, player) if again else Pass()
    sealed = seal(match, player, move, final=True)
    assert isinstance(sealed, Match), sealed
    return lock(sealed, player)


def _wrong(match: Match, player: int) -> Guess:
    """A guess that the rules admit and that is not true."""
    view = match.view(player)
    guesses = (
        Guess(seat, bird) for seat, sits in enumerate(match.state.seats, start=1) for bird in Bird if bird is not sits
    )
    return next(guess for guess in guesses if match.engine.check(view, guess) is None)


def test_a_match_of_sixteen_nights_and_a_hundred_periods_more_fits_into_five_kib() -> None:
    match = longest(100)
    assert match.record is not None
    assert match.number >= 16 * 11 + 100
    assert size(match) < 5 * KIB


def test_a_match_of_two_thousand_periods_fits_into_thirty_two_kib() -> None:
    assert size(longest(2_000)) < 32 * KIB


def test_notices_do_not_pile_up_in_a_silent_match_whose_player_is_lost() -> None:
    bot = Frail()
    lobby(bot)
    bot.world.people.block(bot.bruno)
    most = 0
    for phase in ("actions", "guesses") * 6:
        until(bot, phase)
        most = max(most, len(bot.match().notices))
    assert most <= 6
    assert last(bot.match()).step > 60
    bot.close()
