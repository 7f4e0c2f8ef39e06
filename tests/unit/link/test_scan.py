"""The exact scan, against a measurement of every vector."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.link.tiny_index import DigestEmbedder, Name, build, schema_of

from isomatch.errors import VectorIndexError
from isomatch.link import edge, manifest, name_table, scan
from isomatch.link.build import Origin, build_index, confirm_index
from isomatch.link.edge import EdgeHome, EdgeVectors
from isomatch.link.index import Index
from isomatch.link.scan import Scan, write
from isomatch.link.turn import TOP, Rows


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "BLOCK", 64)
    monkeypatch.setattr(scan, "PART", 16)
    monkeypatch.setattr(scan, "GROUP", 4)
    monkeypatch.setattr(scan, "LIKELY", 8)
    monkeypatch.setattr(scan, "READ", 8)
    monkeypatch.setattr(scan, "WIDTH", 3)
    monkeypatch.setattr(scan, "MAPPED", 0)  # as of many vectors: read from the file


def brute(rows: np.ndarray, ids: np.ndarray, query: np.ndarray, limit: int) -> list:
    apart = rows.astype(np.float64) - query.astype(np.float64)
    distances = np.sqrt((apart**2).sum(axis=1)).astype(np.float32)
    order = np.lexsort((ids, distances))[:limit]
    return list(zip(ids[order].tolist(), distances[order].tolist(), strict=True))


def pages(rows: np.ndarray, ids: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for start in range(0, len(rows), 100):
        yield ids[start : start + 100], rows[start : start + 100]


def check(rows: np.ndarray, queries: np.ndarray, limits: list[int]) -> int:
    """Compare with the measurement of all; returns how many vectors were read."""
    ids = np.sort(np.random.default_rng(5).permutation(3 * len(rows))[: len(rows)]) + 1
    with TemporaryDirectory() as folder:
        write(Path(folder) / "s", pages(rows, ids))
        opened = Scan(Path(folder) / "s")
        for limit in limits:
            for query, (points, distances) in zip(
                queries, opened.search(queries, limit), strict=True
            ):
                found = list(zip(points.tolist(), distances.tolist(), strict=True))
                assert found == brute(rows, ids, query, limit)
        return opened.read


def clustered(random: np.random.Generator, count: int, dimension: int) -> np.ndarray:
    """Unit vectors about a few centres, some twice, a few zero."""
    centres = random.normal(size=(7, dimension))
    rows = centres[random.integers(0, 7, count)] + 0.3 * random.normal(size=(count, dimension))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[random.integers(0, count, count // 5)] = rows[random.integers(0, count, count // 5)]
    rows[random.integers(0, count, count // 50)] = 0
    return rows.astype(np.float32)


def adversarial(random: np.random.Generator, count: int, dimension: int, kind: str) -> np.ndarray:
    rows = clustered(random, count, dimension)
    if kind == "almost equal":  # distances differ in the last bits of 32
        rows[:] = rows[0]
        return np.nextafter(rows, random.choice([-2, 2], rows.shape).astype(np.float32))
    if kind == "equally far":
        return np.eye(dimension, dtype=np.float32)[random.integers(0, dimension, count)]
    if kind == "one far away":
        rows[count // 2] *= 1e6
    if kind == "many lengths":
        rows *= 10.0 ** random.integers(-12, 12, (count, 1))
    if kind == "far from the origin":
        rows += np.float32(1000)
    return rows.astype(np.float32)


KINDS = ("plain", "almost equal", "equally far", "one far away", "many lengths")


@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    count=st.integers(1, 700),
    dimension=st.sampled_from([1, 2, 3, 8, 64, 200, 384]),
    kind=st.sampled_from([*KINDS, "far from the origin"]),
    limit=st.integers(1, 800),
)
def test_a_scan_finds_what_measuring_all_finds(
    seed: int, count: int, dimension: int, kind: str, limit: int
) -> None:
    random = np.random.default_rng(seed)
    rows = adversarial(random, count, dimension, kind)
    near = rows[random.integers(0, count, 2)] + np.float32(1e-3)
    queries = np.concatenate([rows[:1], near, clustered(random, 50, dimension)[:2]])
    check(rows, queries, [limit, 1, 16])


def opened_codes(opened: Scan) -> np.ndarray:
    return np.concatenate([part._rows for part in opened._parts], axis=1).astype(np.int64)


def check_bounds(rows: np.ndarray, queries: np.ndarray) -> None:
    """No row is bounded from below by more than its distance, in exact enough arithmetic.

    What a search keeps at a distance is what has a bound of at most that. The leeway for
    rounding to 32 bits, a millionth, is taken off: the bound must hold without.
    """
    with TemporaryDirectory() as folder:
        write(Path(folder) / "s", pages(rows, np.arange(len(rows))))
        opened = Scan(Path(folder) / "s")
        every = np.arange(len(rows))
        for query in queries.astype(np.float64):
            code, loose = opened._coded(query)
            first, *others = (part.to(code) for part in opened._parts)
            apart, _ = opened._apart(first, map)
            so_far = [apart]
            for to_part in others:
                so_far.append(so_far[-1] + to_part(every))
            assert (np.diff(so_far, axis=0) >= 0).all()
            assert (so_far[-1] == scan._whole(apart, every, others)).all()
            assert (so_far[-1] == ((opened_codes(opened) - code) ** 2).sum(axis=1)).all()
            exact = rows.astype(np.longdouble) - query.astype(np.longdouble)
            distances = np.sqrt((exact**2).sum(axis=1)).astype(np.float64)
            for row, distance in enumerate(distances.tolist()):
                limits = opened._limits(distance * (1 - 1e-6), loose)[:, row // scan.BLOCK]
                kept = [sums[row] for sums in so_far] <= limits
                assert kept.all(), f"row {row} at {distance} is bounded by more"


@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    count=st.integers(1, 400),
    dimension=st.sampled_from([1, 2, 3, 4, 5, 16, 190, 191, 192, 193, 384]),
    kind=st.sampled_from([*KINDS, "far from the origin"]),
)
def test_the_bound_of_every_row_is_at_most_its_distance(
    seed: int, count: int, dimension: int, kind: str
) -> None:
    random = np.random.default_rng(seed)
    rows = adversarial(random, count, dimension, kind)
    rows[random.integers(0, count, count // 3)] = rows[0]  # duplicates in every block
    near = rows[random.integers(0, count, 2)] + np.float32(1e-4)
    far = (clustered(random, 50, dimension)[:1] * np.float32(1e3)).astype(np.float32)
    check_bounds(rows, np.concatenate([rows[:1], near, far, -rows[-1:]]))


@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(
        st.lists(st.floats(-1e6, 1e6, width=32), min_size=2, max_size=2), min_size=1, max_size=200
    ),
    query=st.lists(st.floats(-1e6, 1e6, width=32), min_size=2, max_size=2),
)
def test_the_bound_holds_for_any_numbers(rows: list[list[float]], query: list[float]) -> None:
    check_bounds(np.array(rows, np.float32), np.array([query], np.float32))


def test_a_bound_that_is_too_great_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The property can fail: without the error of the codes rows are bounded by too much."""
    rows = np.random.default_rng(2).normal(size=(300, 1)).astype(np.float32)
    load = scan.Scan.__init__

    def without_errors(self: Scan, folder: Path) -> None:
        load(self, folder)
        self._errors = self._errors * 0

    monkeypatch.setattr(scan.Scan, "__init__", without_errors)
    with pytest.raises(AssertionError, match="bounded by more"):
        check_bounds(rows, rows[:50])


@pytest.mark.usefixtures("small_blocks")
def test_the_smallest_numbers_of_32_bits_are_found() -> None:
    """There two distances can be one of 32 bits, and differ by more than a millionth."""
    for seed in range(8):
        random = np.random.default_rng(seed)
        rows = np.float32(1.4e-45) * random.choice([-1, 1], (518, 200)).astype(np.float32)
        check(rows, rows[:8], [7, 16])


@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.floats(-1e9, 1e9, width=32), min_size=3, max_size=3), min_size=1))
def test_vectors_of_any_numbers_are_found(rows: list[list[float]]) -> None:
    vectors = np.array(rows, np.float32)
    check(vectors, np.concatenate([vectors[:2], np.zeros((1, 3), np.float32)]), [1, 3, 99])


def test_few_vectors_are_read_of_many() -> None:
    random = np.random.default_rng(3)
    rows = clustered(random, 140_000, 32)  # three blocks
    assert check(rows, rows[:3], [16]) < 3 * 2000


def test_a_query_that_is_no_number_is_refused(tmp_path: Path) -> None:
    rows = np.eye(4, dtype=np.float32)
    write(tmp_path / "s", [(np.arange(4), rows)])
    with pytest.raises(VectorIndexError, match="infinite value or none"):
        Scan(tmp_path / "s").search(np.full((1, 4), np.nan, np.float32), 2)
    with pytest.raises(VectorIndexError, match="not of 4 numbers"):
        write(tmp_path / "t", [(np.arange(4), np.full((4, 4), np.inf, np.float32))])
    with pytest.raises(VectorIndexError, match="there are no vectors"):
        write(tmp_path / "t", [])
    assert not (tmp_path / "t").exists()


@pytest.mark.parametrize(
    "name", ["scan.json", "turn.npz", "ids.i64", "codes-0.i8", "codes-0.squares.i32", "vectors.f32"]
)
def test_a_missing_or_short_file_is_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path / "s", [(np.arange(4), np.eye(4, dtype=np.float32))])
    path = tmp_path / "s" / name
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(VectorIndexError, match="run `isomatch index` to rebuild them"):
        Scan(tmp_path / "s")
    path.unlink()
    with pytest.raises(VectorIndexError, match="run `isomatch index` to rebuild them"):
        Scan(tmp_path / "s")


def test_the_store_scans_what_is_there_after_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge, "PAGE", 64)
    rows = clustered(np.random.default_rng(1), 300, 16)
    ids = np.arange(1, 301)
    store = EdgeVectors(tmp_path / "v")
    store.create("nodes", 16)
    store.upsert("nodes", ids.tolist(), rows)
    assert store.optimize("nodes") is False
    folder = tmp_path / "v" / "scans" / "nodes"
    ((points, distances),) = store.search("nodes", rows[:1], 20, exact=False)
    found = list(zip(points.tolist(), distances.tolist(), strict=True))
    assert found == brute(rows, ids, rows[0], 20)
    assert folder.is_dir()
    store.delete("nodes", [1])
    assert 1 not in store.search("nodes", rows[:1], 300)[0][0]
    store.optimize("nodes")
    assert 1 not in store.search("nodes", rows[:1], 300)[0][0]
    store.upsert("nodes", [999], rows[:1])
    assert 999 in store.search("nodes", rows[:1], 300)[0][0]
    store.close()


def test_a_sync_keeps_the_scan_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isomatch.link.build.APPROXIMATE_FROM", 100)
    embedder = DigestEmbedder(16)

    def names(index: Index, text: str) -> list[str]:
        ((points, _),) = index.search("nodes", embedder.embed([text]), 500)
        texts = index.texts(points.tolist())
        return [texts[point].text for point in points.tolist()]

    all_names = [Name(f"urn:{n}", f"name {n}") for n in range(150)]
    build(tmp_path, all_names, embedder=embedder)
    old = Index.open(tmp_path, embedder=embedder)
    changed = [*all_names[10:], Name("urn:new", "something new")]
    report = build(tmp_path, changed, embedder=embedder, sync=True)
    assert (report.embedded, report.deleted, report.approximate) == (1, 10, ())
    with Index.open(tmp_path, embedder=embedder) as new:
        assert (tmp_path / new.manifest.generation / "vectors" / "scans" / "nodes").is_dir()
        assert any("scans/nodes/codes-0.i8" in name for name in new.manifest.files)
        assert names(new, "something new")[0] == "something new"
        assert len(names(new, "name 3")) == 141
        assert names(old, "name 3")[0] == "name 3"  # what was open answers as before
    build(tmp_path, changed[:50], embedder=embedder, sync=True)  # below the threshold
    with Index.open(tmp_path, embedder=embedder) as small:
        assert len(names(small, "name 20")) == 50
    old.close()


def test_many_vectors_go_to_the_files_of_a_scan_at_once(tmp_path: Path) -> None:
    rows = clustered(np.random.default_rng(4), 300, 16)
    folder = tmp_path / "v" / "scans" / "nodes.coming"

    def opened() -> EdgeVectors:
        store = EdgeVectors(tmp_path / "v")
        store.create("nodes", 16)
        return store

    store = opened()
    store.expect("nodes", 16)
    order = np.random.default_rng(5).permutation(100)
    store.upsert("nodes", (order[:60] + 1).tolist(), rows[order[:60]])
    store.upsert("nodes", (order[60:] + 1).tolist(), rows[order[60:]])
    store.flush()
    store.upsert("nodes", list(range(101, 201)), rows[:100])  # others, which are written again
    store.flush()
    store.close()
    with (folder / "vectors.f32").open("ab") as file:  # killed in a row
        file.write(b"half")
    store = opened()
    assert (store.count("nodes"), store.is_scanned("nodes")) == (200, True)
    store.delete("nodes", [7, 8])
    store.delete("nodes", [9, 110, 999])  # the last was not written yet
    assert store.count("nodes") == 196
    for begin, end in ((100, 109), (110, 200), (200, 300)):  # 110 is not written again
        store.upsert("nodes", list(range(begin + 1, end + 1)), rows[begin:end])
        store.flush()
    assert store.count("nodes") == 296
    store.optimize("nodes")
    assert not folder.exists()
    kept = np.delete(np.arange(300), [6, 7, 8, 109])
    for again in (store, EdgeVectors(tmp_path / "v")):
        assert again.count("nodes") == 296
        ((points, distances),) = again.search("nodes", rows[6:7], 20)
        found = list(zip(points.tolist(), distances.tolist(), strict=True))
        assert found == brute(rows[kept], kept + 1, rows[6], 20)
        again.close()


def test_a_scan_of_nothing_is_not_made(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path / "v")
    store.create("nodes", 16)
    store.expect("nodes", 16)
    store.optimize("nodes")
    assert (store.count("nodes"), store.is_scanned("nodes")) == (0, False)
    store.close()


def test_an_index_without_scan_opens_as_before(tmp_path: Path) -> None:
    store = EdgeHome(tmp_path).open("g1")
    store.create("nodes", 4)
    store.upsert("nodes", [1, 2], np.eye(4, dtype=np.float32)[:2])
    ((points, _),) = store.search("nodes", np.eye(4, dtype=np.float32)[1:2], 2, exact=False)
    assert points.tolist() == [2, 1]
    store.close()


def test_an_older_index_answers_as_before_and_is_then_made_exact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isomatch.link.build.APPROXIMATE_FROM", 100)
    embedder = DigestEmbedder(16)
    names = [Name(f"urn:{n}", f"name {n}") for n in range(150)]

    def with_hnsw(store: EdgeVectors, collection: str) -> bool:
        store._shard(collection).optimize()
        return True

    with monkeypatch.context() as before:
        before.setattr(EdgeVectors, "optimize", with_hnsw)
        before.setattr(EdgeVectors, "expect", lambda *_: None)
        build(tmp_path, names, embedder=embedder)
    with Index.open(tmp_path, embedder=embedder) as old:
        assert old.approximate("nodes")
        assert len(old.search("nodes", embedder.embed(["name 3"]), 16)[0][0]) == 16
    report = build(tmp_path, names, embedder=embedder)
    assert (report.embedded, report.approximate) == (0, ())
    with Index.open(tmp_path, embedder=embedder) as new:
        assert not new.approximate("nodes")


def test_an_older_index_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    embedder = DigestEmbedder(16)
    schema = schema_of()
    origin = Origin(state="s", basis="b", fingerprint="f")
    build_index(tmp_path, [[Name("urn:1", "one")]], schema, embedder, origin=origin)
    assert confirm_index(tmp_path, embedder, origin) is not None
    made = manifest.read(tmp_path)
    replace(made, approximate=("nodes",)).write(tmp_path)
    assert confirm_index(tmp_path, embedder, origin) is None
    made.write(tmp_path)
    rmtree(tmp_path / made.generation / name_table.FOLDER)
    files = {name: sum for name, sum in made.files.items() if name_table.FOLDER not in name}
    replace(made, files=files).write(tmp_path)
    assert confirm_index(tmp_path, embedder, origin) is None


def test_every_part_of_a_block_counts_for_its_error(small_blocks: None) -> None:
    """The first part of each block has codes without an error; the bound of others is looser."""
    random = np.random.default_rng(3)
    rows = random.normal(size=(640, 8)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    for start in range(0, len(rows), scan.BLOCK):
        rows[start : start + scan.PART] = rows[0]
    with TemporaryDirectory() as folder:
        ids = np.arange(len(rows))
        write(Path(folder) / "s", pages(rows, ids))
        opened = Scan(Path(folder) / "s")
        edge = TOP * opened._step
        kept = opened._turn(rows.astype(np.float64)).clip(-edge, edge)
        apart = opened_codes(opened) * opened._step - kept
        for part, of_blocks in zip(opened._parts, opened._errors, strict=True):
            assert len(of_blocks) == len(rows) // scan.BLOCK
            errors = scan.lengths(apart[:, : part.place.stop])
            assert (errors <= of_blocks[np.arange(len(rows)) // scan.BLOCK] + 1e-12).all()
    check(rows, random.normal(size=(200, 8)).astype(np.float32), [1, 5])


def test_a_vector_far_away_leaves_the_bounds_of_others_as_tight(small_blocks: None) -> None:
    """Its code is cut off, and so is what the code is compared with."""
    random = np.random.default_rng(9)
    rows = random.normal(size=(500, 8)).astype(np.float32)
    rows[300] *= 40
    with TemporaryDirectory() as folder:
        write(Path(folder) / "s", pages(rows, np.arange(len(rows))))
        opened = Scan(Path(folder) / "s")
        for part, of_blocks in zip(opened._parts, opened._errors, strict=True):
            assert (of_blocks <= opened._step / 2 * part.place.stop**0.5 + 1e-12).all()
    check(rows, np.concatenate([rows[298:302], 40 * rows[:2]]), [1, 5])


def test_searches_at_the_same_time_find_what_one_alone_finds(
    small_blocks: None, tmp_path: Path
) -> None:
    rows = clustered(np.random.default_rng(6), 700, 16)
    write(tmp_path / "s", pages(rows, np.arange(700)))
    opened = Scan(tmp_path / "s")
    alone = [opened.search(query[None], 5)[0] for query in rows[:60]]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda query: opened.search(query[None], 5)[0], rows[:60]))
    for (ids, distances), (expected, apart) in zip(together, alone, strict=True):
        assert (ids == expected).all()
        assert (distances == apart).all()


def test_errors_of_whole_codes_alone_are_read_too(small_blocks: None, tmp_path: Path) -> None:
    """As an earlier version wrote them: the bounds are looser, and hold."""
    rows = clustered(np.random.default_rng(4), 300, 16)
    write(tmp_path / "s", pages(rows, np.arange(300)))
    with np.load(tmp_path / "s" / "turn.npz") as saved:
        turn = dict(saved)
    assert (turn["errors"][0] < turn["errors"][-1]).all()
    np.savez(tmp_path / "s" / "turn.npz", **{**turn, "errors": turn["errors"][-1]})
    ((points, distances),) = Scan(tmp_path / "s").search(rows[:1], 9)
    found = list(zip(points.tolist(), distances.tolist(), strict=True))
    assert found == brute(rows, np.arange(300), rows[0], 9)
    np.savez(tmp_path / "s" / "turn.npz", **{**turn, "errors": turn["errors"][:, :1]})
    with pytest.raises(VectorIndexError, match="an error is missing"):
        Scan(tmp_path / "s")


def test_a_scan_of_an_earlier_form_is_not_read_nor_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = DigestEmbedder(16)
    names = [Name(f"urn:{n}", f"name {n}") for n in range(150)]
    build(tmp_path, names, embedder=embedder)  # below the threshold: without a scan
    earlier = tmp_path / "g1" / "vectors" / "scan" / "nodes"
    earlier.mkdir(parents=True)
    (earlier / "codes.i8").write_bytes(b"of another form")
    monkeypatch.setattr("isomatch.link.build.APPROXIMATE_FROM", 100)
    with Index.open(tmp_path, embedder=embedder) as old:
        assert len(old.search("nodes", embedder.embed(["name 3"]), 16)[0][0]) == 16
    build(tmp_path, names, embedder=embedder, sync=True)
    vectors = tmp_path / "g2" / "vectors"
    assert (vectors / "scans" / "nodes").is_dir()
    assert not (vectors / "scan").exists()


def test_vectors_that_come_out_of_order_are_refused_and_none_is_lost(tmp_path: Path) -> None:
    rows = Rows(tmp_path, 2)
    rows.append(np.arange(3), np.ones((3, 2), np.float32))
    with pytest.raises(VectorIndexError, match="ascending"):
        rows.append(np.arange(1, 2), np.zeros((1, 2), np.float32))
    assert rows.ids().tolist() == [0, 1, 2]
