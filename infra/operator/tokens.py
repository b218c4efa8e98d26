"""A bot's token, as far as it can be judged without Telegram; and a word less about it in the log."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from infra import telegram

_FORM: Final = re.compile(r"[0-9]+:[A-Za-z0-9_-]+")


def is_token(text: str) -> bool:
    """Whether it looks like one: the bot's user id, a colon, and letters (Bot API, "Authorizing your bot")."""
    return _FORM.fullmatch(text) is not None


@contextmanager
def unlogged() -> Iterator[None]:
    """Keep what the client finds wrong with a token out of the log, for a program that says so in a sentence."""
    log = logging.getLogger(telegram.__name__)
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)
