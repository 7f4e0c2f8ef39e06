"""A run is a folder: what was asked for, a row for each question, and the report.

``run.json`` has the settings and their hash, ``rows.jsonl`` one JSON object a question,
written as they come, ``summary.json`` the figures; `isomatch.evaluate.report` writes
the pages beside them. The same command on a folder whose run was stopped goes on with
the questions that have no row.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from isomatch.errors import ConfigurationError
from isomatch.evaluate.judge import Row

RUN, ROWS, SUMMARY = "run.json", "rows.jsonl", "summary.json"
VERSION = 1


class Run:
    """The folder of a run, or nothing but memory.

    Attributes:
        settings: what was asked for; the same settings give the same rows.
        rows: by the question's id, in the order of the file.
    """

    def __init__(self, folder: Path | None, settings: Mapping[str, Any]):
        self.folder = folder
        self.settings = settings
        self.rows: dict[str, Row] = {}

    @classmethod
    def open(cls, folder: Path | str | None, settings: Mapping[str, Any]) -> Run:
        """A new run, or the one in the folder where it has the same settings.

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
        with _writing(run.folder):
            run.folder.mkdir(parents=True, exist_ok=True)
            if (run.folder / RUN).exists():
                run._check()
                run.rows = {row["id"]: row for row in _whole_rows(run.folder / ROWS)}
            else:
                if (run.folder / ROWS).exists():
                    raise ConfigurationError(f"{run.folder} has rows of no known run: take another")
                write(run.folder / RUN, run._form())
        return run

    def add(self, row: Row) -> Row:
        """Write a row, and give it as it reads from the file."""
        line = json.dumps(row, ensure_ascii=False)
        row = json.loads(line)
        self.rows[row["id"]] = row
        if self.folder is not None:
            with _writing(self.folder), (self.folder / ROWS).open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        return row

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Write the figures."""
        if self.folder is not None:
            with _writing(self.folder):
                write(self.folder / SUMMARY, summary)

    def _form(self) -> dict[str, Any]:
        return {"version": VERSION, "hash": digest(self.settings), "settings": self.settings}

    def _check(self) -> None:
        assert self.folder is not None
        kept = read_json(self.folder / RUN)
        if kept.get("version") != VERSION:
            raise ConfigurationError(
                f"the run in {self.folder} is of another version of isomatch: take another folder"
            )
        if kept.get("hash") == digest(self.settings):
            return
        before = kept.get("settings", {})
        differ = [k for k in {**before, **self.settings} if before.get(k) != self.settings.get(k)]
        told = "; ".join(
            f"{key} was {json.dumps(before.get(key))} and is {json.dumps(self.settings.get(key))}"
            for key in differ[:3]
        )
        raise ConfigurationError(
            f"{self.folder} has a run of other settings ({told}): take another folder for --out, "
            "or delete this one"
        )


def open_finished(folder: Path | str) -> tuple[dict[str, Any], list[Row], dict[str, Any]]:
    """Settings, rows and summary of a run that ended.

    Raises:
        ConfigurationError: there is none in the folder, or it was stopped.
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
    return settings, list(_whole_rows(folder / ROWS)), read_json(folder / SUMMARY)


def digest(settings: Mapping[str, Any]) -> str:
    """Of settings: equal for equal ones, whatever their order."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]


def write(path: Path, content: Mapping[str, Any]) -> None:
    """JSON, whole or not at all."""
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """A text file of a run, whole or not at all.

    Raises:
        ConfigurationError: it cannot be written.
    """
    half = path.with_name(f"{path.name}.part")
    with _writing(path.parent):
        half.write_text(text, encoding="utf-8")
        half.replace(path)


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object of a run.

    Raises:
        ConfigurationError: it is damaged.
    """
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ConfigurationError(f"{path} is damaged ({error}): take another folder") from error


def _whole_rows(path: Path) -> Iterator[Row]:
    """The rows; a last line that was cut short is taken off the file."""
    if not path.exists():
        return
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        path.write_bytes(whole)
    for number, line in enumerate(whole.decode("utf-8").split("\n")[:-1], 1):
        try:
            yield dict(json.loads(line))
        except ValueError as error:
            raise ConfigurationError(f"{path}, line {number} is damaged ({error})") from error


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ConfigurationError(
            f"the run cannot be written to {folder}: {error.strerror or error}"
        ) from error
