"""The scorer of triples in torch, for training; `isomatch.triples.rankers` serves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from isomatch.learn.triples.data import Labelled
from isomatch.triples.features import Features, node_width, relation_features, relation_width
from isomatch.triples.rankers import TripleScorer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


SCALE = 8.0


@dataclass(frozen=True, slots=True)
class Table:
    """Vectors of texts in half precision; the last row is for unknown texts."""

    places: Mapping[str, int]
    rows: NDArray[np.float16]

    def of(self, texts: Sequence[str]) -> Floats:
        """Vectors of some texts, shape (texts, dimension)."""
        return self.rows[[self.places.get(text, -1) for text in texts]].astype(np.float32)


class Network(nn.Module):  # type: ignore[misc]  # torch is not checked
    """One hidden layer with ReLU and one output, over the parts of a triple's features.

    The values of unit vectors are small beside the encodings' zeros and ones, so those of
    questions and relations, which matter most, are scaled up.
    """

    def __init__(
        self,
        dimension: int,
        features: Features,
        rounds: int,
        hidden: int,
        dropped: float = 0.0,
        forgotten: float = 0.0,
    ):
        super().__init__()
        encoded, linked = node_width(features, rounds), relation_width(features, dimension)
        width = 3 * dimension + linked + 2 * encoded
        bound = width**-0.5  # as torch begins a linear layer of that width

        def part(*shape: int, within: float = bound) -> nn.Parameter:
            return nn.Parameter(torch.empty(*shape).uniform_(-within, within))

        self.question = part(dimension, hidden)
        self.head = part(dimension, hidden)
        self.relation = part(linked, hidden)
        self.tail = part(dimension, hidden)
        self.head_dde = part(encoded, hidden)
        self.tail_dde = part(encoded, hidden)
        self.bias = part(hidden)
        self.output = part(hidden, within=hidden**-0.5)
        self.output_bias = part(1, within=hidden**-0.5)
        self.nameless = nn.Parameter(torch.zeros(dimension))
        self.features, self.rounds = features, rounds
        self.dropped, self.forgotten = dropped, forgotten

    def forward(self, items: Sequence[Labelled], table: Table, questions: Table) -> Tensor:
        """Logits of all triples of some questions, concatenated."""
        device = self.bias.device

        def tensor(array: NDArray[np.generic]) -> Tensor:
            return torch.from_numpy(array).to(device)

        logits = []
        for item in items:
            named = tensor(np.array([bool(name) for name in item.names]))
            if self.training and self.forgotten:
                # Names identify the questions seen in training, and no others.
                named = named & (torch.rand(len(item.names)) >= self.forgotten).to(device)
            vectors = torch.where(named[:, None], tensor(table.of(item.names)), self.nameless)
            encoded = tensor(item.encoded)
            of_heads = vectors @ self.head + encoded @ self.head_dde
            of_tails = vectors @ self.tail + encoded @ self.tail_dde
            question = questions.of([item.text])[0]
            links = relation_features(question, table.of(item.relations), self.features)
            asked = tensor(question) * SCALE @ self.question + self.bias
            of_links = tensor(links) * SCALE @ self.relation + asked
            # Not by `[…]`, whose gradient differs from run to run.
            hidden = functional.embedding(tensor(item.heads), of_heads)
            hidden = hidden + functional.embedding(tensor(item.tails), of_tails)
            hidden = hidden + functional.embedding(tensor(item.links), of_links)
            hidden = functional.relu(hidden)
            hidden = functional.dropout(hidden, self.dropped, self.training)
            logits.append(hidden @ self.output + self.output_bias)
        return torch.cat(logits)

    def scorer(self) -> TripleScorer:
        """The scorer for serving, in numpy."""
        weights = {name: value.numpy() for name, value in self.weights().items()}
        return TripleScorer(**weights, rounds=self.rounds)

    def weights(self) -> dict[str, Tensor]:
        """A copy of the parameters, for unit vectors."""
        found = {}
        for name, value in self.named_parameters():
            scale = SCALE if name in ("question", "relation") else 1.0
            found[name] = (value.detach().float().cpu() * scale).contiguous()
        return found


def ranking_loss(logits: Tensor, items: Sequence[Labelled]) -> Tensor:
    """The ranking loss: the mean over questions of the mean over their relevant triples.

    For each relevant triple the cross-entropy of a softmax over itself and all irrelevant
    triples (after ListNet, Cao et al. 2007). Binary cross-entropy weighs all irrelevant
    triples equally; this loss weighs those that rank highest.

    Args:
        logits: of all triples of some questions, concatenated.
    """
    losses = []
    for item, scores in zip(items, logits.split([len(item) for item in items]), strict=True):
        useful = torch.from_numpy(item.useful).to(scores.device)
        others = scores.masked_fill(useful, -torch.inf).logsumexp(0)
        losses.append(functional.softplus(others - scores[useful]).mean())
    return torch.stack(losses).mean()
