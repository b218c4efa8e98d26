"""The screens: pure functions from views and facts to messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from handler.frame import GameViews
from handler.views.episode import EPISODE
from handler.views.gravity import GRAVITY

VIEWS: Final[Mapping[str, GameViews]] = {"gravity": GRAVITY, "dog": EPISODE}
"""How each game is shown, by the game's key."""
