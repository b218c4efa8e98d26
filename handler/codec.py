"""A match and its telling as the JSON that stores keep. Short keys: an item is paid for by its size."""

from __future__ import annotations

import json
from typing import Any

from engine.record import Record, Setup
from handler.match import Leaving, Made, Match, Notice, Parted, Person, Sealed
from handler.ports import Place
from handler.recent import RecentRecords
from handler.screens import Cursor, Panel, Screen, Shown, Telling
from handler.steps import write_step
from handler.words import DEFAULT

_RECENT = RecentRecords()


def write_match(match: Match) -> str:
    """The body of a match's item."""
    return _dumps(
        {
            "place": _place(match.place),
            "title": match.title,
            "game": match.game,
            "host": [match.host, match.host_name],
            "stage": match.stage,
            "pace": match.pace,
            "seats": [None if who is None else list(vars(who).values()) for who in match.seats],
            "opened": match.opened,
            "deadline": match.deadline,
            "asked": match.asked,
            "record": None if match.record is None else _record(match.record),
            "box": {str(player): _sealed(sealed) for player, sealed in sorted(match.box.items())},
            "reminded": match.reminded,
            "notices": [[notice.step, notice.key, dict(notice.args), notice.to] for notice in match.notices],
            "consent": match.consent,
            "update": match.update,
            "gone": match.gone,
            "declined": match.declined,
            "language": match.language,
            "follows": match.follows,
            "kept": [None if who is None else [who.user, who.name] for who in match.kept],
            "paused": match.paused,
            "extended": [match.extended, match.lent],
            "typed": match.typed,
            "leaving": {str(player): list(vars(each).values()) for player, each in sorted(match.leaving.items())},
            "former": match.former,
            "parted": [list(vars(each).values()) for each in match.parted],
        }
    )


def read_match(id: str, body: str) -> Match:
    """The match in an item's body."""
    data = json.loads(body)
    chat, topic = data["place"]
    return Match(
        id=id,
        place=Place(chat, topic),
        title=data["title"],
        game=data["game"],
        host=data["host"][0],
        host_name=data["host"][1],
        stage=data["stage"],
        pace=data["pace"],
        seats=tuple(None if who is None else Person(*who) for who in data["seats"]),
        opened=data["opened"],
        deadline=data["deadline"],
        asked=tuple(data["asked"]),
        record=None if data["record"] is None else _read_record(data["record"]),
        box={int(player): _read_sealed(*sealed) for player, sealed in data["box"].items()},
        reminded=data["reminded"],
        notices=tuple(Notice(step, key, tuple(args.items()), to) for step, key, args, to in data["notices"]),
        consent=None if data["consent"] is None else tuple(data["consent"]),
        update=data["update"],
        gone=data["gone"],
        declined=data.get("declined", False),
        language=data.get("language", DEFAULT),
        follows=data.get("follows"),
        kept=tuple(None if who is None else Person(*who) for who in data.get("kept", ())),
        paused=data.get("paused"),
        extended=data.get("extended", (0, 0))[0],
        lent=data.get("extended", (0, 0))[1],
        typed=tuple(data.get("typed", ())),
        leaving={int(player): Leaving(*each) for player, each in data.get("leaving", {}).items()},
        former=tuple((user, player) for user, player in data.get("former", ())),
        parted=tuple(Parted(*each) for each in data.get("parted", ())),
    )


def write_telling(telling: Telling) -> str:
    """The telling of a match's item."""
    return _dumps(
        {
            "cursors": {address: [at.step, at.told] for address, at in sorted(telling.cursors.items())},
            "board": None if telling.board is None else list(vars(telling.board).values()),
            "panels": {str(player): list(vars(each).values()) for player, each in sorted(telling.panels.items())},
            "pins": telling.pins,
            "filed": telling.filed,
            "pictures": {address: list(vars(each).values()) for address, each in sorted(telling.pictures.items())},
            "photos": telling.photos,
            "counted": telling.counted,
            "parted": telling.parted,
            "sent": telling.sent,
            "holds": telling.holds,
            "failures": telling.failures,
        }
    )


def read_telling(text: str) -> Telling:
    """The telling in an item; an empty text is a telling that has not begun."""
    if not text:
        return Telling()
    data = json.loads(text)
    return Telling(
        cursors={address: Cursor(*at) for address, at in data["cursors"].items()},
        board=None if data["board"] is None else Screen(*data["board"]),
        panels={int(player): Panel(*each) for player, each in data["panels"].items()},
        pins=data["pins"],
        filed=data["filed"],
        pictures={address: Shown(*each) for address, each in data.get("pictures", {}).items()},
        photos=data.get("photos", True),
        counted=data.get("counted", False),
        parted=tuple(data.get("parted", ())),
        sent=tuple(data["sent"]),
        holds=data["holds"],
        failures=data["failures"],
    )


def _sealed(sealed: Sealed) -> list[Any]:
    made = [[each.update, each.text, each.final] for each in sealed.made]
    return [sealed.text, sealed.final, *([made, sealed.before, sealed.upto] if made else [])]


def _read_sealed(text: str | None, final: bool, made: Any = (), before: Any = (None, False), upto: int = 0) -> Sealed:
    return Sealed(text, final, tuple(Made(*each) for each in made), tuple(before), upto)


def _place(place: Place) -> list[int | None]:
    return [place.chat, place.topic]


def _record(record: Record) -> dict[str, Any]:
    setup = record.setup
    return {
        "game": setup.game,
        "rules": setup.rules,
        "seed": setup.seed,
        "steps": [write_step(step) for step in record.steps],
    }


def _read_record(data: dict[str, Any]) -> Record:
    setup = Setup(data["game"], data["rules"], data["seed"])
    return _RECENT.record(setup, data["steps"])


def _dumps(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
