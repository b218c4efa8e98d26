"""Evenings of people who play as people do, for what an evening costs.

They think before they press: from a few seconds to half of what the phase gives them, so now and then a reminder comes
first. One time in three they look at another page of their panel before; one time in five they take back that they are
ready, and are ready again. One in ten turns of the draft passes unused. Everybody looks into the notebook and at
``/status`` once. In Dog's Judgement they play what house players would, by the pages of the panel.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from engine.episode.rules import Death
from engine.game import Player
from handler.match import Match, awaited
from tests.aws.house import AwsFlow
from tests.flows.players import Plan, Wish, find, finder, make
from tests.flows.seven import finds, house_like, lobby

LATER: Final = 1_000
"""Seconds after which no nudge of a match that is over is left: the longest delay of a message, and some."""

PASSES: Final = 10
"""Of so many turns of the draft one passes unused."""


def chance(match: Match, player: Player, what: str, of: int) -> int:
    """A number below ``of`` that is the same each time."""
    text = f"{match.number}/{player}/{what}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) % of


def evening(bot: AwsFlow, id: str, plan: Plan, until: str | None = None) -> Match:
    """Play on to the end, or until a phase of this name opens."""
    asked = False
    wavered: set[tuple[int, Player]] = set()
    for _ in range(1_500):
        match = bot.load(id)
        if match.phase is None or match.phase.name == until:
            return match
        turns = sorted((_moment(match, player), player) for player in awaited(match) if _person(match, player))
        if not turns:
            bot.step()
            continue
        at, player = turns[0]
        if at > bot.clock.time:
            bot.wait(at - bot.clock.time)
        elif not _turn(bot, match, player, plan, wavers=(match.number, player) not in wavered):
            bot.wait(3)
        else:
            wavered.add((match.number, player))
        if not asked and match.number >= 6:
            asked = True
            for user in match.users:
                bot.say(user, "/notes", user)
            bot.say(match.users[0], "/status")
    raise AssertionError("the match does not end")


def _person(match: Match, player: Player) -> bool:
    who = match.seats[player]
    return who is not None and who.user is not None


def _moment(match: Match, player: Player) -> float:
    """When a player has thought enough; a turn of the draft that is to pass unused never comes."""
    assert match.deadline is not None
    assert match.phase is not None
    length = match.deadline - match.opened
    if match.phase.instant and chance(match, player, "passes", PASSES) == 0:
        return match.deadline + 1
    return (
        match.opened
        + 4
        + chance(match, player, "thinks", 100) / 100 * length * 0.85 * (0.5 if chance(match, player, "slow", 10) else 1)
    )


def _turn(bot: AwsFlow, match: Match, player: Player, plan: Plan, *, wavers: bool) -> bool:
    """A player does what they want, in their roundabout way; False if the buttons are not there yet."""
    who = match.seats[player]
    assert who is not None
    assert who.user is not None
    user, wish = who.user, plan(match, player)
    if wish is None:
        bot.wait(60)
        return True
    if match.phase is not None and not match.phase.instant and chance(match, player, "looks", 3) == 0:
        _look(bot, match, user)
    if not make(bot, match, user, wish):
        return False
    if wavers and chance(match, player, "wavers", 5) == 0 and find(bot, user, match, "u") is not None:
        for button in ("u", "l"):
            found = find(bot, user, bot.load(match.id), button)
            if found is not None:
                bot.press_data(user, user, *found)
    return True


def _look(bot: AwsFlow, match: Match, user: int) -> None:
    """Open the notebook from the panel, and go back to the panel."""
    for page in ("mnotes..", "m"):
        found = find(bot, user, match, page)
        if found is not None:
            bot.press_data(user, user, *found)


# --- evenings -------------------------------------------------------------------------------------


def gravity(bot: AwsFlow, people: Sequence[int]) -> None:
    """Two people play Gravity Pandemic to its end."""
    _over(bot, evening(bot, bot.begin().id, finder(1)))


def dog(bot: AwsFlow, people: Sequence[int]) -> None:
    """Seven people play Dog's Judgement without a Death Match after it."""
    opened = lobby(bot, people)
    assert bot.press(bot.ada, "Without a Death Match") == "Done."
    _play(bot, opened)


def episode(bot: AwsFlow, people: Sequence[int]) -> None:
    """Seven people play Dog's Judgement, and two of them the Death Match after it."""
    ended = _play(bot, lobby(bot, people))
    assert isinstance(ended.state, Death)


def _play(bot: AwsFlow, opened: Match) -> Match:
    assert bot.press(bot.ada, "Start") == "Off we go."
    return _over(bot, evening(bot, opened.id, _like_the_house))


def _like_the_house(match: Match, player: Player) -> Wish | None:
    """As house players would, but the candidate leaves the choice of an opponent to the lot. In the Death Match one of
    the two finds the Raven.
    """
    if isinstance(match.state, Death):
        return finds(match.state.pair[1])(match, player)
    return None if match.state.board.stage == "choice" else house_like(match, player)


def _over(bot: AwsFlow, match: Match) -> Match:
    """The match has ended; whatever is still under way comes."""
    assert match.stage == "over"
    bot.wait(LATER)
    return match
