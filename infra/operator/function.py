"""The deployed function: what it was told, and stopping it and letting it run again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from infra.operator.account import asking

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient


SPARE: Final = 5
"""Seconds until no invocation begins any more, after Lambda has said so: its rooms learn of it one by one."""

SWEEP: Final = b'{"act": "sweep"}'
"""What the minute's rule sends (handler/aws.py)."""


@dataclass(frozen=True)
class Function:
    """``seconds`` is how long an invocation may take. ``stopped``: no invocation begins (reserved concurrency 0)."""

    name: str
    environment: Mapping[str, str]
    seconds: int
    status: str
    stopped: bool

    @property
    def standstill(self) -> int:
        """Seconds after which none can be running that began before a stop."""
        return self.seconds + SPARE


def find(functions: LambdaClient, name: str) -> Function:
    """The function as Lambda describes it. Raises AwsTrouble: Missing if there is none."""
    with asking("GetFunctionConfiguration"):
        found = functions.get_function_configuration(FunctionName=name)
    with asking("GetFunctionConcurrency"):
        reserved = functions.get_function_concurrency(FunctionName=name).get("ReservedConcurrentExecutions")
    return Function(
        name=name,
        environment=found.get("Environment", {}).get("Variables", {}),
        seconds=found["Timeout"],
        status=found.get("LastUpdateStatus") or found.get("State", ""),
        stopped=reserved == 0,
    )


def stop(functions: LambdaClient, function: Function, sleep: Callable[[float], None]) -> None:
    """Let no invocation begin any more, and wait until those that run must have ended. Raises AwsTrouble.

    Updates that come meanwhile are refused, and Telegram brings them again; deadlines are data and wait.
    """
    with asking("PutFunctionConcurrency"):
        functions.put_function_concurrency(FunctionName=function.name, ReservedConcurrentExecutions=0)
    sleep(function.standstill)


def renew(functions: LambdaClient, function: Function, secrets_version: str) -> None:
    """Let processes begin anew, which read the secrets. Raises AwsTrouble."""
    with asking("UpdateFunctionConfiguration"):
        functions.update_function_configuration(
            FunctionName=function.name,
            Environment={"Variables": {**function.environment, "SECRETS_VERSION": secrets_version}},
        )


def start(functions: LambdaClient, function: Function) -> None:
    """Let invocations begin again, and have one tell at once what was put off: those who were given time are to know
    of it as long as it lasts. Raises AwsTrouble.
    """
    with asking("DeleteFunctionConcurrency"):
        functions.delete_function_concurrency(FunctionName=function.name)
    with asking("Invoke"):
        functions.invoke(FunctionName=function.name, InvocationType="Event", Payload=SWEEP)
