"""The matches that are written down: of each game one, and an episode that comes to its Death Match."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from engine.dog.moves import Challenge
from engine.episode.rules import Death
from engine.game import Player
from engine.gravity.birds import Bird
from handler.match import Match
from tests.flows.players import Wish
from tests.flows.seven import house_like
from tests.transcripts.acting import act
from tests.transcripts.duel import Script
from tests.transcripts.watched import Watched, watched

ADA, BRUNO, CLEO = range(3)

DUEL = Script(
    named={(1, ADA): Bird.HAWK, (2, BRUNO): Bird.LARK, (3, ADA): Bird.EAGLE, (3, BRUNO): Bird.CROW},
    guessed={
        (1, 1, 1, ADA): (Bird.OWL, False),
        (1, 1, 1, BRUNO): (Bird.PARROT, True),
        (1, 2, 1, ADA): (Bird.RAVEN, True),
        (2, 1, 1, BRUNO): (Bird.RAVEN, True),
        (3, 1, 1, BRUNO): (Bird.RAVEN, False),
        (3, 2, 1, ADA): (Bird.RAVEN, True),
        (3, 2, 1, BRUNO): (Bird.PENGUIN, True),
        (4, 1, 1, BRUNO): (Bird.RAVEN, True),
    },
    away=((1, 2, "actions", ADA), (2, 1, "draft", BRUNO)),
)
"""Ada finds the Raven in Rounds 1 and 3, Bruno in 2 and 4, and he has the last word."""

CANDIDATE, OPPONENT = range(2)
"""The two of the Death Match, as Gravity Pandemic knows them."""

DEATH = Script(
    named={(1, CANDIDATE): Bird.OWL},
    guessed={
        (1, 1, 1, CANDIDATE): (Bird.RAVEN, True),
        (1, 1, 1, OPPONENT): (Bird.EAGLE, False),
        (2, 1, 1, OPPONENT): (Bird.RAVEN, True),
        (3, 1, 1, OPPONENT): (Bird.RAVEN, True),
        (4, 1, 1, CANDIDATE): (Bird.RAVEN, True),
    },
)
"""The opponent is ahead before the last round; then the candidate finds the Raven."""


@dataclass(frozen=True)
class Story:
    """A match that is written down: what the page is called and about, in which group, who is there (the first of them
    made it), and how it goes.
    """

    about: tuple[str, str]
    title: str
    names: tuple[str, ...]
    seed: str
    goes: Callable[[Watched], None]
    language: str = "en"

    @contextmanager
    def told(self) -> Iterator[Watched]:
        """The group in which all of it has happened."""
        with watched(self.title, self.names, hashlib.sha256(self.seed.encode()).digest(), self.language) as bot:
            self.goes(bot)
            yield bot


# --- Gravity Pandemic -----------------------------------------------------------------------------


def gravity(bot: Watched) -> None:
    """Ada and Bruno play, with silence, a pick by the bot, a pause, and more time."""

    def plan(match: Match, player: Player) -> Wish | None:
        if DUEL.is_away(match.state, player):
            return None
        return DUEL.move(match.state, player) or house_like(match, player)

    bot.say(bot.ada, "/gravity")
    _join(bot)
    bot.tap(bot.ada, "lobby.button.start")
    bot.wait(15)
    asides = {"r1n2draft": _glance, "r1n2p1": _notebook, "r2n1draft": _slow, "r3n2actions": _pause}
    act(bot, bot.match().id, plan, asides)
    bot.say(bot.ada, "/stats", bot.ada)
    bot.wait(20)
    bot.tap(bot.bruno, "after.button.again")
    bot.wait(10)


def _slow(bot: Watched, match: Match) -> None:
    """Bruno is away from the draft, and the host lets the bot pick; then he is back."""
    bot.wait(70)
    bot.say(bot.ada, "/pick")
    bot.wait(5)
    bot.tap(bot.ada, "table.pick.bot")
    bot.wait(20)
    bot.tap(bot.bruno, "gravity.draft.back")
    bot.wait(5)


def _pause(bot: Watched, match: Match) -> None:
    """The doorbell rings, and after it there is more time."""
    bot.say(bot.ada, "/pause")
    bot.wait(140)
    bot.tap(bot.ada, "calls.button.resume")
    bot.wait(10)
    bot.say(bot.ada, "/extend 5")
    bot.wait(10)


# --- Dog's Judgement ------------------------------------------------------------------------------


def dog(bot: Watched) -> None:
    """Three people among four house players, without a Death Match; Ada is silent in Round 4."""

    def plan(match: Match, player: Player) -> Wish | None:
        return None if (match.state.board.round, player) == (4, ADA) else house_like(match, player)

    bot.say(bot.ada, "/new")
    bot.wait(4)
    bot.tap(bot.ada, "lobby.name.dog")
    _join(bot)
    bot.tap(bot.ada, "lobby.button.after.dog.no")
    _fill(bot)
    act(bot, bot.match().id, plan, {"round1": _talk, "round2": _glance, "round5": _notebook, "round7": _pause})


# --- the episode ----------------------------------------------------------------------------------


def episode(bot: Watched) -> None:
    """Three people among four house players; Ada is the candidate, challenges Cleo, and survives."""

    def plan(match: Match, player: Player) -> Wish | None:
        if isinstance(match.state, Death):
            death = match.state
            return DEATH.move(death.match, death.pair.index(player)) or house_like(match, player)
        if match.state.board.stage == "choice":
            return Challenge(CLEO)
        return house_like(match, player)

    bot.say(bot.ada, "/dog")
    _join(bot)
    _fill(bot)
    act(bot, bot.match().id, plan, {"round1": _glance, "choice": _closely, "death-r1": _glance})


# --- what happens in all of them ------------------------------------------------------------------


def _join(bot: Watched) -> None:
    for user in bot.company:
        bot.wait(4)
        bot.tap(user, "lobby.button.join")
    bot.wait(20)


def _fill(bot: Watched) -> None:
    bot.wait(5)
    bot.tap(bot.ada, "lobby.button.fill")
    bot.wait(20)
    bot.tap(bot.ada, "lobby.button.start")
    bot.wait(15)


def _talk(bot: Watched, match: Match) -> None:
    """What people say among each other, which the bot does not answer."""
    bot.say(bot.bruno, "Leave Remove One to me and I stay off your tower, Ada.")
    bot.wait(10)
    bot.say(bot.ada, "Deal.")
    bot.wait(10)


def _glance(bot: Watched, match: Match) -> None:
    """From here on a panel is seen as it comes and as it stays."""
    bot.journal.closely = False


def _closely(bot: Watched, match: Match) -> None:
    """From here on a panel is seen page by page."""
    bot.journal.closely = True


def _notebook(bot: Watched, match: Match) -> None:
    """Ada looks into her notebook."""
    bot.journal.closely = True
    bot.tap(bot.ada, "notes.button", bot.ada)
    bot.wait(15)
    bot.tap(bot.ada, "notes.back", bot.ada)
    bot.journal.closely = False


GRAVITY_ABOUT = (
    "Ada and Bruno play Gravity Pandemic. Ada lets one night go by; Bruno is away for a pick, and she lets the bot "
    "pick; the doorbell rings, so she pauses the match and gives everybody more time."
)

STORIES: Mapping[str, Story] = {
    "gravity": Story(
        ("A match of Gravity Pandemic", GRAVITY_ABOUT), "The Garden", ("Ada", "Bruno"), "gravity", gravity
    ),
    "gravity.es": Story(
        ("A match of Gravity Pandemic, in Spanish", GRAVITY_ABOUT),
        "El jardín",
        ("Ada", "Bruno"),
        "gravity",
        gravity,
        "es",
    ),
    "dog": Story(
        (
            "A match of Dog's Judgement",
            "Ada, Bruno and Cleo play Dog's Judgement among four house players, without a Death Match. Ada is silent "
            "in Round 4, and pauses the match in Round 7.",
        ),
        "The Kennel",
        ("Ada", "Bruno", "Cleo"),
        "dog",
        dog,
    ),
    "episode": Story(
        (
            "An episode with its Death Match",
            "Dog's Judgement among Ada, Bruno, Cleo and four house players. Ada is the Elimination Candidate, "
            "challenges Cleo, and they meet in Gravity Pandemic.",
        ),
        "The Kennel",
        ("Ada", "Bruno", "Cleo"),
        "episode",
        episode,
    ),
}
"""By the name of the page."""
