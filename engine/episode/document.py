"""An episode as a readable document: the main match, how the opponent was found, and the Death Match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, ParamSpec, TypeVar, get_args

from engine.archives import Course, Head, Json, check_seed, read_head
from engine.archives import replay as replay_match
from engine.archives import written as written_match
from engine.dog import export as dog_export
from engine.dog.facts import How
from engine.dog.replaying import final, outcome
from engine.dog.rules import DOG, opponent
from engine.dog.state import State as MainState
from engine.episode.rules import Death, State, death_seed
from engine.game import Player
from engine.gravity import export as gravity_export
from engine.gravity.rules import GRAVITY
from engine.reading import Fault, an_object, key, required

FORMAT: Final = "raven-dog-episode/1"

Steps = Sequence[Mapping[Player, Any]]

P = ParamSpec("P")
T = TypeVar("T")


def written(course: Course, names: Mapping[str, str], cancelled: bool) -> Json:
    """The document of an episode; ``names`` as for one match. What was ``cancelled`` is the match that was being
    played: once the main match has its judgement, it is complete.
    """
    mains: list[MainState] = [state for state in course.states if not isinstance(state, Death)]
    deaths = [state for state in course.states if isinstance(state, Death)]
    parted = len(mains)
    if deaths:
        mains.append(deaths[0].main)
    main = Course(DOG.key, course.seed, mains, course.steps[:parted])
    met = opponent(mains[-1])
    return {
        "format": FORMAT,
        "main": written_match(main, names, cancelled=mains[-1].board.judgement is None),
        "opponent": None if met is None else met.how,
        "death": _written_death(course.seed, deaths, course.steps[parted:], names, cancelled) if deaths else None,
    }


def place(state: State) -> str | None:
    """As of one match, for what the open phase of an episode will leave in its document."""
    if isinstance(state, Death):
        inner = gravity_export.place(state.match)
        return None if inner is None else f"death.{inner}"
    if state.board.stage == "choice":
        return "opponent"
    inner = dog_export.place(state)
    return None if inner is None else f"main.{inner}"


def _written_death(
    seed: bytes, states: Sequence[Death], steps: Steps, names: Mapping[str, str], cancelled: bool
) -> Json:
    """The Death Match, whose players keep what the main match calls them."""
    pair = states[0].pair
    own = [{pair.index(player): move for player, move in step.items()} for step in steps]
    match = Course(GRAVITY.key, death_seed(seed), [state.match for state in states], own)
    known = list(names.items())
    return written_match(match, dict(known[player] for player in pair), cancelled)


def replay(document: Json) -> Json:
    """What an episode came to by the rules: both matches, and who is ``eliminated``. Fault for anything wrong in it."""
    main, death = _matches(document)
    head = _under("main", _head_of, main, DOG.key)
    state = _under("main", final, main, head.players)
    how = _how(document)
    met = state.board.stage == "choice"
    if how is not None and not met:
        raise Fault("opponent", "cannot be: the main match leaves nobody to meet in a Death Match")
    played, eliminated = None, None
    if death is not None:
        pair = _under("death", _head_of, death, GRAVITY.key).players
        if not met:
            raise Fault("death", "cannot be: the main match leaves nobody to meet in a Death Match")
        if how is None:
            raise Fault("opponent", "must say how the opponent in the Death Match was found")
        _check_pair(pair, head, state, how)
        played = _under("death", replay_match, death)
        eliminated = next((player for player in pair if played["winner"] not in (None, player)), None)
    return {"main": outcome(state, head.players), "opponent": how, "death": played, "eliminated": eliminated}


def check_seeds(document: Json, commitments: Sequence[str]) -> None:
    """Fault unless both matches give their seeds, which give every deal and are those committed to (as far as given).

    The lots are for ``replay`` to check. The Death Match may have a seed that is not the one the bot would have given
    it: whoever committed to both was free to choose.
    """
    matches = [
        (at, match) for at, match in zip(("main", "death"), _matches(document), strict=True) if match is not None
    ]
    if len(commitments) > len(matches):
        raise Fault("death", f"gives no seed for a commitment more: there are {len(matches)} in this episode")
    for place, (at, match) in enumerate(matches):
        _under(at, check_seed, match, commitments[place] if place < len(commitments) else None)


def _matches(document: Json) -> tuple[Json, Json | None]:
    """The main match and the Death Match, if there is one."""
    main = an_object(required(document, "main", ""), "main")
    death = required(document, "death", "")
    return main, None if death is None else an_object(death, "death")


def _head_of(document: Json, game: str) -> Head:
    head = read_head(document)
    if head.game != game:
        raise Fault("game", f"must be {game}")
    return head


def _how(document: Json) -> How | None:
    how: How | None = required(document, "opponent", "")
    if how is not None and how not in get_args(How):
        raise Fault("opponent", f"must be null or one of {', '.join(get_args(How))}")
    return how


def _check_pair(pair: Sequence[str], main: Head, state: MainState, how: How) -> None:
    """Rule 16, after a main match that ended in a choice. Without its seed no lot can be drawn again, so whoever it may
    have named is believed.
    """
    judged, named = state.board.judgement, state.board.candidate
    assert judged is not None
    assert named is not None
    candidates = judged.candidates if main.seed is None else (named.candidate,)
    if pair[0] not in [main.players[player] for player in candidates]:
        raise Fault("death.players[0]", "is not the Elimination Candidate of the main match")
    if pair[1] not in [player for player, life in zip(main.players, judged.life, strict=True) if not life]:
        raise Fault("death.players[1]", "is no other player of the main match without a Token of Life")
    drawn = opponent(DOG.advance(state, {}).state)
    assert drawn is not None
    if how == "lot" and main.seed is not None and pair[1] != main.players[drawn.opponent]:
        raise Fault("death.players[1]", "is not the opponent whom the lot names")


def _under(at: str, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What is read of the match that stands at a path; its faults are named by the whole path."""
    try:
        return read(*args, **kwargs)
    except Fault as fault:
        raise Fault(key(at, fault.at), fault.message) from None
