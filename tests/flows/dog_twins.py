"""Two tables of seven through the webhook that differ only in what an audience may not know: up to the last round, and
from the choice of an opponent on into the Death Match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from random import Random
from typing import Final

from engine.chance import draws
from engine.dog.events import PLAYERS, ROUNDS
from engine.dog.moves import Decline, Play
from engine.dog.notation import write
from engine.dog.round import resolve
from engine.dog.rules import CHOICE_SECONDS
from engine.dog.state import State
from engine.episode.rules import Death, death_seed
from engine.game import Phase, Player
from handler.match import Match
from handler.table import change
from handler.telling import settle
from tests.engine.locks import Leak
from tests.flows import seven
from tests.flows.dog_twin_plans import FIRST, HOST, TO_THE_CHOICE, Ends, Moves, alike, timed
from tests.flows.house import Flow, flow
from tests.flows.twin_plans import Audience, Press
from tests.flows.twins import Twin, carry_out, compare, make_presses, must_have_counted, ravens, together

Twins = tuple[Twin, Twin]
Look = Callable[[Twin], None]
"""Is shown each match at the end."""


def table(bot: Flow, *, declined: bool = False) -> Twin:
    """Dog's Judgement: seven people, with Hugo looking on; perhaps the host has declined the Death Match beforehand."""
    hugo = bot.world.people.add("Hugo")
    bot.world.groups.join(hugo, bot.group)
    users = seven.company(bot)
    lobby = seven.lobby(bot, users)
    if declined:
        bot.press(lobby.host, "Without a Death Match")
    bot.press(lobby.host, "Start")
    return Twin(bot, lobby.id, users, hugo)


def seeds(chance: Random, *, same: bool) -> tuple[bytes, bytes]:
    """Two seeds, or one twice. Two draw the same lots, and seat the Raven alike early in the Death Match."""
    one = chance.randbytes(32)
    if same:
        return one, one
    while True:
        other = chance.randbytes(32)
        if _lots(one) == _lots(other) and ravens(death_seed(one)) == ravens(death_seed(other)):
            return one, other


def _lots(seed: bytes) -> list[int]:
    """The lots between two candidates and among as many opponents as the scripts leave."""
    return [draws(seed, "dog/lot")(2), *(draws(seed, "dog/opponent")(number) for number in (3, 4))]


# --- the main match -------------------------------------------------------------------------------


def follow(
    chance: Random, audience: Audience, phases: int, look: Look | None = None, *, declined: bool = False
) -> Counter[str]:
    """Play two matches side by side from the pre-game into the last round, which stays open, and compare what the
    audience saw. Their seeds differ: nothing before the judgement is drawn.

    Returns what was compared. Raises Leak at the first difference.
    """
    count: Counter[str] = Counter()
    with ExitStack() as stack:
        twins = tables(stack, (chance.randbytes(32), chance.randbytes(32)), declined=declined)
        for _ in range(phases):
            if not _together(chance, twins, audience, count):
                break
        _compare(twins, audience, count, look)
    return count


def tables(stack: ExitStack, both: tuple[bytes, bytes], *, declined: bool = False) -> Twins:
    """Two tables that have begun."""
    one, other = (
        table(stack.enter_context(flow(salt=str(salt), seed=seed)), declined=declined) for salt, seed in enumerate(both)
    )
    return one, other


def _compare(twins: Twins, audience: Audience, count: Counter[str], look: Look | None) -> None:
    # The last words of the phase may still wait for the group's turn.
    for twin in twins:
        twin.flow.wait(20)
    compare(*twins, audience, count)
    for twin in twins:
        count["presses that closed nothing"] += twin.quiet
        if look is not None:
            look(twin)


def _together(chance: Random, twins: Twins, audience: Audience, count: Counter[str]) -> bool:
    """Play the open phase of both. False if no alike moves are left, or it is the last round: that is left open."""
    matches, states, phase = _open(twins)
    moves = alike(chance, states, audience)
    if moves is None:
        return False
    last = states[0].board.round == ROUNDS and states[0].board.stage == "round"
    _tally(states, moves, count)
    assert phase.seconds is not None
    by_hand = not last and chance.random() < 0.7
    ends = Ends(chance.randrange(2 * FIRST, phase.seconds - 1) if by_hand else None, phase.seconds)
    away = (_away(matches[0]), _away(matches[1]))
    presses = timed(chance, states, moves, audience, away, ends)
    count["orders of presses that differ"] += presses[0] != presses[1]
    count["phases that others left"] += away[0] != away[1]
    nosy = chance.choice((*NOSY, None, None))
    for twin, match, planned, sealed in zip(twins, matches, presses, moves, strict=True):
        if last:
            make_presses(twin, match, planned, nosy)
        else:
            carry_out(twin, match, planned, nosy)
            must_have_counted(twin, match, {player: write(move) for player, move in sealed.items()})
    return not last


NOSY: Final = ("l", "u", "s-", "s5cm", "f3xb3-", "svs2", "fend", "m5", ":decline:ask", "/status", "/matches", "/resign")
"""What the onlooker, who plays nothing, presses or writes in the group."""


def _open(twins: Twins) -> tuple[tuple[Match, Match], tuple[State, State], Phase]:
    one, other = (twin.match() for twin in twins)
    if one.phase != other.phase or one.state.board != other.state.board:
        raise Leak("phase or board differ")
    assert one.phase is not None
    return (one, other), (one.state, other.state), one.phase


def _away(match: Match) -> set[Player]:
    """Who has left the table."""
    return {player for player, who in enumerate(match.seats) if who is not None and who.left}


def _tally(states: tuple[State, State], moves: tuple[Moves, Moves], count: Counter[str]) -> None:
    """Count in what the two phases differ."""
    count["phases that differ"] += moves[0] != moves[1]
    if states[0].board.stage != "round":
        return
    one, other = (
        resolve(
            state.board.level, state.board.tokens, {p: play for p, play in sealed.items() if isinstance(play, Play)}
        )
        for state, sealed in zip(states, moves, strict=True)
    )
    count["bribers that differ"] += one.briber != other.briber
    count["idle bribers against none"] += (one.briber is None) != (other.briber is None)
    count["hands that differ"] += states[0].hands != states[1].hands
    count["numbers of cards that differ"] += sum(map(len, states[0].hands)) != sum(map(len, states[1].hands))
    count["players who differ in having played"] += len(moves[0].keys() ^ moves[1].keys())
    count["scoring rounds"] += any(one.scores)
    count["rounds"] += 1


# --- from the choice on ---------------------------------------------------------------------------


def follow_the_choice(chance: Random, audience: Audience, phases: int, look: Look | None = None) -> Counter[str]:
    """As ``follow``, from the choice of an opponent on, after rounds that were the same; or the host declines."""
    count: Counter[str] = Counter()
    with ExitStack() as stack:
        same = audience is not None and chance.random() < 0.3
        twins = tables(stack, seeds(chance, same=same))
        script = chance.choice(TO_THE_CHOICE)
        for twin in twins:
            to_the_choice(twin, script)
        count["lots"] += twins[0].match().state.board.candidate.lot
        if chance.random() < 0.2:
            _decline(chance, twins, audience)
            count["declined"] += 1
        else:
            _together(chance, twins, audience, count)
        for _ in range(phases):
            state = twins[0].match().state
            if not isinstance(state, Death):
                break
            _look_on(chance, twins, state)
            if not together(chance, *twins, audience, count, state.pair):
                break
        _compare(twins, audience, count, look)
    return count


def _look_on(chance: Random, twins: Twins, death: Death) -> None:
    """One of the five who only look on presses something, in private."""
    player, tail = chance.choice([each for each in PLAYERS if each not in death.pair]), chance.choice(NOSY)
    for twin in twins:
        twin.press(twin.users[player], twin.users[player], twin.match().number, tail)


def to_the_choice(twin: Twin, script: tuple[dict[Player, str], ...]) -> None:
    """On to the choice of an opponent by a script, in one step and so told at once: nobody compares the way there."""

    def decide(match: Match) -> tuple[Match, None]:
        record, now = match.record, twin.flow.clock.now()
        for number in range(ROUNDS + 1):
            assert record is not None
            record = record.then(script[number - 1] if 0 < number <= len(script) else {})
        return replace(match, record=record, box={}, opened=now, deadline=now + CHOICE_SECONDS), None

    settle(twin.flow.ports, change(twin.flow.ports, twin.id, decide))
    assert twin.match().state.board.stage == "choice"


def _decline(chance: Random, twins: Twins, audience: Audience) -> None:
    """The host ends the match after the judgement; by then the candidates have chosen, each somebody else or nobody."""
    _, states, _ = _open(twins)
    named = states[0].board.candidate
    assert named is not None
    for twin, chosen in zip(twins, chance.sample((*named.eligible, None), 2), strict=True):
        match = twin.match()
        presses = [Press(60, HOST, f":decline:{word}", public=True) for word in ("ask", "{number}.yes")]
        if chosen is not None and audience != named.candidate:
            presses.insert(0, Press(chance.randrange(1, 60), named.candidate, f"svs{chosen}"))
        make_presses(twin, match, presses, None)
        must_have_counted(twin, match, {named.candidate: write(Decline())})
