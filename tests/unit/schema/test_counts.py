"""A schema of which only what has changed is counted is the same as one counted anew."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shared import examples

from isomatch.schema import counts
from isomatch.schema.cache import read_schema, schema_for
from isomatch.schema.counts import Counts
from isomatch.schema.exclusion import Exclusion
from isomatch.schema.introspect import introspect
from isomatch.schema.types import Schema
from isomatch.schema.vocabulary import ALIAS_RELATIONS, DIRECT_CLAIM, SUBCLASS_OF
from isomatch.store.base import Query
from isomatch.store.load import load
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL, XSD

E = "http://e/"
NODES = [f"<{E}{n}>" for n in ("a", "b", "c", "T", "U", "p")] + ["_:x", "_:y"]
RELATIONS = [f"<{E}{n}>" for n in ("p", "q", "r")]
CLASSES = [f"<{E}{n}>" for n in "TUV"] + ["<http://www.w3.org/2002/07/owl#Class>", "_:x"]
VALUES = [f'"{n}"^^<{XSD}integer>' for n in (7, 12)] + [
    *(f'"1995"^^<{XSD}gYear>', f'"x"^^<{E}other>', '"Heat"', '"Heat"@en', '"a b\\"\\n"@de-AT'),
]
WIKIBASE = [f"<{E}prop/direct/P{n}>" for n in (1, 2)] + [f"<{E}prop/P1>"]
TRIPLE = st.one_of(
    st.tuples(st.sampled_from(NODES), st.sampled_from(RELATIONS), st.sampled_from(NODES + VALUES)),
    st.tuples(st.sampled_from(NODES), st.just(f"<{RDF_TYPE}>"), st.sampled_from(CLASSES)),
    st.tuples(
        st.sampled_from([*NODES, RELATIONS[1]]),
        st.sampled_from([f"<{RDFS_LABEL}>", f"<{ALIAS_RELATIONS[0]}>"]),
        st.sampled_from(VALUES + NODES),
    ),
    st.tuples(
        st.sampled_from([*CLASSES[:3], "_:y"]),
        st.just(f"<{SUBCLASS_OF}>"),
        st.sampled_from([*CLASSES[:3], "_:y"]),
    ),
    st.tuples(st.sampled_from(NODES), st.sampled_from(WIKIBASE), st.sampled_from(NODES + VALUES)),
    st.just((f"<{E}entity/P1>", f"<{DIRECT_CLAIM}>", WIKIBASE[0])),
)
# What each load has, whether it replaces the graph, and whether the schema is read then.
LOADS = st.lists(
    st.tuples(st.sets(TRIPLE, min_size=1, max_size=16), st.booleans(), st.booleans()),
    min_size=2,
    max_size=4,
)
SETTINGS: list[dict[str, Any]] = [
    {},
    {"exclude": (f"{E}r",)},
    {"exclude": ("http://www.w3.org/2004/",), "subclasses": False},
    {"type_relation": f"{E}q", "label_relations": (f"{E}r", RDFS_LABEL)},
]
# Some that decide what is counted at all.
LIMITS = [
    {},
    {
        "isomatch.schema.introspect.JOINABLE": 6,
        "isomatch.schema.introspect.NODES": 7,
        "isomatch.schema.counts.NODES": 7,
    },
    {"isomatch.schema.introspect.MOST_SETS": 3, "isomatch.schema.counts.CELLS": 4},
    {"isomatch.schema.introspect.JOINED": 2, "isomatch.schema.introspect.DETAILED": 1},
]
FIRST = {(NODES[0], p, NODES[1]) for p in (*RELATIONS, f"<{ALIAS_RELATIONS[0]}>")}


def load_triples(folder: Path, triples: set[tuple[str, str, str]], *, new: bool) -> None:
    path = folder / "facts.nt"
    path.write_text("".join(f"{s} {p} {o} .\n" for s, p, o in sorted(triples)), "utf-8")
    load([path], folder / "graph", replace=new)


def both(folder: Path, given: dict[str, Any]) -> tuple[Schema, Schema]:
    """The schema of a folder as it is kept there, and as it is counted in the graph."""
    path = folder / "schema.json"
    with OxigraphStore.open(folder / "graph") as store:
        before = read_schema(path)[0] if path.exists() else None
        given = {**given, "exclude": Exclusion.after(given.get("exclude", ()), before)}
        kept = schema_for(store, path, **{**given, "exclude": given["exclude"].entries})
        fresh = Counts(store)
        introspect(store, kept=fresh, **given)
        fresh.write(folder / "fresh.counts", kept.fingerprint)
        assert tables_in(folder / "schema.counts") == tables_in(folder / "fresh.counts")
        return kept, introspect(store, **given)


def tables_in(path: Path) -> list[Any]:
    tables: list[Any] = json.loads(path.read_text("utf-8"))["tables"]
    return tables


@settings(max_examples=examples(60), deadline=None)
@given(LOADS, st.sampled_from(SETTINGS), st.sampled_from(LIMITS))
def test_a_schema_brought_up_to_date_is_the_one_that_is_counted(
    loads: list[tuple[set[tuple[str, str, str]], bool, bool]],
    given: dict[str, Any],
    limits: dict[str, int],
) -> None:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        patch.setattr(counts, "SHARE", 1000)
        for limit, n in limits.items():
            patch.setattr(limit, n)
        load_triples(folder, FIRST, new=True)
        for place, (triples, new, read) in enumerate(loads):
            if read or not place:
                kept, counted = both(folder, given)
                assert asdict(kept) == asdict(counted)
            load_triples(folder, triples | FIRST if new else triples, new=new)
        kept, counted = both(folder, given)
        assert asdict(kept) == asdict(counted)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A graph, and its schema, after a change of two triples in many."""
    many = {(f"<{E}n{i}>", RELATIONS[i % 3], f"<{E}n{i // 7}>") for i in range(90)}
    many |= {(s, f"<{RDF_TYPE}>", CLASSES[0]) for s, _, _ in many}
    load_triples(tmp_path, many, new=True)
    both(tmp_path, {})
    load_triples(tmp_path, many - {min(many)} | {(NODES[0], RELATIONS[1], NODES[1])}, new=True)
    return tmp_path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the queries that a store runs."""
    names: list[str] = []
    run = OxigraphStore.run

    def noted(store: OxigraphStore, query: Query, **given: Any) -> Any:
        names.append(query.name)
        return run(store, query, **given)

    monkeypatch.setattr(OxigraphStore, "run", noted)
    return names


COUNTING = {f"schema {name}" for name in ("predicates", "types", "fans", "ends", "kinds", "ports")}


def test_after_few_changes_the_graph_is_not_counted(folder: Path, asked: list[str]) -> None:
    with OxigraphStore.open(folder / "graph") as store:
        kept = schema_for(store, folder / "schema.json")
        assert not COUNTING & {*asked}
        assert kept == introspect(store, kept=Counts(store))
        assert {*asked} >= COUNTING


def test_after_many_changes_it_is_counted(folder: Path, asked: list[str]) -> None:
    load_triples(folder, FIRST, new=False)
    load_triples(folder, {(s, RELATIONS[0], o) for s in NODES for o in CLASSES}, new=False)
    kept, counted = both(folder, {})
    assert kept == counted
    assert asked.count("schema kinds") == 3


def test_another_setting_counts_what_it_needs(folder: Path, asked: list[str]) -> None:
    kept, counted = both(folder, {"exclude": (f"{E}r",)})
    assert kept == counted
    assert asked.count("schema kinds") == 3
    assert asked.count("schema predicates") == 2


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"format": 0}', '{"format": 1, "fingerprint": "", "tables": []}']
)
def test_counts_that_cannot_be_read_are_made_again(folder: Path, content: str) -> None:
    (folder / "schema.counts").write_text(content, "utf-8")
    kept, counted = both(folder, {})
    assert kept == counted
    assert len((folder / "schema.counts").read_text("utf-8")) > len(content)


def test_a_graph_in_memory_keeps_no_counts(tmp_path: Path) -> None:
    store = OxigraphStore.memory()
    schema_for(store, tmp_path / "schema.json")
    assert [path.name for path in tmp_path.iterdir()] == ["schema.json"]
