"""What the operator's programs have in common: what they are told by the environment, and how they say what they found.

STACK (raven-dog), REGION (else what the AWS command line uses) and TELEGRAM_API are theirs all; each adds its own.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Final, TypeVar

from handler import logs
from handler.ports import TelegramError
from handler.words import plain
from infra.aws.errors import AwsTrouble, Denied, Missing, Unanswered
from infra.aws.settings import MissingSetting
from infra.operator.account import (
    Account,
    HalfCredentials,
    NoCredentials,
    NoProfile,
    NoRegion,
    NoSuchRegion,
    NoWayIn,
    open_account,
)
from infra.operator.deployment import StackBusy, TableGone
from infra.operator.findings import Finding
from infra.operator.output import fall_silent
from infra.operator.stack import HalfDeleted, HalfTakenBack, SamFailed, StackStays
from infra.operator.tokens import unlogged
from infra.operator.wheels import NoWheels
from infra.telegram import ADDRESS
from infra.telegram_errors import BadToken, Unconnected

T = TypeVar("T", bound=str)

RESERVED: Final = ("aws", "ssm")
"""How no parameter's name may begin (Systems Manager user guide, "About requirements and constraints for parameter
names"), in letters of either case; the stack's name begins those of the secrets.
"""

_STACK: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,39}")


class WrongUse(Exception):
    """The program was not told what it needs, or something it cannot use. The message says so."""


class MoveFailed(Exception):
    """Not every match could be moved in; :mod:`infra.move` has said why."""


class ExportFailed(Exception):
    """Not every match could be exported; :mod:`infra.move` has said why."""


TROUBLE: Final = (
    AwsTrouble,
    TelegramError,
    SamFailed,
    StackBusy,
    StackStays,
    HalfDeleted,
    HalfTakenBack,
    TableGone,
    NoWheels,
    MissingSetting,
    MoveFailed,
    ExportFailed,
)
"""What can keep a program from coming to its end, though it was used rightly. To run it again does no harm."""


def told(name: str, otherwise: str = "") -> str:
    """What the environment says, without spaces around it."""
    return os.environ.get(name, "").strip() or otherwise


def chosen(name: str, choices: tuple[T, ...], wrong: str) -> T:
    """What the environment says, which must be one of ``choices``; the first if it says nothing. Raises WrongUse."""
    given = told(name, choices[0])
    for choice in choices:
        if choice == given:
            return choice
    raise WrongUse(plain(f"operator.wrong_use.{wrong}", given=given))


def stack_name() -> str:
    """STACK, which is also part of the names of the parameters that hold the secrets. Raises WrongUse."""
    given = told("STACK", "raven-dog")
    if not _STACK.fullmatch(given):
        raise WrongUse(plain("operator.wrong_use.stack", given=given))
    if given.lower().startswith(RESERVED):
        raise WrongUse(plain("operator.wrong_use.reserved", given=given))
    return given


def account(program: str) -> Account:
    """The operator's clients. Raises WrongUse."""
    try:
        return open_account(told("REGION") or told("AWS_REGION") or None)
    except NoWayIn as error:
        raise WrongUse(_no_way_in(error, program)) from None


def _no_way_in(error: NoWayIn, program: str) -> str:
    match error:
        case NoRegion():
            return plain("operator.wrong_use.region", program=program)
        case NoSuchRegion():
            return plain("operator.wrong_use.no_such_region", given=str(error))
        case NoProfile():
            return plain("operator.wrong_use.profile", given=told("AWS_PROFILE"))
        case NoCredentials():
            return plain("operator.wrong_use.no_credentials")
        case HalfCredentials():
            return plain("operator.wrong_use.half_credentials")
    return plain("operator.wrong_use.files")


def api_address() -> str:
    """TELEGRAM_API: the Bot API's address up to the token."""
    return told("TELEGRAM_API", ADDRESS)


def sentence(program: str, finding: Finding) -> str:
    """A finding as a line with a mark."""
    text = plain(f"operator.{program}.{finding.name}", **finding.values)
    return f"{plain(f'operator.mark.{finding.mark}')} {text}"


def run(program: Callable[[], int]) -> int:
    """Run a program of the operator's. The exit status: 0 all is well, 1 something is not, 2 it was used wrongly."""
    logs.install()
    try:
        with unlogged():
            status = program()
        sys.stdout.flush()
        return status
    except WrongUse as error:
        return _fail(2, str(error))
    except TROUBLE as error:
        return _fail(1, _trouble(error))
    except BrokenPipeError:
        fall_silent()
        return 1
    except (KeyboardInterrupt, EOFError):
        return _fail(1, plain("operator.trouble.interrupted"))


def _trouble(error: Exception) -> str:
    match error:
        case Denied():
            return plain("operator.trouble.denied", call=error.call)
        case Missing():
            return plain("operator.trouble.missing", call=error.call)
        case Unanswered():
            return plain("operator.trouble.unanswered", call=error.call)
        case AwsTrouble():
            return plain("operator.trouble.aws", call=error.call, kind=type(error).__name__)
        case BadToken():
            return plain("operator.trouble.bad_token")
        case Unconnected():
            return plain("operator.trouble.telegram_offline")
        case TelegramError():
            return plain("operator.trouble.telegram", kind=type(error).__name__)
        case StackBusy():
            return plain("operator.trouble.busy", status=str(error))
        case StackStays():
            return plain("operator.trouble.stays", status=str(error))
        case HalfDeleted():
            return plain("operator.trouble.half_deleted", stack=str(error))
        case HalfTakenBack():
            return plain("operator.trouble.half_taken_back", stack=error.name, region=error.region)
        case TableGone():
            return plain("operator.trouble.table_gone", table=str(error))
        case NoWheels():
            return plain("operator.trouble.libraries", why=str(error))
        case MissingSetting():
            return plain("operator.trouble.setting", name=str(error))
        case MoveFailed():
            return plain("operator.trouble.move")
        case ExportFailed():
            return plain("operator.trouble.export")
    return plain("operator.trouble.sam")


def _fail(status: int, why: str) -> int:
    print(why, file=sys.stderr)
    return status
