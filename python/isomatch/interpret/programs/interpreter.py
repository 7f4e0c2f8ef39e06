"""The interpreter with a trained program model.

Its language is that of `isomatch.interpret.programs.tokens`: sets, counts, superlatives,
negations. The names and values of the question are replaced by what they are, the model
reads what is left, and a beam search writes the most probable programs that the grammar,
the graph's types and the names allow.

The score of a hypothesis is its share of the probability of all that were found:

    score = exp(l) / Σ exp(l')
    l = Σ log P(token | question, tokens before) − `UNUSED` · names of the question left out
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from isomatch.chains.graph import ChainGraph
from isomatch.errors import InterpretationError, PatternError
from isomatch.interpret.compose.composer import options_of
from isomatch.interpret.compose.expressions import to_pattern
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.programs.grammar import Grammar
from isomatch.interpret.programs.slots import SlotFinder, masked
from isomatch.interpret.programs.tokens import ProgramWriter, Slot, slots_of
from isomatch.interpret.types import Coverage, Hypothesis
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mentions import MentionFinder
from isomatch.pattern.types import Pattern
from isomatch.schema.types import Schema
from isomatch.store.base import Store
from isomatch.trained.artifact import Artifact
from isomatch.trained.beam import Beam, search
from isomatch.trained.program_vocabulary import Program, ProgramVocabulary
from isomatch.trained.runtime import ChainModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNUSED = 8.0
WIDTH = 6
TOP = 5


class ProgramInterpreter:
    """Reads questions by a trained program model; needs no torch.

    Args:
        store: the graph, asked what the names of a question are.
        schema: its relations and types.
        lexicon: which of its relations have words.
        mentions: finds the graph's names in a question.
        artifact: a trained model, bound to the schema.
        cache_folder: where what is learnt of the graph's relations is cached.

    Raises:
        ArtifactError: a file of the model is missing or damaged.
    """

    name = "programs"

    def __init__(
        self,
        store: Store,
        schema: Schema,
        lexicon: Lexicon,
        mentions: MentionFinder,
        artifact: Artifact,
        *,
        cache_folder: Path | None = None,
    ):
        self.artifact = artifact
        self._vocabulary = artifact.programs or ProgramVocabulary((), ())
        self._longest = int(artifact.config.model["longest"])
        self._model = ChainModel(artifact.folder)
        self._kinds = GraphKinds(schema, lexicon)
        self._grammar = Grammar(self._kinds, self._vocabulary)
        self._writer = ProgramWriter(self._kinds)
        self._slots = SlotFinder(self._kinds, mentions)
        self._graph = ChainGraph(store, schema, cache_folder)
        self._lock = Lock()  # what is learned of the graph is kept from question to question

    @property
    def snapshot(self) -> Store | None:
        """See `SnapshotInterpreter.snapshot`."""
        return self._graph.snapshot

    def interpret(
        self, question: str, topics: Sequence[str] | None = None
    ) -> tuple[Hypothesis, ...]:
        """See `Interpreter.interpret`; one question at a time."""
        with self._lock:
            self._graph.begin()
            slots = self._slots.find(question, self._graph, topics)
            programs = self.programs(question, slots)
        weights: dict[Pattern, float] = {}
        options: dict[Pattern, Mapping[str, Any]] = {}
        for program, probable in programs:
            try:
                expression = self._writer.read(program, slots)
            except PatternError:
                continue  # a name that no longer fits its place
            pattern = to_pattern(expression, self._kinds)
            if pattern is not None:
                weights[pattern] = weights.get(pattern, 0.0) + exp(probable)
                options.setdefault(pattern, options_of(expression))
        if not weights:
            raise InterpretationError(
                f"the trained model wrote no program that the graph allows for {question!r}; "
                "write a pattern instead"
            )
        total = sum(weights.values())
        ranked = sorted(weights, key=lambda pattern: -weights[pattern])
        return tuple(
            Hypothesis(
                pattern,
                weights[pattern] / total if total else 1 / len(ranked),
                options[pattern],
                self.name,
                self.artifact.notes,
                Coverage(exact=True),  # its words are placed afterwards
            )
            for pattern in ranked
        )

    def programs(self, question: str, slots: Sequence[Slot]) -> list[tuple[Program, float]]:
        """The most probable programs of a question with their log-probabilities, best first."""
        encoded = self._model.encode([f"[Retrieval] {masked(question, slots, self._kinds)}"])

        def decode(numbers: NDArray[np.int64]) -> NDArray[np.float32]:
            return self._model.decode(encoded, numbers)

        (found,) = search(
            decode,
            self._vocabulary,
            1,
            Beam(width=WIDTH, top=TOP, longest=self._longest),
            follows=lambda program: self._grammar.follows(program, slots),
            ends=self._grammar.whole,
        )
        named = {number for number, slot in enumerate(slots) if slot.variants}
        scored = [
            (f.chain, f.log_probability - UNUSED * len(named - slots_of(f.chain))) for f in found
        ]
        return sorted(scored, key=lambda item: -item[1])
