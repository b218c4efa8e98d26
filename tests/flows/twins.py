"""Two matches through the webhook that differ only in what an audience may not know, and what it saw of each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import Any

from engine.chance import commitment
from engine.episode.rules import Death, death_seed
from engine.episode.view import Pair
from engine.game import Phase, Player
from engine.gravity.birds import LETTERS, ROUNDS, Bird
from engine.gravity.draft import birds_left
from engine.gravity.notation import write
from engine.gravity.rules import seating
from engine.gravity.state import State
from handler.codec import read_match
from handler.match import Match
from infra.local.botapi import faults
from infra.local.botapi.errors import BLOCKED, bad_request, flood
from infra.local.botapi.methods import Upload
from infra.local.botapi.state import BOT_ID
from infra.local.botapi.world import Call
from tests.engine.locks import Leak
from tests.flows.house import Flow, flow
from tests.flows.twin_plans import Audience, Press, alike, timed

Seen = tuple[float, str, str]
"""When, which method, and its parameters as JSON."""

TROUBLES = (
    faults.refused(bad_request("can't parse entities: unsupported start tag")),
    faults.refused(bad_request("whatever this may be")),
    faults.refused(flood(3)),
    faults.broken(502, "<html>"),
    faults.line("cut"),
    faults.refused(BLOCKED),
)
"""How Telegram may fail a call."""


class Twin:
    """One of two matches: who plays it by seat, and somebody who looks on and presses what is not theirs."""

    def __init__(self, flow: Flow, id: str, users: Sequence[int], onlooker: int) -> None:
        self.flow = flow
        self.id = id
        self.users = users
        self.onlooker = onlooker
        self.pressed: dict[str, int] = {}
        self.quiet = 0

    def match(self) -> Match:
        """The match as stored, replayed anew: a planted fault must not meet what was remembered before it."""
        item = self.flow.store.load(self.id)
        assert item is not None
        return read_match(item.id, item.body)

    def until(self, at: float) -> None:
        """Let time pass."""
        self.flow.wait(at - self.flow.clock.time)

    def press(self, user: int, chat: int, number: int, tail: str) -> None:
        """Post a press under the newest message of the bot in a chat: of a button of phase ``number``, of one about the
        match (``tail`` begins with a colon), or write a command.
        """
        world = self.flow.world
        before, was = len(world.calls), self.match().number
        message = next(each for each in reversed(world.history(chat)) if each["from"]["id"] == BOT_ID)
        if tail.startswith("/"):
            self.flow.say(user, tail.format(match=self.id), chat)
        else:
            about_the_match = tail.startswith(":")
            data = self.id + (tail.format(number=number) if about_the_match else f":{number}:{tail}")
            query = world.people.press(user, chat, message["message_id"], data)
            self.pressed[query] = user
            self.flow.deliver()
        if self.match().number == was:
            self._only_for(user, chat, world.calls[before:])

    def _only_for(self, user: int, chat: int, calls: list[Call]) -> None:
        """A press that closes nothing is answered to whoever pressed, or where they did: nobody else hears of it."""
        for call in calls:
            # Who hosts is asked of Telegram, and nobody hears of that.
            if call.method != "getChatMember" and call.params.get("chat_id", user) not in (user, chat):
                raise Leak(f"a press that closed nothing made a call to somebody else: {call.method} {call.params}")
        self.quiet += 1

    def seen(self, user: int | None) -> list[Seen]:
        """What the bot showed a person in private and in toasts; for None the group, and the onlooker's toasts."""
        chat, reader = (self.flow.group, self.onlooker) if user is None else (user, user)
        return [
            (call.at, call.method, self._public(call))
            for call in self.flow.world.calls
            if call.params.get("chat_id") == chat
            or self.pressed.get(call.params.get("callback_query_id", "")) == reader
        ]

    def _public(self, call: Call) -> str:
        """The parameters, commitments and match id apart; of the record file, which is public, only that it came."""
        given = {key: value for key, value in call.params.items() if key != "callback_query_id"}
        shown = json.dumps(given, ensure_ascii=False, sort_keys=True, default=_file)
        for seed in self.seeds:
            shown = shown.replace(commitment(seed), "<commitment>")
        return shown.replace(self.id, "<match>")

    @cached_property
    def seeds(self) -> tuple[bytes, bytes]:
        """The secret behind the match's deals and lots, and that behind the Death Match which may follow it."""
        record = self.match().record
        assert record is not None
        seed = bytes.fromhex(record.setup.seed)
        return seed, death_seed(seed)


def _file(value: Any) -> str:
    assert isinstance(value, Upload)
    return "a file"


def duel(flow: Flow) -> Twin:
    """Gravity Pandemic: Ada against Bruno, with Cleo looking on."""
    cleo = flow.world.people.add("Cleo")
    flow.world.groups.join(cleo, flow.group)
    flow.deliver()
    return Twin(flow, flow.begin().id, (flow.ada, flow.bruno), cleo)


def seeds(chance: Random, *, same: bool) -> tuple[bytes, bytes]:
    """Two seeds, or one twice. Two seat the Raven alike in the first rounds, so that both matches can find it."""
    one = chance.randbytes(32)
    if same:
        return one, one
    while True:
        other = chance.randbytes(32)
        if ravens(one) == ravens(other):
            return one, other


def ravens(seed: bytes) -> list[int]:
    """Where the Raven sits in the first rounds, index by index."""
    return [seating(seed, round_).index(Bird.RAVEN) for round_ in (1, 2)]


def follow(
    chance: Random, audience: Audience, phases: int, inspect: Callable[[Twin], None] | None = None
) -> Counter[str]:
    """Play two matches side by side until a rule makes a difference known, and compare what the audience saw.

    Returns what was compared. ``inspect`` is shown each match at the end. Raises Leak at the first difference.
    """
    count: Counter[str] = Counter()
    same = audience is not None and chance.random() < 0.5
    pair = seeds(chance, same=same)
    with ExitStack() as stack:
        twins = [duel(stack.enter_context(flow(salt=str(salt), seed=seed))) for salt, seed in enumerate(pair)]
        for _ in range(phases):
            if not together(chance, twins[0], twins[1], audience, count):
                break
        # The last words of the phase may still wait for the group's turn.
        for twin in twins:
            twin.flow.wait(20)
        compare(twins[0], twins[1], audience, count)
        for twin in twins:
            count["presses that closed nothing"] += twin.quiet
            if inspect is not None:
                inspect(twin)
    count["rounds"] += match_of(twins[0].match().state).board.round - 1
    return count


def compare(one: Twin, other: Twin, audience: Audience, count: Counter[str]) -> None:
    """Raise Leak where the audience saw a difference."""
    views: list[tuple[str, int | None]] = [("public calls", None)]
    if audience is not None:
        views.append(("private calls", audience))
    for name, player in views:
        seen = [twin.seen(None if player is None else twin.users[player]) for twin in (one, other)]
        for mine, yours in zip(*seen, strict=False):
            if mine != yours:
                raise Leak(f"{name} differ:\n{mine}\n{yours}")
        if len(seen[0]) != len(seen[1]):
            raise Leak(f"{name}: {len(seen[0])} and {len(seen[1])}")
        count[name] += len(seen[0])


def together(
    chance: Random, one: Twin, other: Twin, audience: Audience, count: Counter[str], seats: Pair = (0, 1)
) -> bool:
    """Play the open phase of both, which belongs to Gravity Pandemic. False if the match is over or no alike moves are
    left. ``seats`` are those of the two players; ``audience`` is a seat too.
    """
    matches = (one.match(), other.match())
    states = (match_of(matches[0].state), match_of(matches[1].state))
    phase = matches[0].phase
    if phase != matches[1].phase or states[0].board != states[1].board:
        raise Leak("phase or board differ")
    if phase is None or states[0].board.round > ROUNDS:
        return False
    if phase.instant:
        _draft(chance, (one, other), matches, phase)
        return True
    own = seats.index(audience) if audience in seats else None
    moves = alike(chance, states, own)
    if moves is None:
        return False
    count["secret phases"] += 1
    count["phases that differ"] += moves[0] != moves[1]
    assert phase.seconds is not None
    presses = timed(chance, states, moves, own, phase.seconds)
    count["orders of presses that differ"] += presses[0] != presses[1]
    nosy = chance.choice((*NOSY, None, None))
    for twin, match, planned, sealed in zip((one, other), matches, presses, moves, strict=True):
        carry_out(twin, match, [replace(press, player=seats[press.player]) for press in planned], nosy)
        must_have_counted(twin, match, {seats[player]: write(move) for player, move in sealed.items()})
    return True


def match_of(state: Any) -> State:
    """The match of Gravity Pandemic, which may be the second part of an episode."""
    found: State = state.match if isinstance(state, Death) else state
    return found


NOSY = ("l", "u", "s?h", "sav5", "fg5v", "fresign", "m5", "/status", "/matches")
"""What the onlooker, who plays nothing, presses or writes in the group."""


def carry_out(twin: Twin, match: Match, presses: list[Press], nosy: str | None) -> None:
    """Make the presses of a phase at their times, the onlooker's in the fifth second; wait for the deadline if it is
    left.
    """
    assert match.deadline is not None
    make_presses(twin, match, presses, nosy)
    if twin.match().number == match.number:
        twin.until(match.deadline)
    assert twin.match().number > match.number, "the phase is over by its deadline"


def make_presses(twin: Twin, match: Match, presses: list[Press], nosy: str | None) -> None:
    """Make the presses of a phase at their times."""
    before = [press for press in presses if press.at < 5]
    for press in before:
        _press(twin, match, press)
    if nosy is not None:
        twin.until(match.opened + 5)
        twin.press(twin.onlooker, twin.flow.group, match.number, nosy)
    for press in presses[len(before) :]:
        _press(twin, match, press)


def _press(twin: Twin, match: Match, press: Press) -> None:
    twin.until(match.opened + press.at)
    user = twin.users[press.player]
    twin.press(user, twin.flow.group if press.public else user, match.number, press.tail)


def must_have_counted(twin: Twin, match: Match, sealed: Mapping[Player, str]) -> None:
    """Leak if other moves lay in the box when a phase closed: whatever refused one of these had to know a secret. What
    was taken back is none.
    """
    record = twin.match().record
    assert record is not None
    counted = {player: text for player, text in record.steps[match.number].items() if text != "-"}
    if counted != sealed:
        raise Leak(f"what was sealed has not counted, but {counted}: a legal move was refused")


def _draft(chance: Random, twins: tuple[Twin, Twin], matches: tuple[Match, Match], phase: Phase) -> None:
    """A pick, public and so the same in both; sometimes silence, and the bot picks."""
    [player] = phase.active
    left = birds_left(match_of(matches[0].state).board)
    bird = chance.choice(left)
    silent = chance.random() < 0.03
    for twin, match in zip(twins, matches, strict=True):
        assert match.deadline is not None
        if silent:
            twin.until(match.deadline)
        else:
            twin.until(match.opened + 6)
            twin.press(twin.users[player], twin.flow.group, match.number, "s" + LETTERS[bird])
