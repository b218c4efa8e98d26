"""Tests of what spans several rooms on AWS: credentials that are good for nothing, and no way out of this machine."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest
from botocore.httpsession import URLLib3Session

from tests.aws.cloud import REGION


class WentOut(Exception):
    """A call that moto did not answer."""


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment in which nothing can reach a real account."""
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_SESSION_TOKEN": "testing",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)

    def refuse(self: URLLib3Session, request: Any) -> NoReturn:
        raise WentOut(request.url)

    monkeypatch.setattr(URLLib3Session, "send", refuse)
