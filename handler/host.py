"""``python -m handler.host``: the bot for real, by long polling, with TELEGRAM_TOKEN.

TELEGRAM_API is the Bot API's address up to the token, for a Bot API server of one's own or the stand-in.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import Any

from handler import logs
from handler.appearance import appearances
from handler.dispatch import handle_by_calls
from handler.intake import take
from handler.ports import TelegramError
from handler.table import Ports
from handler.updates import KINDS
from handler.wiring import STATE_TROUBLE, one_machine, state_folder, trouble, writable
from handler.words import plain
from infra.clock import SystemClock
from infra.local.lock import AlreadyOpen, alone
from infra.local.pace import Pace
from infra.local.polling import poll
from infra.operator.bot import OperatorsBot
from infra.operator.tokens import is_token, unlogged
from infra.telegram import ADDRESS, BotTelegram
from infra.telegram_errors import BadToken


def host() -> int:
    """Host until Ctrl+C or SIGTERM. The exit status."""
    logs.install()
    token = os.environ.get("TELEGRAM_TOKEN", "").strip()
    if not token:
        return _fail(2, plain("operator.host.no_token"))
    if not is_token(token):
        return _fail(2, plain("operator.wrong_use.token"))
    telegram = OperatorsBot(token, os.environ.get("TELEGRAM_API", ADDRESS))
    folder = state_folder("host")
    try:
        with alone(writable(folder)):
            with unlogged():
                telegram.delete_webhook()
                telegram.show(appearances())
                username = telegram.me().username
            with one_machine(folder, telegram, SystemClock(), Pace().turn) as ports:
                print(plain("operator.host.ready", username=username), flush=True)
                poll(partial(_fetch, telegram), partial(_take, ports))
    except AlreadyOpen:
        return _fail(1, plain("operator.host.already", folder=str(folder)))
    except BadToken:
        return _fail(1, plain("operator.host.bad_token"))
    except STATE_TROUBLE as error:
        return _fail(1, trouble(folder, error))
    except TelegramError:
        return _fail(1, plain("operator.host.offline"))
    return 0


def _fetch(telegram: BotTelegram, offset: int, wait: int) -> list[dict[str, Any]]:
    return telegram.updates(offset, wait, KINDS)


def _take(ports: Ports, update: dict[str, Any]) -> bool:
    return take(partial(handle_by_calls, ports), update).done


def _fail(status: int, why: str) -> int:
    print(why, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(host())
