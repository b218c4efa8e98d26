"""The bot's way to Telegram: its own client (:class:`infra.telegram.BotTelegram`) on a line where a call may be slow,
refused, cut off or left without an answer, before or after it was done.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final, NoReturn, TypeVar

from handler.aws import RESERVE
from handler.message import Message
from handler.ports import Me, NotSent, Place, TelegramError
from infra.telegram import LONGEST_CALL, BotTelegram
from tests.simulation.processes import Process
from tests.simulation.transport import Transport
from tests.simulation.weather import Weather

SLOW: Final = (1.0, 8.0)
"""Seconds that a slow call takes on both ways together."""

T = TypeVar("T")


class Line:
    """A process's :class:`handler.ports.Telegram`. While a call is under way, others go on."""

    def __init__(
        self,
        process: Process,
        bot: BotTelegram,
        transport: Transport,
        weather: Weather,
        random: Random,
        update_of: Callable[[str], str],
    ) -> None:
        """``bot`` is this process's alone; ``update_of`` says in which update a callback query came."""
        self._process = process
        self._bot = bot
        self._transport = transport
        self._weather = weather
        self._random = random
        self._update_of = update_of
        self._me: Me | None = None

    def me(self) -> Me:
        if self._me is None:
            self._me = self._call("getMe", "", self._bot.me, changes=False)
        return self._me

    def send(self, place: Place, message: Message, *, quiet: bool = False) -> int:
        return self._call("sendMessage", str(place.chat), lambda: self._bot.send(place, message, quiet=quiet))

    def edit(self, chat: int, message_id: int, message: Message) -> None:
        self._call("editMessageText", str(chat), lambda: self._bot.edit(chat, message_id, message))

    def answer(self, query_id: str, text: str = "", *, alert: bool = False, url: str | None = None) -> bool:
        return self._call(
            "answerCallbackQuery",
            self._update_of(query_id),
            lambda: self._bot.answer(query_id, text, alert=alert, url=url),
        )

    def pin(self, chat: int, message_id: int) -> None:
        self._call("pinChatMessage", str(chat), lambda: self._bot.pin(chat, message_id))

    def document(self, place: Place, name: str, content: bytes, caption: Message) -> int:
        return self._call("sendDocument", str(place.chat), lambda: self._bot.document(place, name, content, caption))

    def photo(self, place: Place, picture: bytes, caption: Message, *, quiet: bool = False) -> int:
        return self._call("sendPhoto", str(place.chat), lambda: self._bot.photo(place, picture, caption, quiet=quiet))

    def edit_photo(self, chat: int, message_id: int, picture: bytes, caption: Message) -> None:
        self._call("editMessageMedia", str(chat), lambda: self._bot.edit_photo(chat, message_id, picture, caption))

    def member(self, chat: int, user: int) -> str:
        return self._call("getChatMember", str(chat), lambda: self._bot.member(chat, user), changes=False)

    def _call(self, name: str, about: str, call: Callable[[], T], *, changes: bool = True) -> T:
        process = self._process
        until = process.until
        # As BotTelegram.until has it, whose clock is the wall's.
        if until is not None and process.scheduler.now + LONGEST_CALL + RESERVE > until:
            raise NotSent("no time is left")
        there = back = 0.0
        if self._weather.strikes("telegram slow", process.number, about):
            slow = self._random.uniform(*SLOW)
            there = self._random.uniform(0, slow)
            back = slow - there
        process.pause(there)

        def carry_out() -> tuple[Callable[[], T], float]:
            return self._transport.exchange(process.number, about, LONGEST_CALL - there, partial(_outcome, call))

        if changes:
            outcome, spent = process.effect(name, about, carry_out)
        else:
            outcome, spent = carry_out()
        process.pause(min(spent + back, LONGEST_CALL - there))
        return outcome()


def _outcome(call: Callable[[], T]) -> Callable[[], T]:
    """What comes of a call, to be had later."""
    try:
        result = call()
    except TelegramError as error:
        return partial(_fail, error)
    return lambda: result


def _fail(error: TelegramError) -> NoReturn:
    raise error
