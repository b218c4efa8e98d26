"""The rules pages: one a topic, each ruling under its number (``/rules`` and the button on every lobby card)."""

from __future__ import annotations

from handler.buttons import PlainPress, write
from handler.message import Button, Message
from handler.views import VIEWS
from handler.views.layout import paragraphs, rows
from handler.words import plain, say


def page(game: str, topic: str) -> Message:
    """A page of a game's rules with buttons to its others, and to the rules of the other games: the first page for
    whoever asks for no topic or for one there is not. KeyError for a game that is not played here.
    """
    pages = VIEWS[game].pages
    shown = next((page for page in pages if page.topic == topic), pages[0])
    text = paragraphs(
        say(f"rules.{game}.page.{shown.topic}"),
        shown.extra(),
        *(say("rules.ruling", number=number, text=say(f"rules.{game}.ruling.{number}")) for number in shown.rulings),
    )
    tabs = [
        Button(plain(f"rules.{game}.tab.{page.topic}"), data=write(PlainPress("rules", f"{game}.{page.topic}")))
        for page in pages
        if page != shown
    ]
    elsewhere = [
        (Button(plain("rules.other", game=plain(f"lobby.name.{other}")), data=write(PlainPress("rules", f"{other}."))),)
        for other in VIEWS
        if other != game
    ]
    return Message(text, (*rows(tabs, 2), *elsewhere))
