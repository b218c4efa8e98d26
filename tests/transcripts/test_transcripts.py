"""The transcripts in docs/transcripts are what the code says today; ``make transcript`` writes them anew."""

from __future__ import annotations

import pytest

from tests.shared import ROOT
from tests.transcripts.pages import written
from tests.transcripts.stories import STORIES

FOLDER = ROOT / "docs" / "transcripts"


@pytest.mark.parametrize("name", STORIES)
def test_a_transcript_is_what_the_code_says_today(name: str) -> None:
    assert (FOLDER / f"{name}.md").read_text(encoding="utf-8") == written(name), "make transcript"


def test_there_are_no_others() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.md" for name in STORIES}
