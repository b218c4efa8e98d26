"""What people are called: each by a plain word, some with everything around it that a name can do harm with."""

from __future__ import annotations

from random import Random
from typing import Final

SEATED: Final = ("Ada", "Bruno", "Cleo", "Dora", "Emil", "Fritz", "Gina")
"""Those who play, by the order in which they come."""
OWNER: Final = "Olga"
"""Whoever made the group, and runs it."""
ONLOOKER: Final = "Zeno"
"""Somebody in the group who has no part in anything."""
NEWCOMERS: Final = ("Xaver", "Ylva")
"""Those who come to take a seat over."""

LONGEST: Final = 64
"""Code points of a first name in Telegram."""

HOSTILE: Final = (
    "<b>~</b>",
    "</i>~<i>",
    '<a href="tg://user?id=1">~',
    "&lt;~&gt;",
    "&amp~;",
    "\"~'",
    "\u202e~",
    "\u2067~\u2069\u2069\u2069",
    "\u2069~",
    "~\u0336\u0489\u0336\u0489\u0336\u0489\u0336\u0489\u0336\u0489",
    "\u200b~\u200d\ufeff",
    "\u00ad\u2060~",
    "🦅~👨\u200d👩\u200d👧",
    "~ שלום",
    "~ " + "W" * LONGEST,
    "~\nRaven",
    "~\n\n\n/resign",
    "~{name}",
    "{~}",
    "%s~%(name)s",
    "~ @here",
    "/cancel ~",
    "Raven ~",
    "Charge Tower ~",
    "~ (house player)",
    "~ 9: Lark, Parrot",
    "_~_ *~* `~`",
    "\\~\\n",
    "\x00~\x07",
    "-~:0:l",
)
"""Names, with a tilde where the word belongs: near the front, for long names are shown shortened."""


def hostile(word: str, random: Random) -> str:
    """A name that holds the word, and whatever may break a screen."""
    return random.choice(HOSTILE).replace("~", word)[:LONGEST]
