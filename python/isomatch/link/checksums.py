"""Checksums of the files of an index.

The vector engine reads what is there: from a damaged file it gives fewer points or others,
or it ends the process. So a manifest has the size, checksum and time of every file, and
they are compared before the engine opens any. A large file that has its size and time is
taken for what it was, unless all content is asked for. Large files that a generation shares
with the one before (`isomatch.files.link`) keep size and time, and so their entries.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from time import sleep
from zlib import crc32

from isomatch.files import next_data

LARGE = 4 << 20  # bytes from which on a file of the same size and time is not read
_BLOCK = 1 << 20
_PASSING = ".atomicwrite"  # the engine writes a file in a folder of this name, then moves it
_TRIES = 4  # another process that opens the index writes its small files again
_WAIT = 0.05  # seconds


def checksums(
    folder: Path, part: str = "", known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Size, checksum and time of each file below a folder, or a part of it, by its path there.

    Args:
        folder: of the files.
        part: a folder below it.
        known: entries of large files that are taken over where size and time are the same.

    Raises:
        OSError: one cannot be read.
    """
    files = [
        Path(at, name)
        for at, _, names in os.walk(folder / part)
        if not os.path.basename(at).startswith(_PASSING)
        for name in names
        if not name.startswith(_PASSING)
    ]
    found = {}
    for path in sorted(files):
        name = path.relative_to(folder).as_posix()
        before = (known or {}).get(name, "")
        same = bool(before) and _is_large(path) and _is_same(path, before, whole=False)
        found[name] = before if same else _entry(path)
    return found


def damaged_file(folder: Path, recorded: Mapping[str, str], *, whole: bool = False) -> str | None:
    """The first file that is not as `checksums` saw it; None where all are.

    Args:
        whole: read the large files too, whatever their times.
    """
    for name, entry in recorded.items():
        for attempt in range(_TRIES):
            if attempt:
                sleep(_WAIT)
            if _is_same(folder / name, entry, whole):
                break
        else:
            return name
    return None


def _is_large(path: Path) -> bool:
    return path.stat().st_size >= LARGE


def _entry(path: Path) -> str:
    found = path.stat()
    return f"{found.st_size} {_checksum(path):08x} {found.st_mtime_ns}"


def _is_same(path: Path, entry: str, whole: bool) -> bool:
    try:
        size, checksum, time = entry.split()
        found = path.stat()
        if str(found.st_size) != size:
            return False
        if not whole and found.st_size >= LARGE and str(found.st_mtime_ns) == time:
            return True
        return f"{_checksum(path):08x}" == checksum
    except (OSError, ValueError):
        return False


def _checksum(path: Path) -> int:
    """CRC-32 of the blocks that are not empty, with their places: the engine's files have holes."""
    found = place = 0
    with path.open("rb", buffering=0) as file:
        while True:
            place = next_data(file.fileno(), place, _BLOCK)
            file.seek(place)
            if not (block := file.read(_BLOCK)):
                return found
            if block != bytes(len(block)):
                found = crc32(block, crc32(place.to_bytes(8, "big"), found))
            place += len(block)
