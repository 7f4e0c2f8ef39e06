"""DBpedia's film triples, and fifty patterns over them with answers checked by hand."""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from platformdirs import user_cache_path

from isomatch.errors import IsomatchError, VectorIndexError
from isomatch.link.build import Origin, build_index
from isomatch.link.embedder import open_embedder
from isomatch.link.index import Index
from isomatch.schema.introspect import introspect
from isomatch.schema.names import names
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.base import Store
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.terms import is_literal

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

HERE = Path(__file__).resolve().parents[1] / "data"
MORE = HERE / "dbpedia_more.ttl"
DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "dbpedia-movies" / "triples.nt.gz"
RESOURCE = "http://dbpedia.org/resource/"
LANGUAGES = ("en", "fr", "es")
PREFIXES = """\
PREFIX dbo: <http://dbpedia.org/ontology/>
PREFIX dbr: <http://dbpedia.org/resource/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""


@dataclass(frozen=True)
class Checked:
    """A pattern with its right answers.

    Attributes:
        about: what it tries.
        check: a group of SPARQL, written by hand, that gives them as ``?x``.
        answers: ids.
        options: of the search.
    """

    about: str
    pattern: str
    check: str
    answers: frozenset[str]
    options: Mapping[str, Any]

    def answered(self, session: Session) -> frozenset[str]:
        """The answers of the best interpretation."""
        result = session.match(self.pattern, k=1, **self.options)
        return frozenset(
            match.bindings[id].id for _, match in result.matches for id in result.pattern.answers
        )


@cache
def patterns() -> tuple[Checked, ...]:
    """All of ``dbpedia_patterns.toml``."""
    text = (HERE / "dbpedia_patterns.toml").read_text(encoding="utf-8")
    return tuple(
        Checked(
            about=entry["about"],
            pattern=entry["pattern"],
            check=entry["check"],
            answers=frozenset(id if is_literal(id) else RESOURCE + id for id in entry["answers"]),
            options=entry.get("options", {}),
        )
        for entry in toml.loads(text)["patterns"]
    )


def wrong(session: Session) -> list[str]:
    """What the session answers wrongly, in words; empty where all is right."""
    found = []
    for one in patterns():
        try:
            answered = one.answered(session)
        except IsomatchError as error:
            found.append(f"{one.about}: {error}")
            continue
        if answered != one.answers:
            missing, extra = sorted(one.answers - answered), sorted(answered - one.answers)
            found.append(f"{one.about}: {one.pattern}: missing {missing}, not right {extra}")
    return found


def write(file: Path) -> Path:
    """All triples as one file of N-Triples.

    Raises:
        FileNotFoundError: DBpedia's are not here (`DATA`).
    """
    graph = ox.Store()
    with gzip.open(DATA) as triples:
        graph.bulk_load(triples, ox.RdfFormat.N_TRIPLES)
    graph.bulk_load(path=str(MORE), format=ox.RdfFormat.TURTLE)
    graph.dump(str(file), ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())
    return file


def checked_answers(graph: ox.Store, one: Checked) -> frozenset[str]:
    """What the pattern's ``check`` gives, asked of the engine itself."""
    solutions = graph.query(f"{PREFIXES}SELECT ?x WHERE {{ {one.check} }}")
    assert isinstance(solutions, ox.QuerySolutions)
    found = (row["x"] for row in solutions)
    return frozenset(x.value if isinstance(x, ox.NamedNode) else str(x) for x in found)


@contextmanager
def embedded(file: Path) -> Iterator[Session]:
    """A session over the triples in this process; the index is made once and kept."""
    graph = ox.Store()
    graph.bulk_load(path=str(file), format=ox.RdfFormat.N_TRIPLES)
    store = OxigraphStore.memory(graph)
    schema = introspect(store, languages=LANGUAGES)
    content = hashlib.sha256(file.read_bytes())
    content.update(f"minilm {LANGUAGES}".encode())
    fingerprint = content.hexdigest()[:16]
    home = user_cache_path("isomatch") / "tests" / f"dbpedia-{fingerprint}"
    settings = Settings(home=home, languages=LANGUAGES)
    embedder = open_embedder("minilm")
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process of the tests may be making it
        try:
            index = Index.open(settings.index_path, embedder=embedder, fingerprint=fingerprint)
        except VectorIndexError:  # not there yet, or half-made
            pages = names(store, schema, languages=LANGUAGES)
            build_index(settings.index_path, pages, schema, embedder, origin=Origin(fingerprint))
            index = Index.open(settings.index_path, embedder=embedder, fingerprint=fingerprint)
    with Session(store, schema, index, embedder, settings=settings) as session:
        yield session


def over(store: Store, reference: Session) -> Session:
    """A session over the same triples in another store, with its own schema.

    Ids are the same in every RDF store, so the index is too. The session is not to be
    closed, the store is.
    """
    schema = introspect(store, languages=LANGUAGES)
    return Session(store, schema, reference.index, reference.embedder, settings=reference.settings)
