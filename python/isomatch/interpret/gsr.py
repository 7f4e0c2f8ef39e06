"""The interpreter with a trained chain model (GSR, Huang et al., EMNLP Findings 2024).

The question's mention is masked, the model reads what is left, and a beam search
makes the most probable relation chains, bounded to those that the graph has from
the mention. Where the topic is not given, every maximal mention is masked in turn
and all their chains compete. Where chains of two mentions meet in some node, the
two are one hypothesis.

The score of a hypothesis is its share of the probability of all that were found. Only the best are
given, each pattern once, so theirs may sum to less than 1:

    score = exp(l) / Σ exp(l')
    l = Σ log P(step | question, steps before) + log P(end | question, steps)

where l of two chains that meet is the sum of theirs, and every name of the question
that a hypothesis leaves out costs `IGNORED`. A name in other letters than the graph's costs
`INEXACT` where the question has one in its very letters ("what genres do films that share
actors with The Saint fall under" is hardly about the film "Fall"). Of a model that has seen
more synthetic questions than labelled ones, l of each chain of the beam is raised by its
`words` times the score that the interpreter without a model gives the chain
(`SchemaInterpreter.scores`), but for wordings that people have corrected. The distances of the
links are beside this: they order the matches of one hypothesis, the score orders the hypotheses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from math import exp
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from isomatch import cancel
from isomatch.chains.graph import Chain, ChainGraph, Step
from isomatch.errors import InterpretationError
from isomatch.interpret.conjunction import meeting_pattern
from isomatch.interpret.types import Hypothesis
from isomatch.interpret.words.content import check_length
from isomatch.lexicon.mention import Mention
from isomatch.lexicon.mentions import MentionFinder
from isomatch.lexicon.substitutions import misspelled, spelling_notes
from isomatch.pattern.types import Pattern, RelationChain
from isomatch.schema.types import Schema
from isomatch.store.base import Store
from isomatch.store.terms import is_blank
from isomatch.trained.artifact import Artifact, open_artifact
from isomatch.trained.beam import TOP, WIDTH, Beam, ScoredChain, search
from isomatch.trained.masking import mask, same_wording
from isomatch.trained.runtime import ChainModel, Encoded
from isomatch.trained.vocabulary import FIRST, StepVocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from isomatch.interpret.schema import SchemaInterpreter

IGNORED = 3.0
INEXACT = 3.0
MOST_MENTIONS = 8


class GSRInterpreter:
    """Reads questions by a trained chain model; needs no torch.

    Args:
        store: the graph, asked which chains exist.
        schema: its relations.
        mentions: finds the graph's names in a question.
        artifact: a trained model, or its folder.
        cache_folder: where the relations that follow each other are cached.
        exists: make only chains that the graph has from the mention; False makes
            those that its relations allow.
        words: scores chains by the lexicon's words, for a model that asks for it.
        prefetch: called in a thread of its own with a name that the hypotheses will
            probably have, so that it is linked while the model reads the question;
            what it raises is raised after that.

    Raises:
        ArtifactError: there is no trained model, it is damaged, or the graph
            lacks relations that it makes chains of.
    """

    name = "gsr"

    def __init__(
        self,
        store: Store,
        schema: Schema,
        mentions: MentionFinder,
        artifact: Artifact | Path | str,
        *,
        cache_folder: Path | None = None,
        exists: bool = True,
        words: SchemaInterpreter | None = None,
        prefetch: Callable[[str], None] | None = None,
    ):
        if not isinstance(artifact, Artifact):
            artifact = open_artifact(artifact, "gsr", schema)
        self.artifact = artifact
        self._vocabulary = artifact.vocabulary or StepVocabulary((), ())
        self._nodes = artifact.config.nodes
        self._options: Mapping[str, Any] = {"nodes": self._nodes, "direction": "as written"}
        self._corrected = frozenset(artifact.config.corrected)
        self._longest = int(artifact.config.model["longest"])
        self._model = ChainModel(artifact.folder)
        self._schema = schema
        self._graph = ChainGraph(store, schema, cache_folder)
        self._finder = mentions
        self._exists = exists
        self._words = words
        self._prefetch = prefetch or (lambda name: None)
        self._lock = Lock()  # what is learned of the graph is kept from question to question

    @property
    def snapshot(self) -> Store | None:
        """See `SnapshotInterpreter.snapshot`."""
        return self._graph.snapshot

    def interpret(
        self, question: str, topics: Sequence[str] | None = None
    ) -> tuple[Hypothesis, ...]:
        """See `Interpreter.interpret`; one question at a time."""
        check_length(question)
        finder = self._finder
        mentions = finder.find(question) if topics is None else finder.given(question, topics)
        if not mentions:
            raise InterpretationError(
                f"no name of the graph was found in {question!r}; put the name in "
                "quotes or [brackets], or write a pattern"
            )
        mentions = mentions[:MOST_MENTIONS]
        masked = [f"[Retrieval] {mask(question, m.start, m.end)}" for m in mentions]
        with ThreadPoolExecutor(1, "isomatch-prefetch") as aside:  # ended whatever happens
            prefetched = aside.submit(cancel.carried(self._prefetch), mentions[0].text)
            encoded = self._model.encode(masked)
            with self._lock:
                self._graph.begin()
                found = self._read(question, mentions, encoded)
                self._graph.save()
        prefetched.result()
        if not found:
            raise InterpretationError(
                f"the trained model made no chain that the graph has from {mentions[0].text!r}, "
                f"as {question!r} has it; write a pattern instead"
            )
        weights = [exp(hypothesis.log_probability) for hypothesis in found]
        total = sum(weights)
        hypotheses: dict[Pattern, Hypothesis] = {}
        for hypothesis, weight in zip(found, weights, strict=True):
            score = weight / total if total else 1 / len(found)
            hypotheses.setdefault(
                hypothesis.pattern,
                Hypothesis(
                    hypothesis.pattern,
                    score,
                    self._options,
                    self.name,
                    (
                        *spelling_notes(hypothesis.mentions, self._finder.language),
                        *self.artifact.notes,
                    ),
                    taken_for=misspelled(hypothesis.mentions),
                ),
            )
        return tuple(hypotheses.values())[:TOP]

    def _read(self, question: str, mentions: Sequence[Mention], encoded: Encoded) -> list[_Scored]:
        """Every hypothesis, best first."""
        chains = self._chains(question, mentions, encoded)
        found = [
            _Scored(
                RelationChain(mention.text, self._walk(f.chain)).to_pattern(),
                f.log_probability,
                (mention,),
            )
            for mention, best in zip(mentions, chains, strict=True)
            for f in best
        ]
        for (left, lefts), (right, rights) in combinations(zip(mentions, chains, strict=True), 2):
            found += self._meetings(left, lefts, right, rights)
        return sorted((s.beside(mentions) for s in found), key=lambda s: -s.log_probability)

    def _chains(
        self, question: str, mentions: Sequence[Mention], encoded: Encoded
    ) -> list[list[ScoredChain[Chain]]]:
        """The best chains of each mention, all mentions in one batch."""

        def decode(steps: NDArray[np.int64]) -> NDArray[np.float32]:
            return self._model.decode(encoded, steps)

        def exists(chains: Sequence[tuple[int, Chain]]) -> list[bool]:
            """Of names that the graph does not have, every chain may be meant."""
            starts = [[id for id in m.ids if not is_blank(id)] for m in mentions]
            allowed = [self._allowed(chain) for _, chain in chains]
            asked = [i for i, (m, _) in enumerate(chains) if allowed[i] and starts[m]]
            there = self._graph.existing_from(
                [(starts[chains[i][0]], chains[i][1]) for i in asked], nodes=self._nodes
            )
            for i, is_there in zip(asked, there, strict=True):
                allowed[i] = is_there
            return allowed

        bounds: dict[str, Any] = {"exists": exists} if self._exists else {"follows": self._follows}
        worded = self._worded(question, mentions)
        found = search(
            decode,
            self._vocabulary,
            len(mentions),
            Beam(top=WIDTH if worded else TOP, longest=self._longest),
            **bounds,
        )
        if worded:
            found = [
                self._reworded(question, mention, best)[:TOP]
                for mention, best in zip(mentions, found, strict=True)
            ]
        return found

    def _worded(self, question: str, mentions: Sequence[Mention]) -> bool:
        """Whether words weigh beside the model: not where people said what the wording means."""
        if self._words is None or not self.artifact.config.words:
            return False
        wordings = (same_wording(mask(question, m.start, m.end)) for m in mentions)
        return self._corrected.isdisjoint(wordings)

    def _reworded(
        self, question: str, mention: Mention, found: Sequence[ScoredChain[Chain]]
    ) -> list[ScoredChain[Chain]]:
        """Chains in the order of their probability and their words together."""
        if self._words is None or not found:
            return list(found)
        scores = self._words.scores(question, mention, [f.chain for f in found])
        weight = self.artifact.config.words
        return sorted(
            (
                ScoredChain(f.chain, f.log_probability + weight * score)
                for f, score in zip(found, scores, strict=True)
            ),
            key=lambda f: -f.log_probability,
        )

    def _allowed(self, chain: Chain) -> bool:
        """Whether the last two steps can meet at some node, as far as the schema knows."""
        if len(chain) < 2:
            return True
        before, step = chain[-2:]
        joins = self._schema.joins
        if joins is not None and (_port(before.inverse), _port(step)) not in joins:
            return False
        return self._nodes == "walk" or self._graph.allowed(before, step)

    def _follows(self, chain: Chain) -> NDArray[np.bool_]:
        """Which steps the graph's relations let follow a chain."""
        import numpy as np

        allowed = np.ones(len(self._vocabulary.steps), bool)
        if chain:
            allowed[:] = False
            for step in self._graph.followers(chain[-1]):
                number = self._vocabulary.numbers.get(step)
                if number is not None and self._graph.allowed(chain[-1], step):
                    allowed[number - FIRST] = True
        return allowed

    def _meetings(
        self,
        left: Mention,
        lefts: Sequence[ScoredChain[Chain]],
        right: Mention,
        rights: Sequence[ScoredChain[Chain]],
    ) -> list[_Scored]:
        """The hypotheses of two mentions: a chain from each, both to the same node."""
        if not (left.ids and right.ids) or left.text == right.text:
            return []
        if left.start < right.end and right.start < left.end:
            return []
        pairs = [(a, b) for a in lefts for b in rights]
        there = self._graph.joined(
            left.ids, right.ids, [(a.chain, b.chain) for a, b in pairs], nodes=self._nodes
        )
        return [
            _Scored(
                meeting_pattern(
                    (left.text, right.text), (self._walk(a.chain), self._walk(b.chain))
                ),
                a.log_probability + b.log_probability,
                (left, right),
            )
            for (a, b), is_there in zip(pairs, there, strict=True)
            if is_there
        ]

    def _walk(self, chain: Chain) -> tuple[str, ...]:
        texts = [self._schema.by_id[step.relation].text for step in chain]
        return tuple(f"^{t}" if s.back else t for s, t in zip(chain, texts, strict=True))


def _port(step: Step) -> str:
    """The side of its relation on which a node has a step (`Schema.joins`)."""
    return f"{'-' if step.back else '+'}{step.relation}"


@dataclass(frozen=True, slots=True)
class _Scored:
    """A hypothesis, its log-probability and the mentions that it uses."""

    pattern: Pattern
    log_probability: float
    mentions: tuple[Mention, ...]

    def beside(self, mentions: Sequence[Mention]) -> _Scored:
        """The same, at the cost of names that it leaves out or takes in other letters."""
        spans = {
            (m.start, m.end)
            for m in mentions
            if m.ids
            and m.evident
            and all(m.end <= used.start or used.end <= m.start for used in self.mentions)
        }
        cost = IGNORED * len(spans)
        if any(m.exact for m in mentions):
            cost += INEXACT * sum(not m.exact for m in self.mentions)
        return _Scored(self.pattern, self.log_probability - cost, self.mentions)
