"""The trained scorer of triples, in numpy: SubgraphRAG's ``[z_q, z_h, z_r, z_t, z_DDE]``.

`isomatch.triples.similarity` adds further features of relations and nodes. One hidden layer
with ReLU and one output (SubgraphRAG, section 3.1). The first layer is linear, so its
product with a triple's features is the sum of the products for question, head, relation
and tail: each node and relation is multiplied once, and no triple's features are built.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from isomatch.errors import ArtifactError
from isomatch.trained.artifact import open_artifact
from isomatch.triples.ranking import Surroundings, TripleRanker
from isomatch.triples.similarity import (
    FORM,
    Features,
    node_features,
    node_width,
    relation_features,
    relation_width,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.resources import Resources
    from isomatch.triples.neighbourhood import Neighbourhood
    from isomatch.triples.ranking import Scores

    Floats = NDArray[np.float32]
    Places = NDArray[np.int64]

BATCH = 4096  # triples at a time: 6 MB of hidden values
WEIGHTS = "weights.safetensors"


@dataclass(frozen=True, slots=True)
class TripleScorer:
    """The weights, each of shape (features, hidden) unless said otherwise.

    Attributes:
        question, head, relation, tail: of the vectors.
        head_dde, tail_dde: of `isomatch.triples.similarity.node_features`.
        bias, output: shape (hidden,).
        output_bias: shape (1,).
        nameless: the vector of nodes without a name, shape (dimension,).
        rounds: of the encoding.
    """

    question: Floats
    head: Floats
    relation: Floats
    tail: Floats
    head_dde: Floats
    tail_dde: Floats
    bias: Floats
    output: Floats
    output_bias: Floats
    nameless: Floats
    rounds: int

    @property
    def features(self) -> Features:
        """Which features these weights are of; ``published`` has no products."""
        return "published" if self.relation.shape == self.question.shape else "similar"

    @property
    def widths(self) -> tuple[int, int, int]:
        """Features of a head, of a tail and of a relation beside the vectors of names."""
        of_node = node_width(self.features, self.rounds)
        return of_node, of_node, relation_width(self.features, len(self.question))

    @classmethod
    def read(cls, path: Path) -> TripleScorer:
        """From a file of safetensors.

        Raises:
            ArtifactError: it is missing, damaged, or of another model.
        """
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            found = load_file(path)
            scorer = cls(**found, rounds=0)
            rounds = (len(scorer.head_dde) - node_width(scorer.features, 0)) // 4
            scorer = replace(scorer, rounds=rounds)
            if scorer.widths != tuple(
                map(len, (scorer.head_dde, scorer.tail_dde, scorer.relation))
            ):
                raise ValueError("they are of other features than this isomatch makes")
        except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
            raise ArtifactError(
                f"{path} holds no weights of a scorer of triples: {error}. Train it again"
            ) from error
        return scorer

    def scores(
        self,
        question: Floats,
        nodes: Floats,
        named: NDArray[np.bool_],
        relations: Floats,
        encoded: Floats,
        triples: tuple[Places, Places, Places],
    ) -> Floats:
        """The probability that each triple is relevant, shape (triples,).

        Args:
            question: its vector.
            nodes: vectors, shape (nodes, dimension).
            named: which nodes have one.
            relations: vectors, shape (relations, dimension).
            encoded: `isomatch.triples.similarity.node_features`.
            triples: places of heads, relations and tails.
        """
        vectors: Floats = np.where(named[:, None], nodes, self.nameless)
        of_heads = vectors @ self.head + encoded @ self.head_dde
        of_tails = vectors @ self.tail + encoded @ self.tail_dde
        of_relations = relation_features(question, relations, self.features) @ self.relation
        of_relations += question @ self.question + self.bias
        heads, links, tails = triples
        logits = np.empty(len(heads), np.float32)
        for start in range(0, len(heads), BATCH):
            some = slice(start, start + BATCH)
            hidden = of_heads[heads[some]]
            hidden += of_relations[links[some]]
            hidden += of_tails[tails[some]]
            logits[some] = np.maximum(hidden, 0.0, out=hidden) @ self.output
        logits += self.output_bias
        return (1.0 / (1.0 + np.exp(-logits))).astype(np.float32)


class ScorerRanker(TripleRanker):
    """Ranks triples by a trained scorer.

    Args:
        model: folder written by `isomatch train triples`.
        around: which triples are ranked; None takes the trained model's settings.

    Raises:
        ArtifactError: there is no such model, or it does not fit graph or embedder.
    """

    name = "triples"

    def __init__(self, resources: Resources, model: Path | str, around: Surroundings | None = None):
        artifact = open_artifact(model, "triples", resources.schema)
        trained = artifact.config.model
        if trained.get("embedder") != resources.embedder.name:
            raise ArtifactError(
                f"the scorer in {model} was trained with the embedder {trained.get('embedder')!r}, "
                f"and {resources.embedder.name!r} is in use: train it again, or use that one"
            )
        if trained.get("form", FORM) != FORM:
            raise ArtifactError(
                f"the scorer in {model} was trained on features of another form than this "
                "isomatch makes: train it again"
            )
        super().__init__(resources, around or Surroundings(**trained["around"]))
        self.folder = Path(model)
        self.scorer = TripleScorer.read(Path(model) / WEIGHTS)

    def scores(self, question: str, hood: Neighbourhood) -> Scores:
        """See `TripleRanker.scores`: probabilities."""
        elements, scorer = self.elements, self.scorer
        vector, relations = elements.question(question), elements.relations(hood)
        nodes, named = elements.nodes(hood)
        encoded = node_features(hood, vector, nodes, relations, scorer.features, scorer.rounds)
        triples = (hood.heads, hood.links, hood.tails)
        return scorer.scores(vector, nodes, named, relations, encoded, triples)
