"""What the judge says of records and their files."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.simulation.calm import duel, evening
from tests.simulation.edits import edited, with_events
from tests.simulation.judge.record import check
from tests.simulation.trace import Call, Happened, Stored, Struck, Trace


def with_file(trace: Trace, change: Callable[[Any], None]) -> Trace:
    """The trace with another file in the place of the one that was sent."""
    other = with_events(trace, trace.events)
    [(message, content)] = trace.files.items()
    document = json.loads(content)
    change(document)
    other.files[message] = json.dumps(document).encode()
    return other


def main(document: Any) -> Any:
    """The match, or the main match of an episode."""
    return document.get("main", document)


@pytest.mark.parametrize("trace", [duel(), evening()])
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda d: main(d).update(seed="0" * 64), "of no match that was stored"),
        (lambda d: main(d)["names"].update(p1="Mallory"), "by a name that nobody had"),
        (lambda d: main(d).update(cancelled="no"), "not the match that was stored"),
        (lambda d: d.clear(), "is no record"),
    ],
)
def test_a_file_that_is_wrong(trace: Trace, change: Callable[[Any], None], why: str) -> None:
    """A file is the match as it is stored, and readable."""
    assert not list(check(trace))
    assert any(why in offence.why for offence in check(with_file(trace, change)))


def test_a_commitment_that_was_never_told() -> None:
    """The group has to know what to verify against."""
    silent = edited(duel(), Call, lambda c: [replace(c, text="")] if c.method == "sendMessage" else [c])
    [offence] = check(silent)
    assert "was never told" in offence.why


def test_no_file() -> None:
    """Whoever played is owed the record, unless the bot cannot write there."""
    trace = duel()
    without = edited(trace, Call, lambda call: [] if call.method == "sendDocument" else [call])
    [offence] = check(without)
    assert "no file was sent" in offence.why
    chat = next(iter(trace.latest.values())).chat
    assert not list(check(with_events(without, [*without.events, Happened(0.0, "bot removed", chat)])))


def test_two_files() -> None:
    """A second one has to have a reason."""
    trace = duel()
    twice = edited(trace, Call, lambda call: [call, call] if call.method == "sendDocument" else [call])
    [offence] = check(twice)
    assert "sent again" in offence.why
    sent = next(call for call in trace.of(Call) if call.method == "sendDocument")
    assert not list(check(with_events(twice, [*twice.events, Struck(sent.at - 1, "store lost after")])))


def test_a_record_that_does_not_replay() -> None:
    """The rules admit every step."""

    def other(write: Stored) -> list[Stored]:
        steps = write.after.steps
        return [replace(write, after=replace(write.after, steps=({0: "g1h"}, *steps[1:]) if steps else ()))]

    assert any("does not replay" in offence.why for offence in check(edited(duel(), Stored, other)))


def test_a_match_by_other_rules() -> None:
    """A match is begun under the rules that are played."""
    other = edited(
        duel(), Stored, lambda w: [replace(w, after=replace(w.after, rules=99 if w.after.seed is not None else None))]
    )
    offences = list(check(other))
    assert any("it does not start: UnknownRules" in offence.why for offence in offences)
