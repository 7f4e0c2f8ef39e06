"""Jars from Maven Central in a folder of ours: resolved once, never half."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.servers import ServerUnavailable


def resolve(pom: Path, folder: Path) -> Path:
    """The folder ``lib`` in ``folder`` with every jar that ``pom`` names, and a copy of the pom.

    Asks the registry when there is none yet or the pom changed since, and never
    otherwise. ``lib`` appears by one rename, so it is whole when it is there; of
    several processes one resolves, and the others wait for it.

    Raises:
        ServerUnavailable: Maven is missing, or it could not get the jars.
    """
    lib = folder / "lib"
    if _is_current(lib, pom):
        return lib
    folder.mkdir(parents=True, exist_ok=True)
    # One lock for all poms: Maven's own cache (~/.m2) is not made for two writers.
    with open(folder.parent / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _is_current(lib, pom):
            with tempfile.TemporaryDirectory(dir=folder) as temporary:
                fresh = Path(temporary, "lib")
                _copy_dependencies(pom, fresh)
                shutil.copyfile(pom, fresh / "pom.xml")
                if lib.exists():
                    lib.rename(Path(temporary, "old"))
                fresh.rename(lib)
    return lib


def _is_current(lib: Path, pom: Path) -> bool:
    stamp = lib / "pom.xml"
    return stamp.is_file() and stamp.read_bytes() == pom.read_bytes()


def _copy_dependencies(pom: Path, target: Path) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise ServerUnavailable(
            "Maven (mvn) is needed to get the server's jars, and is not on PATH: install it "
            "(apt install maven, brew install maven)"
        )
    command = [maven, "-B", "-q", "-f", str(pom), "dependency:copy-dependencies"]
    command += ["-DincludeScope=runtime", f"-DoutputDirectory={target}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise ServerUnavailable(
            f"Maven could not get what {pom} names (is the registry reachable? mirrors and proxies "
            f"go into ~/.m2/settings.xml). The end of its output:\n{done.stdout[-2000:]}"
        )
