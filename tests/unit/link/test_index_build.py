"""Building and syncing an index: what is in it, and that kills do no harm."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.shared import examples
from tests.unit.link import victim
from tests.unit.link.tiny_index import DigestEmbedder, Name, build, content, schema_of

from isomatch.errors import VectorIndexError
from isomatch.link.build import PARTITION, Origin, build_index
from isomatch.link.edge import EdgeVectors
from isomatch.link.index import Index
from isomatch.link.qdrant import QdrantHome

YEAR = '"1995"^^<http://www.w3.org/2001/XMLSchema#gYear>'
NAMES = [
    Name("urn:heat", "Heat"),
    Name("urn:heat2", "Heat"),
    Name("urn:heat", "Heat (film)"),
    Name('"Heat"', "Heat", "text"),
    Name("urn:mann", "Michael Mann"),
    Name(YEAR, "1995", "date"),
    Name('"12"^^<http://www.w3.org/2001/XMLSchema#integer>', "12", "number"),
    Name("urn:blank", "  "),
]


def test_what_is_in_an_index(tmp_path: Path) -> None:
    embedder = DigestEmbedder()
    report = build(tmp_path, NAMES, schema_of(types=[("urn:film", "film")]), embedder)
    assert report.texts == {"nodes": 3, "relations": 1, "types": 1}
    assert (report.entries, report.literals, report.embedded) == (7, 2, 5)
    assert (report.values, report.identifiers) == ({"number": 1, "date": 1}, 0)
    assert sorted(embedder.embedded) == [
        *("Heat", "Heat (film)", "Michael Mann", "directed by", "film")
    ]
    with Index.open(tmp_path, embedder=embedder, fingerprint="f1") as index:
        assert list(index.all_names()) == [
            ("Heat", '"Heat"'),
            ("Heat", "urn:heat"),
            ("Heat", "urn:heat2"),
            ("Heat (film)", "urn:heat"),
            ("Michael Mann", "urn:mann"),
        ]
        assert index.name_of(["urn:heat", "urn:mann", "urn:none"]) == {
            "urn:heat": "Heat",
            "urn:mann": "Michael Mann",
        }
        assert [t.text for t in index.by_name("nodes", "MICHAEL_MANN")] == ["Michael Mann"]
        assert index.by_name("relations", "MICHAEL_MANN") == []
        assert index.values("1995") == {YEAR: "1995"}
        assert list(index.values("12.0")) == ['"12"^^<http://www.w3.org/2001/XMLSchema#integer>']
        assert not index.approximate("nodes")


@pytest.mark.parametrize("equal", [True, False])
def test_equal_numbers_are_one_value_where_the_database_has_them_so(
    tmp_path: Path, equal: bool
) -> None:
    xsd = "http://www.w3.org/2001/XMLSchema#"
    whole, real = f'"7"^^<{xsd}integer>', f'"7.0"^^<{xsd}double>'
    exact, near = f'"{2**53 + 1}"^^<{xsd}integer>', f'"{float(2**53)!r}"^^<{xsd}double>'
    embedder = DigestEmbedder()
    for found in ([real, exact, whole, near], [near, real, exact]):
        names = [[Name(id, id, "number")] for id in found]
        origin = Origin("f1", equal_numbers=equal)
        build_index(tmp_path, names, schema_of(), embedder, origin=origin, sync=True)
        with Index.open(tmp_path, embedder=embedder, fingerprint="f1") as index:
            values = [id for id in found if id in (whole, real)]
            assert list(index.values("7")) == (sorted(values)[:1] if equal else sorted(values))
            assert {*index.values(str(2**53 + 1)), *index.values(str(2**53))} == {exact, near}


def test_literals_of_one_value_are_one(tmp_path: Path) -> None:
    xsd = "http://www.w3.org/2001/XMLSchema#"
    kinds = {
        "date": ("gYear", "date", "dateTime", "gYearMonth"),
        "number": ("integer", "decimal", "double"),
        "boolean": ("boolean",),
    }
    literals = [
        ("1995", "gYear"), ("1995-07-01", "date"), ("1995-07-01Z", "date"),
        ("1995-07", "gYearMonth"),
        ("1995-07-01T10:00:00", "dateTime"), ("1996-01-01", "date"), ("19950", "gYear"),
        ("1995", "integer"), ("1995.0", "decimal"), ("1.995E3", "double"), ("NaN", "double"),
        ("9007199254740993", "integer"), ("9007199254740992", "integer"), ("true", "boolean"),
        ("1", "boolean"),
    ]  # fmt: skip
    kind_of = {t: kind for kind, types in kinds.items() for t in types}
    names = [Name(f'"{v}"^^<{xsd}{t}>', v, kind_of[t]) for v, t in literals]
    build(tmp_path, names)

    with Index.open(tmp_path, embedder=DigestEmbedder()) as index:

        def found(text: str) -> set[str]:
            return {k.replace(f"^^<{xsd}", " ").strip(">") for k in index.values(text)}

        july = {'"1995-07-01" date', '"1995-07-01Z" date', '"1995-07-01T10:00:00" dateTime'}
        numbers = {'"1995" integer', '"1995.0" decimal', '"1.995E3" double'}
        assert found("1995") == july | numbers | {'"1995" gYear', '"1995-07" gYearMonth'}
        assert found("1,995") == numbers
        assert found("July 1995") == july | {'"1995-07" gYearMonth'}
        assert found("1995-07-01") == july
        assert found("9007199254740993") == {'"9007199254740993" integer'}
        assert found("TRUE") == {'"true" boolean', '"1" boolean'}
        assert found("NaN") == found("Heat") == found("") == set()
        assert list(index.values("1995", limit=2)) == sorted(index.values("1995"))[:2]


AWKWARD = [
    '"',
    "\\",
    "a\nb",
    "שלום",
    "🎬",
    "x" * 100_000,
    "'; DROP TABLE texts; --",
    "\x00",
    "[x]{y}",
]


def test_awkward_names_are_data(tmp_path: Path) -> None:
    names = [Name(f"urn:{number}", text) for number, text in enumerate(AWKWARD)]
    build(tmp_path, names)
    with Index.open(tmp_path, embedder=DigestEmbedder()) as index:
        assert [text for text, _ in index.all_names()] == AWKWARD
        for name in names:
            found = index.by_name("nodes", name.text)
            assert index.keys(found, 1) == {found[0].point: [name.id]}
        assert set(index.vectors_of(AWKWARD)) == set(AWKWARD)


GRAPHS = st.lists(
    st.builds(
        Name,
        st.sampled_from([f"urn:{n}" for n in range(6)]),
        st.sampled_from(["Heat", "heat", "Ali", "Alï", "Collateral", "12"]),
        st.sampled_from(["node", "node", "text", "number"]),
        st.integers(0, 9),
    ),
    max_size=12,
)


@pytest.mark.parametrize("server", [False, True])
@settings(
    max_examples=examples(10),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(first=GRAPHS, second=GRAPHS, third=GRAPHS)
def test_sync_equals_a_rebuild(
    server: bool, first: list[Name], second: list[Name], third: list[Name]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        synced = Path(folder) / "synced"
        rebuilt = Path(folder) / "rebuilt"
        home = _memory_home() if server else None
        for names in (first, second, third):
            build(synced, names, sync=True, vectors=home)
        build(rebuilt, third)
        assert content(synced, vectors=home) == content(rebuilt)


def _memory_home() -> QdrantHome:
    return QdrantHome(client=pytest.importorskip("qdrant_client").QdrantClient(":memory:"))


def test_sync_does_only_what_changed(tmp_path: Path) -> None:
    names = [Name(f"urn:{n}", f"name {n}") for n in range(50)]
    build(tmp_path, names)
    changed = [*names[5:], Name("urn:0", "name 0, renamed"), Name("urn:new", "name 7")]
    embedder = DigestEmbedder()
    report = build(tmp_path, changed, schema_of(fingerprint="f2"), embedder, sync=True)
    assert embedder.embedded == ["name 0, renamed"]
    assert (report.embedded, report.deleted, report.texts["nodes"]) == (1, 5, 46)
    with Index.open(tmp_path, embedder=embedder, fingerprint="f2") as index:
        assert index.keys(index.by_name("nodes", "name 7"), 9).popitem()[1] == ["urn:7", "urn:new"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["build.lock", "g2", "manifest.json"]


def test_an_open_index_goes_on_while_another_replaces_it(tmp_path: Path) -> None:
    build(tmp_path, NAMES)
    embedder = DigestEmbedder()
    with Index.open(tmp_path, embedder=embedder) as index:
        before = list(index.all_names())
        build(tmp_path, [Name("urn:new", "New")], sync=True)
        build(tmp_path, [Name("urn:newer", "Newer")])
        assert list(index.all_names()) == before
        assert index.search("types", embedder.embed(["x"]), 3)[0][0].size == 0
        hits = index.search("nodes", embedder.embed(["Michael Mann"]), 1)
        assert index.texts(hits[0][0].tolist()).popitem()[1].text == "Michael Mann"


def test_progress_counts_texts(tmp_path: Path) -> None:
    calls: list[tuple[int, int | None, float]] = []
    names = [Name(f"urn:{n}", f"name {n % 600}") for n in range(1200)]
    build(tmp_path, names, progress=lambda *call: calls.append(call))
    assert calls[-1][:2] == (601, 601)
    assert [done for done, _, _ in calls] == sorted({done for done, _, _ in calls})
    assert all(rate > 0 for _, _, rate in calls)


@pytest.mark.parametrize("server", [False, True])
def test_large_collections_are_approximate_on_a_server_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: bool
) -> None:
    home = _memory_home() if server else None
    monkeypatch.setattr("isomatch.link.build.APPROXIMATE_FROM", 300)
    embedder = DigestEmbedder(dimension=64)
    names = [Name(f"urn:{n}", f"name {n}") for n in range(300)]
    report = build(tmp_path, names, embedder=embedder, vectors=home)
    assert report.approximate == (("nodes",) if server else ())
    with Index.open(tmp_path, embedder=embedder, vectors=home) as index:
        assert index.approximate("nodes") is server
        assert not index.approximate("relations")
        ((points, distances),) = index.search("nodes", embedder.embed(["name 9"]), 3)
        assert distances[0] < 1e-4
        assert points.size == 3


@pytest.mark.parametrize(("texts", "scanned"), [(299, False), (300, True)])
def test_the_engine_scans_what_takes_a_scan_of_ours_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts: int, scanned: bool
) -> None:
    monkeypatch.setattr(EdgeVectors, "scans_from", 300)
    embedder = DigestEmbedder(dimension=64)
    names = [Name(f"urn:{n}", f"name {n}") for n in range(texts)]
    assert build(tmp_path, names, embedder=embedder).approximate == ()
    with Index.open(tmp_path, embedder=embedder) as index:
        assert any("/scans/nodes/" in file for file in index.manifest.files) is scanned
        ((points, distances),) = index.search("nodes", embedder.embed(["name 9"]), texts)
        assert (points.size, distances[0] < 1e-4) == (texts, True)


MANY = [Name(f"urn:{n}", f"name {n}") for n in range(5000)]


def test_a_stopped_build_goes_on(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="stopped here"):
        build(tmp_path, MANY, embedder=DigestEmbedder(fail_after=4500), page=1000)
    with pytest.raises(VectorIndexError, match="half-written"):
        Index.open(tmp_path, embedder=DigestEmbedder())
    embedder = DigestEmbedder()
    report = build(tmp_path, MANY, embedder=embedder, page=1000)
    assert report.resumed
    assert report.embedded == len(embedder.embedded) == 5001 - PARTITION
    build(tmp_path / "clean", MANY, page=1000)
    assert content(tmp_path) == content(tmp_path / "clean")


def test_equal_texts_are_joined_after_names_were_read_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isomatch.link.reading.TOGETHER", 1)
    pages = [
        [Name(f"urn:{page}/{i}", f"name {i // 2}") for i in range(6)]
        + [Name("urn:again", "name 0", place=1), Name("urn:value", "name 1", "text")]
        for page in range(4)
    ]

    def stopping() -> Iterator[list[Name]]:
        yield from pages[:3]
        raise RuntimeError("stopped here")

    with pytest.raises(RuntimeError, match="stopped here"):
        build_index(tmp_path / "a", stopping(), schema_of(), DigestEmbedder())
    report = build_index(tmp_path / "a", pages, schema_of(), DigestEmbedder())
    whole = build_index(tmp_path / "b", pages, schema_of(), DigestEmbedder())
    assert report.resumed
    assert report.texts == whole.texts == {"nodes": 3, "relations": 1, "types": 0}
    assert report.entries == whole.entries == 4 * 6 + 2 + 1
    assert content(tmp_path / "a") == content(tmp_path / "b")
    assert len(content(tmp_path / "b")["names"]["nodes"]) == 4 * 6 + 2


def test_equal_texts_are_one_where_the_graph_was_empty_before(tmp_path: Path) -> None:
    schema = schema_of(())
    build(tmp_path / "a", [], schema)
    names = [Name(f"urn:{i}", f"name {i % 3}") for i in range(9)]
    build(tmp_path / "a", names, schema, page=2, sync=True)
    build(tmp_path / "b", names, schema, page=2)
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_a_stopped_sync_on_a_server_goes_on(tmp_path: Path) -> None:
    home = _memory_home()
    build(tmp_path, MANY[:3000], page=1000, vectors=home)
    before = content_without_count(tmp_path, home)
    with pytest.raises(RuntimeError, match="stopped here"):
        build(
            tmp_path, MANY[500:], embedder=DigestEmbedder(fail_after=900), page=1000, vectors=home,
            sync=True,
        )  # fmt: skip
    assert content_without_count(tmp_path, home) == before, "what was added is not seen yet"
    assert build(tmp_path, MANY[500:], page=1000, vectors=home, sync=True).resumed
    build(tmp_path / "clean", MANY[500:], page=1000)
    assert content(tmp_path, vectors=home) == content(tmp_path / "clean")


def content_without_count(folder: Path, home: QdrantHome) -> list[str]:
    embedder = DigestEmbedder()
    with Index.open(folder, embedder=embedder, vectors=home) as index:
        ((points, _),) = index.search("nodes", np.zeros((1, 3), np.float32), 10_000)
        return sorted(t.text for t in index.texts(points.tolist()).values())


def test_another_embedder_does_not_resume(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        build(tmp_path, MANY, embedder=DigestEmbedder(fail_after=4500), page=1000)
    other = DigestEmbedder(name="digest@2")
    assert not build(tmp_path, MANY, embedder=other, page=1000).resumed
    assert len(other.embedded) == 5001


def test_one_build_at_a_time(tmp_path: Path) -> None:
    def pages() -> object:
        build(tmp_path, NAMES)
        yield NAMES

    from isomatch.link.build import build_index

    with pytest.raises(VectorIndexError) as caught:
        build_index(tmp_path, pages(), schema_of(), DigestEmbedder())  # type: ignore[arg-type]
    assert str(caught.value) == (
        f"another process is indexing in {tmp_path}: wait until it has finished. "
        "The index in force can be searched meanwhile"
    )


NEVER = ("never", 0)
# In the order in which a build comes by; every run goes on where the one before was killed.
MOMENTS = {
    "sync": [
        *(("copied", 1), ("read", 1), ("delete", 1), ("flushed", 1), ("upsert", 1)),
        *(("flush", 2), ("flushed", 2), ("flush", 3), ("drop", 1)),
    ],
    "anew": [("read", 4), ("upsert", 6), ("flush", 2), ("flushed", 2), ("upsert", 1), ("drop", 1)],
}


@pytest.mark.slow
@pytest.mark.parametrize("how", ["sync", "anew"])
def test_sigkill_anywhere_loses_nothing(tmp_path: Path, how: str) -> None:
    folder, clean = tmp_path / "index", tmp_path / "clean"
    last = 3500 if how == "sync" else 6500  # anew: more than one partition
    build(folder, MANY[:1000], page=500)
    before = content(folder)
    for moment in MOMENTS[how]:
        assert victim.run(folder, moment, 300, last, how) == -signal.SIGKILL, moment
        if moment[0] != "drop":
            assert content(folder) == before, f"the old index does not answer after {moment}"
    assert victim.run(folder, NEVER, 300, last, how) == 0
    build(clean, [Name(f"urn:{n}", f"name {n}") for n in range(300, last)], page=500)
    assert content(folder) == content(clean)
    generations = [p.name for p in folder.iterdir() if p.is_dir()]
    assert generations == [json.loads((folder / "manifest.json").read_text())["generation"]]


def test_a_full_disk_leaves_the_old_index(tmp_path: Path) -> None:
    build(tmp_path, MANY[:100])
    before = content(tmp_path)
    with pytest.raises(VectorIndexError, match=r"cannot be (used|written)"):
        victim.run(tmp_path, (victim.DISK_FULL, 200_000), 0, 5000, "sync")
    assert content(tmp_path) == before
    assert victim.run(tmp_path, NEVER, 0, 5000, "sync") == 0
    assert len(content(tmp_path)["names"]["nodes"]) == 5000


def test_a_disk_without_room_is_told_before_the_engine_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = shutil.disk_usage(tmp_path)._replace(free=(4 << 20) + 20_000)
    with monkeypatch.context() as patched:
        patched.setattr("shutil.disk_usage", lambda _: free)
        patched.setattr("isomatch.link.edge.EdgeVectors.upsert", None)
        with pytest.raises(VectorIndexError, match=r"cannot be written: some \d+ MB are needed"):
            build(tmp_path, MANY)
    assert build(tmp_path, MANY).resumed


def test_a_folder_that_cannot_be_written_is_not_taken_for_a_running_build(tmp_path: Path) -> None:
    (tmp_path / "build.lock").mkdir()
    with pytest.raises(VectorIndexError, match=r"cannot be written: .*build\.lock"):
        build(tmp_path, NAMES)


def test_files_that_may_only_be_read_are_searched_in_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path / "index", NAMES)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "copies"))
    (tmp_path / "copies").mkdir()
    before = content(tmp_path / "index")
    monkeypatch.setattr("os.access", lambda *_: False)
    with Index.open(tmp_path / "index", embedder=DigestEmbedder()) as index:
        assert len(list((tmp_path / "copies").iterdir())) == 1
        assert index.count("nodes") == 3
    assert list((tmp_path / "copies").iterdir()) == []
    assert content(tmp_path / "index") == before


def test_a_sync_leaves_the_nodes_out_or_brings_them(tmp_path: Path) -> None:
    """As an index without nodes wants it, for which names are read without them."""
    values = [Name('"Heat"', "Heat", "text"), Name(YEAR, "1995", "number")]
    names = [Name("urn:heat", "Heat"), Name("urn:mann", "Mann"), *values]
    whole = build(tmp_path, names)
    assert whole.texts["nodes"] == 2
    for sync in (True, False):
        report = build(tmp_path, values, without_nodes=True, sync=sync)
        assert (report.texts["nodes"], report.entries, report.literals) == (1, 2, 1)
    assert build(tmp_path, names, sync=True).texts == whole.texts


def test_an_index_of_an_earlier_format_is_built_anew(tmp_path: Path) -> None:
    build(tmp_path, NAMES)
    expected = content(tmp_path)
    manifest = tmp_path / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"format": 4', '"format": 1'))
    with closing(sqlite3.connect(next(tmp_path.glob("g*/names.db")))) as file, file:
        file.execute("DELETE FROM meta WHERE key = 'format'")
        file.execute("CREATE TABLE earlier (point, key, seen, PRIMARY KEY (point, key))")
        file.execute("INSERT INTO earlier SELECT point, key, seen FROM entries")
        file.execute("DROP TABLE entries")
        file.execute("ALTER TABLE earlier RENAME TO entries")
    with pytest.raises(VectorIndexError, match="run `isomatch index` to rebuild it"):
        content(tmp_path)
    build(tmp_path, NAMES)
    assert content(tmp_path) == expected


def test_ctrl_c_in_a_function_of_the_names_file_stops_the_build_as_ctrl_c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def day_of(_: str) -> None:
        raise KeyboardInterrupt

    build(tmp_path, NAMES, schema_of())
    monkeypatch.setattr("isomatch.link.build.day_of", day_of)
    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, [*NAMES, Name("urn:new", "new")], schema_of(), sync=True)
