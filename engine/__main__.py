"""``python3 -m engine``: judge lines, replay a record, verify a record's deals and lots (``docs/records.md``)."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from engine.adjudicator import KINDS, adjudicate
from engine.documents import failure, replay, verify
from engine.reading import Fault, NotJson, canonical, parse

FINE: Final = 0
AT_FAULT: Final = 1
UNREADABLE: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status: 0 fine, 1 something judged to be wrong, 2 nothing to judge or nowhere to
    answer.
    """
    chosen = _parser().parse_args(arguments)
    if sys.stdout is None or (chosen.command == "adjudicate" and sys.stdin is None):
        print("standard input or output is closed", file=sys.stderr)
        return UNREADABLE
    try:
        match chosen.command:
            case "adjudicate":
                return _adjudicate()
            case "replay":
                return _judge(chosen.file, replay)
            case _:
                return _judge(chosen.file, lambda document: verify(document, chosen.commitment))
    except BrokenPipeError:  # whoever read the answers has gone
        _silence()
        return AT_FAULT
    except OSError as error:
        print(f"cannot go on: {error.strerror}", file=sys.stderr)
        _silence()
        return UNREADABLE


def _silence() -> None:
    """Keep Python from complaining once more when it flushes standard output at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m engine", description="The rules of Raven & Dog at work.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser(
        "adjudicate",
        help="judge what was played by hand, one JSON object a line from standard input",
        description=f"Kinds: {', '.join(KINDS)}. Exit status 1 if any line could not be judged.",
    )
    replayed = commands.add_parser("replay", help="play a record again and check every choice in it")
    verified = commands.add_parser("verify", help="as replay, and check that every deal and lot follows from the seed")
    for command in (replayed, verified):
        command.add_argument("file", type=Path, metavar="FILE", help="the record of a match or an episode, in JSON")
    verified.add_argument(
        "--commitment",
        action="append",
        default=[],
        metavar="HEX",
        help="what was posted when the match began; of an episode twice, the main match's before the Death Match's",
    )
    return parser


def _adjudicate() -> int:
    status = FINE
    for answer, judged in adjudicate(sys.stdin.buffer):
        print(answer, flush=True)
        if not judged:
            status = AT_FAULT
    return status


def _judge(file: Path, judge: Callable[[Any], dict[str, Any]]) -> int:
    try:
        raw = file.read_bytes()
    except (OSError, ValueError) as error:
        print(f"{file}: cannot be read: {error}", file=sys.stderr)
        return UNREADABLE
    try:
        result = judge(_document(raw))
    except Fault as fault:
        result = failure(fault)
    print(canonical(result), flush=True)
    return FINE if result["ok"] else AT_FAULT


def _document(raw: bytes) -> Any:
    try:
        return parse(raw)
    except NotJson as error:
        raise Fault("format", str(error)) from None


if __name__ == "__main__":
    sys.exit(main())
