"""The lots between the matches of an episode, and the seeds of both: what a record is verified by (rule 16)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from engine.chance import commitment, draws
from engine.documents import commitments, export, replay, verify
from tests.engine import matches
from tests.engine.broken import fault
from tests.engine.episodes import NAMES, PLAYERS, ended, whole

SEED = bytes(range(32))


@dataclass(frozen=True)
class Met:
    """An episode whose pair followed from two lots, and who else there was."""

    document: Any
    candidates: list[str]
    eligible: list[str]


def by_two_lots() -> Met:
    for luck in range(200):
        record, document = whole(luck)
        named = ended(record).board.candidate
        if document["opponent"] == "lot" and named is not None and named.lot:
            judged = replay(document)["main"]["judgement"]
            return Met(document, judged["candidates"], [PLAYERS[player] for player in named.eligible])
    raise AssertionError("chance would have it otherwise")


def test_rule_16_the_lots_are_drawn_from_the_seed() -> None:
    met = by_two_lots()
    seed = bytes.fromhex(met.document["main"]["seed"])
    candidate = met.candidates[draws(seed, "dog/lot")(len(met.candidates))]
    opponent = met.eligible[draws(seed, "dog/opponent")(len(met.eligible))]
    assert met.document["death"]["players"] == [candidate, opponent]


def renamed(match: Any, pair: Sequence[str]) -> Any:
    """The Death Match in which these two met instead, and did the same."""
    text = json.dumps(match)
    for was, now in zip(match["players"], pair, strict=True):
        text = text.replace(f'"{was}"', f'"<{now}>"')
    return json.loads(text.replace('"<', '"').replace('>"', '"'))


def between(document: Any, *pair: str) -> Any:
    """The episode in which these two met instead."""
    return {**document, "death": renamed(document["death"], pair)}


def test_rule_16_nobody_but_whom_the_lots_name() -> None:
    met = by_two_lots()
    candidate, opponent = met.document["death"]["players"]
    assert replay(between(met.document, candidate, opponent)) == replay(met.document)
    for other in PLAYERS:
        if other != candidate:
            taken = opponent if other != opponent else candidate
            assert fault(between(met.document, other, taken)) == "death.players[0]"
        if other not in (candidate, opponent):
            assert fault(between(met.document, candidate, other)) == "death.players[1]"
            chosen = {**between(met.document, candidate, other), "opponent": "chosen"}
            if other in met.eligible:
                assert replay(chosen)["ok"]
            else:
                assert fault(chosen) == "death.players[1]"


def test_rule_16_without_the_seed_the_lots_are_believed() -> None:
    met = by_two_lots()
    met.document["main"]["seed"] = None
    for candidate in met.candidates:
        others = [player for player in [*met.eligible, *met.candidates] if player != candidate]
        for other in others:
            assert replay(between(met.document, candidate, other))["death"] is not None
    assert fault(met.document, verify) == "main.seed"


def test_verify_takes_the_commitments_in_order() -> None:
    _, document = whole(3)
    main, death = commitments(document)
    assert verify(document) == verify(document, [main]) == verify(document, [main.upper(), death]) == replay(document)

    def at(*posted: str) -> str:
        return fault(document, partial(verify, posted=posted))

    assert at(death) == at(death, main) == at("") == "main.seed"
    assert at(main, main) == at(main, "0" * 64) == "death.seed"
    assert at(main, death, death) == "death"
    assert fault({**document, "opponent": None, "death": None}, partial(verify, posted=[main, death])) == "death"


@pytest.mark.parametrize("match", ["main", "death"])
def test_verify_needs_both_seeds(match: str) -> None:
    _, document = whole(3)
    document[match]["seed"] = None
    assert replay(document)["ok"]
    assert fault(document, verify) == f"{match}.seed"


def test_verify_checks_what_the_seed_of_the_death_match_deals() -> None:
    _, document = whole(3)
    seats = document["death"]["rounds"][0]["seats"]
    seats[0], seats[1] = seats[1], seats[0]
    assert fault(document, verify) == "death.rounds[0].seats"


def test_verify_takes_a_death_match_under_a_seed_of_its_own() -> None:
    _, document = whole(3)
    record, _ = matches.finished(SEED, matches.house_players(SEED))
    death = export(record, NAMES[:2])
    document["death"] = renamed(death, document["death"]["players"])
    posted = [commitments(document)[0], commitment(SEED)]
    assert {"ok": True, **verify(document, posted)["death"]} == replay(document["death"])
