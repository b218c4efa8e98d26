"""Seven people at a table of Dog's Judgement, for flow tests: who they are, how they press, and what they may want.

A match begins with ``begin``. Then either a test presses for itself, with ``put``, ``tap`` and their like, or
``players.play`` plays on by a plan of those at the end, until a phase, a scene (``"round3"``, ``"choice"``) or the end.
``players.ended`` finds the record sound against all that was posted: of the main match, then of the Death Match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.chance import draws
from engine.documents import replay
from engine.dog.moves import Play, Withdraw
from engine.dog.notation import read
from engine.dog.notation import write as notation
from engine.episode.rules import Death
from engine.game import Player
from engine.gravity.birds import Bird
from handler.match import Match, Pace
from tests.flows.house import Flow
from tests.flows.players import NO_CARD, PLAY_NONE, Plan, Ready, Wish, find, finding, pages, play, quietly

NAMES = ("Ada", "Bruno", "Cleo", "Dora", "Emil", "Fritz", "Gina")
ADA, BRUNO, CLEO, DORA, EMIL, FRITZ, GINA = range(7)

PACES: Mapping[Pace, str] = {"live": "Live", "relaxed": "Relaxed", "letters": "Letters"}
"""What the lobby's buttons call them."""
ROUND_SECONDS = 600
"""How long the pre-game lasts, and each round, where play is live."""


# --- the table ------------------------------------------------------------------------------------


def company(bot: Flow, number: int = 7) -> tuple[int, ...]:
    """The first of ``NAMES`` as Telegram users who are in the group and have started the bot, Ada (who made the group)
    and Bruno among them.
    """
    others = tuple(bot.world.people.add(name) for name in NAMES[2:number])
    for user in others:
        bot.world.groups.join(user, bot.group)
        bot.world.people.start(user)
    bot.deliver()
    return (bot.ada, bot.bruno, *others)[:number]


def lobby(bot: Flow, seats: Sequence[int | None], *, host: int | None = None, pace: Pace = "live") -> Match:
    """A lobby with the seats taken in this order, each by a user or (None) a house player. The host, by default the
    first person, need not sit.
    """
    opener = next(user for user in (host, *seats) if user is not None)
    bot.say(opener, "/dog")
    for seat in seats:
        if seat is None:
            bot.press(opener, "Add a house player")
        else:
            assert bot.press(seat, "Join") == "You have a seat."
    if pace != "live":
        bot.press(opener, PACES[pace])
    bot.wait(60)  # the card has caught up with all those presses
    return bot.match()


def begin(bot: Flow, seats: Sequence[int | None], *, host: int | None = None, pace: Pace = "live") -> Match:
    """As ``lobby``; and then whoever hosts starts the match. Free seats are filled up with house players."""
    opened = lobby(bot, seats, host=host, pace=pace)
    if free := len(opened.seats) - len(seats):
        bot.press(opened.host, "Add a house player" if free == 1 else "Fill up")
    assert bot.press(opened.host, "Start") == "Off we go."
    return bot.match()


def in_round_one(bot: Flow, seats: Sequence[int | None]) -> Match:
    """The first round has opened, and everybody has been told."""
    match = play(bot, begin(bot, seats).id, ready, until="round1")
    bot.wait(30)
    return match


# --- presses --------------------------------------------------------------------------------------


def tap(bot: Flow, user: int, tail: str, chat: int | None = None) -> str:
    """Somebody presses a button of the open phase, known by what it carries, in the private chat unless told where; the
    toast.
    """
    where = user if chat is None else chat
    found = find(bot, where, bot.match(), tail)
    assert found is not None, f"{tail} is not offered"
    return bot.press_data(user, where, *found)


def put(bot: Flow, user: int, text: str, *, ready: bool = False) -> str:
    """Somebody plays by the pages of the panel, as the notation has it, and perhaps is ready with that; the last toast.

    The panel has to be at its top: as it opens, and as it is after every confirmation.
    """
    play = play_of(text)
    for page in pages(play):
        tap(bot, user, page)
    return tap(bot, user, ("f" if ready else "s") + text)


def withdraw(bot: Flow, user: int) -> str:
    """Somebody takes their play back."""
    return tap(bot, user, "s" + notation(Withdraw()))


def be_ready(bot: Flow, user: int) -> str:
    """Somebody presses Ready, and confirms that they play no card if they are asked; the last toast."""
    if find(bot, user, bot.match(), NO_CARD) is not None:
        tap(bot, user, NO_CARD)
        return tap(bot, user, PLAY_NONE)
    return tap(bot, user, "l")


def not_ready(bot: Flow, user: int) -> str:
    """Somebody takes Ready back."""
    return tap(bot, user, "u")


def all_ready(bot: Flow, people: Sequence[int]) -> None:
    """They all press Ready."""
    for user in people:
        be_ready(bot, user)


def leave(bot: Flow, user: int) -> None:
    """Somebody leaves the match, asked once in private."""
    bot.say(user, "/resign", user)
    assert bot.press(user, "Yes, I leave", user).startswith("You have left the table.")


def challenge(bot: Flow, user: int, opponent: Player | None) -> str:
    """The candidate chooses an opponent, or (None) the lot, and confirms."""
    text = "vs-" if opponent is None else f"vs{opponent}"
    tap(bot, user, "m" + text)
    return tap(bot, user, "f" + text)


def play_of(text: str) -> Play:
    """A play by its notation."""
    move = read(text)
    assert isinstance(move, Play)
    return move


# --- plans ----------------------------------------------------------------------------------------

Script = Sequence[str]
"""What is played in each round, by seat: ``"5cm . 7xr6"``. A dot, and whoever is left over, is ready without a play."""


def silent(match: Match, player: Player) -> None:
    """Does nothing, ever: all limits pass."""


def ready(match: Match, player: Player) -> Wish | None:
    """Plays no card and is ready at once; chooses nobody; quiet in the Death Match."""
    if isinstance(match.state, Death):
        return quietly(match.state.match, match.state.pair.index(player))
    return None if match.state.board.stage == "choice" else Ready()


def house_like(match: Match, player: Player) -> Wish:
    """Moves like a house player, by the buttons: through the main match and the Death Match."""
    assert match.record is not None
    draw = draws(bytes.fromhex(match.record.setup.seed), f"like the house/{player}/{match.number}")
    move: Wish | None = match.engine.house(match.view(player), draw)
    return Ready() if move is None else move


def scripted(script: Script, *, opponent: Player | None = None, death: Plan = ready) -> Plan:
    """Plays what a script says, nothing in rounds after its end, and is ready; the candidate challenges ``opponent``
    (None: is silent). The Death Match goes by a plan of its own.
    """

    def plan(match: Match, player: Player) -> Wish | None:
        if isinstance(match.state, Death):
            return death(match, player)
        board = match.state.board
        if board.stage == "choice":
            return None if opponent is None else read(f"vs{opponent}")
        row = script[board.round - 1].split() if 0 < board.round <= len(script) else []
        return play_of(row[player]) if player < len(row) and row[player] != "." else Ready()

    return plan


def finds(seeker: Player, wanted: Bird = Bird.RAVEN) -> Plan:
    """A plan for the Death Match: one of the two finds a bird on the first day of every round, and so wins."""

    def plan(match: Match, player: Player) -> Wish:
        death: Death = match.state
        own = death.pair.index(player)
        return finding(death.match, own, wanted) if player == seeker else quietly(death.match, own)

    return plan


# --- a match that comes to Gina's choice ----------------------------------------------------------

SCRIPT = (
    # Tower: 1 + 6 is 7, and 7 more is 14, which is 3: Ada broke it and scores 8 − 7. Bruno's 6 is the lowest, and
    # Cleo's 5 alone is the median.
    "7cr 6cr 5xm5",
    # Dora's 7 is alone on Remove One and bribes, so it scores 7 + 3, and a Win Token moves to Charge Tower.
    ". . . 7rbwrc",
    # Ada moves the Lose Token to Median Meridian, where the median of four ones is 1.
    "2xb2lcm 1xm1 . 1xm1 1xm1 1xm1",
)
"""Charge Tower's two tokens make two Tokens of Life for Ada, and Median Meridian's one is Cleo's. There the Lose Token
lies, and of the others Gina alone has nothing: she is the candidate, and Bruno, Dora, Emil and Fritz can be challenged.
"""


def judged(bot: Flow, people: Sequence[int], *, host: int | None = None, **lobby: Any) -> Match:
    """A match of seven people that has come by ``SCRIPT`` to Gina's choice."""
    match = begin(bot, people, host=host, **lobby)
    return play(bot, match.id, scripted(SCRIPT), until="choice")


# --- what came of it ------------------------------------------------------------------------------


def said(bot: Flow) -> str:
    """All that stands in the group, one text."""
    return "\n\n".join(bot.texts(bot.group)).replace("\u2068", "").replace("\u2069", "")


def lost(document: Any) -> str | None:
    """Who is eliminated by the record."""
    name: str | None = replay(document)["eliminated"]
    return name


def shown(bot: Flow) -> int:
    """How often the bot has shown anything in the group, changed there, or asked of it."""
    return sum(1 for call in bot.world.calls if call.params.get("chat_id") == bot.group)
