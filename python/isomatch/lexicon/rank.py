"""How well hops and whole hypotheses fit a question's words, by their vectors.

Everything here is a cosine of two texts' embeddings; the texts are the lexicon's
on one side and the question's on the other. Vectors are kept: a graph's usual
phrases are embedded once, and later questions pay for their own words only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from isomatch.chains.graph import Step
from isomatch.lexicon.align import Stretch
from isomatch.lexicon.english import FUNCTION_WORDS
from isomatch.lexicon.lexicon import THING, Lexicon
from isomatch.lexicon.verbalise import step_phrases, step_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MOST_KEPT = 100_000  # vectors; 150 MB


class TextEmbedder(Protocol):
    """What makes L2-normalised vectors of texts, one row each."""

    def embed(self, texts: Sequence[str]) -> Floats: ...


class Ranker:
    """Compares a lexicon's words with questions.

    Args:
        embedder: for all texts; wrap it to keep vectors from run to run.
        lexicon: the words of relations and types.
    """

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
        """One row for each text."""
        import numpy as np

        if not texts:
            return np.zeros((0, 1), np.float32)
        if len(self._vectors) > MOST_KEPT:
            self._vectors.clear()
        missing = [t for t in dict.fromkeys(texts) if t not in self._vectors]
        if missing:
            self._vectors.update(zip(missing, self._embedder.embed(missing), strict=True))
        return np.stack([self._vectors[t] for t in texts])

    def similarity(self, steps: Sequence[Step], parts: Sequence[Stretch]) -> Floats:
        """Of each step's best phrase to each stretch of a question, shape (steps, parts)."""
        import numpy as np

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
        import numpy as np

        words = sorted({w for p in parts for w in p.words} - FUNCTION_WORDS)
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
            if ends := [w for w in (*words.nouns, words.target) if w != THING]:
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
