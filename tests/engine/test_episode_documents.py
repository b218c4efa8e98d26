"""Records of episodes: what the bot writes reads back, and the pair follows from the judgement."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import commitment
from engine.documents import commitments, export, replay, verify
from engine.dog import facts
from engine.dog.events import VP_EVENTS
from engine.dog.moves import Decline
from engine.dog.state import State as MainState
from engine.episode.rules import EPISODE, Death, death_seed
from engine.episode.view import EpisodeEnded
from engine.game import Player, Tell
from engine.gravity.moves import Resign
from engine.reading import Fault, canonical, parse
from engine.record import Record
from tests.engine import dog_matches
from tests.engine.broken import Change, drop, fault, put, put_anywhere
from tests.engine.by_hand import episode as known
from tests.engine.episodes import NAMES, PLAYERS, by_chance, by_house_players, ended, played, state, whole

SEEDS = st.binary(min_size=32, max_size=32)
SEED = bytes(range(32))


# --- by hand --------------------------------------------------------------------------------------


def test_an_episode_by_hand() -> None:
    episode = known()
    main, death = replay(episode["main"]), replay(episode["death"])
    assert replay(episode) == {
        "ok": True,
        "main": {"steps": main["steps"], "judgement": main["judgement"]},
        "opponent": "chosen",
        "death": {"winner": "b", "scores": {"a": 5, "b": -4}, "steps": death["steps"]},
        "eliminated": "a",
    }


def test_without_a_seed_any_of_the_joint_candidates_may_have_been_named() -> None:
    episode = known()
    for other in "cde":
        text = json.dumps(known()["death"]).replace('"a"', f'"{other}"')
        assert replay({**episode, "death": json.loads(text)})["eliminated"] == other
    assert replay({**episode, "opponent": "lot"})["eliminated"] == "a"


def test_a_death_match_need_not_have_been_played() -> None:
    episode = {**known(), "death": None}
    for opponent in ("chosen", "lot", None):
        outcome = replay({**episode, "opponent": opponent})
        assert (outcome["opponent"], outcome["death"], outcome["eliminated"]) == (opponent, None, None)


def test_who_survives_a_cancelled_death_match_is_not_eliminated() -> None:
    episode = known()
    episode["death"].update(cancelled=True, resigned=None)
    outcome = replay(episode)
    assert (outcome["death"]["winner"], outcome["eliminated"]) == (None, None)


def test_equal_episodes_give_equal_bytes() -> None:
    episode = known()
    turned = dict(reversed(episode.items()))
    turned["main"] = dict(reversed(episode["main"].items()))
    assert canonical(replay(turned)) == canonical(replay(episode))


def everybody_keeps_tokens(episode: Any) -> None:
    """Nobody scores: all are tied in three events, and of three Tokens of Life everybody loses one."""
    for round_ in episode["main"]["rounds"]:
        round_["plays"] = {}


def one_alone_is_without_a_token(episode: Any) -> None:
    """All but e lead two events together and keep one of two Tokens of Life."""
    six = "xyabcd"
    median = {player: {"card": 4, "events": ["median_meridian", "remove_one"]} for player in six}
    bribe = {"card": 7, "events": ["exchange_store", "bribing_the_dog"], "gain": 7}
    move = {"token": "win", "from": "charge_tower", "to": "median_meridian"}
    episode["main"]["rounds"] = [
        {"plays": median},
        *({"plays": {player: {"card": 5, "events": ["remove_one", "charge_tower"]}}} for player in six),
        {"plays": {"x": {**bribe, "move": move}}},
        {"plays": {}},
    ]


def cut_short(episode: Any) -> None:
    """Cancelled in the fourth round of the main match."""
    episode["main"].update(cancelled=True, rounds=episode["main"]["rounds"][:3])


BROKEN: list[tuple[Change, str]] = [
    # the head
    (put("format", value="raven-dog-episode/2"), "format"),
    (put("format", value=["raven-dog-episode/1"]), "format"),
    (drop("format"), "format"),
    (put("format", value="raven-dog/1"), "game"),
    (drop("main"), "main"),
    (put("main", value=None), "main"),
    (put("main", value=[]), "main"),
    (drop("death"), "death"),
    (put("death", value=[]), "death"),
    (put("death", value=False), "death"),
    (drop("opponent"), "opponent"),
    (put("opponent", value="luck"), "opponent"),
    (put("opponent", value=["lot"]), "opponent"),
    (put("opponent", value=None), "opponent"),
    # the main match
    (drop("main", "format"), "main.format"),
    (put("main", "format", value="raven-dog-episode/1"), "main.format"),
    (put("main", "game", value="gravity"), "main.players"),
    (lambda episode: episode.update(main=episode["death"]), "main.game"),
    (put("main", "game", value=None), "main.game"),
    (put("main", "players", 6, value="x"), "main.players[6]"),
    (put("main", "seed", value="0"), "main.seed"),
    (put("main", "cancelled", value=True), "main.cancelled"),
    (drop("main", "rounds"), "main.rounds"),
    (put("main", "rounds", 2, "plays", "y", "gain", value=7), "main.rounds[2].plays.y.gain"),
    (put("main", "rounds", 2, "plays", "y", "card", value=4), "main.rounds[2].plays.y.card"),
    # the Death Match
    (drop("death", "format"), "death.format"),
    (lambda episode: episode.update(death=episode["main"]), "death.game"),
    (put("death", "game", value="dog"), "death.players"),
    (put("death", "players", value=["a"]), "death.players"),
    (put("death", "players", 1, value="a"), "death.players[1]"),
    (drop("death", "seed"), "death.seed"),
    (put("death", "resigned", value="c"), "death.resigned"),
    (put("death", "cancelled", value=True), "death.cancelled"),
    (put("death", "rounds", 0, "reveals", "a", value="raven"), "death.rounds[0].reveals.a"),
    # who meets whom
    (put("death", "players", 0, value="x"), "death.players[0]"),
    (put("death", "players", 0, value="nobody"), "death.players[0]"),
    (put("death", "players", 1, value="y"), "death.players[1]"),
    (put("death", "players", 1, value="nobody"), "death.players[1]"),
    (everybody_keeps_tokens, "opponent"),
    (one_alone_is_without_a_token, "opponent"),
    (cut_short, "opponent"),
]


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_what_is_broken_is_named_by_its_path(number: int) -> None:
    change, at = BROKEN[number]
    episode = known()
    change(episode)
    assert fault(episode) == at


@pytest.mark.parametrize(
    ("change", "candidates"),
    [(everybody_keeps_tokens, []), (one_alone_is_without_a_token, ["e"]), (cut_short, None)],
)
def test_where_there_is_nobody_to_meet_there_is_no_death_match(change: Change, candidates: list[str] | None) -> None:
    episode = known()
    change(episode)
    assert fault({**episode, "opponent": None}) == "death"
    assert fault({**episode, "death": None}) == "opponent"
    outcome = replay({**episode, "opponent": None, "death": None})
    assert outcome["main"].get("judgement", {}).get("candidates") == candidates
    assert (outcome["death"], outcome["eliminated"]) == (None, None)


# --- written by this program ----------------------------------------------------------------------


def check_document(record: Record, document: Any) -> None:
    """The episode written out and read back says what was told of it."""
    document = parse(canonical(document).encode())
    outcome = verify(document, commitments(document))
    assert outcome == replay(document)
    tells = [tell for transition in record.history for tell in transition.tells]
    told = [tell.fact for tell in tells]
    check_rounds(tells, outcome["main"])
    judgement = outcome["main"].get("judgement", {})
    assert [judgement] == [
        {
            "life": dict(zip(PLAYERS, fact.life, strict=True)),
            "garnets": dict(zip(PLAYERS, fact.garnets, strict=True)),
            "all_lose": fact.all_lose,
            "candidates": [PLAYERS[player] for player in fact.candidates],
        }
        for fact in told
        if isinstance(fact, facts.Judgement)
    ]
    met = next((fact for fact in told if isinstance(fact, facts.OpponentNamed)), None)
    if met is None:
        assert (document["opponent"], document["death"], outcome["eliminated"]) == (None, None, None)
    else:
        (gone,) = (PLAYERS[fact.eliminated] for fact in told if isinstance(fact, EpisodeEnded))
        assert (document["opponent"], outcome["eliminated"]) == (met.how, gone)
        assert document["death"]["players"] == [PLAYERS[met.candidate], PLAYERS[met.opponent]]
        assert outcome["death"]["winner"] in {*document["death"]["players"]} - {gone}


def check_rounds(tells: list[Tell], main: Any) -> None:
    """Every round that was announced is a step with everybody's VP."""
    announced = [tell.fact for tell in tells if isinstance(tell.fact, facts.RoundResolved)]
    points = {(tell.fact.round, tell.to): tell.fact.points for tell in tells if isinstance(tell.fact, facts.RoundTold)}
    assert [step["round"] for step in main["steps"]] == [fact.round for fact in announced]
    for step, fact in zip(main["steps"], announced, strict=True):
        assert step["charge"] == fact.level
        assert list(step["scored"].values()) == [[PLAYERS[each] for each in scorers] for scorers in fact.scored]
        assert (step["moved"] is None) == (fact.moved is None)
        for number, player in enumerate(PLAYERS):
            assert tuple(step["vp"][event][player] for event in VP_EVENTS) == points[fact.round, number]


@settings(max_examples=15)
@given(SEEDS, st.integers(0))
def test_an_episode_by_chance_reads_back(seed: bytes, luck: int) -> None:
    *_, record = by_chance(seed, luck)
    check_document(record, export(record, NAMES))


@settings(max_examples=6)
@given(SEEDS)
def test_an_episode_of_house_players_reads_back(seed: bytes) -> None:
    *_, record = by_house_players(seed)
    check_document(record, export(record, NAMES))


def test_an_exported_episode() -> None:
    record, document = whole(3)
    assert list(document) == ["format", "main", "opponent", "death", "silent"]
    assert document["silent"] == {}
    main, death = document["main"], document["death"]
    assert list(main) == ["format", "game", "players", "names", "seed", "rounds"]
    assert (main["game"], main["players"]) == ("dog", PLAYERS)
    assert main["names"] == dict(zip(PLAYERS, NAMES, strict=True))
    assert main["seed"] == record.setup.seed
    assert list(death) == ["format", "game", "players", "names", "seed", "rounds", "resigned"]
    assert death["names"] == {player: main["names"][player] for player in death["players"]}
    assert death["seed"] == death_seed(bytes.fromhex(main["seed"])).hex()
    assert commitments(document) == tuple(commitment(bytes.fromhex(part["seed"])) for part in (main, death))


def test_an_exported_episode_says_who_was_silent_and_where() -> None:
    record, _ = whole(3)
    names = [phase.name for each in record.history if (phase := EPISODE.phase(each.state)) is not None]
    silent: list[tuple[Player, ...]] = [(2,) if name in ("pregame", "choice", "reveals") else () for name in names]
    silent[1] = (0, 2)
    document = export(record, NAMES, silent)
    assert document["silent"]["p1"] == ["main.rounds[0].plays"]
    assert document["silent"]["p3"][:3] == ["main.rounds[0].plays", "opponent", "death.rounds[0].reveals"]
    assert replay(document) == replay(export(record, NAMES))


def test_plays_are_written_as_they_were_made() -> None:
    record, document = whole(3)
    plays = [play for round_ in document["main"]["rounds"] for play in round_["plays"].values()]
    made = [play for round_ in ended(record).plays for play in round_ if play is not None]
    assert [play["card"] for play in plays] == [play.card for play in made]
    assert [play["events"] for play in plays] == [[*play.events] for play in made]
    assert [play.get("gain") for play in plays] == [play.gain for play in made]
    assert [("move" in play) for play in plays] == [play.movement is not None for play in made]
    assert any("move" in play for play in plays)
    assert {list(round_["plays"]) == sorted(round_["plays"]) for round_ in document["main"]["rounds"]} == {True}


def test_seven_silent_players_leave_no_death_match() -> None:
    *_, record = played(SEED, dog_matches.silent, lambda *_: None)
    document = export(record, NAMES)
    assert [round_["plays"] for round_ in document["main"]["rounds"]] == [{}] * 9
    assert (document["opponent"], document["death"]) == (None, None)
    assert commitments(document) == (commitment(SEED),)
    check_document(record, document)


def test_only_an_episode_that_is_over_or_cancelled_is_exported() -> None:
    record, _ = whole(3)
    with pytest.raises(ValueError, match="had ended"):
        export(record, NAMES, cancelled=True)
    with pytest.raises(ValueError, match="not over"):
        export(Record(record.setup, record.steps[:-1]), NAMES)
    with pytest.raises(ValueError, match="7 players"):
        export(record, NAMES[:6])


def test_an_episode_cut_short_anywhere_reads_back() -> None:
    seen = set()
    records = [*by_house_players(SEED)]
    for record in (*records[:12], *records[12:-1:3]):
        now = state(record)
        document = export(record, NAMES, cancelled=True)
        main, death = document["main"], document["death"]
        outcome = verify(document, commitments(document))
        assert (outcome["eliminated"], outcome["opponent"]) == (None, document["opponent"])
        if isinstance(now, Death):
            seen.add("death")
            assert ("cancelled" in main, death["cancelled"], outcome["death"]["winner"]) == (False, True, None)
            assert list(outcome["death"]["scores"].values()) == list(now.match.board.scores)
            resigned = verify(export(record.then({now.pair[0]: EPISODE.write(Resign())}), NAMES))
            assert resigned["eliminated"] == death["players"][0]
            assert resigned["death"]["steps"] == outcome["death"]["steps"]
        else:
            seen.add(now.board.stage)
            assert (document["opponent"], death) == (None, None)
            assert main.get("cancelled", False) == ("judgement" not in outcome["main"]) == (now.board.judgement is None)
            assert len(main["rounds"]) == len(now.board.announced)
    assert seen == {"pregame", "round", "choice", "death"}


def choosing(record: Record) -> bool:
    """Whether the candidate has the choice."""
    phase = EPISODE.phase(state(record))
    return phase is not None and phase.name == "choice"


def test_a_declined_death_match_leaves_the_main_match_alone() -> None:
    record = next(record for record in by_house_players(SEED) if choosing(record))
    now = state(record)
    assert isinstance(now, MainState)
    assert now.board.candidate is not None
    document = export(record.then({now.board.candidate.candidate: EPISODE.write(Decline())}), NAMES)
    assert (document["opponent"], document["death"], document["main"].get("cancelled")) == (None, None, None)
    assert document == export(record, NAMES, cancelled=True)


# --- anything -------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.sampled_from(["lot", "a", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "game", "players", "format", "seed"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@settings(max_examples=200)
@given(st.data())
def test_no_value_anywhere_gives_a_traceback(data: st.DataObject) -> None:
    episode = known()
    put_anywhere(data, episode, JSON)
    faults: list[str] = []
    for judge in (replay, verify):
        try:
            judge(episode)
        except Fault as caught:
            faults.append(caught.at)
    assert all(faults)
