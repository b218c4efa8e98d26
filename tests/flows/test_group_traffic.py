"""How much a whole match sends to its group, beyond announcements and in all; docs/features.md states these numbers.

Everybody takes eleven seconds for a move, so that nothing is saved by haste. Boards are known by the button for the
panel, or by being pinned; what is neither board, lobby card, picture nor file is an announcement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.dog.moves import Challenge
from engine.episode.rules import Death
from engine.game import Player
from handler.match import Match
from handler.views import VIEWS
from infra.local.botapi.events import EventLog
from tests.flows.players import Wish, busiest_minute, finder, quiet
from tests.flows.seven import NAMES, finds, house_like
from tests.naming import page, rows
from tests.transcripts.acting import act
from tests.transcripts.watched import Watched, watched

SEED = bytes(range(32))

MOST = 3
"""Messages to the group that a phase may need beyond announcements."""


@dataclass
class Ledger(EventLog):
    """What the bot shows in a group, by the scene it belongs to: ``sent`` are kinds and messages, ``edited`` counts."""

    bot: Watched
    match: str
    sent: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    edited: list[int] = field(default_factory=list)
    pinned: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def add(self, kind: str, data: dict[str, Any]) -> None:
        """A change has happened."""
        super().add(kind, data)
        message = data.get("message")
        if message is None or message["chat"]["id"] != self.bot.group or not message["from"]["is_bot"]:
            return
        if kind == "edit":
            self.edited.append(message["message_id"])
        elif "pinned_message" in message:
            self.pinned.add(message["pinned_message"]["message_id"])
        else:
            self.sent.append((_scene(self.bot.load(self.match)), _kind(message), message))


def _scene(match: Match) -> str:
    """The scene that a match has come to: the lobby, a phase, or the end."""
    return "lobby" if match.stage == "lobby" else VIEWS[match.game].scene(match.view(None))


def _kind(message: dict[str, Any]) -> str:
    if "photo" in message or "document" in message:
        return "picture" if "photo" in message else "file"
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    leads = [button.get("callback_data") or button.get("url") or "" for row in rows for button in row]
    if any(":join:" in lead for lead in leads):
        return "card"
    return "board" if any("panel" in lead for lead in leads) else "message"


@dataclass(frozen=True)
class Traffic:
    """What a match has sent to its group. ``beyond``: by scene, how many messages that are no announcements."""

    ledger: Ledger
    beyond: Counter[str]
    row: dict[str, str]
    busiest: int


def measured(
    game: str, people: int, plan: Callable[[Match, Player], Wish | None], command: str, *, death: bool
) -> Traffic:
    """A match of so many people, played to its end by a plan."""
    with watched("The Garden", NAMES[:people], SEED) as bot:
        bot.say(bot.ada, command)
        ledger = bot.world.desk.events = Ledger(bot, bot.match().id)
        for user in bot.company:
            bot.tap(user, "lobby.button.join")
            bot.wait(4)
        if not death and people > 2:
            bot.tap(bot.ada, "lobby.button.after.dog.no")
        bot.wait(30)
        bot.tap(bot.ada, "lobby.button.start")
        act(bot, ledger.match, plan, {})
        kinds = [(scene, _settled(ledger, kind, message)) for scene, kind, message in ledger.sent]
        beyond = Counter(scene for scene, kind in kinds if kind not in ("announcement", "card"))
        count = Counter(kind for _, kind in kinds)
        busiest = busiest_minute(bot, bot.group)
        row = {
            "match": game,
            "announcements": str(count["announcement"]),
            "boards": str(count["board"]),
            "pictures": str(count["picture"]),
            "files": str(count["file"]),
            "pins": str(len(ledger.pinned)),
            "edits": str(len(ledger.edited)),
            "phases": str(len(beyond)),
            "most beyond announcements in a phase": str(max(beyond.values())),
            "most calls in a minute": str(busiest),
        }
        return Traffic(ledger, beyond, row, busiest)


def _settled(ledger: Ledger, kind: str, message: dict[str, Any]) -> str:
    if kind != "message":
        return kind
    return "board" if message["message_id"] in ledger.pinned else "announcement"


def _dog(match: Match, player: Player) -> Wish | None:
    """Like a house player; the candidate challenges whoever can be; then the first of the two finds the Raven."""
    if isinstance(match.state, Death):
        return finds(match.state.pair[0])(match, player)
    if match.state.board.stage == "choice":
        return Challenge(match.engine.options(match.view(player)).players[0])
    return house_like(match, player)


@pytest.fixture(scope="module")
def traffic() -> dict[str, Traffic]:
    """By match."""
    matches = (
        measured("Gravity Pandemic, four rounds of four nights", 2, quiet, "/gravity", death=False),
        measured("Gravity Pandemic, four rounds of one night", 2, finder(1), "/gravity", death=False),
        measured("Dog's Judgement", 7, house_like, "/dog", death=False),
        measured("an episode with its Death Match", 7, _dog, "/dog", death=True),
    )
    return {each.row["match"]: each for each in matches}


def test_no_phase_needs_more_than_three_messages_beyond_announcements(traffic: dict[str, Traffic]) -> None:
    for each in traffic.values():
        assert len(each.beyond) > 9
        assert max(each.beyond.values()) <= MOST, each.beyond.most_common(3)


def test_announcements_are_never_edited(traffic: dict[str, Traffic]) -> None:
    for each in traffic.values():
        announced = [
            message["message_id"]
            for _, kind, message in each.ledger.sent
            if _settled(each.ledger, kind, message) == "announcement"
        ]
        assert len(announced) > 9
        assert not set(announced) & set(each.ledger.edited)


def test_at_most_twenty_calls_a_minute(traffic: dict[str, Traffic]) -> None:
    assert all(5 <= each.busiest <= 20 for each in traffic.values())


def test_the_page_states_these_numbers(traffic: dict[str, Traffic]) -> None:
    stated = [row for row in rows(page("features.md")) if "match" in row]
    assert stated == [each.row for each in traffic.values()]
