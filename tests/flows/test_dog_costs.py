"""What a press costs at a table of seven, how large a match and an episode grow, and what the group has to read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.chance import draws
from engine.dog.events import Event
from engine.dog.moves import Challenge, Play
from engine.dog.view import ChoiceOptions, PlayOptions
from engine.episode.rules import Death, Move
from engine.game import Player
from engine.gravity.birds import Bird
from engine.gravity.moves import Guess, Pass
from handler.dispatch import nudge
from handler.match import Match, Person, lock, seal
from handler.phases import begin as begun
from handler.phases import wake
from handler.ports import Item, Lease, Place, Pointers
from infra.stores.memory import MemoryStore
from tests.flows.frail import Frail
from tests.flows.house import Flow, flow
from tests.flows.measures import KIB, Meter, size
from tests.flows.players import Wish, busiest_minute, play
from tests.flows.seven import begin, company, house_like, silent

LONG_NAME = "Wilhelmina Featherstonehaugh " + "🪶" * 8
TITLE = "The Tuesday Garden Society of Upper Tern"


# --- the store ------------------------------------------------------------------------------------


@pytest.fixture
def meter() -> Meter:
    return Meter()


def test_a_press_at_a_table_of_seven_costs_what_one_at_a_table_of_two_does(meter: Meter) -> None:
    """One read and one write where something changes; one write more where it closes the phase, and seven are told."""
    bot = Frail(around=meter)
    people = company(bot)
    begin(bot, people)
    bot.wait(60)
    meter.since()

    def cost(user: int, tail: str) -> dict[str, int]:
        match = bot.match()
        page = bot.world.history(user)[-1]["message_id"]
        bot.world.people.press(user, user, page, f"{match.id}:{match.number}:{tail}")
        bot.deliver()
        return meter.since()

    def all_but_the_last_are_ready() -> None:
        for user in people[:6]:
            assert cost(user, "l") == {"read": 1, "commit": 1}

    all_but_the_last_are_ready()
    assert cost(people[6], "l") == {"read": 1, "commit": 1, "settle": 1}, "the first round opens"
    assert cost(bot.ada, "m5") == {"read": 1}, "a page of the panel"
    assert cost(bot.ada, "m5cm") == {"read": 1}
    assert cost(bot.ada, "s5cm") == {"read": 1, "commit": 1}
    assert cost(bot.ada, "s5cm") == {"read": 1, "commit": 1}, "pressed again, which has its place among the presses"
    assert cost(bot.ada, "s5xm1") == {"read": 1}, "a play that is refused"
    assert cost(bot.ada, "s-") == {"read": 1, "commit": 1}
    assert cost(bot.ada, "f5cm") == {"read": 1, "commit": 1}
    assert cost(bot.ada, "u") == {"read": 1, "commit": 1}
    all_but_the_last_are_ready()
    assert cost(people[6], "f7xb5wcr") == {"read": 1, "commit": 1, "settle": 1}, "the round is over, and is told"
    bot.close()


# --- size -----------------------------------------------------------------------------------------


def longest(periods: int) -> Iterator[Match]:
    """An episode in which seven people play the longest there is to play, and the two of the Death Match guess wrong
    until there were enough periods; as it lies in the store when everybody has sealed a move, phase by phase, and at
    its end.
    """
    people = tuple(Person(7_000_000_000 + seat, LONG_NAME) for seat in range(7))
    match = Match(
        id="abcdefgh",
        place=Place(-1_001_234_567_890, 4711),
        title=TITLE,
        game="dog",
        host=7_000_000_000,
        host_name=LONG_NAME,
        stage="lobby",
        pace="live",
        seats=people,
        opened=0.0,
        deadline=None,
        update=900_000_000,
    )
    now = 1_800_000_000.0
    match = begun(match, bytes(range(32)), now)
    played = 0
    while match.phase is not None:
        now += 5
        again = match.phase.name == "guesses" and played < periods
        played += again
        number = match.number
        for player in match.phase.active:
            if match.number == number:
                match = lock(_sealed(match, player, again=again), player)
        yield match
        match = wake(match, now)
    assert played == periods
    yield match


def _sealed(match: Match, player: Player, *, again: bool) -> Match:
    move = _move(match, player, again=again)
    if move is None:
        return match
    sealed = seal(match, player, move, final=True)
    assert isinstance(sealed, Match), sealed
    return sealed


def _move(match: Match, player: Player, *, again: bool) -> Move | None:
    """Ada alone scores, so that the others are candidates; they buy and bribe in vain, which takes the most words."""
    assert match.phase is not None
    if match.phase.name == "guesses":
        return _wrong(match, player) if again else Pass()
    if isinstance(match.state, Death):
        move: Move | None = match.engine.house(match.view(player), draws(bytes(32), f"{match.number}/{player}"))
        return move
    match match.engine.options(match.view(player)):
        case PlayOptions(cards=cards) if player == 0:
            return Play(cards[0], (Event.CHARGE_TOWER, Event.MEDIAN_MERIDIAN))
        case PlayOptions(cards=cards, values=values, movements=movements):
            events = (Event.EXCHANGE_STORE, Event.BRIBING_THE_DOG)
            return Play(cards[0], events, dict(values)[cards[0]][0], movements[0])
        case ChoiceOptions(players=players):
            return Challenge(players[0])
        case _:
            return None


def _wrong(match: Match, player: Player) -> Guess:
    """A guess that the rules admit and that is not true."""
    view = match.view(player)
    guesses = (
        Guess(seat, bird)
        for seat, sits in enumerate(match.state.match.seats, start=1)
        for bird in Bird
        if bird is not sits
    )
    return next(guess for guess in guesses if match.engine.check(view, guess) is None)


def main(match: Match) -> bool:
    """Whether a match has not come to the Death Match yet."""
    return not isinstance(match.state, Death)


def test_nine_rounds_of_seven_fit_into_three_kib() -> None:
    *_, choosing = (match for match in longest(0) if main(match))
    assert choosing.state.board.stage == "choice"
    assert size(choosing) < 3 * KIB


def test_an_episode_with_a_hundred_guessing_periods_more_fits_into_six_and_a_half_kib() -> None:
    *_, over = longest(100)
    assert over.stage == "over"
    assert over.number >= 10 + 1 + 16 * 11 + 100
    assert size(over) < 6.5 * KIB


def test_an_episode_with_two_thousand_guessing_periods_more_fits_into_thirty_three_kib() -> None:
    *_, over = longest(2_000)
    assert size(over) < 33 * KIB


class Scale(MemoryStore):
    """A store that knows the largest item it has ever held, in bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.largest = 0

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        return self._weighed(super().commit(before, after, pointers, lease, now))

    def settle(self, item: Item, *, done: bool) -> Item:
        return self._weighed(super().settle(item, done=done))

    def _weighed(self, item: Item) -> Item:
        self.largest = max(self.largest, len(item.body.encode()) + len(item.telling.encode()))
        return item


def strangers(bot: Flow) -> tuple[int, ...]:
    """Seven people with long names in a group with a long title."""
    people = tuple(bot.world.people.add(LONG_NAME) for _ in range(7))
    bot.group = bot.world.groups.add(TITLE, people[0])
    for user in people:
        bot.world.groups.join(user, bot.group)
        bot.world.people.start(user)
    bot.world.groups.add_bot(bot.group, people[0])
    bot.deliver()
    return people


def test_no_item_that_is_ever_written_in_a_main_match_is_larger_than_four_kib() -> None:
    """With everything that comes and goes in it: the box, reminders to all seven, seven who cannot be written to."""

    def plan(match: Match, player: Player) -> Wish | None:
        return None if player else house_like(match, player)

    store = Scale()
    with flow(store) as bot:
        people = strangers(bot)
        match = play(bot, begin(bot, people).id, plan, until="round9")
        for user in people:
            bot.world.people.block(user)
        bot.deliver()
        play(bot, match.id, silent, until="choice")
        assert 2 * KIB < store.largest < 4 * KIB


# --- the group's rate -----------------------------------------------------------------------------


def test_seven_people_who_press_all_the_time_keep_the_groups_rate() -> None:
    """For more than a minute, every other second, each of them presses all that leads on, and asks for the status
    besides: from lobby to lobby, a match in seconds.
    """
    with flow() as bot:
        people = company(bot)
        bot.say(bot.ada, "/dog")
        card, _ = bot.button("Join", bot.group)
        matches = set()
        for _ in range(40):
            for user in people:
                id = bot.store.at(Place(bot.group))
                if id is None:
                    bot.say(user, "/dog")
                    continue
                matches.add(id)
                match = bot.load(id)
                bot.say(user, "/status")
                if match.stage == "lobby":
                    bot.press_data(user, bot.group, card, f"{id}:join:")
                    bot.press_data(user, bot.group, card, f"{id}:start:")
                else:
                    page = bot.world.history(user)[-1]["message_id"]
                    bot.press_data(user, user, page, f"{id}:{match.number}:l")
            bot.clock.time += 2
            for id in matches:
                nudge(bot.ports, id)
        assert len(matches) > 3
        assert 10 <= busiest_minute(bot, bot.group) <= 20
