"""What pictures show, as values: the views make them, infra draws them. Every word in them is worded already."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True)
class Ring:
    """The circle of seats."""

    title: str


Drawing = Ring
"""Equal drawings give equal pictures."""


@dataclass(frozen=True)
class Illustration:
    """A picture in a chat. ``scene`` is a short key: while it stays the same the message is edited, when it changes a
    new one is sent. ``caption`` says in words what is drawn (at most 1024 characters once parsed).
    """

    scene: str
    drawing: Drawing
    caption: Markup
