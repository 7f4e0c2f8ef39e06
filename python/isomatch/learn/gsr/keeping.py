"""Write what a run has learned as an artifact, and begin a run with one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from safetensors.torch import load_model, save_model

from isomatch.errors import ArtifactError
from isomatch.interpret.gsr.vocabulary import StepVocabulary
from isomatch.learn.artifact import (
    CONFIG,
    METRICS,
    VOCABULARY,
    ArtifactConfig,
    open_artifact,
    whole,
    write_json,
)
from isomatch.learn.card import write_card
from isomatch.learn.curves import Point, write_curves
from isomatch.learn.gsr.backbones import Backbone
from isomatch.learn.gsr.batches import Row
from isomatch.learn.gsr.export import agreement
from isomatch.learn.gsr.export import export as write_serving

WEIGHTS = "weights.safetensors"
TOKENIZER = "tokenizer.json"


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
    """Write a trained network as an artifact; the config last, so that it is whole.

    Args:
        rows: some texts, to measure by what the export costs.
        export: whether to write what serves.

    Raises:
        ArtifactError: a file cannot be written.
    """
    network.to("cpu")
    network.eval()
    measured: dict[str, dict[str, Any]] = {}
    with whole(out / TOKENIZER) as partial:
        network.tokenizer.save(str(partial))
    with whole(out / WEIGHTS) as partial:
        save_model(network, str(partial))
    write_json(out / VOCABULARY, vocabulary.form())
    write_curves(out, points, "right chains of held-back texts")
    if export:
        write_serving(out, network, int8=bool(config.model["int8"]))
        measured["what_serves_beside_what_was_trained"] = agreement(
            out, network, vocabulary, rows, int(config.model["longest"])
        )
    write_json(out / METRICS, {"training": config.training, **measured})
    write_card(out, config, measured, vocabulary)
    write_json(out / CONFIG, config.model_dump())
    return config


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
