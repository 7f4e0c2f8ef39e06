"""What the setting `exclude` leaves out is not in the schema, the index or any match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

import pytest
import rdflib
from tests.unit.schema.limited_store import graph_of
from tests.unit.schema.test_wikibase import FILMS

import isomatch
from isomatch.errors import ConfigurationError, PatternError
from isomatch.factories import index_store
from isomatch.schema.catalog import Tokens
from isomatch.schema.exclusion import Exclusion, left_out_tokens
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.rdflib import RdflibStore

GRAPH = rdflib.Graph().parse(
    format="turtle",
    data="""
    @prefix : <http://e.test/> . @prefix log: <http://log.test/#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :heat rdfs:label "Heat" ; :directedBy :mann ; :hash "f00ba4" ; log:seenBy :crawler .
    :mann rdfs:label "Michael Mann" . :crawler rdfs:label "Crawler" ; log:since 2001 .
    """,
)
EXCLUDE = ("http://log.test/#", "http://e.test/hash")


def opened(home: Path, *exclude: str) -> Session:
    return isomatch.open(GRAPH, home=home, exclude=exclude)


def test_excluded_predicates_and_namespaces_are_not_indexed_or_searched(tmp_path: Path) -> None:
    with opened(tmp_path, *EXCLUDE) as session:
        assert [r.id for r in session.schema.relations] == ["http://e.test/directedBy"]
        assert any("3 predicates of 3 facts" in note for note in session.schema.notes)
        assert not session.index.by_name("nodes", "Crawler")
        assert not session.index.values("2001")
        result = session.match('("Heat")-[]-(?x)', k=1)
        found = {m.bindings["x"].name for _, m in result.matches}
        assert found == {"Michael Mann"}
        [note] = [n for n in result.certificate.notes if n.startswith("left out by the settings")]
        assert all(entry in note for entry in EXCLUDE)


def test_a_predicate_added_to_an_excluded_namespace_later_is_left_out(tmp_path: Path) -> None:
    graph = rdflib.Graph() + GRAPH
    with isomatch.open(graph, home=tmp_path, exclude=EXCLUDE) as session:
        assert session.schema.unsearched == ("http://e.test/hash", '"http://log.test/#"')
        graph.update('INSERT DATA { <http://e.test/heat> <http://log.test/#new> "later" }')
        result = session.match('("Heat")-[]-(?x)', k=1)
        assert {m.bindings["x"].name for _, m in result.matches} == {"Michael Mann"}
    settings = Settings(home=tmp_path, exclude=EXCLUDE)
    index_store(settings, RdflibStore(graph), sync=True)
    with isomatch.open(graph, home=tmp_path, exclude=EXCLUDE) as session:
        assert not session.index.values("later")


def test_qualifiers_of_a_wikibase_are_left_out() -> None:
    qualifier = "http://www.wikidata.org/prop/qualifier/"
    pattern = '("The Long Walk")-[cast member: ?role]->(?who)'
    graph = graph_of(FILMS + ':s1 pq:P1 "secret" . :s3 pq:P1 "hidden" .')
    with isomatch.open(graph) as session:
        roles = {m.bindings["role"].name for _, m in session.match(pattern, k=1).matches}
        assert roles == {"Captain", "Cook", "secret"}
    with isomatch.open(graph, exclude=qualifier + "P1") as session:
        assert not session.index.values("secret")
        roles = {m.bindings["role"].name for _, m in session.match(pattern, k=1).matches}
        assert roles == {"Captain", "Cook"}
        with pytest.raises(PatternError, match="qualifier 'P1', which the setting exclude"):
            session.match('("The Long Walk")-[cast member {P1: ?role}]->(?who)')
    with isomatch.open(graph, exclude=qualifier) as session:
        assert not session.index.values("secret")
        assert not session.match(pattern, k=1)


def test_an_index_of_other_exclusions_is_made_again(tmp_path: Path) -> None:
    with opened(tmp_path) as session:
        assert session.index.by_name("nodes", "Crawler")
    with opened(tmp_path, *EXCLUDE) as session:
        assert not session.index.by_name("nodes", "Crawler")


@pytest.mark.parametrize(
    ("entry", "hint"),
    [("http://e.test/hosh", "did you mean 'http://e.test/hash'"), ("http://no.test/", "namespace")],
)
def test_an_exclusion_of_nothing_is_an_error(tmp_path: Path, entry: str, hint: str) -> None:
    with pytest.raises(ConfigurationError, match=hint):
        opened(tmp_path, entry)


def test_exclusions_of_an_endpoint_add_to_those_of_all() -> None:
    endpoints = {"films": {"url": "http://localhost/sparql", "exclude": "urn:b"}}
    settings = Settings(endpoint="films", endpoints=endpoints, exclude="urn:a, urn:c")
    assert settings.excluded == ("urn:a", "urn:b", "urn:c")


TOKENS = Tokens(("Film", "Log", "SEEN"), ("RATED", "SEEN"), ("hash", "RATED", "year"))


@pytest.mark.parametrize(
    ("exclude", "left_out"),
    [
        ((":RATED", ".hash"), Tokens((), ("RATED",), ("hash",))),
        (("RATED", "Log"), Tokens(("Log",), ("RATED",), ("RATED",))),
        ((".RATED",), Tokens((), (), ("RATED",))),
        ((":SEEN", ":Film"), Tokens(("Film", "SEEN"), ("SEEN",), ())),
    ],
)
def test_labels_types_and_keys_of_a_property_graph_are_left_out(
    exclude: Sequence[str], left_out: Tokens
) -> None:
    found, absent = left_out_tokens(Exclusion(tuple(exclude)), TOKENS)
    assert not absent
    assert Tokens(*map(tuple, map(sorted, astuple(found)))) == left_out


@pytest.mark.parametrize(
    ("entry", "hint"), [(".Log", "no label, relation"), (".hosh", "did you mean '.hash'")]
)
def test_what_is_not_there_cannot_be_left_out(entry: str, hint: str) -> None:
    with pytest.raises(ConfigurationError, match=hint):
        left_out_tokens(Exclusion((entry,)), TOKENS)


def test_what_was_there_stays_left_out_when_the_last_of_it_is_deleted() -> None:
    entries = (":Film", ":RATED", ":Gone", "GONE")
    exclude = Exclusion(entries, frozenset(entries), frozenset(("Gone", "RATED")))
    found, absent = left_out_tokens(exclude, TOKENS)
    assert found == Tokens(("Film", "RATED", "Gone"), ("RATED",), ())
    assert absent == (":Gone", "GONE")


def test_an_excluded_predicate_that_is_deleted_is_told(tmp_path: Path) -> None:
    graph = rdflib.Graph() + GRAPH
    settings = Settings(home=tmp_path, exclude=EXCLUDE)
    index_store(settings, RdflibStore(graph))
    graph.update("DELETE WHERE { ?a <http://e.test/hash> ?b }")
    graph.update("DELETE WHERE { ?a <http://log.test/#seenBy> ?b }")
    graph.update("DELETE WHERE { ?a <http://log.test/#since> ?b }")
    for _ in range(2):  # the second time from the schema that was read after
        index_store(settings, RdflibStore(graph), sync=True)
        with isomatch.open(graph, home=tmp_path, exclude=EXCLUDE) as session:
            [note] = [n for n in session.schema.notes if "not in the graph any more" in n]
            assert all(entry in note for entry in EXCLUDE)
            assert session.schema.unsearched == ("http://e.test/hash", '"http://log.test/#"')
        graph.update('INSERT DATA { <http://e.test/heat> <http://e.test/year> "1995" }')
    with pytest.raises(ConfigurationError, match="hosh"):
        index_store(Settings(home=tmp_path, exclude="http://e.test/hosh"), RdflibStore(graph))
