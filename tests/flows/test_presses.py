"""Stale, foreign and forged presses in every phase: a kind toast, and not a byte of the stored match changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from engine.game import Player
from engine.gravity.birds import Bird
from engine.gravity.moves import Guess, Reveal
from engine.gravity.state import State
from handler.match import Match
from handler.ports import Item
from tests.flows.house import Flow, flow
from tests.flows.players import Wish, buttons, find, finder, last_of_bot, make, play, quiet, seat_of, stranger

PHASES: Final = ("lobby", "reveals", "draft", "actions", "guesses", "over", "cancelled")


def bring(bot: Flow, phase: str) -> Match:
    """A match of Ada and Bruno that has come to a phase."""
    bot.lobby()
    if phase == "lobby":
        return bot.match()
    bot.press(bot.ada, "Start")
    id = bot.match().id
    if phase == "over":
        over = play(bot, id, finder(0))
        bot.wait(120)
        return over
    if phase == "cancelled":
        bot.world.groups.remove_bot(bot.group, bot.ada)
        bot.deliver()
        bot.world.groups.add_bot(bot.group, bot.ada)
        bot.deliver()
        return bot.load(id)
    match = play(bot, id, quiet, until=phase)
    bot.wait(30)
    return match


@pytest.fixture(params=PHASES)
def table(request: pytest.FixtureRequest) -> Iterator[tuple[Flow, Match]]:
    with flow() as bot:
        yield bot, bring(bot, request.param)


def stored(bot: Flow, match: Match) -> Item:
    item = bot.store.load(match.id)
    assert item is not None
    return item


def forged(match: Match) -> list[str]:
    """What no button of the match would carry now."""
    id, number = match.id, match.number
    moves = [
        "",
        "zz",
        "?v",
        "?-?",
        "?x",
        "a?",
        "g",
        "g0h",
        "g12h",
        "g-5h",
        "g5",
        "g5a ",
        "ah99",
        "ah5,h6",
        "az-",
        "ahh,",
    ]
    moves += [
        "aa5",
        "ap5",
        "ac" + "h",
        "al5",
        "ah5,ah6",
        "a,",
        "G5H",
        "\N{ARABIC-INDIC DIGIT FIVE}",
        "\x00",
        "💀",
        "r" * 40,
    ]
    now = [f"{id}:{number}:{verb}{move}" for verb in "sf" for move in moves]
    odd = [f"{id}:{number}:x", f"{id}:{number}:", f"{id}:{number}", f"{id}::s?h", f"{id}:-1:s?h", f"{id}:+{number}:s?h"]
    never = [
        f"{id}:{other}:{tail}" for other in (number + 1, 99_999, 100_000) for tail in ("s?h", "fg5h", "fa", "sh", "l")
    ]
    other = [f"aaaaaaaa:{number}:s?h", "aaaaaaaa:join:", "aaaaaaaa:start:", f"{id.upper()}:{number}:s?h", f"{id}x:0:l"]
    words = [f"{id}:steal:", f"{id}:join", f"{id}:pace:warp", f"{id}:house:9", f"{id}:house:-1", f"{id}:house:²"]
    words += [
        f"{id}:unseat:0.5",
        f"{id}:unseat:9.h",
        f"{id}:unseat:",
        f"{id}:unseat:0.-",
        f"{id}:cancel:",
        f"{id}:cancel:yes",
    ]
    plain = [
        "",
        ":",
        "::",
        "-",
        "-:",
        "-::",
        "-:new:",
        "-:new:chess",
        "-:rules:nothing",
        "-:rulebook:x.y",
        "-:matches",
        "x" * 64,
    ]
    return (
        now
        + odd
        + never
        + other
        + words
        + plain
        + ["\x00" * 64, "é" * 32, "x" * 4_000, "../" * 20, f"{id}:{number}:s" + "a" * 60]
    )


def strangers(match: Match) -> list[str]:
    """Genuine presses, in the hands of somebody who neither plays nor hosts."""
    id, number = match.id, match.number
    phase = [
        f"{id}:{number}:{tail}"
        for tail in ("s?h", "s?-", "l", "u", "m", "m5", "sh", "fa", "sah5", "fg5h", "fg-", "fresign")
    ]
    whole = [
        "start:",
        "house:0",
        "pace:relaxed",
        "first:h",
        "unseat:1.h",
        "resign:yes",
        "resign:no",
        "cancel:ask",
        "cancel:yes",
    ]
    return phase + [f"{id}:{tail}" for tail in (*whole, "cancel:no", "leave:", f"unseat:0.{match.host}")]


def test_forged_presses_change_nothing(table: tuple[Flow, Match]) -> None:
    bot, match = table
    eve = stranger(bot)
    before = stored(bot, match)
    shown = bot.texts(bot.group)
    for user, chat in ((bot.ada, bot.ada), (bot.bruno, bot.group), (eve, eve)):
        for data in forged(match):
            toast = bot.press_data(user, chat, last_of_bot(bot, chat), data)
            assert toast, data
            assert len(toast) <= 200
            assert stored(bot, match) == before, (user, data)
    assert bot.texts(bot.group) == shown


def test_presses_of_strangers_change_nothing(table: tuple[Flow, Match]) -> None:
    bot, match = table
    eve = stranger(bot)
    before = stored(bot, match)
    shown = {chat: bot.texts(chat) for chat in (bot.group, bot.ada, bot.bruno)}
    for chat in (bot.group, eve):
        for data in strangers(match):
            assert bot.press_data(eve, chat, last_of_bot(bot, chat), data), data
            assert stored(bot, match) == before, data
    assert {chat: bot.texts(chat) for chat in shown} == shown


def test_the_opponent_cannot_press_for_the_drafter() -> None:
    with flow() as bot:
        match = bring(bot, "draft")
        state: State = match.state
        assert state.board.picks == ()
        before = stored(bot, match)
        for message, data in list(buttons(bot, bot.group)):
            if data.startswith(f"{match.id}:{match.number}:"):
                assert bot.press_data(bot.ada, bot.group, message, data) == "It is the other player's pick (ruling 4)."
        for tail in ("l", "u", "fa", "sah5", "s?h", "fg5h"):
            for user in (bot.ada, bot.bruno):
                assert bot.press_data(user, bot.group, last_of_bot(bot, bot.group), f"{match.id}:{match.number}:{tail}")
        assert stored(bot, match) == before


def test_birds_of_the_opponent_go_nowhere() -> None:
    with flow() as bot:
        match = bring(bot, "actions")
        state: State = match.state
        owners = {bird: player for player, bird, _ in state.board.picks}
        before = stored(bot, match)
        foreign = [data for _, data in buttons(bot, bot.bruno) if f":{match.number}:m" in data]
        assert foreign
        for data in foreign:
            letter = data[-1]
            for target in (*"123456789", "10", "11", *"hpcblaoertv"):
                sent = f"{match.id}:{match.number}:sa{letter}{target}"
                assert bot.press_data(bot.ada, bot.ada, last_of_bot(bot, bot.ada), sent)
        assert stored(bot, match) == before
        assert set(owners.values()) == {0, 1}


def test_a_guess_the_rules_refuse_changes_nothing() -> None:
    """Rule 18: the bird that was revealed to oneself, and what everybody knows. Such a guess is not even offered."""

    def plan(match: Match, player: Player) -> Wish | None:
        return Reveal(Bird.OWL) if match.state.board.stage == "reveals" else finder(0, wanted=Bird.HAWK)(match, player)

    with flow() as bot:
        id = bot.begin().id
        hawk = seat_of(bot.load(id), Bird.HAWK)
        make(bot, play(bot, id, plan, until="guesses"), bot.ada, Guess(hawk, Bird.HAWK))
        bot.press(bot.bruno, "No guess", bot.bruno)
        match = bot.load(id)
        assert match.state.board.revealed == ((hawk, Bird.HAWK),)
        before = stored(bot, match)
        panel = last_of_bot(bot, bot.ada)
        other = 1 + hawk % 11
        for guess, why in (
            (f"{other}o", "You were told"),
            (f"{hawk}c", "who sits there"),
            (f"{other}h", "where that bird"),
        ):
            assert why in bot.press_data(bot.ada, bot.ada, panel, f"{id}:{match.number}:fg{guess}")
        assert stored(bot, match) == before
        assert find(bot, bot.ada, match, f"m{hawk}") is None
        bot.press_data(bot.ada, bot.ada, panel, f"{id}:{match.number}:m{other}")
        assert find(bot, bot.ada, match, f"m{other}c") is not None
        assert find(bot, bot.ada, match, f"m{other}o") is None
        assert find(bot, bot.ada, match, f"m{other}h") is None


@pytest.mark.parametrize("phase", ["reveals", "actions", "guesses"])
def test_a_stale_panel_becomes_the_way_to_the_current_one(phase: str) -> None:
    """Pressed after its phase: a toast, nothing changes, and one press further stands a panel that works."""
    with flow() as bot:
        match = bring(bot, phase)
        panel, old = next(buttons(bot, bot.ada))
        bot.wait(600)
        match = play(bot, match.id, quiet, until="guesses" if phase == "reveals" else "reveals")
        match = play(bot, match.id, quiet, until="actions")
        bot.wait(20)
        before = stored(bot, match)
        for _ in range(2):
            assert bot.press_data(bot.ada, bot.ada, panel, old) == "That phase is over."
            assert stored(bot, match) == before
            assert (
                "This phase is over. You were silent, so the rules chose:" in bot.world.message(bot.ada, panel)["text"]
            )
        bot.press(bot.ada, "My current panel", bot.ada)
        assert stored(bot, match).body == before.body
        current, lock = next(found for found in buttons(bot, bot.ada) if found[1].endswith(":fa"))
        assert current > panel
        assert bot.press_data(bot.ada, bot.ada, current, lock) == "Your orders stand."
        assert match.player(bot.ada) in bot.load(match.id).box


def test_a_stale_pick_is_not_made(table: tuple[Flow, Match]) -> None:
    """The buttons of an earlier pick, pressed again by whoever may be the drafter now: only who made it hears that it
    counted.
    """
    bot, match = table
    before = stored(bot, match)
    for number in range(match.number):
        for user in (bot.ada, bot.bruno):
            stale = f"{match.id}:{number}:sp"
            steps = () if match.record is None else match.record.steps
            made = steps[number].get(match.player(user) or 0) == "p"
            said = "Penguin is yours tonight." if made else "That phase is over."
            assert bot.press_data(user, bot.group, last_of_bot(bot, bot.group), stale) == said
    assert stored(bot, match) == before


def test_nobody_gives_up_without_being_asked() -> None:
    """No button of a phase carries it: /resign asks first."""
    with flow() as bot:
        match = bring(bot, "actions")
        before = stored(bot, match)
        for verb in "sf":
            forged = f"{match.id}:{match.number}:{verb}resign"
            toast = bot.press_data(bot.ada, bot.ada, last_of_bot(bot, bot.ada), forged)
            assert toast == "That button does not work any more."
        assert stored(bot, match) == before


def test_a_forged_resignation_is_not_taken_for_the_one_that_counted() -> None:
    with flow() as bot:
        match = bring(bot, "draft")
        assert match.phase is not None
        user = (bot.ada, bot.bruno)[match.phase.active[0]]
        bot.say(user, "/resign", user)
        bot.press(user, "Yes", user)
        forged = f"{match.id}:{match.number}:sresign"
        assert bot.press_data(user, user, last_of_bot(bot, user), forged) == "That phase is over."
