"""The package, built once for all tests, and the pieces of AWS's own that run it."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from infra.operator.package import build
from infra.operator.wheels import Architecture
from tests.shared import ROOT

HERE: Final[Architecture | None] = {"x86_64": "x86_64", "aarch64": "arm64"}.get(platform.machine())  # type: ignore[assignment]
"""What Lambda calls this machine's processor; None: none of Lambda's."""
RUNTIME: Final = ROOT / "build/lambda/bin/python"
"""A Python with what Lambda's runtime has: boto3, and the client that brings events to the handler."""


@cache
def package(architecture: Architecture) -> Path:
    """The package for an architecture."""
    output = ROOT / f"build/package/tested-{architecture}.zip"
    build(architecture, output)
    return output


def show(capsys: pytest.CaptureFixture[str], line: str) -> None:
    """A line for whoever runs the tests, whether they pass or not."""
    with capsys.disabled():
        sys.stdout.write(f"\n{line}\n")


def lacking_runtime() -> str | None:
    """Why this machine cannot run the package, if so."""
    if sys.platform != "linux" or HERE is None:
        return "the package runs on Linux, on an x86_64 or an arm64"
    if not RUNTIME.exists():
        return "build/lambda is not there: make test installs it, where there is a network"
    line = [str(RUNTIME), "-c", "import sys, boto3, awslambdaric; print(*sys.version_info[:2])"]
    said = subprocess.run(line, capture_output=True, text=True, check=False)
    if said.returncode != 0:
        return "build/lambda is not complete: make test installs it, where there is a network"
    if said.stdout.split() != [str(number) for number in sys.version_info[:2]]:
        return "build/lambda is of another Python than the package: make clean lets both be made anew"
    return None


def emulator() -> Path | None:
    """AWS's emulator of the runtime's interface for this machine, as SAM brings it; None: SAM is not there."""
    return next(_emulators(), None)


def _emulators() -> Iterator[Path]:
    return ROOT.glob(f"build/sam/lib/python3.*/site-packages/samcli/local/rapid/aws-lambda-rie-{HERE}")
