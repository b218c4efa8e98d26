"""The published material beside the checkout: judged cases, sample updates, the Bot API's description.

It is not part of the repository. Tests that read it carry ``@needs_shared`` and skip where it is absent.
"""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
"""The repository's top directory."""

SHARED = ROOT.parent / "shared"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="reads ../shared, which is not beside this checkout")
