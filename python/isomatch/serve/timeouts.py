"""`asyncio.timeout`, which Python 3.10 lacks; unlike `asyncio.wait_for` it makes no task."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 11):
    from asyncio import timeout
else:
    from async_timeout import timeout

__all__ = ["timeout"]
