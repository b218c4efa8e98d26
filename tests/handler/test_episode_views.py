"""An episode on the screen: which game's screens are shown, and what the Death Match is told to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import pytest

from engine.dog.facts import OpponentNamed
from engine.dog.moves import Challenge
from engine.dog.refusals import CODES
from engine.episode.rules import EPISODE, Death, Move, State
from engine.episode.view import DeathBegan, DeathView, EpisodeEnded, InDeath
from engine.game import Phase, Tell
from engine.gravity.birds import Bird
from engine.gravity.facts import MatchEnded, RoundEnded
from engine.gravity.moves import Guess, Pass, Resign
from engine.gravity.refusals import CODES as GRAVITY_CODES
from handler.buttons import MatchPress, PhasePress, Verb, read
from handler.views import VIEWS
from handler.views.dog import DOG
from handler.views.gravity import GRAVITY
from tests.engine import dog_matches, matches
from tests.handler.dog_positions import NAMES, framed
from tests.handler.positions import shown

SCREENS = VIEWS["dog"]
FRAME = framed()


@dataclass(frozen=True)
class Position:
    """A state of an episode, its open phase, and what was told on the way to it."""

    state: State
    phase: Phase | None
    tells: tuple[Tell, ...]


def episode(number: int) -> Iterator[Position]:
    """An episode of house players whose candidate, if there is one, challenges the last who can be."""
    seed, random = bytes([number]) * 32, Random(number)
    main, death = dog_matches.house_players(seed), matches.by_chance(random)
    reached = EPISODE.start(seed)
    while True:
        state = reached.state
        phase = EPISODE.phase(state)
        yield Position(state, phase, reached.tells)
        if phase is None:
            return
        moves: dict[int, Move | None] = {}
        for player in phase.active:
            if isinstance(state, Death):
                moves[player] = death(state.match, state.pair.index(player))
            elif state.board.candidate is not None:
                moves[player] = Challenge(state.board.candidate.eligible[-1])
            else:
                moves[player] = main(state, player)
        reached = EPISODE.advance(state, {player: move for player, move in moves.items() if move is not None})


@cache
def positions() -> tuple[Position, ...]:
    """Episodes that go on to a Death Match, in which EC sits before and after DMO."""
    return tuple(position for number in range(4) for position in episode(number))


def deaths() -> Iterator[tuple[Position, Death]]:
    for position in positions():
        if isinstance(position.state, Death):
            yield position, position.state


def said(tell: Tell, *, brief: bool = False) -> str:
    say = SCREENS.announce if tell.to is None else SCREENS.whisper
    text = say(replace(FRAME, brief=brief), tell.fact)
    return "" if text is None else shown(text)


def test_the_episodes_reach_a_death_match_in_both_orders_of_the_table() -> None:
    pairs = {state.pair for _, state in deaths()}
    assert {candidate < opponent for candidate, opponent in pairs} == {True, False}
    assert {0, 1} != {player for pair in pairs for player in pair}


def test_the_main_match_is_shown_as_dogs_judgement() -> None:
    for position in positions():
        if not isinstance(position.state, Death):
            public = EPISODE.view(position.state, None)
            assert SCREENS.board(FRAME, public) == DOG.board(FRAME, public)
            assert SCREENS.scene(public) == DOG.scene(public)


def test_a_scene_is_never_that_of_the_other_game_and_never_returns() -> None:
    scenes: list[str] = []
    for position in positions():
        public = EPISODE.view(position.state, None)
        scene = SCREENS.scene(public)
        if scene == "pregame":
            scenes = []
        assert scene.startswith("death-") == isinstance(public, DeathView)
        if scene not in scenes[-1:]:
            assert scene not in scenes
            scenes.append(scene)


# --- the Death Match's board and panels -------------------------------------------------------------


def test_the_board_of_the_death_match_says_that_it_is_one_and_names_the_two() -> None:
    ended = 0
    for position, state in deaths():
        text = shown(SCREENS.board(FRAME, EPISODE.view(state, None)).text)
        assert text.startswith("⚔️ The Death Match after Dog's Judgement. Whoever loses it is eliminated.\n\n")
        assert set(re.findall("|".join(NAMES), text)) == {NAMES[player] for player in state.pair}
        assert f"\u2068{NAMES[state.pair[0]]}\u2069 (EC)" in text
        assert f"\u2068{NAMES[state.pair[1]]}\u2069 (DMO)" in text
        winner = state.match.board.winner
        assert (winner is not None) == (position.phase is None) == text.endswith("\u2069 is eliminated.")
        if winner is not None:
            assert f"\u2068{NAMES[state.pair[winner]]}\u2069 has won." in text
            assert text.endswith(f"\u2068{NAMES[state.pair[1 - winner]]}\u2069 is eliminated.")
            ended += 1
    assert ended > 1


def test_only_the_two_have_panels_and_each_its_own() -> None:
    panels = 0
    for position, state in deaths():
        if position.phase is None:
            continue
        for player in range(7):
            own = EPISODE.view(state, player)
            message = SCREENS.panel(FRAME, own, position.phase, None, False, "")
            asked = player in position.phase.active and position.phase.name != "draft"
            assert (message is not None) == asked
            if message is None:
                continue
            panels += 1
            text = shown(message.text)
            assert text.startswith("⚔️ This is the Death Match. Whoever loses it is eliminated.\n\n")
            other = next(each for each in state.pair if each != player)
            assert f" · \u2068{NAMES[other]}\u2069:\u00a0" in text
            assert len(text) <= 4096
            for row in message.keyboard:
                for button in row:
                    press = read(button.data or "")
                    assert isinstance(press, PhasePress)
                    if press.verb in (Verb.SEAL, Verb.FINAL):
                        assert EPISODE.check(own, EPISODE.read(press.arg)) is None
    assert panels > 100


def test_the_host_can_pick_for_a_drafter_and_nobody_is_hosted_before() -> None:
    hosted = 0
    for position in positions():
        public = EPISODE.view(position.state, None)
        moves = SCREENS.hosted(public)
        drafting = position.phase is not None and position.phase.name == "draft"
        assert bool(moves) == drafting
        assert all(EPISODE.hosted(EPISODE.read(text)) for _, text in moves)
        hosted += drafting
    assert hosted > 10


def test_the_hosts_way_to_do_without_a_death_match_is_there_while_one_chooses() -> None:
    for position in positions():
        board = SCREENS.board(FRAME, EPISODE.view(position.state, None))
        presses = [read(button.data or "") for row in board.keyboard for button in row]
        choosing = position.phase is not None and position.phase.name == "choice"
        assert (MatchPress(FRAME.match, "decline", "ask") in presses) == choosing


# --- what is told -----------------------------------------------------------------------------------


def test_the_death_match_is_announced_with_its_own_seal() -> None:
    began = [tell for position in positions() for tell in position.tells if isinstance(tell.fact, DeathBegan)]
    assert len(began) > 1
    for tell in began:
        assert tell.to is None
        text = said(tell)
        candidate, opponent = tell.fact.pair
        assert text.startswith(
            f"⚔️ The Death Match. \u2068{NAMES[candidate]}\u2069, the Elimination Candidate (EC), "
            f"meets \u2068{NAMES[opponent]}\u2069, the Death Match Opponent (DMO),"
        )
        assert re.findall("[0-9a-f]{64}", text) == [tell.fact.commitment]
        assert "/rules gravity explains" in text, "/rules alone explains Dog's Judgement"


def test_facts_of_the_death_match_are_told_as_gravity_pandemics_own() -> None:
    for position, state in deaths():
        pair = replace(FRAME, names=tuple(NAMES[player] for player in state.pair))
        for tell in position.tells:
            if isinstance(tell.fact, InDeath):
                say = GRAVITY.announce if tell.to is None else GRAVITY.whisper
                text = say(pair, tell.fact.fact)
                assert said(tell) == ("" if text is None else shown(text))
                assert tell.to is None or tell.to in state.pair


def test_the_episode_ends_with_who_is_eliminated() -> None:
    ends = [position.tells[-1] for position, state in deaths() if position.phase is None]
    assert ends
    for tell in ends:
        assert isinstance(tell.fact, EpisodeEnded)
        assert said(tell) == f"\u2068{NAMES[tell.fact.eliminated]}\u2069 is eliminated. The episode is over."


def test_a_death_match_between_house_players_is_told_in_one_short_message() -> None:
    house = tuple(f"{name} Featherstonehaugh (house player)" for name in NAMES)
    frame = replace(FRAME, names=house, brief=True)
    texts: list[str] = []
    for position in positions():
        for tell in position.tells if isinstance(position.state, Death) else ():
            text = SCREENS.announce(frame, tell.fact) if tell.to is None else None
            if isinstance(tell.fact, DeathBegan):
                texts = []
            if text is not None:
                texts.append(text)
            if isinstance(tell.fact, InDeath) and tell.to is None:
                assert (text is not None) == isinstance(tell.fact.fact, RoundEnded | MatchEnded)
        if isinstance(position.state, Death) and position.phase is None:
            whole = "\n\n".join(texts)
            assert 500 < len(whole) < 3000
            lines = shown(whole).splitlines()
            assert len([line for line in lines if re.match(r"Round \d: .*Raven", line)]) == 4
            assert "Both are house players, so they play it at once. In short:" in lines
            assert lines[-1].endswith("is eliminated. The episode is over.")


@pytest.mark.parametrize(
    ("found", "says"),
    [(True, "Round 2: the Raven was found. "), (False, "Round 2: nobody found the Raven. ")],
)
def test_a_round_in_brief_is_one_line_with_the_scores(found: bool, says: str) -> None:
    fact = InDeath((4, 2), RoundEnded(2, found, (), (12, -2)))
    text = said(Tell(fact), brief=True)
    assert text == f"{says}\u2068{NAMES[4]}\u2069 (EC)\u00a03 · \u2068{NAMES[2]}\u2069 (DMO)\u00a0−½"


def test_in_brief_the_rest_of_the_episode_is_told_as_ever() -> None:
    fact = OpponentNamed(4, 2, "lot")
    assert said(Tell(fact), brief=True) == said(Tell(fact))


# --- toasts -----------------------------------------------------------------------------------------


def test_every_refusal_of_both_games_has_words() -> None:
    for code in {*CODES, *GRAVITY_CODES}:
        assert 0 < len(SCREENS.refusal(code)) <= 200
    for code in set(CODES) & set(GRAVITY_CODES):
        assert DOG.refusal(code) == GRAVITY.refusal(code)


def test_a_seal_is_answered_in_the_words_of_its_game() -> None:
    assert SCREENS.sealed(dog_matches.play("5cm")) == "5 on Charge Tower and Median Meridian. It counts."
    assert SCREENS.sealed(Challenge(None)) == "The lot decides."
    for move in (Pass(), Guess(3, Bird.OWL), Resign()):
        assert SCREENS.sealed(move) == GRAVITY.sealed(move)


def test_locking_in_is_answered_in_the_words_of_the_game_being_played() -> None:
    for position in positions():
        own = EPISODE.view(position.state, 0)
        for final in (True, False):
            ready = SCREENS.locked(own, final)
            assert ready.startswith(("Ready.", "Not ready")) == (not isinstance(position.state, Death))
            assert ready.startswith(("Locked in.", "Open again.")) == isinstance(position.state, Death)
