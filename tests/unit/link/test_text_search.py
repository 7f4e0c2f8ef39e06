"""An endpoint's search for words as the place where nodes are found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import get_args

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.compile.golden import check
from tests.unit.link.tiny_index import DigestEmbedder, build, schema_of
from tests.unit.schema.limited_store import E, graph_of

from isomatch.errors import ConfigurationError, StoreError
from isomatch.link.index import Index
from isomatch.link.linker import link
from isomatch.link.text_search import LEAST, MOST, Kind, TextSearch, words_of
from isomatch.match.search import search
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.schema.introspect import introspect
from isomatch.schema.types import Schema
from isomatch.store.base import Query, Row
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.profile import Profile

KINDS = get_args(Kind)
GOLDEN = Path(__file__).parent / "golden_text"
SCHEMA = replace(
    schema_of(),
    name_relations=("http://www.w3.org/2000/01/rdf-schema#label", "http://e/alias"),
)
FILMS = """
:heat rdfs:label "Heat"@en, "Fuego"@es ; :year "1995"^^xsd:gYear ; :by :mann ; :genre "crime" .
:thief rdfs:label "Thief"@en ; :year "1981"^^xsd:gYear ; :by :mann ; :genre "crime" .
:mann rdfs:label "Michael Mann" . :other rdfs:label "Heat"@de ; :by :anna . _:b rdfs:label "Heat" .
:anna rdfs:label "Anna Mann"@en . :by rdfs:label "directed by" .
"""


class Recording(OxigraphStore):
    """Keeps what it was asked, as an endpoint does."""

    profile = Profile()

    def __init__(self, graph: ox.Store | None = None):
        super().__init__(graph or ox.Store())
        self.asked: list[Query] = []

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        self.asked.append(query)
        if "bif:contains" in query.text or "contains-word" in query.text:
            return iter(())
        return super().run(query, timeout=timeout)


def asked(kind: Kind, *texts: str) -> list[str]:
    """The queries for some texts; the engine finds nothing."""

    class Silent(Recording):
        def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
            self.asked.append(query)
            return iter(())

    store, embedder = Silent(), DigestEmbedder()
    index = "http://www.ontotext.com/connectors/lucene/instance#names"
    source = TextSearch(store, SCHEMA, embedder, kind, ("en", "de"), index=index)
    pages = source.pages(embedder.embed(texts), 16, texts=texts)
    assert [(p.entries, p.frontier, p.approximate) for p in pages] == [((), inf, True)] * len(texts)
    return [query.text for query in store.asked]


@pytest.mark.parametrize("kind", KINDS)
def test_the_query_of_each_engine(kind: Kind) -> None:
    texts = asked(kind, 'Michael "Mann"', "1995")
    check(GOLDEN / f"{kind}.rq", "\n# if no name has all words\n".join(texts))


UGLY = [
    *('"', "'", "\\", '\\"', "}", "# } UNION {", "<http://x>", "\n", "\r\n\t", "\x00", "\u2028"),
    *("a AND b", "a OR NOT b", "wild*", "te?t", "[a TO b]", "(a", "a:b", "a~2^3", "+a -b", "&&"),
    *("", " ", "🎬", "🎬 film", "名探偵", "d'Été", "_", "a" * 5000, "b " * 500, '" . ?s ?p ?o . #'),
]


PLAIN = ("two words", "1995", "1995-07", "1995-07-01", "1995-07-01T00:00:00", "1.5", "true")


def tokens(query: str) -> set[str]:
    """What a query says outside of its literals."""
    bare = re.sub(r'"(?:[^"\\\n\r]|\\.)*"', "", query)
    return {token for token in re.findall(r"<[^>]*>|\w+|\S", bare) if not token.isdigit()}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", UGLY)
def test_no_ugly_text_leaves_its_literal(kind: Kind, text: str) -> None:
    stays_inside(kind, text)


@given(st.sampled_from(KINDS), st.text())
def test_no_text_at_all_leaves_its_literal(kind: Kind, text: str) -> None:
    stays_inside(kind, text)


def stays_inside(kind: Kind, text: str) -> None:
    known = {token for query in asked(kind, *PLAIN) for token in tokens(query)}
    for query in asked(kind, text):
        assert tokens(query) <= known
        ox.Store().query(query.replace("SERVICE <http://wikiba.se/ontology#mwapi>", ""))
    assert all(re.fullmatch(r"\w+", word) for word in words_of(text))


def of(store: Recording, kind: Kind = "labels") -> tuple[TextSearch, DigestEmbedder, Schema]:
    schema, embedder = introspect(OxigraphStore(store.graph)), DigestEmbedder(16)
    return TextSearch(store, schema, embedder, kind), embedder, schema


def test_equal_names_and_values_are_found_without_a_text_index() -> None:
    store = Recording(graph_of(FILMS))
    source, embedder, _ = of(store)
    texts = ["heat", "crime", "1995", "nothing", ""]
    pages = source.pages(embedder.embed(texts), 16, texts=texts)
    found = [[(c.id, c.distance) for c in page.entries] for page in pages]
    assert found == [
        [(E + "heat", 0.0)],
        [('"crime"', 0.0)],
        [('"1995"^^<http://www.w3.org/2001/XMLSchema#gYear>', 0.0)],
        [],
        [],
    ]
    assert all(page.frontier == inf and page.approximate for page in pages)
    assert len(store.asked) == 1


def test_a_match_over_an_index_without_nodes(tmp_path: Path) -> None:
    store = Recording(graph_of(FILMS))
    source, embedder, schema = of(store)
    build(tmp_path, [], schema, embedder, without_nodes=True)
    pattern = parse('("Michael Mann")-[directed by]-(?f)')
    with Index.open(tmp_path, embedder=embedder, nodes=source) as index:
        candidates = link(pattern, index, embedder, schema, Options())
        outcome = search(pattern, candidates, store, schema, Options())
    assert {row[1] for row in outcome.found[0].rows} == {E + "heat", E + "thief"}
    assert outcome.certificate.approximate


class Worded(Recording):
    """Finds names by their words, as an engine does; here the words are in order."""

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        self.asked.append(query)
        text = query.text
        for expression in re.findall(r'<bif:contains> ("(?:[^"\\]|\\.)*")', text):
            words = re.findall(r"\w+", expression.replace(" AND ", " "))
            tests = " && ".join(f'CONTAINS(LCASE(STR(?name)), "{word}")' for word in words)
            text = text.replace(f"?name <bif:contains> {expression}", f"FILTER({tests})", 1)
        return OxigraphStore.run(self, replace(query, text=text), timeout=timeout)


def test_all_words_are_looked_for_first_and_all_but_one_where_no_name_has_them() -> None:
    store = Worded(graph_of(FILMS))
    source, embedder, _ = of(store, "virtuoso")
    vectors = embedder.embed(["Mann Michael", "Micheal Mann", "Heat"])
    pages = source.pages(vectors, 16, texts=["Mann Michael", "Micheal Mann", "Heat"])
    assert [{c.id for c in page.entries} for page in pages] == [
        {E + "mann"},
        {E + "mann", E + "anna"},
        {E + "heat", E + "other"},
    ]
    assert len(store.asked) == 2
    for page in pages:
        assert [c.distance for c in page.entries] == sorted(c.distance for c in page.entries)
    named = {c.id: c for c in pages[1].entries}
    expected = embedder.embed(["Michael Mann"])[0] - vectors[1]
    assert named[E + "mann"].distance == pytest.approx(float((expected**2).sum()) ** 0.5, abs=1e-5)


def test_a_page_that_is_full_can_be_widened() -> None:
    turtle = " ".join(f':n{i} rdfs:label "Film {i}" ; :p :x .' for i in range(3 * LEAST))
    store = Worded(graph_of(turtle))
    source, embedder, _ = of(store, "virtuoso")
    (page,) = source.pages(embedder.embed(["film"]), 16, texts=["film"])
    assert (len(page.entries), page.frontier) == (LEAST, page.entries[-1].distance)
    (page,) = source.pages(embedder.embed(["film"]), 400, texts=["film"])
    assert (len(page.entries), page.frontier) == (3 * LEAST, inf)


def test_only_a_list_that_the_endpoint_does_not_cut_has_an_end() -> None:
    labels = ", ".join(f'"Film {i}"' for i in range(2 * LEAST))
    store = Worded(graph_of(f":n rdfs:label {labels} ; :p :x ."))
    source, embedder, _ = of(store, "virtuoso")
    (page,) = source.pages(embedder.embed(["film"]), 16, texts=["film"])
    assert (len(page.entries), page.frontier) == (1, inf)
    turtle = " ".join(f':n{i} rdfs:label "Film {i}" ; :p :x .' for i in range(MOST + 10))
    source, embedder, _ = of(Worded(graph_of(turtle)), "virtuoso")
    (page,) = source.pages(embedder.embed(["film"]), 4 * MOST, texts=["film"])
    assert (len(page.entries), page.frontier) == (MOST, page.entries[-1].distance)


def test_only_endpoints_have_such_a_search() -> None:
    with pytest.raises(ConfigurationError, match="ISOMATCH_TEXT_SEARCH is set, but the graph is"):
        TextSearch.open(OxigraphStore.memory(), SCHEMA, DigestEmbedder())
    source = TextSearch.open(Recording(), SCHEMA, DigestEmbedder())
    assert source.kind == "labels"


def test_an_endpoint_that_fails_is_an_error() -> None:
    store = Recording()
    store.close()
    source = TextSearch(store, SCHEMA, DigestEmbedder(), "labels")
    with pytest.raises(StoreError):
        source.pages(DigestEmbedder().embed(["x"]), 16, texts=["x"])


def test_names_in_many_languages_do_not_crowd_nodes_out() -> None:
    nodes, languages = 30, [f"x-{i}" for i in range(12)]
    labels = ", ".join(f'"Film"@{language}' for language in languages)
    turtle = " ".join(f":n{i} rdfs:label {labels} ; :p :x ." for i in range(nodes))
    store = Worded(graph_of(turtle))
    source, embedder, _ = of(store, "virtuoso")
    assert nodes * len(languages) > 4 * LEAST
    (page,) = source.pages(embedder.embed(["film"]), nodes, texts=["film"])
    assert (len(page.entries), page.frontier) == (nodes, inf)
