"""The judge knows nothing of the code it judges."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.simulation import judge
from tests.simulation.edits import accused
from tests.simulation.judge import CHECKS
from tests.simulation.trace import Trace, Wrote
from tests.simulation.verdict import Offence

FOLDER = Path(judge.__file__).parent
SEEN = """
import sys
from importlib import import_module
for name in sys.argv[1:]:
    import_module(name)
print(*sys.modules)
"""


def modules() -> Iterator[str]:
    """The judge's modules."""
    for path in sorted(FOLDER.glob("*.py")):
        yield "tests.simulation.judge" if path.stem == "__init__" else f"tests.simulation.judge.{path.stem}"


def test_engine_and_standard_library_only() -> None:
    """Whatever it imports, and whatever that does: of the simulation only the trace and the verdict."""
    found = subprocess.run([sys.executable, "-c", SEEN, *modules()], capture_output=True, text=True, check=True)
    names = set(found.stdout.split())
    own = {"tests", "tests.simulation", "tests.simulation.trace", "tests.simulation.verdict", *modules()}
    assert {name for name in names if name.partition(".")[0] == "tests"} == own
    packages = {
        name.partition(".")[0] for name in names if not name.startswith("_")
    }  # Python's own are set up with those
    assert packages - sys.stdlib_module_names == {"engine", "tests"}


def test_a_check_that_fails_is_an_offence(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may never be silent."""

    def broken(trace: Trace) -> Iterator[Offence]:
        raise KeyError("nothing")
        yield

    assert accused(Trace(events=[Wrote(0.0, None, 1, 1, "hello")])) == set()
    for place, (check, _) in enumerate(CHECKS):
        with monkeypatch.context() as patch:
            patch.setattr(judge, "CHECKS", (*CHECKS[:place], (check, broken), *CHECKS[place + 1 :]))
            [offence] = judge.judge(Trace(events=[Wrote(3.0, None, 1, 1, "hello")]))
        assert (offence.check, offence.at) == (check, 3.0)
        assert "KeyError('nothing') at broken:" in offence.why
