"""The engine: what it judges, replays and closes a second on one core, beside a published engine of poker.

All times are of this process's own work, batch after batch in turn; ``docs/performance.md`` says what each row means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from statistics import median
from typing import Any, Final

from benchmarks import engine_poker
from benchmarks.engine_matches import (
    DOG,
    EPISODES,
    GRAVITY,
    Position,
    afresh,
    moves_in,
    positions,
    questions,
    records,
)
from benchmarks.engine_press import Press, presses
from benchmarks.engine_timing import Batch, Samples, batch, interleaved, rate
from benchmarks.rows import Goal, Row
from benchmarks.scale_matches import copies
from benchmarks.scale_matches import positions as stands
from engine.adjudicator import adjudicate
from engine.documents import export, replay
from engine.games import GAMES
from engine.record import Record
from tests.engine.episodes import NAMES

MATCHES: Final = 6
"""Of each game, and episodes: a batch replays them all."""
HANDS: Final = 12
ASKED: Final = 40
"""Of each kind of question."""

NIGHTS: Final = Goal("value", "least", 2000)
WHOLE: Final = Goal("value", "least", 200)
SHARE: Final = Goal("value", "most", 10)
COLD: Final = Goal(
    "value", "most", 10, "a new process replays a match whole, once; needed: the latest state in the item, 5 kB more"
)

KINDS: Final = {
    "gravity/night": "nights",
    "gravity/guesses": "guessing periods",
    "dog/round": "rounds",
    "dog/judgement": "judgements",
}
PARTS: Final = {"a quarter": 0.25, "half": 0.5, "all": 1.0}


def measure() -> Iterator[Row]:
    """The rows of the engine."""
    whole = records(MATCHES)
    opened = {name: positions(of) for name, of in whole.items()}
    duel, table = (engine_poker.hands(players, HANDS) for players in (2, 7))
    with presses() as pressed:
        batches = {
            **_judging(opened[GRAVITY] + opened[DOG]),
            **_replaying(whole),
            **_closing(opened),
            **_growing(whole),
            **_poker(duel),
            **_poker(table),
            **_pressing(pressed),
        }
        samples = interleaved(batches)
        yield from _judged(samples)
        yield from _replayed(samples)
        yield from _moved(samples, whole, opened)
        yield from _grown(samples)
        yield from _pressed(samples, pressed)
    yield from _sizes()


# --- what is run ------------------------------------------------------------------------------------


def _judging(of: Sequence[Position]) -> dict[str, Batch]:
    asked = sorted(questions(of), key=lambda question: question.kind)
    batches = {}
    for kind, found in groupby(asked, lambda question: question.kind):
        some = list(found)[:ASKED]
        lines = b"\n".join(question.line for question in some).splitlines()
        batches[f"{kind}: adjudicator"] = batch(_adjudicated, [lines], len(some))
        batches[f"{kind}: resolver"] = batch(lambda question: question.resolve(), some)
    return batches


def _adjudicated(lines: Sequence[bytes]) -> None:
    for text, judged in adjudicate(lines):
        assert judged, text


def _replaying(whole: Mapping[str, Sequence[Record]]) -> dict[str, Batch]:
    batches = {}
    for name, of in whole.items():
        batches[f"{name}: record"] = batch(_replay, of)
        batches[f"{name}: document"] = batch(replay, [export(each, NAMES[: _players(each)]) for each in of])
    return batches


def _players(record: Record) -> int:
    return GAMES[record.setup.game].players


def _replay(record: Record) -> Any:
    return afresh(record).latest


def _closing(opened: Mapping[str, Sequence[Position]]) -> dict[str, Batch]:
    """Of one game after the other: a move asked about (view and check), the phase closed, the options of a player."""
    batches = {}
    for name in (GRAVITY, DOG):
        of = opened[name]
        asked = [(each, player, move) for each in of for player, move in each.moves.items()]
        active = [(each, player) for each in of for player in each.moves]
        batches[f"{name}: check"] = batch(lambda each: each[0].game.check(_view(*each[:2]), each[2]), asked)
        batches[f"{name}: advance"] = batch(lambda each: each.game.advance(each.state, each.moves), of)
        batches[f"{name}: options"] = batch(lambda each: each[0].game.options(_view(*each)), active)
    for name in (GRAVITY, EPISODES):
        of = opened[name]
        batches[f"{name}: play"] = batch(_play, of, sum(len(each.moves) for each in of))
    return batches


def _view(position: Position, player: int) -> Any:
    return position.game.view(position.state, player)


def _play(position: Position) -> None:
    """As a match goes on: each move is asked about when it is sealed, and the phase closes with all of them."""
    for player, move in position.moves.items():
        assert position.game.check(_view(position, player), move) is None
    position.game.advance(position.state, position.moves)


def _growing(whole: Mapping[str, Sequence[Record]]) -> dict[str, Batch]:
    batches = {}
    for name in (GRAVITY, EPISODES):
        longest = max(whole[name], key=lambda record: len(record.steps))
        for part, share in PARTS.items():
            steps = longest.steps[: round(len(longest.steps) * share)]
            batches[f"{name}: {part}"] = batch(_replay, [Record(longest.setup, steps)])
            before = Record(longest.setup, steps[:-1])
            before.history  # noqa: B018 - from now on it is known
            batches[f"{name}: {part}, one more"] = batch(before.then, steps[-1:] * 50)
    return batches


def _poker(hands: engine_poker.Hands) -> dict[str, Batch]:
    played: Callable[[engine_poker.Script], object] = lambda script: engine_poker.played(hands.players, script)  # noqa: E731
    return {
        f"poker {hands.players}: play": batch(played, hands.scripts, hands.moves),
        f"poker {hands.players}: replay": batch(engine_poker.replayed, hands.histories, hands.moves),
    }


def _pressing(pressed: Sequence[Press]) -> dict[str, Batch]:
    return {
        f"press {each.name}: {what}": run
        for each in pressed
        for what, run in (("whole", each.press), ("warm", each.warm), ("grown", each.grown), ("cold", each.cold))
    }


# --- what is said of it -----------------------------------------------------------------------------


def _judged(samples: Samples) -> Iterator[Row]:
    for kind, name in KINDS.items():
        goal = NIGHTS if kind == "gravity/night" else None
        for way in ("adjudicator", "resolver"):
            yield _rate(f"{name} judged, {way}", samples[f"{kind}: {way}"], goal)


def _replayed(samples: Samples) -> Iterator[Row]:
    for name in (GRAVITY, DOG, EPISODES):
        goal = None if name == EPISODES else WHOLE  # an episode is two matches in a row
        for way in ("record", "document"):
            yield _rate(f"{name}, whole, replayed from its {way}", samples[f"{name}: {way}"], goal)


def _moved(
    samples: Samples, whole: Mapping[str, Sequence[Record]], opened: Mapping[str, Sequence[Position]]
) -> Iterator[Row]:
    for name in (GRAVITY, DOG):
        yield _rate(f"{name}, moves asked about (check)", samples[f"{name}: check"])
        yield _rate(f"{name}, phases closed (advance)", samples[f"{name}: advance"])
        yield _rate(f"{name}, options of a player", samples[f"{name}: options"])
    for name, players in ((GRAVITY, 2), (EPISODES, 7)):
        moves = moves_in(whole[name]) / len(whole[name])
        ours = tuple(each / moves for each in samples[f"{name}: record"])
        beside = f"no-limit hold'em of {players} by pokerkit"
        for way, mine in (("replayed", ours), ("played", samples[f"{name}: play"])):
            theirs = samples[f"poker {players}: {way.removesuffix('ed')}"]
            yield _rate(
                f"{name}, moves {way}", mine, ratio=rate(mine) / rate(theirs), beside=f"{beside}, {rate(theirs):,.0f}"
            )


def _grown(samples: Samples) -> Iterator[Row]:
    for name in (GRAVITY, EPISODES):
        for part in PARTS:
            yield _time(f"{name}, longest of {MATCHES}: {part} of it replayed", samples[f"{name}: {part}"], "ms", 1e3)
            yield _time(f"{name}, one step more after {part}", samples[f"{name}: {part}, one more"], "µs", 1e6)


def _pressed(samples: Samples, pressed: Sequence[Press]) -> Iterator[Row]:
    for each in pressed:
        name = {"gravity": GRAVITY, "dog": EPISODES}[each.name]
        whole, warm, grown, cold = (
            samples[f"press {each.name}: {what}"] for what in ("whole", "warm", "grown", "cold")
        )
        least = median(whole) - median(warm)
        beside = f"a press after {each.steps} phases, {median(whole) * 1e3:.2f} ms in the handler"
        yield _time(f"{name}, a press without network", whole, "ms", 1e3)
        yield _share(f"{name}, replay in a press, warm", warm, least, SHARE, beside)
        yield _share(f"{name}, replay in a press, a phase closed elsewhere", grown, least, SHARE, beside)
        yield _share(f"{name}, replay in a press, new process", cold, least, COLD, beside)


def _sizes() -> Iterator[Row]:
    found = stands()
    for game, name in (("gravity", GRAVITY), ("dog", EPISODES)):
        of = [each for each in found if each.match.game == game]
        for where, stand in (("at its start", of[0]), ("half-way", of[len(of) // 2]), ("near its end", of[-1])):
            [made] = copies([stand], 1)
            body, telling = (len(text.encode()) for text in (made.item.body, made.item.telling))
            yield Row(f"{name}, item {where}", body + telling, "bytes", beside=f"match {body}, telling {telling}")


def _rate(
    name: str, samples: tuple[float, ...], goal: Goal | None = None, ratio: float | None = None, beside: str = ""
) -> Row:
    return Row(name, rate(samples), "a second", ratio, beside, goal, samples)


def _time(name: str, samples: tuple[float, ...], unit: Any, factor: float) -> Row:
    return Row(name, median(samples) * factor, unit, samples=samples)


def _share(name: str, replay_: tuple[float, ...], rest: float, goal: Goal, beside: str) -> Row:
    """Per cent that finding the state makes of a press whose other work takes ``rest``, in seconds."""
    taken = median(replay_)
    return Row(name, 100 * taken / (rest + taken), "%", beside=beside, goal=goal, samples=replay_)
