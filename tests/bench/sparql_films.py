"""DBpedia's films in every RDF store: fifty patterns, their answers checked by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import rdflib
from tests.bench.rows import Row, row
from tests.oracle import dbpedia
from tests.servers.sparql import ENGINES

from isomatch.session import Session
from isomatch.store.rdflib import RdflibStore
from isomatch.store.sparql import SparqlStore


def films() -> Iterator[Row]:
    """The share of patterns that each store answers rightly."""
    with TemporaryDirectory(prefix="isomatch-bench-") as folder:
        file = dbpedia.write(Path(folder) / "films.nt")
        with dbpedia.embedded(file) as embedded:
            yield _right("embedded", embedded)
            for engine, kind in ENGINES.items():
                with kind(Path(folder) / engine, brief=True) as server:
                    server.load(file)
                    with SparqlStore.connect(server.url, **server.settings) as store:
                        yield _right(engine, dbpedia.over(store, embedded))
            with RdflibStore(rdflib.Graph().parse(file, format="nt")) as in_memory:
                yield _right("rdflib", dbpedia.over(in_memory, embedded))


def _right(title: str, session: Session) -> Row:
    wrong, asked = dbpedia.wrong(session), len(dbpedia.patterns())
    name = f"{title}, DBpedia films: {asked} patterns checked by hand, right"
    return row(name, 1 - len(wrong) / asked, "share", at_least=1.0, note="; ".join(wrong)[:500])
