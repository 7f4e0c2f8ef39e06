"""The facts of the topics themselves: a baseline that needs no training."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from isomatch.triples.ranking import TripleRanker

if TYPE_CHECKING:
    from isomatch.triples.neighbourhood import Neighbourhood
    from isomatch.triples.ranking import Scores


class OneHopRanker(TripleRanker):
    """Triples that have a topic at an end, in order of names; the others score 0."""

    name = "one-hop"

    def scores(self, question: str, hood: Neighbourhood) -> Scores:
        """See `TripleRanker.scores`: 1 for a triple of a topic."""
        nearest = np.minimum(hood.heads, hood.tails)  # topics have the first places
        return (nearest < hood.topics).astype(np.float64)
