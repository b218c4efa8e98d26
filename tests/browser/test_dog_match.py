"""Whole matches of Dog's Judgement at the local table, by clicking: at both widths alone among six house players up to
the end of the Death Match, and as seven people who never play a card on a phone, where there is least room for seven.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine.documents import verify
from handler import wiring
from infra.local.scene import FIRST_PEOPLE, NEWCOMERS, current_group
from tests.browser.conftest import PHONE
from tests.browser.hands import add_people, expect, go_to, text, write
from tests.browser.table import A_MINUTE, Table
from tests.flows.house import CountingEntropy

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from infra.local.table import LocalTable

ALONE = "Ada"
SEVEN = (*FIRST_PEOPLE, *NEWCOMERS)
SEED = bytes(32)
"""One with which Ada, who plays as below, is the Elimination Candidate."""
READY_ROUNDS = 7
"""Rounds that the seven end early; silence ends the others."""
TURNS = 60
"""Looks at the Death Match after which one that comes to no guess hangs."""
ROUNDS_OF_SILENCE = 90_000
"""Milliseconds until the silent rounds are over at the clock's highest speed, with much to spare."""
COMMITMENT = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Play:
    """A play as its buttons say it. ``gain``: the card wanted from the store; ``moved``: what the bribe moves."""

    card: int
    events: tuple[str, str]
    gain: int | None = None
    moved: str | None = None


STORE, CHARGE, REMOVE, MEDIAN, BRIBE = (
    "Exchange Store",
    "Charge Tower",
    "Remove One",
    "Median Meridian",
    "Bribing the Dog",
)
FIRST_THOUGHT = Play(5, (STORE, BRIBE), gain=6, moved=f"Win Token: {REMOVE} → {MEDIAN}")
SECOND_THOUGHT = Play(7, (CHARGE, REMOVE))
PLAYS = (
    Play(6, (STORE, BRIBE), gain=4, moved=f"Lose Token: {CHARGE} → {MEDIAN}"),
    Play(7, (CHARGE, REMOVE)),
    Play(4, (CHARGE, BRIBE), moved="Move nothing"),
    Play(5, (REMOVE, BRIBE), moved="Move nothing"),
    Play(1, (MEDIAN, BRIBE), moved="Move nothing"),
    Play(2, (MEDIAN, BRIBE), moved="Move nothing"),
    Play(3, (CHARGE, MEDIAN)),
    Play(4, (REMOVE, MEDIAN)),
)
"""Eight: one card of eight comes from the store, and the last round finds the hand empty."""


def panel(table: Table, says: str) -> Locator:
    """The newest panel, once it says something."""
    shown = table.page.locator("#private .message:has(.keyboard)").last.filter(has_text=says)
    shown.wait_for()
    return shown


def choose(table: Table, label: str | re.Pattern[str]) -> None:
    """Press a button of the newest panel."""
    table.page.locator("#private .keyboard").last.get_by_role("button", name=label, exact=True).click()


def make(table: Table, play: Play) -> None:
    """Choose a play by card, events, value and movement, up to the question whether it shall be played."""
    one, other = play.events
    choose(table, re.compile(rf"^{play.card}( ×\d)?$"))
    panel(table, "On which two events?")
    choose(table, one)
    panel(table, "and where else?")
    choose(table, other)
    if play.gain:
        panel(table, "Which card do you want from the store?")
        choose(table, str(play.gain))
    if play.moved:
        panel(table, "Which token is to move")
        choose(table, play.moved)
    table.wait_for("private", "Play it, and I am ready")
    shown = panel(table, f"{play.card} on {one}")
    for known in ("Tower level: ", "Win Token", "Your hand: ", "Your VP: "):
        expect(shown).to_contain_text(known)


def think_twice(table: Table) -> None:
    """Play, replace it, and withdraw that."""
    make(table, FIRST_THOUGHT)
    choose(table, "Play it")
    panel(table, f"Your play: 5 on {STORE} (for a 6) and {BRIBE} (Win Token: {REMOVE} → {MEDIAN}).")
    make(table, SECOND_THOUGHT)
    panel(table, f"As it stands, you play 5 on {STORE} (for a 6)")
    choose(table, "Play it")
    panel(table, f"Your play: 7 on {CHARGE} and {REMOVE}.")
    choose(table, "Take it back: no card")
    panel(table, "Your play: no card.")


def meet_in_a_death_match(table: Table) -> None:
    """Challenge somebody, play up to the first guess, and give up."""
    panel(table, "You are the Elimination Candidate.")
    choose(table, table.labels("private")[0])
    panel(table, "There is no way back.")
    choose(table, "Yes, challenge")
    for _ in range(TURNS):
        if "No guess" in table.move(ALONE):
            break
    write(table.page, "private", "/resign")
    panel(table, "Your opponent wins at once.")
    choose(table, "Yes, I resign")


def open_lobby(table: Table) -> None:
    table.wait_for("group", "Dog's Judgement")
    table.press("group", "Dog's Judgement")


def join(table: Table, who: str) -> None:
    table.sit(who, "group")
    table.wait_for("group", "Join")
    table.press("group", "Join")
    text(table.page, "private", "You have a seat").wait_for()


def start(table: Table) -> None:
    table.sit(ALONE, "group")
    table.wait_for("group", "Start")
    table.press("group", "Start")


def record(page: Page) -> Any:
    """The record file, downloaded, which must keep every promise that was made in the group."""
    file = page.locator("#group .file a")
    file.wait_for(timeout=ROUNDS_OF_SILENCE)
    promised = [code for code in page.locator("#group code").all_inner_texts() if COMMITMENT.fullmatch(code)]
    with page.expect_download() as download:
        file.click()
    document = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert verify(document, promised)["ok"]
    return document


def rounds(page: Page) -> list[int]:
    """The rounds whose end was announced, in the order of the announcements."""
    told = page.locator("#group .messages").inner_text()
    return [int(number) for number in re.findall(r"Round (\d) of 9 is over", told)]


def check(local: LocalTable) -> None:
    """No call broke the Bot API's rules, and the group was never flooded."""
    assert local.world.violations == []
    assert local.world.busiest_minute(current_group(local.world.desk.state)) <= A_MINUTE


def test_alone_among_six_house_players_to_the_end_of_the_death_match(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "SystemEntropy", lambda: CountingEntropy(seed=SEED))
    with wiring.local_table(tmp_path, 0) as local:
        page.goto(local.address)
        table = Table(page)
        open_lobby(table)
        join(table, ALONE)
        table.sit(ALONE, "group")
        table.wait_for("group", "Fill up with house players")
        table.press("group", "Fill up with house players")
        start(table)
        table.speed_up(10)
        table.sit(ALONE, "private")
        panel(table, "Nothing to play yet.")
        choose(table, "Ready")
        panel(table, "Round 1 of 9")
        think_twice(table)
        for number, play in enumerate(PLAYS, start=1):
            panel(table, f"Round {number} of 9")
            make(table, play)
            choose(table, "Play it, and I am ready")
        panel(table, "You have no cards left")
        choose(table, "Ready")
        meet_in_a_death_match(table)
        table.sit(ALONE, "group")
        text(page, "group", re.compile(rf"{ALONE}\W* is eliminated\. The episode is over\.")).wait_for()
        document = record(page)
        assert document["opponent"] == "chosen"
        assert rounds(page) == [*range(1, 10)]
        expect(text(page, "group", "The judgement.")).to_have_count(1)
        check(local)
        page.goto("about:blank")


def be_ready(table: Table, begins: str) -> None:
    """Ready, which is asked about where a card could be played."""
    choose(table, "Ready")
    if begins.startswith("Round"):
        panel(table, "Play no card this round?")
        choose(table, "Yes, no card")


@pytest.mark.parametrize("page", [PHONE], ids=["phone"], indirect=True)
def test_seven_people_who_play_no_card_keep_everything(page: Page, tmp_path: Path) -> None:
    with wiring.local_table(tmp_path, 0) as local:
        page.goto(local.address)
        table = Table(page)
        open_lobby(table)
        add_people(page)
        for who in SEVEN:
            join(table, who)
        start(table)
        table.speed_up(10)
        for begins in ("Nothing to play yet.", *(f"Round {number} of 9" for number in range(1, READY_ROUNDS + 1))):
            for who in SEVEN:
                go_to(page, who)
                panel(table, begins)
                be_ready(table, begins)
                if who == ALONE:
                    panel(table, "You are ready.")
                    choose(table, "Not ready after all")
                    be_ready(table, begins)
        table.sit(ALONE, "group")
        table.speed_up(60)
        document = record(page)
        assert document["death"] is None
        assert rounds(page) == [*range(1, 10)]
        text(page, "group", "There is no Death Match. Nobody is a candidate, and nobody is eliminated.").wait_for()
        judged = text(page, "group", "The judgement.").inner_text()
        for who in SEVEN:
            assert re.search(rf"{who}\W*: 2 Tokens of Life, 4 garnets", judged)
        check(local)
        page.goto("about:blank")
