"""Rankers of triples by name: the trained scorer, and three that need no training.

The scorer is SubgraphRAG's (section 3.1), in numpy: one hidden layer with ReLU and one output
over ``[z_q, z_h, z_r, z_t, z_DDE]``, to which `isomatch.triples.features` adds further
features. The first layer is linear, so its product with a triple's features is the sum of the
products for question, head, relation and tail: each node and relation is multiplied once, and
no triple's features are built.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from isomatch.errors import ArtifactError, ConfigurationError
from isomatch.trained.artifact import open_artifact
from isomatch.triples.features import (
    FORM,
    Features,
    node_features,
    node_width,
    relation_features,
    relation_width,
)
from isomatch.triples.pagerank import pagerank
from isomatch.triples.ranking import Surroundings, TripleRanker

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.resources import Resources
    from isomatch.triples.neighbourhood import Neighbourhood
    from isomatch.triples.ranking import Scores

    Floats = NDArray[np.float32]
    Places = NDArray[np.int64]

BATCH = 4096  # triples at a time, embedded or scored (6 MB of hidden values)
WEIGHTS = "weights.safetensors"


@dataclass(frozen=True, slots=True)
class TripleScorer:
    """The weights, each of shape (features, hidden) unless said otherwise.

    Attributes:
        question, head, relation, tail: of the vectors.
        head_dde, tail_dde: of `isomatch.triples.features.node_features`.
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
            encoded = node_width(scorer.features, rounds)
            linked = relation_width(scorer.features, len(scorer.question))
            widths = tuple(map(len, (scorer.head_dde, scorer.tail_dde, scorer.relation)))
            if widths != (encoded, encoded, linked):
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
            question, nodes, relations: vectors, shapes (dimension,), (nodes, dimension) and
                (relations, dimension).
            named: which nodes have a vector.
            encoded: `isomatch.triples.features.node_features`.
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
        elements, scorer = self.elements, self.scorer
        vector, relations = elements.question(question), elements.relations(hood)
        nodes, named = elements.nodes(hood)
        encoded = node_features(hood, vector, nodes, relations, scorer.features, scorer.rounds)
        triples = (hood.heads, hood.links, hood.tails)
        return scorer.scores(vector, nodes, named, relations, encoded, triples)


LONGEST = 200  # characters of a name: one of 100 kB says no more


class CosineRanker(TripleRanker):
    """Ranks triples by the cosine of question and ``head relation tail``, both embedded.

    The baseline without structure of SubgraphRAG's section 4.1 (after Li et al. 2023).
    Embedding takes about a millisecond a triple the first time; vectors are cached.
    """

    name = "cosine"

    def scores(self, question: str, hood: Neighbourhood) -> Scores:
        vector = self.elements.question(question)
        texts = self._texts(hood)
        scores = np.zeros(len(texts), np.float32)
        for start in range(0, len(texts), BATCH):
            rows = self.elements.embedder.embed(texts[start : start + BATCH])
            scores[start : start + BATCH] = rows @ vector
        return scores

    def _texts(self, hood: Neighbourhood) -> list[str]:
        names = [name[:LONGEST] for name in hood.names]
        relations = [self.resources.schema.by_id[id].text for id in hood.relations]
        rows = zip(hood.heads.tolist(), hood.links.tolist(), hood.tails.tolist(), strict=True)
        return [f"{names[h]} {relations[r]} {names[t]}" for h, r, t in rows]


class PageRankRanker(TripleRanker):
    """Ranks triples by the personalised PageRank of their ends, summed."""

    name = "pagerank"

    def scores(self, question: str, hood: Neighbourhood) -> Scores:
        ranks = pagerank(hood.heads, hood.tails, hood.topics, len(hood.nodes))
        return ranks[hood.heads] + ranks[hood.tails]


class OneHopRanker(TripleRanker):
    """Ranks the topics' own triples first, by name; the others score 0."""

    name = "one-hop"

    def scores(self, question: str, hood: Neighbourhood) -> Scores:
        nearest = np.minimum(hood.heads, hood.tails)  # topics have the first places
        return (nearest < hood.topics).astype(np.float64)


RANKERS: Mapping[str, type[TripleRanker]] = {
    "triples": ScorerRanker,
    "cosine": CosineRanker,
    "pagerank": PageRankRanker,
    "one-hop": OneHopRanker,
}


def open_ranker(
    name: str, resources: Resources, *, model: Path | str | None = None, **around: Any
) -> TripleRanker:
    """A ranker by name.

    Args:
        name: a key of `RANKERS`.
        model: folder of the trained scorer, for ``triples`` only.
        around: fields of `Surroundings`.

    Raises:
        ConfigurationError: there is no such ranker, or the scorer has no model.
        ArtifactError: the model cannot be used with this graph.
    """
    if name not in RANKERS:
        near = get_close_matches(name, RANKERS, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise ConfigurationError(
            f"no ranking of triples is called {name!r}; {hint}there are {', '.join(RANKERS)}"
        )
    surroundings = Surroundings(**around) if around else None
    if RANKERS[name] is not ScorerRanker:
        return RANKERS[name](resources, surroundings)
    if model is None:
        raise ConfigurationError(
            "the scorer of triples needs a trained model: train one with `isomatch train "
            "triples`, and name its folder with --model"
        )
    return ScorerRanker(resources, model, surroundings)
