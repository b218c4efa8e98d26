"""What pictures show, as values: the views make them, infra draws them. Every word in them is worded already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

# --- what all pictures share ----------------------------------------------------------------------


@dataclass(frozen=True)
class Party:
    """A player in a picture: the short ``mark`` that stands for them everywhere (``EC``, ``3``), their display name,
    not escaped, and what is written ``instead`` of a name in letters that cannot be drawn (may be empty). ``house``: it
    is a house player, whom a sign marks as such.
    """

    mark: str
    name: str
    instead: str
    house: bool = False


@dataclass(frozen=True)
class Head:
    """What stands over every picture: which game this is, where in it we are, and who may know what it shows. ``own``:
    its reader alone.
    """

    game: str
    place: str
    note: str
    own: bool = False


# --- Gravity Pandemic -----------------------------------------------------------------------------

Known = Literal["no", "all", "me"]
"""Whether nobody the picture speaks to knows who sits in a seat, everybody does, or its reader alone."""

Kind = Literal["no", "all", "me", "not"]
"""What a ring's signs mean: how much is known of a seat, and that a bird was guessed there in vain."""


@dataclass(frozen=True)
class Seat:
    """One of the eleven seats, in order. ``bird`` is empty while unknown; ``not_here`` are birds that the reader has
    guessed there in vain.
    """

    known: Known
    bird: str
    not_here: tuple[str, ...] = ()


@dataclass(frozen=True)
class Flock:
    """The birds a player has drafted tonight; ``mine``: they are the reader's."""

    who: Party
    birds: tuple[str, ...]
    mine: bool


@dataclass(frozen=True)
class Ring:
    """The circle of seats, clockwise with seat 1 on top, and the draft once it is complete.

    ``legend`` says what the kinds of seats that there are mean; ``draft`` is the heading over the ``flocks``, both
    empty without a draft. ``house`` says what the sign of a house player means, empty where there is none.
    """

    head: Head
    seats: tuple[Seat, ...]
    legend: tuple[tuple[Kind, str], ...]
    draft: str
    flocks: tuple[Flock, ...]
    house: str = ""


@dataclass(frozen=True)
class Perch:
    """A seat of a finished round: its number and bird, the ``night`` in which the poison reached it (None: never), and
    the marks of the players who guessed it right. ``raven``: the Raven sits there; ``grounded``: the Penguin does.
    """

    seat: int
    bird: str
    night: int | None
    right: tuple[str, ...]
    raven: bool
    grounded: bool


@dataclass(frozen=True)
class RoundTale:
    """A round in hindsight: the circle unrolled, the Raven in the middle, clockwise downwards, and how it ended."""

    title: str
    perches: tuple[Perch, ...]
    end: str


@dataclass(frozen=True)
class Beat:
    """A scoring update: in which round (from 1), both scores after it in quarters, and what brought it: by player
    ``right``, ``wrong``, ``raven``, ``robin``, or an empty string for nothing.
    """

    round: int
    scores: tuple[int, int]
    events: tuple[str, str]


@dataclass(frozen=True)
class GravityTale:
    """A whole match of Gravity Pandemic. ``verdict`` says who won; ``finals`` are the scores as texts; ``legend``
    explains the signs by name: ``seat``, ``poison``, ``grounded``, ``right``, ``wrong``, ``raven``, ``robin``,
    ``house``.
    """

    head: Head
    verdict: str
    parties: tuple[Party, Party]
    winner: int
    finals: tuple[str, str]
    rounds: tuple[RoundTale, ...]
    beats: tuple[Beat, ...]
    chart: str
    legend: tuple[tuple[str, str], ...]


# --- Dog's Judgement ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tower:
    """The tower: its name, its level from 1 to ``top``, worded too, and what is above."""

    title: str
    level: int
    top: int
    caption: str
    above: str


@dataclass(frozen=True)
class EventTale:
    """A VP event: its name and letter, the Win Tokens on it and whether the Lose Token is there, in words too, which
    players (by place in the table) scored there last, and what it ``does`` where nobody could score yet.
    """

    title: str
    letter: str
    wins: int
    lose: bool
    tokens: str
    scorers: tuple[int, ...]
    scored: str
    does: str


@dataclass(frozen=True)
class Table:
    """The public table of Dog's Judgement. ``moved`` says which token moved last, empty before the first round;
    ``house`` what the sign of a house player means, empty where there is none.
    """

    head: Head
    tower: Tower
    events: tuple[EventTale, ...]
    moved: str
    parties: tuple[Party, ...]
    house: str = ""


@dataclass(frozen=True)
class Grid:
    """The VP of one event: by player in table order and by round, and each player's total. ``leaders`` won it."""

    event: EventTale
    points: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    leaders: tuple[int, ...]


@dataclass(frozen=True)
class Fate:
    """What the judgement made of a player: the Tokens of Life kept, and whether they are a candidate."""

    life: int
    candidate: bool


@dataclass(frozen=True)
class DogTale:
    """A whole match of Dog's Judgement, up to its judgement. By round: the tower's ``levels`` after it, whether the
    threshold was ``broken`` in it, and the token ``moves`` as kind, origin's and goal's letter (None: none).
    """

    head: Head
    parties: tuple[Party, ...]
    total: str
    rounds: str
    grids: tuple[Grid, ...]
    tower: str
    levels: tuple[int, ...]
    broken: tuple[bool, ...]
    movements: str
    moves: tuple[tuple[str, str, str] | None, ...]
    judgement: str
    fates: tuple[Fate, ...]
    verdict: str
    legend: tuple[tuple[str, str], ...]


Drawing = Ring | GravityTale | Table | DogTale
"""Equal drawings give equal pictures."""


@dataclass(frozen=True)
class Illustration:
    """A picture in a chat. ``scene`` is a short key: while it stays the same the message is edited, when it changes a
    new one is sent. ``caption`` says in words what is drawn (at most 1024 characters once parsed).
    """

    scene: str
    drawing: Drawing
    caption: Markup
