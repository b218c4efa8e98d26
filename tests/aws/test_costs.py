"""What a press costs in DynamoDB, counted where boto3 makes its calls: a read, a write, and seldom more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import boto3
import pytest
from moto import mock_aws

from engine.gravity.birds import Bird
from engine.gravity.moves import Reveal
from engine.gravity.notation import write
from handler.dispatch import nudge
from infra.aws import calls
from infra.stores.dynamo import DynamoStore
from tests.aws.table import make_table
from tests.aws.wire import Wire
from tests.flows.frail import Frail
from tests.flows.house import START
from tests.flows.segments import lobby
from tests.flows.seven import begin, company

Cost = dict[str, int]

PRESS: Cost = {"GetItem": 1, "PutItem": 1}
TOLD: Cost = {"GetItem": 1, "PutItem": 2}
VAIN: Cost = {"GetItem": 1}


class Priced:
    """A bot whose calls to DynamoDB are counted."""

    def __init__(self) -> None:
        make_table(boto3.client("dynamodb"), "matches")
        client = calls.dynamodb()
        looks = count()
        self.wire = Wire(client)
        self.bot = Frail(DynamoStore(client, "matches", 90, lambda: START + next(looks) / 1_000))

    def of(self, act: Callable[[], object]) -> Cost:
        """The calls that something costs."""
        self.wire.since()
        act()
        return self.wire.since()

    def press(self, user: int, tail: str, *, number: int = 0, chat: int | None = None) -> Cost:
        """The calls that a press of a button with this data costs; by itself one of the open phase."""
        bot = self.bot
        where = user if chat is None else chat
        [*_, message] = [sent["message_id"] for sent in bot.world.history(where) if sent["from"]["is_bot"]]
        match = bot.match()
        data = f"{match.id}:{number or match.number}:{tail}"

        def press() -> None:
            bot.world.people.press(user, where, message, data)
            bot.deliver()

        return self.of(press)

    def label(self, user: int, label: str, chat: int | None = None) -> Cost:
        """The calls that a press of the newest button of this label costs."""
        where = self.bot.group if chat is None else chat
        message, data = self.bot.button(label, where)

        def press() -> None:
            self.bot.world.people.press(user, where, message, data)
            self.bot.deliver()

        return self.of(press)


@pytest.fixture
def priced() -> Iterator[Priced]:
    with mock_aws():
        priced = Priced()
        yield priced
        priced.bot.close()


def test_a_press_costs_one_read_and_one_write_and_a_vain_one_no_write(priced: Priced) -> None:
    bot = priced.bot
    lobby(bot)
    owl = "s" + write(Reveal(Bird.OWL))
    assert priced.press(bot.ada, owl) == PRESS
    assert priced.press(bot.ada, owl) == PRESS, "pressed again, which has its place among the presses"
    assert priced.press(bot.ada, "m") == VAIN, "a menu"
    assert priced.press(bot.ada, owl, number=3) == VAIN, "another phase"
    assert priced.press(bot.ada, "sv") == VAIN, "a move that is refused"
    stranger = bot.world.people.add("Cleo")
    bot.world.groups.join(stranger, bot.group)
    bot.deliver()
    assert priced.press(stranger, owl, chat=bot.group) == VAIN
    assert priced.press(bot.ada, "l") == PRESS
    assert priced.press(bot.bruno, "l") == TOLD, "this closes the phase, and it is told"
    assert priced.of(lambda: nudge(bot.ports, bot.id)) == VAIN, "a nudge for nothing"


def test_a_press_at_a_table_of_seven_costs_the_same(priced: Priced) -> None:
    bot = priced.bot
    people = company(bot)
    begin(bot, people)
    bot.wait(60)
    for user in people[:6]:
        assert priced.press(user, "l") == PRESS
    assert priced.press(people[6], "l") == TOLD, "the first round opens"
    assert priced.press(bot.ada, "m5") == VAIN, "a page of the panel"
    assert priced.press(bot.ada, "s5cm") == PRESS
    assert priced.press(bot.ada, "s5xm1") == VAIN, "a play that is refused"
    assert priced.press(bot.ada, "f5cm") == PRESS
    assert priced.press(bot.ada, "u") == PRESS
    for user in people[:6]:
        assert priced.press(user, "l") == PRESS
    assert priced.press(people[6], "f7xb5wcr") == TOLD, "the round is over, and is told"


@pytest.mark.parametrize("game", ["gravity", "dog"])
def test_transactions_are_for_what_changes_pointers(priced: Priced, game: str) -> None:
    """A match opens, somebody joins, leaves and joins again, the group becomes a supergroup, and the match ends."""
    bot = priced.bot
    opened = priced.of(lambda: bot.say(bot.ada, f"/{game}"))
    assert opened["TransactWriteItems"] == 1
    bot.wait(60)
    for user, label in ((bot.ada, "Join"), (bot.bruno, "Join"), (bot.bruno, "Leave"), (bot.bruno, "Join")):
        assert priced.label(user, label)["TransactWriteItems"] == 1
    if game == "dog":
        assert "TransactWriteItems" not in priced.label(bot.ada, "Fill up")
    assert "TransactWriteItems" not in priced.label(bot.ada, "Start")
    bot.wait(60)

    def migrate() -> None:
        bot.group = bot.world.groups.migrate(bot.group, bot.ada)
        bot.deliver()

    assert priced.of(migrate)["TransactWriteItems"] == 1
    bot.wait(60)
    assert "TransactWriteItems" not in priced.of(lambda: bot.say(bot.ada, "/status"))
    bot.say(bot.ada, "/cancel")
    for user in (bot.ada, bot.bruno):
        last = priced.label(user, "Yes")
    assert last["TransactWriteItems"] == 1, "the match ends"
    assert bot.matches() == []
