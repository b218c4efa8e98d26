"""One press at a time: how long each takes beside the floor and a plain Application, and what it asks of others.

A round is a press for each of those that are compared, one after another, so that whatever else the machine does
meanwhile happens to all of them alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.posting import Line, Posted
from benchmarks.press_bot import Asked, Bot
from benchmarks.stand_in import Heard, Json, StandIn
from benchmarks.tables import TO_PLAY, all_ready, begun, in_round_one, pressed, settled, told

ROUNDS: Final = 250
WARM_UP: Final = 30
"""Rounds that are not counted: a process's first presses compile what later ones use."""

WRITTEN: Final = 100
REFUSED: Final = 20
CLOSED: Final = 4
FAR: Final = 0.04
"""Seconds that a call takes to a Bot API that is not on this machine (:data:`benchmarks.prices.TELEGRAM`)."""
BIRDS: Final = (r"\d+:s\?h", r"\d+:s\?o")
"""Two of the birds that can be named in secret in a match of Gravity Pandemic, until the other has named one too."""
READS: Final = ("load", "at", "in_chat", "of_person", "due", "alarms")


@dataclass(frozen=True)
class Press:
    """A press that was answered: its times, what it asked of the store, and what of the Bot API, in order; what was
    told after its answer is in both.
    """

    posted: Posted
    asked: Sequence[Asked]
    heard: Sequence[Heard]

    @property
    def reads(self) -> int:
        """Requests that read the store."""
        return sum(each.what in READS for each in self.asked)

    @property
    def writes(self) -> int:
        """Requests that write to the store, each of them conditional."""
        return len(self.asked) - self.reads

    @property
    def written(self) -> int:
        """The bytes of the last item written."""
        return next((each.size for each in reversed(self.asked) if each.size), 0)

    @property
    def toast(self) -> Heard:
        """The call that answered the press."""
        return next(each for each in self.heard if each.query == self.posted.query)

    @property
    def until_toast(self) -> int:
        """Calls of the Bot API up to the toast, with it."""
        return self.heard.index(self.toast) + 1

    @property
    def after_toast(self) -> int:
        """Calls of the Bot API after the toast, that on the webhook's own answer among them."""
        return len(self.heard) - self.until_toast + (self.posted.rode > 0)

    @property
    def until_panels(self) -> float:
        """Seconds until the last text to a single person, which is the last of the new panels."""
        return [each.at for each in self.heard if each.chat is not None and each.chat > 0][-1] - self.posted.sent

    @property
    def sent(self) -> int:
        """The bytes of all that went to the Bot API, without headers."""
        return sum(each.size for each in self.heard) + self.posted.rode


@dataclass(frozen=True)
class Alone:
    """The presses of each kind, by its name; and of those that stand beside them, the times alone."""

    presses: defaultdict[str, list[Press]]
    beside: defaultdict[str, list[Posted]]


def measure_alone(stand_in: StandIn, bot: Bot, floor: str, plain: str) -> Alone:
    """Presses in two matches, and those of two people who have a message with the same text and buttons, which go to
    the floor and to the plain Application.
    """
    line = Line(bot.address(), "/telegram", stand_in.carry_out)

    def post(update: Json) -> Press:
        bot.asked()
        stand_in.heard()
        posted = line.post(update)
        settled(bot)
        return Press(posted, bot.asked(), stand_in.heard())

    duel, seven = begun(stand_in, line.post, "gravity", 2), in_round_one(stand_in, line.post)
    told(bot)
    player, candidate = duel.people[0], seven.people[0]
    _, (stranger, other) = stand_in.company(("Hugo", "Ida"))
    for user in (stranger, other):
        stand_in.copy(player, user)
    compared = {
        "floor": (Line(floor, "/telegram", stand_in.carry_out), stranger),
        "plainly": (Line(floor, "/plainly", stand_in.carry_out), stranger),
        "plain": (Line(plain, "/telegram", stand_in.carry_out), other),
    }
    alone = Alone(defaultdict(list), defaultdict(list))
    for number in range(WARM_UP + ROUNDS):
        at_table = pressed(stand_in, candidate, candidate, *TO_PLAY)
        kind = "page" if ":m" in at_table["callback_query"]["data"] else "dog"
        made = {
            "gravity": post(pressed(stand_in, player, player, BIRDS[number % 2])),
            kind: post(at_table),
        }
        took = {name: own.post(pressed(stand_in, user, user, BIRDS[0])) for name, (own, user) in compared.items()}
        if number >= WARM_UP:
            for what, press in made.items():
                alone.presses[what].append(press)
            for what, posted in took.items():
                alone.beside[what].append(posted)
    written = Line(plain, "/written", stand_in.carry_out)
    for _ in range(WRITTEN):  # apart from the rounds: what it leaves to be written would be on the next press's bill
        alone.beside["written"].append(written.post(pressed(stand_in, other, other, BIRDS[0])))
    for _ in range(REFUSED):  # to somebody who has no seat in that match
        alone.presses["refused"].append(post(pressed(stand_in, stranger, stranger, BIRDS[0])))
    for what, wait in (("closing", 0.0), ("closing far", FAR)):
        stand_in.answer_after(wait)
        for _ in range(CLOSED):
            told(bot)
            alone.presses[what].append([post(update) for update in all_ready(stand_in, seven.people)][-1])
    stand_in.answer_after(0.0)
    return alone
