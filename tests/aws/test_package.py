"""The function's package: the same bytes every time, what belongs in it and nothing else, and compiled for good."""

from __future__ import annotations

import json
import marshal
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from handler.words import LANGUAGES
from handler.words.areas import read
from infra.drawing.fonts import FILES
from infra.operator.package import EPOCH, LEFT_OUT, ROOMS, ROOT, TASK_ROOT, main, own_files, runtime
from infra.operator.wheels import ARCHITECTURES, Architecture, NoWheels, install, kept
from tests.aws.packaged import HERE, RUNTIME, lacking_runtime, package, show
from tests.imports import imported, modules

LIMIT = 250 * 1024 * 1024
"""Bytes that a package may have unzipped (AWS Lambda developer guide, Lambda quotas)."""

IMPORT_ALL = """
import importlib, json, os, sys
sys.path.insert(0, os.getcwd())
for name in json.load(sys.stdin):
    importlib.import_module(name)
others = [name for name in ("flask", "httpx", "telegram") if sys.modules[name].__file__.startswith(os.getcwd())]
print(json.dumps(others))
"""
"""Imports modules out of the working directory, and says what other packages came from there."""

DRAW = """
import os, sys
sys.path.insert(0, os.getcwd())
from infra.drawing.canvas import Canvas
from infra.drawing.colours import GOLD, TEXT
canvas = Canvas(80, 40)
canvas.disc((20, 20), 10, GOLD)
canvas.text((40, 20), "Owl", 16, TEXT)
sys.stdout.buffer.write(canvas.png(40))
"""
"""Draws a shape and letters with what is in the working directory."""


@pytest.fixture(params=ARCHITECTURES)
def built(request: pytest.FixtureRequest) -> Path:
    return package(request.param)


def names(built: Path) -> list[str]:
    with ZipFile(built) as archive:
        return archive.namelist()


def module(name: str) -> str:
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def own(built: Path) -> set[str]:
    """What the package holds of the rooms, without bytecode."""
    return {name for name in names(built) if name.partition("/")[0] in ROOMS and not name.endswith(".pyc")}


def left_out(name: str) -> bool:
    return any(name == part or name.startswith(f"{part}/") for part in LEFT_OUT)


# --- the same bytes -------------------------------------------------------------------------------


def test_a_build_elsewhere_with_other_dates_modes_and_hashes_gives_the_same_bytes(tmp_path: Path) -> None:
    copy = tmp_path / "another folder"
    for folder in (*ROOMS, "build/wheels"):
        package("arm64")  # for its wheels
        shutil.copytree(
            ROOT / folder, copy / folder, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns("*.pyc")
        )
    (copy / "requirements").mkdir()
    shutil.copyfile(ROOT / "requirements/runtime.txt", copy / "requirements/runtime.txt")
    for path in copy.rglob("*.py"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
        path.chmod(0o600)
    output = tmp_path / "again.zip"
    subprocess.run(
        [sys.executable, "-m", "infra.operator.package", "--architecture", "arm64", "--output", output],
        cwd=copy,
        env={**os.environ, "PYTHONHASHSEED": "7", "TMPDIR": str(tmp_path), "PIP_NO_INDEX": "1"},
        check=True,
    )
    assert output.read_bytes() == package("arm64").read_bytes()


def test_nothing_of_the_zip_depends_on_when_and_by_whom_it_was_made(built: Path) -> None:
    with ZipFile(built) as archive:
        entries = archive.infolist()
    assert [entry.filename for entry in entries] == sorted({entry.filename for entry in entries})
    assert {entry.date_time for entry in entries} == {EPOCH}
    modes = {(entry.filename.endswith(".so"), entry.external_attr >> 16) for entry in entries}
    assert modes == {(False, 0o100644), (True, 0o100755)}


# --- what is in it --------------------------------------------------------------------------------


def test_it_holds_the_rooms_without_what_is_left_out(built: Path) -> None:
    tree = {path.relative_to(ROOT).as_posix() for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    words = {path.relative_to(ROOT).as_posix() for path in (ROOT / "handler/words").rglob("*.po")}
    fonts = {f"infra/drawing/fonts/{name}" for name in (*FILES.values(), "LICENSE.txt")}
    expected = {name for name in tree | words | fonts if not left_out(name)}
    assert expected == {str(name) for name in own_files()}
    assert own(built) == {re.sub(r"\.po$", ".json", name) for name in expected}
    assert {"handler/aws.py", "engine/game.py", "infra/stores/dynamo.py", "handler/words/en/lobby.json"} <= own(built)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_the_same_as_its_sources(built: Path, language: str, tmp_path: Path) -> None:
    with ZipFile(built) as archive:
        for name in (name for name in archive.namelist() if name.startswith(f"handler/words/{language}/")):
            compiled = Path(archive.extract(name, tmp_path))
            source = (ROOT / name).with_suffix(".po")
            assert read(compiled) == read(source)
            assert read(source).texts, "a file without a text"


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_is_left_out_exists(name: str) -> None:
    assert (ROOT / name).exists()


def test_the_function_needs_every_module_of_the_handler_and_of_infra_that_it_gets(built: Path) -> None:
    """A new module of the operator's or of one machine's has to be named in LEFT_OUT."""
    sources = dict(modules(ROOT))
    ahead, needed = ["handler.entry"], {"handler.entry"}
    while ahead:
        for name in imported(sources[ahead.pop()]):
            parts = name.split(".")
            found = {".".join(parts[:length]) for length in range(1, len(parts) + 1)} & sources.keys() - needed
            needed |= found
            ahead += found
    packed = {module(name) for name in own(built) if name.endswith(".py")}
    assert needed <= packed
    assert {name for name in packed - needed if not name.startswith("engine")} == set()


def test_it_holds_the_libraries_of_its_lock_and_no_others(built: Path) -> None:
    lock = (ROOT / "requirements/runtime.txt").read_text(encoding="utf-8")
    pinned = {f"{name.replace('-', '_')}-{version}" for name, version in re.findall(r"^(\S+)==([^\s;]+)", lock, re.M)}
    found = {name.partition(".dist-info/")[0] for name in names(built) if ".dist-info/" in name}
    assert found == pinned
    tops = {name.partition("/")[0] for name in names(built)}
    assert tops.isdisjoint({"boto3", "botocore", "tests", "bin", "moto", "waitress", "pip", "awslambdaric"})


def test_it_holds_nobodys_tests_and_nothing_that_only_pip_reads(built: Path) -> None:
    assert [name for name in names(built) if "/tests/" in name or name.endswith(("RECORD", "INSTALLER", ".exe"))] == []


def test_it_holds_binaries_for_its_architecture_alone() -> None:
    machines: dict[Architecture, str] = {"arm64": "aarch64", "x86_64": "x86_64"}
    for architecture, machine in machines.items():
        binaries = [name for name in names(package(architecture)) if name.endswith(".so")]
        assert binaries
        assert all(machine in name for name in binaries)


def test_of_pillow_it_holds_what_draws_and_every_library_that_this_links(built: Path) -> None:
    with ZipFile(built) as archive:
        found = [name for name in archive.namelist() if re.match(r"PIL/.+\.so|pillow\.libs/", name)]
        binaries = {Path(name).name: archive.read(name) for name in found}
    extensions = {name.partition(".")[0] for name in binaries if name.startswith("_")}
    assert extensions == {"_imaging", "_imagingft", "_imagingmath", "_imagingmorph"}
    linked = {name for content in binaries.values() for name in re.findall(rb"lib\w+-[0-9a-f]{8}\.so[.\d]*", content)}
    assert {name.decode() for name in linked} <= binaries.keys()
    assert not any(re.match("lib(avif|webp|sharpyuv|lcms)", name) for name in binaries)


def test_it_is_far_below_what_lambda_takes(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ZipFile(built) as archive:
        unzipped = sum(entry.file_size for entry in archive.infolist())
    show(capsys, f"{built.name}: {built.stat().st_size / 1e6:.2f} MB, unzipped {unzipped / 1e6:.2f} MB")
    assert unzipped < LIMIT / 5


# --- how it runs ----------------------------------------------------------------------------------


def test_every_source_has_its_bytecode(built: Path) -> None:
    tag = sys.implementation.cache_tag
    sources = {name for name in names(built) if name.endswith(".py")}
    compiled = {name for name in names(built) if name.endswith(".pyc")}
    assert compiled == {re.sub(r"([^/]+)\.py$", rf"__pycache__/\1.{tag}.pyc", name) for name in sources}


def test_bytecode_is_taken_as_it_is_and_names_the_source_where_lambda_has_it(built: Path) -> None:
    with ZipFile(built) as archive:
        compiled = {name: archive.read(name) for name in archive.namelist() if name.endswith(".pyc")}
    assert {content[4] for content in compiled.values()} == {0b01}  # by hash, and not to be checked (PEP 552)
    entry = marshal.loads(next(content for name, content in compiled.items() if "handler/__pycache__/aws" in name)[16:])
    assert entry.co_filename == f"{TASK_ROOT}/handler/aws.py"
    assert not any(str(ROOT).encode() in content for content in compiled.values())


def test_the_runtime_is_this_pythons() -> None:
    assert runtime() == "python{}.{}".format(*sys.version_info)


def test_it_draws_beside_lambdas_boto3_alone(tmp_path: Path) -> None:
    if reason := lacking_runtime():
        pytest.skip(reason)
    assert HERE is not None
    with ZipFile(package(HERE)) as archive:
        archive.extractall(tmp_path)
    line = [str(RUNTIME), "-I", "-c", DRAW]
    said = subprocess.run(line, cwd=tmp_path, capture_output=True, check=False)
    assert said.stderr == b""
    assert said.stdout.startswith(b"\x89PNG")


def test_all_of_it_imports_from_bytecode_beside_lambdas_boto3_alone(tmp_path: Path) -> None:
    if reason := lacking_runtime():
        pytest.skip(reason)
    assert HERE is not None
    with ZipFile(package(HERE)) as archive:
        archive.extractall(tmp_path)
    for path in tmp_path.rglob("*.py"):
        path.write_text("raise AssertionError('the source was read')")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    ours = sorted(module(name) for name in own(package(HERE)) if name.endswith(".py"))
    line = [str(RUNTIME), "-I", "-c", IMPORT_ALL]
    said = subprocess.run(line, cwd=tmp_path, input=json.dumps(ours), capture_output=True, text=True, check=False)
    assert said.stderr == ""
    assert json.loads(said.stdout) == ["flask", "httpx", "telegram"]
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


# --- what goes wrong ------------------------------------------------------------------------------


def test_a_wheel_that_is_not_the_locked_one_is_refused(tmp_path: Path) -> None:
    package("arm64")  # for its wheels
    true, lock = ROOT / "requirements/runtime.txt", tmp_path / "runtime.txt"
    lock.write_text(re.sub("sha256:[0-9a-f]{6}", "sha256:000000", true.read_text(encoding="utf-8")), encoding="utf-8")
    shutil.copytree(kept(true, "arm64", ROOT / "build/wheels"), kept(lock, "arm64", tmp_path))
    with pytest.raises(NoWheels, match="DO NOT MATCH"):
        install(lock, "arm64", tmp_path, tmp_path / "installed")
    assert not (tmp_path / "installed").exists()


def test_without_a_network_it_says_that_it_has_no_wheels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setattr("infra.operator.package.ROOT", tmp_path)
    (tmp_path / "requirements").mkdir()
    shutil.copyfile(ROOT / "requirements/runtime.txt", tmp_path / "requirements/runtime.txt")
    assert main(["--architecture", "arm64", "--output", str(tmp_path / "function.zip")]) == 1
    assert capsys.readouterr().err.startswith("The package's libraries cannot be had.")
    assert not (tmp_path / "function.zip").exists()
    assert list((tmp_path / "build/wheels").iterdir()) == []
