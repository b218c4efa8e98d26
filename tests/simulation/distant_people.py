"""A store of people as one process reaches it."""

from __future__ import annotations

from collections.abc import Sequence

from handler.ports import PeopleStore, Result
from tests.simulation.way import Way


class DistantPeople:
    """A :class:`handler.ports.PeopleStore` for one process. Of several results each is added by itself, as DynamoDB
    does it: the process may end between them.
    """

    def __init__(self, people: PeopleStore, way: Way) -> None:
        self._people = people
        self._way = way

    def profile(self, id: int) -> str | None:
        return self._way.read(str(id), lambda: self._people.profile(id))

    def keep_profile(self, id: int, body: str, was: str | None) -> bool:
        return self._way.carry_out("keep a profile", str(id), lambda: self._people.keep_profile(id, body, was))

    def add(self, results: Sequence[Result]) -> None:
        for result in results:
            self._add(result)

    def of(self, user: int) -> Sequence[Result]:
        return self._way.read(str(user), lambda: self._people.of(user))

    def in_chat(self, chat: int) -> Sequence[Result]:
        return self._way.read(str(chat), lambda: self._people.in_chat(chat))

    def move(self, old: int, new: int) -> None:
        self._way.carry_out("move a chat", str(old), lambda: self._people.move(old, new))

    def forget(self, user: int) -> None:
        self._way.carry_out("forget", str(user), lambda: self._people.forget(user))

    def _add(self, result: Result) -> None:
        self._way.carry_out("add a result", result.match, lambda: self._people.add([result]))
