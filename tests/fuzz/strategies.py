"""Updates as hypothesis draws them: anything at all, and well-formed ones with something wrong in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.fuzz.hostile import NODES, TEXTS

Path = tuple[str | int, ...]

TEXT: SearchStrategy[str] = st.sampled_from(TEXTS) | st.text(st.characters(codec=None), max_size=80)
"""Lone surrogates among it."""

ANYTHING: SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)
"""Any JSON value, numbers that JSON lacks among them."""

KEYS = (
    "update_id",
    "message",
    "edited_message",
    "channel_post",
    "callback_query",
    "my_chat_member",
    "chat_member",
    "id",
    "chat",
    "from",
    "data",
    "text",
    "type",
    "title",
    "is_bot",
    "status",
    "user",
    "message_id",
    "message_thread_id",
    "is_topic_message",
    "sender_chat",
    "via_bot",
    "forward_origin",
    "left_chat_member",
    "migrate_to_chat_id",
    "migrate_from_chat_id",
    "old_chat_member",
    "new_chat_member",
    "reply_markup",
    "inline_keyboard",
    "callback_data",
    "reply_to_message",
    "pinned_message",
    "date",
)
"""What a field may be renamed to: another field that this bot reads."""


@st.composite
def updates_like(draw: DrawFn, kinds: tuple[str, ...]) -> Any:
    """Anything under the names of an update's kinds."""
    update = draw(st.dictionaries(st.sampled_from((*kinds, *KEYS)), ANYTHING, max_size=4))
    return {"update_id": draw(st.integers(1, 2**31)), **update}


@st.composite
def mutated(draw: DrawFn, seeds: list[Any]) -> Any:
    """One of the seeds with up to four of its nodes dropped, replaced, renamed, or put where another one was."""
    update = deepcopy(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 4))):
        paths = list(_paths(update))
        if not paths:
            break
        _mutate(draw, update, draw(st.sampled_from(paths)), seeds)
    return update


def _mutate(draw: DrawFn, update: Any, path: Path, seeds: list[Any]) -> None:
    *above, key = path
    where = _at(update, tuple(above))
    how = draw(st.sampled_from(("drop", "replace", "replace", "rename", "wrap", "transplant", "nest")))
    if how == "drop":
        del where[key]
    elif how == "replace":
        where[key] = deepcopy(draw(st.sampled_from(NODES) | ANYTHING))  # the next mutation may be of it
    elif how == "rename" and isinstance(where, dict):
        where[draw(st.sampled_from(KEYS))] = where.pop(key)
    elif how == "nest":
        for _ in range(draw(st.sampled_from((1, 20, 100)))):
            where[key] = {"reply_to_message": where[key]}
    elif how == "transplant":
        other = draw(st.sampled_from(seeds))
        where[key] = deepcopy(_at(other, draw(st.sampled_from(list(_paths(other))))))
    else:
        where[key] = [where[key]]


def _paths(whole: Any) -> Iterator[Path]:
    """The ways to all nodes below the whole."""
    waiting: list[tuple[Path, Any]] = [((), whole)]
    while waiting:
        path, value = waiting.pop()
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, each in inner:
            yield (*path, key)
            waiting.append(((*path, key), each))


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


@st.composite
def garbled(draw: DrawFn, genuine: list[str]) -> str:
    """The data of a button, with some of it cut out, doubled, replaced, or taken from another button."""
    data = draw(st.sampled_from(genuine))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, len(data)))
        between = draw(st.sampled_from(("", data[start:end] * 2, *genuine)) | st.text(max_size=6) | TEXT)
        data = data[:start] + between + data[end:]
    return data


def plain(value: Any) -> bytes:
    """The body that holds a value, surrogates and numbers that JSON lacks included."""
    return json.dumps(value).encode()
