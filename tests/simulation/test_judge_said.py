"""The judge's recognisers against the bot's own words: each fact is found in its text, whole, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.simulation.judge import said_dog, said_gravity, said_house
from tests.simulation.said import Sample, episode, gravity


def read(text: str) -> list[tuple[object, ...]]:
    said = (*said_gravity.read(text), *said_dog.read(text), *said_house.read(text))
    return [each.what for each in sorted(said, key=lambda each: each.at)]


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("match", [gravity, episode])
def test_each_fact_is_found_in_its_own_words_and_nothing_besides(
    match: Callable[[int], Iterator[Sample]], number: int
) -> None:
    for sample in match(number):
        assert read(sample.text or "") == list(sample.due), sample


@pytest.mark.parametrize("match", [gravity, episode])
def test_facts_are_found_where_many_stand_in_one_message(match: Callable[[int], Iterator[Sample]]) -> None:
    public = [sample for sample in match(3) if sample.to is None]
    together = "\n\n".join(sample.text for sample in public if sample.text is not None)
    assert read(together) == [what for sample in public for what in sample.due]


@pytest.mark.parametrize("match", [gravity, episode])
def test_two_facts_of_a_match_are_told_apart_unless_they_read_alike(match: Callable[[int], Iterator[Sample]]) -> None:
    texts: dict[tuple[object, ...], str] = {}
    for sample in match(1):
        if sample.due and sample.text is not None:
            assert texts.setdefault(sample.due, sample.text) == sample.text
    assert len(set(texts.values())) == len(texts) > 20
