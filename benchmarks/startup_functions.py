"""The functions whose start is measured: the package, and two that stand beside it, each unpacked as Lambda has it."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from py_compile import PycInvalidationMode, compile
from typing import Final

HERE: Final = Path(__file__).parent

OURS, BARE, ECHO = "the package", "Flask + boto3", "telegram.ext"

IMPORTS: Final[Mapping[str, str]] = {
    OURS: "handler.entry",
    BARE: "boto3, urllib3, apig_wsgi, flask",
    ECHO: "telegram.ext",
}
"""What each imports before it can do anything."""

LIBRARIES: Final[Mapping[str, Sequence[str]]] = {
    BARE: ("apig_wsgi", "blinker", "click", "flask", "itsdangerous", "jinja2", "markupsafe", "werkzeug"),
    ECHO: ("anyio", "certifi", "h11", "httpcore", "httpx", "idna", "telegram", "typing_extensions.py"),
}
"""What of our package they need too, the same releases; boto3 comes with the runtime."""

SOURCES: Final[Mapping[str, str]] = {BARE: "startup_bare", ECHO: "startup_echo"}


@dataclass(frozen=True)
class Unpacked:
    """A function where Lambda would have it. ``handler`` names what takes its events."""

    name: str
    root: Path
    handler: str

    @property
    def unzipped(self) -> int:
        """Bytes on the disk."""
        return sum(path.stat().st_size for path in self._files())

    @property
    def zipped(self) -> int:
        """Bytes of its files, deflated as in a package."""
        return sum(len(zlib.compress(path.read_bytes(), 9)) for path in self._files())

    def _files(self) -> Iterator[Path]:
        return (path for path in self.root.rglob("*") if path.is_file())


def unpacked(package: Path, folder: Path) -> Sequence[Unpacked]:
    """The function of a package that is unpacked already and, made in ``folder``, those that stand beside it."""
    return (Unpacked(OURS, package, "handler.entry.handler"), *(_beside(name, package, folder) for name in SOURCES))


def _beside(name: str, package: Path, folder: Path) -> Unpacked:
    module = SOURCES[name]
    root = folder / module
    root.mkdir()
    for library in LIBRARIES[name]:
        source = package / library
        if source.is_dir():
            shutil.copytree(source, root / library)  # with its bytecode, which looks at no dates
        else:
            shutil.copyfile(source, root / library)
    own = Path(shutil.copy(HERE / f"{module}.py", root))
    compile(str(own), doraise=True, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    return Unpacked(name, root, f"{module}.handler")
