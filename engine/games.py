"""The games there are. A further game is a folder of its own and a line in this table."""

from __future__ import annotations

from typing import Any, Final

from engine.episode.rules import EPISODE
from engine.game import Game
from engine.gravity.rules import GRAVITY

GAMES: Final[dict[str, Game[Any, Any, Any]]] = {game.key: game for game in (GRAVITY, EPISODE)}
