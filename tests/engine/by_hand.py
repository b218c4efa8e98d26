"""Records written by hand: a match of each game, and an episode of both."""

from __future__ import annotations

import copy
from typing import Any

from engine.gravity.birds import BIRDS

PLAYERS = list("abcdefg")
"""Who plays the match of Dog's Judgement."""
LOSE = {"token": "lose", "from": "charge_tower", "to": "remove_one"}
"""A movement of the Lose Token."""


def gravity() -> dict[str, Any]:
    """A match by hand, cut short by a resignation: in the first night the EC finds the Hawk, the DMO misses the Owl."""
    birds = [bird.value for bird in BIRDS]
    picks = [bird for bird in birds if bird != "lovebird_a"]
    drafts = [[("b", "a")[place % 2], bird] for place, bird in enumerate(picks)]
    first = {
        "drafts": drafts,
        "actions": {"hawk": {"bird": "parrot"}, "crow": {"seat": 11}, "lark": {"bird": "robin"}},
        "periods": [
            {"a": {"seat": 1, "bird": "hawk"}, "b": {"seat": 1, "bird": "owl"}},
            {"a": None, "b": None},
        ],
    }
    return {
        "format": "raven-dog/1",
        "game": "gravity",
        "players": ["a", "b"],
        "seed": None,
        "rounds": [
            {"seats": birds, "reveals": {"a": "crow", "b": None}, "nights": [first, {"drafts": [["b", "owl"]]}]}
        ],
        "resigned": "a",
        "anything": {"else": ["is", "ignored"]},
    }


def dog() -> dict[str, Any]:
    """A match by hand: a breaks the threshold and moves the Lose Token; b wins the other events with 6 and 6 again."""
    document = {
        "format": "raven-dog/1",
        "game": "dog",
        "players": PLAYERS,
        "seed": None,
        "rounds": [
            {
                "plays": {
                    "b": {"card": 4, "events": ["charge_tower", "exchange_store"], "gain": 6},
                    "a": {"card": 7, "events": ["bribing_the_dog", "charge_tower"], "move": LOSE},
                }
            },
            {"plays": {"b": {"card": 6, "events": ["remove_one", "median_meridian"]}}},
            {"plays": {"b": {"card": 6, "events": ["median_meridian", "remove_one"]}}},
            *({"plays": {}} for _ in range(6)),
        ],
        "resigned": "is ignored",
        "anything": {"else": ["too"]},
    }
    return copy.deepcopy(document)


def episode() -> dict[str, Any]:
    """x and y win the Tokens of Life, all others are joint candidates; a meets b and resigns."""
    names = dict(zip("abcdefg", "xyabcde", strict=True))
    main = dog()
    main["players"] = list(names.values())
    for round_ in main["rounds"]:
        round_["plays"] = {names[player]: play for player, play in round_["plays"].items()}
    death = copy.deepcopy(gravity())
    return {"format": "raven-dog-episode/1", "main": main, "opponent": "chosen", "death": death, "anything": ["else"]}
