"""Many updates in the same instant, each on a connection of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from threading import Barrier, Thread
from typing import Any

from handler.dispatch import handle
from handler.webhook import SECRET_HEADER, make_app
from tests.flows.house import SECRET, Flow, taken


def at_once(bot: Flow, updates: Sequence[Any]) -> None:
    """Each update on a thread and a connection of its own, all let go in the same moment."""
    app = make_app(partial(handle, bot.ports), SECRET)
    gate, statuses = Barrier(len(updates)), []

    def post(update: Any) -> None:
        client = app.test_client()
        gate.wait()
        response = client.post("/telegram", json=update, headers={SECRET_HEADER: SECRET})
        statuses.append(taken(bot.world, response))

    threads = [Thread(target=post, args=(update,)) for update in updates]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * len(updates)
    for update in updates:
        bot.world.acknowledge(update["update_id"])


def pressed(bot: Flow, user: int, panel: int, data: str) -> list[Any]:
    """The update of a press that nobody has delivered yet."""
    bot.world.people.press(user, user, panel, data)
    return bot.world.pending()[-1:]
