"""The file of feedback about one graph: appended to, never changed."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from io import RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from pydantic import ValidationError

from isomatch.errors import ConfigurationError, PatternError, StoreError
from isomatch.feedback.types import Feedback, Record
from isomatch.files import hold
from isomatch.questions.sets import Problem

if TYPE_CHECKING:
    from isomatch.resources import Resources
    from isomatch.settings import Settings

NAME = "feedback.jsonl"
MOST_BYTES = 1 << 16  # of a record
MOST_IN_FILE = 1 << 28
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FeedbackFile:
    """A file with one JSON object a line.

    Any number of processes may append to it at a time: each record is one write, under a lock.
    """

    path: Path

    @classmethod
    def of(cls, settings: Settings) -> FeedbackFile:
        """That of the home folder; it need not be there."""
        return cls(settings.home / NAME)

    def append(self, record: Record) -> None:
        """Keep a record; it is on the disk when this returns.

        An incomplete last line, which a process that was killed or a full disk may leave,
        stays as it is, and the record is put on a line of its own.

        Raises:
            ConfigurationError: the record has more than 64 KiB.
            StoreError: the file cannot be written, or has reached 256 MiB; it is unchanged.
        """
        line = record.model_dump_json(exclude_defaults=True).encode() + b"\n"
        if len(line) > MOST_BYTES:
            raise ConfigurationError(
                f"the feedback has {len(line):,} bytes, and at most {MOST_BYTES:,} are kept: "
                "shorten its texts"
            )
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b", buffering=0) as file:
                hold(file, wait=True)
                self._write(file, line)
        except OSError as error:
            raise StoreError(
                f"the feedback cannot be kept in {self.path}: {error.strerror or error}"
            ) from error

    def _write(self, file: RawIOBase, line: bytes) -> None:
        size = file.seek(0, os.SEEK_END)
        if size + len(line) > MOST_IN_FILE:
            raise StoreError(
                f"{self.path} has {size >> 20} MiB, and no more feedback is kept there: "
                "move it away"
            )
        file.seek(max(0, size - 1))
        if file.read(1) not in (b"\n", b""):
            _LOG.warning("%s ends in an incomplete line, which is passed over", self.path)
            line = b"\n" + line
        try:
            written = file.write(line) or 0
            if written < len(line):
                raise OSError(f"only {written} of {len(line)} bytes were written: the disk is full")
            os.fsync(file.fileno())
        except OSError:
            file.truncate(size)
            raise

    def read(self) -> tuple[tuple[Record, ...], tuple[Problem, ...]]:
        """The records, oldest first, and the lines that are none.

        Raises:
            StoreError: the file cannot be read.
        """
        records: list[Record] = []
        problems: list[Problem] = []
        for number, line in self._lines():
            try:
                records.append(Record.model_validate_json(line))
            except (ValidationError, PatternError) as error:
                whole = line.endswith(b"\n")
                what = _fault(error) if whole else "it is incomplete: its writer was stopped"
                problems.append(Problem("malformed", f"{self.path}, line {number}", what))
        return tuple(records), tuple(problems)

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        if not self.path.exists():
            return
        try:
            with self.path.open("rb") as lines:
                yield from ((n, line) for n, line in enumerate(lines, 1) if line.strip())
        except OSError as error:
            raise StoreError(f"{self.path} cannot be read: {error.strerror or error}") from error


def record(resources: Resources, feedback: Feedback) -> str:
    """Keep what somebody says about an answer, in the home folder of the graph.

    Returns:
        The record's id.

    Raises:
        ConfigurationError, StoreError: see `FeedbackFile.append`.
    """
    now = datetime.now(timezone.utc).replace(microsecond=0)
    kept = Record.of_feedback(feedback, uuid4().hex, now, resources.schema.fingerprint)
    FeedbackFile.of(resources.settings).append(kept)
    return kept.id


def _fault(error: ValidationError | PatternError) -> str:
    if isinstance(error, PatternError):
        return str(error)
    fault = error.errors(include_input=False, include_url=False)[0]
    return ": ".join(filter(None, (".".join(map(str, fault["loc"])), fault["msg"])))
