"""What was told, put beside what was to be told: which telling was of what, which was a repeat, what came out of turn.

An address is told its facts in order, and after a fault again from an earlier one on. So a telling is of the fact that
comes next, else of one told before, else of a later one, those between having been left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.simulation.judge.dues import Address, addresses, aliases
from tests.simulation.judge.letters import PUBLIC, Letter, letters
from tests.simulation.judge.texts import Said, Token
from tests.simulation.trace import Trace

Turn = Literal["next", "again", "later", "too early", "never"]
_RANK: dict[Turn, int] = {"next": 0, "again": 1, "later": 2, "too early": 3, "never": 4}


@dataclass(frozen=True)
class Telling:
    """A letter that tells a fact, or a notice, of an address in its turn."""

    letter: Letter
    said: Said
    turn: Turn


@dataclass
class Heard:
    """What an address has been told so far: by each fact's place the letters that told it, and each notice's."""

    address: Address
    facts: list[list[Letter]]
    notices: dict[tuple[object, ...], list[Letter]] = field(default_factory=lambda: defaultdict(list))
    tellings: list[Telling] = field(default_factory=list)
    _places: dict[tuple[object, ...], list[int]] = field(default_factory=lambda: defaultdict(list))
    _aliases: Mapping[Token, Token] = field(default_factory=dict)
    _following: int = 0
    _at: int = 0

    def __post_init__(self) -> None:
        self._aliases = aliases(self.address.course)
        for place, due in enumerate(self.address.told):
            self._places[due.what].append(place)

    def turn(self, what: tuple[object, ...], at: float) -> tuple[Turn, int]:
        """How something told at a time fits in, and of which fact it is."""
        if self._aliases:
            what = renamed(what, self._aliases)
        dues, following = self.address.told, self._following
        while following < len(dues) and dues[following].may_miss and dues[following].what != what:
            following += 1
        for place in (self._at, following):
            if place < len(dues) and dues[place].what == what and dues[place].stored <= at:
                return ("next" if place >= self._following else "again"), place
        places = self._places.get(what, [])
        before = [place for place in places if place < self._following]
        if before:
            return ("again" if self.facts[before[-1]] else "later"), before[-1]
        if places:
            return ("later" if dues[places[0]].stored <= at else "too early"), places[0]
        return "never", -1

    def hear(self, letter: Letter, said: Said) -> None:
        """A letter tells it something of its match."""
        turn, place = self.turn(said.what, letter.call.at)
        if turn == "never":
            self._notice(letter, said)
            return
        self.tellings.append(Telling(letter, said, turn))
        self.facts[place].append(letter)
        self._at = place + 1
        self._following = max(self._following, place + 1)

    def _notice(self, letter: Letter, said: Said) -> None:
        dues = [due for due in self.address.notices if due.what == said.what]
        late = [due for due in dues if due.stored <= letter.call.at]
        self.notices[said.what].append(letter)
        if dues and not late:
            self.tellings.append(Telling(letter, said, "too early"))

    def is_notice(self, what: tuple[object, ...]) -> bool:
        """Whether the house has this to tell it, or may have: who ended a match is nowhere written down."""
        return self._ends(what) or any(due.what == what for due in self.address.notices)

    def awaits(self, what: tuple[object, ...], at: float) -> bool:
        """Whether a notice of what has been stored by then is still to be told."""
        dues = sum(due.what == what and due.stored <= at for due in self.address.notices)
        return dues > len(self.notices.get(what, ()))

    def may_hear(self, what: tuple[object, ...], at: float) -> bool:
        """Whether a notice of what has been stored by then is, or may be, among what it is told."""
        if any(due.what == what and due.stored <= at for due in self.address.notices):
            return True
        return self._ends(what) and any(
            write.after.stage == "cancelled" and write.at <= at for write in self.address.course.writes
        )

    def _ends(self, what: tuple[object, ...]) -> bool:
        """Whether it says that a match was ended which was."""
        return self.address.course.last.stage == "cancelled" and what[0] in ("cancelled", "removed")


def renamed(what: Any, names: Mapping[Token, Token]) -> Any:
    """The same with other names, however deep they stand in it."""
    if isinstance(what, tuple):
        return tuple(renamed(each, names) for each in what)
    return names.get(what, what) if isinstance(what, str) else what


@dataclass(frozen=True)
class Stray:
    """Something told to nobody who was to be told it. ``like`` is an address in that chat, if any."""

    letter: Letter
    said: Said
    like: Address | None


@dataclass(frozen=True)
class Told:
    """All tellings of a trace."""

    heard: tuple[Heard, ...]
    strays: tuple[Stray, ...]


_READ: list[tuple[Trace, int, Told]] = []


def told(trace: Trace) -> Told:
    """Put what was told in a trace beside what was to be told; worked out once for all checks."""
    if _READ and _READ[0][0] is trace and _READ[0][1] == len(trace.events):
        return _READ[0][2]
    heard = tuple(Heard(address, [[] for _ in address.told]) for address in addresses(trace))
    strays = tuple(_distribute(letters(trace), heard))
    found = Told(heard, strays)
    _READ[:] = [(trace, len(trace.events), found)]
    return found


def _distribute(letters: Sequence[Letter], heard: Sequence[Heard]) -> Iterator[Stray]:
    by_chat: dict[tuple[int | None, bool], list[Heard]] = defaultdict(list)
    for each in heard:
        for chat in each.address.chats:
            by_chat[chat, each.address.tenure is None].append(each)
    for letter in letters:
        if not letter.call.done and not letter.refused:
            continue
        fitting = [(said, *_fitting(said, letter, by_chat)) for said in letter.said]
        # A letter is of one match, so what only one match has to say tells whose the rest is.
        matches = [{each.address.course.match for each in fits} for _, _, fits in fitting if fits]
        common = set.intersection(*matches) if matches else set()
        for said, there, fits in fitting:
            if fits:
                likely = [each for each in fits if each.address.course.match in common] or fits
                min(likely, key=lambda each: _unlikely(each, said, letter)).hear(letter, said)
            elif letter.call.done:
                yield Stray(letter, said, there[0].address if there else None)


def _fitting(
    said: Said, letter: Letter, by_chat: Mapping[tuple[int | None, bool], list[Heard]]
) -> tuple[list[Heard], list[Heard]]:
    """The addresses in a letter's chat, and those of them that have to be told what it says."""
    public = said.what[0] in PUBLIC
    there = _in_topic(by_chat.get((letter.call.chat, public), []), letter)
    there = [each for each in there if public or each.address.course.last.title in letter.call.text] or there
    return there, [each for each in there if _rank(each, said, letter) < _RANK["never"]]


def _unlikely(heard: Heard, said: Said, letter: Letter) -> tuple[int, bool, float]:
    """How unlikely it is that a letter is of an address's match, where others have the same to say: the more so if
    nobody could be written to there any more, if it was said there before, and the longer ago that was.
    """
    _, place = heard.turn(said.what, letter.call.at)
    letters = heard.facts[place] if place >= 0 else heard.notices.get(said.what, ())
    latest = max((each.call.at for each in letters), default=float("inf"))
    return _rank(heard, said, letter), heard.address.excuse != "", -latest


def _rank(heard: Heard, said: Said, letter: Letter) -> int:
    turn, _ = heard.turn(said.what, letter.call.at)
    if turn == "never" and heard.is_notice(said.what):
        if heard.awaits(said.what, letter.call.at):
            return _RANK["next"]
        return _RANK["again" if heard.may_hear(said.what, letter.call.at) else "too early"]
    return _RANK[turn]


def _in_topic(there: list[Heard], letter: Letter) -> list[Heard]:
    """Those of the very topic; the topic may have been deleted since, and then they hear it in the group's general
    one.
    """
    place = (letter.call.chat or 0, letter.call.params.get("message_thread_id"))
    return [each for each in there if place in each.address.places] or there
