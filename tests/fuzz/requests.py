"""Hostile requests, each with the one status that is right for it wherever the webhook stands.

They are sent to Flask's test client, over a socket and in events of API Gateway; :mod:`tests.fuzz.test_sockets`
and :mod:`tests.fuzz.test_entry` have what only one of these can say.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from handler.webhook import LARGEST, SECRET_HEADER
from tests.flows.house import SECRET
from tests.fuzz.hostile import BROKEN, MARK, READABLE, UPDATE, sized

Headers = tuple[tuple[str, str], ...]

TYPED: Final[Headers] = (("Content-Type", "application/json"),)
RIGHT: Final[Headers] = ((SECRET_HEADER, SECRET), *TYPED)


@dataclass(frozen=True)
class Request:
    """A request as it is sent, and the status it gets. ``path`` is as it stands on the wire, percent signs and all.

    The text of a header is latin-1, as in HTTP.
    """

    name: str
    status: int
    body: bytes = UPDATE
    headers: Headers = RIGHT
    method: str = "POST"
    path: str = "/telegram"


def _strangers() -> Iterator[Request]:
    """Who does not know the secret learns nothing else, whatever they send."""
    wrong = {
        "wrong": MARK,
        "empty": "",
        "cut": SECRET[:-1],
        "longer": SECRET + "x",
        "in capitals": SECRET.upper(),
        "quoted": f'"{SECRET}"',
        "as a bearer's": f"Bearer {SECRET}",
        "not ASCII": "\xe9\xff",
        "as bytes of UTF-8": "\xc3\xa9" + MARK,
        "long": MARK * 1_000,
    }
    for name, secret in wrong.items():
        yield Request(f"a secret that is {name}", 401, headers=((SECRET_HEADER, secret), *TYPED))
    yield Request("no secret", 401, headers=TYPED)
    yield Request("the secret twice", 401, headers=((SECRET_HEADER, SECRET), *RIGHT))
    yield Request("a wrong secret, then the right one", 401, headers=((SECRET_HEADER, MARK), *RIGHT))
    yield Request("the right secret, then a wrong one", 401, headers=(*RIGHT, (SECRET_HEADER, MARK)))
    yield Request("the secret under another name", 401, headers=(("Authorization", SECRET), *TYPED))
    yield Request("the secret in the query", 401, headers=TYPED, path=f"/telegram?{SECRET_HEADER}={SECRET}")
    for name, body in BROKEN.items():
        yield Request(f"no secret, and {name}", 401, body=body, headers=TYPED)
    yield Request("no secret, and a byte too much", 401, body=sized(LARGEST + 1), headers=TYPED)
    yield Request("no secret, no type", 401, headers=())


def _types() -> Iterator[Request]:
    wrong = (
        "text/plain",
        "application/x-www-form-urlencoded",
        f"multipart/form-data; boundary={MARK}",
        "application/jsonp",
        "application/json-seq",
        "application",
        "/",
        ";",
        ";charset=utf-8",
        "*/*",
        "text/json",
        f"{MARK}/json",
        "\xff\xfe/json",
        '"application/json"',
        "a" * 10_000,
    )
    for kind in wrong:
        yield Request(f"of type {kind[:40]!r}", 415, headers=((SECRET_HEADER, SECRET), ("Content-Type", kind)))
    yield Request("of no type", 415, headers=((SECRET_HEADER, SECRET),))
    right = (
        "application/json; charset=utf-8",
        "APPLICATION/JSON",
        f"application/json; charset={MARK}",
        "application/json; charset=utf-16",
        "application/json;;;",
        'application/json; charset="',
        "application/json; \xff=\xfe",
        "application/json; charset*=utf-8''%ff",
        "application/json; charset*0*=x''%ff; charset*1=" + "y" * 1_000,
    )
    for kind in right:
        yield Request(f"of type {kind[:40]!r}", 200, headers=((SECRET_HEADER, SECRET), ("Content-Type", kind)))


def _bodies() -> Iterator[Request]:
    for name, body in BROKEN.items():
        yield Request(name, 400, body=body)
    for name, body in READABLE.items():
        yield Request(name, 200, body=body)
    yield Request("a mebibyte and a byte", 413, body=sized(LARGEST + 1))
    yield Request("ten mebibytes", 413, body=sized(10 * LARGEST))
    packed = Request("compressed", 400, body=gzip.compress(UPDATE))
    for coding in ("gzip", "deflate", "br", "zstd", MARK, "gzip, gzip"):
        yield replace(packed, name=f"compressed: {coding}", headers=(*RIGHT, ("Content-Encoding", coding)))
    bomb = gzip.compress(b"[" * 50 * LARGEST)
    yield replace(packed, name="a bomb", body=bomb, headers=(*RIGHT, ("Content-Encoding", "gzip")))


def _methods() -> Iterator[Request]:
    right = {
        "/telegram": {"POST": 200, "post": 200, "OPTIONS": 200},
        "/healthz": {"GET": 200, "HEAD": 200, "OPTIONS": 200},
        "/": {},
    }
    methods = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QZXMARK", "post")
    for path, statuses in right.items():
        for method in methods:
            status = statuses.get(method, 404 if path == "/" else 405)
            yield Request(f"{method} {path}", status, method=method, path=path)


def _paths() -> Iterator[Request]:
    elsewhere = (
        "/telegram/",
        f"/x//telegram?{MARK}",
        "/telegram//",
        "/x/../telegram",
        "/Telegram",
        "/telegram%00",
        "/telegram%2F",
        "/telegram/%2e%2e/healthz",
        "/%ff%fe",
        "/%ed%a0%80",
        "/%E2%98%83",
        f"/{MARK}",
        f"//{MARK}/telegram",
        "/static/x",
        "/telegram;x=1",
        "/" + "a" * 8_000,
        "/" + "%00" * 1_000,
        "/" + "/" * 1_000,
        f"/bot{MARK}/getUpdates",
        "/.env",
        "/%",
        "/%zz",
    )
    for path in elsewhere:
        yield Request(f"to {path[:40]}", 404, path=path)
    for path in ("/telegram?", "/telegram?x=%ff&x=%00&&==", f"/telegram?{MARK}#{MARK}", "/telegram?" + "a&" * 4_000):
        yield Request(f"to {path[:40]}", 200, path=path)
    for path in ("/tele%67ram", f"//telegram?{MARK}"):
        yield Request(f"to {path}", 200, path=path)


def _headers() -> Iterator[Request]:
    odd: Headers = (
        ("Host", f"{MARK}.example"),
        ("Host", "[::1"),
        ("Host", "\xff"),
        ("Host", ""),
        ("X-Forwarded-For", MARK),
        ("X-Forwarded-Host", MARK),
        ("X-Forwarded-Proto", "javascript"),
        ("X-Forwarded-Port", "-1"),
        ("Cookie", f"session={MARK}; =; ;;\xff"),
        ("Accept", "image/*;q=NaN"),
        ("Range", "bytes=9-1,-,--5"),
        ("If-Match", "*"),
        ("If-Modified-Since", "Thu, 99 Foo 99999 99:99:99 GMT"),
        ("Authorization", "Basic \xff"),
        ("Upgrade", "websocket"),
        ("X-HTTP-Method-Override", "DELETE"),
        ("Accept-Language", "x" * 8_000),
    )
    for name, value in odd:
        yield Request(f"{name}: {value[:40]!r}", 200, headers=(*RIGHT, (name, value)))


REQUESTS: Final = (*_strangers(), *_types(), *_bodies(), *_methods(), *_paths(), *_headers())
