"""The stack of CloudFormation: making it by SAM, reading it, deleting it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError, WaiterError

from infra.operator.account import Account, asking
from infra.operator.environment import without_secrets

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient

SAM: Final = Path("build/sam/bin/python")
"""SAM's own environment: it wants another boto3 than ours."""

NO_SAM: Final = 127
"""The exit status where there is no such program, as a shell has it."""

IN_REVIEW: Final = "REVIEW_IN_PROGRESS"
"""What a first deployment leaves that died before it began: it can be begun again, or deleted."""

HALF_DELETED: Final = "DELETE_FAILED"
HALF_TAKEN_BACK: Final = "UPDATE_ROLLBACK_FAILED"

Sam = Callable[[tuple[str, ...]], int]
"""Runs ``sam`` with arguments. Its exit status."""


class SamFailed(Exception):
    """SAM could not deploy; what it had to say stands above, in its own words."""


class StackStays(Exception):
    """CloudFormation did not delete the stack. The message is the status in which it stays."""


class HalfDeleted(Exception):
    """CloudFormation has begun to delete the stack and could not end it (DELETE_FAILED): it can only be deleted. The
    message is the stack's name.
    """


class HalfTakenBack(Exception):
    """CloudFormation could not take back a change that failed (UPDATE_ROLLBACK_FAILED): it has to go on with that
    before it changes anything (ContinueUpdateRollback).
    """

    def __init__(self, name: str, region: str) -> None:
        super().__init__(name)
        self.name = name
        self.region = region


@dataclass(frozen=True)
class Stack:
    """A stack: its status (``UPDATE_COMPLETE``), why it has come to that if CloudFormation says so, and its outputs."""

    name: str
    status: str
    reason: str
    outputs: Mapping[str, str]

    @property
    def complete(self) -> bool:
        """Whether it is what its template says, or what it was before an update that was taken back."""
        return self.status in ("CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "IMPORT_COMPLETE")

    @property
    def busy(self) -> bool:
        """Whether CloudFormation is at work on it. A stack in review has been named, and nothing of it begun."""
        return self.status.endswith("_IN_PROGRESS") and self.status != IN_REVIEW


def find(cloudformation: CloudFormationClient, name: str) -> Stack | None:
    """The stack of this name, None if there is none. Raises AwsTrouble."""
    with asking("DescribeStacks"):
        try:
            [found] = cloudformation.describe_stacks(StackName=name)["Stacks"]
        except ClientError as error:
            # CloudFormation has no error of its own for this.
            if error.response.get("Error", {}).get("Code") == "ValidationError":
                return None
            raise
    outputs = {each["OutputKey"]: each["OutputValue"] for each in found.get("Outputs", [])}
    return Stack(found["StackName"], found["StackStatus"], found.get("StackStatusReason", ""), outputs)


def deploy(sam: Sam, account: Account, name: str, parameters: Mapping[str, str]) -> Stack:
    """``sam deploy``: what differs is changed, and nothing if nothing does. Raises SamFailed, AwsTrouble."""
    overrides = [f"ParameterKey={key},ParameterValue={value}" for key, value in sorted(parameters.items())]
    # samconfig.toml says the rest.
    status = sam(
        ("deploy", "--stack-name", name, "--region", account.region, "--parameter-overrides", *overrides),
    )
    stack = find(account.cloudformation, name) if status == 0 else None
    if stack is None:
        raise SamFailed
    return stack


def run_sam(arguments: tuple[str, ...]) -> int:
    """``sam`` from its own environment; what it says goes to the terminal, and nothing to its makers."""
    if not SAM.exists():
        return NO_SAM
    command = [str(SAM), "-m", "samcli", *arguments]
    return subprocess.run(command, env={**without_secrets(), "SAM_CLI_TELEMETRY": "0"}, check=False).returncode  # noqa: S603


def delete(cloudformation: CloudFormationClient, name: str) -> None:
    """Delete the stack and wait until it is gone. Raises StackStays, AwsTrouble."""
    with asking("DeleteStack"):
        cloudformation.delete_stack(StackName=name)
        try:
            cloudformation.get_waiter("stack_delete_complete").wait(StackName=name)
        except WaiterError:
            left = find(cloudformation, name)
            if left is not None:
                raise StackStays(left.status) from None
