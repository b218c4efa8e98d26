"""What a phase of Gravity Pandemic puts under the head of a panel."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from handler.message import Keyboard


@dataclass(frozen=True)
class Choice:
    """The question, or what was locked in, and its buttons."""

    text: Markup
    keyboard: Keyboard
