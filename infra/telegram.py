"""The Bot API by python-telegram-bot: one Bot on one event loop, in a thread of its own."""

from __future__ import annotations

import asyncio
import html
import json
import logging
import math
import re
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from importlib.util import find_spec
from threading import Thread
from time import monotonic
from typing import Any, Final, TypeVar
from urllib.parse import urlencode, urlsplit

import httpx
from markupsafe import Markup
from telegram import (
    Bot,
    ChatMemberRestricted,
    InputMediaPhoto,
    LinkPreviewOptions,
)
from telegram import Message as Sent
from telegram.constants import ParseMode
from telegram.error import TelegramError as BotError
from telegram.request import HTTPXRequest

from handler.message import Keyboard, Message, inline
from handler.ports import Me, NotSent, Place, Uncertain
from infra.telegram_errors import (
    AlreadySo,
    BadToken,
    Illegible,
    Stranger,
    TopicLost,
    Unconnected,
    meaning,
)

ADDRESS = "https://api.telegram.org"

CONNECT, READ, WRITE, POOL = 5.0, 10.0, 10.0, 5.0
"""Seconds that each part of a call may take. A part is a single read or write, hence the limit below."""

LONGEST_CALL = 9.0
"""Seconds that a call may take in all, second attempt included and however busily the server answers. Less than half of
a lease on telling (``handler.table``), so that nobody takes over from a teller who is only waiting for an answer.
"""

CONNECTIONS = 300
"""More than a process's calls at once: none shall wait for another's connection. At Telegram's own pace that is what
begins within :data:`LONGEST_CALL`, and the answers to presses beside it.
"""

_NO_PREVIEW: Final = LinkPreviewOptions(is_disabled=True)

T = TypeVar("T")

logger = logging.getLogger(__name__)


class BotTelegram:
    """A :class:`handler.ports.Telegram`, and what a self-hosted bot needs besides. For any number of threads.

    What surely did not reach Telegram is tried a second time at once, and so is what may come twice (all but new
    messages) after any failure of network or server; nothing else is.
    """

    def __init__(self, token: str, address: str = ADDRESS, transport: httpx.AsyncBaseTransport | None = None) -> None:
        """``transport`` carries the requests in place of the network, for a stand-in in the same process."""
        _keep_secrets()
        _note_absence()
        # No proxy stands between this process and a server on the same machine.
        here = urlsplit(address).hostname in ("127.0.0.1", "::1", "localhost")
        self._request = HTTPXRequest(
            connection_pool_size=CONNECTIONS,
            connect_timeout=CONNECT,
            read_timeout=READ,
            write_timeout=WRITE,
            pool_timeout=POOL,
            media_write_timeout=WRITE,
            httpx_kwargs={"trust_env": not here, "transport": transport},
        )
        # One for both: a second would build another SSL context, and the Bot's own getUpdates is not used.
        self._bot = Bot(token, f"{address}/bot", request=self._request, get_updates_request=self._request)
        self._me: Me | None = None
        self._until = math.inf
        self._legible = True
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="telegram", daemon=True)
        self._thread.start()

    def until(self, moment: float) -> None:
        """Let no call last beyond ``moment`` on the monotonic clock: one that might is not begun and raises NotSent."""
        self._until = moment

    def close(self) -> None:
        """Close the connections and end the thread. Calls that are running (a long poll) raise CancelledError."""
        asyncio.run_coroutine_threadsafe(self._end_calls(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end_calls(self) -> None:
        running = asyncio.all_tasks() - {asyncio.current_task()}
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._request.shutdown()

    # --- what the handler uses --------------------------------------------------------------------

    def me(self) -> Me:
        if self._me is None:
            user = self._call(None, self._bot.get_me)
            self._me = Me(user.id, user.username or "")
        return self._me

    def send(self, place: Place, message: Message, *, quiet: bool = False) -> int:
        def send(topic: int | None, text: str, mode: str | None) -> Awaitable[Sent]:
            return self._bot.send_message(
                place.chat,
                text,
                mode,
                message_thread_id=topic,
                api_kwargs=_buttons(message.keyboard),
                link_preview_options=_NO_PREVIEW,
                disable_notification=quiet,
            )

        return self._post(place, message.text, send)

    def document(self, place: Place, name: str, content: bytes, caption: Message) -> int:
        def send(topic: int | None, text: str, mode: str | None) -> Awaitable[Sent]:
            return self._bot.send_document(
                place.chat,
                content,
                filename=name,
                caption=text,
                parse_mode=mode,
                message_thread_id=topic,
                api_kwargs=_buttons(caption.keyboard),
            )

        return self._post(place, caption.text, send)

    def photo(self, place: Place, picture: bytes, caption: Message, *, quiet: bool = False) -> int:
        def send(topic: int | None, text: str, mode: str | None) -> Awaitable[Sent]:
            return self._bot.send_photo(
                place.chat,
                picture,
                filename="picture.png",
                caption=text,
                parse_mode=mode,
                message_thread_id=topic,
                api_kwargs=_buttons(caption.keyboard),
                disable_notification=quiet,
            )

        return self._post(place, caption.text, send)

    def edit_photo(self, chat: int, message_id: int, picture: bytes, caption: Message) -> None:
        def edit(text: str, mode: str | None) -> Awaitable[Sent | bool]:
            return self._bot.edit_message_media(
                InputMediaPhoto(picture, text, mode, filename="picture.png"),
                chat,
                message_id,
                api_kwargs=_buttons(caption.keyboard),
            )

        try:
            self._legibly(chat, caption.text, edit, self._limit())
        except AlreadySo:
            return

    def edit(self, chat: int, message_id: int, message: Message) -> None:
        def edit(text: str, mode: str | None) -> Awaitable[Sent | bool]:
            return self._bot.edit_message_text(
                text,
                chat,
                message_id,
                parse_mode=mode,
                api_kwargs=_buttons(message.keyboard),
                link_preview_options=_NO_PREVIEW,
            )

        try:
            self._legibly(chat, message.text, edit, self._limit())
        except AlreadySo:
            return

    def answer(self, query_id: str, text: str = "", *, alert: bool = False, url: str | None = None) -> bool:
        answer = partial(self._bot.answer_callback_query, query_id, text or None, show_alert=alert, url=url)
        try:
            return self._call(None, answer) and self._legible
        except AlreadySo:
            return False

    def pin(self, chat: int, message_id: int) -> None:
        self._call(chat, partial(self._bot.pin_chat_message, chat, message_id, disable_notification=True))

    def member(self, chat: int, user: int) -> str:
        try:
            member = self._call(chat, partial(self._bot.get_chat_member, chat, user))
        except Stranger:
            return "left"
        if isinstance(member, ChatMemberRestricted) and not member.is_member:
            return "left"  # what they may do stays restricted after they have gone
        return str(member.status)

    # --- what a self-hosted bot uses --------------------------------------------------------------

    def delete_webhook(self) -> None:
        """deleteWebhook: updates that wait stay and are fetched instead."""
        self._call(None, self._bot.delete_webhook)

    def updates(self, offset: int, wait: int, kinds: Sequence[str]) -> list[dict[str, Any]]:
        """getUpdates as raw Update objects, from update_id ``offset`` on, which confirms those before.

        If there are none it waits for up to ``wait`` seconds. ``kinds`` are the allowed_updates. Raises Contested too.
        """

        async def fetch() -> bytes:
            # Not the Bot's own method: there one update that the library cannot read would block all the others.
            query = urlencode({"offset": offset, "timeout": wait, "allowed_updates": json.dumps(list(kinds))})
            return await self._request.retrieve(f"{self._bot.base_url}/getUpdates?{query}", read_timeout=wait + READ)

        answer = self._once(None, fetch, wait + LONGEST_CALL)
        try:
            updates = json.loads(answer)["result"]
        except (ValueError, KeyError, TypeError):
            updates = None
        if not isinstance(updates, list):
            raise Uncertain("the answer cannot be read")
        return updates

    # --- how calls are made -----------------------------------------------------------------------

    def _post(self, place: Place, text: Markup, send: Callable[[int | None, str, str | None], Awaitable[Sent]]) -> int:
        """Send to the place, or to its chat if the topic is lost. Returns the message_id."""
        until = self._limit()
        try:
            sent = self._legibly(place.chat, text, partial(send, place.topic), until, repeatable=False)
        except TopicLost:
            if place.topic is None:
                raise
            sent = self._legibly(place.chat, text, partial(send, None), until, repeatable=False)
        return sent.message_id

    def _legibly(
        self,
        chat: int,
        text: Markup,
        write: Callable[[str, str | None], Awaitable[T]],
        until: float,
        *,
        repeatable: bool = True,
    ) -> T:
        """Make a call with the text in HTML or, if Telegram cannot read that, plain."""
        try:
            return self._call(chat, partial(write, str(text), ParseMode.HTML), until, repeatable=repeatable)
        except Illegible:
            self._legible = False  # a call tries again without the HTML, the webhook's answer could not
            logger.error("Telegram cannot read a message's HTML; it is sent as plain text")
            return self._call(chat, partial(write, _plain(text), None), until, repeatable=repeatable)

    def _call(
        self,
        chat: int | None,
        call: Callable[[], Awaitable[T]],
        until: float | None = None,
        *,
        repeatable: bool = True,
    ) -> T:
        """Make a call, a second time at once where that may help, all by ``until`` on the monotonic clock."""
        until = until or self._limit()
        try:
            return self._once(chat, call, until - monotonic())
        except BadToken:
            raise
        except Unconnected:
            pass
        except (NotSent, Uncertain):
            if not repeatable:
                raise
        return self._once(chat, call, until - monotonic())

    def _limit(self) -> float:
        """When a call that begins now has ended at the latest, on the monotonic clock."""
        limit = monotonic() + LONGEST_CALL
        if limit > self._until:
            raise NotSent("no time is left")
        return limit

    def _once(self, chat: int | None, call: Callable[[], Awaitable[T]], limit: float) -> T:
        async def within_limit() -> T:
            async with asyncio.timeout(limit):
                return await call()

        # The originals are not chained: they may quote the server's answer, and with it what was sent.
        try:
            return asyncio.run_coroutine_threadsafe(within_limit(), self._loop).result()
        except BotError as error:
            named = meaning(error, chat)
        except TimeoutError:
            named = Uncertain("no whole answer in time")
        except (KeyError, TypeError, ValueError, AttributeError):
            named = Uncertain("the answer cannot be read")
        if isinstance(named, BadToken):
            logger.error("Telegram does not know the bot's token")
        raise named


def _buttons(keyboard: Keyboard) -> dict[str, Any]:
    """The buttons as a call's further parameters, in the words of the Bot API (InlineKeyboardMarkup): the library's own
    objects would be built only to be taken apart again, which takes a tenth of the call.
    """
    if not keyboard:
        return {}
    return {"reply_markup": inline(keyboard)}


def _plain(text: Markup) -> str:
    """The text without tags. (Markup.striptags would join its lines.)"""
    return html.unescape(re.sub(r"<[^>]*>", "", str(text)))


def _note_absence() -> None:
    """Let Python remember that sniffio is not installed, if so. httpcore tries to import it several times a call, and
    would look for it in all of sys.path each time (https://github.com/encode/httpcore/pull/1103).
    """
    if find_spec("sniffio") is None:
        sys.modules["sniffio"] = None  # type: ignore[assignment]  # as Python has it for what is not to be found


def _keep_secrets() -> None:
    """Quieten the libraries: httpx logs addresses, which hold the token, and python-telegram-bot whole messages."""
    logging.getLogger("httpx").setLevel(logging.WARNING)
    logging.getLogger("httpcore").setLevel(logging.WARNING)
    logging.getLogger("telegram").setLevel(logging.CRITICAL)
