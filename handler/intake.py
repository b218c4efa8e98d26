"""One update taken in, from the webhook or by long polling: done, or to be brought again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from handler.logs import kind
from handler.measures import measure
from handler.ports import NotSent, StoreUnavailable, TelegramError, TooFast, Uncertain
from handler.replies import Edit
from handler.table import Busy
from handler.updates import BadUpdate

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Taken:
    """What came of an update. Not ``done`` only where bringing it again can help; ``edit`` is left to whoever brought
    it.
    """

    done: bool
    edit: Edit | None = None


def take(handle: Callable[[Any], Edit | None], update: Any) -> Taken:
    """Have an update handled, whatever comes of it."""
    number = update.get("update_id") if isinstance(update, dict) else None
    # What is no id stays out of the log: it can be as long as the whole update.
    about = {"update": number if type(number) is int and abs(number) < 2**63 else None}
    try:
        return Taken(True, handle(update))
    except BadUpdate as error:
        log.warning("not an update", extra={**about, "error": str(error)})
    except (Busy, StoreUnavailable, NotSent, Uncertain, TooFast) as error:
        if isinstance(error, TelegramError):
            measure("ApiErrors")
        log.warning("an update is to be brought again", extra={**about, **kind(error)})
        return Taken(False)
    except Exception as error:
        # A fault of ours, or a StoreRefused: a repeat would only repeat it. It is acknowledged, or it would block this
        # chat's queue for a day.
        log.exception("an update failed", extra={**about, **kind(error)})
    return Taken(True)
