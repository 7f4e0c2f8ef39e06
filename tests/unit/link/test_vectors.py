"""The contract of vector stores, met by the embedded engine and the server's client."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from threading import Event, Thread
from unittest.mock import Mock

import numpy as np
import pytest
from tests.unit.link.tiny_index import DigestEmbedder, Name, build

from isomatch.errors import VectorIndexError
from isomatch.executor import Here
from isomatch.link.edge import EdgeHome, EdgeVectors
from isomatch.link.manifest import checksums
from isomatch.link.parts import ParallelEmbedder, Part, vectors_of
from isomatch.link.qdrant import QdrantHome
from isomatch.link.vectors import VectorHome, VectorStore


@pytest.fixture(params=["edge", "qdrant"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorHome]:
    if request.param == "edge":
        yield EdgeHome(tmp_path)
        return
    client = pytest.importorskip("qdrant_client").QdrantClient(":memory:")
    yield QdrantHome(client=client)
    client.close()


@pytest.fixture
def store(home: VectorHome) -> Iterator[VectorStore]:
    store = home.open("g1")
    store.create("nodes", 4)
    yield store
    store.close()


def unit_rows(count: int, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, 4)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_search_is_a_scan_by_l2_distance(store: VectorStore) -> None:
    rows, queries = unit_rows(200), unit_rows(3, seed=1)
    store.upsert("nodes", list(range(1, 201)), rows)
    for query, (ids, distances) in zip(queries, store.search("nodes", queries, 20), strict=True):
        true = np.linalg.norm(rows - query, axis=1)
        assert distances.dtype == np.float32
        np.testing.assert_allclose(distances, np.sort(true)[:20], atol=1e-6)
        np.testing.assert_allclose(true[ids - 1], distances, atol=1e-6)


def test_equal_vectors_are_at_zero(store: VectorStore) -> None:
    rows = unit_rows(5)
    store.upsert("nodes", [1, 2, 3, 4, 5], rows)
    for row, (ids, distances) in enumerate(store.search("nodes", rows, 1), 1):
        assert ids.tolist() == [row]
        assert distances[0] < 1e-4


def test_fewer_points_than_asked_for(store: VectorStore) -> None:
    assert [ids.tolist() for ids, _ in store.search("nodes", unit_rows(2), 5)] == [[], []]
    store.upsert("nodes", [7], unit_rows(1))
    assert [ids.tolist() for ids, _ in store.search("nodes", unit_rows(1), 5)] == [[7]]


def test_a_search_within_points_finds_those_alone(store: VectorStore) -> None:
    rows = unit_rows(50)
    store.upsert("nodes", list(range(50)), rows)
    found = store.search("nodes", unit_rows(2, 1), 9, within=[[3, 4], [40]])
    assert sorted(found[0][0].tolist()) == [3, 4]
    assert found[1][0].tolist() == [40]


def test_upsert_replaces_and_delete_ignores_the_unknown(store: VectorStore) -> None:
    rows = unit_rows(4)
    store.upsert("nodes", [1, 2], rows[:2])
    store.upsert("nodes", [2, 3], rows[2:])
    assert store.count("nodes") == 3
    np.testing.assert_array_equal(store.retrieve("nodes", [3, 1, 2]), rows[[3, 0, 2]])
    store.delete("nodes", [1, 99])
    assert store.count("nodes") == 2
    with pytest.raises(VectorIndexError, match="lack the point 1"):
        store.retrieve("nodes", [1])


def test_create_leaves_what_is_there(store: VectorStore) -> None:
    store.upsert("nodes", [1], unit_rows(1))
    store.create("nodes", 4)
    assert store.count("nodes") == 1


def test_what_is_flushed_is_there_again(home: VectorHome) -> None:
    store = home.open("g1")
    for collection in ("nodes", "relations", "types"):
        store.create(collection, 4)
        store.upsert(collection, [1, 2], unit_rows(2))
    store.flush()
    store.close()
    store.close()
    again = home.open("g1")
    assert [again.count(c) for c in ("nodes", "relations", "types")] == [2, 2, 2]
    again.close()
    home.drop("g1")
    home.drop("g1")
    with pytest.raises(VectorIndexError):
        home.open("g1").count("nodes")


def test_after_optimize_everything_is_found(store: VectorStore) -> None:
    rows = unit_rows(2000)
    store.upsert("nodes", list(range(2000)), rows)
    store.flush()
    store.optimize("nodes")
    assert store.count("nodes") == 2000
    found = store.search("nodes", rows[:20], 1, exact=False)
    assert [ids[0] for ids, _ in found] == list(range(20))


def test_a_copy_is_independent(tmp_path: Path) -> None:
    home = EdgeHome(tmp_path)
    store = home.open("g1")
    store.create("nodes", 4)
    store.upsert("nodes", [1, 2], unit_rows(2))
    store.flush()
    (tmp_path / "g2").mkdir()
    home.copy("g1", tmp_path / "g2")
    copy = home.open("g2")
    copy.delete("nodes", [1])
    assert (store.count("nodes"), copy.count("nodes")) == (2, 1)
    blocks = sum(p.stat().st_blocks for p in (tmp_path / "g2").rglob("*")) * 512
    assert blocks < 4 << 20, "the copy's holes are filled"
    store.close()
    copy.close()


def test_two_processes_read_at_once(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path)
    store.create("nodes", 4)
    store.upsert("nodes", [1, 2, 3], unit_rows(3))
    store.flush()
    reader = (
        "import sys; from pathlib import Path; from isomatch.link.edge import EdgeVectors;"
        "print(EdgeVectors(Path(sys.argv[1])).count('nodes'))"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", reader, str(tmp_path)], stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    assert [run.communicate()[0].strip() for run in runs] == [b"3"] * 3
    assert store.count("nodes") == 3
    store.close()


def test_files_that_another_process_moves_are_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "nodes").mkdir()
    (tmp_path / "nodes" / "kept").write_text("kept")
    ended = Event()

    def engine() -> None:
        for turn in count():  # no name comes twice
            folders = [tmp_path / "nodes" / f".atomicwrite{turn}-{n}" for n in range(20)]
            for folder in folders:
                folder.mkdir()
                (folder / "written").touch()
            for folder in folders:
                shutil.rmtree(folder)
            if ended.is_set():
                return

    other = Thread(target=engine)
    other.start()
    try:
        for _ in range(100):
            assert EdgeVectors(tmp_path).folder == tmp_path
            assert set(checksums(tmp_path)) == {"nodes/kept"}
    finally:
        ended.set()
        other.join()


def test_damaged_vectors_say_where(tmp_path: Path) -> None:
    (tmp_path / "nodes").mkdir()
    (tmp_path / "nodes" / "edge_config.json").write_text("{")
    with pytest.raises(VectorIndexError, match=r"nodes cannot be used: .*run `isomatch index`"):
        EdgeVectors(tmp_path).count("nodes")


def test_a_qdrant_that_is_not_there_is_reported() -> None:
    pytest.importorskip("qdrant_client")
    with pytest.raises(VectorIndexError, match="check QDRANT_URL"):
        QdrantHome("http://127.0.0.1:9", timeout=1).open("g1").count("nodes")


def test_parts_are_written_to_a_server_by_who_embeds_them(tmp_path: Path) -> None:
    client = pytest.importorskip("qdrant_client").QdrantClient(":memory:")
    home = QdrantHome(client=client)

    def again() -> QdrantHome:
        return home

    home._again = again
    embedder = ParallelEmbedder(DigestEmbedder(), Here(), DigestEmbedder)
    store = home.open("g9")
    store.create("nodes", 3)
    parts = [Part("nodes", [1, 2], ["a", "b"]), Part("nodes", [3], ["c"])]
    assert list(vectors_of(parts, embedder, store)) == [None, None]
    expected = DigestEmbedder().embed(["a", "b", "c"])
    np.testing.assert_allclose(store.retrieve("nodes", [1, 2, 3]), expected, atol=1e-6)
    home._again = None
    build(tmp_path / "server", [Name("urn:a", "a")], embedder=embedder, vectors=home)
    client.close()


def test_a_worker_opens_the_same_collections_with_the_same_shards() -> None:
    pytest.importorskip("qdrant_client")
    home = QdrantHome("http://127.0.0.1:1", api_key="k", prefix="p", shards=6)
    writer = home.open("g3").writer()
    assert writer is not None
    opened = pickle.loads(pickle.dumps(writer))()
    assert (opened.prefix, opened._shards) == ("p_g3", 6)
    made: list[dict[str, object]] = []
    opened.client = Mock(
        collection_exists=lambda name: False,
        create_collection=lambda name, **given: made.append({"name": name, **given}),
    )
    opened.create("nodes", 4)
    assert (made[0]["name"], made[0]["shard_number"]) == ("p_g3_nodes", 6)


def test_vectors_in_a_folder_without_write_permission_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(EdgeHome(tmp_path).open("g1")) as store:
        store.create("nodes", 4)
        store.upsert("nodes", [7], unit_rows(1))
        store.flush()
    folders = [tmp_path, *(path for path in tmp_path.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    monkeypatch.setattr("isomatch.link.edge._is_writable", lambda _: False)  # as root may write
    try:
        with closing(EdgeVectors(tmp_path / "g1" / "vectors")) as copy:
            assert all(p.stat().st_mode & 0o200 for p in [copy.folder, *copy.folder.iterdir()])
            assert [ids.tolist() for ids, _ in copy.search("nodes", unit_rows(1), 5)] == [[7]]
    finally:
        for folder in folders:
            folder.chmod(0o700)
