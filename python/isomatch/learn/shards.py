"""A work folder of JSON-lines files that a run writes one by one, and resumes.

Each part is written whole or not at all, so that a killed run goes on at the first
part that is not there. A recipe says what the parts were made of; parts of another
recipe are taken away.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from isomatch.errors import LoadError

Row = Mapping[str, Any]
RECIPE = "recipe.json"


class Parts:
    """The parts of one run in a folder.

    Args:
        folder: made where it is missing; None keeps nothing, and makes every part
            each time it is asked for.
        recipe: what the parts depend on, as JSON: where the folder's is another, its
            parts are removed.

    Raises:
        LoadError: the folder cannot be written.
    """

    def __init__(self, folder: Path | None, recipe: Mapping[str, Any]):
        self._folder = folder
        if folder is None:
            return
        text = json.dumps(recipe, sort_keys=True, ensure_ascii=False)
        kept = folder / RECIPE
        with written(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if not kept.is_file() or kept.read_text(encoding="utf-8") != text:
                for part in folder.glob("part-*.jsonl"):
                    part.unlink()
                replace_file(kept, text)

    def get(self, number: int, make: Callable[[], Iterable[Row]]) -> list[dict[str, Any]]:
        """The rows of a part: those in the folder, else those that are made now.

        Raises:
            LoadError: the part could not be written, or is damaged.
        """
        if self._folder is None:
            return [dict(row) for row in make()]
        path = self._folder / f"part-{number:05}.jsonl"
        if not path.is_file():
            write_lines(path, make())
        return list(read_lines(path))


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON-lines file.

    Raises:
        LoadError: it is missing, or a line is no JSON object; with file and line.
    """
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _object(line, path, number)
    except OSError as error:
        raise LoadError(f"{path} cannot be read: {error.strerror}") from error


def _object(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:  # of JSON, or of UTF-8
        raise LoadError(f"{path}, line {number}: no JSON ({error})") from error
    if not isinstance(row, dict):
        raise LoadError(f"{path}, line {number}: expected an object in {{braces}}")
    return row


def write_lines(path: Path, rows: Iterable[Row]) -> int:
    """Write a JSON-lines file, whole or not at all; how many rows it has.

    Raises:
        LoadError: no room or no right to write.
    """
    count = 0
    partial = path.with_suffix(f".{os.getpid()}.partial")
    try:
        with written(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            with partial.open("w", encoding="utf-8", newline="\n") as file:
                for row in rows:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
                    count += 1
            partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return count


def replace_file(path: Path, text: str) -> None:
    """Put a text in the place of a file in one step."""
    partial = path.with_suffix(f".{os.getpid()}.partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)


class written:
    """Turns what the disk says into ours; ``with written(path): …``."""

    def __init__(self, path: Path):
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise LoadError(
                f"{self._path} cannot be written: {error.strerror or error}. "
                "Make room, or name another folder; nothing of it was left half-written"
            ) from error
