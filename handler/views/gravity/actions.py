"""The choice of a night's actions: the player's five birds, each with its target, and one lock (rules 7 to 10)."""

from __future__ import annotations

from markupsafe import Markup

from engine.gravity.birds import LETTERS, Bird, Seat
from engine.gravity.draft import drafted
from engine.gravity.moves import Actions, Move, Target
from engine.gravity.notation import write as notation
from engine.gravity.targets import SENT
from engine.gravity.view import ActionOptions, View
from handler.buttons import Verb
from handler.frame import Frame
from handler.message import Button
from handler.views.gravity.choice import Choice
from handler.views.gravity.terms import bird_name, sent
from handler.views.layout import lines, paragraphs, press, rows
from handler.words import plain, say

Entry = tuple[Bird, tuple[Seat, ...], tuple[Bird, ...]]


def _targets(sealed: Move | None) -> dict[Bird, Target | None]:
    return dict(sealed.targets) if isinstance(sealed, Actions) else {}


def made(view: View, sealed: Move | None) -> Markup:
    """Each of the player's birds with what it will do as things stand."""
    targets = _targets(sealed)
    mine = () if view.viewer is None else drafted(view.board, view.viewer)
    return lines(
        say("gravity.actions.yours"),
        *(
            say(
                "gravity.actions.line",
                text=sent(bird, targets.get(bird))
                if bird in SENT
                else plain("gravity.bird.itself", bird=bird_name(bird)),
            )
            for bird in mine
        ),
    )


def choice(frame: Frame, view: View, offered: ActionOptions, sealed: Move | None, menu: str) -> Choice:
    """All birds, or one bird's menu. The menu's place is the bird's letter; anything else is the top."""
    for entry in offered.birds:
        if menu == LETTERS[entry[0]]:
            return _menu(frame, entry, _targets(sealed).get(entry[0]))
    targets = _targets(sealed)
    birds = [
        press(
            frame,
            Verb.MENU,
            LETTERS[bird],
            bird_name(bird) if targets.get(bird) is None else sent(bird, targets[bird]),
        )
        for bird, _, _ in offered.birds
    ]
    # An empty order laid over what is sealed changes nothing, so it also locks in a player who sends nobody.
    lock = press(frame, Verb.FINAL, notation(Actions()), plain("gravity.panel.lock"))
    text = paragraphs(say("gravity.actions.ask"), made(view, sealed), say("gravity.actions.counts"))
    return Choice(text, (*rows(birds, 2), (lock,)))


def _menu(frame: Frame, entry: Entry, now: Target | None) -> Choice:
    bird, seats, birds = entry

    def send(target: Target | None, label: str) -> Button:
        return press(frame, Verb.SEAL, notation(Actions(((bird, target),))), label, ticked=target == now)

    text = paragraphs(
        lines(
            say("gravity.actions.menu", bird=bird_name(bird), does=say(f"gravity.does.{bird.value}")),
            say("gravity.actions.menu_now", text=sent(bird, now)),
        ),
        say(_asked(seats, birds)),
    )
    keyboard = (
        *rows([send(seat, str(seat)) for seat in seats], 4),
        *rows([send(target, bird_name(target)) for target in birds], 3),
        (
            press(frame, Verb.MENU, "", plain("gravity.panel.back")),
            send(None, plain("gravity.actions.home")),
        ),
    )
    return Choice(text, keyboard)


def _asked(seats: tuple[Seat, ...], birds: tuple[Bird, ...]) -> str:
    if seats and birds:
        return "gravity.actions.seats_and_birds"
    return "gravity.actions.seats" if seats else "gravity.actions.birds"
