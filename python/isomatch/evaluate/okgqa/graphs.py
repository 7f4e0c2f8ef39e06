"""Which graph open questions are asked of: the user's own, or FB15k-237."""

from __future__ import annotations

import csv
import gzip
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from platformdirs import user_cache_path

from isomatch import factories
from isomatch.errors import InterpretationError, LoadError, StoreError, VectorIndexError
from isomatch.lexicon.folding import fold
from isomatch.retrieve.topics import find_topics
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load
from isomatch.store.terms import RDFS_LABEL, literal

if TYPE_CHECKING:
    from isomatch.questions.dataset_sessions import Progress

LABELS = "entity_labels.tsv"
TRIPLES = ("train.txt.gz", "valid.txt.gz", "test.txt.gz")
HOME = "fb15k-237-open"


def fb15k_settings(folder: Path, home: Path | str | None) -> Settings:
    """Settings of the home folder that a graph of FB15k-237 is kept in.

    Its name has a hash of the files and the embedder, so that other files are another graph.

    Args:
        folder: of the files.
        home: the folder for graphs; None for the user's cache folder.
    """
    base = user_cache_path("isomatch") / "eval" if home is None else Path(home)
    settings = Settings(neo4j_uri=None, neo4j_vector_index=())
    embedder = "minilm" if settings.embedder == "auto" else settings.embedder
    content = hashlib.sha256(f"{embedder}\0{settings.qdrant_url}".encode())
    for name in (LABELS, *TRIPLES):
        content.update(hashlib.sha256((folder / name).read_bytes()).digest())
    return settings.model_copy(update={"home": base / f"{HOME}-{content.hexdigest()[:16]}"})


def open_fb15k(
    folder: Path, home: Path | str | None, progress: Progress | None = None, **given: Any
) -> Session:
    """A session over FB15k-237, which is loaded and indexed once.

    Args:
        folder: with `LABELS` and `TRIPLES`.
        home: see `fb15k_settings`.
        progress: called while names are indexed.
        given: further settings by name.

    Raises:
        LoadError: a file is missing or malformed.
        VectorIndexError, EmbeddingError: the index could not be made.
    """
    check_fb15k(folder)
    settings = fb15k_settings(folder, home)
    try:
        return Session.open(settings, **given)
    except (StoreError, VectorIndexError):  # missing, incomplete, or of an older version
        with TemporaryDirectory() as made:
            path = Path(made) / "fb15k.nt"
            with path.open("w", encoding="utf-8", newline="\n") as out:
                out.writelines(f"{line}\n" for line in fb15k_lines(folder))
            load([path], settings.graph_path, replace=True)
        factories.make_index(settings, progress=progress)
        return Session.open(settings, **given)


def check_fb15k(folder: Path) -> None:
    """Refuse a folder that lacks a file of FB15k-237.

    Raises:
        LoadError: it does.
    """
    for name in (LABELS, *TRIPLES):
        if not (folder / name).is_file():
            raise LoadError(
                f"{folder / name} is missing: --data-graph is a folder of FB15k-237 with {LABELS} "
                f"and {', '.join(TRIPLES)}; see docs/evaluation.md"
            )


def fb15k_lines(folder: Path) -> Iterator[str]:
    """The triples as N-Triples; a relation of two steps is called by its last one."""
    for id, name, _ in _labels(folder):
        yield f"<urn:fb:{id}> <{RDFS_LABEL}> {literal(name)} ."
    for part in TRIPLES:
        with gzip.open(folder / part, "rt", encoding="utf-8") as triples:
            for number, line in enumerate(triples, 1):
                fields = line.rstrip("\n").split("\t")
                if len(fields) != 3:
                    raise LoadError(f"{folder / part}, line {number}: expected three columns")
                head, relation, tail = fields
                yield f"<urn:fb:{head}> <urn:fb:{relation}> <urn:fb:{tail}> ."


def fb15k_descriptions(folder: Path) -> dict[str, tuple[str, ...]]:
    """Descriptions of the entities by folded name."""
    found: dict[str, list[str]] = {}
    for _, name, description in _labels(folder):
        if description:
            found.setdefault(fold(name), []).append(description)
    return {name: tuple(texts) for name, texts in found.items()}


def _labels(folder: Path) -> Iterator[tuple[str, str, str]]:
    with (folder / LABELS).open(encoding="utf-8") as labels:
        for row in csv.reader(labels, delimiter="\t", quoting=csv.QUOTE_NONE):
            if len(row) < 2:
                raise LoadError(f"{folder / LABELS}: expected id, name, item and description")
            yield row[0], row[1], row[3] if len(row) > 3 else ""


def name_finder(session: Session) -> Callable[[str], str | None]:
    """The graph's own name of an entity; None where the graph does not have it.

    Names are compared without case and accents. Where the database looks up nodes itself, the
    index has no names, and the database is asked, as it is for a question's topics.
    """
    index = session.index

    def ask(name: str) -> str | None:
        try:
            find_topics(session.resources, name, (name,))
        except InterpretationError:
            return None
        return name

    if index.nodes is not None:
        return ask

    def find(name: str) -> str | None:
        texts = index.by_name("nodes", name)
        same = [text.text for text in texts if text.text == name]
        return same[0] if same else texts[0].text if texts else None

    return find
