"""Who was in a group when, and who ran it: what Telegram knows whenever it is asked."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from typing import Final

from tests.simulation.trace import Happened, Trace

SLACK: Final = 10.0
"""Seconds for which an answer of Telegram's may be old when what follows from it is stored."""
BOT: Final = 0
RULING: Final = ("creator", "administrator")

_CHANGES: Final = {"joined": True, "left": False, "bot added": True, "bot removed": False}


class Presence:
    """Each person's comings and goings by group, and the bot's (user 0)."""

    def __init__(self, trace: Trace) -> None:
        self._there: dict[tuple[int, int], list[tuple[float, bool]]] = defaultdict(list)
        self._rules: dict[tuple[int, int], list[tuple[float, bool]]] = defaultdict(list)
        for each in trace.of(Happened):
            if each.chat is None or each.user is None:
                continue
            if each.what in _CHANGES:
                who = BOT if each.what.startswith("bot") else each.user
                self._there[each.chat, who].append((each.at, _CHANGES[each.what]))
            if each.what == "bot added":
                self._rules[each.chat, each.user].append((each.at, True))
            elif each.what == "promoted":
                self._rules[each.chat, each.user].append((each.at, each.text in RULING))
            elif each.what == "migrated" and each.number is not None:
                for known in (self._there, self._rules):
                    known.update(
                        {
                            (each.number, user): [*changes]
                            for (chat, user), changes in known.items()
                            if chat == each.chat
                        }
                    )

    def is_out(self, chat: int, user: int, at: float) -> bool:
        """Whether somebody was out of a group shortly before ``at``, having been in it."""
        return False in _recent(self._there.get((chat, user), []), at)

    def rules(self, chat: int, user: int, at: float) -> bool:
        """Whether somebody was an administrator shortly before ``at``. Whoever adds the bot is one."""
        return True in _recent(self._rules.get((chat, user), []), at)


def _recent(changes: list[tuple[float, bool]], at: float) -> list[bool]:
    """The states from SLACK seconds before ``at`` on."""
    first = bisect([time for time, _ in changes], at - SLACK)
    return [state for time, state in changes[max(0, first - 1) :] if time <= at]
