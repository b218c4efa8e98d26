"""``python -m handler.play``: the local table on 127.0.0.1, port PORT (8080)."""

from __future__ import annotations

import logging
import os
import sys
import threading

from handler import logs
from handler.wiring import local_table, state_folder
from handler.words import plain
from infra.local.lock import AlreadyOpen
from infra.local.table import PortTaken
from infra.stores.schema import UnusableFile


def play() -> int:
    """Lay the table and keep it until Ctrl+C. The exit status."""
    logs.install()
    given = os.environ.get("PORT") or "8080"
    if not (given.isdecimal() and int(given) < 65536):
        print(plain("table.play.bad_port", port=given), file=sys.stderr)
        return 2
    logging.getLogger("werkzeug").setLevel(logging.WARNING)  # not a line for every update
    try:
        with local_table(state_folder("play"), int(given)) as table:
            print(plain("table.play.ready", address=table.address), flush=True)
            threading.Event().wait()
    except (AlreadyOpen, PortTaken, UnusableFile) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(play())
