"""How probable the words of a question are, given programs: a noisy channel.

A decoder writes what follows well from the whole question, and passes over a word now and
then: "friends" in "relatives of friends". The channel looks the other way: a second model of
the same kind reads a program in words, and writes the question. A program that lacks what a
word says makes the word improbable. Both together rank programs, as in neural noisy-channel
reranking (Yee et al., EMNLP 2019; of programs: Yin and Neubig, ACL 2019).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from isomatch.errors import ArtifactError
from isomatch.trained.alignment import OLDER
from isomatch.trained.artifact import VOCABULARY, read_json
from isomatch.trained.masking import heard
from isomatch.trained.runtime import ChainModel
from isomatch.trained.vocabulary import BEGIN, END, Vocabulary

CHANNEL = "channel"
"""The folder of the second model, in that of the first."""
LEAST = 2
"""Questions that have a word for the channel to know it."""
MOST_WORDS = 60
_UNKNOWN = "?"


@dataclass(frozen=True)
class WordVocabulary(Vocabulary[str]):
    """The words of questions as numbers."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> WordVocabulary:
        """Those of several of some masked questions."""
        counts = Counter(word for text in texts for word in set(heard(text)))
        known = sorted(word for word, count in counts.items() if count >= LEAST)
        return cls((_UNKNOWN, *known), ("unknown", *(word.lstrip("@") for word in known)))

    @property
    def places(self) -> int:
        return MOST_WORDS + 1

    @property
    def relations(self) -> int:
        return len(self.steps)  # for its card

    @property
    def turned(self) -> tuple[int, ...]:
        return (0,) * len(self.steps)

    def written(self, text: str) -> tuple[str, ...]:
        """The words of a masked question that it knows, and a mark for each other."""
        return tuple(w if w in self.numbers else _UNKNOWN for w in heard(text)[:MOST_WORDS])

    def form(self) -> dict[str, Any]:
        """As JSON."""
        return {"words": list(self.steps), "texts": list(self.texts)}


class Channel:
    """The second model of a program model.

    Args:
        folder: its own.

    Raises:
        ArtifactError: a file is missing or damaged.
    """

    def __init__(self, folder: Path):
        form = read_json(folder / VOCABULARY)
        try:
            self._words = WordVocabulary(tuple(form["words"]), tuple(form["texts"]))
        except (KeyError, TypeError) as error:
            raise ArtifactError(OLDER) from error
        self._model = ChainModel(folder)

    def scores(self, text: str, said: Sequence[str]) -> list[float]:
        """The logarithm of the probability of a masked question, given each of some programs.

        Args:
            said: the programs in words, as training had them.
        """
        encoded = self._model.encode(said)
        numbers = [*self._words.encode(self._words.written(text)), END]
        steps = np.tile(np.array([BEGIN, *numbers[:-1]], np.int64), (len(said), 1, 1))
        found = self._model.decode(encoded, steps)
        if found.ndim != 4:
            raise ArtifactError(OLDER)
        return [float(one[0, range(len(numbers)), numbers].sum()) for one in found]
