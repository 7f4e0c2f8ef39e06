"""A node of a subclass is one of the type; where subclasses are not all known, that is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest
import rdflib
from tests.oracle.letters import Letters
from tests.oracle.subclasses import CLAIMS, FILMS, check_claims, check_films, found
from tests.servers.sessions import session_over
from tests.turtle import graph_of as turtle_graph
from tests.unit.schema.limited_store import E, LimitedStore, graph_of, with_many_more

import isomatch
from isomatch.errors import QueryTimeout
from isomatch.match import values
from isomatch.output.words import certificate_words
from isomatch.schema import labels
from isomatch.schema.introspect import introspect
from isomatch.schema.vocabulary import SUBCLASS_OF
from isomatch.store.base import Query, Row, Store
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdflib import RdflibStore


def _rdflib(turtle: str) -> Store:
    return RdflibStore(rdflib.Graph().parse(data=turtle, format="turtle"))


def _oxigraph(turtle: str) -> Store:
    return OxigraphStore(turtle_graph(turtle))


@pytest.mark.parametrize("store_of", [_rdflib, _oxigraph])
def test_nodes_of_subclasses_are_of_the_type(store_of, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with session_over(store_of(FILMS), tmp_path, Letters(12)) as session:
        check_films(session)


@pytest.mark.parametrize("store_of", [_rdflib, _oxigraph])
def test_nodes_of_subclasses_in_a_wikibase_are_of_the_type(store_of, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with session_over(store_of(CLAIMS), tmp_path, Letters(12)) as session:
        check_claims(session)


@pytest.mark.parametrize(
    ("bounds", "missing"),
    [
        ({"LEVELS": 1}, "not all subclasses"),
        ({"CLASSES": 3}, "at most 3 classes"),
        ({"LISTED": 1}, "the most frequent count, at most 1"),
    ],
)
def test_a_bound_on_subclasses_is_told_and_nothing_is_complete(
    bounds: dict[str, int], missing: str, tmp_path: Path
) -> None:
    with (
        mock.patch.multiple(labels, **bounds),
        session_over(_oxigraph(FILMS), tmp_path, Letters(12)) as session,
    ):
        assert missing in "".join(session.schema.notes)
        result = session.match('("Heat")-[credit]-(?x:person)', k=1)
        certificate = result.certificate
        assert not certificate.complete
        assert not certificate.exact
        assert certificate.bound == 0
        assert result.interpretations[0].cut
        assert any('"person"' in note for note in certificate.notes)
        # Without a type nothing is missing.
        assert session.match('("Heat")-[credit]-(?x)', k=1).certificate.complete


def test_what_is_farther_than_a_type_with_unknown_subclasses_is_not_proven(tmp_path: Path) -> None:
    graph = """
        @prefix : <http://e.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :heat rdfs:label "Heat" ; :credit :pacino . :thief rdfs:label "Thief" ; :credit :mann .
        :pacino a :Actor ; rdfs:label "Al Pacino" . :mann a :Person ; rdfs:label "Michael Mann" .
        :Actor rdfs:subClassOf :Artist . :Artist rdfs:subClassOf :Person .
    """
    with (
        mock.patch.multiple(labels, LEVELS=1),
        session_over(_oxigraph(graph), tmp_path, Letters(12)) as session,
    ):
        farther = session.match('("Heat")-[credit]-(?x:person)', k=1)
        assert farther.interpretations[0].gsd > 0
        fixed = {"k_types": 1, "k_nodes": 1, "k_relations": 1}
        none = session.match('("Heat")-[credit]-(?x:person)', k=1, **fixed)
        assert not none
        for result in (farther, none):
            assert not result.certificate.exact
            assert result.certificate.bound == 0
            words = certificate_words(result.certificate, bool(result))
            assert words.startswith("not proven; interpretations from distance 0.000 on may be")


class _Silent(LimitedStore):
    """Does not answer the first queries for superclasses."""

    silent = 1

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        if query.name == "schema superclasses" and self.silent:
            self.silent -= 1
            raise QueryTimeout("no answer in time")
        return super().run(query, timeout=timeout)


@pytest.mark.parametrize("silent", [1, 2])
def test_subclasses_that_an_endpoint_does_not_tell_are_not_said_to_be_none(silent: int) -> None:
    graph = ":a a :Rare ; :p :b . :Rare rdfs:subClassOf :Wide . :c a :Wide ."
    store = _Silent.of(graph, cheap=True)
    store.silent = silent
    schema = introspect(store)
    assert {E + "Rare", E + "Wide"} <= {*schema.subclasses_cut}
    assert any("not all subclasses" in note for note in schema.notes)


class _Uncounted(LimitedStore):
    """Does not count the predicate that says of which class another is a subclass."""

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        if query.name == "schema sizes" and SUBCLASS_OF in query.text:
            raise QueryTimeout("no answer in time")
        return super().run(query, timeout=timeout)


def test_subclasses_are_read_where_an_endpoint_does_not_count_their_relation() -> None:
    graph = with_many_more(
        graph_of(":a a :Rare ; :p :b . :Rare rdfs:subClassOf :Wide ; a owl:Class .")
    )
    schema = introspect(_Uncounted(graph))
    assert SUBCLASS_OF not in schema.by_id
    assert schema.subclasses == {E + "Wide": (E + "Rare",)}
    left_out = introspect(_Uncounted(graph), exclude=["http://www.w3.org/2000/01/rdf-schema#"])
    assert not left_out.subclasses


class _Odd(LimitedStore):
    """Has a class that SPARQL cannot name, as `isomatch.store.cells` reads it."""

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        rows = super().run(query, timeout=timeout)
        odd = [(E + "Rare", f"_:<{E}odd class>")] * (E + "Rare" in query.text)
        return iter([*rows, *odd]) if query.name == "schema superclasses" else rows


def test_a_superclass_that_no_query_can_name_is_passed_over() -> None:
    store = _Odd.of(":a a :Rare ; :p :b . :Rare rdfs:subClassOf :Wide .", cheap=True)
    assert introspect(store).subclasses == {E + "Wide": (E + "Rare",)}


def test_brute_force_gives_way_where_the_subclasses_are_too_many_for_a_query(
    tmp_path: Path,
) -> None:
    with (
        session_over(_oxigraph(FILMS), tmp_path, Letters(12)) as session,
        mock.patch.object(values, "QUERY_LIST", 1),
    ):
        pattern = '("Heat")-[credit]-(?x:person)'
        result = session.match(pattern, k=1, k_types=1, strategy="brute force")
        assert len(result.interpretations[0].matches) == 3
        assert result.certificate.exact


def test_subclasses_can_be_left_to_types_of_their_own(tmp_path: Path) -> None:
    graph = rdflib.Graph().parse(data=FILMS, format="turtle")
    with isomatch.open(graph, home=tmp_path, embedder="minilm") as session:
        everybody = found(session, '("Heat")-[credit]-(?x:person)', "x")
        assert len(everybody) == 3
        assert session.index.by_name("types", "agent")
    with isomatch.open(graph, home=tmp_path, subclasses=False) as session:
        stated = found(session, '("Heat")-[credit]-(?x:person)', "x")
        assert stated == ["Michael Mann", "Robert De Niro"]
        assert not session.index.by_name("types", "agent")
        # That one class is a subclass of another is a fact all the same.
        assert "actor" in found(session, '(?c)-[subclass of]->("Person")', "c")


def test_excluded_subclasses_are_not_followed(tmp_path: Path) -> None:
    graph = rdflib.Graph().parse(data=FILMS, format="turtle")
    with isomatch.open(graph, home=tmp_path, exclude=[SUBCLASS_OF]) as session:
        assert not session.schema.subclasses
        stated = found(session, '("Heat")-[credit]-(?x:person)', "x")
        assert stated == ["Michael Mann", "Robert De Niro"]


def test_subclasses_of_sampled_types_are_not_said_to_be_all() -> None:
    below = ":a a :Rare ; :p :b . :Rare rdfs:subClassOf :Wide ."
    small = introspect(LimitedStore(graph_of(below)))
    assert small.subclasses == {E + "Wide": (E + "Rare",)}
    assert not small.subclasses_cut  # its sample had everything
    large = introspect(LimitedStore(with_many_more(graph_of(below + ":Rare a owl:Class ."))))
    assert large.subclasses == {E + "Wide": (E + "Rare",)}
    assert E + "Wide" in large.subclasses_cut
    assert any("not all subclasses" in note for note in large.notes)


def test_what_is_called_like_a_class_comes_before_it(tmp_path: Path) -> None:
    graph = """
        @prefix : <http://e.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :a-class rdfs:subClassOf :b-class . :a-class rdfs:label "Company" .
        :company a :a-class ; rdfs:label "Company" ; :by :sondheim .
        :sondheim a :b-class ; rdfs:label "Stephen Sondheim" .
    """
    with session_over(_oxigraph(graph), tmp_path, Letters(12)) as session:
        both = session.match('("Company")-[]-(?x)', k=2)
        names = [m.bindings["x"].name for _, m in both.matches]
        assert names == ["Stephen Sondheim", "b class"]
        assert [i.gsd for i in both.interpretations] == [0, 0]


def test_no_more_subclasses_are_listed_than_an_endpoint_takes_in_a_query() -> None:
    some = "".join(f":a{i} a :C{i} ; :p :b . :C{i} rdfs:subClassOf :Wide . " for i in range(40))
    store = LimitedStore.of(some, cheap=True)
    store.profile = replace(store.profile, values_block=25)
    assert len(introspect(store).subclasses[E + "Wide"]) == 25
    store.profile = replace(store.profile, longest_query=800)
    schema = introspect(store)
    assert sum(len(id) + 4 for id in schema.subclasses[E + "Wide"]) <= 200
    assert schema.subclasses_cut == (E + "Wide",)
    assert any("1 types have more subclasses" in note for note in schema.notes)


CREDITS = """
@prefix : <http://e.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:C1 rdfs:label "grom" ; rdfs:subClassOf :C3 . :C3 rdfs:label "company" .
:C2 rdfs:label "velk" ; rdfs:subClassOf :C4 . :C4 rdfs:label "person" .
:heat a :Film ; rdfs:label "Heat" ; :credit :pacino ; :partner :wb .
:pacino a :C2 ; rdfs:label "Al Pacino" . :wb a :C1 ; rdfs:label "Warner" .
"""


def test_a_question_for_a_superclass_is_answered_by_nodes_of_its_subclasses() -> None:
    graph = rdflib.Graph().parse(data=CREDITS, format="turtle")
    with isomatch.open(graph) as session:
        assert session.ask("Which company has Heat?").text.startswith("Warner. Joined by ")
        assert session.ask("Which person has Heat?").text.startswith("Al Pacino. Joined by ")


def test_a_question_for_subclasses_is_answered() -> None:
    graph = rdflib.Graph().parse(data=FILMS, format="turtle")
    with isomatch.open(graph) as session:
        answer = session.ask("What are the subclasses of person?")
        assert set(answer.text.rstrip(".").replace(" and", ",").split(", ")) == {
            *("actor", "agent", "leader", "maker")
        }
        # The name of a class is a word where a node is asked about.
        assert session.ask("Which company has the credit of Heat?").text == "Warner."


def test_the_type_that_a_question_asks_for_may_be_a_superclass_of_what_a_relation_leads_to() -> (
    None
):
    graph = rdflib.Graph().parse(data=FILMS, format="turtle")
    with isomatch.open(graph) as session:
        answer = session.ask("Which agents have a credit of Heat?")
        assert "agent" in {node.type for node in answer.pattern.nodes}
        for name in ("Michael Mann", "Al Pacino", "Robert De Niro"):
            assert name in answer.text
        assert "Warner" not in answer.text
