"""Where an endpoint lists its relations or types in part, one it lacks may be nearer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from tests.oracle.letters import Letters
from tests.servers.sessions import session_over
from tests.unit.schema.limited_store import E, LimitedStore, graph_of, with_many_more

from isomatch.errors import QueryTimeout
from isomatch.match.types import Certificate
from isomatch.output.words import certificate_words
from isomatch.schema import sizes
from isomatch.schema.cache import read_schema, save_schema
from isomatch.schema.introspect import introspect
from isomatch.session import Session
from isomatch.store.base import Query, Row

GRAPH = """
    :Film a owl:Class . :Person a owl:Class .
    :heat rdfs:label "Heat" ; a :Film ; :maker :mann ; :director :other .
    :mann rdfs:label "Mann" ; a :Person . :other rdfs:label "Other" ; a :Human .
"""


class _InPart(LimitedStore):
    """Lists neither the director nor humans anywhere."""

    hidden = (E + "director", E + "Human")

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        self.unlimited = not query.name.startswith("schema")
        rows = super().run(query, timeout=timeout)
        return rows if self.unlimited else (row for row in rows if not set(self.hidden) & {*row})


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Over a graph of which a director and humans are not listed."""
    with (
        mock.patch.object(sizes, "FIRST", 1),
        session_over(_InPart(graph_of(GRAPH)), tmp_path, Letters(12)) as opened,
    ):
        assert opened.schema.partial == ("relations", "types")
        assert E + "director" not in opened.schema.by_id
        yield opened


def _certificate(session: Session, pattern: str, **options: object) -> Certificate:
    return session.match(pattern, **{"k": 1, **options}).certificate


@pytest.mark.parametrize("strategy", ["auto", "ascending", "semi-join", "brute force"])
def test_a_relation_that_is_not_listed_may_be_nearer(session: Session, strategy: str) -> None:
    result = session.match('("Heat")-[director]-(?x)', k=1, strategy=strategy)
    assert result.interpretations[0].gsd > 0
    certificate = result.certificate
    assert certificate.exact
    assert not certificate.complete
    assert certificate.bound == 0
    assert any("not all relations of the graph are known" in note for note in certificate.notes)
    words = certificate_words(certificate)
    assert "an interpretation outside them may be as near as 0.000" in words


@pytest.mark.parametrize("strategy", ["auto", "ascending", "semi-join", "brute force"])
def test_nothing_that_is_not_listed_is_nearer_than_what_is_called_so(
    session: Session, strategy: str
) -> None:
    certificate = _certificate(session, '("Heat")-[maker]-(?x)', strategy=strategy)
    assert certificate.exact
    assert certificate.complete
    assert certificate.ties is None  # another may be called "maker" too
    assert not any("not all" in note for note in certificate.notes)


def test_the_bound_has_the_distances_of_the_other_parts(session: Session) -> None:
    result = session.match('("Haet!")-[maker]-(?x)', k=1)
    assert result.interpretations[0].gsd == pytest.approx(result.certificate.bound)
    assert result.certificate.complete
    far = session.match('("Haet!")-[director]-(?x)', k=1)
    assert far.certificate.bound == pytest.approx(result.certificate.bound)
    assert 0 < far.certificate.bound < far.interpretations[0].gsd
    assert not far.certificate.complete


def test_a_type_and_a_relation_that_are_not_listed_may_come_together(session: Session) -> None:
    far = session.match('("Heat")-[director]-(?x:human)', k=1)
    assert far.certificate.bound == 0
    assert not far.certificate.complete
    assert any("not all relations and types" in note for note in far.certificate.notes)
    typed = session.match('("Heat")-[maker]-(?x:human)', k=1)
    assert not typed.certificate.complete
    assert _certificate(session, '("Heat")-[maker]-(?x:person)').complete


def test_with_fewer_found_than_asked_for_nothing_is_complete(session: Session) -> None:
    certificate = _certificate(session, '("Heat")-[maker]-(?x)', k=9)
    assert not certificate.complete
    assert certificate.bound == 0
    none = session.match('("Mann")-[maker]->(?x)', k=1, k_nodes=1, k_relations=1)
    assert not none
    assert not none.certificate.complete
    words = certificate_words(none.certificate, found=False)
    assert words.startswith("no interpretation nearer than 0.000 has a match")


def test_unknown_relations_need_no_list(session: Session) -> None:
    result = session.match('("Heat")-[]->(?x)', k=1)
    assert {m.bindings["x"].name for _, m in result.matches} == {"Mann", "Other"}
    assert result.certificate.complete
    assert result.certificate.ties is False


def test_the_statistics_of_a_graph_are_no_list_of_everything(tmp_path: Path) -> None:
    stated = ":set a void:Dataset ; void:propertyPartition [ void:property :p ; void:triples 3 ] . "
    graph = with_many_more(graph_of(stated + ":a :p :b . :c :q :d ."))
    schema = introspect(LimitedStore(graph))
    assert "relations" in schema.partial
    save_schema(tmp_path / "schema.json", schema)
    assert read_schema(tmp_path / "schema.json")[0] == schema


@pytest.mark.parametrize("cheap", [True, False])
def test_a_graph_that_is_listed_is_whole(cheap: bool) -> None:
    assert not introspect(LimitedStore(graph_of(GRAPH), cheap=cheap)).partial


class _Uncounting(LimitedStore):
    """Lists all predicates or none, and does not say how often they occur."""

    lists = True

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        if query.name == "schema sizes":
            raise QueryTimeout("no answer in time")
        self.unlimited = self.lists and query.name == "schema distinct_predicates"
        return super().run(query, timeout=timeout)


@pytest.mark.parametrize("lists", [True, False])
def test_predicates_that_are_listed_need_no_counts(lists: bool) -> None:
    store = _Uncounting(with_many_more(graph_of(":a :p :b .")), cheap=True, unlimited=False)
    store.lists = lists
    schema = introspect(store)
    assert (E + "p" in schema.by_id) == lists
    assert ("relations" in schema.partial) != lists
