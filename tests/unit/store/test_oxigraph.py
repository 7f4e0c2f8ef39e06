"""The embedded store: rows of ids, parameters, orientation, opening and closing."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isomatch.errors import QueryTimeout, StoreError
from isomatch.store.base import Fact, MatchedTriple, Query
from isomatch.store.load import load
from isomatch.store.oxigraph import MANIFEST, OxigraphStore
from isomatch.store.terms import XSD, literal

N = ox.NamedNode
TRICKY = [
    'a "quoted" name',
    "back\\slash",
    "new\nline\r\ttab",
    "\x08\x0c\x7f control",
    "שלום عالم",
    "🎬 film",
    "} UNION { ?s ?p ?o",
    "x" * 100_000,
]


def store_of(turtle: str) -> OxigraphStore:
    graph = ox.Store()
    graph.load(turtle.encode(), ox.RdfFormat.TRIG)
    return OxigraphStore.memory(graph)


def rows(store: OxigraphStore, text: str, *columns: str, **parameters: str) -> list[object]:
    return list(store.run(Query(text, columns, parameters, "test")))


def test_rows_are_ids_in_the_forms_of_the_contract() -> None:
    store = store_of(
        '<http://e/a> <http://e/p> <http://e/b>, "x", "x"@en, 5, "1999"^^'
        "<http://www.w3.org/2001/XMLSchema#gYear>, true ."
    )
    found = {row[0] for row in rows(store, "SELECT ?o { ?s ?p ?o }", "o")}
    assert found == {
        "http://e/b",
        '"x"',
        '"x"@en',
        f'"5"^^<{XSD}integer>',
        f'"1999"^^<{XSD}gYear>',
        f'"true"^^<{XSD}boolean>',
    }


def test_columns_come_in_the_order_of_the_query_and_unbound_is_none() -> None:
    store = store_of("<http://e/a> <http://e/p> <http://e/b> .")
    text = "SELECT ?s ?x ?o { ?s ?p ?o OPTIONAL { ?o ?p ?x } }"
    assert rows(store, text, "o", "x", "s") == [("http://e/b", None, "http://e/a")]


def test_computed_numbers_are_lexical_and_stored_ones_are_ids() -> None:
    store = store_of("<http://e/a> <http://e/p> 5 .")
    assert rows(store, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", "n") == [("1",)]
    assert rows(store, "SELECT ?i { { SELECT (3 AS ?i) {} } }", "i") == [("3",)]
    assert rows(store, "SELECT ?o { ?s ?p ?o }", "o") == [(f'"5"^^<{XSD}integer>',)]


def test_ask_gives_one_row() -> None:
    store = store_of("<http://e/a> <http://e/p> <http://e/b> .")
    assert rows(store, "ASK { ?s ?p ?o }") == [("true",)]
    assert rows(store, "ASK { ?s ?s ?s }") == [("false",)]


def test_a_blank_node_can_be_a_parameter() -> None:
    store = store_of('_:x <http://e/p> "x" . _:y <http://e/p> "y" .')
    found = dict(rows(store, "SELECT ?o ?s { ?s ?p ?o }", "o", "s"))  # type: ignore[arg-type]
    text = "SELECT ?s ?o { ?s ?p ?o }"
    assert rows(store, text, "o", s=found['"y"']) == [('"y"',)]


@pytest.mark.parametrize("name", TRICKY, ids=lambda n: repr(n[:12]))
def test_tricky_names_are_data_all_the_way(name: str) -> None:
    graph = ox.Store()
    graph.add(ox.Quad(N("http://e/a"), N("http://e/p"), ox.Literal(name)))
    graph.add(ox.Quad(N("http://e/b"), N("http://e/p"), ox.Literal("other")))
    store, id = OxigraphStore.memory(graph), literal(name)
    text = "SELECT ?s ?o { ?s <http://e/p> ?o }"
    assert rows(store, text, "s", "o", o=id) == [("http://e/a", id)]
    assert store.facts([("http://e/a", "http://e/p", id)]) == [(Fact(True),)]


@given(st.text(st.characters(exclude_categories=["Cs"])))
@settings(deadline=None)
def test_any_text_round_trips_as_a_parameter(text: str) -> None:
    graph = ox.Store()
    graph.add(ox.Quad(N("http://e/a"), N("http://e/p"), ox.Literal(text)))
    store = OxigraphStore.memory(graph)
    assert rows(store, "SELECT ?s ?o { ?s ?p ?o }", "o", o=literal(text)) == [(literal(text),)]


def test_facts_agree_with_the_query_of_the_dialect() -> None:
    store = store_of(
        '<http://e/a> <http://e/p> <http://e/b>, "x" . '
        "<http://e/a> <http://e/p> <http://e/a>, <http://e/c> . "
        "<http://e/g> { <http://e/c> <http://e/p> <http://e/a> }"
    )
    asked: list[MatchedTriple] = [
        ("http://e/a", "http://e/p", "http://e/b"),
        ("http://e/b", "http://e/p", "http://e/a"),
        ("http://e/a", "http://e/p", '"x"'),
        ('"x"', "http://e/p", "http://e/a"),
        ("http://e/c", "http://e/p", "http://e/a"),
        ("http://e/a", "http://e/p", "http://e/a"),
        ("http://e/a", "http://e/q", "http://e/b"),
    ]
    there, back = Fact(True), Fact(False)
    expected = [(there,), (back,), (there,), (back,), (there, back), (there,), ()]
    assert store.facts(asked) == expected
    assert super(OxigraphStore, store).facts(asked) == expected


def test_queries_see_named_graphs() -> None:
    store = store_of("<http://e/g> { <http://e/a> <http://e/p> <http://e/b> }")
    assert rows(store, "SELECT ?s { ?s ?p ?o }", "s") == [("http://e/a",)]


def test_a_query_that_the_engine_refuses_is_a_store_error_with_its_words() -> None:
    store = store_of("")
    with pytest.raises(StoreError, match="expected") as caught:
        rows(store, "SELECT {", "s")
    assert isinstance(caught.value.__cause__, SyntaxError)
    with pytest.raises(StoreError, match="projection"):
        rows(store, "SELECT ?o { ?s ?p ?o }", "o", s="http://e/a")
    with pytest.raises(StoreError, match="IRI"):
        rows(store, "SELECT ?s { ?s ?p ?o }", "s", s="no iri")
    with pytest.raises(StoreError, match=r"does not select the column \?x"):
        rows(store, "SELECT ?s { ?s ?p ?o }", "x")
    with pytest.raises(StoreError, match="use SELECT or ASK"):
        rows(store, "CONSTRUCT WHERE { ?s ?p ?o }", "s")


def test_time_runs_out_between_rows() -> None:
    store = store_of("<http://e/a> <http://e/p> 1, 2, 3 .")
    query = Query("SELECT ?o { ?s ?p ?o }", ("o",), name="slow")
    assert len(list(store.run(query, timeout=60))) == 3
    with pytest.raises(QueryTimeout, match="slow"):
        list(store.run(query, timeout=0))


def test_a_memory_store_changes_its_fingerprint_when_a_triple_replaces_another() -> None:
    graph = ox.Store()
    old, new = (ox.Quad(N(f"urn:{i}"), N("urn:p"), N("urn:heat")) for i in range(2))
    graph.add(old)
    store = OxigraphStore.memory(graph)
    before = store.fingerprint()
    graph.remove(old)
    graph.add(new)
    assert store.fingerprint() != before


class Counted:
    """An engine's store that counts how often it is written out."""

    def __init__(self) -> None:
        self.graph = ox.Store()
        self.dumps = 0

    def dump(self, **options: Any) -> bytes | None:
        self.dumps += 1
        return self.graph.dump(**options)

    def __len__(self) -> int:
        return len(self.graph)

    def __contains__(self, quad: object) -> bool:
        return quad in self.graph

    def __iter__(self) -> Iterator[ox.Quad]:
        return iter(self.graph)


@given(changes=st.lists(st.tuples(st.booleans(), st.integers(0, 3), st.integers(0, 1))))
def test_the_state_of_a_memory_store_is_its_triples_and_is_read_again_after_a_change_alone(
    changes: list[tuple[bool, int, int]],
) -> None:
    counted = Counted()
    store, seen = OxigraphStore(counted, union=True), {}  # type: ignore[arg-type]
    for added, number, graph in changes:
        quad = ox.Quad(
            ox.NamedNode(f"urn:{number}"),
            ox.NamedNode("urn:p"),
            ox.BlankNode("b") if number % 2 else ox.Literal("1"),
            ox.NamedNode("urn:g") if graph else ox.DefaultGraph(),
        )
        (counted.graph.add if added else counted.graph.remove)(quad)
        state, content = store.state(), frozenset(counted.graph)
        assert seen.setdefault(content, state) == state
        dumps = counted.dumps
        assert store.state() == state
        assert counted.dumps == dumps or not content
    assert len(set(seen.values())) == len(seen)


def test_a_memory_store_changes_its_fingerprint_and_can_be_extended() -> None:
    store = OxigraphStore.memory()
    before = store.fingerprint()
    store.extend([ox.Quad(N("http://e/a"), N("http://e/p"), N("http://e/b"), N("http://e/g"))])
    assert store.fingerprint() != before
    assert rows(store, "ASK { <http://e/a> ?p ?o }") == [("true",)]
    assert store.describe().triples == 1
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        rows(store, "ASK { ?s ?p ?o }")


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    file = tmp_path / "one.nt"
    file.write_text("<http://e/a> <http://e/p> <http://e/b> .\n")
    load([file], tmp_path / "graph")
    return tmp_path / "graph"


def test_many_readers_open_one_graph(graph: Path) -> None:
    with OxigraphStore.open(graph) as one, OxigraphStore.open(graph) as two:
        assert one.fingerprint() == two.fingerprint()
        assert rows(two, "ASK { ?s ?p ?o }") == [("true",)]  # type: ignore[arg-type]
        info = one.describe()
        assert (info.triples, info.location, info.read_only) == (1, str(graph), True)


def test_a_copy_in_memory_is_the_same_graph(graph: Path) -> None:
    disk, memory = OxigraphStore.open(graph), OxigraphStore.open(graph, memory=True)
    text = "SELECT ?s ?p ?o { ?s ?p ?o }"
    assert rows(disk, text, "s", "p", "o") == rows(memory, text, "s", "p", "o")
    assert disk.fingerprint() == memory.fingerprint()
    with pytest.raises(StoreError, match="read-only"):
        disk.extend([])


def test_what_is_no_graph_is_refused_with_the_command(graph: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    file = tmp_path / "one.nt"
    cases = {
        tmp_path / "none": "there is no graph",
        empty: "is not a graph",
        file: "is a file",
    }
    for path, words in cases.items():
        with pytest.raises(StoreError, match=words) as caught:
            OxigraphStore.open(path)
        assert str(path) in str(caught.value)
        assert "isomatch load" in str(caught.value)


def test_damage_is_named_with_the_command_that_mends_it(graph: Path) -> None:
    manifest = (graph / MANIFEST).read_text()
    (graph / MANIFEST).write_text(manifest.replace('"format": 1', '"format": 99'))
    with pytest.raises(StoreError, match="format 99, this isomatch reads format 1"):
        OxigraphStore.open(graph)
    (graph / MANIFEST).write_text(manifest[:20])
    with pytest.raises(StoreError, match=r"damaged.*isomatch load FILES --home .* --replace"):
        OxigraphStore.open(graph)
    (graph / MANIFEST).write_text(manifest)
    (generation,) = (p for p in graph.iterdir() if p.is_dir())
    for table in generation.glob("*.sst"):
        table.write_bytes(b"not a table")
    with pytest.raises(StoreError, match=r"cannot be opened.*--replace"):
        OxigraphStore.open(graph)
    (generation / "CURRENT").unlink()
    with pytest.raises(StoreError, match=r"lost its data.*--replace"):
        OxigraphStore.open(graph)


def test_a_foreign_folder_is_read_in_place(tmp_path: Path) -> None:
    made = ox.Store(str(tmp_path / "own"))
    made.add(ox.Quad(N("http://e/a"), N("http://e/p"), N("http://e/b"), N("http://e/g")))
    made.flush()
    del made
    with OxigraphStore.open(tmp_path / "own") as store:
        first = store.fingerprint()
        assert rows(store, "ASK { ?s ?p ?o }") == [("true",)]  # type: ignore[arg-type]
    with OxigraphStore.open(tmp_path / "own") as store:
        assert store.fingerprint() == first


def test_a_folder_that_another_process_writes_is_refused(tmp_path: Path) -> None:
    script = (
        "import pyoxigraph, sys; s = pyoxigraph.Store(sys.argv[1]); print(1, flush=True); input()"
    )
    writer = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "own")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert writer.stdout is not None
    writer.stdout.readline()
    try:
        with pytest.raises(StoreError, match="another process is writing"):
            OxigraphStore.open(tmp_path / "own")
    finally:
        writer.communicate(b"\n", timeout=60)
    OxigraphStore.open(tmp_path / "own").close()


def test_the_thread_of_a_query_that_is_late_ends() -> None:
    store = store_of("".join(f"<http://e/{n}> <http://e/p> {n} .\n" for n in range(400)))
    text = "SELECT ?a { ?a ?p ?x . ?b ?p ?y . ?c ?p ?z }"  # 64 million rows
    with pytest.raises(QueryTimeout):
        list(store.run(Query(text, ("a",), name="late", heavy=True), timeout=0.2))
    for thread in threading.enumerate():
        if thread.name == "isomatch late":
            thread.join(10)
            assert not thread.is_alive()
