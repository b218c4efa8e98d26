"""The chance of the machine: whole, and nobody's to set."""

from __future__ import annotations

import random

from infra.entropy import SystemEntropy


def test_as_many_bytes_as_were_asked_for() -> None:
    assert [len(SystemEntropy().bytes(n)) for n in (0, 1, 9, 32)] == [0, 1, 9, 32]


def test_nothing_that_a_program_can_set_decides_what_is_drawn() -> None:
    """Of two that agree in 32 bytes, one would have been foreseen by the other."""
    drawn = set()
    for _ in range(100):
        random.seed(0)
        drawn.add(SystemEntropy().bytes(32))
    assert len(drawn) == 100
