"""The folder of a trained model: its files, and whether it fits a graph.

    config.json          what it is and how it was made (`ArtifactConfig`)
    vocabulary.json      the relations that it knows
    weights.safetensors  its parameters
    *.onnx               what serving runs
    tokenizer.json       of its texts
    channel/             of programs: the same of a second model
    metrics.json         what was measured while it was trained
    curves.csv, .png     loss and learning rate by step
    README.md            the model card
    checkpoint/          to resume from; gone when training is done

Nothing here needs torch.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import getpid
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from isomatch.chains.graph import Nodes
from isomatch.errors import ArtifactError
from isomatch.files import atomic_write
from isomatch.lexicon.lexicon import Definition
from isomatch.schema.types import Schema
from isomatch.seed import SEED
from isomatch.trained.program_vocabulary import ProgramVocabulary
from isomatch.trained.vocabulary import StepVocabulary

CONFIG = "config.json"
VOCABULARY = "vocabulary.json"
METRICS = "metrics.json"
CHECKPOINT = "checkpoint"

Kind = Literal["gsr", "programs", "channel", "triples"]


class ArtifactConfig(BaseModel):
    """What a trained model is and how it was made: ``config.json``.

    Attributes:
        version: of this format.
        kind: ``gsr`` makes relation chains, ``programs`` programs, ``channel`` says the questions
            of these, ``triples`` scores triples.
        isomatch: the version that trained it.
        fingerprint: of the graph that it was trained on; the graph may change as
            long as the relations stay.
        nodes: which nodes of a chain may coincide, see `isomatch.options.Options`; of programs,
            ``repeat`` where no fact may be passed twice on one way, as in their gold queries.
        words: of chains, the weight of the lexicon's words beside the log-probability; above 0
            for a model that has seen more synthetic questions than labelled ones. Of programs,
            the share of questions that the composer alone read rightly, of those that it read.
        unchecked: of programs, whether nobody said what most questions mean that it learnt from.
        definitions: of programs, what adjectives before class words mean, as answers told.
        corrected: wordings (`isomatch.trained.masking.same_wording`) of which people said what
            they mean: for these ``words`` has no effect.
        model: what is needed to build the model, by kind.
        training: its options and figures.
        complete: whether the training finished; a model that was stopped can be used, and
            its training resumed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[2] = 2
    kind: Kind
    isomatch: str = ""
    fingerprint: str = ""
    seed: int = SEED
    nodes: Nodes = "anchored"
    words: float = Field(default=0.0, ge=0)
    unchecked: bool = False
    definitions: dict[str, Definition] = Field(default_factory=dict)
    corrected: tuple[str, ...] = ()
    model: dict[str, Any] = Field(default_factory=dict)
    training: dict[str, Any] = Field(default_factory=dict)
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Artifact:
    """A trained model's folder, with its relations as the graph at hand has them.

    Attributes:
        vocabulary: of a model of the kind ``gsr``.
        programs: the vocabulary of a model of the kind ``programs``.
    """

    folder: Path
    config: ArtifactConfig
    vocabulary: StepVocabulary | None = None
    programs: ProgramVocabulary | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for results: what the model does not cover."""
        notes = []
        if not self.config.complete:
            notes.append(f"the training of the model in {self.folder} was stopped before its end")
        if self.vocabulary is not None and self.vocabulary.left_out:
            notes.append(
                f"the chain model knows the {len(self.vocabulary.steps) // 2} most used relations; "
                f"{self.vocabulary.left_out} others of the graph are in none of its chains"
            )
        if self.programs is not None and self.programs.left_out:
            notes.append(
                f"{self.programs.left_out} of the graph's relations, the least used, are in none "
                "of the model's programs"
            )
        return tuple(notes)


def open_artifact(folder: Path | str, kind: Kind, schema: Schema | None = None) -> Artifact:
    """Read a trained model's folder, and refuse a graph that it does not fit.

    Args:
        kind: what is wanted.
        schema: of the graph; None leaves the vocabulary as it was trained.

    Raises:
        ArtifactError: there is none, it is damaged or of another kind or version,
            or the graph lacks relations that it makes chains of.
    """
    folder = Path(folder)
    config = read_config(folder, kind)
    if config.kind != kind:
        raise ArtifactError(
            f"{folder} holds a model of the kind {config.kind!r}, and {kind!r} is needed"
        )
    vocabulary = None
    if kind == "programs":
        programs = ProgramVocabulary.read(read_json(folder / VOCABULARY))
        return Artifact(
            folder, config, None, programs if schema is None else programs.bound(schema)
        )
    if (folder / VOCABULARY).exists():
        vocabulary = StepVocabulary.read(read_json(folder / VOCABULARY))
        if schema is not None:
            vocabulary = vocabulary.bound(schema)
    return Artifact(folder, config, vocabulary)


def read_config(folder: Path, kind: Kind = "gsr") -> ArtifactConfig:
    """The config of an artifact; ``kind`` is what is wanted.

    Raises:
        ArtifactError: there is none, or it is not one of ours.
    """
    path = folder / CONFIG
    if not path.is_file():
        raise ArtifactError(
            f"there is no trained model in {folder}: train one with `isomatch train {kind} --out "
            f"{folder}`, or name the folder of another"
        )
    try:
        return ArtifactConfig.model_validate(read_json(path))
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise ArtifactError(
            f"{path} is not the config of a model that this isomatch can use ({where}: "
            f"{fault['msg']}): train it again"
        ) from error


def read_json(path: Path) -> Any:
    """The content of a JSON file of an artifact.

    Raises:
        ArtifactError: it is missing or damaged.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ArtifactError(f"{path} cannot be read: {error}. Train the model again") from error


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file of an artifact, see `whole`."""
    write_text(path, json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n")


def write_text(path: Path, content: str) -> None:
    """Write a text file of an artifact, see `whole`."""
    with whole(path) as partial:
        partial.write_text(content, encoding="utf-8")


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Write a file of an artifact atomically, see `isomatch.files.atomic_write`.

    Raises:
        ArtifactError: it cannot be written.
    """
    try:
        with atomic_write(path) as partial:
            yield partial
    except OSError as error:
        raise ArtifactError(
            f"{path} cannot be written: {error.strerror or error}. Make room or choose another "
            "folder with --out; what was there before is as it was"
        ) from error


@contextmanager
def in_place(folder: Path) -> Iterator[Path]:
    """Write an artifact: yields a temporary folder whose files then replace its own.

    On an error the artifact is unchanged. While the files are replaced it has no config,
    so that a killed process leaves no mixture of two models that could be opened.

    Raises:
        ArtifactError: they cannot be written.
    """
    fresh = folder / f".{getpid()}.part"
    try:
        fresh.mkdir(parents=True, exist_ok=True)
        yield fresh
        (folder / CONFIG).unlink(missing_ok=True)
        for path in sorted(fresh.iterdir(), key=lambda path: path.name == CONFIG):
            path.replace(folder / path.name)
    except OSError as error:
        raise ArtifactError(
            f"the model cannot be written to {folder}: {error}. Make room, or choose another "
            "folder with --out, and go on with --resume"
        ) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
