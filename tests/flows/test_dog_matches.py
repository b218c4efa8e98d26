"""Whole matches of Dog's Judgement from lobby to record file, with the Death Match that may follow (rule 16)."""

from __future__ import annotations

from engine.dog.facts import Judgement, NoDeathMatch
from engine.episode.rules import Death
from handler.match import Match
from handler.ports import MatchStore
from tests.flows.house import Flow, flow
from tests.flows.players import ended, find, play
from tests.flows.seven import (
    ADA,
    BRUNO,
    DORA,
    EMIL,
    FRITZ,
    GINA,
    SCRIPT,
    begin,
    challenge,
    company,
    finds,
    house_like,
    judged,
    lost,
    ready,
    said,
    scripted,
    silent,
)

# --- seven people -----------------------------------------------------------------------------------


def test_an_episode_of_seven_people(store: MatchStore) -> None:
    with flow(store) as bot:
        people = company(bot)
        match = judged(bot, people)
        board = match.state.board
        assert (board.level, board.tokens.win) == (3, (2, 0, 1))
        assert match.state.points == ((1, 0, 0), (0, 6, 1), (0, 0, 5), (0, 10, 1), (0, 0, 1), (0, 0, 1), (0, 0, 0))
        judgement: Judgement = board.judgement
        assert judgement.life == (2, 0, 1, 0, 0, 0, 0)
        assert judgement.garnets == (4, 0, 2, 0, 0, 0, 0)
        assert judgement.candidates == (GINA,)
        assert board.candidate.eligible == (BRUNO, DORA, EMIL, FRITZ)
        assert challenge(bot, people[GINA], DORA) == "Your challenge stands."
        over = play(bot, match.id, scripted(SCRIPT, death=finds(GINA)))
        assert over.state.pair == (GINA, DORA)
        document = ended(bot, match.id, bot.group)
        assert document["opponent"] == "chosen"
        assert lost(document) == "p4"
        assert document["main"]["rounds"][1]["plays"].keys() == {"p4"}
        told = said(bot)
        assert (
            "Round 1 of 9 is over. Who scored:\n"
            "• Charge Tower: Ada\n• Remove One: Bruno\n• Median Meridian: Cleo\n"
            "⚡ Something deep in the tower gives way, and all its lights go out. The threshold is broken.\n"
            "The tower is at level 3.\nNo token moved."
        ) in told
        assert "A Win Token moved: Remove One → Charge Tower." in told
        assert "The Lose Token moved: Charge Tower → Median Meridian." in told
        assert "Gina is the Elimination Candidate." in told
        assert "Gina has chosen: the opponent is Dora." in told
        assert "Dora is eliminated. The episode is over." in told
        assert "Dora is eliminated." in told.split("\n"), "the board says so too"
        assert bot.matches() == []


def test_seven_people_who_play_everything(bot: Flow) -> None:
    people = company(bot)
    match = begin(bot, people)
    over = play(bot, match.id, house_like)
    assert isinstance(over.state, Death)
    rounds = ended(bot, match.id, bot.group)["main"]["rounds"]
    assert [len(round_["plays"]) for round_ in rounds[:7]] == [7] * 7, "a hand of seven cards lasts so long at least"


def test_seven_silent_people(store: MatchStore) -> None:
    """Nobody scores, so all share every lead: three Tokens of Life each, and one is lost again (rules 10 and 11)."""
    with flow(store) as bot:
        match = begin(bot, company(bot))
        started = bot.clock.now()
        over = play(bot, match.id, silent)
        assert bot.clock.now() == started + 600 + 9 * 600
        assert over.state.board.judgement.life == (2,) * 7
        assert over.state.board.end == NoDeathMatch("no_candidate")
        document = ended(bot, match.id, bot.group)
        assert (document["opponent"], document["death"], lost(document)) == (None, None, None)
        assert all(round_["plays"] == {} for round_ in document["main"]["rounds"])
        assert "There is no Elimination Candidate." in said(bot)
        assert "There is no Death Match." in said(bot)
        assert bot.matches() == []


def test_nobody_can_be_challenged(bot: Flow) -> None:
    """Nobody scores on the tower, where two tokens lie, and six share the other lead; all lose a Token of Life. Gina,
    who is left out of the second, has none, and she alone (rules 11, 13 and 16).
    """
    match = begin(bot, company(bot))
    over = play(bot, match.id, scripted(("1xb1wrc", " ".join(["4xm4"] * 6))))
    judgement: Judgement = over.state.board.judgement
    assert (judgement.won, judgement.life) == ((2, 2, 2, 2, 2, 2, 1), (1, 1, 1, 1, 1, 1, 0))
    assert judgement.candidates == (GINA,)
    assert over.state.board.end == NoDeathMatch("no_opponent")
    document = ended(bot, match.id, bot.group)
    assert (document["opponent"], document["death"]) == (None, None)
    assert "there is nobody to challenge" in said(bot)


def test_a_lot_among_joint_candidates(bot: Flow) -> None:
    """Without the third round of the script five people have nothing where the Lose Token lies."""
    people = company(bot)
    match = begin(bot, people)
    choosing = play(bot, match.id, scripted(SCRIPT[:2]), until="choice")
    board = choosing.state.board
    assert board.judgement.candidates == (BRUNO, DORA, EMIL, FRITZ, GINA)
    named = board.candidate
    assert named.lot
    bot.wait(30)
    assert "joint Elimination Candidates" in said(bot)
    assert "Several candidates, one place." in said(bot)
    for player in board.judgement.candidates:
        offered = find(bot, people[player], choosing, "mvs-")
        assert (offered is not None) == (player == named.candidate), "the lot names who chooses"
    challenge(bot, people[named.candidate], None)
    over = play(bot, match.id, ready)
    assert over.state.pair[0] == named.candidate
    assert ended(bot, match.id, bot.group)["opponent"] == "lot"


def test_a_cancelled_main_match_has_a_record_too(bot: Flow) -> None:
    people = company(bot)
    match = begin(bot, people)
    play(bot, match.id, scripted(SCRIPT), until="round4")
    bot.wait(60)
    bot.say(bot.ada, "/cancel")
    for user in people[:-1]:
        assert bot.press(user, "Yes, end it").startswith("Noted.")
    assert bot.press(people[GINA], "Yes, end it") == "Done."
    document = ended(bot, match.id, bot.group)
    assert document["main"]["cancelled"] is True
    assert len(document["main"]["rounds"]) == 3
    assert document["death"] is None


# --- one person and six house players -----------------------------------------------------------------


def alone(bot: Flow) -> Match:
    """Ada and six house players."""
    return begin(bot, company(bot, 1))


def test_one_person_who_becomes_the_candidate() -> None:
    with flow(seed=bytes(32)) as bot:
        match = play(bot, alone(bot).id, ready, until="choice")
        named = match.state.board.candidate
        assert named.candidate == ADA
        opponent = named.eligible[-1]
        challenge(bot, bot.ada, opponent)
        over = play(bot, match.id, finds(ADA))
        assert over.state.pair == (ADA, opponent)
        document = ended(bot, match.id, bot.group)
        assert (document["opponent"], lost(document)) == ("chosen", f"p{opponent + 1}")


def test_one_person_whom_the_lot_brings_into_the_death_match() -> None:
    with flow(seed=bytes([5]) * 32) as bot:
        match = alone(bot)
        over = play(bot, match.id, house_like)
        candidate, opponent = over.state.pair
        assert opponent == ADA
        assert over.seats[candidate] is not None
        assert over.seats[candidate].user is None
        document = ended(bot, match.id, bot.group)
        assert document["opponent"] == "lot"
        assert document["death"]["players"] == [f"p{candidate + 1}", "p1"]
        assert "The lot has named the opponent" in said(bot)


def test_one_person_watches_two_house_players_meet() -> None:
    with flow(seed=bytes(32)) as bot:
        match = alone(bot)
        play(bot, match.id, house_like, until="round9")
        bot.wait(60)
        before = len(bot.texts(bot.group))
        over = play(bot, match.id, house_like)
        assert isinstance(over.state, Death)
        assert ADA not in over.state.pair
        ended_at = over.number
        document = ended(bot, match.id, bot.group)
        winner = over.state.match.board.winner
        assert winner is not None
        assert lost(document) == f"p{over.state.pair[1 - winner] + 1}"
        assert ended_at > 11 + 4 * 10, "every night of it is in the record"
        told = [text for text in bot.texts(bot.group)[before:] if "The Death Match." in text]
        assert len(told) == 1
        [story] = told
        assert story.startswith("🎲 The lot has named the opponent"), (
            "it begins where the two are named, and not before"
        )
        for part in ("Both are house players", "Round 1", "Round 4", "wins the duel", "is eliminated."):
            assert part in story
        assert len(story) < 4096
        assert not any("Night" in text or "Day" in text for text in bot.texts(bot.group)), (
            "nothing of it was played out"
        )
        shown = [text for text in bot.texts(bot.group)[before:] if text]
        assert len(shown) <= 6, "judgement, all plays, tables, this story, perhaps a board; the file"


def test_one_person_practises_in_private() -> None:
    """Board, panels, announcements and the file, all in one chat; the group hears nothing."""
    with flow(seed=bytes([5]) * 32) as bot:
        before = bot.texts(bot.group)
        bot.say(bot.ada, "/dog", bot.ada)
        assert bot.press(bot.ada, "Start", bot.ada) == "Off we go."
        match = bot.match()
        over = play(bot, match.id, house_like)
        assert isinstance(over.state, Death)
        assert ADA in over.state.pair
        document = ended(bot, match.id, bot.ada)
        assert len(document["main"]["rounds"]) == 9
        assert document["death"] is not None
        assert bot.texts(bot.group) == before


def test_whoever_practises_may_do_without_the_death_match() -> None:
    with flow(seed=bytes(32)) as bot:
        bot.say(bot.ada, "/dog", bot.ada)
        bot.press(bot.ada, "Start", bot.ada)
        match = play(bot, bot.match().id, ready, until="choice")
        assert match.state.board.candidate.candidate == ADA
        bot.press(bot.ada, "No Death Match", bot.ada)
        assert bot.press(bot.ada, "Yes, end it here", bot.ada) == "Done."
        assert bot.load(match.id).state.board.end == NoDeathMatch("declined")
        assert ended(bot, match.id, bot.ada)["death"] is None
