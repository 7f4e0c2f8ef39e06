"""How likely a trained chain model finds given chains: what settles ties of labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from isomatch.chains.graph import Chain
from isomatch.schema.types import Schema
from isomatch.trained.artifact import open_artifact
from isomatch.trained.runtime import ChainModel
from isomatch.trained.vocabulary import BEGIN, END, StepVocabulary


def chain_scorer(folder: Path, schema: Schema) -> Callable[[str, Sequence[Chain]], list[float]]:
    """A function of a masked text and chains: the log-probability of each chain.

    A chain with a step that the model does not know has none at all.

    Raises:
        ArtifactError: there is no such model, or it does not fit the graph.
    """
    artifact = open_artifact(folder, "gsr", schema)
    vocabulary = artifact.vocabulary or StepVocabulary((), ())
    model = ChainModel(folder)

    def score(text: str, chains: Sequence[Chain]) -> list[float]:
        encoded = model.encode([f"[Retrieval] {text}"])
        totals = np.full(len(chains), -np.inf)
        known = [i for i, chain in enumerate(chains) if vocabulary.knows(chain)]
        totals[known] = 0.0
        numbers = {i: [BEGIN, *vocabulary.encode(chains[i]), END] for i in known}
        for place in range(1, max(map(len, numbers.values()), default=0)):
            here = [i for i in known if place < len(numbers[i])]
            steps = np.array([[numbers[i][:place] for i in here]], np.int64)
            ahead = model.decode(encoded, steps)[0]
            totals[here] += ahead[range(len(here)), [numbers[i][place] for i in here]]
        return [float(total) for total in totals]

    return score
