"""How well the words of a question can be told off against the hops of a chain.

A sentence embedding hardly sees how many hops a question takes and in what
order. Here each hop takes a stretch of the question that its relation's words
resemble; the stretches must not overlap, and on either side of the mention they
must lie further out for later hops, as English builds its phrases: "the
languages of the films directed by X", "X's mother's place of birth". A hop pays
for what it lacks in similarity, and the words that it explains pay for it.

The best assignment is found for all chains together, hop by hop, by dynamic
programming over how many words on either side are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from isomatch.lexicon.english import FUNCTION_WORDS, tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

LONGEST = 4  # words in a stretch
REACH = 14  # words that are looked at on either side of the mention
# A hop costs this less its similarity; one without a stretch costs all of it.
IDLE = 0.8
# What a content word that a hop explains is worth, in units of similarity.
EXPLAINED = 0.5


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive words on one side of the mention.

    Attributes:
        words: in their order.
        right: on which side of the mention.
        near, far: distances from the mention, in words; ``far`` is exclusive.
    """

    words: tuple[str, ...]
    right: bool
    near: int
    far: int

    @property
    def text(self) -> str:
        """The words as a phrase."""
        return " ".join(self.words)


def stretches(before: str, after: str) -> list[Stretch]:
    """Every stretch of a question around its mention that begins with a content word.

    "the films" is "films", but "acted in" and "spoken in" keep their end.
    """
    found = []
    for right, side in ((False, tokens(before)[::-1]), (True, tokens(after))):
        side = side[:REACH]
        for near in range(len(side)):
            for far in range(near + 1, min(near + LONGEST, len(side)) + 1):
                words = side[near:far] if right else side[near:far][::-1]
                if words[0] not in FUNCTION_WORDS:
                    found.append(Stretch(tuple(words), right, near, far))
    return found


def gains(similarity: Floats, weights: Floats) -> Floats:
    """What each step gains from each stretch, shape (steps, stretches).

    Args:
        similarity: of each step to each stretch.
        weights: how much the words of each stretch ask to be explained.
    """
    found: Floats = similarity - IDLE + EXPLAINED * weights[None, :]
    return found


class Alignment:
    """The tables of chains over one question.

    A table has an entry (l, r): the best score that uses at most the l nearest
    words to the left of the mention and the r nearest to the right.
    """

    def __init__(self, parts: Sequence[Stretch]):
        self._parts = parts
        self._left = max((p.far for p in parts if not p.right), default=0)
        self._right = max((p.far for p in parts if p.right), default=0)

    def start(self) -> Floats:
        """The table of the empty chain, shape (1, left + 1, right + 1)."""
        import numpy as np

        return np.zeros((1, self._left + 1, self._right + 1), np.float32)

    def extend(self, tables: Floats, parents: Sequence[int], gained: Floats) -> Floats:
        """The tables of ``tables[parents[i]]`` after one more hop, for every i.

        Args:
            gained: row i is what that hop gains from each stretch.
        """
        import numpy as np

        before = tables[np.asarray(parents, np.intp)]
        after = np.empty(before.shape, np.float32)
        np.subtract(before, IDLE, out=after)
        for number, part in enumerate(self._parts):
            gain = gained[:, number, None]
            if part.right:
                better = before[:, :, part.near] + gain
                np.maximum(after[:, :, part.far], better, out=after[:, :, part.far])
            else:
                better = before[:, part.near, :] + gain
                np.maximum(after[:, part.far, :], better, out=after[:, part.far, :])
        np.maximum.accumulate(after, axis=1, out=after)
        np.maximum.accumulate(after, axis=2, out=after)
        return after

    @staticmethod
    def scores(tables: Floats) -> Floats:
        """The best score of each chain."""
        import numpy as np

        return np.asarray(tables[:, -1, -1], np.float32)
