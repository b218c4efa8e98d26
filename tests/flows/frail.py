"""The bot in a process that can be struck at any effect: a write to the store, a timer armed, a call to Telegram.

Whatever a test does, it does around an effect: let it happen, not, half, or something else in the middle of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from heapq import heappop
from typing import Any, TypeVar

from flask.testing import FlaskClient

from handler.dispatch import handle, nudge
from handler.message import Button, Message
from handler.ports import (
    Expelled,
    Item,
    Lease,
    MatchStore,
    Me,
    Migrated,
    PeopleStore,
    Place,
    Pointers,
    Refused,
    Result,
    StoreUnavailable,
    Telegram,
    TelegramError,
    Timers,
    Unreachable,
)
from handler.rates import GroupRates
from handler.table import Ports, move_overdue
from handler.webhook import make_app
from infra.local.botapi.errors import Refusal
from infra.local.botapi.methods import Upload
from infra.local.botapi.state import BOT_ID, BOT_USERNAME
from infra.local.botapi.world import World
from infra.stores.memory import MemoryStore
from infra.timers.local import AGAIN_AFTER, SWEEP_EVERY
from infra.together import at_once
from tests.drawn import sketch
from tests.flows.house import SECRET, CountingEntropy, ManualTimers, SideBySide
from tests.flows.patient import PatientFlow

SEED = bytes(range(32))

T = TypeVar("T")
Effect = Callable[[], T]


class Killed(BaseException):
    """The process is no more. No handler of errors gets to see it."""


class Around:
    """What happens around each effect; by itself nothing. ``effects`` are the names of all so far."""

    def __init__(self) -> None:
        self.effects: list[str] = []

    def __call__(self, name: str, effect: Effect[T]) -> T:
        """Carry out an effect."""
        self.effects.append(name)
        return self.carry_out(name, effect)

    def carry_out(self, name: str, effect: Effect[T]) -> T:
        """To be replaced by what a test does."""
        return effect()

    def read(self, request: Effect[T]) -> T:
        """What happens around a read of the store, which is no effect."""
        return request()


class Kill(Around):
    """The process is killed before its ``at``-th effect, counted from 1: after everything that came before."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def carry_out(self, name: str, effect: Effect[T]) -> T:
        if len(self.effects) == self.at:
            raise Killed
        return effect()


class FrailStore:
    """A store whose writes are effects."""

    def __init__(self, store: MatchStore, around: Around) -> None:
        self._store = store
        self._around = around

    def load(self, id: str) -> Item | None:
        return self._around.read(lambda: self._store.load(id))

    def create(self, item: Item, pointers: Pointers) -> None:
        self._around("create", lambda: self._store.create(item, pointers))

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        return self._around("commit", lambda: self._store.commit(before, after, pointers, lease, now))

    def settle(self, item: Item, *, done: bool) -> Item:
        return self._around("settle", lambda: self._store.settle(item, done=done))

    def take(self, item: Item, lease: Lease, now: float) -> Item:
        return self._around("take", lambda: self._store.take(item, lease, now))

    def at(self, place: Place) -> str | None:
        return self._around.read(lambda: self._store.at(place))

    def in_chat(self, chat: int) -> Sequence[str]:
        return self._around.read(lambda: self._store.in_chat(chat))

    def of_person(self, user: int) -> Sequence[str]:
        return self._around.read(lambda: self._store.of_person(user))

    def due(self, now: float) -> Iterable[str]:
        return self._around.read(lambda: self._store.due(now))

    def alarms(self) -> Sequence[tuple[str, float]]:
        return self._around.read(self._store.alarms)


class FrailPeople:
    """A store of people whose writes are effects, each result one of its own."""

    def __init__(self, people: PeopleStore, around: Around) -> None:
        self._people = people
        self._around = around

    def profile(self, id: int) -> str | None:
        return self._around.read(lambda: self._people.profile(id))

    def keep_profile(self, id: int, body: str, was: str | None) -> bool:
        return self._around("keep profile", lambda: self._people.keep_profile(id, body, was))

    def add(self, results: Sequence[Result]) -> None:
        for result in results:
            self._around("add", partial(self._people.add, [result]))

    def of(self, user: int) -> Sequence[Result]:
        return self._around.read(lambda: self._people.of(user))

    def in_chat(self, chat: int) -> Sequence[Result]:
        return self._around.read(lambda: self._people.in_chat(chat))

    def move(self, old: int, new: int) -> None:
        self._around("move", lambda: self._people.move(old, new))

    def forget(self, user: int) -> None:
        self._around("forget", lambda: self._people.forget(user))


class FrailTimers:
    """Timers whose arming is an effect."""

    def __init__(self, timers: Timers, around: Around) -> None:
        self._timers = timers
        self._around = around

    def arm(self, match: str, alarm: int, at: float) -> None:
        self._around("arm", lambda: self._timers.arm(match, alarm, at))


class FrailTelegram:
    """A Telegram whose calls are effects."""

    def __init__(self, telegram: Telegram, around: Around) -> None:
        self._telegram = telegram
        self._around = around

    def me(self) -> Me:
        return self._telegram.me()

    def send(self, place: Place, message: Message, *, quiet: bool = False) -> int:
        return self._around("send", lambda: self._telegram.send(place, message, quiet=quiet))

    def edit(self, chat: int, message_id: int, message: Message) -> None:
        self._around("edit", lambda: self._telegram.edit(chat, message_id, message))

    def answer(self, query_id: str, text: str = "", *, alert: bool = False, url: str | None = None) -> bool:
        return self._around("answer", lambda: self._telegram.answer(query_id, text, alert=alert, url=url))

    def pin(self, chat: int, message_id: int) -> None:
        self._around("pin", lambda: self._telegram.pin(chat, message_id))

    def document(self, place: Place, name: str, content: bytes, caption: Message) -> int:
        return self._around("document", lambda: self._telegram.document(place, name, content, caption))

    def photo(self, place: Place, picture: bytes, caption: Message, *, quiet: bool = False) -> int:
        return self._around("photo", lambda: self._telegram.photo(place, picture, caption, quiet=quiet))

    def edit_photo(self, chat: int, message_id: int, picture: bytes, caption: Message) -> None:
        self._around("edit_photo", lambda: self._telegram.edit_photo(chat, message_id, picture, caption))

    def member(self, chat: int, user: int) -> str:
        return self._telegram.member(chat, user)


class ShortTelegram:
    """The stand-in without HTTP and python-telegram-bot in between, for tests that make tens of thousands of calls.

    It knows what becomes of a match by an error; what each of them means is tested with the real client.
    """

    def __init__(self, world: World) -> None:
        self._world = world

    def me(self) -> Me:
        return Me(BOT_ID, BOT_USERNAME)

    def send(self, place: Place, message: Message, *, quiet: bool = False) -> int:
        params = {**_said(message), "disable_notification": quiet}
        return int(self._call("sendMessage", {**_placed(place), **params})["message_id"])

    def edit(self, chat: int, message_id: int, message: Message) -> None:
        try:
            self._call("editMessageText", {"chat_id": chat, "message_id": message_id, **_said(message)})
        except Refused as refused:
            if "not modified" not in str(refused):
                raise

    def answer(self, query_id: str, text: str = "", *, alert: bool = False, url: str | None = None) -> bool:
        link = {} if url is None else {"url": url}
        try:
            params = {"callback_query_id": query_id, "text": text, "show_alert": alert, **link}
            self._call("answerCallbackQuery", params)
        except Refused as refused:
            if "query is too old" not in str(refused):
                raise
            return False
        return True

    def pin(self, chat: int, message_id: int) -> None:
        self._call("pinChatMessage", {"chat_id": chat, "message_id": message_id, "disable_notification": True})

    def document(self, place: Place, name: str, content: bytes, caption: Message) -> int:
        file = Upload(name, content, "application/json")
        params = {**_placed(place), "document": file, "caption": str(caption.text), "parse_mode": "HTML"}
        return int(self._call("sendDocument", params)["message_id"])

    def photo(self, place: Place, picture: bytes, caption: Message, *, quiet: bool = False) -> int:
        file = Upload("picture.png", picture, "image/png")
        said = {"caption": str(caption.text), "parse_mode": "HTML", "disable_notification": quiet}
        return int(self._call("sendPhoto", {**_placed(place), "photo": file, **said})["message_id"])

    def edit_photo(self, chat: int, message_id: int, picture: bytes, caption: Message) -> None:
        file = Upload("picture.png", picture, "image/png")
        media = {"type": "photo", "media": file, "caption": str(caption.text), "parse_mode": "HTML"}
        try:
            self._call("editMessageMedia", {"chat_id": chat, "message_id": message_id, "media": media})
        except Refused as refused:
            if "not modified" not in str(refused):
                raise

    def member(self, chat: int, user: int) -> str:
        return str(self._call("getChatMember", {"chat_id": chat, "user_id": user})["status"])

    def _call(self, method: str, params: dict[str, Any]) -> Any:
        try:
            return self._world.call(method, params).result
        except Refusal as refusal:
            raise _meaning(refusal, params) from None


class Frail(PatientFlow):
    """A flow whose process ends when it is killed; another starts on the same store, and Telegram brings again what
    nobody has acknowledged. The store is swept every minute, as by the timers of one machine.
    """

    def __init__(self, store: MatchStore | None = None, around: Around | None = None, *, short: bool = True) -> None:
        super().__init__(store or MemoryStore(), "", SEED)
        if short:
            self.telegram.close()
            self.line = ShortTelegram(self.world)
        self.around = around or Around()
        self.starts = 0
        self.processes = 0
        self.again = 0
        self.sweep_at = self.clock.time + SWEEP_EVERY
        self.boot()

    def boot(self) -> None:
        """A process starts: the store is all it knows."""
        self.starts += 1
        self.timers = ManualTimers()
        self.ports = self.process()
        self.serve()
        try:
            move_overdue(self.ports)
        except Killed:
            self.boot()
        for match, at in self.store.alarms():
            self.timers.arm(match, 0, at)

    def serve(self) -> None:
        """Take updates in with the ports there are now."""
        self.client: FlaskClient = make_app(partial(handle, self.ports), SECRET).test_client()

    def process(self, timers: Timers | None = None, store: MatchStore | None = None) -> Ports:
        """What one more process would have; timers and store are this one's unless given."""
        self.processes += 1
        return Ports(
            store=FrailStore(store or self.store, self.around),
            timers=FrailTimers(timers or self.timers, self.around),
            telegram=FrailTelegram(self.line, self.around),
            clock=self.clock,
            entropy=CountingEntropy(f"process {self.processes}", SEED),
            rates=GroupRates(),
            people=FrailPeople(self.people, self.around),
            draw=sketch,
            together=SideBySide(self.clock),
            afterwards=at_once,
        )

    def deliver(self) -> None:
        """Bring what waits, and again what was not acknowledged, until nothing waits."""
        for _ in range(100):
            waiting = self.world.pending()
            if not waiting:
                return
            for update in waiting:
                if not self._bring(update):
                    self.again += 1
                    break
        raise AssertionError("an update is never acknowledged")

    def _bring(self, update: Any) -> bool:
        try:
            status = self.post(update)
        except Killed:
            self.boot()
            return False
        if status != 200:
            assert status == 503
            return False
        self.world.acknowledge(update["update_id"])
        return True

    def wait(self, seconds: float) -> None:
        """Let time pass; timers fire and the sweep comes by, in order."""
        until = self.clock.time + seconds
        while (at := min(self.sweep_at, *(moment for moment, _ in self.timers.heap[:1]), until + 1)) <= until:
            self.clock.time = max(self.clock.time, at)
            if self.sweep_at <= at:
                self.sweep_at = at + SWEEP_EVERY
                for match in self._due():
                    self.nudge(match)
            else:
                self.step()
        self.clock.time = until

    def _due(self) -> Iterable[str]:
        try:
            return self.ports.store.due(self.clock.time)
        except StoreUnavailable:
            return ()

    def step(self) -> None:
        """Let time pass until the next timer has fired."""
        at, match = heappop(self.timers.heap)
        self.clock.time = max(self.clock.time, at)
        self.nudge(match)

    def nudge(self, match: str) -> None:
        """As the timers of one machine do it."""
        try:
            nudge(self.ports, match)
        except Killed:
            self.boot()
        except StoreUnavailable:
            self.again += 1
            self.timers.arm(match, 0, self.clock.time + AGAIN_AFTER)

    def close(self) -> None:
        """Nothing more happens."""
        self.world.close()


def _meaning(refusal: Refusal, params: dict[str, Any]) -> TelegramError:
    if refusal.parameters and "migrate_to_chat_id" in refusal.parameters:
        return Migrated(refusal.parameters["migrate_to_chat_id"])
    if refusal.code == 403:
        return Unreachable() if params["chat_id"] > 0 else Expelled()
    return Refused(refusal.description)


def _placed(place: Place) -> dict[str, Any]:
    return {"chat_id": place.chat, **({} if place.topic is None else {"message_thread_id": place.topic})}


def _said(message: Message) -> dict[str, Any]:
    rows = [[_button(button) for button in row] for row in message.keyboard]
    markup = {"reply_markup": {"inline_keyboard": rows}} if rows else {}
    return {"text": str(message.text), "parse_mode": "HTML", **markup}


def _button(button: Button) -> dict[str, str]:
    where = {"url": button.url} if button.url is not None else {"callback_data": button.data or ""}
    return {"text": button.label, **where}
