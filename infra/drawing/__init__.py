"""Pictures as PNGs. Pillow is loaded with the first of them, so that what never draws starts as quickly as without."""

from __future__ import annotations

from handler.picture import Drawing


def draw(drawing: Drawing) -> bytes:
    """A :class:`handler.ports.Draw`. Equal drawings give equal bytes."""
    from infra.drawing.pictures import png  # noqa: PLC0415 - it brings Pillow

    return png(drawing)
