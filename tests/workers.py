"""What workers do in tests of `isomatch.executor`, and what an index has that workers embedded."""

from __future__ import annotations

import hashlib
import os
import signal
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tests.unit.link.tiny_index import DigestEmbedder

from isomatch.errors import PatternError
from isomatch.executor import Work
from isomatch.link import manifest
from isomatch.link.edge import EdgeHome, EdgeVectors
from isomatch.link.vectors import COLLECTIONS


def square(number: int) -> int:
    """Its square; of 13 an error of ours, of 17 one of Python's."""
    if number == 13:
        raise PatternError("no square of 13", text="13", position=0)
    if number == 17:
        raise ZeroDivisionError("no square of 17")
    return number**2


def slow_square(number: int, seconds: float = 0.05) -> int:
    time.sleep(seconds)
    return number**2


def counted(folder: Path) -> Callable[[int], tuple[int, int]]:
    """Made once a process: what leaves a file named by its process id."""
    made = folder / f"made-{os.getpid()}"
    made.write_text(str(int(made.read_text() if made.exists() else 0) + 1))
    return lambda number: (number**2, os.getpid())


def killed_once(folder: Path, what: Callable[[Any], Any], at: int) -> Callable[[Any], Any]:
    """The same function, whose process is killed at its ``at``-th item, once in all."""
    count = 0

    def work(item: Any) -> Any:
        nonlocal count
        count += 1
        if count == at:
            try:
                (folder / "killed").touch(exist_ok=False)
            except FileExistsError:
                return what(item)
            os.kill(os.getpid(), signal.SIGKILL)
        return what(item)

    return work


def work_of(function: Callable[[Any], Any]) -> Work[Any, Any]:
    """A function of a module as work."""
    return Work(function, partial(_same, function))


def _same(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return function


class KilledEmbedder(DigestEmbedder):
    """Ends its process, once in all, when it has embedded so many parts."""

    def __init__(self, folder: Path, at: int, dimension: int = 3):
        super().__init__(dimension)
        self._embed = killed_once(folder, super().embed, at)

    def embed(self, texts: Any) -> Any:
        return self._embed(texts)


def whole_index(folder: Path) -> dict[str, Any]:
    """Everything in an index's folder, to compare bit for bit.

    All files but those of the engine, which gives its folders random names and its points
    another order in each run: of these, the vectors by point. Of the manifest, all but the
    time and the checksums of such files.
    """
    about = manifest.read(folder)
    generation = folder / about.generation
    engine = [generation / "vectors" / collection for collection in COLLECTIONS]
    files = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(generation.rglob("*"))
        if path.is_file() and not any(path.is_relative_to(own) for own in engine)
    }
    vectors = {}
    with closing(EdgeHome(folder).open(about.generation)) as store:
        for collection in COLLECTIONS:
            assert isinstance(store, EdgeVectors)
            scanned = store._whole(collection)
            pages = store._all(collection) if scanned is None else scanned.living()
            found = {
                id: row for ids, rows in pages for id, row in zip(ids.tolist(), rows, strict=True)
            }
            assert len(found) == about.counts[collection]
            vectors[collection] = {id: row.tobytes() for id, row in sorted(found.items())}
    return {"files": files, "vectors": vectors, "manifest": replace(about, created="", files={})}
