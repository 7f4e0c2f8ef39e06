"""Files that are written atomically or locked, and JSON caches that know their source."""

from __future__ import annotations

import json
import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import ENOSPC, ENXIO
from pathlib import Path
from typing import IO, Any, TypeVar

Value = TypeVar("Value")
_LOG = logging.getLogger(__name__)


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Write a file atomically: yields a temporary path that replaces ``path`` on success.

    The temporary file is in the same folder, which is made where it is missing. On any
    error it is removed, and ``path`` keeps its content.

    Raises:
        OSError: the folder or the file cannot be written.

    Example:
        >>> with atomic_write(Path("weights.bin")) as partial:  # doctest: +SKIP
        ...     partial.write_bytes(weights)
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{os.getpid()}-{threading.get_ident()}.part-{path.name}")
    try:
        yield partial
        partial.replace(path)
    except OSError as error:
        if error.filename == str(partial) or error.errno == ENOSPC:
            error.filename = str(path)  # the name that its reader knows
        raise
    finally:
        partial.unlink(missing_ok=True)


def complete_lines(path: Path, begins: str = "") -> list[str]:
    """The lines of a file that is appended to; an incomplete last one is removed from it.

    A process that is killed may leave one. Empty where there is no file.

    Args:
        begins: what every line begins with. A file with others is left as it is.

    Raises:
        OSError: the file cannot be read, or mended.
        ValueError: it is not UTF-8, or a line begins otherwise.
    """
    if not path.exists():
        return []
    content = path.read_bytes()
    complete = content[: content.rfind(b"\n") + 1]
    lines = content.decode("utf-8", "replace").removesuffix("\n")
    for number, line in enumerate(lines.split("\n") if lines else (), 1):
        if line[: len(begins)] != begins[: len(line)]:
            raise ValueError(f"line {number} is of something else: {line[:40]!r}")
    if len(complete) < len(content):
        path.write_bytes(complete)
    return complete.decode("utf-8").split("\n")[:-1]


def link(source: Path | str, target: Path | str) -> None:
    """Give a file another name; a copy where the file system has no such links.

    For files that are never written again.
    """
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def next_data(file: int, place: int, block: int) -> int:
    """The block with the next data of a file that may have holes; its end where there is none.

    Args:
        file: descriptor.
        place: the first byte of a block.
        block: bytes of each.
    """
    if not hasattr(os, "SEEK_DATA"):
        return place
    try:
        return os.lseek(file, place, os.SEEK_DATA) // block * block
    except OSError as error:
        if error.errno != ENXIO:  # a file system without holes
            return place
        return os.lseek(file, 0, os.SEEK_END)


def drop(folder: Path) -> None:
    """Delete a folder, if it is there: one that is half-deleted after a kill has another name."""
    if folder.is_dir():
        doomed = folder.with_name(folder.name + ".partial")
        shutil.rmtree(doomed, ignore_errors=True)
        folder.rename(doomed)
        shutil.rmtree(doomed)


def need_room(folder: Path, size: int) -> None:
    """See that a disk has so many bytes free: a write to mapped memory without them is fatal.

    Raises:
        OSError: it has less.
    """
    free = shutil.disk_usage(folder).free
    if free < size:
        raise OSError(f"some {size >> 20:,} MB are needed there, and {free >> 20:,} MB are free")


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON, atomically.

    Raises:
        OSError: the file cannot be written.
    """
    with atomic_write(path) as partial:
        partial.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def read_cached(
    path: Path | None, fingerprint: str, parse: Callable[[Any], Value] | None = None
) -> Any | Value | None:
    """The value that `write_cached` wrote; None where there is none for this fingerprint.

    A file that is missing, damaged, or made from something else is None: a cache is
    made again.

    Args:
        parse: makes something of the value. A KeyError, TypeError or ValueError that it
            raises means that the file is damaged.
    """
    if path is None:
        return None
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(content, dict) or content.get("fingerprint") != fingerprint:
        return None
    value = content.get("value")
    if parse is None or value is None:
        return value
    try:
        return parse(value)
    except (KeyError, TypeError, ValueError):
        return None


def write_cached(path: Path | None, fingerprint: str, value: Any) -> None:
    """Keep a JSON value with the fingerprint of what it was made from, atomically.

    A cache that cannot be written is logged and passed over: it only saves time.
    """
    if path is None:
        return
    try:
        write_json(path, {"fingerprint": fingerprint, "value": value})
    except OSError as error:
        _LOG.warning("the cache %s cannot be written: %s", path, error)


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
