"""Every kind of drawing as a PNG."""

from __future__ import annotations

from handler.picture import DogTale, Drawing, GravityTale, Ring, Table
from infra.drawing.dog_tale import dog_tale
from infra.drawing.gravity_tale import gravity_tale
from infra.drawing.ring import ring
from infra.drawing.table import table


def png(drawing: Drawing) -> bytes:
    """A PNG."""
    match drawing:
        case Ring():
            return ring(drawing)
        case Table():
            return table(drawing)
        case GravityTale():
            return gravity_tale(drawing)
        case DogTale():
            return dog_tale(drawing)
