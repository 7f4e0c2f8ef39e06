"""The model card: ``README.md`` in the folder of a trained model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from isomatch.texts import templates
from isomatch.trained.artifact import ArtifactConfig, write_text
from isomatch.trained.vocabulary import StepVocabulary

CARD = "README.md"


def write_card(
    folder: Path,
    config: ArtifactConfig,
    measured: Mapping[str, Mapping[str, Any]],
    vocabulary: StepVocabulary | None = None,
) -> None:
    """Write the card of an artifact.

    Args:
        measured: figures by title.

    Raises:
        ArtifactError: it cannot be written.
    """
    template = templates("isomatch.learn", "templates").get_template("card.md.j2")
    text = template.render(
        config=config,
        measured=measured,
        relations=len(vocabulary.steps) // 2 if vocabulary else "own",
        left_out=vocabulary.left_out if vocabulary else 0,
    )
    write_text(folder / CARD, text)
