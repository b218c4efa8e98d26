"""What the judge says of what somebody reads who may not."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.simulation.calm import PROCESS, duel, evening
from tests.simulation.edits import edited, with_events
from tests.simulation.judge.secrets import check
from tests.simulation.trace import Call, Event, Logged, Pressed, Stored, Struck, Trace

KEY = "123456:a-token-that-nobody-may-read"


def whys(trace: Trace) -> list[str]:
    return [offence.why for offence in check(trace)]


def seed(trace: Trace) -> str:
    [match] = trace.latest.values()
    assert match.seed is not None
    return match.seed


def group(trace: Trace) -> int:
    return next(call.chat for call in trace.of(Call) if "The match begins" in call.text and call.chat is not None)


def reader(trace: Trace, word: str) -> int:
    return next(user for user, known in trace.words.items() if known == word)


def also(trace: Trace, *events: Event) -> Trace:
    return with_events(trace, [*trace.events, *events])


def send(trace: Trace, chat: int, text: str, **params: Any) -> Call:
    """A message that the bot sends at the end of a match, before its record."""
    at = next(call.at for call in trace.of(Call) if call.method == "sendDocument") - 0.1
    return Call(at, PROCESS, "sendMessage", chat, {"chat_id": chat, "text": text, **params}, True, 200, 9999, text)


@pytest.mark.parametrize("trace", [duel(), evening()])
def test_nothing_leaks_in_a_calm_match(trace: Trace) -> None:
    assert not whys(trace)


# --- what is written ------------------------------------------------------------------------------


def to_another(words: str, word: str) -> Callable[[Call], Sequence[Event]]:
    """A private message goes to somebody else as well."""

    def sent(call: Call) -> Sequence[Event]:
        return (call, replace(call, chat=other)) if words in call.text and call.chat == mine else (call,)

    mine, other = reader(duel(), word), next(user for user, known in duel().words.items() if known != word)
    return sent


@pytest.mark.parametrize("words", ["Between you and me: the", "You were told in private: the", "Your choice: Owl"])
def test_a_bird_that_ada_named_is_hers_alone(words: str) -> None:
    assert any("none of theirs" in why for why in whys(edited(duel(), Call, to_another(words, "Ada"))))


def test_a_response_is_read_by_nobody_else() -> None:
    text = "• Hawk → seat 3: Yes\n"
    trace = duel()
    for chat in (group(trace), reader(trace, "Bruno")):
        assert whys(also(trace, send(trace, chat, f"What your birds heard in Night 1:\n{text}")))


@pytest.mark.parametrize(
    "text",
    [
        "Your hand: 1, 2, 3\nYour VP: Charge Tower 0 · Remove One 0 · Median Meridian 0",
        "Your hand: 1, 2, 3, 4, 5, 6, 7\nYour VP: Charge Tower 4 · Remove One 0 · Median Meridian 0",
        "Your play: 5 on Charge Tower and Remove One.",
        "You played 5 on Charge Tower and Remove One.",
        "As it stands, you play 5 on Charge Tower and Remove One. That counts until you confirm something else.",
    ],
)
def test_what_nobody_holds_or_has_played_is_nobodys_to_read(text: str) -> None:
    trace = evening()
    for chat in (group(trace), reader(trace, "Ada")):
        assert whys(also(trace, send(trace, chat, text)))


def test_a_toast_about_somebody_elses_guess() -> None:
    trace = duel()
    press = next(press for press in trace.of(Pressed) if press.user == reader(trace, "Bruno"))
    params = {"callback_query_id": press.query, "text": "Locked in: seat 5 is the Hawk."}
    toast = Call(press.at, PROCESS, "answerCallbackQuery", None, params, True, 200)
    assert whys(also(trace, toast))


def test_scorers_in_another_order() -> None:
    """All the more where it is the order of what they scored."""

    def turned(call: Call) -> Sequence[Event]:
        lines = [_turned(line) for line in call.text.split("\n")] if "Who scored:" in call.text else []
        return (replace(call, text="\n".join(lines)) if lines else call,)

    assert any("'round resolved'" in why for why in whys(edited(evening(), Call, turned)))


def _turned(line: str) -> str:
    event, colon, names = line.partition(": ")
    return event + colon + ", ".join(names.split(", ")[::-1]) if line.startswith("• ") else line


def test_what_is_told_to_all_is_told_at_the_table_alone() -> None:
    trace = duel()
    text = next(call.text for call in trace.of(Call) if "wins the duel" in call.text)
    assert whys(also(trace, send(trace, reader(trace, "Bruno"), text)))
    assert whys(also(trace, send(trace, -4242, text)))


@pytest.mark.parametrize(("data", "open_"), [("sh", True), ("s+", True), ("sg5h", False), ("l", False), ("m5h", False)])
def test_buttons_in_the_group_are_for_open_moves(data: str, open_: bool) -> None:
    trace = duel()
    [match] = trace.latest
    markup = {"inline_keyboard": [[{"text": "Press", "callback_data": f"{match}:3:{data}"}]]}
    assert bool(whys(also(trace, send(trace, group(trace), "A board", reply_markup=markup)))) is not open_


# --- seeds, keys, moves ---------------------------------------------------------------------------


def ways(seed: str) -> list[str]:
    raw = bytes.fromhex(seed)
    return [seed, seed.upper(), f"x{seed[20:36]}y", b64encode(raw).decode(), raw.decode("latin-1")]


@pytest.mark.parametrize("way", range(5))
def test_the_seed_in_a_call_or_a_log_line(way: int) -> None:
    trace = duel()
    text = ways(seed(trace))[way]
    assert any("seed" in why for why in whys(also(trace, send(trace, group(trace), text))))
    assert any("seed" in why for why in whys(also(trace, Logged(trace.events[-1].at, "WARNING", text))))


def test_once_the_record_is_there_its_seed_is_everybodys_but_for_the_log() -> None:
    trace = duel()
    late = replace(send(trace, group(trace), seed(trace)), at=trace.events[-1].at + 1)
    assert not whys(also(trace, late))


def test_keys() -> None:
    trace = with_events(duel(), duel().events)
    trace.secrets.append(KEY)
    assert not whys(trace)
    assert whys(also(trace, send(trace, group(trace), f"It is {KEY}.")))
    assert whys(also(trace, Logged(trace.events[-1].at, "ERROR", f'{{"url": "/bot{KEY}/getMe"}}')))


@pytest.mark.parametrize(("line", "secret"), [("sealed ?o", True), ("sealed ?p", False), ("phase 12", False)])
def test_a_sealed_move_in_a_log_line(line: str, secret: bool) -> None:
    trace = duel()
    assert bool(whys(also(trace, Logged(trace.events[-1].at, "WARNING", line)))) is secret


# --- the board ------------------------------------------------------------------------------------


def test_a_board_that_changes_because_somebody_sealed() -> None:
    """The first edit is for all that has happened since the board was sent; the second for what comes between them."""
    trace = duel()
    board = next(call for call in trace.of(Call) if "Private reveals." in call.text and call.chat == group(trace))
    at = trace.events[-1].at + 20
    opened = next(write for write in trace.of(Stored) if write.after.stage == "playing").after
    edits = [replace(board, at=at + number, method="editMessageText") for number in (0, 10)]
    sealed = Stored(at + 9, PROCESS, at + 9, "commit", opened, replace(opened, box={0: ("?h", True)}, news=99))
    granted = Stored(at + 9, PROCESS, at + 9, "commit", opened, replace(opened, deadline=at + 60))
    renamed = tuple(seat and replace(seat, name="Mallory") for seat in opened.seats)
    named = Stored(at + 9, PROCESS, at + 9, "commit", opened, replace(opened, seats=renamed, news=99))
    slow = Struck(at + 9, "store slow", PROCESS)
    assert any("the board" in why for why in whys(_in_time(trace, sealed, *edits)))
    assert any("the board" in why for why in whys(_in_time(trace, named, *edits)))
    assert not any("the board" in why for why in whys(_in_time(trace, granted, *edits)))
    assert not any("the board" in why for why in whys(_in_time(trace, sealed, slow, *edits)))


def _in_time(trace: Trace, *events: Event) -> Trace:
    return with_events(trace, sorted([*trace.events, *events], key=lambda event: event.at))


@pytest.mark.parametrize("besides", [" It was the Hawk.", " (2)", " Against \u2068Ada\u2069.", " From Charge Tower."])
def test_an_announcement_with_more_in_it_than_its_fact(besides: str) -> None:
    def more(call: Call) -> Sequence[Event]:
        return (replace(call, text=call.text + besides) if "picks first (ruling" in call.text else call,)

    assert any("besides" in why for why in whys(edited(duel(), Call, more)))
