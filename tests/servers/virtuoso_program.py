"""The programs of Virtuoso 7: those installed, or Debian's packages unpacked into `.servers`."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.servers import ServerUnavailable
from tests.servers.debian import library_path, unpacked

PACKAGE = "virtuoso-opensource-7-bin"
NAMES = ("virtuoso-t", "isql-vt")
INSTALL = (
    "install the package virtuoso-opensource-7 of Debian or Ubuntu, or put virtuoso-t and "
    "isql-vt of Virtuoso 7 (https://github.com/openlink/virtuoso-opensource/releases) on PATH"
)


@dataclass(frozen=True)
class Programs:
    """Where the server and its SQL client are, and where the libraries that came with them are."""

    server: Path
    client: Path
    libraries: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """The environment that they run in."""
        if not self.libraries:
            return dict(os.environ)
        return {**os.environ, "LD_LIBRARY_PATH": self.libraries}


def programs() -> Programs:
    """Those on PATH, else the unpacked ones; unpacks them the first time.

    Raises:
        ServerUnavailable: neither can be had.
    """
    installed = [shutil.which(name) for name in NAMES]
    if all(installed):
        server, client = (Path(str(path)) for path in installed)
        return Programs(server, client)
    folder = unpacked(PACKAGE, "virtuoso", INSTALL)
    server, client = (folder / "usr" / "bin" / name for name in NAMES)
    found = Programs(server, client, library_path(folder))
    started = subprocess.run(
        [server, "-?"], env=found.environment, capture_output=True, text=True, check=False
    )
    if started.returncode == 127:  # the loader's status where a library is missing
        raise ServerUnavailable(f"{server} does not start: {started.stderr.strip()}. {INSTALL}")
    return found
