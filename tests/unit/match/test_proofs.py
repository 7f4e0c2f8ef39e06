"""What a certificate claims is so: whatever the lists look like, and whatever may coincide."""

from __future__ import annotations

from dataclasses import replace
from math import cos, inf, sin
from pathlib import Path
from typing import Any

import numpy as np
import pyoxigraph as ox
import pytest
from tests.oracle.graphs import Graph, schema_of, store_of
from tests.unit.link.tiny_index import Name, build
from tests.unit.link.tiny_index import schema_of as indexed_schema

from isomatch.link.candidates import Candidate, CandidateList, Candidates, Page
from isomatch.link.index import Index
from isomatch.link.linker import link
from isomatch.match.search import SearchOutcome, search
from isomatch.options import Nodes, Options, Results, Strategy
from isomatch.pattern import parse
from isomatch.schema.introspect import introspect
from isomatch.store.oxigraph import OxigraphStore

R = "urn:directed"
STRATEGIES: tuple[Strategy, ...] = ("ascending", "semi-join", "brute force")


class Circle:
    """An embedder that puts each text at an angle: ``near 0.25`` is 0.25 from angle 0."""

    name, dimension = "circle@1", 2

    def embed(self, texts: Any) -> Any:
        angles = [2 * np.arcsin(self.distance(text) / 2) for text in texts]
        return np.array([[cos(a), sin(a)] for a in angles], np.float32)

    def distance(self, text: str) -> float:
        return float(text.split()[-1]) if text[-1].isdigit() else 0.0

    def close(self) -> None:
        """Nothing to close."""


def graph_of(*directed: str) -> Graph:
    """Each node directed a film of its own."""
    return Graph(tuple((id, R, f"{id}:film") for id in directed))


def searched(
    tmp_path: Path, names: list[Name], directed: list[str], text: str, **options: Any
) -> SearchOutcome:
    """Search for the films of a name, over an index of these names."""
    schema = indexed_schema(relations=[(R, "directed")])
    build(tmp_path, names, schema, Circle(), page=5000)
    pattern = parse(f'("{text}")-[directed]->(?film)')
    graph = graph_of(*directed)
    chosen = Options(budget_seconds=None).with_(**options)
    with Index.open(tmp_path, embedder=Circle()) as index, store_of(graph) as store:
        candidates = link(pattern, index, Circle(), schema, chosen)
        return search(pattern, candidates, store, schema_of(graph), chosen)


def gsds(outcome: SearchOutcome) -> list[float]:
    return [round(found.gsd, 3) for found in outcome.found]


MANY = [Name(f"urn:{n}", f"near {n / 10_000 + 0.05:.4f}") for n in range(1500)]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_equal_name_far_away_does_not_come_before_nearer_ones(
    tmp_path: Path, strategy: Strategy
) -> None:
    class Spelt(Circle):
        def distance(self, text: str) -> float:
            return 0.5 if text == "NE-AR" else super().distance(text)

    embedder = Spelt()
    names = [*MANY, Name("urn:equal", "NE-AR")]
    schema = indexed_schema(relations=[(R, "directed")])
    build(tmp_path, names, schema, embedder, page=5000)
    pattern = parse('("ne ar")-[directed]->(?film)')
    graph = graph_of("urn:equal", "urn:1200", "urn:1300", "urn:1400")
    options = Options(budget_seconds=None, strategy=strategy)
    with Index.open(tmp_path, embedder=embedder) as index, store_of(graph) as store:
        candidates = link(pattern, index, embedder, schema, options)
        outcome = search(pattern, candidates, store, schema_of(graph), options)
    assert outcome.certificate.complete
    assert gsds(outcome) == [0.17, 0.18, 0.19]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_node_of_very_many_names_hides_no_other(tmp_path: Path, strategy: Strategy) -> None:
    many = [Name("urn:many", f"near {n / 10_000:.4f}") for n in range(3000)]
    names = [*many, Name("urn:other", "near 0.5")]
    outcome = searched(tmp_path, names, ["urn:other"], "near", strategy=strategy)
    assert outcome.certificate.complete
    assert gsds(outcome) == [0.5]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("nodes", ["distinct", "anchored", "repeat", "walk"])
@pytest.mark.parametrize("way", ["->", "-"])
def test_two_edges_on_one_fact_are_found_where_edges_may_coincide(
    strategy: Strategy, nodes: Nodes, way: str
) -> None:
    text = f'(?film)-[directed]{way}(?a)-[born in]{way}("Rome"), (?film)-[directed]{way}(?b)'
    data = "<urn:film> <urn:directed> <urn:ann> .\n<urn:ann> <urn:born> <urn:rome> ."
    engine = ox.Store()
    engine.load(data.encode(), format=ox.RdfFormat.N_TRIPLES)
    with OxigraphStore.memory(engine) as store:
        lists = Candidates(
            {"rome": CandidateList.of("Rome", "node", [Candidate("urn:rome", 0.0, "Rome")])},
            {
                e: CandidateList.of(word, "relation", [Candidate(id, 0.0, word)])
                for e, word, id in (
                    (0, "directed", "urn:directed"),
                    (1, "born in", "urn:born"),
                    (2, "directed", "urn:directed"),
                )
            },
            {},
        )
        schema = introspect(store)
        assert schema.joins is not None
        options = Options(nodes=nodes, strategy=strategy)
        outcome = search(parse(text), lists, store, schema, options)
    assert outcome.certificate.exact
    assert gsds(outcome) == ([0.0] if nodes == "walk" else [])


class Paged:
    """Lists that grow as they are asked to; ``stuck`` ones say that there is more, and stay."""

    def __init__(self, entries: list[Candidate], stuck: int | None = None) -> None:
        self.entries, self.stuck = entries, stuck

    def widened(self, found: CandidateList, limit: int) -> CandidateList:
        if found.kind == "relation":
            return found.with_page(Page((Candidate(R, 0.25, "directed"),), inf))
        limit = limit if self.stuck is None else min(limit, self.stuck)
        rest = self.entries[limit:]
        return found.with_page(Page(tuple(self.entries[:limit]), rest[0].distance if rest else inf))


def found_in(
    entries: list[Candidate],
    shown: int,
    *,
    relations: CandidateList | None = None,
    stuck: int | None = None,
    directed: str = "urn:last",
    **options: Any,
) -> SearchOutcome:
    """Search for what some node of a paged list directed."""
    source = Paged(entries, stuck)
    first = source.widened(CandidateList("near", "node", ()), shown)
    if relations is None:
        relations = CandidateList.of("directed", "relation", [Candidate(R, 0.0, "")])
    lists = Candidates({"near": first}, {0: relations}, {}, source=source)
    graph = graph_of(directed)
    with store_of(graph) as store:
        pattern = parse('("near")-[directed]->(?film)')
        return search(pattern, lists, store, schema_of(graph), Options(**options))


def nowhere(count: int, *more: tuple[str, float]) -> list[Candidate]:
    given = [(f"urn:nowhere:{n:04}", n / 10_000) for n in range(count)]
    return [Candidate(id, distance, id) for id, distance in (*given, *more)]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_fixed_list_does_not_stop_an_open_one(strategy: Strategy) -> None:
    two = CandidateList.of("directed", "relation", [Candidate(R, 0, ""), Candidate("urn:x", 1, "")])
    nodes = [(f"urn:nowhere:{n:03}", n / 250) for n in range(400)]
    entries = [Candidate(id, distance, id) for id, distance in (*nodes, ("urn:last", 1.6))]
    outcome = found_in(entries, 4, relations=two.cut(1), strategy=strategy)
    assert outcome.certificate.exact
    assert gsds(outcome) == [1.6]
    assert not outcome.certificate.complete  # the relation at 1 was cut off


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_list_that_grows_into_a_blank_node_with_a_name_is_searched(strategy: Strategy) -> None:
    entries = nowhere(40, ("_:blank", 0.5), ("urn:last", 0.75))
    assert gsds(found_in(entries, 4, strategy=strategy)) == [0.75]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("stuck", [0, 20])
def test_a_list_that_does_not_grow_proves_nothing_beyond_it(strategy: Strategy, stuck: int) -> None:
    entries = nowhere(40, ("urn:last", 0.5))
    certificate = found_in(entries, 4, stuck=stuck, strategy=strategy).certificate
    assert not certificate.complete
    assert certificate.bound == pytest.approx(stuck / 10_000)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_list_that_is_still_empty_is_fetched(strategy: Strategy) -> None:
    empty = CandidateList("directed", "relation", (), frontier=0.25)
    outcome = found_in(nowhere(0, ("urn:last", 0.5)), 4, relations=empty, strategy=strategy)
    assert outcome.certificate.complete
    assert gsds(outcome) == [0.75]


def test_a_list_with_entries_beyond_its_frontier_is_refused() -> None:
    with pytest.raises(ValueError, match="frontier"):
        CandidateList("near", "node", tuple(nowhere(3)), frontier=0.0001)
    with pytest.raises(ValueError, match="ascending"):
        CandidateList("near", "node", tuple(nowhere(3)[::-1]))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("results", ["interpretations", "matches"])
@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_what_is_as_near_as_the_last_result_is_said(
    strategy: Strategy, results: Results, batched: bool, k: int
) -> None:
    """Of nodes at 0, 0.5, 0.5, 0.5 and 0.75; the first 0.5 directed nothing."""
    distances = (0.0, 0.5, 0.5, 0.5, 0.75)
    entries = [Candidate(f"urn:{n}", d, str(n)) for n, d in enumerate(distances)]
    lists = Candidates(
        {"near": CandidateList.of("near", "node", entries)},
        {0: CandidateList.of("directed", "relation", [Candidate(R, 0.0, "directed")])},
        {},
    )
    graph = graph_of("urn:0", "urn:2", "urn:3", "urn:4")
    with store_of(graph) as store:
        store.capabilities = replace(store.capabilities, batched=batched, inline=batched)
        pattern = parse('("near")-[directed]->(?film)')
        options = Options(k=k, strategy=strategy, results=results)
        outcome = search(pattern, lists, store, schema_of(graph), options)
    assert gsds(outcome) == [0.0, 0.5, 0.5, 0.75][:k]
    assert outcome.certificate.complete
    assert outcome.certificate.ties is (k == 2)
