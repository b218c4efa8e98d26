"""``python -m handler.words.compiling FOLDER``: each ``.po`` in the folders of a folder becomes a ``.json``."""

from __future__ import annotations

import sys
from pathlib import Path

from handler.words.areas import compiled, read


def compile_folders(folder: Path) -> None:
    """Put the compiled texts in the place of the others."""
    for file in folder.glob("*/*.po"):
        file.with_suffix(".json").write_text(compiled(read(file)), encoding="utf-8")
        file.unlink()


if __name__ == "__main__":
    compile_folders(Path(sys.argv[1]))
