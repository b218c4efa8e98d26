"""Profiles and results, brought into another store beside the matches by :mod:`infra.move`."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Protocol

from handler.ports import PeopleStore, Result
from infra.stores.kept import KeptPeople


class WholePeople(PeopleStore, Protocol):
    """A store of people of either kind, as a whole."""

    def kept(self) -> KeptPeople:
        """Every profile and every result."""


@dataclass
class PeopleReport:
    """How many results and profiles were moved, how many had been there before, and how many profiles of these are
    others than in FROM; and for each of the other results, why it was not moved.
    """

    results: int = 0
    profiles: int = 0
    results_there: int = 0
    profiles_there: int = 0
    changed: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        parts = []
        if self.results or self.profiles:
            parts.append(f"Moved {_both(self.results, self.profiles)}.")
        if self.results_there or self.profiles_there:
            changed = f", {self.changed} of the profiles changed there since" if self.changed else ""
            parts.append(f"{_both(self.results_there, self.profiles_there)} had been there before{changed}.")
        if self.wrong:
            parts.append(f"{_count(len(self.wrong), 'result')} not moved, for the reasons above.")
        return " ".join(parts)


def move_people(kept: KeptPeople, target: PeopleStore, report: PeopleReport) -> None:
    """Bring profiles and results into ``target``, and note in ``report`` what became of each. Nothing that is there is
    overwritten. A profile that is another there stays, for that is where people went on. A result is written once for
    all, so that another one there is named; only its chat may have become another, with its group. Raises AwsTrouble,
    StoreUnavailable.
    """
    of = defaultdict[int, list[Result]](list)
    for result in kept.results:
        of[result.user].append(result)
    for user, results in of.items():
        there = {result.match: result for result in target.of(user)}
        new = [result for result in results if result.match not in there]
        target.add(new)
        report.results += len(new)
        for result in results:
            if result.match in there:
                _compare(result, there[result.match], report)
    for id, body in kept.profiles.items():
        if target.keep_profile(id, body, None):
            report.profiles += 1
        else:
            report.profiles_there += 1
            report.changed += target.profile(id) != body


def _compare(result: Result, there: Result, report: PeopleReport) -> None:
    if (there.ended_at, there.body) == (result.ended_at, result.body):
        report.results_there += 1
    else:
        who = f"Result of match {result.match} for {result.user}"
        report.wrong.append(f"{who}: it is there already, and not as it is in FROM.")


def _both(results: int, profiles: int) -> str:
    counts = ((results, "result"), (profiles, "profile"))
    return " and ".join(_count(number, noun) for number, noun in counts if number)


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
