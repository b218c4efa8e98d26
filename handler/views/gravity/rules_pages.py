"""The topics of Gravity Pandemic's rules, and which rulings stand under each."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from engine.gravity.birds import BIRDS
from handler.frame import RulesPage
from handler.views.gravity.terms import bird_name
from handler.views.layout import lines, paragraphs
from handler.words import say


def _birds() -> Markup:
    does = (say("rules.gravity.bird", bird=bird_name(bird), does=say(f"gravity.does.{bird.value}")) for bird in BIRDS)
    return paragraphs(lines(*does), say("notes.gravity.na"))


PAGES: Final = (
    RulesPage("play", extra=lambda: say("rules.gravity.close")),
    RulesPage("birds", extra=_birds),
    RulesPage("reveals", (1, 2, 3)),
    RulesPage("draft", (4, 5, 6)),
    RulesPage("actions", (7, 8, 9, 10)),
    RulesPage("night", (11, 12, 13, 14, 15)),
    RulesPage("guessing", (16, 17, 18, 19)),
    RulesPage("end", (20, 21, 22)),
)
