"""What Lambda imports: :mod:`handler.aws`, read in while nothing looks for garbage.

Nothing that an import makes is garbage, and there is much of it. The collector would go through all of it again and
again while it grows, for a tenth of a cold start, and later each time that it looks at everything.
"""

from __future__ import annotations

import gc

gc.disable()
from handler.aws import handler  # noqa: E402 - that is what it is paused for

gc.freeze()
gc.enable()

__all__ = ["handler"]
