"""A player's own panel again, when they ask for it."""

from __future__ import annotations

import logging
from dataclasses import replace

from engine.game import Player
from handler import people
from handler.logs import kind
from handler.match import Match
from handler.measures import measure
from handler.message import Message
from handler.noting import private_notes
from handler.player_telling import panel_shown
from handler.ports import Place, TelegramError
from handler.replies import reply
from handler.screening import board, panel
from handler.table import Ports, change
from handler.telling import adopt, settle
from handler.updates import Who
from handler.views import talk
from handler.views.layout import paragraphs

log = logging.getLogger(__name__)


def send_panel(ports: Ports, id: str, who: Who) -> bool:
    """Send a person the panel that they ask for, or say why there is none; False, and nothing said, if they have no
    seat in the match.
    """
    outcome = change(ports, id, lambda match: (people.found(match, who), None))
    settle(ports, outcome)
    match = None if outcome is None else outcome.match
    player = None if match is None else match.player(who.id)
    shown = None if match is None or player is None else panel(match, player)
    if match is None or player is None:
        return False
    if shown is None:
        over = match.stage in ("over", "cancelled")
        reply(ports, Place(who.id), talk.over_message() if over else _without_panel(ports, match, player))
    else:
        try:
            sent = ports.telegram.send(Place(who.id), shown)
        except TelegramError as error:
            measure("ApiErrors")
            log.warning("a panel was not delivered", extra={"match": id, "phase": match.number, **kind(error)})
        else:
            adopt(ports, id, player, panel_shown(match, player, sent))
    return True


def _without_panel(ports: Ports, match: Match, player: Player) -> Message:
    """In a turn the choice is under the board; in practice that is here, so it is shown again. Else there is at least
    the notebook to look into.
    """
    if match.phase is None or player not in match.phase.active:
        return _with_notes(match, player, talk.waiting(match.title))
    if match.place.chat == match.users[0]:
        return board(match, ports.telegram.me().username)[1]
    return _with_notes(match, player, talk.your_turn(match.title))


def _with_notes(match: Match, player: Player, message: Message) -> Message:
    if match.record is None:
        return message
    notes = private_notes(match, player)
    return replace(notes, text=paragraphs(message.text, notes.text))
