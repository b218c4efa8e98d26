"""A second opinion on a night, written to be slow and plain: eleven chairs, and birds that arrive at them.

It reads and writes the adjudicator's JSON and shares no code with the engine, so that a slip would have to be made
twice to go unseen.
"""

from __future__ import annotations

from typing import Any

ORDER = ["hawk", "penguin", "crow", "lovebird_a", "lovebird_b", "lark", "owl", "eagle", "robin", "parrot", "raven"]
TITLES = [
    "Hawk", "Penguin", "Crow", "Lovebird A", "Lovebird B", "Lark", "Owl", "Eagle", "Robin", "Parrot", "Raven",
]  # fmt: skip


class Chair:
    """A seat on the circle and what happens there."""

    def __init__(self, number: int, bird: str, known: bool) -> None:
        self.number = number
        self.bird = bird
        self.known = known
        self.arrived: list[str] = []
        self.next: Chair = self
        self.previous: Chair = self


def night(given: dict[str, Any]) -> dict[str, Any]:
    """The output of a ``gravity/night``."""
    chairs = [Chair(n, given["seats"][str(n)], given["seats"][str(n)] in given["revealed"]) for n in range(1, 12)]
    for one, following in zip(chairs, chairs[1:] + chairs[:1], strict=True):
        one.next, following.previous = following, one
    home = {chair.bird: chair for chair in chairs}
    down = _poison(home["raven"], {"penguin"} | set(given["flightless"]))
    destinations = _destinations(given, chairs, home)

    blocked = ""
    if "raven" in destinations:
        if destinations["raven"] is home["raven"]:
            del destinations["raven"]
        else:
            blocked = destinations["raven"].bird
    for bird, chair in destinations.items():
        if bird != blocked:
            chair.arrived.append(bird)
    if blocked != "lovebird_a" and "lovebird_a" not in down:
        _stroll(home["lovebird_a"])

    sides = {bird: player for player, birds in given["drafts"].items() for bird in birds}
    answers = dict.fromkeys(sides, "N/A")
    for bird in sides:
        if bird not in (blocked, "parrot"):
            answers[bird] = _answer(bird, chairs, home, destinations, down, sides)
    if blocked != "parrot" and "parrot" in destinations:
        source = destinations["parrot"].bird
        answers["parrot"] = "N/A" if source == "parrot" else answers.get(source, "N/A")
    visits = {bird: [chair.number for chair in chairs if bird in chair.arrived] for bird in ORDER}
    return {
        "flightless": [bird for bird in ORDER if bird in down],
        "visits": {bird: seats for bird, seats in visits.items() if seats},
        "responses": answers,
        "robin": {
            "player": sides["robin"],
            "quarters": 0 if blocked == "robin" else len(home["robin"].arrived),
        },
    }


def _poison(raven: Chair, down: set[str]) -> set[str]:
    struck = []
    chair = raven.next
    while chair is not raven and chair.bird in down:
        chair = chair.next
    if chair is not raven:
        struck.append(chair.bird)
    chair = raven.previous
    while chair is not raven and chair.bird in down:
        chair = chair.previous
    if chair is not raven:
        struck.append(chair.bird)
    return down | set(struck)


def _destinations(given: dict[str, Any], chairs: list[Chair], home: dict[str, Chair]) -> dict[str, Chair]:
    goes: dict[str, Chair] = {}
    drafted = [bird for birds in given["drafts"].values() for bird in birds]
    for bird, target in given["actions"].items():
        if bird not in drafted:
            continue
        by_seat = bird in ("hawk", "crow", "owl", "eagle", "parrot", "raven")
        by_name = bird in ("hawk", "lark", "raven")
        chair = None
        if by_seat and "seat" in target and 1 <= target["seat"] <= 11:
            chair = chairs[target["seat"] - 1]
        if by_name and "bird" in target:
            chair = home[target["bird"]]
        if chair is not None and not chair.known:
            goes[bird] = chair
    return goes


def _stroll(start: Chair) -> None:
    right, left = [start.next], [start.previous]
    while right[-1].bird != "lovebird_b":
        right.append(right[-1].next)
    while left[-1].bird != "lovebird_b":
        left.append(left[-1].previous)
    for chair in right if len(right) < len(left) else left:
        if not chair.known:
            chair.arrived.append("lovebird_a")


def _answer(
    bird: str,
    chairs: list[Chair],
    home: dict[str, Chair],
    goes: dict[str, Chair],
    down: set[str],
    sides: dict[str, str],
) -> str:
    if bird == "penguin":
        me = home["penguin"]
        return "Yes" if me.next.bird in down or me.previous.bird in down else "No"
    if bird == "lovebird_b":
        return _numbers([home[guest].number for guest in home[bird].arrived if not guest.startswith("lovebird")])
    if bird not in goes:
        return "N/A"
    there = goes[bird]
    if bird == "hawk":
        return "Yes" if there.bird in down else "No"
    if bird == "crow":
        return "Yes" if "crow" in down or there.bird == "raven" or there.bird == "crow" else "No"
    if bird == "lark":
        foes = [guest for guest in there.arrived if guest in sides and sides[guest] != sides["lark"]]
        return _numbers([home[guest].number for guest in foes])
    if bird == "owl":
        return _named(there, [guest for guest in there.arrived if guest != "owl"])
    if bird == "eagle":
        return _named(there, [chair.bird for chair in chairs if there.bird in chair.arrived])
    return "N/A"


def _numbers(numbers: list[int]) -> str:
    return ", ".join(map(str, sorted(numbers))) if numbers else "N/A"


def _named(chair: Chair, birds: list[str]) -> str:
    if not birds:
        return "N/A"
    return f"{chair.number}: " + ", ".join(title for bird, title in zip(ORDER, TITLES, strict=True) if bird in birds)
