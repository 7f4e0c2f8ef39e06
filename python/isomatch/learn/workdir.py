"""Files of a training run: its work folder, JSON lines, and what a stopped run leaves."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch._version import __version__
from isomatch.errors import LoadError
from isomatch.files import atomic_write
from isomatch.trained.artifact import CONFIG

if TYPE_CHECKING:
    from isomatch.resources import Resources

Row = Mapping[str, Any]
RECIPE = "recipe.json"


class Shards:
    """JSON-lines files of one run, which are written one by one and reused on resuming.

    Each is written atomically, so that a killed run goes on at the first missing one.

    Args:
        folder: made if needed; None writes nothing, and makes every shard each time.
        recipe: what the shards depend on, as JSON: those of another recipe are deleted.

    Raises:
        LoadError: the folder cannot be written.
    """

    def __init__(self, folder: Path | None, recipe: Mapping[str, Any]):
        self._folder = folder
        if folder is not None and not _made_of(folder, recipe):
            with _writing(folder):
                for shard in folder.glob("part-*.jsonl"):
                    shard.unlink()
                _write_recipe(folder, recipe)

    def __contains__(self, number: int) -> bool:
        """Whether a shard is written."""
        return self._folder is not None and self._path(self._folder, number).is_file()

    @staticmethod
    def _path(folder: Path, number: int) -> Path:
        return folder / f"part-{number:05}.jsonl"

    def get(self, number: int, make: Callable[[], Iterable[Row]]) -> list[dict[str, Any]]:
        """The rows of a shard: from its file, else made and written now.

        Raises:
            LoadError: the shard cannot be written, or is damaged.
        """
        if self._folder is None:
            return [dict(row) for row in make()]
        path = self._path(self._folder, number)
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
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                except ValueError as error:  # of JSON, or of UTF-8
                    raise LoadError(f"{path}, line {number}: no JSON ({error})") from error
                if not isinstance(row, dict):
                    raise LoadError(f"{path}, line {number}: expected an object in {{braces}}")
                yield row
    except OSError as error:
        raise LoadError(f"{path} cannot be read: {error.strerror}") from error


def write_lines(path: Path, rows: Iterable[Row]) -> None:
    """Write a JSON-lines file, atomically.

    Raises:
        LoadError: it cannot be written.
    """
    with _writing(path), atomic_write(path) as partial, partial.open("wb") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")


def work_folder(
    resources: Resources, kind: str, folder: Path, resume: bool, asked: Mapping[str, Any]
) -> Path:
    """The folder for what a run makes before training, one for each artifact's folder.

    Its content is deleted unless the run is resumed, and of the same arguments, graph and
    lexicon.
    """
    key = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    work = resources.settings.cache_path / "train" / f"{kind}-{key}"
    recipe = {
        **asked,
        "graph": resources.schema.fingerprint,
        "lexicon": hashlib.sha256(repr(resources.lexicon).encode()).hexdigest(),
        "isomatch": __version__,
    }
    if not (resume and _made_of(work, recipe)):
        with _writing(work):
            shutil.rmtree(work, ignore_errors=True)
            _write_recipe(work, recipe)
    return work


class TrainingStopped(KeyboardInterrupt):
    """Ctrl-C while a model was trained; ``saved`` where its folder has a model of this run."""

    def __init__(self, saved: bool):
        super().__init__()
        self.saved = saved


@contextmanager
def stoppable(folder: Path) -> Iterator[None]:
    before = written_at(folder)
    try:
        yield
    except KeyboardInterrupt as error:
        raise TrainingStopped(saved=written_at(folder) not in (None, before)) from error


def written_at(folder: Path) -> int | None:
    """When the folder's model was written, in nanoseconds; None without one."""
    config = folder / CONFIG
    return config.stat().st_mtime_ns if config.is_file() else None


def _made_of(folder: Path, recipe: Mapping[str, Any]) -> bool:
    path = folder / RECIPE
    with _writing(folder):
        return path.is_file() and path.read_text(encoding="utf-8") == _text(recipe)


def _write_recipe(folder: Path, recipe: Mapping[str, Any]) -> None:
    with atomic_write(folder / RECIPE) as partial:
        partial.write_text(_text(recipe), encoding="utf-8")


def _text(recipe: Mapping[str, Any]) -> str:
    return json.dumps(recipe, sort_keys=True, ensure_ascii=False)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LoadError(
            f"{path} cannot be written: {error.strerror or error}. "
            "Make room, or name another folder; nothing of it was left half-written"
        ) from error
