"""A damaged index is an error that names the command, and never a shorter list."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.link.tiny_index import DigestEmbedder, Name, build, content

from isomatch.errors import VectorIndexError
from isomatch.link.edge import EdgeHome, EdgeVectors, _copy_sparse
from isomatch.link.index import Index
from isomatch.link.manifest import checksums, damaged_file, read

NAMES = [Name(f"urn:{number}", f"name {number}") for number in range(40)]


def flipped(path: Path) -> None:
    """Change one byte of the data, and leave the holes."""
    with path.open("r+b") as file:
        data = file.read(1 << 16)
        place = next((n for n, byte in enumerate(data) if byte), 0)
        file.seek(place)
        file.write(bytes([data[place] ^ 0x41]))


def zeroed(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound") / "index"
    build(folder, NAMES)
    return folder


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index with scans and tables of what was added, beside those that it shares."""
    folder = tmp_path_factory.mktemp("synced") / "index"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("isomatch.link.build.APPROXIMATE_FROM", 30)
        build(folder, NAMES)
        build(folder, [*NAMES[2:], Name("urn:new", "new")], sync=True)
    return folder


@pytest.mark.parametrize("damage", [Path.unlink, flipped, cut])
def test_no_file_of_a_sync_may_be_other_than_it_was_written(
    synced: Path, tmp_path: Path, damage: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isomatch.link.manifest._TRIES", 1)
    parts = ("vectors/scans/nodes/", "nodes.added/", "nodes.gone.npy", "mentions/added/")
    recorded = read(synced).files
    files = {n: e for n, e in recorded.items() if "mentions/" in n or "/scans/" in n}
    assert all(any(part in name for name in files) for part in parts)
    for name, entry in files.items():
        folder = tmp_path / "index"
        shutil.copytree(synced, folder, copy_function=_copy_sparse)
        damage(folder / "g2" / name)
        assert damaged_file(folder / "g2", {name: entry}) == name
        with pytest.raises(VectorIndexError, match=r"is damaged: g2/.* Run `isomatch index`"):
            Index.open(folder, embedder=DigestEmbedder())
        with pytest.raises(VectorIndexError, match=r"a sync cannot mend it: run `isomatch index`"):
            build(folder, NAMES, sync=True)
        shutil.rmtree(folder)


def test_what_generations_share_is_not_written_again(synced: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    shutil.copytree(synced, folder, copy_function=_copy_sparse)
    with Index.open(folder, embedder=DigestEmbedder()) as old, pytest.MonkeyPatch.context() as more:
        more.setattr("isomatch.link.build.APPROXIMATE_FROM", 30)
        shared = [
            (path, path.stat().st_ino)
            for name in ("vectors/scans/nodes/vectors.f32", "mentions/forms.trie")
            for path in [folder / "g2" / name]
        ]
        build(folder, [*NAMES[2:], Name("urn:newer", "newer")], sync=True)
        for path, number in shared:
            assert (folder / "g3" / path.relative_to(folder / "g2")).stat().st_ino == number
        assert len(list(old.all_names())) == 39
    assert {name for name, _ in content(folder)["names"]["nodes"]} >= {"newer", "name 2"}


def test_files_are_copied_where_there_are_no_links(
    synced: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr("os.link", refused)
    monkeypatch.setattr("isomatch.link.build.APPROXIMATE_FROM", 30)
    folder = tmp_path / "index"
    shutil.copytree(synced, folder, copy_function=_copy_sparse)
    build(folder, [*NAMES[2:], Name("urn:newer", "newer")], sync=True)
    assert ("newer", "urn:newer") in content(folder)["names"]["nodes"]


@pytest.mark.parametrize("damage", [Path.unlink, flipped, cut])
def test_no_file_may_be_other_than_it_was_written(
    sound: Path, tmp_path: Path, damage: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isomatch.link.manifest._TRIES", 1)
    shutil.copytree(sound / "g1", tmp_path, dirs_exist_ok=True)
    recorded = read(sound).files
    seen = 0
    for name, entry in recorded.items():
        if name != "names.db":
            damage(tmp_path / name)
            assert damaged_file(tmp_path, {name: entry}) == name
            seen += 1
    assert seen > 30


@pytest.mark.parametrize("damage", [Path.unlink, zeroed])
@pytest.mark.parametrize("name", ["vector_storage/vectors/status.dat", "segment.json"])
def test_a_damaged_index_is_refused_before_the_engine_opens_it(
    sound: Path, tmp_path: Path, damage: Callable[[Path], None], name: str
) -> None:
    folder = tmp_path / "index"
    shutil.copytree(sound, folder, copy_function=_copy_sparse)
    (path,) = folder.glob(f"g1/vectors/nodes/segments/*/{name}")
    damage(path)
    with pytest.raises(VectorIndexError, match=r"is damaged: g1/.* Run `isomatch index`"):
        Index.open(folder, embedder=DigestEmbedder())
    with pytest.raises(VectorIndexError, match=r"a sync cannot mend it: run `isomatch index`"):
        build(folder, NAMES, sync=True)


def test_a_damaged_index_is_mended_by_another_build(sound: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    shutil.copytree(sound, folder, copy_function=_copy_sparse)
    (status,) = folder.glob("g1/vectors/nodes/segments/*/vector_storage/vectors/status.dat")
    zeroed(status)
    embedder = DigestEmbedder()
    build(folder, NAMES, embedder=embedder)
    assert len(embedder.embedded) == 41, "nothing of a damaged index is used again"
    assert content(folder) == content(sound)


def test_a_large_file_of_the_same_size_and_time_is_only_read_where_all_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isomatch.link.manifest._WAIT", 0.0)
    monkeypatch.setattr("isomatch.link.manifest.LARGE", 1000)
    (tmp_path / "large").write_bytes(b"a" * 1000)
    (tmp_path / "small").write_bytes(b"a" * 999)
    recorded = checksums(tmp_path)
    for name, seen in (("large", None), ("small", "small")):
        path = tmp_path / name
        times = path.stat().st_atime_ns, path.stat().st_mtime_ns
        flipped(path)
        os.utime(path, ns=times)
        assert damaged_file(tmp_path, recorded) == seen
        assert damaged_file(tmp_path, recorded, whole=True) == name
        flipped(path)
        assert damaged_file(tmp_path, recorded) is None


def test_a_copy_without_holes_is_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "with"
    folder.mkdir()
    with (folder / "file").open("wb") as file:
        file.write(b"begin")
        file.seek(5 << 20)
        file.write(b"end")
        file.truncate(9 << 20)
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "file").write_bytes((folder / "file").read_bytes())
    assert damaged_file(tmp_path / "without", checksums(folder), whole=True) is None


@pytest.mark.parametrize(
    "wrong",
    [
        lambda ids, distances: (ids[:-1], distances[:-1]),
        lambda ids, distances: (ids[:0], distances[:0]),
        lambda ids, distances: (ids[[0, 0, *range(2, len(ids))]], distances),
        lambda ids, distances: (ids, distances * np.float32("nan")),
        lambda ids, distances: (ids, distances[::-1]),
    ],
)
def test_what_the_engine_gives_is_checked(
    sound: Path, monkeypatch: pytest.MonkeyPatch, wrong: Callable[..., Any]
) -> None:
    real = EdgeVectors.search
    query = np.array([[0.6, 0.8, 0.0]], np.float32)
    with Index.open(sound, embedder=DigestEmbedder()) as index:
        monkeypatch.setattr(
            EdgeVectors, "search", lambda *a, **k: [wrong(*hits) for hits in real(*a, **k)]
        )
        for limit in (10, 100):
            with pytest.raises(VectorIndexError, match=r"is damaged: .*`isomatch index`"):
                index.search("nodes", query, limit)


def test_points_without_a_name_are_damage(sound: Path) -> None:
    with (
        Index.open(sound, embedder=DigestEmbedder()) as index,
        pytest.raises(VectorIndexError, match="lack the point 999"),
    ):
        index.texts([1, 999])


def test_an_approximate_search_that_finds_too_few_is_done_exactly(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "index"
    shutil.copytree(sound, folder, copy_function=_copy_sparse)
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"approximate": ["nodes"]}))
    real, asked = EdgeVectors.search, []

    def few(*given: Any, exact: bool, **more: Any) -> Any:
        asked.append(exact)
        found = real(*given, exact=True, **more)
        return found if exact else [(ids[:3], distances[:3]) for ids, distances in found]

    monkeypatch.setattr(EdgeVectors, "search", few)
    with Index.open(folder, embedder=DigestEmbedder()) as index:
        ((points, _),) = index.search("nodes", np.array([[0.6, 0.8, 0.0]], np.float32), 100)
    assert (asked, len(points)) == ([False, True], 40)


@pytest.mark.parametrize(
    "change",
    [
        {"generation": 7},
        {"generation": "../g1"},
        {"counts": [1]},
        {"counts": {"nodes": "many"}},
        {"approximate": None},
        {"approximate": 3},
        {"dimension": "3"},
        {"files": {"names.db": 3}},
        {"state": None},
    ],
)
def test_a_malformed_manifest_is_told_in_words(
    sound: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    folder = tmp_path / "index"
    shutil.copytree(sound, folder, copy_function=_copy_sparse)
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(VectorIndexError, match="`isomatch index`"):
        Index.open(folder, embedder=DigestEmbedder())
    build(folder, NAMES)
    assert content(folder) == content(sound)


def test_what_the_engine_writes_for_a_moment_is_not_copied(sound: Path, tmp_path: Path) -> None:
    """A process that opens the index makes such files, and a copy met them and failed."""
    home = tmp_path / "index"
    shutil.copytree(sound, home)
    generation = json.loads((home / "manifest.json").read_text())["generation"]
    fleeting = home / generation / "vectors" / "nodes" / ".atomicwriteAbCdEf"
    fleeting.symlink_to(tmp_path / "gone")  # listed, but cannot be read
    EdgeHome(home).copy(generation, tmp_path / "copy")
    assert not any((tmp_path / "copy").rglob(".atomicwrite*"))
