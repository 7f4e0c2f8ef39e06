"""Triples by the cosine of question and triple as texts: the baseline without structure.

As in Li et al. (2023), after SubgraphRAG's section 4.1: each triple is embedded whole, as
``head relation tail``. That takes a millisecond a triple the first time; vectors are kept
by the resources's cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from isomatch.triples.ranking import TripleRanker

if TYPE_CHECKING:
    from isomatch.triples.neighbourhood import Neighbourhood
    from isomatch.triples.ranking import Scores

BATCH = 4096
LONGEST = 200  # characters of a name: one of 100 kB says no more


class CosineRanker(TripleRanker):
    """Ranks triples by the cosine of their text and the question's."""

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
