"""The interpreter that needs no model: questions composed of their words, and relation chains.

A question is first composed whole, see `isomatch.interpret.compose`. Where that leaves words
out, it is read as relation chains, ranked by their words.

For every mention the chains that start there are enumerated (up to three hops,
from what follows what in the graph) and ranked twice: all of them by their words
and numbers, and the best of these also by the cosine of the whole question, its
mention masked by a class word, to the chain said in several ways. The score of
a hypothesis is the logistic function, so that it lies between 0 and 1, of

    cosine + ALIGNMENT · alignment + FOCUS · focus − SPREAD · spread − IGNORED · names − 1

- *cosine*: of the question to the nearest verbalisation;
- *alignment*: how well the hops explain the words, see `isomatch.lexicon.rank`;
- *focus*: cosine of what the question asks for ("which languages", "who") to
  what the last hop leads to;
- *spread*: by how many powers of ten the chain's later hops fan out in the mean:
  few people ask for what a million paths lead to;
- *names*: how many further names the question has that the hypothesis leaves out.

The weights were set by hand on samples of MetaQA (dev), PathQuestions and
WorldCup2014 together, so figures on these sets flatter them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from isomatch.chains.graph import Chain, ChainGraph, Step
from isomatch.errors import InterpretationError
from isomatch.interpret.compose.composer import Composer
from isomatch.interpret.compose.leaves.untyped_kinds import has_facts, says_all
from isomatch.interpret.conjunction import align_pairs, meeting_pattern, verbalise_pair
from isomatch.interpret.missing_values import MissingValues
from isomatch.interpret.question import Asked
from isomatch.interpret.scored import MOST_HOMONYMS, Scored, are_best, best, leads_to_done, spread
from isomatch.interpret.types import Hypothesis
from isomatch.interpret.words.content import check_length, not_understood
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mention import Mention
from isomatch.lexicon.mentions import MentionFinder
from isomatch.lexicon.rank import Alignment, Ranker, TextEmbedder, gains, stretches
from isomatch.lexicon.substitutions import misspelled, spelling_notes
from isomatch.lexicon.verbalise import step_words, verbalise
from isomatch.pattern.types import Pattern, RelationChain
from isomatch.schema.types import Schema
from isomatch.store.base import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

ALIGNMENT = 1.0
FOCUS = 1.0
SPREAD = 0.15

WIDTH = 1500  # chains kept after each hop
MOST_CHAINS = 20_000  # looked at for one hop
CLOSE_LOOK = 40  # chains of one mention whose verbalisations are embedded, if need be
CLOSE_LOOK_TYPED = 8  # in a graph with types, whose questions are composed
TOP_TYPED = 5  # chains that such a graph is asked for
AT_ONCE = 8  # of them
MOST_ALIKE = 1.001  # a cosine, with what is rounded
MOST_STEPS = 300  # different steps looked at for one hop; each has some eight phrases
UNSAID = 0.7  # of one with little that no word says, none of it against its words
FACT = 0.82  # score of a reading whose words cost next to nothing
FIRST_STEPS = 100  # relations tried from a name that the graph does not have


class SchemaInterpreter:
    """Reads a question by the words of the schema. No model, no training.

    Args:
        store: the graph, asked which chains exist.
        schema: its relations.
        embedder: for the question and the verbalised chains.
        mentions: finds the graph's names in a question.
        lexicon: the words of relations and types.
        cache_folder: where the relations that follow each other are cached.
        max_hops: longest chain.
        top: most hypotheses returned.
    """

    name = "schema"

    def __init__(
        self,
        store: Store,
        schema: Schema,
        embedder: TextEmbedder,
        mentions: MentionFinder,
        lexicon: Lexicon,
        *,
        cache_folder: Path | None = None,
        max_hops: int = 3,
        top: int = 10,
    ):
        self._schema = schema
        self._lexicon = lexicon
        self._graph = ChainGraph(store, schema, cache_folder)
        self._ranker = Ranker(embedder, lexicon)
        self._composer = Composer(schema, lexicon, self._ranker)
        self._finder = mentions
        self._missing_values = MissingValues(schema, mentions, lexicon.language)
        self._max_hops = max_hops
        self._top = top
        self._close_look = CLOSE_LOOK_TYPED if schema.typed else CLOSE_LOOK
        self._top_chains = min(top, TOP_TYPED) if schema.typed else top
        self._kinds_are_unknown = not schema.typed
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
        with self._lock:
            return self._interpret(question, topics)

    def scores(self, question: str, mention: Mention, chains: Sequence[Chain]) -> list[float]:
        """How well the words of a question fit chains that something else has found.

        The sum in the module's text, before the logistic function and without names.
        """
        with self._lock:
            return self._scores(question, mention, chains)

    def _scores(self, question: str, mention: Mention, chains: Sequence[Chain]) -> list[float]:
        before, after = question[: mention.start], question[mention.end :]
        parts = stretches(before, after, self._lexicon.language.function_words)
        steps = sorted({step for chain in chains for step in chain})
        row = {step: i for i, step in enumerate(steps)}
        gained = gains(self._ranker.similarity(steps, parts), self._ranker.weights(parts))
        asked = self._ranker.asked_for(
            self._lexicon.language.focus(tokens(before), tokens(after)), steps
        )
        alignment = Alignment(parts)
        scores = []
        for chain in chains:
            tables = alignment.start()
            for step in chain:
                tables = alignment.extend(tables, [0], gained[[row[step]]])
            aligned = ALIGNMENT * float(alignment.scores(tables)[0])
            scores.append(
                aligned + FOCUS * asked[chain[-1]] - SPREAD * spread(chain[1:], self._schema)
            )
        cosines = self._cosines(before, after, chains)
        return [score + cosine for score, cosine in zip(scores, cosines, strict=True)]

    def _interpret(self, question: str, topics: Sequence[str] | None) -> tuple[Hypothesis, ...]:
        asked = Asked.of(question, self._finder, self._lexicon, topics)
        text, names = asked.text, asked.names
        self._graph.begin()
        if self._kinds_are_unknown:
            self._composer.learn_kinds(self._graph)
            self._kinds_are_unknown = False
            self._graph.begin(same=True)
        if foreign := self._composer.unknown(question, names):
            note = f" (questions are read in the language {self._lexicon.language.code!r})"
            raise InterpretationError(not_understood(question, foreign, note))
        if owner := self._composer.sentences.owner(question):
            raise InterpretationError(not_understood(question, owner))
        if told := self._composer.sentences.statement(text, names):
            raise InterpretationError(not_understood(question, told, " (it asks for nothing)"))
        composed = self._composer.hypotheses(text, names, asked.beside, self._graph)[: self._top]
        sure = composed
        if not self._schema.typed:  # the kinds of things are guesses, and chains are read better
            first = self._as_fact(question, composed[0], names) if composed else None
            said = says_all(composed, self._lexicon.language)
            others = [h for h in composed if h in said or not _is_plain(h.pattern)]
            others = [h for h in others if self._may_hold(question, names, h.pattern, *h.otherwise)]
            sure = others if first is None else [first, *others]
        whole = [h for h in sure if h.coverage and not h.coverage.left_out]
        if whole:
            return tuple(map(self._missing_values.left_out, whole))
        if not self._lexicon.language.similar_words:  # chains are read by likeness
            if not composed:
                unplaced = self._composer.unplaced(question, names, self._graph)
                raise InterpretationError(not_understood(question, unplaced))
            return tuple(composed)
        likely = self._likely(question, composed, names)
        try:
            chains = self._of_chains(question, asked.mentions)[: self._top_chains - len(likely)]
            return (*chains, *likely)  # others that are composed leave words out, as chains do
        except InterpretationError:
            if not composed:
                raise
            return tuple(composed)

    def _likely(
        self, question: str, composed: Sequence[Hypothesis], names: Sequence[Mention]
    ) -> list[Hypothesis]:
        """What reads all of a question and costs little, of a graph without types."""
        found = [h for h in composed if h.score >= UNSAID]
        found = [h for h in found if h.coverage and not h.coverage.left_out]
        return [h for h in found if self._may_hold(question, names, h.pattern, *h.otherwise)]

    def _may_hold(self, question: str, names: Sequence[Mention], *patterns: Pattern) -> bool:
        return any(has_facts(self._graph, p, names) for p in patterns if self._may_ask(question, p))

    def _may_ask(self, question: str, pattern: Pattern) -> bool:
        """Whether the answers of a pattern are no things that people do, where "who" is asked."""
        steps = (
            Step(r.id, edge.source in pattern.answers)
            for edge in pattern.edges
            if not {edge.source, edge.target}.isdisjoint(pattern.answers)
            for r in self._schema.relations
            if r.text == edge.relation
        )
        return not (self._asks_who(question) and any(map(self._is_done, steps)))

    def _as_fact(
        self, question: str, given: Hypothesis, names: Sequence[Mention]
    ) -> Hypothesis | None:
        """What one relation leads to from a name that has it, or their number, as a chain."""
        pattern = given.pattern
        counted = pattern.count is not None and not pattern.returns
        plain = _is_plain(pattern) and (counted or len(pattern.returns) == 1)
        answers = pattern.answers
        if given.score < FACT or not plain or len(pattern.edges) != 1 or len(answers) != 1:
            return None
        edge, answer = pattern.edges[0], answers[0]
        back = edge.source == answer
        name = pattern.node(edge.target if back else edge.source).text
        if name is None or edge.relation is None or not self._may_hold(question, names, pattern):
            return None
        walked = f"^{edge.relation}" if back else edge.relation
        chain = RelationChain(name, (walked,)).to_pattern()
        if counted:
            chain = replace(chain, returns=(), count=chain.answers[0])
        return replace(given, pattern=chain)

    def _of_chains(self, question: str, mentions: Sequence[Mention]) -> tuple[Hypothesis, ...]:
        """The best chains, and pairs of chains that meet, from the names of a question."""
        if not mentions:
            raise InterpretationError(
                f"no name of the graph was found in {question!r}; put the name in "
                "quotes or [brackets], or write a pattern"
            )
        found = [scored for mention in mentions for scored in self._chains(question, mention)]
        for left, right in combinations(mentions, 2):
            found += self._pairs(question, left, right)
        self._graph.save()
        if not found:
            raise InterpretationError(
                f"no relation of the graph leads away from {mentions[0].text!r}, as "
                f"{question!r} has it; write a pattern instead"
            )
        certain = [m for m in mentions if m.ids and m.evident]
        return tuple(
            Hypothesis(
                scored.pattern,
                score,
                scored.options,
                self.name,
                spelling_notes(scored.mentions, self._lexicon.language),
                taken_for=misspelled(scored.mentions),
                rival=rival,
            )
            for scored, score, rival in best(found, certain, self._top_chains)
        )

    def _chains(self, question: str, mention: Mention) -> list[Scored]:
        """The best chains from one mention, with all that may be among the first ``top``."""
        before, after = question[: mention.start], question[mention.end :]
        chains, scores = self._align(mention, before, after)
        order = sorted(range(len(chains)), key=lambda i: (-scores[i], chains[i]))
        order = order[: 2 * self._close_look]
        if mention.ids:
            exists = self._graph.existing(mention.ids, [chains[i] for i in order])
            order = [i for i, there in zip(order, exists, strict=True) if there]
        order = [i for i in order if self._may_end(question, chains[i][-1])]
        order = order[: self._close_look]
        found: list[Scored] = []
        for start in range(0, len(order), AT_ONCE):
            some = order[start : start + AT_ONCE]
            if are_best(found, self._top_chains, scores[some[0]] + MOST_ALIKE):
                break
            cosines = self._cosines(before, after, [chains[i] for i in some])
            found += [
                Scored((mention,), self._pattern(mention, chains[i]), scores[i] + cosine)
                for i, cosine in zip(some, cosines, strict=True)
            ]
        return found

    def _cosines(self, before: str, after: str, chains: Sequence[Chain]) -> list[float]:
        """Of the question to the nearest way to say each chain."""
        topics = [self._topic(chain[0]) for chain in chains]
        return self._ranker.compare(
            [self._masked(before, topic, after) for topic in topics],
            [
                verbalise(self._lexicon, chain, f"the {topic}")
                for chain, topic in zip(chains, topics, strict=True)
            ],
        )

    def _align(self, mention: Mention, before: str, after: str) -> tuple[list[Chain], list[float]]:
        """Every chain from the mention, with its score but for the cosine."""
        import numpy as np

        parts = stretches(before, after, self._lexicon.language.function_words)
        weights = self._ranker.weights(parts)
        wanted = self._lexicon.language.focus(tokens(before), tokens(after))
        alignment = Alignment(parts)
        tables = alignment.start()
        level: list[Chain] = [()]
        chains: list[Chain] = []
        scores: list[float] = []
        for _ in range(self._max_hops):
            parents, longer = self._longer(mention, level)
            if not longer:
                break
            steps = sorted({chain[-1] for chain in longer})
            row = {step: i for i, step in enumerate(steps)}
            gained = gains(self._ranker.similarity(steps, parts), weights)
            last = [row[chain[-1]] for chain in longer]
            tables = alignment.extend(tables, parents, gained[last])
            asked = self._ranker.asked_for(wanted, steps)
            best = ALIGNMENT * alignment.scores(tables)
            fans = [spread(c[1:], self._schema) for c in longer]
            best = best - SPREAD * np.array(fans, np.float32)
            kept = np.argsort(-best, kind="stable")[:WIDTH]
            tables, level = tables[kept], [longer[i] for i in kept]
            chains += level
            scores += [float(best[i]) + FOCUS * asked[longer[i][-1]] for i in kept]
        return chains, scores

    def _longer(self, mention: Mention, level: Sequence[Chain]) -> tuple[list[int], list[Chain]]:
        """Every chain of a level with one more step, and the place of what it continues.

        The best chains come first in a level, so theirs are kept where the graph
        has so many relations that a bound is met.
        """
        parents: list[int] = []
        longer: list[Chain] = []
        steps: set[Step] = set()
        for parent, chain in enumerate(level):
            for step in self._next(mention, chain):
                if step in steps or len(steps) < MOST_STEPS:
                    steps.add(step)
                    parents.append(parent)
                    longer.append((*chain, step))
            if len(longer) > MOST_CHAINS:
                break
        return parents, longer

    def _next(self, mention: Mention, chain: Chain) -> Iterator[Step]:
        if chain:
            relation = self._schema.by_id[chain[-1].relation]
            for step in self._graph.followers(chain[-1]):
                # Who has the same number, or is insured too, has nothing else in common.
                back = step == chain[-1].inverse and (relation.is_ordered or relation.is_flag)
                if self._graph.allowed(chain[-1], step) and not back:
                    yield step
        elif mention.ids:
            yield from self._graph.around(mention.ids)
        else:
            for relation in self._schema.relations[:FIRST_STEPS]:
                yield from (Step(relation.id), Step(relation.id, True))

    def _pairs(self, question: str, left: Mention, right: Mention) -> list[Scored]:
        """The best hypotheses of two mentions as one node's neighbours."""
        if left.end > right.start or not (left.ids and right.ids):
            return []
        steps = (sorted(self._graph.around(left.ids)), sorted(self._graph.around(right.ids)))
        aligned = align_pairs(self._ranker, question, left, right, steps)
        outside = (question[: left.start], question[left.end : right.start], question[right.end :])
        focus = self._lexicon.language.focus
        wanted = focus(tokens(outside[0]), tokens(" ".join(outside[1:])))
        asked = self._ranker.asked_for(wanted, sorted({*steps[0], *steps[1]}))
        scores = {
            (s, t): ALIGNMENT * score + FOCUS * (asked[s] + asked[t]) / 2
            for (s, t), score in aligned.items()
        }
        order = sorted(scores, key=lambda pair: (-scores[pair], pair))[:CLOSE_LOOK]
        exists = self._graph.joined(left.ids, right.ids, [((s,), (t,)) for s, t in order])
        order = [pair for pair, there in zip(order, exists, strict=True) if there]
        masked = [
            self._masked(
                self._masked(outside[0], self._topic(s), outside[1]), self._topic(t), outside[2]
            )
            for s, t in order
        ]
        cosines = self._ranker.compare(masked, [verbalise_pair(self._lexicon, p) for p in order])
        return [
            Scored(
                (left, right),
                meeting_pattern(
                    (left.text, right.text), ([self._walked(pair[0])], [self._walked(pair[1])])
                ),
                scores[pair] + cosine,
            )
            for pair, cosine in zip(order, cosines, strict=True)
        ]

    def _asks_who(self, question: str) -> bool:
        return not self._lexicon.language.asking.who.isdisjoint(tokens(question)[:1])

    def _may_end(self, question: str, step: Step) -> bool:
        """Whether a chain may end so: "which" asks for no flag, and "who" for people."""
        flag = not step.back and self._schema.by_id[step.relation].is_flag
        if flag and not self._lexicon.language.asking.which.isdisjoint(tokens(question)[:1]):
            return False
        return self._schema.typed or not (self._asks_who(question) and self._is_done(step))

    def _is_done(self, step: Step) -> bool:
        return leads_to_done(step, self._schema, self._graph, self._lexicon.language)

    def _topic(self, first: Step) -> str:
        return step_words(self._lexicon, first).source

    def _walked(self, step: Step) -> str:
        text = self._schema.by_id[step.relation].text
        return f"^{text}" if step.back else text

    def _pattern(self, mention: Mention, chain: Chain) -> Pattern:
        walk = RelationChain(mention.text, tuple(map(self._walked, chain)))
        return walk.to_pattern(every=len(mention.ids) > MOST_HOMONYMS)

    def _masked(self, before: str, topic: str, after: str) -> str:
        """The question with the class word for the mention, and not said twice."""
        words = tokens(before)
        said = bool(words) and words[-1] in (topic, self._lexicon.language.plural(topic))
        middle = " " if said else f" the {topic} "
        return f"{before.rstrip()}{middle}{after.lstrip()}".strip()


def _is_plain(pattern: Pattern) -> bool:
    """Whether relation chains could say the same."""
    return not (pattern.where or pattern.parts or pattern.order)
