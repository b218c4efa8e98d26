"""The special moments of Dog's Judgement as segments, each from a table that has come so far to its end.

A table is laid with its record as it would be and told but for the phase that closed last, so the effects of a segment
begin with its moment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine.game import Player
from engine.gravity.moves import Reveal
from engine.gravity.notation import write
from handler.codec import write_telling
from handler.lobby import HOUSE_NAMES
from handler.match import Match, Person, Sealed
from handler.phases import begin, wake
from handler.ports import Place
from handler.rates import GroupRates
from handler.screens import GROUP, Cursor, Telling
from handler.table import Ports, change, create
from handler.telling import tell
from infra.stores.memory_people import MemoryPeople
from infra.together import OneByOne, at_once
from tests.drawn import sketch
from tests.flows.frail import SEED, Frail
from tests.flows.house import CountingEntropy
from tests.flows.patient import PatientFlow
from tests.flows.players import NO_CARD, PLAY_NONE, find, pages
from tests.flows.segments import Aftermath, Segment, aftermath, check, until
from tests.flows.seven import NAMES, company, play_of

ID: Final = "dogtable"
NOTHING: Final[Mapping[Player, str | None]] = {}

STEPS: Final[Sequence[Mapping[Player, str]]] = ({}, {0: "7rbwmr", 4: "1xm3"}, {0: "6rbwcr"}, *[{}] * 7, {1: "vs2"})
"""The pre-game, nine rounds and a choice: Ada gathers three Win Tokens where she leads, and the six others are joint
candidates. With ``SEED`` the lot falls on Bruno. He challenges Cleo, on whom the lot would fall, too.
"""

CANDIDATE: Final = 1
OPPONENT: Final = 2

ROUND_3: Final = 3
ROUND_9: Final = 9
CHOICE: Final = 10
DEATH: Final = 11

PARTS: Final = {"pregame": 0, "round": ROUND_3, "choice": CHOICE, "reveals": DEATH}
"""How many phases have closed when each part is open, by its first phase's name."""

AT_ONCE: Final = 40
"""Paragraphs that one telling may have told a chat of this game before it could note it."""


def lay(
    bot: PatientFlow, closed: int, box: Mapping[Player, str | None] = NOTHING, *, people: int = 7
) -> tuple[int, ...]:
    """A table with so many phases closed, and in the open one these plays (or None) locked in already; the first seats
    are people's, the rest the house's. Hanna, who hosts, does not play. Returns the people.
    """
    users = company(bot, people)
    host = bot.world.people.add("Hanna")
    bot.world.people.start(host)
    bot.world.groups.join(host, bot.group)
    bot.deliver()
    now = bot.clock.now()
    results, entropy = MemoryPeople(), CountingEntropy("laid", SEED)
    ports = Ports(
        bot.store, results, bot.timers, bot.line, bot.clock, entropy, GroupRates(), sketch, OneByOne(), at_once
    )
    lobby = Match(
        id=ID,
        place=Place(bot.group),
        title="The Garden",
        game="dog",
        host=host,
        host_name="Hanna",
        stage="lobby",
        pace="live",
        seats=_seats(users),
        opened=now,
        deadline=None,
        update=1,
    )
    match = begin(lobby, SEED, now)
    for step in STEPS[:closed]:
        match = wake(_sealed(match, {player: step.get(player) for player in match.playing}), now)
    at = Cursor(closed, 0)
    told = Telling(cursors={GROUP: at, **{str(player): at for player in match.playing}})
    item = create(ports, match).item
    tell(ports, bot.store.settle(replace(item, telling=write_telling(told)), done=False))
    change(ports, ID, lambda match: (_sealed(match, box), None))
    bot.clock.time += 5
    bot.id = ID
    return users


def host_of(bot: PatientFlow) -> int:
    """Who hosts the table that was laid."""
    return bot.load(ID).host


def _seats(users: Sequence[int]) -> tuple[Person, ...]:
    people = tuple(Person(user, name) for user, name in zip(users, NAMES, strict=False))
    return (*people, *(Person(None, name) for name in HOUSE_NAMES[len(people) :]))


def _sealed(match: Match, box: Mapping[Player, str | None]) -> Match:
    return replace(match, box={**match.box, **{player: Sealed(text, final=True) for player, text in box.items()}})


# --- presses --------------------------------------------------------------------------------------


def ready(bot: PatientFlow, users: Sequence[int]) -> None:
    """One after the other presses Ready, and says so again where there is a play to be had."""
    for user in users:
        bot.push(user, user, seek_ready(bot, user))


def seek_ready(bot: PatientFlow, user: int) -> str:
    """Somebody goes to where they can be ready, and what they press there: while no play is sealed that is a page,
    asked for until it is shown.
    """
    for _ in range(130):
        match = bot.match()
        for tail in ("l", PLAY_NONE):
            if find(bot, user, match, tail) is not None:
                return tail
        if find(bot, user, match, NO_CARD) is not None:
            bot.push(user, user, NO_CARD)
        else:
            bot.wait(2)
    raise AssertionError("nowhere to be ready")


def put(bot: PatientFlow, user: int, text: str) -> None:
    """Somebody plays by the pages of the panel, as the notation has it."""
    for page in pages(play_of(text)):
        bot.push(user, user, page)
    bot.push(user, user, "s" + text)


def challenge(bot: PatientFlow, user: int, opponent: Player) -> None:
    """The candidate chooses and confirms; a confirmation that is not shown is asked for again."""
    tail = f"fvs{opponent}"
    for _ in range(3):
        if find(bot, user, bot.match(), tail) is None:
            bot.push(user, user, "m" + tail[1:])
    bot.push(user, user, tail)


def decline(bot: PatientFlow) -> None:
    """The host wants no Death Match, and says so again where it is not asked whether that is so."""
    for _ in range(3):
        if not any(label.startswith("Yes") for label in bot.labels(bot.group)):
            bot.push_label(host_of(bot), "No Death Match")
    bot.push_label(host_of(bot), "Yes")


def give_up(bot: PatientFlow, user: int) -> None:
    """Somebody resigns, and says so again where it is not asked whether that is so."""
    for _ in range(3):
        if not any(label.startswith("Yes") for label in bot.labels(user)):
            bot.say(user, "/resign", user)
    bot.push_label(user, "Yes", user)


def call_off(bot: PatientFlow) -> None:
    """The host ends it, and all that there is to tell is told."""
    bot.say(host_of(bot), "/cancel")
    bot.push_label(host_of(bot), "Yes")
    bot.wait(200)


# --- segments -------------------------------------------------------------------------------------


def pregame(bot: PatientFlow) -> None:
    """The pre-game closes by the seventh Ready; cancelled in Round 1."""
    users = lay(bot, 0, dict.fromkeys(range(6)))
    ready(bot, users[6:])
    until(bot, "round")
    call_off(bot)


def cancelled_early(bot: PatientFlow) -> None:
    """Cancelled in the pre-game."""
    lay(bot, 0)
    call_off(bot)


def by_press(bot: PatientFlow) -> None:
    """A round closes by the seventh Ready, with seven private results."""
    users = lay(bot, ROUND_3, {0: "2cm", 1: None, 2: "5xr7", 3: None, 5: "7mb-", 6: "1rb-"})
    put(bot, users[4], "3cm")
    ready(bot, users[4:5])
    rounds(bot, ROUND_3 + 1)
    call_off(bot)


def by_deadline(bot: PatientFlow) -> None:
    """A round closes by its deadline, with seven private results."""
    lay(bot, ROUND_3, {0: "2cm", 2: "5xr7"})
    rounds(bot, ROUND_3 + 1)
    call_off(bot)


def rounds(bot: PatientFlow, number: int) -> None:
    """Let time pass until so many phases have closed."""
    for _ in range(400):
        if bot.match().number >= number:
            return
        bot.wait(5)
    raise AssertionError(f"phase {number} never opens")


def judged(bot: PatientFlow) -> None:
    """Round 9 closes by the seventh Ready, with the judgement; the candidate chooses; the Death Match begins and is
    given up.
    """
    users = lay(bot, ROUND_9, dict.fromkeys(range(6)))
    ready(bot, users[6:])
    candidate, opponent = users[CANDIDATE], users[4]
    challenge(bot, candidate, 4)
    bot.push(candidate, candidate, "s" + write(Reveal(None)))
    give_up(bot, opponent)
    bot.wait(200)


def left_to_the_lot(bot: PatientFlow) -> None:
    """The candidate is silent, and the choice closes by its deadline; cancelled in the Death Match."""
    lay(bot, CHOICE)
    until(bot, "draft")
    call_off(bot)


def declined(bot: PatientFlow) -> None:
    """The host wants no Death Match."""
    lay(bot, CHOICE)
    decline(bot)
    bot.wait(200)


def cancelled_choice(bot: PatientFlow) -> None:
    """Cancelled while the candidate has the choice."""
    lay(bot, CHOICE)
    call_off(bot)


def house(bot: PatientFlow) -> None:
    """One person ends Round 9, and in the same commit two house players play the whole Death Match."""
    [ada] = lay(bot, ROUND_9, people=1)
    ready(bot, [ada])
    bot.wait(200)


def troubled(bot: PatientFlow) -> None:
    """A player is lost and the six others go on; the group becomes a supergroup; at last the bot is removed."""
    users = lay(bot, ROUND_3, dict.fromkeys((0, 1, 2, 3, 5)))
    bot.world.people.block(users[4])
    bot.deliver()
    ready(bot, users[6:])
    rounds(bot, ROUND_3 + 1)
    bot.wait(30)
    ready(bot, [*users[:4], *users[5:]])
    bot.wait(30)
    bot.world.people.start(users[4])
    bot.deliver()
    bot.group = bot.world.groups.migrate(bot.group, bot.ada)
    bot.deliver()
    rounds(bot, ROUND_3 + 3)
    bot.wait(30)
    bot.world.groups.remove_bot(bot.group, bot.ada)
    bot.deliver()
    bot.wait(200)


SEGMENTS: Final[Sequence[Segment]] = (
    cancelled_early,
    pregame,
    by_press,
    by_deadline,
    judged,
    left_to_the_lot,
    declined,
    cancelled_choice,
    house,
    troubled,
)


@lru_cache(maxsize=len(SEGMENTS))
def clean(segment: Segment) -> tuple[Aftermath, int]:
    """What comes of a segment without a fault, and how many effects it has."""
    bot = Frail()
    segment(bot)
    found = aftermath(bot)
    assert bot.world.violations == []
    bot.close()
    return found, len(bot.around.effects)


def same(bot: PatientFlow, segment: Segment, *, faults: int = 1) -> None:
    """A segment that met faults ended as without them."""
    check(bot, clean(segment)[0], faults=faults, at_once=AT_ONCE)
