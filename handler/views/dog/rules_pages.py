"""The topics of Dog's Judgement's rules, and which rulings stand under each."""

from __future__ import annotations

from typing import Final

from handler.frame import RulesPage
from handler.words import say

PAGES: Final = (
    RulesPage("play", extra=lambda: say("rules.dog.close")),
    RulesPage("round", (1, 2, 3, 4)),
    RulesPage("events", (5, 6, 7, 8, 9)),
    RulesPage("judgement", (10, 11, 12, 13, 14)),
    RulesPage("after", (15, 16)),
)
