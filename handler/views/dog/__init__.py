"""Dog's Judgement on the screen: views and facts in, messages out. Nothing in here ever sees a state."""

from __future__ import annotations

from typing import Final

from handler.frame import GameViews
from handler.views.dog.board import board, hosted, scene
from handler.views.dog.history import recall
from handler.views.dog.notes import notes
from handler.views.dog.panels import panel
from handler.views.dog.rules_pages import PAGES
from handler.views.dog.toasts import locked, refusal, sealed
from handler.views.dog.told import announce, opens, whisper

DOG: Final = GameViews(
    scene=scene,
    board=board,
    panel=panel,
    announce=announce,
    opens=opens,
    whisper=whisper,
    refusal=refusal,
    hosted=hosted,
    sealed=sealed,
    locked=locked,
    pages=PAGES,
    rules=lambda view: "dog",
    notes=notes,
    recall=recall,
)
