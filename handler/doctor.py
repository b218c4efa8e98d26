"""``python -m handler.doctor``: whether the bot on AWS is well, one line a check, and what to do where it is not.

STACK, REGION, TELEGRAM_API; TELEGRAM_TOKEN only where the stack keeps none.
"""

from __future__ import annotations

import sys
import time
from typing import Final

import httpx

from handler.operating import account, api_address, run, sentence, stack_name, told
from handler.updates import KINDS
from handler.words import plain
from infra.operator.bot import OperatorsBot
from infra.operator.diagnosis import diagnosis

PATIENCE: Final = 15.0
"""Seconds to wait for the bot's answer: a new process takes one or two to start."""


def doctor() -> int:
    """Say how the stack is. The exit status. Raises WrongUse."""
    name, clients, api = stack_name(), account("doctor"), api_address()
    ailing = 0
    with httpx.Client(timeout=PATIENCE) as web:
        found = diagnosis(
            clients, name, lambda token: OperatorsBot(token, api), told("TELEGRAM_TOKEN"), web, KINDS, time.time()
        )
        for finding in found:
            print(sentence("doctor", finding), flush=True)
            ailing += finding.mark == "wrong"
    print(plain("operator.doctor.ailing", n=ailing) if ailing else plain("operator.doctor.well"))
    return 1 if ailing else 0


if __name__ == "__main__":
    sys.exit(run(doctor))
