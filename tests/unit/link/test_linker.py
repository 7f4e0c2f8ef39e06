"""Candidate lists against a scan by numpy: order, ties, frontier, names, values."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.shared import examples
from tests.unit.link.tiny_index import DigestEmbedder, Name, build, schema_of

from isomatch.link import linker
from isomatch.link.candidates import Candidate, CandidateList, Candidates, Page, merge_pages
from isomatch.link.index import Index
from isomatch.link.linker import link
from isomatch.link.qdrant import QdrantHome
from isomatch.match.enumeration import searched_lists
from isomatch.match.parts import least
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.pattern.types import Edge, Node, Pattern
from isomatch.schema.types import ALIAS, Schema
from isomatch.store.terms import literal

GYEAR = "http://www.w3.org/2001/XMLSchema#gYear"


def one_node(text: str, relation: str = "directed by", type: str | None = None) -> Pattern:
    return Pattern((Node("a", text), Node("x", type=type)), (Edge("a", relation, "x"),))


def linked(index: Index, embedder: Any, text: str, **options: Any) -> Candidates:
    return link(one_node(text), index, embedder, schema_of(), Options(**options))


def node_list(index: Index, embedder: Any, text: str, **options: Any) -> CandidateList:
    return linked(index, embedder, text, **options).nodes["a"]


def widened(candidates: Candidates, part: str, limit: int = 0) -> tuple[CandidateList, bool]:
    """The list as a search widens it, and whether there is more of it than before."""
    lists = searched_lists(candidates)
    searched = lists[candidates.nodes[part].key]
    more = searched.widen(limit)
    return searched.found, more


def brute(names: list[Name], text: str) -> list[tuple[float, str]]:
    """(distance, id), ascending: every id by its nearest name."""
    embedder = DigestEmbedder()
    if not names:
        return []
    rows = embedder.embed([n.text for n in names])
    distances = np.linalg.norm(rows - embedder.embed([text])[0], axis=1)
    best: dict[str, float] = {}
    for name, distance in zip(names, distances.tolist(), strict=True):
        rounded = 0.0 if distance < 1e-4 else round(distance, 6)
        best[name.id] = min(best.get(name.id, inf), rounded)
    return sorted((distance, id) for id, distance in best.items())


def pairs(found: CandidateList) -> list[tuple[float, str]]:
    return [(c.distance, c.id) for c in found.entries]


def check(found: CandidateList, names: list[Name], text: str) -> None:
    """The list says the truth: order, distances, nothing nearer left out."""
    true = brute(names, text)
    distances = {id: distance for distance, id in true}
    entries = found.entries
    assert [(c.distance, c.id) for c in entries] == sorted((c.distance, c.id) for c in entries)
    assert len({c.id for c in entries}) == len(entries)
    for entry in entries:
        assert entry.distance == pytest.approx(distances[entry.id], abs=2e-6)
        assert Name(entry.id, entry.name) in names
    listed = {c.id for c in entries}
    for id, distance in distances.items():
        assert id in listed or distance >= found.frontier - 2e-6
    assert all(entry.distance <= found.frontier for entry in entries)
    if found.frontier == inf:
        assert listed == set(distances)


TEXTS = st.text(alphabet="aBcé_ ", min_size=1, max_size=4).filter(lambda t: t.strip())
NAMES = st.lists(
    st.tuples(st.integers(0, 40).map("urn:{}".format), TEXTS).map(lambda pair: Name(*pair)),
    max_size=60,
    unique=True,
)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Small limits, so that small graphs are paged like large ones."""
    with monkeypatch.context() as patch:
        patch.setattr(linker, "WHOLE", 4)
        patch.setattr(linker, "FIRST", 3)
        yield


ANOTHER_NAME_IS_NEARER = [
    *(Name("urn:0", "é"), Name("urn:0", "B_")),
    *(Name(f"urn:{n}", "B") for n in range(1, 5)),
]


@pytest.mark.usefixtures("few")
@settings(max_examples=examples(25), deadline=None)
@example(names=ANOTHER_NAME_IS_NEARER, text="B", ties=2)
@given(names=NAMES, text=TEXTS, ties=st.sampled_from([2, 1024]))
def test_lists_equal_a_scan(names: list[Name], text: str, ties: int) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(linker, "MOST_TIES", ties)
        build(Path(folder), names)
        embedder = DigestEmbedder()
        with Index.open(folder, embedder=embedder) as index:
            found = node_list(index, embedder, text)
            again = node_list(index, embedder, text)
            assert pairs(found) == pairs(again)
            check(found, names, text)
            candidates = linked(index, embedder, text)
            searched = searched_lists(candidates)[found.key]
            for _ in range(12):
                before = pairs(found)
                more = searched.widen()
                found = searched.found
                assert more == (len(found) > len(before))
                assert {id for _, id in before} <= {c.id for c in found.entries}
                check(found, names, text)
                if found.exhausted:
                    break
            assert found.exhausted
            assert len(found) == len(brute(names, text))


@pytest.mark.usefixtures("few")
@settings(max_examples=examples(25), deadline=None)
@example(names=ANOTHER_NAME_IS_NEARER, text="B", ties=2)
@given(names=NAMES, text=TEXTS, ties=st.sampled_from([2, 1024]))
def test_short_lists_have_all_that_are_nearest(names: list[Name], text: str, ties: int) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(linker, "MOST_TIES", ties)
        build(Path(folder), names)
        embedder = DigestEmbedder()
        with Index.open(folder, embedder=embedder) as index:
            short = link(one_node(text), index, embedder, schema_of(), Options(), nearest=True)
            check(short.nodes["a"], names, text)
            found = least(short).nodes["a"]
            true = brute(names, text)
            assert [id for _, id in pairs(found)] == [id for d, id in true if d == true[0][0]]
            assert found.frontier == inf


def test_short_lists_leave_the_rest_of_a_small_collection(graph: tuple[Index, Schema]) -> None:
    index, schema = graph
    pattern, embedder = one_node("name 1", "ACTED_IN", "a number"), DigestEmbedder(8)
    short = link(pattern, index, embedder, schema, Options(), nearest=True)
    assert pairs(short.relations[0]) == [(0.0, "urn:r2"), (0.0, "urn:r3")]
    assert short.relations[0].frontier > 0.0


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Index, Schema]]:
    """3,000 names in 3 dimensions: long ties; values; a name far from its variant."""
    names = [Name(f"urn:{n:04}", f"name {n}") for n in range(3000)]
    names += [Name(f"urn:same:{n:04}", "the same") for n in range(1500)]
    names += [Name("urn:far", "F-A-R"), Name("urn:year", "1995")]
    names += [Name(f'"1995"^^<{GYEAR}>', "1995", "date"), Name('"Same"', "The Same", "text")]
    schema = schema_of(
        relations=[("urn:r1", "directed by"), ("urn:r2", "acted in"), ("urn:r3", "acted in")],
        types=[("urn:t:film", "film"), ("literal:number", "number")],
    )
    folder = tmp_path_factory.mktemp("graph")
    build(folder, names, schema, DigestEmbedder(8), page=1000)
    with Index.open(folder, embedder=DigestEmbedder(8)) as index:
        yield index, schema


def test_all_texts_are_embedded_in_one_call(graph: tuple[Index, Schema]) -> None:
    index, schema = graph
    calls: list[list[str]] = []

    class Counting(DigestEmbedder):
        def embed(self, texts: Any) -> Any:
            calls.append(list(texts))
            return super().embed(texts)

    pattern = Pattern(
        (Node("a", "Mann"), Node("b", "Mann"), Node("c", "name 7"), Node("x", type="Some_Thing")),
        (Edge("a", "DIRECTED_BY", "x"), Edge("b", "made by", "x"), Edge("c", None, "x")),
    )
    found = link(pattern, index, Counting(8), schema, Options())
    # "directed by" and "name 7" are in the index, letter for letter.
    assert calls == [["Mann", "made by", "some thing"]]
    assert found.nodes["a"] is found.nodes["b"]
    assert sorted(found.nodes) == ["a", "b", "c"]
    assert sorted(found.relations) == [0, 1]
    assert sorted(found.types) == ["x"]
    assert found.notes == ()


def test_relations_and_types_are_listed_whole(graph: tuple[Index, Schema]) -> None:
    index, schema = graph
    found = link(
        one_node("name 1", "ACTED_IN", "a number"), index, DigestEmbedder(8), schema, Options()
    )
    relations, types = found.relations[0], found.types["x"]
    assert pairs(relations)[:2] == [(0.0, "urn:r2"), (0.0, "urn:r3")]
    assert (len(relations), relations.frontier, relations.approximate) == (3, inf, False)
    assert sorted(c.id for c in types.entries) == ["literal:number", "urn:t:film"]
    assert types.exhausted


def test_types_of_an_untyped_graph_are_ignored(graph: tuple[Index, Schema]) -> None:
    index, _ = graph
    found = link(one_node("name 1", type="film"), index, DigestEmbedder(8), schema_of(), Options())
    assert found.types == {}
    assert found.notes == ('the graph has no types: "film" ignored',)


def test_equal_names_that_the_vectors_miss_are_on_the_list(
    graph: tuple[Index, Schema], monkeypatch: pytest.MonkeyPatch
) -> None:
    index, _ = graph
    embedder = DigestEmbedder(8)
    true = float(np.linalg.norm(np.subtract(*embedder.embed(["f a r", "F-A-R"]))))
    # An approximate index may miss any point.
    (missed,) = index.by_name("nodes", "f a r")
    search = index.search

    def approximate(*args: Any, within: Any = None, **options: Any) -> Any:
        found = search(*args, within=within, **options)
        kept = [ids != missed.point if within is None else ids == ids for ids, _ in found]
        return [
            (ids[mask], distances[mask]) for (ids, distances), mask in zip(found, kept, strict=True)
        ]

    monkeypatch.setattr(index, "search", approximate)
    monkeypatch.setattr(index, "approximate", lambda collection: True)
    found, _ = widened(linked(index, embedder, "f a r"), "a", 3000)
    entry = next(c for c in found.entries if c.id == "urn:far")
    assert entry.distance == pytest.approx(true, abs=2e-6)
    assert entry.name == "F-A-R"


def test_values_are_at_distance_zero(graph: tuple[Index, Schema]) -> None:
    index, _ = graph
    found = node_list(index, DigestEmbedder(8), "1995")
    assert pairs(found)[:2] == [(0.0, f'"1995"^^<{GYEAR}>'), (0.0, "urn:year")]
    assert found[0].name == "1995"


def test_a_tie_of_many_is_cut_by_id(graph: tuple[Index, Schema]) -> None:
    index, _ = graph
    candidates = linked(index, DigestEmbedder(8), "the same")
    found = candidates.nodes["a"]
    assert (len(found), found.frontier) == (16 + 1024, 0.0)
    expected = ['"Same"', *(f"urn:same:{n:04}" for n in range(1500))]
    assert [c.id for c in found.entries] == expected[: 16 + 1024]
    found, _ = widened(candidates, "a")
    assert [c.id for c in found.entries[:1501]] == expected
    assert found.frontier > 0.0


@pytest.mark.parametrize("k", [1, 5, 40])
def test_fixed_lists_are_cut_and_never_widened(graph: tuple[Index, Schema], k: int) -> None:
    index, schema = graph
    embedder = DigestEmbedder(8)
    free, _ = widened(linked(index, embedder, "name 5"), "a", 200)
    found = link(one_node("name 5"), index, embedder, schema, Options(k_nodes=k, k_relations=1))
    assert pairs(found.nodes["a"]) == pairs(free)[:k]
    assert found.nodes["a"].exhausted
    assert widened(found, "a") == (found.nodes["a"], False)
    assert found.nodes["a"].frontier == free[k].distance
    assert len(found.relations[0]) == 1


def test_approximate_lists_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isomatch.link.build.APPROXIMATE_FROM", 1000)
    names = [Name(f"urn:{n}", f"name {n}") for n in range(1500)]
    embedder = DigestEmbedder(32)
    home = QdrantHome(client=pytest.importorskip("qdrant_client").QdrantClient(":memory:"))
    build(tmp_path / "embedded", names, embedder=embedder, page=500)
    with Index.open(tmp_path / "embedded", embedder=embedder) as index:
        assert not node_list(index, embedder, "name 3").approximate
    build(tmp_path, names, embedder=embedder, page=500, vectors=home)
    with Index.open(tmp_path, embedder=embedder, vectors=home) as index:
        assert node_list(index, embedder, "name 3").approximate
        assert pairs(node_list(index, embedder, "name 3"))[0] == (0.0, "urn:3")
        assert not node_list(index, embedder, "name 3", exact_vectors=True).approximate


class Elsewhere:
    """A place where nodes are found: 50 of them, at distances that are given."""

    def __init__(self, first: float) -> None:
        self.first = first
        self.asked: list[tuple[int, int, bool]] = []

    def pages(
        self, vectors: Any, limit: int, *, exact: bool = False, texts: Sequence[str] = ()
    ) -> list[Page]:
        self.asked.append((len(vectors), limit, exact))
        nodes = [Candidate(f"node:{n:02}", self.first + n / 100, f"node {n}") for n in range(50)]
        frontier = inf if limit >= 50 else nodes[limit].distance
        return [Page(tuple(nodes[:limit]), frontier, not exact) for _ in vectors]


def test_nodes_from_elsewhere_and_values_from_the_index(tmp_path: Path) -> None:
    names = [Name('"Heat"', "Heat", "text"), Name(f'"1995"^^<{GYEAR}>', "1995", "date")]
    embedder, nodes = DigestEmbedder(8), Elsewhere(0.25)
    build(tmp_path, names, embedder=embedder, without_nodes=True)
    with Index.open(tmp_path, embedder=embedder, nodes=nodes) as index:
        candidates = linked(index, embedder, "heat")
        found = candidates.nodes["a"]
        assert nodes.asked == [(1, 16, False)]  # not for relations
        assert [c.id for c in found.entries[:2]] == ['"Heat"', "node:00"]
        assert (len(found), found.frontier, found.approximate) == (17, 0.25 + 16 / 100, True)
        found, more = widened(candidates, "a")
        assert more
        assert (len(found), found.frontier, found.exhausted) == (51, inf, True)
        # A value is nearer than any node; what else the index has is farther.
        assert pairs(node_list(index, embedder, "1995"))[0] == (0.0, f'"1995"^^<{GYEAR}>')
        fixed = node_list(index, embedder, "heat", k_nodes=3, exact_vectors=True)
        assert nodes.asked[-1] == (1, 4, True)
        assert [c.id for c in fixed.entries] == ['"Heat"', "node:00", "node:01"]
        assert (fixed.frontier, fixed.approximate) == (0.27, False)
        pattern = Pattern((Node("a", "Heat"), Node("b", "Mann")), (Edge("a", None, "b"),))
        link(pattern, index, embedder, schema_of(), Options())
        assert nodes.asked[-1] == (2, 16, False)  # all known nodes at once


def test_pages_merge_to_the_truth_of_all() -> None:
    left = Page((Candidate("a", 0.1, "A"), Candidate("b", 0.4, "B")), 0.5)
    right = Page((Candidate("b", 0.2, "b"), Candidate("c", 0.2, "C")), inf, approximate=True)
    assert merge_pages([left, right]) == Page(
        (Candidate("a", 0.1, "A"), Candidate("b", 0.2, "b"), Candidate("c", 0.2, "C")), 0.5, True
    )
    assert merge_pages([]) == Page((), inf)


def on_edge(text: str, type: str | None = None) -> Pattern:
    nodes = (Node("a", "name 1"), Node("x"), Node("v", text, type))
    return Pattern(nodes, (Edge("a", "r", "x", "v"),))


def test_the_list_of_a_value_on_an_edge_has_values_only(graph: tuple[Index, Schema]) -> None:
    index, schema = graph
    found = link(on_edge("the same", "film"), index, DigestEmbedder(8), schema, Options())
    assert pairs(found.nodes["v"]) == [(0.0, '"Same"')]  # 1,500 nodes have the name
    assert found.nodes["v"].exhausted
    assert [c.id for c in found.types["v"].entries] == ["literal:number"]
    dates = link(on_edge("1995"), index, DigestEmbedder(8), schema, Options())
    assert pairs(dates.nodes["v"])[0] == (0.0, f'"1995"^^<{GYEAR}>')
    assert not any(c.id.startswith("urn:") for c in dates.nodes["v"].entries)


def test_one_word_as_a_name_and_on_an_edge_has_two_lists(graph: tuple[Index, Schema]) -> None:
    index, schema = graph
    nodes = (Node("a", "The Same"), Node("x"), Node("v", "The Same"))
    pattern = Pattern(nodes, (Edge("a", "r", "x", "v"),))
    found = link(pattern, index, DigestEmbedder(8), schema, Options(k_nodes=3))
    assert [c.id for c in found.nodes["a"]] == ['"Same"', "urn:same:0000", "urn:same:0001"]
    assert [c.id for c in found.nodes["v"]] == ['"Same"']


@pytest.mark.usefixtures("few")
@settings(max_examples=examples(15), deadline=None)
@given(names=NAMES, texts=st.lists(TEXTS, max_size=5, unique=True), text=TEXTS)
def test_lists_of_values_equal_a_scan_of_values(
    names: list[Name], texts: list[str], text: str
) -> None:
    values = [Name(literal(t), t) for t in texts]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(linker, "MOST_TIES", 2)
        build(Path(folder), [*names, *(v._replace(kind="text") for v in values)])
        with Index.open(folder, embedder=DigestEmbedder()) as index:
            candidates = link(on_edge(text), index, DigestEmbedder(), schema_of(), Options())
            searched = searched_lists(candidates)[candidates.nodes["v"].key]
            check(searched.found, values, text)
            while searched.widen():
                check(searched.found, values, text)
            found = searched.found
            assert found.exhausted
            assert len(found) == len(values)


def test_of_equal_names_labels_come_before_aliases_and_nodes_show_their_label(
    tmp_path: Path,
) -> None:
    names = [
        Name("a", "Paris", place=ALIAS + 1),
        Name("a", "Lutetia"),
        Name("b", "Paris"),
        Name("c", "Paris", place=1),
        Name("c", "Parigi"),
    ]
    build(tmp_path, names)
    with Index.open(tmp_path, embedder=DigestEmbedder()) as index:
        assert index.name_of("abc") == {"a": "Lutetia", "b": "Paris", "c": "Parigi"}
        found = link(parse('("Paris")-[by]-(?x)'), index, DigestEmbedder(), schema_of(), Options())
        [paris] = found.nodes.values()
    assert [(c.id, c.alias) for c in paris if c.name == "Paris"] == [
        ("b", False),
        ("c", False),
        ("a", True),
    ]
