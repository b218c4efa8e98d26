"""The template, translated once. SAM is run without an account and without a network."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.aws.template.reading import SAM, Template, parsed, run_with_sam


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tools keep what they think they must keep, and where the translated template lies."""
    if not SAM.exists():
        pytest.skip("SAM's environment, build/sam, is not there; make test makes it")
    return tmp_path_factory.mktemp("sam")


@pytest.fixture(scope="session")
def translated(home: Path) -> Path:
    """The file of the translated template."""
    done = run_with_sam(home, "tools/translate.py", "template.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    file = home / "translated.json"
    file.write_text(done.stdout, encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def template(translated: Path) -> Template:
    """The translated template."""
    return parsed(translated.read_text(encoding="utf-8"))
