"""The lobby's card, and what a press on it answers."""

from __future__ import annotations

from markupsafe import Markup

from handler.buttons import MatchPress, PlainPress, write
from handler.frame import Card
from handler.message import Button, Message
from handler.views.layout import isolated, lines, moment, paragraphs, rows
from handler.words import plain, say


def house_name(name: str) -> str:
    """A house player's name, which says what it is."""
    return plain("lobby.house", name=name)


def asking(name: str, game: str, title: str) -> Message:
    """To somebody who pressed Join: the message that proves that the bot can write to them."""
    game_name = plain(f"lobby.name.{game}")
    return Message(say("lobby.private.asking", name=isolated(name), game=game_name, title=isolated(title)))


def seated(game: str, title: str) -> Message:
    """To somebody who came by the deep link and now has a seat."""
    return Message(say("lobby.private.seated", game=plain(f"lobby.name.{game}"), title=isolated(title)))


def all_taken(title: str) -> Message:
    """To somebody who came by the deep link too late."""
    return Message(say("lobby.private.full", title=isolated(title)))


def card(lobby: Card) -> Message:
    """The open lobby with its buttons."""
    free = lobby.names.count(None)
    waiting = say("lobby.waiting_alone") if lobby.private else say("lobby.waiting", n=free)
    full = say("lobby.full_alone") if lobby.private else say("lobby.full", host=isolated(lobby.host))
    state = waiting if free else full
    ends = None if lobby.deadline is None else say("lobby.card.expires", moment=moment(lobby.deadline))
    again = say("after.card.again") if free and any(lobby.kept) and not lobby.private else None
    text = paragraphs(_head(lobby), _seats(lobby), lines(_settings(lobby), state, again, ends))
    return Message(text, _buttons(lobby))


def started(lobby: Card) -> Message:
    """What stays of the card once the match has begun."""
    begun = lines(_settings(lobby), say("lobby.card.started"))
    return Message(paragraphs(_head(lobby), _seats(lobby), begun))


def closed(lobby: Card) -> Message:
    """What stays of the card of a lobby that was closed."""
    return Message(_head(lobby))


def _head(lobby: Card) -> Markup:
    return lines(
        say("lobby.card.head", game=plain(f"lobby.name.{lobby.game}")),
        say(f"lobby.line.{lobby.game}.text"),
    )


def _seats(lobby: Card) -> Markup:
    host = say("lobby.card.host", name=isolated(lobby.host))
    kept = lobby.kept or (None,) * len(lobby.names)
    named = enumerate(zip(lobby.names, kept, strict=True))
    return lines(host, *(_seat(lobby.game, seat, name, waits) for seat, (name, waits) in named))


def _seat(game: str, seat: int, name: str | None, kept: str | None) -> Markup:
    free = say("lobby.free") if kept is None else say("after.card.kept", name=isolated(kept))
    shown = free if name is None else isolated(name)
    return say("lobby.card.seat", role=say(f"lobby.role.{game}.{seat}"), name=shown)


def _settings(lobby: Card) -> Markup:
    """Every setting in force."""
    after = None if lobby.declined is None else say(f"lobby.after.{lobby.game}.{'no' if lobby.declined else 'yes'}")
    return lines(say(f"lobby.pace.{lobby.pace}"), after)


def _pace(pace: str, *, chosen: bool) -> str:
    label = plain(f"lobby.button.pace.{pace}")
    return plain("lobby.button.chosen", label=label) if chosen else label


def _told_apart(lobby: Card, seat: int, name: str) -> str:
    """A name on a button; with the seat, where another bears it too. On the card it stands beside its seat anyway."""
    shown = isolated(name)
    if [other is not None and isolated(other) == shown for other in lobby.names].count(True) == 1:
        return shown
    return plain("lobby.button.same", name=shown, role=plain(f"lobby.role.{lobby.game}.{seat}"))


def _buttons(lobby: Card) -> tuple[tuple[Button, ...], ...]:
    def press(label: str, act: str, arg: str = "") -> Button:
        return Button(label, data=write(MatchPress(lobby.match, act, arg)))

    seats = list(enumerate(zip(lobby.names, lobby.occupants, strict=True)))
    free = [str(seat) for seat, (name, _) in seats if name is None]
    join = [press(plain("lobby.button.join"), "join"), press(plain("lobby.button.leave"), "leave")]
    house = [press(plain("lobby.button.house"), "house", free[0])] if free else []
    fill = [press(plain("lobby.button.fill"), "house", ",".join(free))] if len(free) > 1 and len(seats) > 2 else []
    paces = [press(_pace(pace, chosen=pace == lobby.pace), "pace", pace) for pace in lobby.paces]
    other = "yes" if lobby.declined else "no"
    after = [] if lobby.declined is None else [press(plain(f"lobby.button.after.{lobby.game}.{other}"), "after", other)]
    swap = [press(plain("lobby.button.swap"), "first", lobby.occupants[1])] if len(seats) == 2 else []
    remove = [
        press(plain("lobby.button.remove", name=_told_apart(lobby, seat, name)), "unseat", f"{seat}.{occupant}")
        for seat, (name, occupant) in seats
        if name is not None
    ]
    start = [] if free else [press(plain("lobby.button.start"), "start")]
    about = [
        Button(plain("lobby.button.rules"), data=write(PlainPress("rulebook", f"{lobby.game}.play"))),
        press(plain("lobby.button.close"), "cancel", "ask"),
    ]
    keyboard = [
        start,
        [] if lobby.private else join,
        house,
        fill,
        paces,
        after,
        swap,
        *rows(remove, 2),
        about,
    ]
    return tuple(tuple(row) for row in keyboard if row)
