"""What people do beside what they want: presses that are not theirs to make, commands, a while away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from tests.simulation.chats import Button
from tests.simulation.company import Company, Person, Table
from tests.simulation.trace import Snapshot

LONGEST_DATA: Final = 64
"""Bytes of callback_data (Bot API, InlineKeyboardButton)."""

ENDINGS: Final = ("resign:yes", "quit:yes", "cancel:yes", "cancel:close", ".yes", ":leave:", ":calls:", "forget:yes")
"""How the data of buttons ends that end something, or lead there: who presses just anything mostly keeps off them."""

SAID: Final = (
    "/status",
    "/help",
    "/rules",
    "/rules gravity raven",
    "/rules dog",
    "/rules \u202e nothing",
    "/matches",
    "/new",
    "/resign",
    "/cancel",
    "/pick",
    "/start",
    "/start hello",
    "/start panel-{match}",
    "/start join-{match}",
    "/start panel-zzzzzzzz",
    "/start join-",
    "/gravity",
    "/dog",
    "/practise",
    "/practise gravity",
    "/notes",
    "/notes",
    "/history",
    "/stats",
    "/top",
    "/forget",
    "/language",
    "/resume",
    "/extend 1",
    "/STATUS@raven_and_dog_bot",
    "/status@another_bot",
    "/nothing",
    "/",
    "good evening",
)
RULED: Final = frozenset({"/resign", "/cancel"})
"""Commands that ask whether it is meant; it is not."""

NOTATIONS: Final = (
    "?h", "?v", "?-", "h", "v", "a!", "v!", "+", "a", "ah5", "ah12", "ah5,c-", "g5h", "g11v", "g-", "5cm", "1xm9",
    "7rbwmm", "5xr7", "-", "vs3", "vs-", "vs9", "end", "resign", "m", "ready", "\u0000", "é", "🦅", "a" * 60,
)  # fmt: skip
MADE_UP: Final = (
    "",
    ":",
    "::",
    "-:rules:gravity.",
    "-:new:gravity.x",
    "-:matches:",
    "-:rulebook:dog.nothing",
    "aaaaaaaa:0:l",
    "AAAAAAAA:1:s",
    "{match}:99999:l",
    "{match}:-1:l",
    "{match}:007:l",
    "{match}:pick:0.v!",
    "{match}:pick:",
    "{match}:pause:0.0",
    "{match}:resume:7.1",
    "{match}:extend:0.999",
    "{match}:extend:x.y",
    "{match}:replace:0.h.house",
    "{match}:agree:0.1.house.yes",
    "{match}:take:1.h",
    "{match}:again:",
    "{match}:notes:",
    "{match}:history:",
    "-:forget:",
    "-:language:tlh",
    "{match}:start:",
    "{match}:unseat:0.h",
    "{match}:house:0,1,2,99",
    "{match}:pace:never",
    "{match}:after:maybe",
    "{match}:decline:0.yes",
    "{match}:panel:",
    "{match}:join:" + "x" * 60,
    "{match}:join:\u202e\u0000'\"<b>",
    "{match}:0:s" + "🦅" * 20,
)


def astray(company: Company, table: Table, person: Person) -> None:
    """Before anything else, whatever a person's habits lead them to."""
    for rate, habit in (
        (company.habits.stray, stray),
        (company.habits.stale, stale),
        (company.habits.foreign, foreign),
        (company.habits.forge, forge),
        (company.habits.chatter, chatter),
        (company.habits.absent, absent),
    ):
        if company.chance(person, rate):
            habit(company, table, person)
            company.sleep(person.random.uniform(0, 2))


def stray(company: Company, table: Table, person: Person) -> None:
    """Any button that there is in the group or in private."""
    chat = person.random.choice((table.chat, person.user))
    found = list(company.seen(chat).values())
    harmless = [button for button in found if not button.data.endswith(ENDINGS)]
    offered = found if person.random.random() < 0.03 else harmless
    if offered:
        company.press(person, person.random.choice(offered))


def stale(company: Company, table: Table, person: Person) -> None:
    """A button as it was once, whatever its message shows now."""
    old = [button for button in person.pressed if not button.data.endswith(ENDINGS)]
    if old:
        company.press(person, person.random.choice(old))


def foreign(company: Company, table: Table, person: Person) -> None:
    """A button out of somebody else's chat, or of another match, pressed where it never stood, or where it does."""
    others = [each for each in company.persons if each is not person]
    them = person.random.choice(others) if others else person
    chats = [them.user, *(each.chat for each in company.tables if each is not table)]
    theirs = [button for button in company.seen(person.random.choice(chats)).values() if not _ends(button)]
    if not theirs:
        return
    button = person.random.choice(theirs)
    mine = _message(company, person, person.random.choice((table.chat, person.user)))
    if mine is not None:
        company.press(person, Button(mine.chat, mine.message, button.data))


def forge(company: Company, table: Table, person: Person) -> None:
    """Data that no button ever carried, under a message of the bot."""
    where = _message(company, person, person.random.choice((table.chat, person.user)))
    if where is not None:
        data = forged(company.snapshot(table), person.random)
        company.press(person, Button(where.chat, where.message, data))


def forged(snapshot: Snapshot | None, random: Random) -> str:
    """Data that is right but for its number or its move, or wrong in every way."""
    match = "aaaaaaaa" if snapshot is None else snapshot.match
    if random.random() < 0.4:
        return _shortened(random.choice(MADE_UP).replace("{match}", match))
    number = 0 if snapshot is None else snapshot.number
    other = max(0, number + random.choice((0, 0, 0, -1, 1, 7)))
    return _shortened(f"{match}:{other}:{random.choice('sfslumx')}{random.choice(NOTATIONS)}")


def chatter(company: Company, table: Table, person: Person) -> None:
    """A command, here or there, or an earlier one edited; what it asks is not meant."""
    random = person.random
    text = random.choice(SAID).replace("{match}", table.match or "aaaaaaaa")
    private = random.random() < 0.5
    chat, topic = (person.user, None) if private else (table.chat, random.choice((table.topic, table.topic, None)))
    if random.random() < 0.1:
        _edit(company, person, chat, text)
        return
    if not company.say(person, chat, text, topic):
        return
    if text == "/forget":
        _forget(company, person)
    if text not in RULED or random.random() < 0.4:
        return
    no = f"{table.match}:{text[1:]}:no"
    if company.wait(lambda: no in company.seen(chat), 20):
        company.press(person, company.seen(chat)[no])


def _forget(company: Company, person: Person) -> None:
    """Somebody wants nothing to be kept of them; half of them do not mean it."""
    answer = f"-:forget:{person.random.choice(('yes', 'no'))}"
    if company.wait(lambda: answer in company.seen(person.user), 20):
        company.press(person, company.seen(person.user)[answer])


def absent(company: Company, table: Table, person: Person) -> None:
    """Away for a while, or for good: the bot blocked, or the group left."""
    away(company, table, person, person.random.choice((company.block, None)))


def away(
    company: Company, table: Table, person: Person, block: Callable[[Person], None] | None, seconds: float = 0.0
) -> None:
    """Block the bot, or (None) leave the group; and come back after so many seconds, or as long as it takes."""
    if block is None and table.place != "private":
        company.leave(person, table.chat)
    elif person.random.random() < 0.1:
        company.vanish(person)
    else:
        company.block(person)
    if person.random.random() < 0.9:
        back = seconds or person.random.choice((5.0, 40.0, 200.0, 900.0)) * company.slowness
        company.scheduler.at(company.scheduler.now + back, lambda: company.come_back(person))


def _ends(button: Button) -> bool:
    return button.data.endswith(ENDINGS)


def _message(company: Company, person: Person, chat: int) -> Button | None:
    """A message of the bot's that has, or had, buttons."""
    found: Sequence[Button] = [*company.seen(chat).values(), *(each for each in person.pressed if each.chat == chat)]
    return person.random.choice(found) if found else None


def _edit(company: Company, person: Person, chat: int, text: str) -> None:
    own = [
        message["message_id"]
        for message in company.telegram.messages(chat)[-20:]
        if message["from"]["id"] == person.user and "text" in message
    ]
    if own:
        company.telegram.edit(person.user, chat, person.random.choice(own), text)


def _shortened(data: str) -> str:
    return data.encode()[:LONGEST_DATA].decode(errors="ignore")
