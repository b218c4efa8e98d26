"""The host's calls on the screen: the menus, the questions and the buttons that carry them.

Every button says what shall be: which phase or pause it was drawn for, who sat in the seat, how much was added in all.
So a second press finds its work done, and one under an old message finds that things have changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from handler.buttons import MatchPress, write
from handler.message import Button, Message
from handler.views.layout import isolated, listed, paragraphs, rows
from handler.words import plain, say

CALLS: Final = "calls"
"""The act of the button that leads to the host's calls. It means the same as long as the match lasts."""


def calls_button(match: str) -> Button:
    """Under every board of a match in play, and under its later ones: it asks what the host wants."""
    return Button(plain("calls.button.calls"), data=write(MatchPress(match, CALLS)))


def menu(match: str, mark: str, *, paused: bool, turn: bool) -> Message:
    """The host's calls as buttons; ``turn``: it is one player's turn, for whom somebody else may pick."""

    def press(label: str, act: str, arg: str = "ask") -> tuple[Button, ...]:
        return (Button(label, data=write(MatchPress(match, act, arg))),)

    pause = press(plain("calls.button.pause"), "pause", mark)
    rows = (
        (resume_button(match, mark),) if paused else pause,
        press(plain("calls.button.longer"), "extend"),
        press(plain("calls.button.replace"), "replace"),
        *((press(plain("calls.button.pick"), "pick"),) if turn else ()),
        press(plain("calls.button.cancel"), "cancel"),
    )
    return Message(say("calls.menu"), rows)


def resume_button(match: str, mark: str) -> Button:
    """Under the board of a paused match; ``mark`` is which pause it ends."""
    return Button(plain("calls.button.resume"), data=write(MatchPress(match, "resume", mark)))


def take_button(match: str, seat: int, occupant: str, name: str) -> Button:
    """Under the board while a seat is free to take, and nowhere else: it goes with the seat."""
    label = plain("calls.button.take", name=isolated(name))
    return Button(label, data=write(MatchPress(match, "take", f"{seat}.{occupant}")))


def how_long(match: str, number: int, extended: int, choices: Sequence[int]) -> Message:
    """``/extend`` asks how many minutes; each button carries what is added to the phase in all."""
    buttons = [
        Button(
            plain("calls.button.extend", span=span(minutes)),
            data=write(MatchPress(match, "extend", f"{number}.{extended + minutes}")),
        )
        for minutes in choices
    ]
    return Message(say("calls.extend.ask"), rows(buttons, 2))


def span(minutes: int) -> str:
    """Minutes in words: ``5 min``, ``2 h 24 min``."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return plain("calls.span.minutes", minutes=rest)
    return plain("calls.span.both", hours=hours, minutes=rest) if rest else plain("calls.span.hours", hours=hours)


def whose_seat(match: str, seats: Sequence[tuple[int, str, str]]) -> Message:
    """``/replace`` asks whose seat, as (seat, occupant, name)."""
    buttons = [
        Button(isolated(name), data=write(MatchPress(match, "replace", f"{seat}.{occupant}")))
        for seat, occupant, name in seats
    ]
    return Message(say("calls.replace.whose"), rows(buttons, 2))


def by_whom(match: str, seat: int, occupant: str, name: str, *, leaving: bool) -> Message:
    """Who shall sit there instead; ``leaving``: it has been asked for or offered, which can be taken back."""

    def press(label: str, word: str) -> Button:
        return Button(label, data=write(MatchPress(match, "replace", f"{seat}.{occupant}.{word}")))

    house = () if occupant == "h" else ((press(plain("calls.button.house"), "house"),),)
    person = ((press(plain("calls.button.person"), "person"),),)
    keep = ((press(plain("calls.button.keep", name=isolated(name)), "keep"),),) if leaving else ()
    return Message(say("calls.replace.by_whom", name=isolated(name)), (*house, *person, *keep))


def ask_leaving(match: str, title: str, seat: int, occupant: str, name: str, by: str) -> Message:
    """The question to whoever is to be replaced, which only they can answer."""
    yes = Button(plain("calls.button.agree"), data=write(MatchPress(match, "agree", f"{seat}.{occupant}.{by}.yes")))
    no = Button(plain("calls.button.stay"), data=write(MatchPress(match, "agree", f"{seat}.{occupant}.{by}.no")))
    return Message(say(f"calls.consent.{by}", name=isolated(name), title=isolated(title)), ((yes, no),))


def is_asked(name: str) -> Message:
    """To whoever called: somebody has been asked whether they agree to leave."""
    return Message(say("calls.consent.asked", name=isolated(name)))


def given_away(title: str, name: str) -> Message:
    """To somebody whose seat another has now."""
    return Message(say("calls.replace.given_away", title=isolated(title), name=isolated(name)))


def panel_closed() -> Message:
    """What their panel says from then on."""
    return Message(say("calls.replace.panel_closed"))


def elsewhere(titles: Sequence[str]) -> Message:
    """To somebody who makes a call in private: where it belongs."""
    groups = listed(say("calls.elsewhere.group", title=isolated(title)) for title in titles)
    return Message(say("calls.elsewhere.send", groups=groups))


def is_paused(host: str) -> Message:
    """To somebody who asks for what has to wait until the match is resumed."""
    return Message(say("calls.pause.press", name=isolated(host)))


def waiting_for(board: Message, name: str | None) -> Message:
    """What is going on, and who the match waits for: whoever's turn it is (``name``); in a sealed phase that is
    nobody's to know.
    """
    line: Markup = say("calls.waiting.sealed") if name is None else say("calls.waiting.turn", name=isolated(name))
    return Message(paragraphs(board.text, line), board.keyboard)


def with_board(status: Message, link: str | None) -> Message:
    """The same with the way to the board, where there is one (None: only supergroups have links)."""
    if link is None:
        return status
    return Message(status.text, ((Button(plain("calls.button.board"), url=link),), *status.keyboard))
