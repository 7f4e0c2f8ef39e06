"""A predictor of facts, trained on one graph: DistMult (Yang et al. 2015), in torch.

The probability of a fact is the logistic function of a sum of products of three vectors. It
is trained by cross-entropy on the graph's facts and on facts that it does not have, made by
changing a fact's source, relation or target. PyKEEN would bring 19 packages and take 16
seconds to import. Only training needs torch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from isomatch.errors import ConfigurationError, MissingExtraError
from isomatch.files import atomic_write
from isomatch.perturb.types import Facts
from isomatch.seed import SEED

if TYPE_CHECKING:
    from isomatch.perturb.types import Floats, Places

DIMENSION = 64
EPOCHS, STEPS = 15, 500  # at least so many of both
BATCH = 4096
RATE = 0.01
FORM = 1  # of the file, and of the training

Progress = Callable[..., None]


@dataclass(frozen=True, slots=True)
class DistMult:
    """Vectors of nodes and relations.

    Attributes:
        nodes: shape (nodes, dimension).
        relations: shape (relations, dimension).
    """

    nodes: Floats
    relations: Floats

    def scores(self, heads: Places, links: Places, tails: Places) -> Floats:
        """See `isomatch.perturb.types.Predictor.scores`."""
        product = self.nodes[heads] * self.relations[links] * self.nodes[tails]
        return _logistic(product.sum(axis=1))

    def by_relation(self, heads: Places, tails: Places) -> Floats:
        """See `isomatch.perturb.types.Predictor.by_relation`."""
        return _logistic((self.nodes[heads] * self.nodes[tails]) @ self.relations.T)

    def write(self, path: Path) -> None:
        """Keep the vectors in a file.

        Raises:
            ConfigurationError: it cannot be written.
        """
        try:
            with atomic_write(path) as partial, partial.open("wb") as file:
                np.savez(file, nodes=self.nodes, relations=self.relations)
        except OSError as error:
            raise ConfigurationError(f"{path} cannot be written: {error}") from error

    @classmethod
    def read(cls, path: Path, facts: Facts) -> DistMult | None:
        """The vectors in a file; None where it is missing, damaged, or of other facts."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                found = cls(arrays["nodes"], arrays["relations"])
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return None
        fits = len(found.nodes) == facts.nodes and len(found.relations) == facts.relations
        return found if fits else None


def train(facts: Facts, seed: int = SEED, progress: Progress | None = None) -> DistMult:
    """A predictor of a graph's facts.

    Args:
        progress: called with (epochs done, epochs).

    Raises:
        ConfigurationError: there are no facts.
        MissingExtraError: torch is not installed.
    """
    if not len(facts):
        raise ConfigurationError("a graph without facts has none to learn from")
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError(
            "RR and ATS train a predictor of facts: pip install 'isomatch[train]'"
        ) from error
    epochs = max(EPOCHS, -(-STEPS // -(-len(facts) // BATCH)))
    chance = torch.Generator().manual_seed(seed)
    sizes = facts.nodes, facts.relations, facts.nodes
    rows = torch.from_numpy(np.stack([facts.heads, facts.links, facts.tails], axis=1))
    known = torch.sort(_keys(rows, sizes)).values
    tables = [
        torch.nn.Parameter(torch.randn(size, DIMENSION, generator=chance) * DIMENSION**-0.25)
        for size in (facts.nodes, facts.relations)
    ]
    optimiser = torch.optim.Adam(tables, lr=RATE)
    for epoch in range(epochs):
        for some in torch.randperm(len(rows), generator=chance).split(BATCH):
            true = rows[some]
            others = [true]
            for column, size in enumerate(sizes):
                wrong = true.clone()
                wrong[:, column] = torch.randint(size, (len(true),), generator=chance)
                others.append(wrong[~_among(_keys(wrong, sizes), known)])
            batch = torch.cat(others)
            heads, links, tails = batch.unbind(1)
            logits = (tables[0][heads] * tables[1][links] * tables[0][tails]).sum(1)
            wanted = (torch.arange(len(batch)) < len(true)).float()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, wanted)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        if progress is not None:
            progress(epoch + 1, epochs)
    vectors = [table.detach().numpy() for table in tables]
    return DistMult(vectors[0], vectors[1])


def _keys(rows: Any, sizes: tuple[int, int, int]) -> Any:
    """One number for each fact."""
    return (rows[:, 0] * sizes[1] + rows[:, 1]) * sizes[2] + rows[:, 2]


def _among(keys: Any, known: Any) -> Any:
    """Which keys are among sorted ones."""
    import torch

    places = torch.searchsorted(known, keys).clamp(max=len(known) - 1)
    return known[places] == keys


def _logistic(logits: Floats) -> Floats:
    return (1.0 / (1.0 + np.exp(-np.clip(logits, -60, 60)))).astype(np.float32)
