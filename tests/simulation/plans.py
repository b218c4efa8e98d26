"""What a player wants in the open phase, from the whole truth of the match, and by which buttons it is had."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from engine.dog.choices import options as dog_options
from engine.dog.events import Event
from engine.dog.moves import Play, Withdraw
from engine.dog.notation import write as dog_text
from engine.dog.view import ChoiceOptions, PlayOptions
from engine.episode.rules import Death
from engine.game import Player
from engine.gravity.birds import LETTERS, Bird
from engine.gravity.choices import options as gravity_options
from engine.gravity.moves import Actions, Guess, Pass, Pick, Reveal, Target
from engine.gravity.notation import write as gravity_text
from engine.gravity.state import State as Gravity
from engine.gravity.state import view as gravity_view
from engine.gravity.view import ActionOptions, DraftOptions, GuessOptions, RevealOptions
from tests.flows.players import NO_CARD, PLAY_NONE, pages
from tests.simulation.replays import ENGINES
from tests.simulation.trace import Snapshot

Box = tuple[str | None, bool]
"""What a player has sealed (None: nothing), and whether it is locked in."""
NOTHING: Final[Box] = (None, False)


@dataclass(frozen=True)
class Goal:
    """Something to be had by pressing: ``path`` are the tails of the buttons on the way, each leading to the next.

    ``public``: the buttons are under the board. ``reached`` says of what lies in the box whether it is had.
    """

    path: tuple[str, ...]
    reached: Callable[[Box], bool]
    public: bool = False


def locked(box: Box) -> bool:
    """Whether a player has locked in."""
    return box[1]


def unlocked(box: Box) -> bool:
    """Whether a player can still choose."""
    return not box[1]


def never(box: Box) -> bool:
    """A turn is over with the press: the phase is, so nothing in the box says so."""
    return False


LOCK: Final = Goal(("l",), locked)
READY: Final = Goal((NO_CARD, PLAY_NONE, "l"), locked)
UNLOCK: Final = Goal(("u",), unlocked)
WITHDRAW: Final = Goal(("s" + dog_text(Withdraw()),), lambda box: box[0] == dog_text(Withdraw()))


@dataclass(frozen=True)
class Wish:
    """A move to make: what has to be sealed for it, then how it is locked in."""

    seals: tuple[Goal, ...]
    lock: Goal | None = None
    is_play: bool = False

    @property
    def goals(self) -> tuple[Goal, ...]:
        """All of it, in order."""
        return self.seals if self.lock is None else (*self.seals, self.lock)


def wish(snapshot: Snapshot, state: Any, seat: Player, random: Random, *, finder: bool) -> Wish | None:
    """What somebody wants now; None: nothing can be had. A finder goes for the Raven, and nothing else."""
    if isinstance(state, Death):
        return _gravity(state.match, state.pair.index(seat), random, finder=finder) if seat in state.pair else None
    if isinstance(state, Gravity):
        return _gravity(state, seat, random, finder=finder)
    view = ENGINES[snapshot.game].view(state, seat)
    match dog_options(view):
        case PlayOptions() as offered if random.random() < 0.6:
            return played(_play(offered, random), ready=random.random() < 0.5)
        case ChoiceOptions(players=players):
            text = "vs" + random.choice([*map(str, players), "-"])
            return Wish((Goal(("m" + text, "f" + text), locked),))
        case _ if view.board.stage in ("pregame", "round"):
            return Wish((), READY)
    return None


def played(play: Play, *, ready: bool) -> Wish:
    """A card played, confirmed with Ready or Ready pressed afterwards."""
    text = dog_text(play)
    if ready:
        return Wish((Goal((*pages(play), "f" + text), lambda box: box == (text, True)),), is_play=True)
    return Wish((Goal((*pages(play), "s" + text), lambda box: box[0] == text),), LOCK, is_play=True)


def _play(offered: PlayOptions, random: Random) -> Play:
    card = random.choice(offered.cards)
    one, other = sorted(random.sample(range(len(offered.events)), 2))
    events = (offered.events[one], offered.events[other])
    gain = random.choice(dict(offered.values)[card]) if Event.EXCHANGE_STORE in events else None
    bribes = Event.BRIBING_THE_DOG in events
    return Play(card, events, gain, random.choice([*offered.movements, None]) if bribes else None)


def _gravity(state: Gravity, own: Player, random: Random, *, finder: bool) -> Wish | None:
    match gravity_options(gravity_view(state, own)):
        case RevealOptions(birds=birds):
            bird = None if finder or random.random() < 0.3 or not birds else random.choice(birds)
            text = gravity_text(Reveal(bird))
            return Wish((Goal(("s" + text,), lambda box: box[0] == text),), LOCK)
        case DraftOptions(birds=birds) if birds:
            return Wish((Goal(("s" + gravity_text(Pick(random.choice(birds))),), never, public=True),))
        case DraftOptions():
            return Wish((Goal(("s+",), lambda box: box[0] == "+", public=True),))
        case ActionOptions() as offered:
            sent = [_sent(entry, random) for entry in offered.birds if random.random() < (0.15 if finder else 0.4)]
            return Wish(tuple(sent), Goal(("f" + gravity_text(Actions()),), locked))
        case GuessOptions() as offered:
            return _guessed(_guess(state, offered, random, finder=finder))
    return None


def _sent(entry: tuple[Bird, Sequence[int], Sequence[Bird]], random: Random) -> Goal:
    """One bird's target."""
    bird, seats, birds = entry
    targets: tuple[Target, ...] = (*seats, *birds, *birds)
    text = gravity_text(Actions(((bird, random.choice(targets)),)))
    return Goal(("m" + LETTERS[bird], "s" + text), lambda box: text[1:] in (box[0] or "")[1:].split(","))


def _guess(state: Gravity, offered: GuessOptions, random: Random, *, finder: bool) -> Guess | None:
    """Bold people know where a bird sits; others try, or think that they had better not."""
    if finder and Bird.RAVEN in offered.birds:
        return Guess(state.seats.index(Bird.RAVEN) + 1, Bird.RAVEN)
    chance = random.random() * max(1, state.board.period - 1)
    if finder or chance > 0.6 or not offered.birds:
        return None
    bird = Bird.RAVEN if chance < 0.15 else random.choice(offered.birds)
    seat = state.seats.index(bird) + 1 if chance < 0.45 else random.choice(offered.seats)
    return Guess(seat, bird)


def _guessed(guess: Guess | None) -> Wish:
    text = gravity_text(Pass() if guess is None else guess)
    path: tuple[str, ...] = ("mnone",) if guess is None else (f"m{guess.seat}", f"m{guess.seat}{LETTERS[guess.bird]}")
    return Wish((Goal((*path, "f" + text), lambda box: box == (text, True)),))


def dithered(first: Wish, then: Wish, random: Random) -> tuple[Goal, ...]:
    """Somebody changes their mind: seals, changes, perhaps locks in and takes that back, perhaps a play too."""
    if any(goal.public for goal in then.goals):
        return then.goals
    early = first.goals if random.random() < 0.5 else first.seals
    back = (WITHDRAW,) if first.is_play and random.random() < 0.3 else ()
    return (*early, UNLOCK, *back, *then.goals)
