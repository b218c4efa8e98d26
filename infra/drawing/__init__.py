"""Pictures as PNGs. Pillow is loaded with the first of them, so that what never draws starts as quickly as without."""

from __future__ import annotations

from handler.picture import Drawing


def draw(drawing: Drawing) -> bytes:
    """A :class:`handler.ports.Draw`."""
    from io import BytesIO  # noqa: PLC0415 - loaded with the first picture

    from PIL import Image  # noqa: PLC0415

    file = BytesIO()
    Image.new("RGB", (8, 8)).save(file, "PNG", title=drawing.title)
    return file.getvalue()
