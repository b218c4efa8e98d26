"""The operator's programs as they are started, in an account and a Telegram of their own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from handler import deploy, doctor, operating, remove
from infra.local.botapi.transport import TOKEN, WorldTransport
from infra.operator import package
from infra.operator.bot import OperatorsBot
from tests.aws.operators import Cloud, account, clients

SETTINGS = (
    "STACK",
    "REGION",
    "ALARM_EMAIL",
    "ROTATE",
    "FROM",
    "ARCHITECTURE",
    "PARAMETERS",
    "TABLE",
    "YES",
    "TELEGRAM_API",
)


def programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Cloud]:
    """The programs in an account and a Telegram of their own, in a folder of their own, waiting for nothing."""
    with account():
        cloud = Cloud()
        for name in SETTINGS:
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("TELEGRAM_TOKEN", TOKEN)
        monkeypatch.chdir(tmp_path)
        (tmp_path / "build" / "package").mkdir(parents=True)
        deploy.PACKAGE.write_bytes(b"a package")
        monkeypatch.setattr(package, "build", lambda architecture, output: [])
        monkeypatch.setattr(deploy, "run_sam", cloud.sam)
        monkeypatch.setattr(time, "sleep", lambda seconds: None)
        monkeypatch.setattr(operating, "open_account", lambda region: clients())
        for program in (deploy, doctor, remove):
            bot = lambda token, api: OperatorsBot(token, transport=WorldTransport(cloud.world))  # noqa: E731
            monkeypatch.setattr(program, "OperatorsBot", bot)
        real = httpx.Client
        monkeypatch.setattr(httpx, "Client", lambda timeout: real(transport=cloud.address()))
        yield cloud


def end(program: Any) -> int:
    """Run a program to its end. The exit status."""
    return operating.run(getattr(program, program.__name__.rpartition(".")[2]))
