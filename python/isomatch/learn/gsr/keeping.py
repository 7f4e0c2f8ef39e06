"""Write what a run has learned as an artifact, and begin a run with one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from safetensors.torch import load_model, save_model

from isomatch.errors import ArtifactError, IsomatchError
from isomatch.interpret.gsr.runtime import TOKENIZER
from isomatch.interpret.gsr.vocabulary import StepVocabulary
from isomatch.learn.artifact import (
    CONFIG,
    METRICS,
    VOCABULARY,
    ArtifactConfig,
    open_artifact,
    write_json,
)
from isomatch.learn.card import write_card
from isomatch.learn.curves import Point, write_curves
from isomatch.learn.gsr.backbones import Backbone
from isomatch.learn.gsr.batches import Row
from isomatch.learn.gsr.export import agreement
from isomatch.learn.gsr.export import export as write_serving

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
    fresh = out / f".{os.getpid()}.part"
    try:
        fresh.mkdir(parents=True, exist_ok=True)
        _write(fresh, config, network, vocabulary, points, rows, export=export)
        for path in sorted(fresh.iterdir(), key=lambda path: path.name == CONFIG):
            path.replace(out / path.name)
    except IsomatchError:
        raise
    except Exception as error:  # each of the libraries has errors of its own for a full disk
        raise ArtifactError(
            f"the model cannot be written to {out}: {error}. Make room, or choose another folder "
            "with --out, and go on with --resume"
        ) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return config


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
    network.tokenizer.save(str(folder / TOKENIZER))
    save_model(network, str(folder / WEIGHTS))
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
