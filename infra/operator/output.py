"""What a program does when whoever read what it says has seen enough (``make package | head -1``)."""

from __future__ import annotations

import os
import sys


def fall_silent() -> None:
    """Let what is not said yet be said to nobody, or Python complains at the end that nobody listens (the library's
    reference, signal, "Note on SIGPIPE").
    """
    nobody = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nobody, sys.stdout.fileno())
    os.close(nobody)
