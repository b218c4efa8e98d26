"""Write the transcripts: ``python -m tests.transcripts OUT``. The same code writes the same bytes."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.transcripts.pages import written
from tests.transcripts.stories import STORIES


def main(folder: Path) -> None:
    """A page a match into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in STORIES:
        (folder / f"{name}.md").write_text(written(name), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.transcripts OUT")
    main(Path(sys.argv[1]))
