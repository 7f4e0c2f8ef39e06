"""A file to load: decompressed, hashed and counted while it is read."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable, Collection, Iterator
from io import BufferedReader, RawIOBase
from itertools import islice
from pathlib import Path
from typing import IO, Any, cast

import pyoxigraph as ox

Progress = Callable[[int, int], None]
_LINES = 1 << 18  # bytes of lines that are parsed together
_GZIP = b"\x1f\x8b"
_ADDRESS = re.compile(r"(https?|ftp|neo4j\S*|bolt\S*|file):/")


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


def no_file(path: Path) -> str:
    """What is said of a path where there is no file."""
    if path.is_dir():
        return f"{path} is a folder: name the files in it"
    if path.exists():
        return f"{path} is not a file"
    if _ADDRESS.match(str(path)):  # a path has one slash where an address has two
        return f"{path} is an address, and no file: download it, or ask an endpoint by --endpoint"
    return f"there is no file {path}"


def no_json_ld(path: Path) -> str:
    """What JSON lacks that is none of JSON-LD, by its beginning; else an empty text."""
    with Source(path) as source:
        start = source.stream.read(1 << 20)
    if b'"@' in start or b"://" in start:
        return ""
    return f"{path} has no @context: JSON is read as JSON-LD, whose keys mean nothing without one"


class GoodLines(RawIOBase):
    """N-Triples or N-Quads without their bad lines, each of which becomes an empty one.

    A line is a statement there, but a parser that meets a text without its end looks for
    it in the next lines. So lines are parsed by the thousand, and where one fails one by one.

    Args:
        stream: is read to its end.
        format: of the lines.
        base: IRI that relative ones are resolved against.
        on_bad: called with (number of the line from 1, reason, line).
    """

    def __init__(
        self,
        stream: IO[bytes],
        format: ox.RdfFormat,
        base: str | None,
        on_bad: Callable[[int, str, bytes], None],
    ):
        self._stream, self._format, self._base, self._on_bad = stream, format, base, on_bad
        self._left = memoryview(b"")
        self._number = 0

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next good lines."""
        if not self._left and (lines := self._stream.readlines(_LINES)):
            self._left = memoryview(b"".join(self._good(lines)))
            self._number += len(lines)
        given = self._left[: len(buffer)]
        buffer[: len(given)] = given
        self._left = self._left[len(given) :]
        return len(given)

    def _good(self, lines: list[bytes]) -> Iterator[bytes]:
        if self._fault(b"".join(lines)) is None:
            yield from lines
            return
        for number, line in enumerate(lines, self._number + 1):
            fault = self._fault(line)
            if fault is not None:
                self._on_bad(number, fault, line)
            yield line if fault is None else b"\n"

    def _fault(self, text: bytes) -> str | None:
        try:
            for _ in ox.parse(text, self._format, base_iri=self._base):
                pass
        except SyntaxError as error:
            return re.sub("^Parser error .*?: ", "", error.msg)
        return None


def lines_of(path: Path, numbers: Collection[int]) -> dict[int, str]:
    """The texts of some lines of a file, by number from 1, read in one pass."""
    wanted, last = set(numbers), max(numbers, default=0)
    with Source(path) as source:
        return {
            number: line.decode("utf-8", "replace").strip()
            for number, line in enumerate(islice(source.stream, last), 1)
            if number in wanted
        }
