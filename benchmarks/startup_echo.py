"""An echo bot of ``telegram.ext`` as a function behind the same webhook: it answers a press with what the button says.
It has no store, and its token is in its environment.
"""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

from telegram import Update
from telegram.ext import Application, CallbackQueryHandler, ContextTypes


async def echo(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
    """Answer a press."""
    query = update.callback_query
    assert query is not None
    await query.answer(query.data)


loop = asyncio.new_event_loop()
application = (
    Application.builder()
    .token(os.environ["TELEGRAM_TOKEN"])
    .base_url(f"{os.environ['TELEGRAM_API']}/bot")
    .updater(None)
    .build()
)
application.add_handler(CallbackQueryHandler(echo))
loop.run_until_complete(application.initialize())


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    """Take in an update (API Gateway, payload format 2.0)."""
    update = Update.de_json(json.loads(event["body"]), application.bot)
    loop.run_until_complete(application.process_update(update))
    return {"statusCode": 200, "headers": {"content-type": "text/plain"}, "body": "", "isBase64Encoded": False}
