"""Which embedder `auto` is: the index's, else MiniLM."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.link.tiny_index import DigestEmbedder

from isomatch import Session, Settings, factories
from isomatch.errors import VectorIndexError
from isomatch.link import embedder as embedders
from isomatch.link.manifest import embedder_of
from isomatch.resources import Resources
from isomatch.store.load import load

NAMES = {"minilm": "all-MiniLM-L6-v2-onnx-int8@1", "static": "static-minilm@1"}
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Embedders by digest, by the names of the real ones; what was asked for."""
    specs: list[str] = []

    def fake(spec: str, **_: Any) -> DigestEmbedder:
        specs.append(spec)
        return DigestEmbedder(name=NAMES.get(spec, spec))

    monkeypatch.setattr(embedders, "open_embedder", fake)
    return specs


@pytest.fixture
def home(tmp_path: Path) -> Settings:
    graph = tmp_path / "films.nt"
    graph.write_text(
        f'<urn:heat> {LABEL} "Heat" .\n<urn:mann> {LABEL} "Michael Mann" .\n'
        f'<urn:ronin> {LABEL} "Heat" .\n'
        "<urn:heat> <urn:directed_by> <urn:mann> .\n"
    )
    settings = Settings(home=tmp_path / "home")
    load([graph], settings.graph_path)
    return settings


def index(settings: Settings, nodes: int, **options: Any) -> str:
    """Index a graph that says it has so many nodes; returns the embedder."""
    with factories.open_store(settings) as store:
        schema = replace(factories.schema_of(settings, store), nodes=nodes)
        factories.index_store(settings, store, schema=schema, **options)
    return embedder_of(settings.index_path)


def test_a_new_index_gets_minilm(home: Settings, opened: list[str]) -> None:
    assert index(home, 3) == NAMES["minilm"]
    assert opened == ["minilm"]


@pytest.mark.parametrize("sync", [True, False])
def test_the_embedder_of_an_index_stays(home: Settings, opened: list[str], sync: bool) -> None:
    assert index(home.model_copy(update={"embedder": "static"}), 3) == NAMES["static"]
    with closing(Resources.open(home, factories.open_store(home))) as resources:
        assert resources.embedder.name == NAMES["static"]
    assert index(home, 3, sync=sync) == NAMES["static"]
    chosen = home.model_copy(update={"embedder": "minilm"})
    assert index(chosen, 3) == NAMES["minilm"]
    assert index(home, 3, sync=sync) == NAMES["minilm"]


def test_an_index_of_another_embedder_than_the_chosen_one_is_refused(
    home: Settings, opened: list[str]
) -> None:
    index(home.model_copy(update={"embedder": "static"}), 3)
    Session.open(home).close()
    with pytest.raises(VectorIndexError, match="'static-minilm@1', but 'all-MiniLM"):
        Session.open(home.model_copy(update={"embedder": "minilm"}))
    with pytest.raises(VectorIndexError, match="cannot be synced"):
        index(home.model_copy(update={"embedder": "openai:m"}), 3, sync=True)


def test_an_index_of_an_embedder_that_is_not_built_in(home: Settings, opened: list[str]) -> None:
    index(home.model_copy(update={"embedder": "openai:m"}), 3)
    with pytest.raises(VectorIndexError, match="was made with the embedder 'openai:m'"):
        Session.open(home)
    assert index(home, 3) == NAMES["minilm"]


def test_an_index_that_is_made_when_it_is_missing(home: Settings, opened: list[str]) -> None:
    def make(_: Any) -> None:
        index(home.model_copy(update={"embedder": "static"}), 3)

    store = factories.open_store(home)
    with closing(Resources.open(home, store, make_index=make)) as resources:
        assert resources.embedder.name == NAMES["static"]


@pytest.mark.parametrize("names", ["minilm", "static"])
def test_questions_are_read_by_minilm(home: Settings, opened: list[str], names: str) -> None:
    chosen = home.model_copy(update={"embedder": names})
    index(chosen, 3)

    with closing(Resources.open(chosen, factories.open_store(chosen))) as resources:
        assert resources.embedder.name == NAMES[names]
        assert resources.word_embedder.name == NAMES["minilm"]


def test_questions_are_read_by_a_chosen_model_of_ones_own(
    home: Settings, opened: list[str]
) -> None:
    chosen = home.model_copy(update={"embedder": "sentence-transformers:own"})
    index(chosen, 3)

    with closing(Resources.open(chosen, factories.open_store(chosen))) as resources:
        assert resources.word_embedder is resources.embedder
