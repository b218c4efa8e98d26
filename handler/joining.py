"""A press that asks for a seat, and what it is answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from handler import people
from handler.replies import toast
from handler.table import Ports
from handler.telling import settle
from handler.updates import Pressed
from handler.views import talk
from handler.words import plain

JOINED: Final[Mapping[people.Joined, str]] = {
    "seated": "lobby.toast.seated",
    "already": "lobby.toast.already",
    "full": "lobby.toast.full",
    "begun": "lobby.toast.begun",
    "unwritten": "lobby.toast.unwritten",
    "gone": "table.toast.gone",
}


def join(ports: Ports, pressed: Pressed, id: str) -> None:
    """Seat the presser in a lobby, or lead them to the private chat where the bot cannot write to them yet."""
    joined, outcomes = people.ask_for_seat(ports, id, pressed.who)
    if joined == "unreachable":
        toast(ports, pressed, url=talk.deep_link(ports.telegram.me().username, f"join-{id}"))
    else:
        toast(ports, pressed, plain(JOINED[joined]), alert=joined == "unwritten")
    for outcome in outcomes:
        settle(ports, outcome)
