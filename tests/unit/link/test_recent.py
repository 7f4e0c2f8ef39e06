"""Searches that are kept: the same hits as a search, and not asked for twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.link.tiny_index import DigestEmbedder, Name, build, schema_of

from isomatch.errors import EmbeddingError
from isomatch.link import linker
from isomatch.link.edge import EdgeVectors
from isomatch.link.index import Index
from isomatch.link.linker import link, prefetch
from isomatch.link.vectors import MOST_HITS, REMEMBERED, RecentSearches
from isomatch.options import Options
from isomatch.pattern.types import Edge, Node, Pattern


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
        st.sampled_from([1, 2, MOST_HITS + 1]),
        st.booleans(),
    ),
    max_size=20,
)


@given(searches)
def test_hits_are_those_of_a_search(asked: Sequence[tuple[str, list[int], int, bool]]) -> None:
    kept, plain = RecentSearches(Counting().search), Counting()
    for collection, texts, limit, exact in asked:
        vectors = np.array([[text, 1.0] for text in texts], np.float32)
        given = kept.search(collection, vectors, limit, exact=exact)
        wanted = plain.search(collection, vectors, limit, exact=exact)
        assert [hits[0].tolist() for hits in given] == [hits[0].tolist() for hits in wanted]


def test_the_same_is_asked_once_while_it_is_kept() -> None:
    vectors = Counting()
    kept = RecentSearches(vectors.search)
    rows = np.arange(2.0 * REMEMBERED, dtype=np.float32).reshape(-1, 2)
    kept.search("nodes", rows[:3], 5, exact=True)
    kept.search("nodes", rows[1:4], 5, exact=True)
    assert vectors.asked == 4
    kept.search("nodes", rows, 5, exact=True)
    kept.search("nodes", rows + 0.5, 5, exact=True)  # as many as are kept: the others go
    before = vectors.asked
    kept.search("nodes", rows[:1], 5, exact=True)
    assert vectors.asked == before + 1
    kept.search("nodes", rows[:1], MOST_HITS + 1, exact=True)
    kept.search("nodes", rows[:1], MOST_HITS + 1, exact=True)  # too long to be kept
    assert vectors.asked == before + 3


class Watched(EdgeVectors):
    """Counts the searches for nodes."""

    searches = 0

    def search(self, collection: str, *arguments: Any, **given: Any) -> list[Any]:
        self.searches += collection == "nodes"
        return super().search(collection, *arguments, **given)


@pytest.mark.parametrize("changes", [False, True])
def test_what_was_foreseen_is_not_searched_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: bool
) -> None:
    monkeypatch.setattr(linker, "WHOLE", 10)  # as if there were more names than are listed
    build(tmp_path, [Name(f"urn:{n}", f"name {n}") for n in range(50)])
    embedder = DigestEmbedder()
    pattern = Pattern((Node("a", "name 3"), Node("x")), (Edge("a", None, "x"),))
    with Index.open(tmp_path, embedder=embedder) as index:
        plain = link(pattern, index, embedder, schema_of(), Options()).nodes["a"]
        vectors = Watched(index._vectors.folder)  # type: ignore[attr-defined]
        again = Index(index.manifest, index._names, vectors, changes=changes)
        prefetch("name 3", again, embedder)
        assert vectors.searches == (0 if changes else 1)
        found = link(pattern, again, embedder, schema_of(), Options()).nodes["a"]
        assert vectors.searches == 1
        assert found.entries == plain.entries
        vectors.close()


def test_what_cannot_be_foreseen_is_left_to_linking(tmp_path: Path) -> None:
    build(tmp_path, [Name("urn:heat", "Heat")])
    failing = DigestEmbedder()

    def embed(texts: Sequence[str]) -> Any:
        raise EmbeddingError("no answer")

    failing.embed = embed  # type: ignore[method-assign]
    with Index.open(tmp_path, embedder=failing) as index:
        prefetch("heat", index, failing)
        with pytest.raises(EmbeddingError):
            link(
                Pattern((Node("a", "heat"), Node("x")), (Edge("a", None, "x"),)),
                index,
                failing,
                schema_of(),
                Options(),
            )
