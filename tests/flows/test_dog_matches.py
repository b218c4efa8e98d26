"""Whole matches of Dog's Judgement from lobby to record file, with the Death Match that may follow (rule 16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.documents import replay
from engine.dog.facts import Judgement, NoDeathMatch
from engine.episode.rules import Death
from engine.gravity.birds import Bird
from engine.gravity.moves import Pick, Reveal
from engine.gravity.notation import write
from handler.match import Match
from handler.ports import MatchStore
from infra.stores.memory import MemoryStore
from infra.stores.sqlite import SqliteStore
from tests.flows.house import Flow, flow
from tests.flows.players import ended, find, play
from tests.flows.seven import NAMES, begin, challenge, company, finds, house_like, ready, scripted, silent, tap

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
ADA, BRUNO, CLEO, DORA, EMIL, FRITZ, GINA = range(7)
CHALLENGE_SECONDS = 300


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MatchStore]:
    if request.param == "memory":
        yield MemoryStore()
        return
    with closing(SqliteStore(tmp_path / "matches.sqlite")) as sqlite:
        yield sqlite


@pytest.fixture
def bot() -> Iterator[Flow]:
    with flow() as made:
        yield made


def judged(bot: Flow, people: Sequence[int], *, host: int | None = None, **lobby: Any) -> Match:
    """A match of seven people that has come by ``SCRIPT`` to Gina's choice."""
    match = begin(bot, people, host=host, **lobby)
    return play(bot, match.id, scripted(SCRIPT), until="choice")


def said(bot: Flow) -> str:
    """All that stands in the group, one text."""
    return "\n\n".join(bot.texts(bot.group)).replace("\u2068", "").replace("\u2069", "")


def lost(document: Any) -> str | None:
    """Who is eliminated by the record."""
    name: str | None = replay(document)["eliminated"]
    return name


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
        for part in ("Both are house players", "Round 1", "Round 4", "wins the Death Match", "is eliminated."):
            assert part in story
        assert len(story) < 4096
        assert not any("Night" in text or "Day" in text for text in bot.texts(bot.group)), (
            "nothing of it was played out"
        )
        assert len(bot.texts(bot.group)) <= before + 5, "judgement, tables, this story, perhaps a board; the file"


def test_one_person_practises_in_private() -> None:
    """Board, panels, announcements and the file, all in one chat; the group hears nothing."""
    with flow(seed=bytes([5]) * 32) as bot:
        before = bot.texts(bot.group)
        bot.say(bot.ada, "/dog", bot.ada)
        bot.press(bot.ada, "Fill up", bot.ada)
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
        bot.press(bot.ada, "Fill up", bot.ada)
        bot.press(bot.ada, "Start", bot.ada)
        match = play(bot, bot.match().id, ready, until="choice")
        assert match.state.board.candidate.candidate == ADA
        bot.press(bot.ada, "No Death Match", bot.ada)
        assert bot.press(bot.ada, "Yes, end it here", bot.ada) == "Done."
        assert bot.load(match.id).state.board.end == NoDeathMatch("declined")
        assert ended(bot, match.id, bot.ada)["death"] is None


# --- the choice ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pace", "factor"), [("live", 1), ("letters", 144)])
def test_a_silent_candidate_leaves_it_to_the_lot(bot: Flow, pace: Any, factor: int) -> None:
    match = judged(bot, company(bot), pace=pace)
    assert match.deadline == bot.clock.now() + CHALLENGE_SECONDS * factor
    bot.wait(CHALLENGE_SECONDS * factor - 1)
    assert bot.load(match.id).number == match.number
    bot.wait(1)
    met = bot.load(match.id)
    assert isinstance(met.state, Death)
    assert met.state.pair[0] == GINA
    assert met.state.pair[1] in (BRUNO, DORA, EMIL, FRITZ)
    bot.wait(60)
    assert "The lot has named the opponent of Gina" in said(bot)
    play(bot, match.id, ready)
    assert ended(bot, match.id, bot.group)["opponent"] == "lot"


def test_only_the_candidate_chooses_and_only_somebody_without_a_token(bot: Flow) -> None:
    people = company(bot)
    match = judged(bot, people)
    bot.wait(60)
    item = bot.store.load(match.id)
    for user in people[:GINA]:
        page = bot.world.history(user)[-1]["message_id"]
        toast = bot.press_data(user, user, page, f"{match.id}:{match.number}:fvs{EMIL}")
        assert toast == "Only the Elimination Candidate chooses (ruling 16)."
    gina = people[GINA]
    panel, _ = find(bot, gina, match, "mvs-") or (0, "")
    for tail in (f"fvs{ADA}", f"fvs{CLEO}", f"fvs{GINA}"):
        toast = bot.press_data(gina, gina, panel, f"{match.id}:{match.number}:{tail}")
        assert toast == "Choose another player without a Token of Life (ruling 16)."
    assert bot.press_data(gina, gina, panel, f"{match.id}:{match.number}:fend") == "That button does not work any more."
    assert bot.store.load(match.id) == item


def decline_button(bot: Flow) -> tuple[int, str]:
    return bot.button("No Death Match", bot.group)


def test_a_host_who_plays_declines_the_death_match(bot: Flow) -> None:
    people = company(bot)
    match = judged(bot, people)
    bot.wait(60)
    board, ask = decline_button(bot)
    assert (
        bot.press_data(bot.bruno, bot.group, board, ask) == "Only Ada (the host) or a group administrator can do that."
    )
    assert bot.press_data(bot.ada, bot.group, board, ask) == ""
    question, yes = bot.button("Yes, end it here", bot.group)
    assert "Only Ada" in bot.press_data(people[GINA], bot.group, question, yes)
    assert bot.press(bot.ada, "No, play on") == "The Death Match stays on."
    assert bot.load(match.id).number == match.number
    assert "reply_markup" not in bot.world.message(bot.group, question)
    bot.press_data(bot.ada, bot.group, board, ask)
    question, yes = bot.button("Yes, end it here", bot.group)
    assert bot.press_data(bot.ada, bot.group, question, yes) == "Done."
    over = bot.load(match.id)
    assert (over.stage, over.state.board.end) == ("over", NoDeathMatch("declined"))
    document = ended(bot, match.id, bot.group)
    assert (document["opponent"], document["death"], lost(document)) == (None, None, None)
    assert "The host has declined it" in said(bot)
    assert "No Death Match" not in "".join(bot.labels(bot.group))


def test_a_host_who_looks_on_declines_too(bot: Flow) -> None:
    people = company(bot)
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    bot.deliver()
    match = judged(bot, people, host=nora)
    bot.wait(60)
    bot.press(nora, "No Death Match")
    assert bot.press(nora, "Yes, end it here") == "Done."
    assert bot.load(match.id).state.board.end == NoDeathMatch("declined")
    ended(bot, match.id, bot.group)


def test_it_is_too_late_to_decline_once_the_choice_is_made(bot: Flow) -> None:
    people = company(bot)
    match = judged(bot, people)
    bot.wait(60)
    board, ask = decline_button(bot)
    bot.press_data(bot.ada, bot.group, board, ask)
    question, yes = bot.button("Yes, end it here", bot.group)
    challenge(bot, people[GINA], EMIL)
    assert bot.press_data(bot.ada, bot.group, question, yes) == "This phase is over."
    bot.wait(30)
    assert bot.press_data(bot.ada, bot.group, board, ask) == "This phase is over."
    assert isinstance(bot.load(match.id).state, Death)
    play(bot, match.id, ready)
    for message, data in ((board, ask), (question, yes)):
        assert bot.press_data(bot.ada, bot.group, message, data) == "This phase is over."
    assert ended(bot, match.id, bot.group)["opponent"] == "chosen"


# --- the Death Match ----------------------------------------------------------------------------------


def met(bot: Flow, people: Sequence[int], *, host: int | None = None) -> Match:
    """Gina's Death Match against Dora has begun, and everybody has been told."""
    match = judged(bot, people, host=host)
    challenge(bot, people[GINA], DORA)
    bot.wait(30)
    return bot.load(match.id)


def test_the_others_look_on(bot: Flow) -> None:
    """The two have panels, the others have none; what they press all the same is refused, and changes nothing."""
    people = company(bot)
    match = met(bot, people)
    for player, user in enumerate(people):
        assert (find(bot, user, match, "s?-") is not None) == (player in (GINA, DORA))
    onlookers = [people[player] for player in (ADA, CLEO, EMIL)]
    item = bot.store.load(match.id)
    panel = {user: bot.world.history(user)[-1]["message_id"] for user in onlookers}
    for user in onlookers:
        sealing = f"{match.id}:{match.number}:s{write(Reveal(Bird.OWL))}"
        assert bot.press_data(user, user, panel[user], sealing) == "You are not a player of this match. Enjoy the show."
        for tail in ("l", "u", "fresign"):
            assert bot.press_data(user, user, panel[user], f"{match.id}:{match.number}:{tail}")
        bot.say(user, "/resign", user)
        assert bot.texts(user)[-1] == "You are not in a match here."
        for act in ("resign:yes", "quit:yes"):
            assert bot.press_data(user, user, panel[user], f"{match.id}:{act}")
    assert bot.store.load(match.id) == item
    drafting = play(bot, match.id, ready, until="draft")
    bot.wait(60)
    found = find(bot, bot.group, drafting, "s" + write(Pick(Bird.RAVEN)))
    assert found is not None
    item = bot.store.load(match.id)
    for user in onlookers:
        assert bot.press_data(user, bot.group, *found) == "You are not a player of this match. Enjoy the show."
    assert bot.store.load(match.id) == item
    bot.say(people[CLEO], "/matches", people[CLEO])
    bot.press(people[CLEO], "Dog's Judgement: ", people[CLEO])
    assert "There is nothing for you to choose" in bot.texts(people[CLEO])[-1]


def test_the_host_who_looks_on_picks_for_an_idle_drafter(bot: Flow) -> None:
    """Rule 6 of Gravity Pandemic; in an episode it is the record of the Death Match that says so."""
    people = company(bot)
    match = met(bot, people)
    play(bot, match.id, silent, until="draft")
    bot.wait(61)
    drafting = bot.load(match.id)
    assert drafting.phase is not None
    [drafter] = drafting.phase.active
    bot.say(people[CLEO], "/pick")
    assert "(the host) or a group administrator" in bot.texts(bot.group)[-1]
    bot.say(bot.ada, "/pick")
    name = NAMES[drafter]
    assert bot.press(bot.ada, "Owl") == f"Picked for {name}."
    assert f"{name} was silent, so the host picked: Owl." in said(bot)
    play(bot, match.id, ready)
    document = ended(bot, match.id, bot.group)
    assert document["death"]["rounds"][0]["nights"][0]["drafts"][0] == [f"p{drafter + 1}", "owl", "host"]


def test_the_candidate_resigns_and_is_eliminated(bot: Flow) -> None:
    people = company(bot)
    match = met(bot, people)
    bot.say(people[GINA], "/resign")
    assert "Your opponent wins at once" in bot.texts(people[GINA])[-1]
    assert bot.press(people[GINA], "Yes, I resign", people[GINA]) == "You have resigned."
    over = bot.load(match.id)
    assert (over.stage, over.state.match.board.winner) == ("over", 1)
    document = ended(bot, match.id, bot.group)
    assert (document["death"]["resigned"], lost(document)) == ("p7", "p7")
    assert "Gina is eliminated. The episode is over." in said(bot)


def test_the_death_match_is_cancelled_by_a_host_who_looks_on(bot: Flow) -> None:
    """The judgement stands; the Death Match has no winner."""
    people = company(bot)
    match = met(bot, people)
    bot.wait(30)  # the group has room for two more answers
    bot.say(people[CLEO], "/cancel")
    assert bot.texts(bot.group)[-1] == "Only \u2068Ada\u2069 (the host) or a group administrator can do that."
    bot.say(bot.ada, "/cancel")
    asked = bot.texts(bot.group)[-1]
    assert asked.endswith("End this match of Dog's Judgement for everybody? Nobody would win."), "nobody need agree"
    question, yes = bot.button("Yes, end it", bot.group)
    assert "Only" in bot.press_data(people[EMIL], bot.group, question, yes), "a looker-on has no say"
    assert bot.press_data(bot.ada, bot.group, question, yes) == "Done."
    assert bot.load(match.id).stage == "cancelled"
    document = ended(bot, match.id, bot.group)
    assert "cancelled" not in document["main"]
    assert document["death"]["cancelled"] is True
    assert lost(document) is None
    assert bot.matches() == []


def test_a_host_in_the_death_match_needs_the_other_alone(bot: Flow) -> None:
    people = company(bot)
    match = met(bot, people, host=people[GINA])
    bot.say(people[GINA], "/cancel")
    assert "Gina\u2069 plays in it, so everybody who plays must agree" in bot.texts(bot.group)[-1]
    question, yes = bot.button("Yes, end it", bot.group)
    assert bot.press_data(people[GINA], bot.group, question, yes).startswith("Noted.")
    assert bot.load(match.id).stage == "playing"
    assert bot.press_data(people[DORA], bot.group, question, yes) == "Done."
    assert bot.load(match.id).stage == "cancelled"
    ended(bot, match.id, bot.group)


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


def test_half_a_choice_is_none(bot: Flow) -> None:
    """The page that asks for the confirmation seals nothing."""
    people = company(bot)
    match = judged(bot, people)
    assert tap(bot, people[GINA], f"mvs{EMIL}") == ""
    assert bot.load(match.id).box == {}
    bot.wait(CHALLENGE_SECONDS)
    play(bot, match.id, ready)
    assert ended(bot, match.id, bot.group)["opponent"] == "lot"
