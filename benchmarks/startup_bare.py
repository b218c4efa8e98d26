"""The least that a function behind the same webhook does with a press: it proves who asks, by a secret of SSM, reads an
item of the table and writes it anew, and answers the press by one call. Flask and boto3, and no game.
"""

from __future__ import annotations

import hmac
import os
import ssl
from typing import TYPE_CHECKING, Any

import boto3
import urllib3
from apig_wsgi import make_lambda_handler
from flask import Flask, Response, request

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_ssm import SSMClient

TABLE = os.environ["TABLE_NAME"]

dynamodb: DynamoDBClient = boto3.client("dynamodb")
# With boto3 comes urllib3. Certificates are read whatever the address is: Telegram's begins with https.
http = urllib3.PoolManager(ssl_context=ssl.create_default_context())


def _secrets() -> tuple[str, str]:
    """The bot's token and the webhook's secret."""
    names = [os.environ["TOKEN_PARAMETER"], os.environ["SECRET_PARAMETER"]]
    ssm: SSMClient = boto3.client("ssm")
    found = {each["Name"]: each["Value"] for each in ssm.get_parameters(Names=names, WithDecryption=True)["Parameters"]}
    return found[names[0]], found[names[1]]


token, secret = _secrets()
app = Flask(__name__, static_folder=None)


@app.post("/telegram")
def telegram() -> Response:
    """Count the presses of a match."""
    if not hmac.compare_digest(request.headers.get("X-Telegram-Bot-Api-Secret-Token", ""), secret):
        return Response(status=401)
    query: dict[str, Any] = request.get_json()["callback_query"]
    key = {"pk": {"S": "bare"}, "sk": {"S": "bare"}}
    stored = dynamodb.get_item(TableName=TABLE, Key=key, ConsistentRead=True).get("Item", {})
    presses = int(stored.get("presses", {"N": "0"})["N"]) + 1
    dynamodb.put_item(TableName=TABLE, Item={**key, "presses": {"N": str(presses)}})
    answer = {"callback_query_id": query["id"], "text": f"Press {presses}."}
    http.request("POST", f"{os.environ['TELEGRAM_API']}/bot{token}/answerCallbackQuery", json=answer)
    return Response("ok")


handler = make_lambda_handler(app)
