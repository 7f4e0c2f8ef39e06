"""`isomatch index` of a graph that is indexed already."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.link.tiny_index import DigestEmbedder, Name, build, content
from tests.unit.rdf_films import TURTLE

from isomatch.factories import make_index
from isomatch.link.manifest import read
from isomatch.settings import Settings
from isomatch.store.load import load

NAMES = [Name(f"urn:{number}", f"name {number}") for number in range(40)]


@pytest.fixture
def indexed(tmp_path: Path) -> Settings:
    file = tmp_path / "films.ttl"
    file.write_text(TURTLE, encoding="utf-8")
    settings = Settings(home=tmp_path / "home")
    load([file], settings.graph_path)
    make_index(settings)
    return settings


@pytest.mark.parametrize("sync", [False, True])
def test_an_index_of_the_same_graph_and_settings_is_confirmed_without_reading_names(
    indexed: Settings, monkeypatch: pytest.MonkeyPatch, sync: bool
) -> None:
    before = read(indexed.index_path)
    with monkeypatch.context() as patched:
        patched.setattr("isomatch.schema.names.names", None)
        report = make_index(indexed, sync=sync)
    after = read(indexed.index_path)
    assert (report.embedded, report.deleted, report.entries) == (0, 0, before.counts["entries"])
    assert (after.generation, after.files) == (before.generation, before.files)
    assert after.created >= before.created


def languages(indexed: Settings) -> Settings:
    return indexed.model_copy(update={"languages": ("de",)})


def lost_vectors(indexed: Settings) -> Settings:
    for path in indexed.index_path.glob("g*/vectors/nodes/segments/*/mutable_id_tracker.mappings"):
        path.write_bytes(b"")
    return indexed


def lost_state(indexed: Settings) -> Settings:
    path = indexed.index_path / "manifest.json"
    path.write_text(path.read_text().replace('"state"', '"other"'))
    return indexed


@pytest.mark.parametrize(
    ("change", "again"), [(languages, False), (lost_vectors, True), (lost_state, False)]
)
def test_an_index_of_another_making_is_made_again(
    indexed: Settings, change: Callable[[Settings], Settings], again: bool
) -> None:
    before = read(indexed.index_path)
    report = make_index(change(indexed))
    assert read(indexed.index_path).generation != before.generation
    assert (report.embedded > 0) == again
    assert report.entries == before.counts["entries"]


def test_a_build_embeds_only_what_the_index_does_not_have(tmp_path: Path) -> None:
    build(tmp_path / "index", NAMES)
    embedder = DigestEmbedder()
    build(tmp_path / "index", [*NAMES[5:], Name("urn:new", "new")], embedder=embedder)
    assert embedder.embedded == ["new"]
    build(tmp_path / "clean", [*NAMES[5:], Name("urn:new", "new")])
    assert content(tmp_path / "index") == content(tmp_path / "clean")
