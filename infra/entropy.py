"""The chance of the machine."""

from __future__ import annotations

import builtins
import secrets


class SystemEntropy:
    """A :class:`handler.ports.Entropy`: the operating system's generator."""

    def bytes(self, n: int) -> builtins.bytes:
        return secrets.token_bytes(n)
