"""``python -m handler.deploy``: the bot on AWS, made or brought up to date. A second run changes nothing.

TELEGRAM_TOKEN, else the one that is kept, else it is asked for; STACK, REGION, TELEGRAM_API; ALARM_EMAIL: who hears
of alarms; ROTATE=yes: a new secret for the webhook; FROM: an SQLite file or dynamodb:TABLE, whose matches are moved in;
ARCHITECTURE: arm64 or x86_64; PARAMETERS: others of template.yaml, as NAME=VALUE. What is left out of ALARM_EMAIL
and PARAMETERS stays as it was.
"""

from __future__ import annotations

import getpass
import re
import sys
import time
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Final

from handler.appearance import appearances
from handler.operating import MoveFailed, WrongUse, account, api_address, chosen, run, sentence, stack_name, told
from handler.rates import GroupRates
from handler.table import Ports, move_overdue
from handler.updates import KINDS
from handler.words import plain
from infra.aws.settings import Settings
from infra.clock import SystemClock
from infra.drawing import draw
from infra.entropy import SystemEntropy
from infra.move import Address, Unusable, bring, read, unused
from infra.operator import package, secrets, template
from infra.operator.account import Account
from infra.operator.bot import OperatorsBot
from infra.operator.deployment import Face, Means, Wish, deployment
from infra.operator.stack import find, run_sam
from infra.operator.tokens import is_token
from infra.operator.wheels import ARCHITECTURES, Architecture
from infra.stores.dynamo_kept import WholeDynamoStore
from infra.stores.dynamo_people import DynamoPeople
from infra.stores.kept import Contents
from infra.timers.scheduled import ScheduledTimers
from infra.together import OneByOne, at_once

PACKAGE: Final = Path("build/package/function.zip")
"""Where template.yaml looks for the package (CodeUri)."""

OURS: Final = ("AlarmEmail", "Architecture", "Runtime", "SecretsVersion", "TelegramApi")
"""Parameters of the template that this program sets."""

_PARAMETER: Final = re.compile(r"([A-Za-z]+)=([^\s,]+)")
_EMAIL: Final = re.compile(r"[^\s@,]+@[^\s@,]+\.[^\s@,]+")


def deploy() -> int:
    """Deploy, and say each step. The exit status. Raises WrongUse, and what a deployment raises."""
    stack, api = stack_name(), api_address()
    rotate = chosen("ROTATE", ("", "yes"), "rotate") == "yes"
    architecture = chosen("ARCHITECTURE", ARCHITECTURES, "architecture")
    parameters = {**_parameters(), **_ours(architecture, api)}
    given, source = _well_formed(told("TELEGRAM_TOKEN")), _source()
    with ExitStack() as held:
        # A file is judged before AWS is asked for anything.
        contents = None if source is None or source.kind != "sqlite" else _contents(held, source)
        clients = account("deploy")
        if source is not None and source.kind == "dynamodb":
            _see_that_it_is_another(source, clients, stack)
            contents = _contents(held, source)
        token = _token(given, clients, stack)
        bot = held.enter_context(closing(OperatorsBot(token, api)))
        means = Means(
            account=clients,
            bot=bot,
            build=partial(build, architecture),
            sam=run_sam,
            move=None if contents is None else partial(move, clients, contents),
            resume=partial(resume, clients, bot),
            sleep=time.sleep,
        )
        for finding in deployment(Wish(stack, token, rotate, parameters), face(), means):
            print(sentence("deploy", finding), flush=True)
    return 0


def face() -> Face:
    """How the bot shows itself, and which updates it wants."""
    return Face(appearances(), KINDS)


def build(architecture: Architecture) -> int:
    """Build the package. How many bytes it has. Raises NoWheels."""
    package.build(architecture, PACKAGE)
    return PACKAGE.stat().st_size


def move(clients: Account, contents: Contents, settings: Settings) -> None:
    """Bring what another store held into the stack's table. Raises MoveFailed."""
    table = Address("dynamodb", settings.table)
    if bring(contents, table, lambda: clients.dynamodb, settings.keep_days, time.time) != 0:
        raise MoveFailed


def resume(clients: Account, bot: OperatorsBot, settings: Settings) -> None:
    """Before a bot that stood still runs again: put off the deadlines that passed, and arm every timer. Raises
    StoreUnavailable.
    """
    clock = SystemClock()
    store = WholeDynamoStore(clients.dynamodb, settings.table, settings.keep_days, clock.now)
    timers = ScheduledTimers(lambda: clients.scheduler, lambda: clients.sqs, settings, clock)
    people = DynamoPeople(clients.dynamodb, settings.table)
    entropy, rates = SystemEntropy(), GroupRates()
    move_overdue(Ports(store, people, timers, bot, clock, entropy, rates, draw, OneByOne(), at_once))
    for item in (kept.item for kept in store.kept()):
        # Its moment may be that of a telling, after which nobody would arm the deadline.
        for at in dict.fromkeys((item.alarm_at, item.moment)):
            if at is not None:
                timers.arm(item.id, item.alarm, at)


def _token(given: str, clients: Account, stack: str) -> str:
    """The token that is given, else the one that the stack keeps, else the one that is typed in. Raises WrongUse:
    another bot is in none of the groups in which this one's matches are.
    """
    kept = secrets.kept(clients.ssm, stack, secrets.TOKEN)
    token = given or ("" if kept is None else kept.value)
    if kept is not None and not secrets.same_bot(token, kept.value):
        raise WrongUse(plain("operator.wrong_use.other_bot", stack=stack))
    if not token and sys.stdin.isatty():
        token = _well_formed(getpass.getpass(plain("operator.ask.token")).strip())
    if not token:
        raise WrongUse(plain("operator.wrong_use.no_token"))
    return token


def _well_formed(token: str) -> str:
    """The token, which may be empty. Raises WrongUse, and does not repeat what may be a secret of some other kind."""
    if token and not is_token(token):
        raise WrongUse(plain("operator.wrong_use.token"))
    return token


def _source() -> Address | None:
    """Where FROM says that matches are, None if nothing is to be moved. Raises WrongUse."""
    given = told("FROM")
    if not given:
        return None
    if given.startswith("dynamodb:"):
        source = Address("dynamodb", given.removeprefix("dynamodb:"))
    else:
        source = Address("sqlite", given.removeprefix("sqlite:"))
    if not source.name:
        raise WrongUse(plain("operator.wrong_use.source", given=given))
    if source.kind == "sqlite":
        _see_that_it_is_a_file(source.name)
    return source


def _see_that_it_is_a_file(name: str) -> None:
    """Raises WrongUse."""
    path = Path(name)
    if path.is_dir():
        raise WrongUse(plain("operator.wrong_use.source_folder", given=name, inside=str(path / "matches.sqlite")))
    if not path.exists():
        raise WrongUse(plain("operator.wrong_use.source_missing", given=name))


def _see_that_it_is_another(source: Address, clients: Account, stack: str) -> None:
    """See that it is not the stack's own table. Raises WrongUse, AwsTrouble."""
    found = find(clients.cloudformation, stack)
    if found is not None and source.name == found.outputs.get("TableName"):
        raise WrongUse(plain("operator.wrong_use.own_table", given=source.name))


def _contents(held: ExitStack, source: Address) -> Contents:
    """What is to be moved in, read before anything is changed or stands still. As long as it is ``held``, no bot of
    this machine begins to use it. Raises WrongUse.
    """
    try:
        held.enter_context(unused(source))
        return read(source, lambda: account("deploy").dynamodb, time.time)
    except Unusable as error:
        raise WrongUse(plain("operator.wrong_use.unusable_source", why=str(error))) from None


def _ours(architecture: Architecture, api: str) -> dict[str, str]:
    # All of them each time: what is left out, SAM leaves as it was.
    ours = {"Architecture": architecture, "Runtime": package.runtime(), "TelegramApi": api}
    email = told("ALARM_EMAIL")  # not EMAIL, which many shells set
    if email:
        if not _EMAIL.fullmatch(email):
            raise WrongUse(plain("operator.wrong_use.email", given=email))
        ours["AlarmEmail"] = email
    return ours


def _parameters() -> dict[str, str]:
    given = {}
    for word in told("PARAMETERS").split():
        found = _PARAMETER.fullmatch(word)
        if found is None or found[1] in OURS:
            raise WrongUse(plain("operator.wrong_use.parameters", given=word))
        theirs = [name for name in template.parameters() if name not in OURS]
        if found[1] not in theirs:
            raise WrongUse(plain("operator.wrong_use.no_parameter", given=found[1], known=", ".join(theirs)))
        given[found[1]] = found[2]
    return given


if __name__ == "__main__":
    sys.exit(run(deploy))
