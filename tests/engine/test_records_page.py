"""What ``docs/records.md`` shows is what the programs do."""

from __future__ import annotations

import json
import re
from typing import Any

from engine.adjudicator import KINDS, adjudicate
from engine.archives import FORMAT
from engine.chance import commitment
from engine.documents import failure, replay
from engine.gravity.birds import BIRDS
from engine.gravity.rules import seating
from engine.reading import Fault
from tests.shared import ROOT

PAGE = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
BLOCKS = [(kind, json.loads(text)) for kind, text in re.findall(r"```json (\w+)\n(.*?)```", PAGE, re.DOTALL)]


def pairs(*kinds: str) -> list[tuple[Any, Any]]:
    """Each block of these kinds with the block after it."""
    return [(value, BLOCKS[place + 1][1]) for place, (kind, value) in enumerate(BLOCKS) if kind in kinds]


def test_questions_are_answered_as_shown() -> None:
    shown = pairs("question")
    assert {question["kind"] for question, _ in shown} == set(KINDS)
    for question, answer in shown:
        ((text, judged),) = adjudicate([json.dumps(question).encode()])
        assert json.loads(text) == answer
        assert judged == ("error" not in answer)


def test_records_are_replayed_as_shown() -> None:
    shown = pairs("record", "broken")
    assert [outcome["ok"] for _, outcome in shown] == [True, False]
    for document, outcome in shown:
        try:
            result = replay(document)
        except Fault as fault:
            result = failure(fault)
        assert result == outcome


def test_the_deal_is_as_shown() -> None:
    seed = bytes(range(32))
    ((_, deal),) = [block for block in BLOCKS if block[0] == "deal"]
    assert list(seating(seed, 1)) == deal
    assert commitment(seed) in PAGE


def test_every_word_of_the_format_is_on_the_page() -> None:
    for word in (FORMAT, *KINDS, *BIRDS, "gravity/round/<r>", "house/<player>/<step>"):
        assert f"{word}" in PAGE, word
