"""The libraries of a lock, as wheels for Lambda whatever machine this is: downloaded once, then kept."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal, get_args

from infra.operator.environment import without_secrets

Architecture = Literal["arm64", "x86_64"]
"""Lambda's names (AWS::Lambda::Function, Architectures)."""
ARCHITECTURES: Final[tuple[Architecture, ...]] = get_args(Architecture)

_MACHINE: Final = {"arm64": "aarch64", "x86_64": "x86_64"}
_OLDEST_GLIBC: Final = 17
_GLIBC_OF_AMAZON_LINUX_2, _GLIBC_OF_AMAZON_LINUX_2023 = 26, 34
_FIRST_ON_AMAZON_LINUX_2023: Final = (3, 12)
_OF_PIP: Final = ("INSTALLER", "RECORD", "REQUESTED", "WHEEL", "direct_url.json", "entry_points.txt", "top_level.txt")
"""What only pip reads of a dist-info. METADATA stays, for importlib.metadata; and so do the licences."""
_OF_NO_PICTURE: Final = (
    *("PIL/_avif.*.so", "pillow.libs/libavif-*"),
    *("PIL/_webp.*.so", "pillow.libs/libwebp*-*", "pillow.libs/libsharpyuv-*"),
    *("PIL/_imagingcms.*.so", "pillow.libs/liblcms2-*"),
    "PIL/_imagingtk.*.so",
)
"""Pillow's extensions for formats, colour profiles and windows that the bot has nothing to do with, and the libraries
that nothing else links; each is asked for only by who uses it. They are a third of Pillow.
"""


class NoWheels(Exception):
    """pip cannot get or install the wheels. The message is pip's."""


def install(lock: Path, architecture: Architecture, cache: Path, target: Path) -> None:
    """The lock's libraries into the folder ``target``, for an architecture and this interpreter's version of Python.

    Wheels only, so that nothing is built; each must have a hash that the lock gives. Raises NoWheels.
    """
    wheels = _downloaded(lock, architecture, cache)
    _pip("install", lock, architecture, "--no-index", "--find-links", wheels, "--no-compile", "--target", target)
    for folder in (target / "bin", *target.glob("*/tests")):
        shutil.rmtree(folder, ignore_errors=True)
    for pattern in _OF_NO_PICTURE:
        for path in target.glob(pattern):
            path.unlink()
    for info in target.glob("*.dist-info"):
        for name in _OF_PIP:
            (info / name).unlink(missing_ok=True)


def kept(lock: Path, architecture: Architecture, cache: Path) -> Path:
    """The folder of ``cache`` for the wheels of a lock. It is there once all of them are."""
    version = "".join(map(str, sys.version_info[:2]))
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()[:16]
    return cache / f"{architecture}-cp{version}-{digest}"


def _downloaded(lock: Path, architecture: Architecture, cache: Path) -> Path:
    """The same folder, filled if it is not there."""
    folder = kept(lock, architecture, cache)
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=cache) as making:
            wheels = Path(making) / "wheels"
            _pip("download", lock, architecture, "--dest", wheels)
            try:
                wheels.rename(folder)
            except OSError:
                if not folder.is_dir():  # else somebody else was faster
                    raise
    return folder


def _pip(command: str, lock: Path, architecture: Architecture, *options: str | Path) -> None:
    platforms = [option for platform in _platforms(architecture) for option in ("--platform", platform)]
    line: Sequence[str | Path] = (
        *(sys.executable, "-m", "pip", command, "--quiet", "--quiet", "--disable-pip-version-check"),
        *("--no-deps", "--require-hashes", "--requirement", lock),
        *(
            "--only-binary=:all:",
            "--implementation",
            "cp",
            "--python-version",
            ".".join(map(str, sys.version_info[:2])),
        ),
        *(*platforms, *options),
    )
    env = without_secrets()
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=env)  # noqa: S603 - no stranger's words
    if done.returncode != 0:
        raise NoWheels(done.stderr.strip())


def _platforms(architecture: Architecture) -> list[str]:
    """The platform tags whose wheels run there, best first (PEP 600; AWS Lambda developer guide, Lambda runtimes)."""
    newer = sys.version_info[:2] >= _FIRST_ON_AMAZON_LINUX_2023
    newest = _GLIBC_OF_AMAZON_LINUX_2023 if newer else _GLIBC_OF_AMAZON_LINUX_2
    machine = _MACHINE[architecture]
    return [
        *(f"manylinux_2_{minor}_{machine}" for minor in range(newest, _OLDEST_GLIBC - 1, -1)),
        f"manylinux2014_{machine}",
    ]
