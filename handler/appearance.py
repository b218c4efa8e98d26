"""How the bot shows itself in Telegram, before anybody has said a word: menus, description, profile."""

from __future__ import annotations

from typing import Final

from engine.games import GAMES
from handler.views import menus
from handler.words import DEFAULT, LANGUAGES, plain, speaking
from infra.operator.bot import Appearance

CODES: Final = {language: "" if language == DEFAULT else language for language in LANGUAGES}
"""The language_code under which Telegram keeps the words of a language; those without one are for everybody else."""


def appearances() -> tuple[Appearance, ...]:
    """One for each language that the bot speaks."""
    return tuple(_in(language) for language in LANGUAGES)


def _in(language: str) -> Appearance:
    with speaking(language):
        return Appearance(
            language=CODES[language],
            menus={audience: menus.menu(audience, tuple(GAMES)) for audience in menus.AUDIENCES},
            description=plain("settings.bot.description"),
            short=plain("settings.bot.short"),
        )
