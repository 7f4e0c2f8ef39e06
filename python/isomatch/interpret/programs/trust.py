"""How much the best composed reading counts beside the programs of a trained decoder."""

from __future__ import annotations

from isomatch.trained.artifact import Artifact

TRUSTED = 0.8
"""Trust in composed readings from which no program is needed beside one."""


def trust(artifact: Artifact) -> float:
    """What a composed reading counts that is also the best program, or where nothing is certain.

    Both are right so often as training measured: a reading of two in three does not outvote a
    program that is nearly certain, by a decoder that is right in nine of ten.
    """
    words, decoder = _right(artifact)
    return words if words > TRUSTED else words / max(1.0, words + decoder)


def trust_against(artifact: Artifact) -> float:
    """What a composed reading counts that is not the best program.

    How often it is right then, of the times that not both are, if both err by themselves: of a
    reading of one in two and a decoder that is right in nine of ten it is one time in eleven.
    """
    words, decoder = _right(artifact)
    if words > TRUSTED:
        return words
    return words * (1 - decoder) / (1 - words * decoder)


def _right(artifact: Artifact) -> tuple[float, float]:
    """How often the composed reading was right in training, and the decoder."""
    return artifact.config.words, float(artifact.config.training.get("validation") or 0.0)
