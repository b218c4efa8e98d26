"""Gravity Pandemic on the screen: views and facts in, messages out. Nothing in here ever sees a state."""

from __future__ import annotations

from typing import Final

from handler.frame import GameViews
from handler.views.gravity.board import board, hosted, scene
from handler.views.gravity.history import recall
from handler.views.gravity.notes import notes
from handler.views.gravity.panels import panel
from handler.views.gravity.rules_pages import PAGES
from handler.views.gravity.toasts import locked, refusal, sealed
from handler.views.gravity.told import announce, opens, whisper

GRAVITY: Final = GameViews(
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
    rules=lambda view: "gravity",
    notes=notes,
    recall=recall,
)
