"""Rankers of triples by name: the trained scorer, and three that need no training."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from isomatch.errors import ConfigurationError
from isomatch.triples.graph_features import pagerank
from isomatch.triples.ranking import Surroundings, TripleRanker
from isomatch.triples.scorer import ScorerRanker

if TYPE_CHECKING:
    from isomatch.resources import Resources
    from isomatch.triples.neighbourhood import Neighbourhood
    from isomatch.triples.ranking import Scores

BATCH = 4096  # triples embedded at a time
LONGEST = 200  # characters of a name: one of 100 kB says no more


class CosineRanker(TripleRanker):
    """Ranks triples by the cosine of question and ``head relation tail``, both embedded.

    The baseline without structure of SubgraphRAG's section 4.1 (after Li et al. 2023).
    Embedding takes about a millisecond a triple the first time; vectors are cached.
    """

    name = "cosine"

    def scores(self, question: str, hood: Neighbourhood) -> Scores:
        """See `TripleRanker.scores`."""
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
        """See `TripleRanker.scores`."""
        ranks = pagerank(hood.heads, hood.tails, hood.topics, len(hood.nodes))
        return ranks[hood.heads] + ranks[hood.tails]


class OneHopRanker(TripleRanker):
    """Ranks the topics' own triples first, by name; the others score 0."""

    name = "one-hop"

    def scores(self, question: str, hood: Neighbourhood) -> Scores:
        """See `TripleRanker.scores`: 1 for a triple of a topic."""
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
