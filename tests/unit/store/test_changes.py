"""What loads keep of a change: all that has changed, or nothing."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shared import examples

from isomatch.store import changes
from isomatch.store.base import Changes
from isomatch.store.load import load
from isomatch.store.oxigraph import OxigraphStore

QUOTED = '" '
TRIPLES = st.sets(
    st.tuples(st.sampled_from("abc"), st.sampled_from("pq"), st.sampled_from(["a", "b", '"xy"'])),
    min_size=1,
    max_size=8,
)


def written(folder: Path, triples: set[tuple[str, str, str]], form: str) -> Path:
    """A file of these triples."""
    if form == "table":
        path = folder / "facts.txt"
        base = "".join(
            f"<http://e/{s}>|<http://e/{p}>|<http://e/{o.strip(QUOTED)}>\n" for s, p, o in triples
        )
        path.write_text(base, encoding="utf-8")
        return path
    path = folder / "facts.nt"
    terms = [(f"<http://e/{s}>", f"<http://e/{p}>", o) for s, p, o in triples]
    lines = (f"{s} {p} {o if o[0] == chr(34) else f'<http://e/{o}>'} .\n" for s, p, o in terms)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def triples_of(path: Path) -> set[tuple[str | None, ...]]:
    with OxigraphStore.open(path) as store:
        quads = list(store.graph)
    cell = changes.term_cell
    return {(cell(q.subject), cell(q.predicate), cell(q.object)) for q in quads}


def nodes_since(store: OxigraphStore, state: str) -> set[str]:
    changes = store.changes_since(state)
    assert changes is not None
    return changes.nodes


def test_nothing_is_kept_of_the_first_load(tmp_path: Path) -> None:
    load([written(tmp_path, {("a", "p", "b")}, "nt")], tmp_path / "graph")
    with OxigraphStore.open(tmp_path / "graph") as store:
        assert store.changes_since(store.fingerprint()) == Changes()
        assert store.changes_since("") is None


@settings(max_examples=examples(20), deadline=None)
@given(
    st.lists(
        st.tuples(TRIPLES, st.sampled_from(["table", "nt"]), st.booleans()), min_size=2, max_size=4
    )
)
def test_all_that_has_changed_is_known(
    loads: list[tuple[set[tuple[str, str, str]], str, bool]],
) -> None:
    with TemporaryDirectory() as folder:
        graph, states = Path(folder) / "graph", {}
        for triples, form, replace in loads:
            load([written(Path(folder), triples, form)], graph, replace=replace)
            with OxigraphStore.open(graph) as store:
                states.setdefault(store.fingerprint(), triples_of(graph))
        with OxigraphStore.open(graph) as store:
            found = {state: store.changes_since(state) for state in states}
        names = list(states)
        for place, (state, changes) in enumerate(found.items()):
            assert changes is not None
            steps = list(pairwise([states[name] for name in names[place:]]))
            assert sorted(changes.new) == sorted(t for one, other in steps for t in other - one)
            assert sorted(changes.gone) == sorted(t for one, other in steps for t in one - other)
            triples = (*changes.new, *changes.gone)
            assert changes.nodes == {end for s, _, o in triples for end in (s, o)}, state


def test_of_a_load_that_changed_much_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isomatch.store.changes.MOST", 2)
    few = {("a", "p", "b"), ("b", "p", "c")}
    graph = tmp_path / "graph"
    load([written(tmp_path, few, "nt")], graph)
    with OxigraphStore.open(graph) as store:
        first = store.fingerprint()
    load([written(tmp_path, {("c", "p", "a")}, "nt")], graph)
    with OxigraphStore.open(graph) as store:
        second = store.fingerprint()
        assert nodes_since(store, first) == {"http://e/c", "http://e/a"}
    load([written(tmp_path, {("c", "p", "a")}, "nt")], graph, replace=True)
    with OxigraphStore.open(graph) as store:
        assert nodes_since(store, second) == {f"http://e/{n}" for n in "abc"}
        assert store.changes_since(first) is None, "together they are too many"
    load([written(tmp_path, few | {("a", "q", "c")}, "nt")], graph, replace=True)
    with OxigraphStore.open(graph) as store:
        assert store.changes_since(second) is None
    assert not list(graph.glob(f"*/{changes.FILE}"))


@pytest.mark.parametrize("content", ["", "{}", '[{"since": 1}]', "[1]"])
def test_a_damaged_file_tells_nothing(tmp_path: Path, content: str) -> None:
    graph = tmp_path / "graph"
    load([written(tmp_path, {("a", "p", "b")}, "nt")], graph)
    with OxigraphStore.open(graph) as store:
        first = store.fingerprint()
    load([written(tmp_path, {("a", "q", "b")}, "nt")], graph)
    (path,) = graph.glob(f"*/{changes.FILE}")
    path.write_text(content, "utf-8")
    with OxigraphStore.open(graph) as store:
        assert store.changes_since(first) is None
