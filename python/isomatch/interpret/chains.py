"""The interpreter that needs no model: relation chains ranked by their words.

For every mention the chains that can start there are enumerated (up to three
hops) and ranked twice: all of them by aligning the question's words with the
hops (`isomatch.interpret.align`), and the best of these by the similarity of the
whole question, its mention masked, to the chain said in several ways
(`isomatch.interpret.verbalise`). The second needs an embedding for each way of
saying; they are kept, so that a graph's usual chains cost nothing after a while.

The score of a reading is

    cosine(question, best verbalisation) + ALIGNMENT · alignment + mention

clipped to 0..1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from isomatch.errors import InterpretationError
from isomatch.interpret.align import Alignment, Stretch, stretches
from isomatch.interpret.base import Reading
from isomatch.interpret.english import FUNCTION_WORDS, focus, plural, tokens
from isomatch.interpret.graph import Chain, ChainGraph, Step
from isomatch.interpret.lexicon import THING, Lexicon
from isomatch.interpret.mentions import Mention, MentionFinder
from isomatch.interpret.verbalise import step_phrases, step_words, verbalise
from isomatch.pattern.model import Pattern, RelationChain
from isomatch.schema.model import Schema
from isomatch.store.base import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

OPTIONS = {"nodes": "anchored", "direction": "as written"}
WIDTH = 1500  # chains kept after each hop
CLOSE_LOOK = 40  # chains of one mention whose verbalisations are embedded
ALIGNMENT = 0.7
FOCUS = 1.0


class TextEmbedder(Protocol):
    """What makes L2-normalised vectors of texts, one row each."""

    def embed(self, texts: Sequence[str]) -> Floats: ...


class ChainInterpreter:
    """Reads a question as a relation chain from a mention. No model, no training.

    Args:
        store: the graph, asked which chains exist.
        schema: its relations.
        embedder: for the question and the verbalised chains.
        names: (name, id) pairs, or what gives them when they are needed.
        lexicon: the words of relations and types.
        cache_folder: where names and successors are kept.
        max_hops: longest chain.
        top: most readings returned.
    """

    name = "chains"

    def __init__(
        self,
        store: Store,
        schema: Schema,
        embedder: TextEmbedder,
        names: Iterable[tuple[str, str]] | Callable[[], Iterable[tuple[str, str]]],
        lexicon: Lexicon,
        *,
        cache_folder: Path | None = None,
        max_hops: int = 3,
        top: int = 10,
    ):
        self._schema = schema
        self._lexicon = lexicon
        self._graph = ChainGraph(store, schema, cache_folder)
        self._vectors = _Vectors(embedder)
        self._finder = MentionFinder.open(names, cache_folder, schema.fingerprint, lexicon.words())
        self._max_hops = max_hops
        self._top = top
        self._steps = [Step(r.id, back) for r in schema.relations for back in (False, True)]
        ends = {e for w in lexicon.relations.values() for e in (w.source, w.target)}
        self._classes = sorted({THING, *ends, *(t.word for t in lexicon.types.values())})
        self._phrases = {step: step_phrases(lexicon, step) for step in self._steps}

    def interpret(self, question: str) -> tuple[Reading, ...]:
        """See `Interpreter.interpret`."""
        mentions = self._finder.find(question)
        if not mentions:
            raise InterpretationError(
                f"no name of the graph was found in {question!r}; put the name in "
                "quotes or [brackets], or write a pattern"
            )
        found = [scored for mention in mentions for scored in self._read(question, mention)]
        self._graph.save()
        found.sort(key=lambda s: (-s.score, len(s.chain), s.chain))
        readings: dict[Pattern, Reading] = {}
        for scored in found:
            pattern = self._pattern(scored)
            if pattern not in readings:
                score = min(1.0, max(0.0, scored.score / (1 + ALIGNMENT)))
                readings[pattern] = Reading(pattern, score, OPTIONS, self.name, scored.notes)
            if len(readings) == self._top:
                break
        if not readings:
            raise InterpretationError(
                f"no relation of the graph leads away from {mentions[0].text!r}, as "
                f"{question!r} has it; write a pattern instead"
            )
        return tuple(readings.values())

    def _read(self, question: str, mention: Mention) -> list[_Scored]:
        before, after = question[: mention.start], question[mention.end :]
        parts = stretches(before, after)
        chains, scores = self._align(mention, parts)
        asked = self._asked_for(focus(tokens(before), tokens(after)))
        scores = [s + FOCUS * asked[chain[-1]] for s, chain in zip(scores, chains, strict=True)]
        order = sorted(range(len(chains)), key=lambda i: (-scores[i], chains[i]))
        order = order[: CLOSE_LOOK * 2]
        if mention.ids:
            exists = self._graph.existing(mention.ids, [chains[i] for i in order])
            order = [i for i, there in zip(order, exists, strict=True) if there]
        order = order[:CLOSE_LOOK]
        cosines = self._compare(before, after, [chains[i] for i in order])
        return [
            _Scored(mention, chains[i], cosine + ALIGNMENT * scores[i], ())
            for i, cosine in zip(order, cosines, strict=True)
        ]

    def _align(
        self, mention: Mention, parts: Sequence[Stretch]
    ) -> tuple[list[Chain], Sequence[float]]:
        """Every chain from the mention, with its alignment score."""
        import numpy as np

        alignment, index = self._alignment(parts)
        tables = alignment.start()
        level: list[Chain] = [()]
        chains: list[Chain] = []
        scores: list[float] = []
        for _ in range(self._max_hops):
            parents, steps, longer = [], [], []
            for parent, chain in enumerate(level):
                for step in self._next(mention, chain):
                    parents.append(parent)
                    steps.append(index[step])
                    longer.append((*chain, step))
            if not longer:
                break
            tables = alignment.extend(tables, parents, steps)
            best = alignment.scores(tables)
            if len(longer) > WIDTH:
                kept = np.argsort(-best, kind="stable")[:WIDTH]
                tables, best = tables[kept], best[kept]
                longer = [longer[i] for i in kept]
            level = longer
            chains += longer
            scores += best.tolist()
        return chains, scores

    def _alignment(self, parts: Sequence[Stretch]) -> tuple[Alignment, Mapping[Step, int]]:
        import numpy as np

        phrases = [self._phrases[step] for step in self._steps]
        flat = [phrase for group in phrases for phrase, _ in group]
        texts = self._vectors.of([p.text for p in parts])
        steps = np.zeros((len(self._steps), len(parts)), np.float32)
        if flat and parts:
            similar = self._vectors.of(flat) @ texts.T
            at = 0
            for row, group in enumerate(phrases):
                if group:
                    worth = np.array([w for _, w in group], np.float32)
                    steps[row] = (similar[at : at + len(group)] * worth[:, None]).max(axis=0)
                at += len(group)
        words = {w: self._weight(w) for p in parts for w in p.words}
        weights = np.array([sum(words[w] for w in p.words) for p in parts], np.float32)
        return (
            Alignment(parts, steps, weights),
            {step: row for row, step in enumerate(self._steps)},
        )

    def _asked_for(self, wanted: Sequence[str]) -> Mapping[Step, float]:
        """For each step, how well what it leads to fits what the question asks for."""
        if not wanted:
            return dict.fromkeys(self._steps, 0.0)
        rows = self._vectors.of(wanted)
        found = {}
        for step in self._steps:
            words = step_words(self._lexicon, step)
            ends = [w for w in (*words.nouns, words.target) if w != THING]
            found[step] = float((self._vectors.of(ends) @ rows.T).max()) if ends else 0.0
        return found

    def _weight(self, word: str) -> float:
        """How much a word of the question asks to be explained by a hop.

        Class words ("films") say little about relations; function words nothing.
        """
        if word in FUNCTION_WORDS:
            return 0.0
        alike = float((self._vectors.of(self._classes) @ self._vectors.of([word])[0]).max())
        return max(0.0, 1.0 - alike)

    def _next(self, mention: Mention, chain: Chain) -> Iterable[Step]:
        if not chain:
            return self._graph.around(mention.ids) if mention.ids else self._steps
        return [s for s in self._graph.followers(chain[-1]) if self._graph.allowed(chain[-1], s)]

    def _compare(self, before: str, after: str, chains: Sequence[Chain]) -> list[float]:
        """For each chain, the cosine of its best verbalisation to the masked question."""
        if not chains:
            return []
        topics = [step_words(self._lexicon, chain[0]).source for chain in chains]
        masked = {topic: _masked(before, topic, after) for topic in dict.fromkeys(topics)}
        questions = dict(zip(masked, self._vectors.of(list(masked.values())), strict=True))
        said = [
            verbalise(self._lexicon, c, f"the {t}") for c, t in zip(chains, topics, strict=True)
        ]
        vectors = self._vectors.of([text for texts in said for text in texts])
        best, at = [], 0
        for topic, texts in zip(topics, said, strict=True):
            best.append(float((vectors[at : at + len(texts)] @ questions[topic]).max()))
            at += len(texts)
        return best

    def _pattern(self, scored: _Scored) -> Pattern:
        relations = tuple(
            ("^" if s.back else "") + self._schema.by_id[s.relation].text for s in scored.chain
        )
        return RelationChain(scored.mention.text, relations).to_pattern()


@dataclass(frozen=True, slots=True)
class _Scored:
    mention: Mention
    chain: Chain
    score: float
    notes: tuple[str, ...]


def _masked(before: str, topic: str, after: str) -> str:
    """The question with the class word for the mention, and not said twice."""
    words = tokens(before)
    if words and words[-1] in (topic, plural(topic)):
        return f"{before.rstrip()} {after.lstrip()}".strip()
    return f"{before.rstrip()} the {topic} {after.lstrip()}".strip()


class _Vectors:
    """Vectors of texts, each embedded once."""

    def __init__(self, embedder: TextEmbedder):
        self._embedder = embedder
        self._known: dict[str, Floats] = {}

    def of(self, texts: Sequence[str]) -> Floats:
        """One row for each text."""
        import numpy as np

        missing = [t for t in dict.fromkeys(texts) if t not in self._known]
        if missing:
            self._known.update(zip(missing, self._embedder.embed(missing), strict=True))
        return np.stack([self._known[t] for t in texts]) if texts else np.zeros((0, 1), np.float32)
