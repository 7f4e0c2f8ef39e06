"""The interpreter with a trained program model.

Its language is that of `isomatch.interpret.programs.tokens`: sets, counts, superlatives,
negations. The names and values of the question are replaced by what they are, the model
reads what is left, and a beam search writes the most probable programs that the grammar,
the graph's types and the names allow. The model also weighs the readings that are composed
of the question's words without it (`isomatch.interpret.compose`).

The score of a hypothesis is its share of the weight of all that were found, and of a part of
what all others weigh, mixed with the best composed reading that leaves nothing out:

    score  = (1 − trust) · w / (Σ w' + (UNFOUND · exp(UNSAID) · (1 − Σ P(program found)))^(1/T))
             + trust, for the best composed reading
    w      = exp(l / T)
    l      = Σ log P(token | question, tokens before) + channel + composed
             − `UNUSED` · names of the question left out − `MISSED` · other words left out

where *channel* is `OF_WORDS` times `isomatch.trained.channel.Channel.scores`, less that of the
program with the most, and nothing where the decoder is `SURE` of one program; and *composed* is the
score of the composed reading that is this program, in *l* at most 0, and `UNSAID` where none is.
Without the others, the best of some improbable programs would be certain: those of a question that
the model cannot read. `T` is the temperature: a decoder is far too sure of programs of a form that
it knows. Words left out are those that make it another question, see
`isomatch.interpret.types.Coverage.missing`: a program that says them all is rather meant.
The odds against the best one count `DOUBT` where one of the nearest questions of training meant it
(`isomatch.trained.precedents`).

Both readers are mixed (Jacobs et al., Neural Computation 1991): a decoder that knows nothing of a
kind of question must not outvote words that say what they mean. *trust* is how often the best
composed reading was right in training (`ArtifactConfig.words`), and 0 where none that is likely
leaves nothing out; composing gives no probabilities, so of several only the best one counts. One
that is not the best program counts less, see `isomatch.interpret.programs.trust`. Where it is over
`TRUSTED` nothing could come before that one, and the model is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from math import exp, inf, log
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from isomatch.chains.graph import ChainGraph
from isomatch.errors import InterpretationError, PatternError
from isomatch.interpret.compose.analysis import is_one
from isomatch.interpret.compose.composer import Composer
from isomatch.interpret.compose.expressions import Expression
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.patterns import options_of, to_pattern
from isomatch.interpret.compose.readings.answering import Reading
from isomatch.interpret.compose.readings.beside_names import passes_again
from isomatch.interpret.programs.coverage import ProgramCoverage
from isomatch.interpret.programs.grammar import Grammar
from isomatch.interpret.programs.prefixes import Prefixes
from isomatch.interpret.programs.slots import SlotFinder, masked
from isomatch.interpret.programs.telling import with_guesses
from isomatch.interpret.programs.tokens import ProgramWriter, Slot
from isomatch.interpret.programs.tree import in_words, slots_of
from isomatch.interpret.programs.trust import Trust, in_full
from isomatch.interpret.question import Asked
from isomatch.interpret.types import Hypothesis, Interpreter
from isomatch.interpret.words.content import check_length, not_understood
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mentions import MentionFinder
from isomatch.lexicon.rank import Ranker, TextEmbedder
from isomatch.pattern.types import Pattern
from isomatch.schema.types import Schema
from isomatch.store.base import Store
from isomatch.trained.alignment import Program
from isomatch.trained.artifact import Artifact
from isomatch.trained.beam import Beam, ScoredChain, search
from isomatch.trained.channel import CHANNEL, Channel
from isomatch.trained.program_vocabulary import ProgramVocabulary
from isomatch.trained.runtime import ChainModel

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNUSED = 8.0
MISSED = 3.0
TEMPERATURE = 2.0
UNSAID = -1.5
UNFOUND = 0.003
UNWRITTEN = -4.0
"""For the logarithm of the probability of a composed reading that is no program."""
BEAM = 12
"""Programs that are followed at a time, and kept: the right one is often not among the first."""
MARGIN = 15.0
OF_WORDS = 0.8
SURE = 0.85
"""Probability of a program by the decoder alone from which the channel is not asked."""
ALONE = 0.7
"""The same from which no readings are composed beside it, if it says every word."""
DOUBT = 0.1
"""What the odds against the best program count where a question that is like this one meant it."""
CERTAIN = 0.85
"""Score from which words that say something else as a rule are only told."""
DOUBTED = 0.7
"""Score below which an answer says how sure its reading is: half of such answers were right."""
LEFT = 9.0
"""For the logarithm of a probability, below that of a sure one: programs that need no coverage."""
FEWER = LEFT + 1.0
"""Instead of `MARGIN`, below a sure one: several spellings of a program count together."""
TOP = 5
MOST_READINGS = 10
MOST_MATCHES = 10_000


class ProgramInterpreter:
    """Reads questions by a trained program model; needs no torch.

    Args:
        store: the graph, asked what the names of a question are.
        schema: its relations and types.
        embedder: for words that the lexicon does not have.
        lexicon: the words of relations and types.
        mentions: finds the graph's names in a question.
        artifact: a trained model, bound to the schema.
        words: reads questions by their words alone, of a model that nobody has checked: where it
            has a likely reading of every word, that is taken.
        cache_folder: where what is learnt of the graph's relations is cached.

    Raises:
        ArtifactError: a file of the model is missing or damaged.
    """

    name = "programs"

    def __init__(
        self,
        store: Store,
        schema: Schema,
        embedder: TextEmbedder,
        lexicon: Lexicon,
        mentions: MentionFinder,
        artifact: Artifact,
        *,
        words: Interpreter | None = None,
        cache_folder: Path | None = None,
    ):
        self.artifact = artifact
        self._vocabulary = artifact.programs or ProgramVocabulary((), ())
        self._longest = int(artifact.config.model["longest"])
        self._model = ChainModel(artifact.folder)
        self._channel = Channel(artifact.folder / CHANNEL)
        known = {**artifact.config.definitions, **lexicon.definitions}
        lexicon = replace(lexicon, definitions=known)
        self._lexicon = lexicon
        language, ranker = lexicon.language, Ranker(embedder, lexicon)
        self._kinds = GraphKinds(schema, lexicon)
        self._grammar = Grammar(self._kinds, self._vocabulary)
        self._writer = ProgramWriter(self._kinds)
        self._coverage = ProgramCoverage(self._kinds, self._vocabulary, language, ranker)
        self._mentions = mentions
        self._slots = SlotFinder(self._kinds, mentions, language)
        self._composer = Composer(schema, lexicon, ranker)
        self._graph = ChainGraph(store, schema, cache_folder)
        self._trust = Trust(artifact)
        self._words = words
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
        mentions = self._mentions.find(question)
        unknown = self._composer.unknown(question, mentions)
        if unknown and not any(word.lower() in self._vocabulary.said.shares for word in unknown):
            raise InterpretationError(not_understood(question, unknown))
        if self._words is not None and (said := in_full(self._words, question, topics)):
            return said
        with self._lock:
            self._graph.begin()
            slots = self._slots.find(question, self._graph, topics)
            compose = partial(self._readings, question, topics)
            found = self._hypotheses(question, slots, compose)
        if not found:
            raise InterpretationError(
                f"the trained model wrote no program that the graph allows for {question!r}; "
                "write a pattern instead"
            )
        ranked = sorted(found.values(), key=lambda scored: -scored[1])
        names = mentions if topics is None else self._mentions.given(question, topics)
        return tuple(
            replace(
                hypothesis,
                score=score,
                source=self.name,
                notes=(*hypothesis.notes, *self.artifact.notes),
            )
            for found_one, score in ranked[:TOP]
            for hypothesis in [with_guesses(found_one, names, self._kinds.language)]
        )

    def _readings(
        self, question: str, topics: Sequence[str] | None
    ) -> list[tuple[Reading, Hypothesis]]:
        """The readings composed of the question's words, best first."""
        asked = Asked.of(question, self._mentions, self._lexicon, topics)
        text, names = asked.text, asked.names
        readings = self._composer.readings(text, names, asked.beside, self._graph)
        return [
            (r, replace(self._composer.hypothesis(text, r, names), doubted=DOUBTED))
            for r in readings[:MOST_READINGS]
        ]

    def _hypotheses(
        self,
        question: str,
        slots: Sequence[Slot],
        compose: Callable[[], list[tuple[Reading, Hypothesis]]],
    ) -> dict[Pattern, tuple[Hypothesis, float]]:
        """What the model and the words say a question means, with the score of each."""
        readings = compose() if self._trust.comes_first else []
        if trusted := self._trust.share(readings):
            # No program could come before it.
            return {r.pattern: (h, trusted[r.pattern]) for r, h in readings if r.pattern in trusted}
        composed: dict[Program, list[tuple[Reading, Hypothesis]]] = {}
        said: dict[Pattern, tuple[Hypothesis, float]] = {}
        written: dict[Pattern, Program] = {}
        sure = True

        def given() -> Collection[Program]:
            nonlocal sure
            sure = False
            readings.extend(() if self._trust.comes_first else compose())
            for reading, hypothesis in readings:
                program = self._writer.write(reading.item.value, slots)
                if program is not None and self._vocabulary.knows(program):
                    composed.setdefault(program, []).append((reading, hypothesis))
                else:
                    said[reading.pattern] = hypothesis, UNWRITTEN + reading.score
            return composed

        bare = cache(partial(self._bare, question, slots=slots))
        programs, others = self.programs(question, slots, given, partial(self._is_sure, bare))
        least = programs[0][1] - LEFT if sure and programs else -inf
        for program, probable in programs:
            if probable < least:
                break  # not a hundredth as likely as one that says every word
            if program in composed:  # readings of one program differ in types that it implies
                reading, hypothesis = max(composed[program], key=lambda one: one[0].score)
                options = {**hypothesis.options, **self._options(reading.item.value)}
                coverage = hypothesis.coverage
                if coverage is not None and coverage.left_out:
                    coverage = self._coverage.read(question, program, slots)
                hypothesis = replace(hypothesis, options=options, coverage=coverage)
                # Words that say it badly count no less than none.
                said[reading.pattern] = hypothesis, probable + max(reading.score, UNSAID)
                written[reading.pattern] = program
            elif (only := bare(program)) is not None:
                said.setdefault(only.pattern, (only, probable + UNSAID))
                written.setdefault(only.pattern, program)
        missed = {pattern: MISSED * self._missed(h) for pattern, (h, _) in said.items()}
        best = sorted(said, key=lambda pattern: missed[pattern] - said[pattern][1])[:1]
        # What the best program leaves out no better one says, so it is not improbable for that.
        least = sum(missed[pattern] for pattern in best)
        weights = {
            pattern: exp((score - missed[pattern] + least) / TEMPERATURE)
            for pattern, (_, score) in said.items()
        }
        unfound = (others * UNFOUND * exp(UNSAID)) ** (1 / TEMPERATURE)
        trusted = self._trust.share([one for one in readings if one[0].pattern in said], best)
        rest = (1 - sum(trusted.values())) / (sum(weights.values()) + unfound or 1.0)
        shares = {p: rest * weights[p] + trusted.get(p, 0.0) for p in said}
        found = {p: (self._told(question, h, shares[p]), shares[p]) for p, (h, _) in said.items()}
        return self._by_precedent(masked(question, slots, self._kinds), found, written)

    def _told(self, question: str, of: Hypothesis, score: float) -> Hypothesis:
        """A hypothesis; of one that is nearly certain, words without a place are told.

        What a model says that nobody has checked is told too, however sure it is.
        """
        of = replace(of, doubted=inf if self.artifact.config.unchecked else DOUBTED)
        if score < CERTAIN or of.coverage is None:
            return of
        return replace(of, coverage=self._coverage.told.of_certain(question, of.coverage))

    def _by_precedent(
        self,
        text: str,
        found: dict[Pattern, tuple[Hypothesis, float]],
        written: Mapping[Pattern, Program],
    ) -> dict[Pattern, tuple[Hypothesis, float]]:
        """The same; the best one is likelier where a question that is like a masked one meant it.

        What it leaves out and that question has too was no other question there.
        """
        best = max(found, key=lambda pattern: found[pattern][1], default=None)
        program = None if best is None else written.get(best)
        like = [said for said, of in self._vocabulary.precedents.near(text) if of == program]
        if best is None or not like:
            return found
        hypothesis, score = found[best]
        whole = score + DOUBT * (1 - score)
        if hypothesis.coverage is not None:
            coverage = self._coverage.told.of_precedents(hypothesis.coverage, like)
            hypothesis = replace(hypothesis, coverage=coverage)
        others = {pattern: (of, DOUBT * share / whole) for pattern, (of, share) in found.items()}
        return {**others, best: (hypothesis, score / whole)}

    def _missed(self, hypothesis: Hypothesis) -> int:
        """How many words are left out that other programs may say; names are counted as unused."""
        left_out = hypothesis.coverage.left_out if hypothesis.coverage else ()
        said = self._vocabulary.said
        words = (span for span in left_out if span.kind != "name")
        return sum(s.kind != "word" or not said.is_vague(s.text.lower()) for s in words)

    def _bare(self, question: str, program: Program, slots: Sequence[Slot]) -> Hypothesis | None:
        """The hypothesis of a program that no words say; None where there is no pattern."""
        try:
            expression = self._writer.read(program, slots)
        except PatternError:
            return None  # a name does not fit its place
        pattern = to_pattern(expression, self._kinds)
        if pattern is None:
            return None
        coverage = self._coverage.read(question, program, slots)
        if all(span.kind == "name" for span in coverage.understood):
            return None  # nothing is asked
        if not is_one(expression):  # each of several nodes of a name has a number of its own
            names = [s for s in coverage.understood if s.kind == "name"]
            several = tuple(replace(s, meaning="") for s in names)
            coverage = replace(coverage, left_out=(*coverage.left_out, *several))
        return Hypothesis(pattern, 0.0, self._options(expression), coverage=coverage)

    def _options(self, of: Expression) -> Mapping[str, Any]:
        """The options of the search for a program.

        A query in Cypher passes each fact once: who goes back over a relation is led to others, and
        an email is not the one whose owner they live with. Each answer may have many matches, as
        the officers of some thousand crimes.
        """
        options = {**options_of(of), "limit": MOST_MATCHES}
        once = self.artifact.config.nodes == "repeat" and passes_again(of)
        return {**options, "nodes": "repeat"} if once else options

    def programs(
        self,
        question: str,
        slots: Sequence[Slot],
        given: Callable[[], Collection[Program]] | None = None,
        is_sure: Callable[[ScoredChain[Program]], bool] | None = None,
    ) -> tuple[list[tuple[Program, float]], float]:
        """The most probable programs of a question with what speaks for them, best first.

        Args:
            given: gives programs that are weighed too, however improbable they are.
            is_sure: whether the decoder is sure of a program that no other could outvote. Then
                others are not asked for, and improbable ones are not looked for.

        Returns:
            Also the probability of all other programs, by the decoder alone.
        """
        text = masked(question, slots, self._kinds)
        encoded = self._model.encode([f"[Retrieval] {text}"])

        def decode(numbers: NDArray[np.int64]) -> NDArray[np.float32]:
            return self._model.decode(encoded, numbers)

        def margin(best: ScoredChain[Program]) -> float:
            written = replace(best, chain=self._one_spelling(best.chain, slots))
            return FEWER if is_sure and is_sure(written) else MARGIN

        (free,) = search(
            decode,
            self._vocabulary,
            1,
            Beam(BEAM, BEAM, self._longest, MARGIN),
            follows=lambda program: self._grammar.follows(program, slots),
            ends=self._grammar.whole,
            margin=margin,
        )
        free = self._as_written(free, slots)
        known = {f.chain for f in free}
        likeliest = max(free, key=lambda one: one.log_probability, default=None)
        sure = likeliest is not None and is_sure is not None and is_sure(likeliest)
        more = given() if given and not sure else ()
        others = [p for p in more if p not in known and self._vocabulary.knows(p)]
        weighed: list[ScoredChain[Program]] = []
        if others:
            longest = max(map(len, others))
            beam = Beam(len(others), len(others), longest, margin=inf)
            begun = Prefixes(others, self._vocabulary)
            (weighed,) = search(
                decode, self._vocabulary, 1, beam, follows=begun.follows, ends=begun.whole
            )
        named = {number for number, slot in enumerate(slots) if slot.variants}
        found = (*free, *weighed)
        said = self._said(text, found)
        most = max(said, default=0.0)
        scored = [
            (f.chain, f.log_probability + of - most - UNUSED * len(named - slots_of(f.chain)))
            for f, of in zip(found, said, strict=True)
        ]
        rest = max(0.0, 1 - sum(exp(f.log_probability) for f in found))
        return sorted(scored, key=lambda item: -item[1]), rest

    def _is_sure(
        self, bare: Callable[[Program], Hypothesis | None], best: ScoredChain[Program]
    ) -> bool:
        """Whether the decoder is sure of a program that says every word.

        So that no composed reading would come before it, however likely.
        """
        if (
            best.log_probability <= log(ALONE)
            or (1 - self._trust.agreeing) * ALONE <= self._trust.agreeing
        ):
            return False
        found = bare(best.chain)
        return found is not None and not (found.coverage and found.coverage.left_out)

    def _said(self, text: str, found: Sequence[ScoredChain[Program]]) -> list[float]:
        """How probable each program makes the words of a masked question, weighted."""
        if len(found) < 2 or max(f.log_probability for f in found) > log(SURE):
            return [0.0] * len(found)
        said = [in_words(f.chain, text, self._kinds) for f in found]
        return [OF_WORDS * score for score in self._channel.scores(text, said)]

    def _as_written(
        self, found: Sequence[ScoredChain[Program]], slots: Sequence[Slot]
    ) -> list[ScoredChain[Program]]:
        """Programs in their one spelling, each with the probability of all its spellings."""
        merged: dict[Program, float] = {}
        for one in found:
            program = self._one_spelling(one.chain, slots)
            before = merged.get(program, -inf)
            merged[program] = float(np.logaddexp(before, one.log_probability))
        return [ScoredChain(program, score) for program, score in merged.items()]

    def _one_spelling(self, program: Program, slots: Sequence[Slot]) -> Program:
        with suppress(PatternError):  # a name does not fit its place
            return self._writer.write(self._writer.read(program, slots), slots) or program
        return program
