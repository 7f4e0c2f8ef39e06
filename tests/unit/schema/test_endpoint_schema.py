"""Introspection of endpoints: bounded, sampled, and gone on with after a stop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from tests.shared import examples
from tests.unit.schema.limited_store import LimitedStore, graph_of, with_many_more
from tests.unit.schema.test_introspect import E, N, graphs, store_of

from isomatch.errors import QueryTimeout, StoreError
from isomatch.schema.cache import read_schema, schema_for
from isomatch.schema.introspect import introspect
from isomatch.schema.names import names
from isomatch.schema.queries import MOST_FAILURES, MOST_REFUSALS, PATIENCE, Journal
from isomatch.schema.relations import SAMPLED, SAMPLED_RELATIONS
from isomatch.store.base import Query, Row
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.profile import Profile
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL

FILMS = (
    ':a a :Film; rdfs:label "A"@en; :by :m; :year 1995 . :b a :Film; rdfs:label "B"@de; :by :m . '
    ':m a :Person; rdfs:label "M" . :by rdfs:label "directed by" .'
)


@given(graphs)
@settings(max_examples=examples(60), deadline=None)
def test_samples_that_hold_all_say_the_same_as_counts(quads: list[ox.Quad]) -> None:
    counted = introspect(store_of(quads))
    limited = LimitedStore(store_of(quads).graph)
    sampled = introspect(limited)
    for name in ("triples", "type_relation", "name_relations", "languages", "vocabulary"):
        assert getattr(sampled, name) == getattr(counted, name), name
    assert sampled.relations == counted.relations
    types = {t.id: t.nodes for t in sampled.types if not t.id.startswith("literal:")}
    assert types == {t.id: t.nodes for t in counted.types if not t.id.startswith("literal:")}
    assert sampled.characteristic_sets is None
    if counted.relations:
        assert "relations, " in sampled.notes[-1]


def test_an_endpoint_that_counts_is_counted_within_the_time() -> None:
    store = LimitedStore.of(FILMS, cheap=True)
    schema = introspect(store)
    counted = introspect(store_of(list(graph_of(FILMS))))
    assert schema == counted
    assert schema.notes == ()
    assert set(store.times) == {PATIENCE}


def test_what_takes_too_long_is_not_tried_again_and_again() -> None:
    store = LimitedStore.of(FILMS, cheap=True, unlimited=False)
    schema = introspect(store)
    refused = [q for q in store.asked if "LIMIT" not in q.text and "VALUES ?n" not in q.text]
    assert len(refused) == MOST_REFUSALS
    assert {r.text for r in schema.relations} == {"directed by", "year"}


def test_a_large_relation_is_scaled_up_and_promises_nothing() -> None:
    graph = ox.Store()
    n = 5 * SAMPLED
    graph.extend(ox.Quad(N(f"{E}a{i}"), N(E + "p"), N(f"{E}b{i}")) for i in range(n))
    graph.extend(ox.Quad(N(f"{E}a{i}"), N(RDF_TYPE), N(E + "T")) for i in range(n))
    schema = introspect(LimitedStore(graph))
    (relation,) = schema.relations
    assert (relation.triples, relation.subjects, relation.objects) == (n, n, n)
    assert (relation.max_out, relation.max_in) == (2, 2)
    assert relation.source_types == {E + "T": n}
    assert [t.nodes for t in schema.types] == [n]


def test_predicates_and_types_that_the_first_triples_lack_are_found() -> None:
    graph = graph_of(
        ":rare a owl:ObjectProperty . :Rare a owl:Class . :x a :Rare; :strange :y . "
        ":y :rare :x . :unused a rdf:Property . :Unused a owl:Class ."
    )
    store = LimitedStore(with_many_more(graph))
    schema = introspect(store)
    found = {r.id: r.triples for r in schema.relations}
    assert found == {E + "filler": 100_000, E + "rare": 1, E + "strange": 1}
    types = {t.id: t.nodes for t in schema.types}
    assert types.pop(E + "Filler") == 100_000
    assert types == {E + "Rare": 1}


@pytest.mark.parametrize("stops", range(1, 12))
def test_a_run_that_was_stopped_goes_on_where_it_was(stops: int, tmp_path: Path) -> None:
    path = tmp_path / "home" / "schema.json"
    whole = LimitedStore.of(FILMS)
    expected = introspect(whole)
    first = LimitedStore(whole.graph, stops=stops)
    with pytest.raises(StoreError, match="gone"):
        schema_for(first, path)
    again = LimitedStore(whole.graph)
    assert schema_for(again, path) == expected
    assert len(again.asked) <= len(whole.asked) - stops + MOST_REFUSALS
    asked = {q.text for q in first.asked if "LIMIT" in q.text}
    assert asked.isdisjoint(q.text for q in again.asked)
    assert [p.name for p in path.parent.iterdir()] == ["schema.json"]
    assert read_schema(path)[0] == expected


def test_an_endpoint_that_answers_nothing_is_an_error_soon(tmp_path: Path) -> None:
    store = LimitedStore.of(FILMS, stops=0)
    with pytest.raises(StoreError, match="gone"):
        schema_for(store, tmp_path / "schema.json")
    assert not list(tmp_path.iterdir())
    assert store.tried <= MOST_FAILURES + MOST_REFUSALS


def test_what_was_refused_is_not_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    first = LimitedStore.of(FILMS, cheap=True, unlimited=False, stops=5)
    with pytest.raises(StoreError):
        schema_for(first, path)
    refused = {q.text for q in first.asked if "LIMIT" not in q.text and "VALUES ?n" not in q.text}
    assert refused
    again = LimitedStore(first.graph, cheap=True, unlimited=False)
    schema_for(again, path)
    assert refused.isdisjoint(q.text for q in again.asked)


def test_a_damaged_or_foreign_journal_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "schema.journal"
    Journal(path, "g").add("one", [("a", None)])
    journal = Journal(path, "g")
    journal.add("two", None)
    with path.open("ab") as file:
        file.write(b'["half a li')
    journal = Journal(path, "g")
    assert ("one" in journal, "two" in journal, "three" in journal) == (True, True, False)
    assert (journal.find("one"), journal.find("two")) == ([("a", None)], None)
    journal.add("three", [("\udcff ü", "3")])
    assert Journal(path, "g").find("three") == [("\udcff ü", "3")]
    assert "one" not in Journal(path, "another graph")
    path.write_bytes(b"\x00\xff")
    assert "one" not in Journal(path, "g")
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError, match="cannot be kept"):
        Journal(path, "g").add("one", [])


def test_a_journal_that_cannot_be_read_costs_time_only(tmp_path: Path) -> None:
    (tmp_path / "schema.journal").write_text("nonsense\n")
    schema = schema_for(LimitedStore.of(FILMS), tmp_path / "schema.json")
    assert schema.name_relations == (RDFS_LABEL,)


def test_words_are_read_in_blocks_that_the_endpoint_takes() -> None:
    turtle = " ".join(f':a :p{i} :b . :p{i} rdfs:label "word {i}" .' for i in range(450))
    store = LimitedStore.of(turtle)
    schema = introspect(store)
    assert {r.text for r in schema.relations} == {f"word {i}" for i in range(450)}
    blocks = [q.text.count("<http://e/p") for q in store.asked if "VALUES ?n" in q.text]
    assert sum(blocks) == 450
    assert max(blocks) == store.profile.values_block
    store = LimitedStore.of(turtle)
    store.profile = Profile(values_block=200, longest_query=2500)
    introspect(store)
    texts = [q.text for q in store.asked if "VALUES ?n" in q.text]
    assert sum(text.count("<http://e/p") for text in texts) == 450
    assert 1500 < max(map(len, texts)) < 2500


VOID = """
:set a void:Dataset ; void:triples 5000 ;
  void:propertyPartition [ void:property :p ; void:triples 3000 ],
    [ void:property :q ; void:triples 2000 ], [ void:property :gone ; void:triples 7 ] ;
  void:classPartition [ void:class :T ; void:entities 2900 ;
    void:propertyPartition [ void:property :p ; void:triples 12 ] ] .
"""


@pytest.mark.parametrize("named", [False, True])
def test_statistics_of_the_graph_itself_are_used_in_place_of_counts(named: bool) -> None:
    graph = with_many_more(ox.Store())
    n = 2 * SAMPLED  # more than is counted at first
    graph.extend(ox.Quad(N(f"{E}a{i}"), N(RDF_TYPE), N(E + "T")) for i in range(n))
    graph.extend(ox.Quad(N(f"{E}a{i}"), N(E + "p"), N(f"{E}b{i}")) for i in range(n))
    graph.extend(ox.Quad(N(f"{E}a{i}"), N(E + "q"), N(f"{E}b{i}")) for i in range(10))
    about = graph_of(VOID)
    where = N(E + "about") if named else ox.DefaultGraph()
    graph.extend(ox.Quad(q.subject, q.predicate, q.object, where) for q in about)
    store = LimitedStore(graph)
    store._union = False
    schema = introspect(store)
    sizes = {r.id: r.triples for r in schema.relations if r.id.startswith(E)}
    del sizes[E + "filler"]
    assert sizes == {E + "p": 3000, E + "q": 10}  # what can be counted to the end, is
    assert {t.id: t.nodes for t in schema.types}[E + "T"] == 2900
    assert "distinct_predicates" not in {q.name.split()[-1] for q in store.asked}


def test_declared_ends_stand_where_no_fact_was_read() -> None:
    # The relations that are read are the most frequent ones: these.
    graph = ox.Store()
    for i in range(SAMPLED_RELATIONS):
        graph.extend(ox.Quad(N(f"{E}a{j}"), N(f"{E}p{i:03}"), N(E + "x")) for j in (1, 2))
    graph.extend(
        graph_of(
            ":x a :T . :a :q :x . :b :r 5 . :p000 rdfs:domain :Wrong . "
            ":q rdfs:domain :Source, owl:Thing ; rdfs:range :T, [ a owl:Class ] . "
            ":r rdfs:range xsd:integer ."
        )
    )
    seen: list[tuple[int, int]] = []
    schema = introspect(LimitedStore(graph), progress=lambda *p: seen.append(p))
    relations = schema.by_id
    assert seen == sorted(seen)
    assert len(seen) > SAMPLED_RELATIONS / 20
    assert seen[-1] == (schema.triples, schema.triples)
    assert (relations[E + "p000"].source_types, relations[E + "p000"].subjects) == ({}, 2)
    assert relations[E + "p000"].target_types == {E + "T": 2}
    assert relations[E + "q"].source_types == {E + "Source": 1}
    assert relations[E + "q"].target_types == {E + "T": 1}
    assert relations[E + "r"].literal_kinds == {"number": 1}
    assert (relations[E + "q"].max_out, relations[E + "q"].mean_out) == (0, 1.0)


def test_names_are_read_by_relation_where_the_whole_is_too_much() -> None:
    store = LimitedStore.of(FILMS)
    schema = introspect(store)
    counted = {n for page in names(OxigraphStore.memory(store.graph), schema) for n in page}

    class ByRelation(LimitedStore):
        def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
            if query.name == "nodes":
                raise QueryTimeout("too much")
            return OxigraphStore.run(self, query, timeout=timeout)

    pages = list(names(ByRelation(store.graph), schema, page=2))
    found = [n for page in pages for n in page]
    assert set(found) == counted
    assert len(found) == len(set(found))


class LosesRows(LimitedStore):
    """Leaves out of some answers the rows that speak of ``:by``, so many times."""

    losses = 0
    loses: tuple[str, ...] = ()

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        rows = list(super().run(query, timeout=timeout))
        if query.name in self.loses and self.losses:
            self.losses -= 1
            rows = [row for row in rows if not any(f"{E}by" in str(cell) for cell in row)]
        return iter(rows)


def losing(times: int, *queries: str) -> LosesRows:
    store = LosesRows.of(FILMS, cheap=True)
    assert isinstance(store, LosesRows)
    store.losses, store.loses = times, tuple(f"schema {query}" for query in queries)
    return store


def test_rows_that_an_endpoint_leaves_out_are_asked_for_again() -> None:
    counted = introspect(store_of(list(graph_of(FILMS))))
    assert introspect(losing(1, "subjects")) == counted
    assert introspect(losing(1, "objects")) == counted


def test_rows_that_are_lost_again_are_told() -> None:
    schema = introspect(losing(9, "subjects"))
    assert "1 of 2 relations (their rows were missing)" in schema.notes[-1]


def test_nothing_is_ruled_out_by_relations_that_meet_where_rows_are_missing() -> None:
    schema = introspect(losing(9, "ports"))
    assert schema.characteristic_sets is None
    assert "which relations meet (rows were missing)" in schema.notes[-1]
