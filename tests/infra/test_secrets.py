"""The token and the webhook's secret as they come out of SSM, under moto."""

from __future__ import annotations

import logging

import boto3
import pytest
from botocore.exceptions import ClientError

from infra.aws import calls
from infra.aws.errors import Denied, Missing
from infra.aws.secrets import Secrets, fetch
from tests.aws.settings import SETTINGS

TOKEN, SECRET = "123456:a-token-nobody-reads", "a-secret-nobody-reads"

pytestmark = pytest.mark.usefixtures("aws")


def put(name: str, value: str) -> None:
    boto3.client("ssm").put_parameter(Name=name, Value=value, Type="SecureString")


def test_both_come_decrypted_by_one_call() -> None:
    put("/bot/webhook-secret", SECRET)
    put("/bot/telegram-token", f"{TOKEN}\n")
    client, asked = calls.ssm(), []
    client.meta.events.register("before-call", lambda model, **_: asked.append(model.name))
    assert fetch(client, SETTINGS) == Secrets(TOKEN, SECRET)
    assert asked == ["GetParameters"]


@pytest.mark.parametrize("there", [(), ("/bot/telegram-token",), ("/bot/webhook-secret",)])
def test_one_that_is_not_there_is_missing(there: tuple[str, ...]) -> None:
    for name in there:
        put(name, SECRET)
    with pytest.raises(Missing, match="GetParameters"):
        fetch(calls.ssm(), SETTINGS)


def test_an_empty_one_is_missing() -> None:
    """The webhook would refuse every update without a word."""
    put("/bot/telegram-token", TOKEN)
    put("/bot/webhook-secret", " ")
    with pytest.raises(Missing):
        fetch(calls.ssm(), SETTINGS)


def test_a_refusal_is_named_and_quotes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    client = calls.ssm()

    def deny(**_: object) -> None:
        raise ClientError({"Error": {"Code": "AccessDeniedException", "Message": TOKEN}}, "GetParameters")

    client.meta.events.register("before-call", deny)
    with pytest.raises(Denied) as denied:
        fetch(client, SETTINGS)
    assert (denied.value.call, denied.value.__suppress_context__) == ("GetParameters", True)
    assert TOKEN not in str(denied.value)
    assert caplog.text == ""


def test_neither_is_in_their_repr() -> None:
    assert repr(Secrets(TOKEN, SECRET)) == "Secrets()"
