"""A readable record of Gravity Pandemic played again by the rules, every choice checked (``docs/records.md``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.game import Player, Tell
from engine.gravity import facts, fields
from engine.gravity.birds import BIRDS, DRAFTED, ROUNDS, RULEBOOK, Bird
from engine.gravity.choices import check
from engine.gravity.draft import PLAYERS, drafter
from engine.gravity.fields import Json
from engine.gravity.moves import Actions, Guess, Move, Pick, Resign, Reveal, Target
from engine.gravity.night import Seating
from engine.gravity.rules import Moves, begin, closed, seating
from engine.gravity.state import State, view
from engine.gravity.targets import refused
from engine.reading import Fault, a_list, a_name, an_object, by_player, key, no_others, required

_ROUND = ("seats", "reveals", "nights")
_NIGHT = ("drafts", "actions", "periods")


@dataclass
class _Table:
    """A match being played again: where it stands, and the steps so far."""

    state: State
    players: list[str]
    cut: bool
    steps: list[Json] = field(default_factory=list)

    def close(self, moves: Moves) -> tuple[Tell, ...]:
        """Close the open phase with moves of which each has been admitted."""
        following = closed(self.state, moves)
        self.state = following.state
        return following.tells

    def admit(self, player: Player, move: Move, at: str) -> None:
        """Refuse a move that the rules forbid the player now."""
        refusal = check(view(self.state, player), move)
        if refusal is not None:
            raise Fault(at, _words(refusal.code))

    def scores(self) -> Json:
        """The scores by player as they stand."""
        return dict(zip(self.players, self.state.board.scores, strict=True))


def replay(document: Json, players: list[str]) -> Json:
    """``winner``, ``scores`` and ``steps`` of a record whose two ``players`` are known to be well-formed.

    Fault at the first thing that is malformed, missing, surplus or against the rules.
    """
    resigned, cancelled = _cut(document, players)
    rounds = _rounds(document)
    deals = tuple(deals_of(document))
    # Rounds that the record does not reach are never looked at; the table wants four all the same.
    table = _Table(begin(deals + (BIRDS,) * (ROUNDS - len(deals))).state, players, cancelled or resigned is not None)
    for place, round_ in enumerate(rounds):
        if table.state.board.stage == "over":
            raise Fault("rounds", "the match is over before the last of them")
        _round(table, round_, f"rounds[{place}]", last=place == len(rounds) - 1)
    over = table.state.board.stage == "over"
    if over and table.cut:
        raise Fault("cancelled" if cancelled else "resigned", "the match had ended")
    if not over and not table.cut:
        raise Fault("rounds", "the match is not over")
    if resigned is not None:
        table.close({players.index(resigned): Resign()})
    won = table.state.board.winner
    return {"winner": None if won is None else players[won], "scores": table.scores(), "steps": table.steps}


def deals_of(document: Json) -> list[Seating]:
    """The seatings of the rounds that a record holds."""
    seats = ((round_, f"rounds[{place}]") for place, round_ in enumerate(_rounds(document)))
    return [fields.seating(required(round_, "seats", at), key(at, "seats")) for round_, at in seats]


def check_deals(document: Json, seed: bytes) -> None:
    """Fault unless every deal of a record follows from the seed."""
    for place, seats in enumerate(deals_of(document)):
        if seats != seating(seed, place + 1):
            raise Fault(f"rounds[{place}].seats", "are not what the seed deals")


def _words(code: str) -> str:
    return f"is refused: {code.replace('-', ' ')}"


def _anothers_turn(player: Player) -> str:
    """Rule 4, naming the drafter by the place in the record."""
    return f"is not the drafter: it is the turn of players[{player}]"


def _cut(document: Json, players: list[str]) -> tuple[str | None, bool]:
    """Who resigned, and whether the match was cancelled."""
    cancelled = document.get("cancelled", False)
    if not isinstance(cancelled, bool):
        raise Fault("cancelled", "must be true or false")
    resigned = document.get("resigned") if cancelled else required(document, "resigned", "")
    if resigned is None:
        return None, cancelled
    if a_name(resigned, "resigned") not in players:
        raise Fault("resigned", "is no player of this match")
    if cancelled:
        raise Fault("cancelled", "a resignation had ended the match")
    return resigned, cancelled


def _rounds(document: Json) -> list[Json]:
    given = a_list(required(document, "rounds", ""), "rounds")
    if not 1 <= len(given) <= ROUNDS:
        raise Fault("rounds", f"must hold 1 to {ROUNDS} rounds")
    return [an_object(round_, f"rounds[{place}]") for place, round_ in enumerate(given)]


def _ends_here(table: _Table, value: Json, later: tuple[str, ...], last: bool) -> bool:
    """Whether the match was cut short in this phase: it is the last there is, and nothing of a later one stands."""
    return table.cut and last and not any(name in value for name in later)


def _round(table: _Table, round_: Json, at: str, last: bool) -> None:
    no_others(round_, _ROUND, at)
    if "reveals" not in round_ and _ends_here(table, round_, ("nights",), last):
        return
    reveals = by_player(required(round_, "reveals", at), table.players, key(at, "reveals"))
    _reveals(table, reveals, key(at, "reveals"))

    nights_at = key(at, "nights")
    number = table.state.board.round
    if "nights" not in round_ and _ends_here(table, round_, (), last):
        return
    nights = a_list(required(round_, "nights", at), nights_at)
    for place, night in enumerate(nights):
        if table.state.board.stage == "over" or table.state.board.round != number:
            raise Fault(nights_at, "the round is over before the last of them")
        where = f"{nights_at}[{place}]"
        _night(table, an_object(night, where), where, last=last and place == len(nights) - 1)
    ended = table.state.board.stage == "over" or table.state.board.round != number
    if not ended and not _ends_here(table, round_, (), last):
        raise Fault(nights_at, "the round is not over")


def _reveals(table: _Table, reveals: Json, at: str) -> None:
    """Rules 1 and 3."""
    moves = {}
    for player, value in enumerate(reveals.values()):
        where = key(at, table.players[player])
        moves[player] = Reveal(fields.bird_or_none(value, where))
        table.admit(player, moves[player], where)
    table.close(moves)


def _night(table: _Table, night: Json, at: str, last: bool) -> None:
    no_others(night, _NIGHT, at)
    drafts_at, actions_at, periods_at = (key(at, name) for name in _NIGHT)
    drafts = a_list(required(night, "drafts", at), drafts_at)
    _drafts(table, drafts, drafts_at)
    if len(drafts) < len(DRAFTED):
        if _ends_here(table, night, ("actions", "periods"), last):
            return
        raise Fault(drafts_at, f"must hold {len(DRAFTED)} picks")

    if "actions" not in night and _ends_here(table, night, ("periods",), last):
        return
    _actions(table, an_object(required(night, "actions", at), actions_at), actions_at)

    if "periods" not in night and _ends_here(table, night, (), last):
        return
    periods = a_list(required(night, "periods", at), periods_at)
    day = _day(table)
    for place, period in enumerate(periods):
        if _day(table) != day:
            raise Fault(periods_at, "the day is over before the last of them")
        where = f"{periods_at}[{place}]"
        _period(table, by_player(period, table.players, where), where)
    if _day(table) == day and not _ends_here(table, night, (), last):
        raise Fault(periods_at, "the day is not over")


def _day(table: _Table) -> tuple[str, int, int]:
    board = table.state.board
    return board.stage, board.round, board.night


def _drafts(table: _Table, drafts: list[Any], at: str) -> None:
    """Rules 4 to 6; a third element says who picked for the player, which changes nothing."""
    for place, entry in enumerate(drafts):
        where = f"{at}[{place}]"
        if place == len(DRAFTED):
            raise Fault(at, f"must hold {len(DRAFTED)} picks")
        given = a_list(entry, where)
        if not 2 <= len(given) <= 3:
            raise Fault(where, "must hold a player and a bird, and perhaps who picked")
        player_at, bird_at, by_at = f"{where}[0]", f"{where}[1]", f"{where}[2]"
        if a_name(given[0], player_at) not in table.players:
            raise Fault(player_at, "is no player of this match")
        player = table.players.index(given[0])
        bird = fields.bird(given[1], bird_at)
        if given[2:] not in ([], ["bot"], ["host"]):
            raise Fault(by_at, "must be bot or host")
        if table.state.board.stage == "draft":
            if drafter(table.state.board) != player:
                raise Fault(player_at, _anothers_turn(1 - player))
            refusal = check(view(table.state, player), Pick(bird))
            if refusal is not None:
                raise Fault(bird_at, _words(refusal.code))
            table.close({player: Pick(bird)})
        else:
            _forced(table.state, player, bird, player_at, bird_at)


def _forced(state: State, player: Player, bird: Bird, player_at: str, bird_at: str) -> None:
    """The tenth pick was made with the ninth (rule 4): there is nothing to choose."""
    owner, last, _ = state.board.picks[-1]
    if player != owner:
        raise Fault(player_at, _anothers_turn(owner))
    if bird is not last:
        raise Fault(bird_at, _words("bird-taken" if bird in DRAFTED else "bird-undrafted"))


def _actions(table: _Table, actions: Json, at: str) -> None:
    """Rules 7 to 9; a record holds valid actions only."""
    board = table.state.board
    owners = {bird: player for player, bird, _ in board.picks}
    sent: dict[Player, list[tuple[Bird, Target]]] = {player: [] for player in PLAYERS}
    for name, value in actions.items():
        where = key(at, name)
        bird = fields.bird(name, where)
        if bird not in owners:
            raise Fault(where, _words("bird-undrafted"))
        target = fields.target(value, where)
        code = refused(bird, target, board.revealed)
        if code is not None:
            way = "bird" if isinstance(target, Bird) else "seat"
            raise Fault(where if code == "takes-no-target" else key(where, way), _words(code))
        sent[owners[bird]].append((bird, target))
    moves = {
        player: Actions(tuple(sorted(errands, key=lambda errand: RULEBOOK[errand[0]])))
        for player, errands in sent.items()
    }
    tells = table.close(moves)
    answers = [tell.fact for tell in tells if isinstance(tell.fact, facts.NightTold)]
    responses = {response.bird.value: response.text for fact in answers for response in fact.responses}
    assert board.first is not None, "a night has been drafted for"
    table.steps.append(
        {
            "night": [board.round, board.night],
            "first": table.players[board.first],
            "responses": responses,
            "scores": table.scores(),
        }
    )


def _period(table: _Table, period: Json, at: str) -> None:
    """Rules 16 to 19."""
    board = table.state.board
    moves: dict[Player, Guess] = {}
    for player, value in enumerate(period.values()):
        where = key(at, table.players[player])
        guess = fields.guess_or_none(value, where)
        if guess is None:
            continue
        refusal = check(view(table.state, player), guess)
        if refusal is not None:
            raise Fault(key(where, "seat" if refusal.code == "seat-revealed" else "bird"), _words(refusal.code))
        moves[player] = guess
    tells = table.close(moves)
    deltas = {tell.to: tell.fact.delta for tell in tells if isinstance(tell.fact, facts.GuessTold)}
    table.steps.append(
        {
            "guesses": [board.round, board.night, board.period],
            "deltas": {name: deltas[player] for player, name in enumerate(table.players)},
            "scores": table.scores(),
        }
    )
