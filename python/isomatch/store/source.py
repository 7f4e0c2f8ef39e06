"""A file to load: decompressed, hashed and counted while it is read."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Collection
from io import BufferedReader, RawIOBase
from itertools import islice
from pathlib import Path
from typing import IO, Any, cast

Progress = Callable[[int, int], None]
_GZIP = b"\x1f\x8b"


class Source:
    """A context manager over one file.

    Attributes:
        stream: the content, decompressed if it is gzip (by its first bytes).
        bytes: how many were read from disk so far.
    """

    stream: IO[bytes]

    def __init__(self, path: Path, advance: Callable[[int], None] = lambda _: None):
        """``advance`` is called with `bytes` after every read."""
        self._counted = _Counted(path, advance)

    def __enter__(self) -> Source:
        buffered = BufferedReader(cast(RawIOBase, self._counted), 1 << 20)
        packed = buffered.peek(2)[:2] == _GZIP
        self.stream = cast(IO[bytes], gzip.GzipFile(fileobj=buffered) if packed else buffered)
        return self

    def __exit__(self, *exc: object) -> None:
        self._counted.close()

    @property
    def bytes(self) -> int:
        """See the class."""
        return self._counted.count

    @property
    def sha256(self) -> str:
        """Hash of the file as on disk, once it has been read to its end."""
        return self._counted.hash.hexdigest()


class _Counted(RawIOBase):
    def __init__(self, path: Path, advance: Callable[[int], None]):
        self._file = path.open("rb", buffering=0)
        self._advance = advance
        self.count = 0
        self.hash = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = self._file.readinto(buffer) or 0
        self.hash.update(memoryview(buffer)[:size])
        self.count += size
        self._advance(self.count)
        return size

    def close(self) -> None:
        self._file.close()
        super().close()


def lines_of(path: Path, numbers: Collection[int]) -> dict[int, str]:
    """The texts of some lines of a file, by number from 1, read in one pass."""
    wanted, last = set(numbers), max(numbers, default=0)
    with Source(path) as source:
        return {
            number: line.decode("utf-8", "replace").strip()
            for number, line in enumerate(islice(source.stream, last), 1)
            if number in wanted
        }
