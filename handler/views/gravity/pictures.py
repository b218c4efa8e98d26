"""The pictures of Gravity Pandemic: the ring of a round as its reader knows it, and the whole match in hindsight.

A ring changes only with what its reader is told: with each seat made known, and once when a night's draft is complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from markupsafe import Markup

from engine.game import Player
from engine.gravity.birds import BIRDS, DRAFTED, SEATS, Bird
from engine.gravity.birds import Seat as Place
from engine.gravity.draft import PLAYERS, drafted
from engine.gravity.facts import GuessTold, RevealTold
from engine.gravity.story import RoundStory, Story
from engine.gravity.view import View
from handler.frame import Frame
from handler.picture import Beat, Flock, GravityTale, Head, Illustration, Kind, Party, Perch, Ring, RoundTale, Seat
from handler.views.captions import Naming, fitting, house_sign, party
from handler.views.gravity.terms import ROLES, bird_name, points, rulebook
from handler.views.layout import isolated, lines, listed
from handler.words import plain, say

_MIDDLE: Final = len(SEATS) // 2
_TOLD_WRONG: Final = 8
"""Wrong guesses that a caption spells out."""


# --- the ring of a round --------------------------------------------------------------------------


def ring(frame: Frame, view: View) -> Illustration | None:
    """The ring of the round being played; None once the match is over, and where nobody is there to look at it."""
    board = view.board
    if board.stage == "over" or frame.brief:
        return None
    seats = tuple(_seat(view, seat) for seat in SEATS)
    complete = len(board.picks) == len(DRAFTED)
    head = Head(
        plain("pictures.gravity.game"),
        plain("gravity.place.round", round=board.round),
        plain("pictures.public") if view.viewer is None else plain("pictures.private"),
        own=view.viewer is not None,
    )
    drawing = Ring(
        head=head,
        seats=seats,
        legend=_legend(seats),
        draft=plain("pictures.gravity.draft", night=board.night) if complete else "",
        flocks=tuple(_flock(frame, view, player) for player in PLAYERS) if complete else (),
        house=house_sign(frame) if complete else "",
    )
    return Illustration(f"ring{board.round}", drawing, _ring_caption(frame, view, complete))


def _party(frame: Frame, player: Player) -> Party:
    return party(frame, player, plain(ROLES[player]), "")


def _flock(frame: Frame, view: View, player: Player) -> Flock:
    birds = tuple(bird_name(bird) for bird in drafted(view.board, player))
    return Flock(_party(frame, player), birds, mine=player == view.viewer)


def _told_seats(view: View) -> dict[Place, Bird]:
    """The seats that the viewer was told in private (rule 1)."""
    told = (fact for fact in view.told if isinstance(fact, RevealTold))
    return {fact.seat: fact.bird for fact in told if fact.seat is not None and fact.bird is not None}


def _wrong(view: View) -> tuple[tuple[Place, Bird], ...]:
    """The viewer's wrong guesses of this round, by seat and then in rulebook order, each once."""
    guesses = {
        (fact.guess.seat, fact.guess.bird)
        for fact in view.told
        if isinstance(fact, GuessTold) and fact.guess is not None and fact.delta < 0
    }
    return tuple(sorted(guesses, key=lambda guess: (guess[0], BIRDS.index(guess[1]))))


def _seat(view: View, seat: Place) -> Seat:
    public, private = dict(view.board.revealed), _told_seats(view)
    if seat in public:
        return Seat("all", bird_name(public[seat]))
    if seat in private:
        return Seat("me", bird_name(private[seat]))
    return Seat("no", "", tuple(bird_name(bird) for place, bird in _wrong(view) if place == seat))


def _legend(seats: tuple[Seat, ...]) -> tuple[tuple[Kind, str], ...]:
    """What the signs in the ring mean."""
    there: set[Kind] = {seat.known for seat in seats}
    if any(seat.not_here for seat in seats):
        there.add("not")
    kinds: tuple[tuple[Kind, str], ...] = (
        ("all", plain("pictures.gravity.legend.all")),
        ("me", plain("pictures.gravity.legend.me")),
        ("no", plain("pictures.gravity.legend.no")),
        ("not", plain("pictures.gravity.legend.not")),
    )
    return tuple(kind for kind in kinds if kind[0] in there)


def _ring_caption(frame: Frame, view: View, complete: bool) -> Markup:
    def caption(name: Naming) -> Markup:
        board, private = view.board, _told_seats(view)
        return lines(
            None if view.viewer is None else say("pictures.gravity.caption.whose", title=isolated(frame.title)),
            say("pictures.gravity.caption.ring", round=board.round),
            say("pictures.gravity.caption.known", birds=listed(_at(*each) for each in board.revealed))
            if board.revealed
            else say("pictures.gravity.caption.unknown"),
            say("pictures.gravity.caption.told", birds=listed(_at(*each) for each in sorted(private.items())))
            if private
            else None,
            _wrong_caption(_wrong(view)),
            *(_drafted_caption(view, player, name) for player in PLAYERS if complete),
        )

    return fitting((lambda: caption(_naming(frame)), lambda: caption(_role)))


def _at(seat: Place, bird: Bird) -> Markup:
    return say("gravity.bird.at", seat=seat, bird=bird_name(bird))


def _wrong_caption(wrong: tuple[tuple[Place, Bird], ...]) -> Markup | None:
    if not wrong:
        return None
    spelt = listed(_at(*each) for each in wrong[:_TOLD_WRONG])
    more = len(wrong) - _TOLD_WRONG
    if more <= 0:
        return say("pictures.gravity.caption.wrong", birds=spelt)
    return say("pictures.gravity.caption.wrong_more", birds=spelt, n=more)


def _drafted_caption(view: View, player: Player, name: Naming) -> Markup:
    birds = rulebook(drafted(view.board, player))
    return say("pictures.gravity.caption.drafted", night=view.board.night, name=name(player), birds=birds)


def _naming(frame: Frame) -> Naming:
    def name(player: Player) -> str:
        return plain("gravity.who.same", name=isolated(frame.names[player]), role=_role(player))

    return name


def _role(player: Player) -> str:
    return plain(ROLES[player])


# --- the whole match ------------------------------------------------------------------------------


def story(frame: Frame, tale: Story) -> Illustration | None:
    """The whole match in one picture, once it is over; None where only house players played."""
    if frame.brief:
        return None
    parties = (_party(frame, PLAYERS[0]), _party(frame, PLAYERS[1]))
    drawing = GravityTale(
        head=Head(plain("pictures.gravity.game"), plain("pictures.whole"), ""),
        verdict=plain("pictures.gravity.winner"),
        parties=parties,
        winner=tale.winner,
        finals=(points(tale.scores[0]), points(tale.scores[1])),
        rounds=tuple(_round(round_) for round_ in tale.rounds),
        beats=tuple(Beat(update.round, update.scores, update.outcomes) for update in tale.updates),
        chart=plain("pictures.gravity.chart"),
        legend=tuple(_signs(frame, tale)),
    )
    return Illustration("story", drawing, _story_caption(frame, tale))


def _round(tale: RoundStory) -> RoundTale:
    """The circle cut open opposite the Raven, so that the poison spreads from the middle."""
    nights = dict(tale.poisoned)
    raven = tale.seats.index(Bird.RAVEN)
    places = [(raven - _MIDDLE + step) % len(SEATS) for step in range(len(SEATS))]
    perches = tuple(
        Perch(
            seat=place + 1,
            bird=bird_name(bird),
            night=nights.get(bird),
            right=tuple(plain(ROLES[player]) for player, guessed in tale.guessed if guessed is bird),
            raven=bird is Bird.RAVEN,
            grounded=bird is Bird.PENGUIN,
        )
        for place in places
        for bird in (tale.seats[place],)
    )
    return RoundTale(plain("pictures.gravity.column", round=tale.round), perches, plain(_end(tale)))


def _end(tale: RoundStory) -> str:
    """How a round ended, as a key."""
    if tale.raven_found:
        return "pictures.gravity.end.found"
    return "pictures.gravity.end.hidden" if tale.whole else "pictures.gravity.end.cut"


def _signs(frame: Frame, tale: Story) -> Iterator[tuple[str, str]]:
    """The signs that occur, explained."""
    outcomes = {outcome for update in tale.updates for outcome in update.outcomes}
    yield "seat", plain("pictures.gravity.sign.seat")
    if any(round_.poisoned for round_ in tale.rounds):
        yield "poison", plain("pictures.gravity.sign.poison")
    yield "grounded", plain("pictures.gravity.sign.grounded")
    if "right" in outcomes:
        yield "right", plain("pictures.gravity.sign.right")
    if "raven" in outcomes:
        yield "raven", plain("pictures.gravity.sign.raven")
    if "wrong" in outcomes:
        yield "wrong", plain("pictures.gravity.sign.wrong")
    if "robin" in outcomes:
        yield "robin", plain("pictures.gravity.sign.robin")
    if house_sign(frame):
        yield "house", house_sign(frame)


def _story_caption(frame: Frame, tale: Story) -> Markup:
    def caption(name: Naming, poison: bool) -> Markup:
        finals = (
            say("pictures.gravity.caption.final", name=name(player), points=points(tale.scores[player]))
            for player in PLAYERS
        )
        return lines(
            say("pictures.gravity.caption.story", winner=name(tale.winner), finals=listed(finals)),
            *(_round_caption(round_, poison) for round_ in tale.rounds),
        )

    return fitting(
        (
            lambda: caption(_naming(frame), poison=True),
            lambda: caption(_naming(frame), poison=False),
            lambda: caption(_role, poison=False),
        )
    )


def _round_caption(tale: RoundStory, poison: bool) -> Markup:
    birds = ", ".join(bird_name(bird) for bird in tale.seats)
    seated = say("pictures.gravity.caption.seated", round=tale.round, birds=birds, end=plain(_end(tale)))
    if not poison or not tale.poisoned:
        return seated
    order = ", ".join(bird_name(bird) for bird, _ in tale.poisoned)
    return Markup(" ").join((seated, say("pictures.gravity.caption.poisoned", birds=order)))
