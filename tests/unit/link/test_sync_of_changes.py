"""A sync that reads what has changed alone gives what a fresh index gives."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.shared import examples
from tests.unit.link.tiny_index import DigestEmbedder, content

from isomatch import factories
from isomatch.link import manifest
from isomatch.link.find import find
from isomatch.link.index import Index
from isomatch.settings import Settings
from isomatch.store.load import load
from isomatch.store.terms import RDF_TYPE
from isomatch.texts import fold

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
XSD = "http://www.w3.org/2001/XMLSchema#"
NAMES = ["Heat", "heat", "Héat", "Al Pacino", "Al Pacino Jr", "a\\u0000b", " ", "12", "Ali"]
VALUES = [f'"{n}"^^<{XSD}integer>' for n in (7, 12)] + [
    f'"1995"^^<{XSD}gYear>',
    '"Heat"',
    '"plain"',
]
NODES = [f"<http://e/{n}>" for n in ("a", "b", "c", "d", "Al_Pacino")] + ["_:b"]
TYPES = ["<http://e/a>", "<http://e/Film>", "<http://www.w3.org/2002/07/owl#Class>"]
TRIPLE = st.one_of(
    st.tuples(st.sampled_from(NODES), st.sampled_from("pq"), st.sampled_from(NODES)),
    st.tuples(st.sampled_from(NODES), st.sampled_from("pq"), st.sampled_from(VALUES)),
    st.tuples(st.sampled_from(NODES), st.just("label"), st.sampled_from(NAMES)),
    st.tuples(st.sampled_from(NODES), st.just("type"), st.sampled_from(TYPES)),
)
# What each load has, whether it replaces the graph, and whether the sync after it is stopped.
STATES = st.lists(
    st.tuples(st.sets(TRIPLE, min_size=1, max_size=14), st.booleans(), st.booleans()),
    min_size=1,
    max_size=4,
)
FIRST = {
    *(("<http://e/a>", "p", "<http://e/b>"), ("<http://e/a>", "label", "Heat")),
    *(("<http://e/b>", "q", VALUES[0]), ("<http://e/b>", "label", "Al Pacino")),
}


def load_triples(home: Path, triples: set[tuple[str, str, str]], *, replace: bool) -> None:
    own = {"label": LABEL, "type": RDF_TYPE}
    lines = [
        f"{s} <{own.get(p, f'http://e/{p}')}> " + (f'"{o}" .\n' if p == "label" else f"{o} .\n")
        for s, p, o in sorted(triples)
    ]
    path = home / "facts.nt"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")
    load([path], home / "graph", replace=replace)


def answers(folder: Path) -> dict[str, Any]:
    """All that an index says, without the numbers of its points."""
    embedder = DigestEmbedder()
    found: dict[str, Any] = content(folder)
    with Index.open(folder, embedder=embedder) as index:
        assert index.table is not None
        for text in (*NAMES, "Al Pacinoo", "plain", "1995", "7"):
            text = text.replace("\\u0000", "\0")
            near = [(n.edits, n.name, sorted(n.ids)) for n in index.table.near(text, 2)]
            same = {name: sorted(ids) for name, ids in index.table.of(fold(text)).items()}
            ((points, distances),) = index.search("nodes", embedder.embed([text]), 50)
            texts = index.texts(points.tolist())
            names = [texts[point].text for point in points.tolist()]
            keys = {texts[p].text: ids for p, ids in index.keys(texts.values(), 99).items()}
            found[text] = (
                *(index.table.beginning(fold(text)), same, near, index.values(text)),
                sorted(zip(distances.tolist(), names, strict=True)),
                {name: sorted(ids) for name, ids in keys.items()},
                sorted((t.text, t.keys) for t in index.by_name("nodes", text)),
                set(find(text, index, embedder, limit=99)) if text.strip() else None,
            )
        found["shown"] = index.name_of(f"http://e/{n}" for n in ("a", "b", "c", "d", "Al_Pacino"))
    counts = dict(manifest.read(folder).counts)
    return {**found, "counts": {name: count for name, count in counts.items() if count}}


@pytest.fixture
def made_with(monkeypatch: pytest.MonkeyPatch) -> Callable[[DigestEmbedder], None]:
    """Sets the embedder of the next index run; scans and tables have few names to begin at."""
    monkeypatch.setattr("isomatch.link.build.APPROXIMATE_FROM", 1)
    monkeypatch.setattr("isomatch.link.edge.SHARE", 0.6)
    monkeypatch.setattr("isomatch.link.name_table.SHARE", 0.6)

    def set_embedder(embedder: DigestEmbedder) -> None:
        monkeypatch.setattr(factories, "plain_embedder", lambda _: embedder)

    set_embedder(DigestEmbedder())
    return set_embedder


@settings(
    max_examples=examples(12),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(states=STATES)
def test_a_sync_of_changes_gives_what_a_fresh_index_gives(
    made_with: Callable[[DigestEmbedder], None],
    states: list[tuple[set[tuple[str, str, str]], bool, bool]],
) -> None:
    with TemporaryDirectory() as folder:
        home = Settings(home=Path(folder) / "home")
        fresh = home.model_copy(update={"home": Path(folder) / "fresh"})
        made_with(DigestEmbedder())
        load_triples(home.home, FIRST, replace=False)
        factories.make_index(home)
        for triples, replace, stopped in states:
            load_triples(home.home, triples, replace=replace)
            if stopped:  # the next sync, of what is changed further, goes on
                made_with(DigestEmbedder(fail_after=1))
                try:
                    factories.make_index(home, sync=True)
                except RuntimeError:
                    made_with(DigestEmbedder())
                    continue
            made_with(DigestEmbedder())
            factories.make_index(home, sync=True)
            shutil.rmtree(fresh.home, ignore_errors=True)
            shutil.copytree(home.graph_path, fresh.graph_path)
            factories.make_index(fresh)
            assert answers(home.index_path) == answers(fresh.index_path)


def test_only_what_has_changed_is_read(
    tmp_path: Path,
    made_with: Callable[[DigestEmbedder], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = Settings(home=tmp_path / "home")
    load_triples(home.home, FIRST, replace=False)
    factories.make_index(home)
    load_triples(
        home.home,
        {("<http://e/c>", "label", "Ali"), ("<http://e/c>", "q", "<http://e/b>")},
        replace=False,
    )
    monkeypatch.setattr("isomatch.schema.names.nodes", None)  # of all names
    embedder = DigestEmbedder()
    made_with(embedder)
    report = factories.make_index(home, sync=True)
    assert (embedder.embedded, report.embedded, report.deleted) == (["Ali"], 1, 0)
    with Index.open(home.index_path, embedder=embedder) as index:
        assert index.name_of(["http://e/c"]) == {"http://e/c": "Ali"}


def german(home: Settings) -> Settings:
    return home.model_copy(update={"languages": ("de",)})


def other_reading(home: Settings) -> Settings:
    path = home.index_path / "manifest.json"
    path.write_text(path.read_text().replace('"reading": "', '"reading": "0'))
    return home


@pytest.mark.parametrize("change", [german, other_reading])
def test_all_is_read_where_more_than_facts_may_be_others(
    tmp_path: Path,
    made_with: Callable[[DigestEmbedder], None],
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Settings], Settings],
) -> None:
    home = Settings(home=tmp_path / "home")
    load_triples(home.home, FIRST, replace=False)
    factories.make_index(home)
    load_triples(home.home, {("<http://e/c>", "p", "<http://e/b>")}, replace=False)
    monkeypatch.setattr("isomatch.schema.names.names_of_some", None)
    factories.make_index(change(home), sync=True)
