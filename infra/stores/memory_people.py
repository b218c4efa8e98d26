"""Profiles and results in memory, for tests and simulations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Lock

from handler.ports import Result
from infra.stores.ordering import latest_first


class MemoryPeople:
    """A :class:`handler.ports.PeopleStore` for the threads of one process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._profiles: dict[int, str] = {}
        self._results: dict[tuple[int, str], Result] = {}

    def profile(self, id: int) -> str | None:
        with self._lock:
            return self._profiles.get(id)

    def keep_profile(self, id: int, body: str, was: str | None) -> bool:
        with self._lock:
            if self._profiles.get(id) != was:
                return False
            self._profiles[id] = body
            return True

    def add(self, results: Sequence[Result]) -> None:
        with self._lock:
            for result in results:
                self._results.setdefault((result.user, result.match), result)

    def of(self, user: int) -> Sequence[Result]:
        with self._lock:
            return latest_first(result for result in self._results.values() if result.user == user)

    def in_chat(self, chat: int) -> Sequence[Result]:
        with self._lock:
            return latest_first(result for result in self._results.values() if result.chat == chat)

    def move(self, old: int, new: int) -> None:
        with self._lock:
            for key, result in self._results.items():
                if result.chat == old:
                    self._results[key] = replace(result, chat=new)
            profile = self._profiles.pop(old, None)
            if profile is not None:
                self._profiles.setdefault(new, profile)

    def forget(self, user: int) -> None:
        with self._lock:
            self._profiles.pop(user, None)
            self._results = {key: result for key, result in self._results.items() if result.user != user}
