"""What ``docs/records.md`` shows is what the programs do."""

from __future__ import annotations

import json
import re
from typing import Any

from engine.adjudicator import KINDS, adjudicate
from engine.archives import ARCHIVES, FORMAT
from engine.chance import commitment, draws
from engine.documents import failure, replay
from engine.dog.events import Event
from engine.episode.document import FORMAT as EPISODE_FORMAT
from engine.episode.rules import death_seed
from engine.gravity.birds import BIRDS
from engine.gravity.rules import seating
from engine.reading import Fault
from tests.shared import ROOT

PAGE = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
BLOCKS = [(kind, json.loads(text)) for kind, text in re.findall(r"```json (\w+)\n(.*?)```", PAGE, re.DOTALL)]
SEED = bytes(range(32))


def pairs(*kinds: str) -> list[tuple[Any, tuple[str, Any]]]:
    """Each block of these kinds with the block after it."""
    return [(value, BLOCKS[place + 1]) for place, (kind, value) in enumerate(BLOCKS) if kind in kinds]


def only(kind: str) -> Any:
    """The one block of a kind."""
    ((_, value),) = [block for block in BLOCKS if block[0] == kind]
    return value


def test_questions_are_answered_as_shown() -> None:
    shown = pairs("question")
    assert {question["kind"] for question, _ in shown} == set(KINDS)
    for question, (_, answer) in shown:
        ((text, judged),) = adjudicate([json.dumps(question).encode()])
        assert json.loads(text) == answer
        assert judged == ("error" not in answer)


def test_records_are_replayed_as_shown() -> None:
    kinds = set()
    for document, (shown_as, outcome) in pairs("record", "broken"):
        kinds.add((document["format"], document.get("game"), outcome["ok"]))
        try:
            result = replay(document)
        except Fault as fault:
            result = failure(fault)
        assert (without_steps(result) if shown_as == "summary" else result) == outcome
    games = {(FORMAT, game) for game in ARCHIVES} | {(EPISODE_FORMAT, None)}
    assert kinds == {(*of, ok) for of in games for ok in (True, False)}


def without_steps(outcome: Any) -> Any:
    """An outcome in which no match tells its steps."""
    if not isinstance(outcome, dict):
        return outcome
    return {name: without_steps(value) for name, value in outcome.items() if name != "steps"}


def test_the_deal_and_the_lots_are_as_shown() -> None:
    assert list(seating(SEED, 1)) == only("deal")
    assert commitment(SEED) in PAGE
    lots = only("lots")
    assert lots.pop("dog/death") == death_seed(SEED).hex()
    for label, drawn in lots.items():
        assert drawn == {n: draws(SEED, label)(int(n)) for n in drawn}
    assert set(lots) == {"dog/lot", "dog/opponent"}


def test_every_word_of_the_format_is_on_the_page() -> None:
    labels = ("gravity/round/<r>", "dog/lot", "dog/opponent", "dog/death", "house/<player>/<step>")
    for word in (FORMAT, EPISODE_FORMAT, *ARCHIVES, *KINDS, *BIRDS, *Event, *labels):
        assert f"{word}" in PAGE, word
