"""How late phases close, and whether that is within what was promised; the table of ``docs/timers.md``."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tests.aws.cloud import Seen
from tests.aws.silence import Close

LENGTHS: Final = (60, 120, 600)

Loss = Literal["nothing", "one way", "both ways"]
LOSSES: Final[tuple[Loss, ...]] = ("nothing", "one way", "both ways")

USUAL, WORST, SWEPT = 2.0, 6.0, 65.0
"""Seconds after the deadline within which 99 of 100 phases close; all of them; those whose timers were both lost."""

IN_TIME: Final = 1.5
"""A nudge that comes no earlier than so many seconds before its time is waited out where it came."""


@dataclass(frozen=True)
class Timed:
    """A close, and which of the two ways to it was broken."""

    close: Close
    lost: Loss


def timed(closes: Iterable[Close], seen: Iterable[Seen]) -> list[Timed]:
    """The phases of the lengths in the table, each with what was lost of its nudges.

    Both ways are broken where more than one thing was lost and nothing came about the deadline (a second copy may come
    long after it). A way along which all came and which led nowhere is the bot's own fault, and no excuse.
    """
    nudges: defaultdict[tuple[str, float], list[Seen]] = defaultdict(list)
    for each in seen:
        nudge = json.loads(each.body)
        nudges[nudge["match"], nudge["at"]].append(each)

    def lost(close: Close) -> Loss:
        of_close = nudges[close.match, close.deadline]
        broken = sum(each.what != "came" for each in of_close)
        came = any(each.what == "came" and -IN_TIME <= each.time - close.deadline <= WORST for each in of_close)
        return "nothing" if broken == 0 else "both ways" if broken > 1 and not came else "one way"

    return [Timed(close, lost(close)) for close in closes if close.length in LENGTHS]


def by_loss(phases: Iterable[Timed]) -> Mapping[Loss, Sequence[float]]:
    """Seconds late, in order, of the phases of each kind."""
    late: dict[Loss, list[float]] = {loss: [] for loss in LOSSES}
    for phase in phases:
        late[phase.lost].append(phase.close.late)
    return {loss: sorted(seconds) for loss, seconds in late.items()}


def breaches(phases: Sequence[Timed]) -> list[str]:
    """What was promised and not kept."""
    found = [f"closed before its deadline: {phase.close}" for phase in phases if phase.close.late < 0]
    late = by_loss(phases)
    with_timer = [*late["nothing"], *late["one way"]]
    slow = sum(seconds > USUAL for seconds in with_timer)
    if slow * 100 > len(with_timer):
        found.append(f"{slow} of {len(with_timer)} phases closed more than {USUAL:g} s late")
    found += [f"closed {seconds:.1f} s late with a timer" for seconds in with_timer if seconds > WORST]
    found += [f"closed {seconds:.1f} s late by the sweep" for seconds in late["both ways"] if seconds > SWEPT]
    return found


def table(phases: Sequence[Timed]) -> str:
    """The table in Markdown."""
    rows = ["| Phase | Lost on the way | Phases | Half within | 99 of 100 within | All within |"]
    rows.append("|---|---|---|---|---|---|")
    for length in LENGTHS:
        for loss, late in by_loss(phase for phase in phases if phase.close.length == length).items():
            shares = " | ".join(f"{late[-(-len(late) * share // 100) - 1]:.1f} s" for share in (50, 99, 100))
            rows.append(f"| {length} s | {loss} | {len(late)} | {shares} |")
    return "\n".join(rows)
