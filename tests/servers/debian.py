"""Programs of Debian's packages, unpacked into a folder without root.

`apt-get download` gets a package and those of its dependencies that the machine lacks,
`dpkg -x` unpacks them.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.servers import CACHE, ServerUnavailable


def unpacked(package: str, name: str, install: str) -> Path:
    """The folder in `.servers` with a package; unpacks it the first time.

    Args:
        package: as Debian calls it.
        name: of the folder.
        install: says how people get the program otherwise.

    Raises:
        ServerUnavailable: this is no Debian, or its registry cannot be reached.
    """
    folder = CACHE / name
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            with tempfile.TemporaryDirectory(dir=CACHE) as temporary:
                fresh = Path(temporary, name)
                _unpack(package, fresh, install)
                fresh.rename(folder)
    return folder


def library_path(folder: Path) -> str:
    """``LD_LIBRARY_PATH`` for programs in a folder: packages use /lib and /usr/lib.

    Some keep libraries that only they use in a folder of their own in there.
    """
    public = sorted(folder.glob("**/lib/*-linux-gnu"))
    private = sorted({file.parent for of in public for file in of.glob("*/lib*.so*")})
    return os.pathsep.join(map(str, [*public, *private]))


def _unpack(package: str, target: Path, install: str) -> None:
    if not all(shutil.which(name) for name in ("apt-get", "apt-cache", "dpkg")):
        raise ServerUnavailable(f"{package} is not installed: {install}")
    if not _run("apt-cache", "policy", package).stdout.strip() and os.geteuid() == 0:
        _run("apt-get", "update")  # a fresh container has no lists of packages
    with tempfile.TemporaryDirectory() as temporary:
        planned = _run("apt-get", "install", "--simulate", "--no-install-recommends", package)
        wanted = [line.split()[1] for line in planned.stdout.splitlines() if line[:5] == "Inst "]
        done = _run("apt-get", "download", *wanted, folder=temporary) if wanted else planned
        if done.returncode or not wanted:
            raise ServerUnavailable(
                f"{package} is not installed, and its packages cannot be got "
                f"({done.stderr.strip()[-500:]}): {install}"
            )
        for file in sorted(Path(temporary).glob("*.deb")):
            subprocess.run(["dpkg", "-x", file, target], check=True)


def _run(*command: str, folder: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)
