"""Ports on this machine for programs that must be told one."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def kept(number: int) -> Iterator[list[int]]:
    """Ports that nobody listens on. As long as the context lasts, no program is given one that has not asked for it by
    its number: they stay bound, which on Linux keeps nobody else from listening who sets SO_REUSEADDR, as servers do.
    """
    with ExitStack() as stack:
        held = [stack.enter_context(socket.socket()) for _ in range(number)]
        for each in held:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            each.bind(("127.0.0.1", 0))
        ports = [int(each.getsockname()[1]) for each in held]
        if sys.platform != "linux":
            stack.close()
        yield ports
