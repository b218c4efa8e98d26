"""``python -m infra.operator.package --architecture arm64 --output build/package/function.zip``.

The function's package: the three rooms without what belongs to one machine or to the operator, and the libraries of
``requirements/runtime.txt``; boto3 comes with Lambda's runtime. All of it is compiled, the texts too: as the disk of a
function is read-only, every cold start would compile it anew. The same sources and the same Python give the same bytes
anywhere.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from infra.operator.output import fall_silent
from infra.operator.wheels import ARCHITECTURES, Architecture, NoWheels, install

ROOT: Final = Path(__file__).resolve().parents[2]
"""The checkout."""
ROOMS: Final = ("engine", "handler", "infra")
WORDS: Final = "handler/words/*/*.po"
FONTS: Final = "infra/drawing/fonts/*"

LEFT_OUT: Final = (
    # What simulates Telegram, keeps matches in a file or in memory, and waits inside the process: one machine's.
    "infra/local",
    "infra/stores/memory.py",
    "infra/stores/memory_people.py",
    "infra/stores/schema.py",
    "infra/stores/sqlite.py",
    "infra/stores/sqlite_file.py",
    "infra/stores/sqlite_people.py",
    "infra/timers/local.py",
    "handler/host.py",
    "handler/play.py",
    "handler/wiring.py",
    # What is run by hand, with permissions that the function has not.
    "infra/operator",
    "infra/move.py",
    "infra/move_people.py",
    "infra/stores/dynamo_kept.py",
    "infra/stores/kept.py",
    "handler/appearance.py",
    "handler/deploy.py",
    "handler/doctor.py",
    "handler/operating.py",
    "handler/remove.py",
    "handler/words/compiling.py",
    "handler/words/en/operator.po",
)
"""Files and folders of the rooms that the function does not need."""

TASK_ROOT: Final = "/var/task"
"""Where Lambda unpacks the package; tracebacks name it."""
EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The date of every file in the package: the first that a zip can hold."""


@dataclass(frozen=True)
class Part:
    """What a top-level name brings into the package: bytes on disk, and in the zip."""

    name: str
    unzipped: int
    zipped: int


def runtime() -> str:
    """The Lambda runtime that the package is for: that of this interpreter, whose libraries and bytecode it holds."""
    return f"python{sys.version_info.major}.{sys.version_info.minor}"


def build(architecture: Architecture, output: Path) -> list[Part]:
    """Write the package, and say what it is made of, largest first. Raises NoWheels."""
    with TemporaryDirectory() as folder:
        staged = Path(folder) / "package"
        install(ROOT / "requirements/runtime.txt", architecture, ROOT / "build/wheels", staged)
        for name in own_files():
            (staged / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, staged / name)
        _compile_words(staged)
        _compile(staged)
        output.parent.mkdir(parents=True, exist_ok=True)
        # Written beside it and renamed: nobody finds half a package.
        writing = output.with_name(f".{output.name}.{os.getpid()}")
        try:
            parts = _zip(staged, writing)
            writing.replace(output)
        finally:
            writing.unlink(missing_ok=True)
    return parts


def own_files() -> Iterator[PurePosixPath]:
    """The files of this repository that the package holds, from the repository's top."""
    found = {path for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    data = {path for each in (WORDS, FONTS) for path in ROOT.glob(each) if path.is_file()}
    for path in sorted(found | data):
        name = PurePosixPath(path.relative_to(ROOT).as_posix())
        if not any(name.is_relative_to(left_out) for left_out in LEFT_OUT):
            yield name


def _compile_words(staged: Path) -> None:
    """Compile the texts. By the handler's own program, as no room but its own knows what they look like."""
    line = [sys.executable, "-m", "handler.words.compiling", str(staged / "handler/words")]
    subprocess.run(line, cwd=ROOT, check=True)  # noqa: S603 - no word of it is a stranger's


def _compile(staged: Path) -> None:
    """Compile everything, to bytecode that is taken as it is: nothing looks at the sources' dates.

    In a process of its own, with hashes fixed, because both what it did before and its hashes leave traces in bytecode.
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    subprocess.run(  # noqa: S603 - no word of it is a stranger's
        [
            *(sys.executable, "-P", "-S", "-m", "compileall", "-q", "-j", "1", "-f"),
            *("--invalidation-mode", "unchecked-hash", "-s", str(staged), "-p", TASK_ROOT, str(staged)),
        ],
        env={**clean, "PYTHONHASHSEED": "0"},
        check=True,
    )


def _zip(staged: Path, output: Path) -> list[Part]:
    """Zip the folder's files, with nothing in it but their names and contents."""
    unzipped: dict[str, int] = {}
    zipped: dict[str, int] = {}
    with ZipFile(output, "w") as archive:
        for name in sorted(path.relative_to(staged).as_posix() for path in staged.rglob("*") if path.is_file()):
            entry = ZipInfo(name, EPOCH)
            entry.create_system = 3  # Unix, whose modes these are
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            archive.writestr(entry, (staged / name).read_bytes(), ZIP_DEFLATED, compresslevel=9)
            top = name.partition("/")[0]
            unzipped[top] = unzipped.get(top, 0) + entry.file_size
            zipped[top] = zipped.get(top, 0) + entry.compress_size
    parts = [Part(name, size, zipped[name]) for name, size in unzipped.items()]
    return sorted(parts, key=lambda part: (-part.zipped, part.name))


def _table(parts: Sequence[Part]) -> Iterator[str]:
    """The sizes in megabytes, the small ones together."""
    small = [part for part in parts if part.zipped < 50_000]
    rest = Part("the rest", sum(part.unzipped for part in small), sum(part.zipped for part in small))
    for part in (*(part for part in parts if part not in small), rest):
        yield f"  {part.zipped / 1e6:5.2f} MB, unzipped {part.unzipped / 1e6:5.2f} MB: {part.name}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. The exit status: 1 if the libraries cannot be had."""
    parser = argparse.ArgumentParser(
        prog="python -m infra.operator.package", description="Build the function's package."
    )
    parser.add_argument("--architecture", choices=ARCHITECTURES, required=True, help="the processor it is to run on")
    parser.add_argument("--output", type=Path, required=True, help="the zip file to write")
    given = parser.parse_args(arguments)
    try:
        parts = build(given.architecture, given.output)
    except NoWheels as error:
        print(f"The package's libraries cannot be had.\n{error}", file=sys.stderr)
        return 1
    unzipped = sum(part.unzipped for part in parts)
    try:
        print(f"{given.output}: {given.output.stat().st_size / 1e6:.2f} MB, unzipped {unzipped / 1e6:.2f} MB")
        print(f"For {runtime()} on {given.architecture}:", *_table(parts), sep="\n", flush=True)
    except BrokenPipeError:
        fall_silent()
    return 0


if __name__ == "__main__":
    sys.exit(main())
