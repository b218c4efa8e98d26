"""``python -m handler.play``: the local table on 127.0.0.1, port PORT (8080)."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time

from handler import logs
from handler.wiring import STATE_TROUBLE, local_table, state_folder, trouble, writable
from handler.words import plain
from infra.local.lock import AlreadyOpen
from infra.local.table import PortTaken


def play() -> int:
    """Lay the table and keep it until Ctrl+C, SIGTERM, or the terminal is closed. The exit status."""
    logs.install()
    given = os.environ.get("PORT") or "8080"
    if not (given.isdecimal() and int(given) < 65536):
        print(plain("operator.play.bad_port", port=given), file=sys.stderr)
        return 2
    logging.getLogger("werkzeug").setLevel(logging.WARNING)  # not a line for every update
    folder = state_folder("play")
    try:
        _close_as_by_hand(signal.SIGTERM, signal.SIGHUP)
        with local_table(writable(folder), int(given)) as table:
            print(plain("operator.play.ready", address=table.address), flush=True)
            while True:  # not one wait without an end: a signal on its very threshold would not end it
                time.sleep(1)
    except (AlreadyOpen, PortTaken) as error:
        print(error, file=sys.stderr)
        return 1
    except STATE_TROUBLE as error:
        print(trouble(folder, error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


def _close_as_by_hand(*signals: signal.Signals) -> None:
    """Let signals do what Ctrl+C does, but for one that is ignored (``nohup``)."""
    for number in signals:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


if __name__ == "__main__":
    sys.exit(play())
