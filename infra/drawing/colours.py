"""The colours of the pictures: their own dark ground, so that they read the same in a light and a dark chat.

Nothing is told by colour alone. Letters have a contrast of at least 5.5:1 to what is behind them; WCAG 2.2 (1.4.3) asks
for 4.5:1, and for 3:1 where they are as large as these.
"""

from __future__ import annotations

from typing import Final

Colour = tuple[int, int, int]

GROUND: Final[Colour] = (17, 19, 30)
PANEL: Final[Colour] = (29, 33, 50)
RAISED: Final[Colour] = (42, 48, 70)
LINE: Final[Colour] = (82, 91, 122)
TEXT: Final[Colour] = (245, 239, 226)
DIM: Final[Colour] = (178, 184, 205)
GOLD: Final[Colour] = (244, 190, 84)
TEAL: Final[Colour] = (120, 218, 203)
RED: Final[Colour] = (255, 146, 130)
BLOOD: Final[Colour] = (92, 30, 40)
INK: Final[Colour] = (24, 20, 14)
