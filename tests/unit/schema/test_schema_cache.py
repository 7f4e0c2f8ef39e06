"""The schema on disk: used when it fits, read again when it does not."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from isomatch.errors import StoreError
from isomatch.schema.cache import FORMAT, read_schema, save_schema, schema_for
from isomatch.schema.introspect import introspect
from isomatch.schema.types import PropertyIndex, Relation, Schema, Type
from isomatch.schema.vocabulary import SUBCLASS_OF
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL

N = ox.NamedNode
E = "http://e/"


class Counting(OxigraphStore):
    """Counts the queries it was asked."""

    asked = 0

    def run(self, query, *, timeout=None):  # type: ignore[no-untyped-def]
        self.asked += 1
        return super().run(query, timeout=timeout)


@pytest.fixture
def store() -> Counting:
    graph = ox.Store()
    graph.add(ox.Quad(N(E + "a"), N(E + "p"), ox.Literal("הי", language="he")))
    graph.add(ox.Quad(N(E + "a"), N(RDF_TYPE), N(E + "T")))
    graph.add(ox.Quad(N(E + "a"), N(RDFS_LABEL), ox.Literal("A")))
    graph.add(ox.Quad(N(E + "T"), N(SUBCLASS_OF), N(E + "U")))
    return Counting(graph)


def test_a_schema_comes_back_as_it_was(store: Counting, tmp_path: Path) -> None:
    schema = introspect(store)
    save_schema(tmp_path / "new" / "schema.json", schema)
    assert schema.subclasses == {E + "U": (E + "T",)}
    assert read_schema(tmp_path / "new" / "schema.json")[0] == schema
    assert [p.name for p in (tmp_path / "new").iterdir()] == ["schema.json"]


def test_a_property_graphs_schema_comes_back_as_it_was(tmp_path: Path) -> None:
    schema = Schema(
        fingerprint="f",
        triples=3,
        nodes=4,
        relations=(Relation(".tags", "tags", 3, listed=True, literal_kinds={"text": 3}),),
        types=(Type(":Film", "film", 2),),
        name_relations=(".title",),
        names={":Film": ".title"},
        edge_properties={":ACTED_IN": {".roles": 7}},
        indexes=(PropertyIndex(":Film", (".title", ".year"), "range", "films"),),
        left_out=(".embedding",),
    )
    save_schema(tmp_path / "schema.json", schema)
    assert read_schema(tmp_path / "schema.json")[0] == schema


def test_a_second_start_asks_nothing(store: Counting, tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    first = schema_for(store, path, languages=("en",), progress=lambda *_: None)
    store.asked = 0
    assert schema_for(store, path, languages=("en",)) == first
    assert store.asked == 0


def test_another_graph_or_setting_is_read_again(store: Counting, tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    first = schema_for(store, path)
    assert schema_for(store, path, languages=("de",)) == first
    store.asked = 0
    schema_for(store, path, languages=("en",))
    assert store.asked > 0
    store.extend([ox.Quad(N(E + "b"), N(E + "q"), N(E + "a"))])
    assert len(schema_for(store, path, languages=("en",)).relations) == 3
    assert len(read_schema(path)[0].relations) == 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no schema"),
        ("{", "damaged"),
        ("[]", "damaged"),
        (f'{{"format": {FORMAT}, "settings": {{}}, "schema": {{"colour": 1}}}}', "damaged"),
        ('{"format": 99}', f"format 99, this isomatch reads {FORMAT}"),
    ],
)
def test_what_does_not_fit_is_named_and_replaced(
    store: Counting, tmp_path: Path, content: str | None, words: str
) -> None:
    path = tmp_path / "schema.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(StoreError, match=words) as caught:
        read_schema(path)
    assert str(path) in str(caught.value)
    assert "isomatch schema" in str(caught.value)
    assert schema_for(store, path) == read_schema(path)[0]


def test_a_place_that_cannot_be_written_is_named(store: Counting, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        save_schema(tmp_path / "file" / "schema.json", introspect(store))
