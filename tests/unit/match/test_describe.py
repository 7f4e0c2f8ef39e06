"""From rows to matches: which stored relationship each edge of a pattern shows."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import pyoxigraph as ox
import pytest

from isomatch.errors import PatternError
from isomatch.link.candidates import Candidate, CandidateList, Candidates
from isomatch.match.base_search import FoundInterpretation
from isomatch.match.describe import describe
from isomatch.match.explain import explain
from isomatch.match.search import SearchOutcome, search
from isomatch.match.types import Certificate, Match, Profile, Triple
from isomatch.options import Options
from isomatch.pattern.text import parse_text
from isomatch.plan.planner import plan
from isomatch.schema.types import Relation, Schema
from isomatch.store.base import Fact, MatchedTriple
from isomatch.store.oxigraph import OxigraphStore

SCHEMA = Schema("f", 3, 3, (Relation(":ACTED_IN", "acted in", 3),), ())
ACTED = CandidateList.of("acted in", "relation", [Candidate(":ACTED_IN", 0.0, "acted in")])
FIRST = Fact(True, "r1", {"roles": ["x", "y"]})
SECOND = Fact(True, "r2", {"roles": "y"})
BACK = Fact(False, "r3")


class Told(OxigraphStore):
    """A store that says what it is told of its facts, whatever is asked."""

    ways: dict[MatchedTriple, tuple[Fact, ...]]
    asked: list[MatchedTriple]

    @classmethod
    def of(cls, ways: dict[MatchedTriple, tuple[Fact, ...]]) -> Told:
        store = cls.memory(ox.Store())
        assert isinstance(store, Told)
        store.ways, store.asked = ways, []
        return store

    def facts(self, triples: Sequence[MatchedTriple]) -> list[tuple[Fact, ...]]:
        self.asked += triples
        return [self.ways.get(triple, ()) for triple in triples]


def described(
    text: str, row: Sequence[str], ways: dict[MatchedTriple, tuple[Fact, ...]], **options: str
) -> tuple[Match, Told]:
    """The match of a row over the pattern's nodes, all relations ``:ACTED_IN``."""
    pattern, chosen = parse_text(text), Options(**options)  # type: ignore[arg-type]
    candidates = Candidates({}, dict.fromkeys(range(len(pattern.edges)), ACTED), {})
    planned = plan(pattern, candidates, SCHEMA, chosen)
    found = FoundInterpretation(0.0, tuple(ACTED[0] for _ in planned.slots), (tuple(row),), False)
    outcome = SearchOutcome(candidates, planned, (found,), Certificate(True, True, inf), Profile())
    store = Told.of(ways)
    result = describe(outcome, store, SCHEMA, lambda ids: {id: id.upper() for id in ids}, chosen)
    [(_, match)] = result.matches
    return match, store


def test_a_value_is_asked_with_its_edge_and_bound_by_name() -> None:
    key: MatchedTriple = ("a", ":ACTED_IN", "b", '"y"')
    match, store = described("(?a)-[acted in: ?v]-(?b)", ("a", "b", '"y"'), {key: (FIRST, SECOND)})
    assert store.asked == [key]
    assert {id: bound.name for id, bound in match.bindings.items()} == {
        "a": "A",
        "b": "B",
        "v": '"Y"',
    }
    (triple,) = match.triples
    assert (triple.source.id, triple.target.id, triple.id) == ("a", "b", "r1")
    assert triple.properties == {"roles": ["x", "y"]}
    assert hash(triple) == hash(Triple(triple.source, triple.relation, triple.target, "r1"))


@pytest.mark.parametrize(
    ("first", "second", "ids"),
    [
        ((FIRST, SECOND), (FIRST, SECOND), ["r1", "r2"]),
        ((FIRST, SECOND), (FIRST,), ["r2", "r1"]),  # the first gives way
        ((FIRST, BACK), (FIRST, BACK), ["r1", "r3"]),
        ((FIRST,), (), ["r1", None]),  # gone since it was matched
        ((FIRST,), (FIRST,), ["r1", None]),
    ],
)
def test_two_edges_show_two_relationships(
    first: tuple[Fact, ...], second: tuple[Fact, ...], ids: list[str | None]
) -> None:
    match, _ = described(
        "(?a)-[acted in: ?v]-(?b), (?a)-[acted in: ?w]-(?b)",
        ("a", "b", "v", "w"),
        {("a", ":ACTED_IN", "b", "v"): first, ("a", ":ACTED_IN", "b", "w"): second},
    )
    assert [triple.id for triple in match.triples] == ids
    for triple in match.triples:
        assert (triple.source.id, triple.target.id) == (
            ("b", "a") if triple.id == "r3" else ("a", "b")
        )


def test_edges_written_against_each_other_share_what_is_stored() -> None:
    ways: dict[MatchedTriple, tuple[Fact, ...]] = {
        ("a", ":ACTED_IN", "b"): (FIRST, SECOND),
        ("b", ":ACTED_IN", "a"): (Fact(False, "r1"), Fact(False, "r2")),
    }
    match, _ = described("(?a)-[acted in]-(?b)-[acted in]-(?a)", ("a", "b"), ways)
    assert sorted(triple.id or "" for triple in match.triples) == ["r1", "r2"]


def test_as_written_takes_no_way_back() -> None:
    match, _ = described(
        "(?a)-[acted in: ?v]->(?b), (?a)-[acted in: ?w]->(?b)",
        ("a", "b", "v", "w"),
        {
            ("a", ":ACTED_IN", "b", "v"): (FIRST, BACK),
            ("a", ":ACTED_IN", "b", "w"): (FIRST, SECOND, BACK),
        },
        direction="as written",
    )
    assert [triple.id for triple in match.triples] == ["r1", "r2"]


def test_values_on_edges_are_refused_where_edges_have_none() -> None:
    pattern = parse_text('("Tom")-[acted in: "Forrest"]-(?f)')
    nothing = Candidates({}, {}, {})  # not looked at: the pattern is refused before
    with OxigraphStore.memory(ox.Store()) as store:
        for refuses in (search, explain):
            with pytest.raises(PatternError, match=r"value on an edge, 'Forrest'.*node of its own"):
                refuses(pattern, nothing, store, SCHEMA, Options())
