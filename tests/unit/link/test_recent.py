"""Searches that are kept: the same hits as a search, and not asked for twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.link.tiny_index import DigestEmbedder, Name, build, schema_of

from isomatch.link import recent
from isomatch.link.edge import EdgeVectors
from isomatch.link.index import Index
from isomatch.link.linker import foresee, link
from isomatch.link.recent import RecentSearches
from isomatch.pattern.model import Edge, Node, Pattern
from isomatch.plan.options import Options


class Counting:
    """Hits that tell what was asked; how many vectors were searched for."""

    def __init__(self) -> None:
        self.asked = 0

    def search(self, collection: str, vectors: Any, limit: int, *, exact: bool) -> list[Any]:
        self.asked += len(vectors)
        return [(np.array([hash((collection, limit, exact, *row))]), row) for row in vectors]


searches = st.lists(
    st.tuples(
        st.sampled_from(["nodes", "relations"]),
        st.lists(st.integers(0, 5), min_size=1, max_size=4),
        st.sampled_from([1, 2, recent.LONGEST + 1]),
        st.booleans(),
    ),
    max_size=20,
)


@given(searches)
def test_hits_are_those_of_a_search(asked: Sequence[tuple[str, list[int], int, bool]]) -> None:
    kept, plain = RecentSearches(Counting()), Counting()  # type: ignore[arg-type]
    for collection, texts, limit, exact in asked:
        vectors = np.array([[text, 1.0] for text in texts], np.float32)
        given = kept.search(collection, vectors, limit, exact=exact)
        wanted = plain.search(collection, vectors, limit, exact=exact)
        assert [hits[0].tolist() for hits in given] == [hits[0].tolist() for hits in wanted]


def test_the_same_is_asked_once_while_it_is_kept() -> None:
    vectors = Counting()
    kept = RecentSearches(vectors)  # type: ignore[arg-type]
    rows = np.arange(2.0 * recent.KEPT, dtype=np.float32).reshape(-1, 2)
    kept.search("nodes", rows[:3], 5, exact=True)
    kept.search("nodes", rows[1:4], 5, exact=True)
    assert vectors.asked == 4
    kept.search("nodes", rows, 5, exact=True)
    kept.search("nodes", rows + 0.5, 5, exact=True)  # as many as are kept: the others go
    before = vectors.asked
    kept.search("nodes", rows[:1], 5, exact=True)
    assert vectors.asked == before + 1
    kept.search("nodes", rows[:1], recent.LONGEST + 1, exact=True)
    kept.search("nodes", rows[:1], recent.LONGEST + 1, exact=True)  # too long to be kept
    assert vectors.asked == before + 3


def test_what_was_foreseen_is_not_searched_for_again(tmp_path: Path) -> None:
    names = [Name(f"urn:{n}", f"name {n}") for n in range(50)]
    build(tmp_path, names)
    embedder = DigestEmbedder()
    pattern = Pattern((Node("a", "name 3"), Node("x")), (Edge("a", None, "x"),))
    with Index.open(tmp_path, embedder=embedder) as index:
        plain = link(pattern, index, embedder, schema_of(), Options()).nodes["a"]
    with Index.open(tmp_path, embedder=embedder) as index:
        foresee(["name 3"], index, embedder)
        vectors = index._vectors
        assert isinstance(vectors, EdgeVectors)
        vectors.search = None  # type: ignore[assignment,method-assign]
        assert link(pattern, index, embedder, schema_of(), Options()).nodes["a"].entries == (
            plain.entries
        )
    with Index.open(tmp_path, embedder=embedder) as index:
        changing = Index(index.manifest, index._names, index._vectors, changes=True)
        foresee(["name 3"], changing, embedder)
        assert not changing.keeps_searches
