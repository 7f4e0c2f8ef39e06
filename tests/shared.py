"""What tests of several folders share: expensive folders, and numbers of random examples."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

THOROUGH = settings.default.max_examples > 100
"""Whether this is `make thorough`, which repeats on every server what `make test` does on one."""


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder of the test run; the first test that asks fills it, and others wait for that.

    Tests read it, and copy it before they write.

    Args:
        factory: pytest's fixture ``tmp_path_factory``.
        name: of the folder; one name, one content.
        make: fills the empty folder that it is given.
    """
    base = factory.getbasetemp()
    if base.name.startswith("popen-"):  # each process of xdist has a folder of its own
        base = base.parent
    shared = base / "shared"
    shared.mkdir(exist_ok=True)
    folder, done = shared / name, shared / f"{name}.done"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            folder.mkdir()  # it must not be there: a make that failed is not tried again
            make(folder)
            done.touch()
    return folder


def examples(number: int) -> int:
    """So many random examples where a profile has 100; in proportion in the others."""
    return max(1, number * settings.default.max_examples // 100)
