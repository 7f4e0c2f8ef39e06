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


def test_nothing_is_kept_of_the_first_load(tmp_path: Path) -> None:
    load([written(tmp_path, {("a", "p", "b")}, "nt")], tmp_path / "graph")
    with OxigraphStore.open(tmp_path / "graph") as store:
        assert store.changed_nodes(store.fingerprint()) is None
        assert store.changed_nodes("") is None


@settings(max_examples=examples(20), deadline=None)
@given(
    st.lists(
        st.tuples(TRIPLES, st.sampled_from(["table", "nt"]), st.booleans()), min_size=2, max_size=4
    )
)
def test_the_ends_of_all_changed_triples_are_known(
    loads: list[tuple[set[tuple[str, str, str]], str, bool]],
) -> None:
    with TemporaryDirectory() as folder:
        graph, states = Path(folder) / "graph", {}
        for triples, form, replace in loads:
            load([written(Path(folder), triples, form)], graph, replace=replace)
            with OxigraphStore.open(graph) as store:
                states.setdefault(store.fingerprint(), triples_of(graph))
        with OxigraphStore.open(graph) as store:
            last = store.fingerprint()
            found = {state: store.changed_nodes(state) for state in states if state != last}
        names = list(states)
        for place, (state, nodes) in enumerate(found.items()):
            assert nodes is not None
            later = [states[name] for name in names[place:]]
            expected = {
                end for one, other in pairwise(later) for s, _, o in one ^ other for end in (s, o)
            }
            assert nodes == expected, state


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
        assert store.changed_nodes(first) == {"http://e/c", "http://e/a"}
    load([written(tmp_path, {("c", "p", "a")}, "nt")], graph, replace=True)
    with OxigraphStore.open(graph) as store:
        assert store.changed_nodes(second) == {f"http://e/{n}" for n in "abc"}
        assert store.changed_nodes(first) is None, "together they are too many"
    load([written(tmp_path, few | {("a", "q", "c")}, "nt")], graph, replace=True)
    with OxigraphStore.open(graph) as store:
        assert store.changed_nodes(second) is None
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
        assert store.changed_nodes(first) is None
