"""Graphs from Turtle, in memory."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import ExitStack
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any
from weakref import finalize

import pyoxigraph as ox
from platformdirs import user_cache_path

import isomatch
from isomatch import factories
from isomatch.errors import InterpretationError
from isomatch.graph_session import _Opened
from isomatch.resources import Resources
from isomatch.schema.types import Schema
from isomatch.settings import Settings
from isomatch.store.oxigraph import OxigraphStore


def graph_of(turtle: str | bytes) -> ox.Store:
    """A graph in memory."""
    graph = ox.Store()
    graph.load(turtle, ox.RdfFormat.TURTLE)
    return graph


def opened(turtle: str | bytes, **options: Any) -> isomatch.Session:
    """A session over a graph in memory; ``options`` are those of `isomatch.open`.

    It is what `isomatch.open` gives, but one process indexes a text once, and no process embeds
    what another one has (`_vectors`): together more than half the time of a short test. Where an
    index does not fit, as with blank nodes, which are others each time, it is made again.
    """
    ours = sorted((k, v) for k, v in os.environ.items() if k.startswith("ISOMATCH_"))
    kept = _kept(turtle, repr((sorted(options.items()), ours)))
    with ExitStack() as undo:
        home = Path(tempfile.mkdtemp(prefix="isomatch-"))
        undo.callback(shutil.rmtree, home, ignore_errors=True)
        settings = Settings(home=home, **options)
        settings.index_path.symlink_to(kept, target_is_directory=True)
        settings.cache_path.symlink_to(_cache(), target_is_directory=True)
        store = OxigraphStore.memory(graph_of(turtle))

        def make_index(schema: Schema | None) -> None:
            factories.index_store(settings, store, schema=schema)

        session = _Opened.of(Resources.open(settings, store, make_index=make_index))
        undo.pop_all()
    session.remove = finalize(session, shutil.rmtree, home, ignore_errors=True)
    return session


def names_found(session: isomatch.Session, question: str) -> set[str]:
    """The names of the answers to a question, which is read without a model and not refused."""
    answer = session.ask(question, interpreter="schema")
    assert answer.supported, answer.text
    return {bound.name for bound in answer.answers}


@cache
def _kept(turtle: str | bytes, options: str) -> Path:
    """The folder of the index of a text, empty at first."""
    return _folder("index")


@cache
def _cache() -> Path:
    """The folder of what sessions keep of graphs and texts, of all sessions of a process."""
    folder = _folder("cache")
    (folder / "vectors.db").symlink_to(_vectors())
    return folder


def _vectors() -> Path:
    """The file of vectors by embedder and text, of all processes and runs.

    The model is most of the time of a question that is refused. Its vectors are the same each
    time, but may differ by the last bit where another version computes them: each has a file.
    """
    folder = user_cache_path("isomatch") / "tests"
    folder.mkdir(parents=True, exist_ok=True)
    versions = "-".join(version(package) for package in ("onnxruntime", "tokenizers"))
    return folder / f"vectors-{versions}.db"


def _folder(name: str) -> Path:
    """An empty folder, which goes with the process."""
    folder = tempfile.TemporaryDirectory(prefix=f"isomatch-{name}-")
    _FOLDERS.append(folder)
    return Path(folder.name)


_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


def asked(session: isomatch.Session, question: str) -> isomatch.Answer | None:
    """The answer to a question that is read without a model; None where it is refused."""
    try:
        answer = session.ask(question, interpreter="schema")
    except InterpretationError:
        return None
    return answer if answer.supported else None


def names_if_answered(session: isomatch.Session, question: str) -> set[str] | None:
    """The names of the answers, or yes or no, as `asked`; None where the question is refused."""
    answer = asked(session, question)
    if answer is None:
        return None
    if answer.holds is not None:
        return {str(answer.holds)}
    return {node.name for node in answer.answers}
