"""The folder of a run: settings, a row for each question, and the report.

``run.json`` has the settings and their hash, ``rows.jsonl`` one JSON object for each
question, appended as questions are done, and ``summary.json`` the figures.
`isomatch.evaluate.report` writes the pages beside them. The same command on the folder of
a stopped run resumes it with the questions that have no row.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from isomatch.errors import ConfigurationError
from isomatch.evaluate.scoring import Row
from isomatch.files import atomic_write, complete_lines

RUN, ROWS, SUMMARY = "run.json", "rows.jsonl", "summary.json"
VERSION = 1


class Run:
    """The settings and rows of a run, kept in a folder if there is one.

    Attributes:
        folder: of the run; None keeps the rows in memory only.
        settings: the same ones give the same rows.
        rows: by the question's id, in the order of the file.
    """

    def __init__(self, folder: Path | None, settings: Mapping[str, Any]):
        self.folder = folder
        self.settings = settings
        self.rows: dict[str, Row] = {}

    @classmethod
    def open(cls, folder: Path | str | None, settings: Mapping[str, Any]) -> Run:
        """Start a run, or resume the run of the same settings in the folder.

        Raises:
            ConfigurationError: the folder has a run of other settings, is a file, or
                cannot be written.
        """
        run = cls(None if folder is None else Path(folder), json.loads(json.dumps(settings)))
        if run.folder is None:
            return run
        if run.folder.is_file() or run.folder.suffix == ".jsonl":
            raise ConfigurationError(
                f"--out is the folder of a run, not a file: take {run.folder.with_suffix('')}; "
                f"its rows are in {ROWS} there"
            )
        with _write_errors(run.folder):
            run.folder.mkdir(parents=True, exist_ok=True)
        if (run.folder / RUN).exists():
            run._check()
            run.rows = {row["id"]: row for row in _read_rows(run.folder / ROWS)}
        elif (run.folder / ROWS).exists():
            raise ConfigurationError(f"{run.folder} has rows of no known run: take another")
        else:
            about = {"version": VERSION, "hash": digest(run.settings), "settings": run.settings}
            write_json(run.folder / RUN, about)
        return run

    def add(self, row: Row) -> Row:
        """Append a row; return it as it reads from the file."""
        line = json.dumps(row, ensure_ascii=False)
        row = json.loads(line)
        self.rows[row["id"]] = row
        if self.folder is not None:
            rows = self.folder / ROWS
            with _write_errors(self.folder), rows.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        return row

    def finish(self, summary: Mapping[str, Any]) -> None:
        if self.folder is not None:
            write_json(self.folder / SUMMARY, summary)

    def _check(self) -> None:
        assert self.folder is not None
        record = read_json(self.folder / RUN)
        if record.get("version") != VERSION:
            raise ConfigurationError(
                f"the run in {self.folder} is of another version of isomatch: take another folder"
            )
        if record.get("hash") == digest(self.settings):
            return
        before = record.get("settings", {})
        changed = [k for k in {**before, **self.settings} if before.get(k) != self.settings.get(k)]
        changes = "; ".join(
            f"{key} was {json.dumps(before.get(key))} and is {json.dumps(self.settings.get(key))}"
            for key in changed[:3]
        )
        raise ConfigurationError(
            f"{self.folder} has a run of other settings ({changes}): take another folder for "
            "--out, or delete this one"
        )


def open_finished(folder: Path | str) -> tuple[dict[str, Any], list[Row], dict[str, Any]]:
    """The settings, rows and summary of a finished run.

    Raises:
        ConfigurationError: the folder has no run, or one that was stopped.
    """
    folder = Path(folder)
    if not (folder / RUN).is_file():
        raise ConfigurationError(f"{folder} is no run: `isomatch eval … --out {folder}` makes one")
    if not (folder / SUMMARY).is_file():
        raise ConfigurationError(
            f"the run in {folder} was stopped before its end: give the same command again, and "
            "it goes on"
        )
    settings = read_json(folder / RUN)["settings"]
    return settings, list(_read_rows(folder / ROWS)), read_json(folder / SUMMARY)


def digest(settings: Mapping[str, Any]) -> str:
    """A hash of settings, independent of their order."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text file of a run atomically.

    Raises:
        ConfigurationError: it cannot be written.
    """
    with _write_errors(path.parent), atomic_write(path) as partial:
        partial.write_text(text, encoding="utf-8")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file of a run.

    Raises:
        ConfigurationError: it is damaged.
    """
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ConfigurationError(f"{path} is damaged ({error}): take another folder") from error


def _read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file; an incomplete last line is removed from it."""
    for number, line in enumerate(complete_lines(path), 1):
        try:
            yield dict(json.loads(line))
        except ValueError as error:
            raise ConfigurationError(f"{path}, line {number} is damaged ({error})") from error


@contextmanager
def _write_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ConfigurationError(
            f"the run cannot be written to {folder}: {error.strerror or error}"
        ) from error
