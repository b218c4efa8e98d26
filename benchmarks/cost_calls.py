"""What one call costs in processor time on the way out and back: boto3's to AWS, and httpx's to the Bot API.

The cost model plays matches on stand-ins in the same process, whose time is taken off. What the real libraries would
have taken in their place is measured here, against a server of canned answers on loopback; its thread is not counted.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import median
from threading import Thread
from time import thread_time
from typing import Any, Final

import boto3
import httpx
from botocore.config import Config

TIMES: Final = 60
KEY: Final[dict[str, Any]] = {"pk": {"S": "match#abcdefgh"}, "sk": {"S": "match"}}
ITEM: Final[dict[str, Any]] = {**KEY, "body": {"B": bytes(900)}, "version": {"N": "17"}}
ANSWER: Final = json.dumps(
    {"Item": {"pk": {"S": "match#abcdefgh"}, "sk": {"S": "match"}, "body": {"B": "AAAA" * 300}}, "ok": True}
).encode()
"""What each call is answered, near enough to either service's words."""


class _Canned(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(200)
        self.send_header("content-type", "application/x-amz-json-1.0")
        self.send_header("content-length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def _server() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Canned)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _of_one(call: Callable[[], object]) -> float:
    """Seconds of this thread's processor time that a call takes."""
    times = []
    for _ in range(TIMES):
        begun = thread_time()
        call()
        times.append(thread_time() - begun)
    return median(times)


def of_aws() -> float:
    """Seconds of processor time of one call to AWS: half of them read an item of a kilobyte, half write one."""
    with _server() as address:
        client = boto3.client(
            "dynamodb",
            endpoint_url=address,
            region_name="us-east-1",
            aws_access_key_id="none",
            aws_secret_access_key="none",  # noqa: S106 - opens nothing
            config=Config(retries={"mode": "standard", "total_max_attempts": 1}),
        )
        read = _of_one(lambda: client.get_item(TableName="t", Key=KEY))
        write = _of_one(lambda: client.put_item(TableName="t", Item=ITEM, ConditionExpression="attribute_exists(pk)"))
        client.close()
    return (read + write) / 2


def of_telegram() -> float:
    """Seconds of processor time that httpx's transport takes for one call of two kilobytes."""

    async def measured(address: str) -> float:
        times = []
        async with httpx.AsyncHTTPTransport() as transport:
            for _ in range(TIMES):
                request = httpx.Request("POST", address, content=bytes(2000))
                begun = thread_time()
                answer = await transport.handle_async_request(request)
                await answer.aread()
                times.append(thread_time() - begun)
        return median(times)

    with _server() as address:
        return asyncio.run(measured(address))
