"""What stands in a notebook, on the sheet of seats, and in the history: facts, and nothing that others keep secret."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from markupsafe import Markup

from engine.dog.moves import Withdraw
from engine.dog.notation import write as dog_text
from engine.game import Player
from engine.games import GAMES
from engine.gravity.birds import DRAFTED, Bird
from engine.gravity.facts import RoundBegan
from engine.gravity.moves import Actions, Guess, Move, Pick, Reveal
from engine.record import Record, Setup, Step
from handler.frame import Chapter, News
from handler.match import Match, Person
from handler.message import Message
from handler.noting import news, panel_notes, past, private_notes
from handler.ports import Place
from handler.views import VIEWS
from handler.views.notebook import menu, opened
from handler.views.pages import LENGTH, found, pages
from tests.engine.matches import RING, close, told
from tests.engine.matches import opened as dealt
from tests.handler.positions import framed, shown

EC, DMO = 0, 1
DMOS: tuple[Bird, ...] = (Bird.HAWK, Bird.CROW, Bird.LARK, Bird.OWL, Bird.RAVEN)
"""What the DMO takes; the EC has Penguin, Lovebird B, Eagle, Robin and Parrot."""
SEED = bytes(range(32))


def course(player: Player, *steps: Mapping[Player, Move]) -> list[News]:
    """What a player is told of the ring's first night: these steps, with the draft between the first two."""
    state = dealt(RING)
    heard = [News(framed(), (RoundBegan(1, (), (0, 0)),), "", ())]
    rest = tuple(bird for bird in DRAFTED if bird not in DMOS)
    picks: list[dict[Player, Move]] = [{DMO: Pick(a), EC: Pick(b)} for a, b in zip(DMOS, rest, strict=True)]
    turns: list[dict[Player, Move]] = [{turn: pick[turn]} for pick in picks for turn in (DMO, EC)][:9]
    for moves in (*steps[:1], *turns, *steps[1:]):
        phase = GAMES["gravity"].phase(state)
        assert phase is not None
        facts = tuple(tell.fact for tell in told(state, moves) if tell.to in (None, player))
        silent = () if player in moves or player not in phase.active else (player,)
        heard.append(News(framed(), facts, phase.name, silent))
        state = close(state, moves)
    return heard


def gravity_notes(player: Player, *steps: Mapping[Player, Move]) -> str:
    chapters = VIEWS["gravity"].notes(player, course(player, *steps)).chapters
    return shown("\n\n".join("\n".join((each.label, *each.parts)) for each in chapters))


def sheet(player: Player, *steps: Mapping[Player, Move]) -> list[str]:
    found = VIEWS["gravity"].notes(player, course(player, *steps)).sheet
    assert found is not None
    return shown("\n".join(found.parts)).splitlines()


NIGHT: Mapping[Player, Move] = {
    DMO: Actions(((Bird.HAWK, Bird.PARROT), (Bird.CROW, 11), (Bird.LARK, Bird.EAGLE), (Bird.OWL, 8))),
    EC: Actions(((Bird.PARROT, 8),)),
}
"""The Parrot comes to the Eagle in seat 8, where the Owl and the Lark look."""


# --- Gravity Pandemic -----------------------------------------------------------------------------


def test_the_notebook_has_what_was_told_night_by_night() -> None:
    text = gravity_notes(
        DMO,
        {DMO: Reveal(Bird.ROBIN)},
        NIGHT,
        {DMO: Guess(5, Bird.OWL), EC: Guess(1, Bird.HAWK)},
        {EC: Guess(2, Bird.OWL)},
    )
    assert text.splitlines() == [
        "Round 1",
        "Told to you in private: the Robin is in seat 9.",
        "🌙 Night 1",
        "• Hawk → Parrot: Yes",
        "• Crow → seat 11: Yes",
        "• Lark → Eagle: 10",
        "• Owl → seat 8: 8: Lark, Parrot",
        "• Raven, which stayed home: N/A",
        "N/A is no answer: there was nobody to name, or the bird stayed home or was blocked. The Raven and the Robin "
        "never hear anything else, and a Parrot may repeat it.",
        "\u2068Ann\u2069 had Penguin, Lovebird B, Eagle, Robin, Parrot.",
        "☀️ Day 1: \u2068Ann\u2069 was right, seat 1 is the Hawk. +1",
        "☀️ Day 1: you were wrong, seat 5 is not the Owl. −1",
        "☀️ Day 1: \u2068Ann\u2069 was wrong. −1",
        "☀️ Day 1: you were silent, so you made no guess.",
    ]


def test_a_notebook_says_so_before_there_is_anything_in_it() -> None:
    text = shown(private_notes(stored("gravity"), 0).text)
    assert text.splitlines()[2:] == ["Round 1", "Nothing yet."]


def test_the_death_match_shares_no_page_with_the_match_before() -> None:
    chapters = [Chapter("d1", "Death Match, Round 1", (Markup("a"),), "death"), Chapter("1", "Round 1", (Markup("b"),))]
    assert [page.label for page in pages(chapters)] == ["Death Match, Round 1", "Round 1"]


def test_silence_is_told_to_whoever_was_silent() -> None:
    text = gravity_notes(EC, {}, {})
    assert "You were silent, so no bird was named for you." in text
    assert "You were silent, so none of your birds was sent out." in text
    assert "silent" not in gravity_notes(EC, {EC: Reveal(None)}, {EC: Actions()})


def test_the_sheet_has_a_line_for_each_seat() -> None:
    lines = sheet(
        DMO,
        {DMO: Reveal(Bird.ROBIN)},
        NIGHT,
        {DMO: Guess(5, Bird.OWL), EC: Guess(1, Bird.HAWK)},
        {DMO: Guess(5, Bird.RAVEN)},
    )
    assert lines[1:] == [
        "1 · Hawk (known to all)",
        "2 · –",
        "3 · –",
        "4 · –",
        "5 · not Owl, Raven",
        "6 · –",
        "7 · –",
        "8 · N1 Owl → 8: “8: Lark, Parrot”",
        "9 · Robin (told to you)",
        "10 · N1 Lark → Eagle: “10”",
        "11 · N1 Crow → 11: “Yes”",
        "Placed, so in no other seat: Hawk, Robin.",
        "Of birds by name: N1 Hawk → Parrot: “Yes”",
    ]


def test_the_sheet_quotes_an_answer_next_to_every_seat_that_it_names() -> None:
    # The Parrot in seat 8 hears what the Eagle was told of seat 7, where the Owl went to the Crow.
    night = {DMO: Actions(((Bird.HAWK, 5), (Bird.OWL, 3))), EC: Actions(((Bird.EAGLE, 7), (Bird.PARROT, 8)))}
    lines = sheet(EC, {}, night)
    assert lines[1] == "1 · N1 Lovebird B: “1”"
    assert lines[7] == "7 · N1 Eagle → 7: “7: Crow” · N1 Parrot → 8: “7: Crow”"
    assert lines[8] == "8 · N1 Parrot → 8: “7: Crow”"


def test_the_sheet_draws_no_conclusion_from_the_other_players_wrong_guess() -> None:
    base = ({DMO: Reveal(None), EC: Reveal(None)}, {DMO: Actions(), EC: Actions()})
    assert (
        sheet(DMO, *base, {EC: Guess(2, Bird.OWL)})
        == sheet(DMO, *base, {EC: Guess(9, Bird.RAVEN)})
        == sheet(DMO, *base)
    )


# --- a match as it is stored ----------------------------------------------------------------------


def stored(game: str, *steps: Step, house: tuple[Player, ...] = (), stage: str = "playing") -> Match:
    seats = tuple(
        Person(None if player in house else 100 + player, f"P{player}") for player in range(GAMES[game].players)
    )
    return Match(
        id="abcdefgh",
        place=Place(-1),
        title="The aviary",
        game=game,
        host=100,
        host_name="P0",
        stage=stage,  # type: ignore[arg-type]
        pace="live",
        seats=seats,
        opened=0,
        deadline=None,
        update=0,
        record=Record(Setup(game, GAMES[game].rules, SEED.hex()), steps),
    )


def drafted() -> list[Step]:
    return [{(place + 1) % 2: letter} for place, letter in enumerate("hpcblorte")]


@pytest.mark.parametrize("other", ["?-", "?h", None])
def test_what_the_other_named_and_that_they_were_silent_is_in_no_notebook_and_in_no_history(other: str | None) -> None:
    def match(text: str | None, orders: str | None) -> Match:
        reveals = {0: "?o", **({} if text is None else {1: text})}
        sent = {0: "a", **({} if orders is None else {1: orders})}
        return stored("gravity", reveals, *drafted(), sent, {0: "g-"})

    base = match("?-", "a")
    changed = match(other, None)
    for place in ("", "sheet"):
        assert private_notes(changed, 0, place) == private_notes(base, 0, place)
    assert past(changed) == past(base)
    assert "ilent" not in past(changed).text


def test_who_was_silent_is_public_once_the_match_is_over() -> None:
    steps: list[Step] = [{0: "?o"}, *drafted(), {}, {0: "g-"}]
    text = shown(past(stored("gravity", *steps, stage="cancelled")).text)
    assert "⌛ Silent in the private reveals, so the rules chose: \u2068P1\u2069." in text
    assert "⌛ Silent in this night, so the rules chose: \u2068P0\u2069, \u2068P1\u2069." in text
    assert "⌛ Silent in this guessing period, so the rules chose: \u2068P1\u2069." in text
    house = shown(past(stored("gravity", *steps, stage="cancelled", house=(1,))).text)
    assert house.count("⌛") == 1


def test_the_history_tells_the_draft_and_what_was_announced() -> None:
    text = shown(past(stored("gravity", {0: "?o", 1: "?h"}, *drafted(), {0: "a", 1: "a"}, {0: "g-", 1: "g-"})).text)
    assert "picks first (ruling 5)" in text
    assert "\u2068P1\u2069 drafted Hawk, Crow, Lark, Eagle, Robin" in text
    assert "Nobody guesses. Day 1 is over." in text
    assert "seat" not in text


@pytest.mark.parametrize(("one", "other"), [("5xm7 2xr3", "5xm7 4xr6"), ("5xm7 7xb7wcr 6xb6-", "5xm7 6xb7wcr 5xb6-")])
def test_a_notebook_of_the_dogs_is_the_same_whatever_others_played_unseen(one: str, other: str) -> None:
    here, there = (dict(enumerate(row.split())) for row in (one, other))
    assert private_notes(stored("dog", {}, here), 0) == private_notes(stored("dog", {}, there), 0)
    assert past(stored("dog", {}, here)) == past(stored("dog", {}, there))


def test_a_notebook_of_the_dogs_has_the_own_rounds_and_what_everybody_heard() -> None:
    match = stored("dog", {}, {0: "5xr7"}, {1: "3cm"}, {0: dog_text(Withdraw())})
    text = shown(private_notes(match, 0).text)
    assert text.splitlines() == [
        "📓 Notebook · \u2068The aviary\u2069",
        "",
        "What you hold",
        "Your hand: 1, 2, 3, 4, 6, 7, 7",
        "Your VP: Charge Tower 0 · Remove One 5 · Median Meridian 0",
        "",
        "Round 3",
        "You played no card.",
        "Nobody scored.",
        "Tower at 4. No token moved.",
        "",
        "Round 2",
        "You were silent, so you played no card.",
        "Who scored: Median Meridian \u2068P1\u2069.",
        "Tower at 4. No token moved.",
        "",
        "Round 1",
        "You played 5 on Exchange Store (for a 7) and Remove One.",
        "Scored: Charge Tower 0 · Remove One 5 · Median Meridian 0.",
        "From the Exchange Store: a 7.",
        "Who scored: Remove One \u2068P0\u2069.",
        "Tower at 1. No token moved.",
    ]


# --- pages ----------------------------------------------------------------------------------------


def test_chapters_share_a_page_as_long_as_they_fit() -> None:
    chapters = [Chapter(str(number), f"Round {number}", (Markup("x" * 1_500),)) for number in range(1, 6)]
    known = pages(chapters)
    assert [page.places for page in known] == [("1", "2"), ("3", "4"), ("5",)]
    assert [page.label for page in known] == ["Round 1 – Round 2", "Round 3 – Round 4", "Round 5"]
    assert found(known, "4") == known[1]
    assert found(known, "9") is None


def test_a_chapter_too_long_goes_on_on_a_page_of_its_own() -> None:
    known = pages([Chapter("1", "Round 1", tuple(Markup("🐦" * 400) for _ in range(8)))])
    assert [page.places for page in known] == [("1",), ("1~2",)]
    assert all(len(page.text.encode("utf-16-le")) // 2 <= LENGTH for page in known)


def test_the_notebook_leads_back_to_where_the_panel_was() -> None:
    match = stored("gravity", {0: "?o"}, *drafted(), {})
    message = panel_notes(match, 0, menu("", "5h"))
    assert isinstance(message, Message)
    assert message.keyboard[-1][0].data == f"abcdefgh:{match.number}:m5h"
    assert panel_notes(match, 0, "5h") is None
    for forged in ("notes", "notes.", "notes.x", "notes.1.é" + "x" * 40, "notes....", "notes.1." + "a" * 40):
        shown = panel_notes(match, 0, forged)
        assert shown is not None
        assert all(len((button.data or "").encode()) <= 64 for row in shown.keyboard for button in row)
    assert opened("note") is None


def test_of_every_public_fact_the_history_says_what_was_announced_and_nothing_else() -> None:
    match = stored("gravity", {0: "?o", 1: "?h"}, *drafted(), {0: "a", 1: "a"}, {0: "g1h"}, {})
    assert all(fact is not None for each in news(match, None) for fact in each.facts)
    assert not any(type(fact).__name__.endswith("Told") for each in news(match, None) for fact in each.facts)
