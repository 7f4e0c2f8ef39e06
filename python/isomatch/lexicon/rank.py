"""How well relation chains fit a question's words, by the vectors of words.

A sentence embedding hardly sees how many hops a question takes and in what order. Here each
hop takes a stretch of the question that its relation's words resemble; the stretches must
not overlap, and on either side of the mention they must lie further out for later hops, as
English builds its phrases: "the languages of the films directed by X", "X's mother's place
of birth". A hop pays for what it lacks in similarity, and the words that it explains pay for
it. The best assignment is found for all chains together, hop by hop, by dynamic programming
over how many words on either side are used.

Vectors are kept: a graph's usual phrases are embedded once, and later questions pay for
their own words only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from isomatch.chains.graph import Step
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.relation_words import THING
from isomatch.lexicon.verbalise import step_phrases, step_words

if TYPE_CHECKING:
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
        return " ".join(self.words)


def stretches(before: str, after: str, function_words: Set[str]) -> list[Stretch]:
    """Every stretch of a question around its mention that begins with a content word.

    "the films" is "films", but "acted in" and "spoken in" keep their end.
    """
    found = []
    for right, side in ((False, tokens(before)[::-1]), (True, tokens(after))):
        side = side[:REACH]
        for near in range(len(side)):
            for far in range(near + 1, min(near + LONGEST, len(side)) + 1):
                words = side[near:far] if right else side[near:far][::-1]
                if words[0] not in function_words:
                    found.append(Stretch(tuple(words), right, near, far))
    return found


def gains(similarity: Floats, weights: Floats) -> Floats:
    """What each step gains from each stretch, by their similarity and the weight of its words.

    Shape (steps, stretches), as that of ``similarity``.
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
        return np.zeros((1, self._left + 1, self._right + 1), np.float32)

    def extend(self, tables: Floats, parents: Sequence[int], gained: Floats) -> Floats:
        """The tables of ``tables[parents[i]]`` after one more hop, for every i.

        ``gained[i]`` is what that hop gains from each stretch.
        """
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
        return np.asarray(tables[:, -1, -1], np.float32)


MOST_KEPT = 100_000  # vectors; 150 MB


class TextEmbedder(Protocol):
    """What makes L2-normalised vectors of texts, one row each."""

    def embed(self, texts: Sequence[str]) -> Floats: ...


class Ranker:
    """Compares a lexicon's words with questions."""

    def __init__(self, embedder: TextEmbedder, lexicon: Lexicon):
        self.lexicon = lexicon
        self._embedder = embedder
        self._vectors: dict[str, Floats] = {}
        words = lexicon.relations.values()
        ends = {e for w in words for e in (w.source, w.target)}
        nouns = {n for w in words for n in (*w.nouns, *w.inverse_nouns)}
        types = {t.word for t in lexicon.types.values()}
        # "director" is a class and a relation; as a relation it must be explained.
        self._classes = sorted({THING, *((ends | types) - nouns)})

    def vectors(self, texts: Sequence[str]) -> Floats:
        if not texts:
            return np.zeros((0, 1), np.float32)
        if len(self._vectors) > MOST_KEPT:
            self._vectors = {}
        kept = self._vectors  # these stay, whatever another thread puts in their place
        missing = [t for t in dict.fromkeys(texts) if t not in kept]
        if missing:
            kept.update(zip(missing, self._embedder.embed(missing), strict=True))
        return np.stack([kept[t] for t in texts])

    def similarity(self, steps: Sequence[Step], parts: Sequence[Stretch]) -> Floats:
        """Of each step's best phrase to each stretch of a question, shape (steps, parts)."""
        result = np.zeros((len(steps), len(parts)), np.float32)
        phrases = [step_phrases(self.lexicon, step) for step in steps]
        flat = [phrase for group in phrases for phrase, _ in group]
        if not flat or not parts:
            return result
        similar = self.vectors(flat) @ self.vectors([p.text for p in parts]).T
        at = 0
        for row, group in enumerate(phrases):
            if group:
                worth = np.array([w for _, w in group], np.float32)[:, None]
                result[row] = (similar[at : at + len(group)] * worth).max(axis=0)
            at += len(group)
        return result

    def weights(self, parts: Sequence[Stretch]) -> Floats:
        """How much the words of each stretch ask to be explained by a hop.

        Function words do not, and class words ("films") say little of relations.
        """
        words = sorted({w for p in parts for w in p.words} - self.lexicon.language.function_words)
        weight: dict[str, float] = {}
        if words:
            alike = (self.vectors(words) @ self.vectors(self._classes).T).max(axis=1)
            weight = dict(zip(words, np.maximum(0.0, 1.0 - alike).tolist(), strict=True))
        return np.array([sum(weight.get(w, 0.0) for w in p.words) for p in parts], np.float32)

    def asked_for(self, wanted: Sequence[str], steps: Sequence[Step]) -> Mapping[Step, float]:
        """How well what each step leads to fits what the question asks for.

        All 0 where the question does not say what it asks for.
        """
        found = dict.fromkeys(steps, 0.0)
        if not wanted:
            return found
        rows = self.vectors(wanted)
        for step in found:
            words = step_words(self.lexicon, step)
            wider = self.lexicon.wider.get(words.target, ())
            if ends := [w for w in (*words.nouns, words.target, *wider) if w != THING]:
                found[step] = float((self.vectors(ends) @ rows.T).max())
        return found

    def compare(self, questions: Sequence[str], sayings: Sequence[Sequence[str]]) -> list[float]:
        """For each question and its several sayings, the greatest cosine."""
        said = self.vectors([text for texts in sayings for text in texts])
        rows = self.vectors(questions)
        best, at = [], 0
        for row, texts in zip(rows, sayings, strict=True):
            best.append(float((said[at : at + len(texts)] @ row).max()))
            at += len(texts)
        return best
