"""Locks between processes that end with the process that holds them."""

from __future__ import annotations

from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def hold(file: IO[Any], *, shared: bool = False, wait: bool = False) -> bool:
    """Lock an open file until it is closed; False when another process has it.

    The lock is advisory and the system drops it when the process ends, however
    that happens. Where the system has no such locks, nothing is ever locked.
    """
    if fcntl is None:
        return True
    mode = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(file, mode if wait else mode | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks (some network mounts)
        return True
    return True
