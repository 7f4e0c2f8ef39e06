"""Where a training run keeps what it has made so far, and what a stopped one leaves."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch._version import __version__
from isomatch.learn.shards import RECIPE, replace_file, written
from isomatch.trained.artifact import CONFIG

if TYPE_CHECKING:
    from isomatch.session import Session


def work_folder(
    session: Session, kind: str, folder: Path, resume: bool, asked: Mapping[str, Any]
) -> Path:
    """Where a run keeps what it made before training: a place for each artifact's folder.

    What another run has left there is removed: one that is not gone on with, or that was
    of other arguments, of another graph or of other words in the lexicon.
    """
    key = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    work = session.settings.cache_path / "train" / f"{kind}-{key}"
    lexicon = hashlib.sha256(repr(session.lexicon).encode()).hexdigest()
    graph = session.schema.fingerprint
    made_of = {**asked, "graph": graph, "lexicon": lexicon, "isomatch": __version__}
    text = json.dumps(made_of, sort_keys=True)
    recipe = work / RECIPE
    with written(work):
        if not (resume and recipe.is_file() and recipe.read_text(encoding="utf-8") == text):
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir(parents=True)
            replace_file(recipe, text)
    return work


class TrainingStopped(KeyboardInterrupt):
    """Ctrl-C while a model was trained.

    Attributes:
        kept: whether what was learnt by then is in the artifact's folder.
    """

    def __init__(self, kept: bool):
        super().__init__()
        self.kept = kept


@contextmanager
def stoppable(folder: Path) -> Iterator[None]:
    """Tells with Ctrl-C whether this run has left a model in the folder."""
    before = _written_at(folder)
    try:
        yield
    except KeyboardInterrupt as error:
        raise TrainingStopped(kept=_written_at(folder) not in (None, before)) from error


@contextmanager
def handed_over(first: Path, folder: Path) -> Iterator[None]:
    """Leaves the first stage's model where the run is stopped before the second has one."""
    before = _written_at(folder)
    try:
        yield
    except KeyboardInterrupt:
        if _written_at(folder) == before and (first / CONFIG).is_file():
            from isomatch.learn.gsr.save import keep_stopped

            keep_stopped(first, folder)
        raise


def _written_at(folder: Path) -> int | None:
    """When the folder's model was put there, in nanoseconds; None where there is none."""
    config = folder / CONFIG
    return config.stat().st_mtime_ns if config.is_file() else None
