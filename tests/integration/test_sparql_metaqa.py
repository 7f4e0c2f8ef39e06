"""The same questions have the same answers on every SPARQL server as in the embedded store."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pyoxigraph as ox
from tests.bench.timing import MANNERS, patterns_of
from tests.integration.metaqa_session import NEEDED, over
from tests.oracle.answers import answers
from tests.servers import metaqa
from tests.servers.sparql_server import SparqlServer

from isomatch.questions.datasets import read
from isomatch.session import Session
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.sparql import SparqlStore

QUESTIONS = 4  # of each number of hops

pytestmark = NEEDED


def test_answers_are_the_embedded_ones(
    empty_sparql: SparqlServer, embedded_metaqa: Session, tmp_path: Path
) -> None:
    kept = embedded_metaqa.store
    assert isinstance(kept, OxigraphStore)
    file = tmp_path / "metaqa.nt"
    kept.graph.dump(str(file), ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())
    empty_sparql.load(file)
    parts = read("metaqa", metaqa.DATA)
    patterns = [p for part in parts for p in patterns_of(part, QUESTIONS, "names")]
    with SparqlStore.connect(empty_sparql.url, **empty_sparql.settings) as store:
        session = over(store, embedded_metaqa)  # ids are IRIs: the same everywhere
        for pattern, options in product(patterns, MANNERS.values()):
            expected = answers(embedded_metaqa, pattern, **options)
            assert expected.nearest
            found = answers(session, pattern, **options)
            assert found.same(expected), (pattern, options, found, expected)
