"""Foreign and forged presses in each part of Dog's Judgement: a kind toast, and nothing of the stored item changes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Final

import pytest

from engine.dog.events import CARDS, LETTERS, VP_EVENTS
from engine.dog.view import Board
from handler.match import Match
from handler.ports import Item
from tests.flows.dog_segments import CANDIDATE, CHOICE, DEATH, ID, OPPONENT, PARTS, ROUND_3, host_of, lay, put
from tests.flows.frail import Frail
from tests.flows.players import buttons, last_of_bot, stranger
from tests.flows.segments import until

ADA: Final = 0


def stored(bot: Frail) -> Item:
    item = bot.store.load(ID)
    assert item is not None
    return item


def refused(bot: Frail, user: int, chat: int, data: str, message: int | None = None) -> str:
    """Press this, expect that nothing of the match changes and nobody hears of it; the toast."""
    before, calls = stored(bot), len(bot.world.calls)
    toast = bot.press_data(user, chat, message or last_of_bot(bot, chat), data)
    assert toast, data
    assert len(toast) <= 200
    assert stored(bot) == before, data
    for call in bot.world.calls[calls:]:
        told = call.method not in ("answerCallbackQuery", "getChatMember")
        assert not told or call.params["chat_id"] == chat, data
    return toast


@pytest.fixture(params=[*PARTS, "draft", "over"])
def table(request: pytest.FixtureRequest) -> Iterator[tuple[Frail, tuple[int, ...]]]:
    """Each part, a turn of the Death Match, and the end."""
    bot = Frail()
    part = str(request.param)
    users = lay(bot, PARTS.get(part, DEATH))
    if part == "draft":
        until(bot, "draft")
        bot.wait(5)
    elif part == "over":
        bot.say(users[CANDIDATE], "/resign", users[CANDIDATE])
        bot.push_label(users[CANDIDATE], "Yes", users[CANDIDATE])
        bot.wait(60)
        assert bot.match().stage == "over"
    yield bot, users
    assert bot.world.violations == []
    assert bot.world.pending() == []
    bot.close()


# --- what no button carries -------------------------------------------------------------------------

NO_MOVES: Final = (
    "",
    "5",
    "5c",
    "5cc",
    "5mc",
    "5cm ",
    " 5cm",
    "5CM",
    "8cm",
    "0cm",
    "5xc",
    "5xc8",
    "5xc0",
    "5xb3",
    "5cb",
    "5cbwcc",
    "5cbwcx",
    "5cbxcr",
    "5cm-",
    "5cmwcr",
    "5xc77",
    "-5",
    "--",
    "vs",
    "vs7",
    "vs-1",
    "vs01",
    "vs\N{SUPERSCRIPT TWO}",
    "vs\N{ARABIC-INDIC DIGIT THREE}",
    "END",
    "end ",
    "\N{ARABIC-INDIC DIGIT FIVE}cm",
    "\x005cm",
    "💀",
    "r" * 46,
)
ANY_MOVES: Final = ("5cm", "-", "vs4", "vs-", "s?h", "?h", "?-", "h", "p", "g5h", "g-", "a", "resign")


def forged(match: Match) -> Iterator[str]:
    """What no button carries now, whoever presses it: no moves, other phases' numbers, malformed acts."""
    number = match.number
    yield from (f"{ID}:{number}:{verb}{move}" for verb, move in zip(cycle("sf"), NO_MOVES, strict=False))
    for other in (number + 1, 99_999):
        yield from (f"{ID}:{other}:{verb}{move}" for verb in "sf" for move in ("5cm", "vs4", "end", "?h"))
        yield from (f"{ID}:{other}:l", f"{ID}:{other}:u", f"{ID}:{other}:m5")
    yield from (f"{ID}:{number}:", f"{ID}:{number}", f"{ID}:{number}:X", f"{ID}:-1:l", f"{ID}::l", f"{ID}:²:l")
    yield from (f"{ID}:{number}:{verb}end" for verb in "sf")
    yield from (f"{ID}:{act}" for act in ("decline", "quit", "house", "unseat", "start", "pick"))


LONG: Final = "9" * 40
ODD_NUMBERS: Final = (
    "",
    "-1",
    "+1",
    "1.0",
    "²",
    "\N{ARABIC-INDIC DIGIT ONE}",
    "x",
    LONG,
    "1,1,9,-1,x",
    ",",
    ",,,",
    "9,8,7",
)


def hosting(match: Match) -> Iterator[str]:
    """Acts of the host's with arguments that none of the buttons has, and those of the lobby, which is over."""
    number = match.number
    for act in ("house", "unseat", "first", "pace", "after", "start", "pick", "decline"):
        yield from (f"{ID}:{act}:{arg}" for arg in ODD_NUMBERS)
    yield from (f"{ID}:unseat:{seat}.{was}" for seat in ("1", "²", "-1", LONG) for was in ("h", "-", "", "1000001"))
    odd = (*ODD_NUMBERS, str(number - 1), str(number + 1))
    yield from (f"{ID}:decline:{each}.yes" for each in odd)
    yield from (f"{ID}:decline:{number}{rest}" for rest in ("", ".", ".no", ".YES", ".yes.", ".yes ", "yes", ",yes"))
    yield from (f"{ID}:pick:{each}.p" for each in odd)
    yield from (f"{ID}:cancel:{arg}" for arg in ("", "yes", "no", "YES", LONG))


def test_forged_presses_change_nothing(table: tuple[Frail, tuple[int, ...]]) -> None:
    bot, users = table
    tried = list(forged(bot.match()))
    for user, chat in ((users[ADA], bot.group), (users[CANDIDATE], users[CANDIDATE])):
        for data in tried:
            refused(bot, user, chat, data)
    assert len(tried) > 60


def test_hosting_with_malformed_arguments_changes_nothing(table: tuple[Frail, tuple[int, ...]]) -> None:
    bot, _ = table
    shown = bot.texts(bot.group)
    for data in hosting(bot.match()):
        refused(bot, host_of(bot), bot.group, data)
    assert bot.texts(bot.group) == shown


def test_whoever_does_not_host_cannot_decline_and_whoever_does_not_play_cannot_leave(
    table: tuple[Frail, tuple[int, ...]],
) -> None:
    bot, users = table
    eve = stranger(bot)
    number = bot.match().number
    # Ada made the group, and an administrator may host.
    for user in (eve, *users[1:]):
        for arg in ("ask", f"{number}.yes", f"{number}.no"):
            assert "Hanna" in refused(bot, user, bot.group, f"{ID}:decline:{arg}")
    for arg in ("yes", "no", "", LONG):
        for user in (eve, host_of(bot)):
            assert refused(bot, user, bot.group, f"{ID}:quit:{arg}") == "You are not playing in this match."


def test_declining_where_nobody_has_the_choice_is_answered_that_it_is_over() -> None:
    for part, closed in PARTS.items():
        bot = Frail()
        lay(bot, closed)
        if part != "choice":
            number = bot.match().number
            for arg in ("ask", f"{number}.yes", f"{number}.no", f"{CHOICE}.yes"):
                assert "over" in refused(bot, host_of(bot), bot.group, f"{ID}:decline:{arg}")
        bot.close()


# --- genuine buttons in other hands -----------------------------------------------------------------


def test_buttons_of_the_open_phase_are_nothing_in_a_stranger_s_hands(table: tuple[Frail, tuple[int, ...]]) -> None:
    bot, users = table
    eve = stranger(bot)
    genuine = {data for chat in (bot.group, *users) for _, data in buttons(bot, chat) if data.startswith(f"{ID}:")}
    number = bot.match().number
    genuine |= {f"{ID}:{number}:{tail}" for tail in ("l", "u", "m", "m5cm", *(f"s{move}" for move in ANY_MOVES))}
    for data in sorted(genuine):
        if ":panel:" not in data:
            for chat in (bot.group, eve):
                refused(bot, eve, chat, data)


def test_whoever_has_no_choice_cannot_choose_and_whoever_looks_on_cannot_play() -> None:
    bot = Frail()
    users = lay(bot, CHOICE)
    for user in (*users[:CANDIDATE], *users[CANDIDATE + 1 :]):
        for tail in ("svs4", "fvs4", "svs-", "fvs-", "l", "u", "send", "fend", "fresign", "s5cm", "s-"):
            refused(bot, user, user, f"{ID}:{CHOICE}:{tail}")
    bot.close()
    bot = Frail()
    users = lay(bot, DEATH)
    lookers_on = [user for seat, user in enumerate(users) if seat not in (CANDIDATE, OPPONENT)]
    for user in lookers_on:
        for tail in ("s?h", "f?h", "s?-", "l", "u", "fresign", "svs4", "send", "s5cm"):
            refused(bot, user, user, f"{ID}:{DEATH}:{tail}")
        for act in ("resign:yes", "quit:yes", "resign:no", "quit:no"):
            assert "over" in refused(bot, user, user, f"{ID}:{act}")
    until(bot, "draft")
    bot.wait(5)
    number = bot.match().number
    for user in lookers_on:
        for tail in ("sr", "sp", "fr", "l", "u", "fresign"):
            refused(bot, user, bot.group, f"{ID}:{number}:{tail}")
    bot.close()


# --- what the rules refuse --------------------------------------------------------------------------


def test_moves_of_the_other_game_are_refused_in_every_part(table: tuple[Frail, tuple[int, ...]]) -> None:
    """And of another phase of the same game. Nobody can give up the main match, or end it but by the host's call."""
    bot, users = table
    match = bot.match()
    phase = match.phase.name if match.phase else ""
    fits = {
        "round": ("5cm", "-"),
        "choice": ("vs4", "vs-"),
        "reveals": ("?h", "?-", "resign"),
        "draft": ("h", "p", "resign"),
    }.get(phase, ())
    for move in (*ANY_MOVES, "end"):
        if move not in fits:
            for verb in "sf":
                refused(bot, users[CANDIDATE], users[CANDIDATE], f"{ID}:{match.number}:{verb}{move}")


def test_nobody_seals_the_end(table: tuple[Frail, tuple[int, ...]]) -> None:
    """``end`` is the host's, who has a button of their own for it: sealed by anybody it is no move."""
    bot, users = table
    for user, chat in (*((user, user) for user in users), (host_of(bot), bot.group)):
        for verb in "sf":
            toast = refused(bot, user, chat, f"{ID}:{bot.match().number}:{verb}end")
            assert toast in (
                "That button does not work any more.",
                "You are not playing in this match.",
                "That phase is over.",
            )


def test_cards_not_in_hand_and_movements_that_are_not_there() -> None:
    """Rules 1 to 3. Ada has played 7 (of which Round 1 cost her the only one) and 6; no Win Token is left elsewhere."""
    bot = Frail()
    [ada, *_] = lay(bot, ROUND_3)
    board: Board = bot.match().state.board
    hand = bot.match().state.hands[ADA]
    assert set(CARDS) - set(hand) == {6, 7}
    for card in (6, 7):
        for rest in ("cm", "xr6", "xb5-", "rb-", "cbwrc"):
            assert "hand" in refused(bot, ada, ada, f"{ID}:{ROUND_3}:s{card}{rest}")
    for play in ("5xc1", "5xc2", "1xc4", "3xb7-"):
        assert "store" in refused(bot, ada, ada, f"{ID}:{ROUND_3}:s{play}").lower()
    assert board.tokens.win == (0, 3, 0)
    for origin in VP_EVENTS:
        for goal in VP_EVENTS:
            for token in "wl":
                there = board.tokens.lose is origin if token == "l" else board.tokens.on(origin) > 0
                if origin is goal or not there:
                    refused(bot, ada, ada, f"{ID}:{ROUND_3}:s5cb{token}{LETTERS[origin]}{LETTERS[goal]}")
    put(bot, ada, "5cbwrc")
    assert bot.match().box[ADA].text == "5cbwrc"
    refused(bot, ada, ada, f"{ID}:{ROUND_3}:s7cm")
    assert bot.match().box[ADA].text == "5cbwrc"
    bot.close()


def test_nobody_with_a_token_of_life_is_challenged_nor_oneself() -> None:
    """Rule 16."""
    bot = Frail()
    users = lay(bot, CHOICE)
    bruno = users[CANDIDATE]
    assert bot.match().state.board.judgement.life[ADA] == 3
    for verb in "sf":
        for opponent in (ADA, CANDIDATE):
            assert "without a Token of Life" in refused(bot, bruno, bruno, f"{ID}:{CHOICE}:{verb}vs{opponent}")
    for menu in ("mvs0", "mvs1", "mvs7", "mvs", "mend", "m5cm", "m" + "r" * 40):
        bot.press_data(bruno, bruno, last_of_bot(bot, bruno), f"{ID}:{CHOICE}:{menu}")
        assert [data for _, data in buttons(bot, bruno) if data.startswith(f"{ID}:{CHOICE}:f")] == []
    bot.close()


def test_menus_that_lead_nowhere_show_the_top() -> None:
    bot = Frail()
    [ada, *_] = lay(bot, ROUND_3)
    before = stored(bot)
    panel = next(message for message, data in buttons(bot, ada) if data.endswith(":m5"))
    top = bot.world.message(ada, panel)
    for menu in ("m7", "m7cm", "m6", "m8", "m0", "m5mc", "m5cc", "m5xb9", "m5cbwcr", "m5cbwrr", "mvs2", "m" + "r" * 40):
        bot.press_data(ada, ada, panel, f"{ID}:{ROUND_3}:{menu}")
        assert bot.world.message(ada, panel)["reply_markup"] == top["reply_markup"], menu
        assert stored(bot) == before
    bot.close()
