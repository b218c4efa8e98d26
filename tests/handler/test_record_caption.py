"""The words that go with the record file."""

from __future__ import annotations

from pathlib import Path

import pytest

from handler.views import talk
from tests.handler.positions import shown

ROOT = Path(__file__).parents[2]
COMMAND = "python3 -m engine verify"


def test_the_command_is_the_one_that_is_documented_and_stands_in_the_chat_whole() -> None:
    first, second = "a" * 64, "b" * 64
    caption = shown(talk.record_caption((first, second)).text)
    assert caption.endswith(f"\n{COMMAND} FILE --commitment {first} --commitment {second}")
    assert "in the folder of this project" in caption
    assert len(caption) <= 1024


@pytest.mark.parametrize("page", ["README.md", "docs/records.md"])
def test_the_page_says_where_it_is_run(page: str) -> None:
    text = " ".join((ROOT / page).read_text("utf-8").split())
    assert "in the folder of this project" in text.partition(COMMAND)[0]
