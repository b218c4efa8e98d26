"""Token and webhook secret through deployments: kept, changed, never told, and the same for all whatever happens."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from infra.local.botapi.transport import TOKEN
from infra.operator import secrets
from infra.operator.findings import wrong
from infra.operator.stack import SamFailed
from infra.operator.wheels import NoWheels
from infra.telegram_errors import BadToken
from tests.aws.operators import STACK, Cloud, Died, Life, account, clients
from tests.aws.test_deploy import all_there, kept, names


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    with account():
        yield Cloud()


def test_sam_is_told_no_secret(cloud: Cloud) -> None:
    cloud.deploy()
    told = " ".join(cloud.sams[0])
    [version] = re.findall("ParameterKey=SecretsVersion,ParameterValue=([^ ]+)", told)
    assert re.fullmatch(r"[0-9a-f]{12}\.1-[0-9a-f]{12}\.1", version)
    assert TOKEN not in told
    assert kept(secrets.SECRET).value not in told


@pytest.mark.parametrize("last", range(6))
def test_a_rotation_that_died_anywhere_is_finished_by_the_next(cloud: Cloud, last: int) -> None:
    cloud.deploy()
    before = kept(secrets.SECRET)
    with pytest.raises(Died):
        cloud.deploy(Life(last), rotate=True)
    cloud.deploy()
    all_there(cloud)
    assert (kept(secrets.SECRET) == before) == (last == 0)


def test_a_rotated_secret_is_known_to_the_function_before_telegram_uses_it(cloud: Cloud) -> None:
    cloud.deploy()
    before, life = kept(secrets.SECRET), Life()
    cloud.deploy(life, rotate=True)
    assert life.changes == ["PutParameter", "sam deploy", "set_webhook"]
    assert kept(secrets.SECRET).value != before.value
    all_there(cloud)


def test_a_new_token_is_kept_and_starts_new_processes(cloud: Cloud) -> None:
    cloud.deploy()
    clients().ssm.put_parameter(Name=f"/{STACK}/telegram-token", Value="1:old", Type="SecureString", Overwrite=True)
    life = Life()
    cloud.deploy(life)
    assert life.changes == ["PutParameter", "sam deploy"]
    all_there(cloud)


@pytest.mark.parametrize("name", secrets.BOTH)
def test_a_parameter_that_was_deleted_and_is_made_anew_is_another_one(cloud: Cloud, name: str) -> None:
    """SSM counts its versions from 1 again, the first one's number."""
    cloud.deploy()
    former, version = kept(name), secrets.secrets_version(kept(secrets.TOKEN), kept(secrets.SECRET))
    clients().ssm.delete_parameter(Name=f"/{STACK}/{name}")
    if name == secrets.TOKEN:
        clients().ssm.put_parameter(Name=f"/{STACK}/{name}", Value="1:other", Type="SecureString")
        assert secrets.secrets_version(kept(secrets.TOKEN), kept(secrets.SECRET)) != version
    life = Life()
    cloud.deploy(life)
    assert life.changes[-1] == ("sam deploy" if name == secrets.TOKEN else "set_webhook")
    assert (kept(name).value == former.value) == (name == secrets.TOKEN)
    all_there(cloud)


def test_a_secret_that_came_back_is_not_taken_for_one_that_never_went(cloud: Cloud) -> None:
    cloud.deploy()
    former = kept(secrets.SECRET)
    for value in ("another", former.value):
        clients().ssm.put_parameter(Name=f"/{STACK}/{secrets.SECRET}", Value=value, Type="SecureString", Overwrite=True)
    life = Life()
    cloud.deploy(life)
    assert life.changes == ["sam deploy"], "processes that started in between have the other one"
    all_there(cloud)


def test_a_wrong_token_changes_nothing(cloud: Cloud) -> None:
    life = Life()
    with pytest.raises(BadToken):
        cloud.deploy(life, token="1:wrong")
    assert life.changes == []


def test_a_rotation_that_fails_is_taken_back(cloud: Cloud) -> None:
    """Processes that have begun since have read the new secret, and begin anew."""
    cloud.deploy()
    before = kept(secrets.SECRET)
    cloud.sam_fails = True
    life = Life()
    with pytest.raises(SamFailed):
        cloud.deploy(life, rotate=True)
    assert names(cloud.said)[-1] == "secret_taken_back"
    assert life.changes == ["PutParameter", "PutParameter", "UpdateFunctionConfiguration"]
    assert kept(secrets.SECRET).value == before.value
    all_there(cloud)
    cloud.sam_fails = False
    cloud.deploy()
    all_there(cloud)


def test_a_secret_that_cannot_be_taken_back_is_told(cloud: Cloud) -> None:
    cloud.deploy()
    cloud.sam_fails = True
    clients().functions.delete_function(FunctionName="bot")
    with pytest.raises(SamFailed):
        cloud.deploy(rotate=True)
    assert cloud.said[-1] == wrong("secret_stays", call="GetFunctionConfiguration")


def test_a_new_token_stays_although_the_deployment_fails(cloud: Cloud) -> None:
    """Whoever gets a new one from BotFather has lost the former one, and need not give it again."""
    cloud.deploy()
    clients().ssm.put_parameter(Name=f"/{STACK}/telegram-token", Value="1:old", Type="SecureString", Overwrite=True)
    cloud.sam_fails = True
    with pytest.raises(SamFailed):
        cloud.deploy()
    assert kept(secrets.TOKEN).value == TOKEN


def test_a_package_that_cannot_be_built_changes_no_secret(cloud: Cloud) -> None:
    def fail() -> int:
        raise NoWheels

    cloud.deploy()
    life = Life()
    with pytest.raises(NoWheels):
        cloud.deploy(life, rotate=True, build=fail)
    assert life.changes == []
