"""The folders of trained models: what is read back, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from isomatch.chains.graph import Step
from isomatch.errors import ArtifactError
from isomatch.schema.types import Relation, Schema
from isomatch.trained.artifact import (
    CONFIG,
    VOCABULARY,
    ArtifactConfig,
    Kind,
    open_artifact,
    whole,
    write_json,
)
from isomatch.trained.vocabulary import StepVocabulary

WORDS = StepVocabulary((Step("r"), Step("r", True)), ("directed by",) * 2, left_out=3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_json(tmp_path / CONFIG, ArtifactConfig(kind="gsr", nodes="repeat").model_dump())
    write_json(tmp_path / VOCABULARY, WORDS.form())
    return tmp_path


def schema(*relations: str) -> Schema:
    return Schema("f", 0, 0, tuple(Relation(r, r, 1) for r in relations), ())


def test_it_is_read_back(folder: Path) -> None:
    artifact = open_artifact(folder, "gsr")
    assert artifact.config.nodes == "repeat"
    assert artifact.vocabulary == WORDS
    (note,) = artifact.notes
    assert "the 1 most used relations; 3 others" in note


def test_it_is_bound_to_a_graph_or_refuses_it(folder: Path) -> None:
    artifact = open_artifact(folder, "gsr", schema("r", "s"))
    assert artifact.vocabulary is not None
    assert artifact.vocabulary.left_out == 1
    with pytest.raises(ArtifactError, match=r'lacks the relation "directed by" \(r\)'):
        open_artifact(folder, "gsr", schema("s"))


def test_another_kind_is_refused(folder: Path) -> None:
    with pytest.raises(ArtifactError, match="holds a model of the kind 'gsr', and 'triples'"):
        open_artifact(folder, "triples")


@pytest.mark.parametrize("kind", ["gsr", "triples"])
def test_a_missing_one_says_how_to_make_it(tmp_path: Path, kind: Kind) -> None:
    with pytest.raises(ArtifactError, match=f"train one with `isomatch train {kind} --out"):
        open_artifact(tmp_path, kind)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 1}, "version: Input should be 2"),
        ({"kind": "other"}, "kind: Input should be"),
        ({"unheard": 1}, "unheard: Extra inputs"),
    ],
)
def test_a_config_of_another_form_is_refused(
    folder: Path, change: dict[str, object], message: str
) -> None:
    config = json.loads((folder / CONFIG).read_text())
    write_json(folder / CONFIG, {**config, **change})
    with pytest.raises(ArtifactError, match=message):
        open_artifact(folder, "gsr")


@pytest.mark.parametrize("name", [CONFIG, VOCABULARY])
def test_a_damaged_file_is_named(folder: Path, name: str) -> None:
    (folder / name).write_text("{", encoding="utf-8")
    with pytest.raises(ArtifactError, match=rf"{name} cannot be read"):
        open_artifact(folder, "gsr")


def test_a_file_comes_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    with whole(path) as partial:
        partial.write_text("first")
    with pytest.raises(ArtifactError, match="No space left"):
        _write_on_a_full_disk(path)
    assert path.read_text() == "first"
    assert [p.name for p in path.parent.iterdir()] == ["file"]


def _write_on_a_full_disk(path: Path) -> None:
    with whole(path) as partial:
        partial.write_text("sec")
        raise OSError(28, "No space left on device")
