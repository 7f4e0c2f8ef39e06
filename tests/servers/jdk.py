"""The Java of this machine that a server can run on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.servers import ServerUnavailable

# Where Linux packages and macOS installers put JDKs.
INSTALLED = (
    ("/usr/lib/jvm", "*/bin/java"),
    ("/Library/Java/JavaVirtualMachines", "*/Contents/Home/bin/java"),
)

# Compilers and collectors for hours of work cost a brief server more than they save; and to
# verify the classes of published jars takes a quarter of its start.
BRIEF = (
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:-BytecodeVerificationRemote",
)


@dataclass(frozen=True)
class Java:
    """One Java: its executable and its major version (17, 21, …)."""

    executable: Path
    version: int


def find_java(least: int, most: int | None = None) -> Java:
    """The Java to run a server on that needs version ``least`` to ``most``.

    Raises:
        ServerUnavailable: there is none; says which there are.
    """
    found = list(installed_javas())
    java = choose_java(found, least, most)
    if java is None:
        wanted = f"Java {least} or newer" if most is None else f"Java {least} to {most}"
        have = ", ".join(f"{java.version} ({java.executable})" for java in found) or "none"
        raise ServerUnavailable(
            f"{wanted} is needed; found: {have}. Install a JDK (https://adoptium.net has them for "
            "every system) where JAVA_HOME, PATH or /usr/lib/jvm shows it"
        )
    return java


def choose_java(found: Iterable[Java], least: int, most: int | None = None) -> Java | None:
    """The first in the order found that fits, or None."""
    fitting = (java for java in found if least <= java.version <= (most or java.version))
    return next(fitting, None)


def installed_javas() -> Iterator[Java]:
    """Those of JAVA_HOME, of PATH, and then the installed ones, oldest first; each once."""
    chosen: list[Path] = []
    if home := os.environ.get("JAVA_HOME"):
        chosen.append(Path(home, "bin", "java"))
    if on_path := shutil.which("java"):
        chosen.append(Path(on_path))
    installed = [path for folder, glob in INSTALLED for path in Path(folder).glob(glob)]
    known = [java for path in chosen if (java := _java_at(path))]
    others = [java for path in installed if (java := _java_at(path))]
    others.sort(key=lambda java: (java.version, java.executable))
    yield from dict.fromkeys(known + others)


def _java_at(path: Path) -> Java | None:
    if not os.access(path, os.X_OK):
        return None
    executable = path.resolve()
    version = _version(executable)
    return None if version is None else Java(executable, version)


def _version(executable: Path) -> int | None:
    """Major version by the JDK's ``release`` file, else by asking the executable."""
    release = executable.parent.parent / "release"
    if release.is_file():
        text = release.read_text(encoding="utf-8", errors="replace")
    else:
        done = subprocess.run([executable, "-version"], capture_output=True, text=True)
        text = done.stderr
    return major_version(text)


def major_version(text: str) -> int | None:
    """Major version in a ``release`` file or in the output of ``java -version``.

    >>> major_version('JAVA_VERSION="17.0.15"'), major_version('openjdk version "1.8.0_402"')
    (17, 8)
    """
    found = re.search(r'(?:JAVA_VERSION=|version )"(?:1\.)?(\d+)', text)
    return int(found.group(1)) if found else None
