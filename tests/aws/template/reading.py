"""template.yaml as AWS sees it: translated by SAM in SAM's own environment, with its references written out as text."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from infra.aws.calls import CALLS, Resource
from tests.shared import ROOT

SAM: Final = ROOT / "build" / "sam" / "bin" / "python"

SCHEDULES = "arn:${AWS::Partition}:scheduler:${AWS::Region}:${AWS::AccountId}:schedule/${ScheduleGroup}/*"
PARAMETER = "arn:${AWS::Partition}:ssm:${AWS::Region}:${AWS::AccountId}:parameter/${AWS::StackName}"

ARNS: Final[Mapping[Resource, tuple[str, ...]]] = {
    "table": ("${Table.Arn}",),
    "indexes": ("${Table.Arn}/index/due", "${Table.Arn}/index/results"),
    "queue": ("${Queue.Arn}",),
    "schedules": (SCHEDULES,),
    "schedule role": ("${ScheduleRole.Arn}",),
    "parameters": (f"{PARAMETER}/telegram-token", f"{PARAMETER}/webhook-secret"),
}
"""What infra.aws.calls names, as the template does."""

BY_LAMBDA: Final = frozenset(
    {
        ("sqs:ReceiveMessage", "${Queue.Arn}"),
        ("sqs:DeleteMessage", "${Queue.Arn}"),
        ("sqs:GetQueueAttributes", "${Queue.Arn}"),
        ("logs:CreateLogStream", "${LogGroup.Arn}"),
        ("logs:PutLogEvents", "${LogGroup.Arn}"),
    }
)
"""What Lambda does with the function's role: for an event source of SQS, and for the log (Lambda developer guide)."""

CALLED: Final = BY_LAMBDA | {
    (needed.action, arn) for permissions in CALLS.values() for needed in permissions for arn in ARNS[needed.on]
}
"""Every permission that the function needs: action and ARN."""


def run_with_sam(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run SAM's Python in the checkout, with ``folder`` as its home: no account, no network, nobody told about it."""
    nowhere = "http://127.0.0.1:9"
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "AWS_DEFAULT_REGION": "eu-central-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "HTTP_PROXY": nowhere,
        "HTTPS_PROXY": nowhere,
        "SAM_CLI_TELEMETRY": "0",
    }
    return subprocess.run(
        [str(SAM), *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@dataclass(frozen=True)
class Template:
    """A template of CloudFormation."""

    body: Mapping[str, Any]

    def properties(self, name: str) -> Mapping[str, Any]:
        """What the resource of this logical id is given."""
        properties: Mapping[str, Any] = self.body["Resources"][name].get("Properties", {})
        return properties

    def of_type(self, kind: str) -> Mapping[str, Mapping[str, Any]]:
        """The properties of all resources of a type, by logical id."""
        return {name: self.properties(name) for name, it in self.body["Resources"].items() if it["Type"] == kind}

    def statements(self, role: str) -> Iterator[Mapping[str, Any]]:
        """The statements of a role's policies. AWS's own policies would be more, and are refused."""
        assert "ManagedPolicyArns" not in self.properties(role)
        for policy in self.properties(role)["Policies"]:
            yield from policy["PolicyDocument"]["Statement"]

    def granted(self, role: str) -> Iterator[tuple[str, str]]:
        """Every permission of a role: action and ARN."""
        for statement in self.statements(role):
            assert statement["Effect"] == "Allow"
            for action in _several(statement["Action"]):
                for arn in _several(statement["Resource"]):
                    yield action, text(arn)


def parsed(translated: str) -> Template:
    """A translated template from its JSON."""
    return Template(json.loads(translated))


def text(value: Any) -> str:
    """A value with its references as Fn::Sub writes them: ``${Table}`` for Ref, ``${Table.Arn}`` for Fn::GetAtt."""
    match value:
        case {"Ref": str(name)}:
            return f"${{{name}}}"
        case {"Fn::GetAtt": [str(name), str(attribute)]}:
            return f"${{{name}.{attribute}}}"
        case {"Fn::Sub": str(pattern)}:
            return pattern
        case {"Fn::Sub": [str(pattern), dict(names)]}:
            return re.sub(r"\$\{(\w+)\}", lambda m: text(names[m[1]]) if m[1] in names else m[0], pattern)
        case str() | int() | float():
            return str(value)
    raise AssertionError(f"no text is known for {value}")


def texts(value: Any) -> Iterator[str]:
    """Every word of a template, keys and values."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)
    else:
        yield str(value)


def wrong_permissions(template: Template) -> list[str]:
    """How the permissions of the function's role differ from those it needs."""
    granted = set(template.granted("FunctionRole"))
    missing = [f"missing: {action} on {arn}" for action, arn in sorted(CALLED - granted)]
    return missing + [f"unused: {action} on {arn}" for action, arn in sorted(granted - CALLED)]


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
