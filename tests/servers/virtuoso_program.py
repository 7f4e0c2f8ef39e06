"""The programs of Virtuoso 7: those installed, or Debian's packages unpacked into `.servers`.

Unpacking needs no root: `apt-get download` gets the package and the libraries that
the machine lacks, `dpkg -x` unpacks them.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.servers import CACHE, ServerUnavailable

PACKAGE = "virtuoso-opensource-7-bin"
NAMES = ("virtuoso-t", "isql-vt")
INSTALL = (
    "install the package virtuoso-opensource-7 of Debian or Ubuntu, or put virtuoso-t and "
    "isql-vt of Virtuoso 7 (https://github.com/openlink/virtuoso-opensource/releases) on PATH"
)


@dataclass(frozen=True)
class Programs:
    """Where the server and its SQL client are, and folders of libraries that came with them."""

    server: Path
    client: Path
    libraries: tuple[Path, ...] = ()

    @property
    def environment(self) -> dict[str, str]:
        """The environment that they run in."""
        if not self.libraries:
            return dict(os.environ)
        return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(map(str, self.libraries))}


def programs() -> Programs:
    """Those on PATH, else the unpacked ones; unpacks them the first time.

    Raises:
        ServerUnavailable: neither can be had.
    """
    installed = [shutil.which(name) for name in NAMES]
    if all(installed):
        server, client = (Path(str(path)) for path in installed)
        return Programs(server, client)
    folder = CACHE / "virtuoso"
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "virtuoso.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            with tempfile.TemporaryDirectory(dir=CACHE) as temporary:
                fresh = Path(temporary, "virtuoso")
                unpack(fresh)
                fresh.rename(folder)
    # Debian packages put some libraries into /lib, others into /usr/lib.
    libraries = sorted(folder.glob("**/lib/*-linux-gnu"))
    server, client = (folder / "usr" / "bin" / name for name in NAMES)
    found = Programs(server, client, tuple(libraries))
    started = subprocess.run(
        [server, "-?"], env=found.environment, capture_output=True, text=True, check=False
    )
    if started.returncode == 127:  # the loader's status where a library is missing
        raise ServerUnavailable(f"{server} does not start: {started.stderr.strip()}. {INSTALL}")
    return found


def unpack(target: Path) -> None:
    """Unpack Virtuoso's programs, and the libraries that are not installed, into a folder.

    Raises:
        ServerUnavailable: this is no Debian, or its registry cannot be reached.
    """
    if not all(shutil.which(name) for name in ("apt-get", "apt-cache", "dpkg")):
        raise ServerUnavailable(f"Virtuoso is not installed: {INSTALL}")
    if not _run("apt-cache", "policy", PACKAGE).stdout.strip() and os.geteuid() == 0:
        _run("apt-get", "update")  # a fresh container has no lists of packages
    with tempfile.TemporaryDirectory() as temporary:
        wanted = [PACKAGE, *_missing_libraries()]
        done = _run("apt-get", "download", *wanted, folder=temporary)
        if done.returncode:
            raise ServerUnavailable(
                f"Virtuoso is not installed, and its packages cannot be got "
                f"({done.stderr.strip()[-500:]}): {INSTALL}"
            )
        for package in sorted(Path(temporary).glob("*.deb")):
            subprocess.run(["dpkg", "-x", package, target], check=True)


def _missing_libraries() -> list[str]:
    """The packages that Virtuoso's depends on, and that are not installed."""
    options = ["--recurse", "--no-recommends", "--no-suggests", "--no-conflicts"]
    options += ["--no-breaks", "--no-replaces", "--no-enhances"]
    shown = _run("apt-cache", "depends", *options, PACKAGE).stdout
    names = {line for line in shown.splitlines() if line and line[0].isalnum()} - {PACKAGE}
    installed = _run("dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n").stdout
    there = {line.split()[0] for line in installed.splitlines() if line.endswith(" installed")}
    return sorted(name for name in names - there if name.startswith("lib"))


def _run(*command: str, folder: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)
