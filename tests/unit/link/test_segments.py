"""A base, what was added and what is gone: the same as one scan of all vectors."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shared import examples

from isomatch.errors import VectorIndexError
from isomatch.link.edge import SCANS, EdgeHome
from isomatch.link.segments import ADDED, GONE, sibling_path

DIMENSION = 5
CHANGES = st.lists(
    st.tuples(st.integers(0, 6), st.sets(st.integers(0, 60), max_size=12), st.booleans()),
    min_size=1,
    max_size=4,
)


def rows_of(count: int, seed: int) -> np.ndarray:
    """Few distinct directions, so that many distances are equal."""
    rows = np.random.default_rng(seed).integers(-1, 2, (count, DIMENSION)) + 0.5
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def brute(vectors: dict[int, np.ndarray], query: np.ndarray, limit: int) -> list[tuple[int, float]]:
    """The nearest, measured with 64 bits."""
    ids = sorted(vectors)
    if not ids:
        return []
    apart = np.array([vectors[id] for id in ids], np.float64) - query.astype(np.float64)
    far = np.sqrt((apart**2).sum(axis=1)).astype(np.float32)
    order = np.lexsort((ids, far))[:limit]
    return [(ids[place], float(far[place])) for place in order]


@settings(max_examples=examples(25), deadline=None)
@given(first=st.integers(1, 40), changes=CHANGES, seed=st.integers(0, 99), limit=st.integers(1, 50))
def test_segments_find_what_measuring_all_finds(
    first: int, changes: list[tuple[int, set[int], bool]], seed: int, limit: int
) -> None:
    with TemporaryDirectory() as folder:
        home, number = EdgeHome(Path(folder)), 1
        store = home.open("g1")
        store.create("nodes", DIMENSION)
        expected = dict(enumerate(rows_of(first, seed), 1))
        store.upsert("nodes", list(expected), np.array(list(expected.values())))
        store.optimize("nodes")
        last = first
        for count, gone, copied in changes:
            if copied:  # as a sync does, while the old generation is open
                before, was = store, dict(expected)
                (Path(folder) / f"g{number + 1}").mkdir()
                store.flush()
                home.copy(f"g{number}", Path(folder) / f"g{number + 1}")
                number += 1
                store = home.open(f"g{number}")
            new = dict(zip(range(last + 1, last + 1 + count), rows_of(count, last), strict=True))
            last += count
            if new:
                store.upsert("nodes", list(new), np.array(list(new.values())))
            store.delete("nodes", sorted(gone))
            expected = {id: row for id, row in (expected | new).items() if id not in gone}
            assert store.count("nodes") == len(expected)
            if expected or store.is_scanned("nodes"):
                store.optimize("nodes")
            assert store.count("nodes") == len(expected)
            if not expected:
                continue
            queries = rows_of(2, seed + 1)
            found = store.search("nodes", queries, limit)
            for query, (ids, distances) in zip(queries, found, strict=True):
                pairs = list(zip(ids.tolist(), distances.tolist(), strict=True))
                assert pairs == brute(expected, query, limit)
            some = [id for id in expected if id % 2] + [999]
            ((ids, distances),) = store.search("nodes", queries[:1], limit, within=[some])
            odd = {id: row for id, row in expected.items() if id % 2}
            pairs = list(zip(ids.tolist(), distances.tolist(), strict=True))
            assert pairs == brute(odd, queries[0], limit)
            wanted = list(expected)[::-1]
            kept = np.array([expected[id] for id in wanted], np.float32)
            np.testing.assert_array_equal(store.retrieve("nodes", wanted), kept)
            if copied:
                assert before.count("nodes") == len(was)
                ((ids, _),) = before.search("nodes", queries[:1], 100)
                assert set(ids.tolist()) == set(was)
                before.close()
        store.close()


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """The scans of 100 vectors, of which two are gone, and of three that were added."""
    store = EdgeHome(tmp_path).open("g1")
    store.create("nodes", DIMENSION)
    store.upsert("nodes", list(range(1, 101)), rows_of(100, 1))
    store.optimize("nodes")
    store.upsert("nodes", [101, 102, 103], rows_of(3, 2))
    store.delete("nodes", [5, 6])
    store.optimize("nodes")
    store.close()
    return tmp_path / "g1" / "vectors" / SCANS / "nodes"


def test_few_changes_leave_the_files_of_the_base(changed: Path, tmp_path: Path) -> None:
    (tmp_path / "g2").mkdir()
    home = EdgeHome(tmp_path)
    home.copy("g1", tmp_path / "g2")
    store = home.open("g2")
    store.upsert("nodes", [104], rows_of(1, 3))
    store.optimize("nodes")
    store.close()
    copy = tmp_path / "g2" / "vectors" / SCANS / "nodes"
    assert (copy / "vectors.f32").samefile(changed / "vectors.f32")
    added = [sibling_path(folder, ADDED) / "ids.i64" for folder in (changed, copy)]
    assert [np.fromfile(path, np.int64).tolist() for path in added] == [
        [101, 102, 103],
        [101, 102, 103, 104],
    ]


def test_many_changes_make_another_base(changed: Path, tmp_path: Path) -> None:
    store = EdgeHome(tmp_path).open("g1")
    store.delete("nodes", list(range(1, 10)))
    store.optimize("nodes")
    assert not sibling_path(changed, ADDED).exists()
    assert not sibling_path(changed, GONE).exists()
    assert store.count("nodes") == 94
    store.close()


@pytest.mark.parametrize("content", [b"", b"something else"])
def test_damaged_ids_of_what_is_gone_are_told(changed: Path, content: bytes) -> None:
    sibling_path(changed, GONE).write_bytes(content)
    with pytest.raises(VectorIndexError, match=r"gone\.npy cannot be used: .*`isomatch index`"):
        EdgeHome(changed.parents[3]).open("g1").count("nodes")


def test_what_the_engine_still_has_after_a_kill_counts_once(changed: Path, tmp_path: Path) -> None:
    """As between writing another base and emptying the engine."""
    store = EdgeHome(tmp_path).open("g1")
    store.upsert("nodes", [104], rows_of(1, 3))
    shard = store._shard("nodes")
    import qdrant_edge as edge

    point = edge.Point(id=7, vector=rows_of(1, 4)[0].tolist())
    shard.update(edge.UpdateOperation.upsert_points([point]))
    assert store.count("nodes") == 102
    store.optimize("nodes")
    assert store.count("nodes") == 102
    store.close()
