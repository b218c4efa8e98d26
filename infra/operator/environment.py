"""What the programs that the operator's programs start are told of the environment."""

from __future__ import annotations

import os
from typing import Final

SECRET: Final = frozenset({"TELEGRAM_TOKEN", "MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS"})
"""Variables that hold the token or may: in make's own stands whatever followed ``make deploy``."""


def without_secrets() -> dict[str, str]:
    """The environment, but for what is none of SAM's or pip's business."""
    return {name: value for name, value in os.environ.items() if name not in SECRET}
