"""A store of people as one process reaches it."""

from __future__ import annotations

from collections.abc import Sequence

from handler.ports import PeopleStore, Result
from tests.simulation.processes import Process
from tests.simulation.trace import Kept
from tests.simulation.way import Way


class DistantPeople:
    """A :class:`handler.ports.PeopleStore` for one process. Of several results each is added by itself, as DynamoDB
    does it: the process may end between them. Whatever takes effect is told to the trace.
    """

    def __init__(self, people: PeopleStore, process: Process, way: Way) -> None:
        self._people = people
        self._process = process
        self._way = way

    def profile(self, id: int) -> str | None:
        return self._way.read(str(id), lambda: self._people.profile(id))

    def keep_profile(self, id: int, body: str, was: str | None) -> bool:
        def keep() -> bool:
            kept = self._people.keep_profile(id, body, was)
            if kept:
                self._note("profile", id)
            return kept

        return self._way.carry_out("keep a profile", str(id), keep)

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
        def forget() -> None:
            self._people.forget(user)
            self._note("forget", user)

        self._way.carry_out("forget", str(user), forget)

    def _add(self, result: Result) -> None:
        def add() -> None:
            new = all(each.match != result.match for each in self._people.of(result.user))
            self._people.add([result])
            self._note("result", result.user, result.match, new=new)

        self._way.carry_out("add a result", result.match, add)

    def _note(self, what: str, user: int, match: str = "", *, new: bool = False) -> None:
        at, process = self._process.scheduler.now, self._process.number
        self._process.trace.add(Kept(at, process, what, user, match, new))
