"""Write what a run has learned as an artifact, and begin a run with one."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_model, save_model

from isomatch.errors import ArtifactError
from isomatch.learn.card import write_card
from isomatch.learn.curves import Point, write_curves
from isomatch.learn.gsr.backbones import Backbone
from isomatch.learn.gsr.batches import Row
from isomatch.learn.gsr.export import agreement
from isomatch.learn.gsr.export import export as write_serving
from isomatch.trained.artifact import (
    CONFIG,
    METRICS,
    VOCABULARY,
    ArtifactConfig,
    in_place,
    open_artifact,
    read_json,
    write_json,
    write_text,
)
from isomatch.trained.runtime import TOKENIZER
from isomatch.trained.vocabulary import StepVocabulary

WEIGHTS = "weights.safetensors"


def keep(
    out: Path,
    config: ArtifactConfig,
    network: Backbone,
    vocabulary: StepVocabulary,
    points: Sequence[Point],
    rows: Sequence[Row],
    *,
    export: bool = True,
) -> ArtifactConfig:
    """Write a trained network as an artifact, whole or not at all.

    Everything is written beside and then put in its place, so that a full disk
    leaves what was there before as it was.

    Args:
        rows: some texts, to measure by what the export costs.
        export: whether to write what serves.

    Raises:
        ArtifactError: a file cannot be written.
    """
    network.to("cpu")
    network.eval()
    with in_place(out) as fresh:
        _write(fresh, config, network, vocabulary, points, rows, export=export)
    return config


def keep_stopped(first: Path, out: Path) -> None:
    """Put the model of a run's first stage in the place of the one that the run was to make.

    Raises:
        ArtifactError: there is none, or a file cannot be written.
    """
    artifact = open_artifact(first, "gsr")
    config = artifact.config.model_copy(update={"complete": False})
    with in_place(out) as fresh:
        for path in first.iterdir():
            if path.is_file() and path.name != CONFIG:
                shutil.copyfile(path, fresh / path.name)
        measured = {k: v for k, v in read_json(fresh / METRICS).items() if k != "training"}
        write_card(fresh, config, measured, artifact.vocabulary)
        write_json(fresh / CONFIG, config.model_dump())


def _write(
    folder: Path,
    config: ArtifactConfig,
    network: Backbone,
    vocabulary: StepVocabulary,
    points: Sequence[Point],
    rows: Sequence[Row],
    *,
    export: bool,
) -> None:
    measured: dict[str, dict[str, Any]] = {}
    write_text(folder / TOKENIZER, network.tokenizer.to_str())
    try:
        save_model(network, str(folder / WEIGHTS))
    except SafetensorError as error:  # its word for a full disk
        raise OSError(str(error)) from error
    write_json(folder / VOCABULARY, vocabulary.form())
    write_curves(folder, points, "right chains of held-back texts")
    if export:
        write_serving(folder, network, int8=bool(config.model["int8"]))
        measured["what_serves_beside_what_was_trained"] = agreement(
            folder, network, vocabulary, rows, int(config.model["longest"])
        )
    write_json(folder / METRICS, {"training": config.training, **measured})
    write_card(folder, config, measured, vocabulary)
    write_json(folder / CONFIG, config.model_dump())


def begin_with(network: Backbone, folder: Path, vocabulary: StepVocabulary) -> None:
    """Give a network the parameters of an artifact of the same kind and relations.

    Raises:
        ArtifactError: it is of another backbone or vocabulary.
    """
    artifact = open_artifact(folder, "gsr")
    same = artifact.config.model.get("backbone") == network.description["backbone"]
    if not same or artifact.vocabulary is None or artifact.vocabulary.texts != vocabulary.texts:
        raise ArtifactError(
            f"{folder} cannot begin this model: it has another backbone or other relations"
        )
    load_model(network, folder / WEIGHTS)
