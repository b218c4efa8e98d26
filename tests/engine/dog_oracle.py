"""A second opinion on Dog's Judgement, written to be slow and plain: numbers on a table, a tower that climbs by ones.

It reads and writes the JSON of the adjudicator and of records, and shares no code with the engine, so that a slip would
have to be made twice to go unseen.
"""

from __future__ import annotations

from typing import Any

HOLDING_VP = ["charge_tower", "remove_one", "median_meridian"]
FULL_HAND = [1, 2, 3, 4, 5, 6, 7]

Json = dict[str, Any]


class Unfair(Exception):
    """A play that the rules forbid, and the path of what is wrong with it."""

    def __init__(self, at: str) -> None:
        super().__init__(at)
        self.at = at


def judge_round(given: Json) -> Json:
    """The output of a ``dog/round``."""
    plays: Json = given["plays"]
    on_table: dict[str, dict[int, list[str]]] = {
        event: {number: [] for number in FULL_HAND} for event in [*HOLDING_VP, "bribing_the_dog"]
    }
    for player, play in plays.items():
        for event in play["events"]:
            if event != "exchange_store":
                on_table[event][play["card"]].append(player)

    level, climbers = _tower(given["charge"], on_table["charge_tower"])
    scores = {
        "charge_tower": climbers,
        "remove_one": _first_alone(on_table["remove_one"], FULL_HAND),
        "median_meridian": _nearest(on_table["median_meridian"]),
    }
    bribe = _first_alone(on_table["bribing_the_dog"], FULL_HAND[::-1])
    briber = next(iter(bribe), None)
    moved = plays[briber].get("move") if briber is not None else None
    if briber is not None:
        for event in plays[briber]["events"]:
            if briber in scores.get(event, {}):
                scores[event][briber] += 3

    gained = {player: play["gain"] for player, play in plays.items() if "exchange_store" in play["events"]}
    return {
        "charge": level,
        "scores": scores,
        "tokens": carried(given["tokens"], moved),
        "briber": briber,
        "moved": moved,
        "gained": gained,
    }


def _tower(level: int, table: dict[int, list[str]]) -> tuple[int, dict[str, int]]:
    broke: dict[str, int] = {}
    for number in FULL_HAND:
        if len(table[number]) != 1:
            continue
        for _ in range(number):
            level += 1
            if level == 12:
                level = 1
                broke[table[number][0]] = 8 - number
    return level, broke


def _first_alone(table: dict[int, list[str]], numbers: list[int]) -> dict[str, int]:
    """Whoever is the first, going through the numbers, to be alone on one."""
    for number in numbers:
        if len(table[number]) == 1:
            return {table[number][0]: number}
    return {}


def _nearest(table: dict[int, list[str]]) -> dict[str, int]:
    middle = [number for number in FULL_HAND if table[number]]
    while len(middle) > 2:
        middle = middle[1:-1]
    if not middle:
        return {}
    twice = middle[0] + middle[-1]
    for distance in range(14):
        near = [number for number in FULL_HAND if table[number] and abs(2 * number - twice) == distance]
        if near:
            return {player: number for number in near for player in table[number]}
    raise AssertionError("no number is near the median")


def carried(tokens: Json, move: Json | None) -> Json:
    """Where the tokens lie after a movement, or after none."""
    win, lose = dict(tokens["win"]), tokens["lose"]
    if move is not None and move["token"] == "win":
        win[move["from"]] -= 1
        win[move["to"]] += 1
    if move is not None and move["token"] == "lose":
        lose = move["to"]
    return {"win": win, "lose": lose}


def judge_match(given: Json) -> Json:
    """The output of a ``dog/judgement``."""
    points, tokens, held = given["vp"], given["tokens"], given.get("held", {})
    players = list(points["charge_tower"])
    pile = dict.fromkeys(players, 0)
    for event in HOLDING_VP:
        ahead = [p for p in players if all(points[event][p] >= points[event][other] for other in players)]
        for token in range(tokens["win"][event]):
            if len(ahead) == 1 or token == 0:
                for player in ahead:
                    pile[player] += 1
    all_lose = sum(pile.values()) >= 6
    life = {player: pile[player] - 1 if all_lose and pile[player] else pile[player] for player in players}
    poor = []
    for player in players:
        everything = pile[player] + held.get(player, 0)
        if everything == 0 or (everything == 1 and all_lose):
            poor.append(player)
    last = points[tokens["lose"]]
    return {
        "life": life,
        "all_lose": all_lose,
        "garnets": {player: life[player] + life[player] for player in players},
        "candidates": [player for player in poor if not any(last[other] < last[player] for other in poor)],
    }


def replay(document: Json) -> Json:
    """What ``replay`` prints of a record, its plays well-formed; for an unfair one ok and at alone."""
    players = document["players"]
    hands = {player: list(FULL_HAND) for player in players}
    level: int = 1
    tokens: Json = {"win": dict.fromkeys(HOLDING_VP, 1), "lose": "charge_tower"}
    total = {event: dict.fromkeys(players, 0) for event in HOLDING_VP}
    steps = []
    for number, round_ in enumerate(document["rounds"], start=1):
        plays = round_["plays"]
        try:
            for player in players:
                if player in plays:
                    fair(plays[player], hands[player], tokens, f"rounds[{number - 1}].plays.{player}")
        except Unfair as unfair:
            return {"ok": False, "at": unfair.at}
        judged = judge_round({"charge": level, "tokens": tokens, "plays": plays})
        for player, play in plays.items():
            hands[player].remove(play["card"])
            hands[player] += [judged["gained"][player]] if player in judged["gained"] else []
        level, tokens = judged["charge"], judged["tokens"]
        for event, scored in judged["scores"].items():
            for player, vp in scored.items():
                total[event][player] += vp
        steps.append(
            {
                "round": number,
                "scored": {event: [p for p in players if p in judged["scores"][event]] for event in HOLDING_VP},
                "charge": level,
                "moved": judged["moved"],
                "vp": {event: dict(total[event]) for event in HOLDING_VP},
            }
        )
    if document.get("cancelled"):
        return {"ok": True, "steps": steps}
    return {"ok": True, "steps": steps, "judgement": judge_match({"vp": total, "tokens": tokens})}


def fair(play: Json, hand: list[int], tokens: Json, at: str) -> None:
    """Rules 1 to 3; Unfair with the path of the first thing that is wrong."""
    if play["card"] not in hand:
        raise Unfair(f"{at}.card")
    if play["events"][0] == play["events"][1]:
        raise Unfair(f"{at}.events")
    if ("gain" in play) != ("exchange_store" in play["events"]):
        raise Unfair(f"{at}.gain")
    if "gain" in play and (abs(play["gain"] - play["card"]) > 2 or play["gain"] not in FULL_HAND):
        raise Unfair(f"{at}.gain")
    move = play.get("move")
    if move is None:
        return
    if "bribing_the_dog" not in play["events"]:
        raise Unfair(f"{at}.move")
    there = tokens["win"].get(move["from"], 0) if move["token"] == "win" else int(tokens["lose"] == move["from"])
    if not there or move["to"] not in HOLDING_VP or move["to"] == move["from"]:
        raise Unfair(f"{at}.move")
