"""The search by the plugin: what it is sent, and what is made of its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from tests.oracle.checks import (
    EXAMPLES,
    Trial,
    assert_interpretations,
    assert_matches,
    fixed_lengths,
    options,
    searched,
    thorough,
)
from tests.oracle.plugin import BrutePlugin
from tests.oracle.property_graph import Node, PropertyGraph, Relationship, schema_of
from tests.oracle.property_graphs import PropertyCase, property_cases

import isomatch
from isomatch.errors import QueryTimeout
from isomatch.link.candidates import Candidate, CandidateList, Candidates, Kind, Page
from isomatch.match import procedure
from isomatch.match.explain import explain
from isomatch.match.procedure import FIRST, GROWTH
from isomatch.match.search import SearchOutcome, search
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.plan.structure import directions
from isomatch.store.base import Query, Ranked
from isomatch.store.terms import XSD, literal

PATTERN = parse('(?film)-[directed by]-("Michael Mann")')
GRAPH = PropertyGraph(
    tuple(Node(f"n{i}", ("Person",)) for i in range(5)),
    (Relationship("n1", "DIRECTED", "n2"), Relationship("n3", "DIRECTED", "n4")),
)


asked = options.filter(lambda chosen: chosen.nodes != "walk")  # which no plugin is asked for


def run(case: PropertyCase, chosen: Options, fixed: int | None) -> Trial:
    """Search the case by the plugin, which is asked for all edges as arrows or for none."""
    if len(set(directions(case.pattern, chosen))) > 1:
        chosen = chosen.with_(direction="any")
    store = BrutePlugin(case.graph)
    result = searched(case, store, schema_of(case.graph), chosen.with_(strategy="auto"), fixed)
    assert result.profile.strategy == "procedure"
    assert result.profile.rounds == len(store.calls)
    return Trial(case, chosen, fixed, result)


@settings(thorough, max_examples=3 * EXAMPLES)
@given(property_cases(), asked, fixed_lengths)
def test_procedure_interpretations_are_those_of_brute_force(
    case: PropertyCase, chosen: Options, fixed: int | None
) -> None:
    assert_interpretations(run(case, chosen, fixed))


@settings(thorough, max_examples=2 * EXAMPLES)
@given(property_cases(), asked, fixed_lengths)
def test_procedure_plain_matches_are_those_of_brute_force(
    case: PropertyCase, chosen: Options, fixed: int | None
) -> None:
    assert_matches(run(case, chosen.with_(results="matches"), fixed))


@dataclass(frozen=True)
class Listed:
    """All entries of one list, of which the search sees the first ``shown``."""

    first: CandidateList
    all: tuple[Candidate, ...]

    def widened(self, found: CandidateList, limit: int) -> CandidateList:
        rest = self.all[limit:]
        return found.with_page(Page(self.all[:limit], rest[0].distance if rest else inf))


def listed(kind: Kind, *entries: tuple[str, float], shown: int | None = None) -> Listed:
    """A list that begins with some entries; all where None."""
    given = tuple(Candidate(id, distance, id) for id, distance in entries)
    found = Listed(CandidateList("", kind, ()), given)
    return replace(found, first=found.widened(found.first, len(given) if shown is None else shown))


def found_by(
    store: BrutePlugin,
    nodes: Listed,
    relations: Listed | None = None,
    chosen: Options | None = None,
) -> SearchOutcome:
    """Search for `PATTERN`."""
    relations = relations or listed("relation", (":DIRECTED", 0.25))
    lists = Candidates({"michael_mann": nodes.first}, {0: relations.first}, {}, source=nodes)
    return search(PATTERN, lists, store, schema_of(store.graph), chosen or Options(k=1))


def test_a_list_is_sent_longer_until_the_result_is_proven() -> None:
    store = BrutePlugin(GRAPH)
    nowhere = [(f"4:{number}", number / 10_000) for number in range(4 * FIRST)]
    outcome = found_by(store, listed("node", *nowhere, ("n1", 0.9), ("n2", 0.95)))
    sent = [call["config"]["candidates"]["nodes"]["michael_mann"] for call in store.calls]
    assert [len(one["ids"]) for one in sent] == [FIRST, FIRST * GROWTH, FIRST * GROWTH + 2]
    assert [one["frontier"] for one in sent] == [pytest.approx(FIRST / 10_000), 0.9, inf]
    assert [found.gsd for found in outcome.found] == [pytest.approx(1.15)]
    assert outcome.certificate.complete


def test_what_proves_nothing_is_not_sent() -> None:
    store = BrutePlugin(GRAPH)
    far = [(f"4:{number}", 1.0) for number in range(4 * FIRST)]
    outcome = found_by(store, listed("node", ("n1", 0.0), *far))
    assert outcome.profile.rounds == len(store.calls) == 1
    assert outcome.certificate.complete


def test_a_list_that_is_fetched_in_pieces_is_widened() -> None:
    store = BrutePlugin(GRAPH)
    nowhere = [(f"4:{number}", number / 10_000) for number in range(100)]
    nodes = listed("node", *nowhere, ("n1", 0.9), shown=2)
    outcome = found_by(store, nodes)
    assert len(outcome.candidates.nodes["michael_mann"]) == 101
    assert outcome.found[0].gsd == pytest.approx(1.15)
    assert outcome.profile.rounds == 4  # 2, 16 and 64 entries are not enough


def test_an_empty_list_needs_no_call() -> None:
    outcome = found_by(BrutePlugin(GRAPH), listed("node"))
    assert outcome.profile.rounds == 0
    assert outcome.certificate.complete
    assert not outcome.found


def test_what_no_property_can_hold_is_not_sent() -> None:
    store = BrutePlugin(GRAPH)
    year = literal("1995", datatype=XSD + "gYear")
    found_by(store, listed("node", (year, 0.0), (literal("Heat"), 0.5), ("n1", 0.75)))
    sent = store.calls[0]["config"]["candidates"]["nodes"]["michael_mann"]
    assert sent["ids"] == [["Heat"], "n1"]
    assert sent["distances"] == [0.5, 0.75]


def test_what_comes_back_is_within_the_budget_of_rows() -> None:
    store = BrutePlugin(GRAPH)
    nodes = listed("node", ("n1", 0.0), ("n3", 0.5))
    outcome = found_by(store, nodes, chosen=Options(k=2, budget_rows=1))
    assert [found.gsd for found in outcome.found] == [0.25]
    assert outcome.certificate.ended_by == "rows"
    assert not outcome.certificate.exact
    assert outcome.certificate.bound == pytest.approx(0.75)


@pytest.mark.parametrize("which", ["time", "memory"])
def test_a_search_that_ended_itself_is_not_exact(which: str) -> None:
    store = BrutePlugin(GRAPH, ended_by=which, bound=0.5)
    outcome = found_by(store, listed("node", ("n1", 0.0)), chosen=Options(k=3))
    certificate = outcome.certificate
    assert (certificate.exact, certificate.complete) == (False, False)
    assert (certificate.ended_by, certificate.bound) == (which, 0.5)
    assert "1 of 3 found" in certificate.notes
    assert any("--no-plugin" in note for note in certificate.notes) == (which == "memory")
    assert [(found.gsd, found.cut) for found in outcome.found] == [(0.25, True)]


def test_a_time_out_is_the_end_of_the_time() -> None:
    class Slow(BrutePlugin):
        def ranked(
            self, query: Query, *, timeout: float | None = None
        ) -> tuple[list[Ranked], Mapping[str, Any]]:
            raise QueryTimeout("too slow")

    outcome = found_by(Slow(GRAPH), listed("node", ("n1", 0.125)))
    assert outcome.certificate.ended_by == "time"
    assert outcome.certificate.bound == 0.375  # of the nearest there could be
    assert not outcome.found


def test_nodes_that_are_gone_are_told_where_there_are_some() -> None:
    nodes = listed("node", ("4:7", 0.0), ("4:8", 0.25), ("n1", 0.5), ("n3", 0.75))
    assert found_by(BrutePlugin(GRAPH), nodes).passed_over == ()
    assert found_by(BrutePlugin(GRAPH, gone=1), nodes).passed_over == ("4:7", "4:8")


def test_a_strategy_that_is_asked_for_is_searched_outside() -> None:
    with pytest.raises(AssertionError, match="asked for match"):
        found_by(
            BrutePlugin(GRAPH), listed("node", ("n1", 0.0)), chosen=Options(strategy="ascending")
        )


def test_the_explanation_has_the_call() -> None:
    nodes = listed("node", *((f"n{number}", number / 8) for number in range(6)))
    relations = listed("relation", (":DIRECTED", 0.25)).first
    lists = Candidates({"michael_mann": nodes.first}, {0: relations}, {})
    store = BrutePlugin(GRAPH)
    told = explain(PATTERN, lists, store, schema_of(GRAPH), Options())
    assert told.strategy == "procedure"
    assert isomatch.__version__ in told.why
    assert "CALL isomatch.match.stream($pattern, $config)" in told.queries[0]
    assert '"ids": ["n0", "n1", "n2", "n3", "and 2 more"]' in told.queries[0]
    assert not store.calls


def test_a_value_may_be_stored_as_an_equal_number() -> None:
    class Stored(BrutePlugin):
        def ranked(
            self, query: Query, *, timeout: float | None = None
        ) -> tuple[list[Ranked], Mapping[str, Any]]:
            rows = (("n0", literal("7.0", datatype=XSD + "double")),)
            row = Ranked(1, 0.25, rows, (".year",), ())
            return [row], {"bound": None, "ended_by": None, "gone": 0, "examined": 1, "memory": 0}

    seven, true = literal("7", datatype=XSD + "integer"), literal("true", datatype=XSD + "boolean")
    outcome = found_by(
        Stored(GRAPH),
        listed("node", (true, 0.0), (seven, 0.25)),
        listed("relation", (".year", 0.0)),
    )
    assert outcome.found[0].chosen[0].id == seven
    assert outcome.found[0].rows == (("n0", seven),)


def test_values_on_edges_are_part_of_what_is_sent() -> None:
    graph = PropertyGraph(
        (Node("n0"), Node("n1")), (Relationship("n0", "PLAYED", "n1", {"as": "Neil"}),)
    )
    pattern = parse('("Al")-[played: "Neil"]->(?film)')
    names = {node.text: node.id for node in pattern.nodes if node.text}
    lists = Candidates(
        {
            names[text]: CandidateList.of(text, "node", [Candidate(id, 0.0, id)])
            for text, id in (("Al", "n0"), ("Neil", literal("Neil")))
        },
        {0: listed("relation", (":PLAYED", 0.0)).first},
        {},
    )
    outcome = search(pattern, lists, BrutePlugin(graph), schema_of(graph), Options())
    assert set(outcome.found[0].rows[0]) == {"n0", "n1", literal("Neil")}


def test_results_as_near_are_not_denied_where_not_all_was_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(procedure, "FIRST", 1)
    outcome = found_by(
        BrutePlugin(GRAPH, ties=False),
        listed("node", ("n1", 0.0), ("n2", 0.0)),
        chosen=Options(k=1),
    )
    assert outcome.certificate.ties is None
    outcome = found_by(
        BrutePlugin(GRAPH, ties=False),
        listed("node", ("n1", 0.0), ("n2", 0.5)),
        chosen=Options(k=1),
    )
    assert outcome.certificate.ties is False
