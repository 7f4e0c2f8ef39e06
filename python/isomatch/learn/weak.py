"""Weak labels: chains for questions of which only the answers are known.

Four rules, after GSR (Huang et al., EMNLP Findings 2024, section 4.2) and what was
measured here:

- ``raw``: every shortest chain from a topic to an answer, as published; for comparison.
- ``filtered``: the one chain whose ends have the best F1 against the answers. Where
  several are as good the question is a tie, which is broken later (`tie_breaking`).
- ``one``: one answer of each question is known; every chain that reaches it counts,
  weighted by its F1.
- ``model``: a language model picks those that mean the question among the best.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from isomatch.chains.graph import Chain, Nodes
from isomatch.errors import ConfigurationError, QueryTimeout
from isomatch.learn.examples import Example
from isomatch.learn.labels import LEAST_F1, Explained, Explainer, Explanation, choose
from isomatch.learn.walks import Entities, Walker
from isomatch.learn.workdir import Shards
from isomatch.options import Rule
from isomatch.questions.datasets import Question
from isomatch.seed import SEED, shuffled
from isomatch.trained.masking import mask_topic

if TYPE_CHECKING:
    from isomatch.llm import ChatModel
    from isomatch.resources import Resources

Asked = tuple["Nodes | None", Sequence[Question]]
Rows = list[dict[str, Any]]

RULES = tuple(Rule)
PART = 100  # questions per shard
WALKED: tuple[Nodes, ...] = ("anchored", "repeat", "walk")  # the strictest first
PILOT = 100  # questions to choose `nodes` by
PILOT_PART = 10
ONE_ENDS = 200
MOST_KEPT = 200


@dataclass(frozen=True, slots=True)
class Label:
    """The label of one question.

    Attributes:
        id, text, topics: of the question.
        kept: explanations with weights that sum to 1; empty where it was left out.
        reason: why it fell (``no topic``, ``no topic node``, ``no answer node``, ``no
            chain reaches``, ``low F1``, ``tie``, ``cut``, ``topic not in the text``,
            ``none chosen``, ``time-out``), else empty.
        tied: the equally good explanations of a tie.
        settled: how a tie was broken (``text``, ``equal`` or ``score``), else empty.
        f1: of the best explanation.
    """

    id: str
    text: str
    topics: tuple[str, ...]
    kept: tuple[tuple[Explanation, float], ...] = ()
    reason: str = ""
    tied: tuple[Explanation, ...] = ()
    settled: str = ""
    f1: float = 0.0

    def examples(self) -> Iterator[Example]:
        """For each topic that chains start from, the text with that topic masked."""
        chains: dict[str, dict[Chain, float]] = {}
        for explanation, weight in self.kept:
            for topic, chain in explanation.parts:
                of = chains.setdefault(topic, {})
                of[chain] = of.get(chain, 0.0) + weight
        for number, (topic, of) in enumerate(chains.items(), 1):
            text = mask_topic(self.text, topic)
            if text is not None:
                id = self.id if len(chains) == 1 else f"{self.id}#{number}"
                yield Example("retrieval", text, tuple(of.items()), "weak", id)


_LABELS = TypeAdapter(Label)


@dataclass(frozen=True)
class WeakReport:
    """How many questions were labelled, and why the others were left out.

    Attributes:
        nodes: how chains walk (`Options.nodes`), chosen by how well it explains the answers.
        kept: labelled questions, broken ties included.
        settled: broken ties, by how they were broken.
        fell: questions left out, by reason, most first.
        examples, chains: number of training examples, and of distinct chains in them.
        nodes_f1: mean best F1 of a sample of questions, by value of ``nodes``.
    """

    rule: Rule
    nodes: Nodes
    questions: int
    kept: int
    settled: Mapping[str, int] = field(default_factory=dict)
    fell: Mapping[str, int] = field(default_factory=dict)
    examples: int = 0
    chains: int = 0
    nodes_f1: Mapping[str, float] = field(default_factory=dict)

    def rows(self) -> list[tuple[str, int]]:
        """Pairs of label and count, for a table."""
        return [
            ("questions", self.questions),
            ("kept", self.kept),
            *((f"  a tie, settled by {how}", count) for how, count in self.settled.items()),
            *((f"fell: {reason}", count) for reason, count in self.fell.items()),
            ("training examples", self.examples),
            ("distinct chains", self.chains),
        ]


@dataclass(frozen=True)
class WeakLabels:
    """The labels of a question set, in its order."""

    rule: Rule
    nodes: Nodes
    labels: tuple[Label, ...]
    nodes_f1: Mapping[str, float] = field(default_factory=dict)

    def examples(self) -> Iterator[Example]:
        """The training examples."""
        for label in self.labels:
            yield from label.examples()

    @property
    def report(self) -> WeakReport:
        """How many questions were labelled, and why the others were left out."""
        kept = [label for label in self.labels if label.kept]
        examples = list(self.examples())
        return WeakReport(
            self.rule,
            self.nodes,
            len(self.labels),
            len(kept),
            _counted(label.settled for label in kept if label.settled),
            _counted(label.reason for label in self.labels if not label.kept),
            len(examples),
            len({chain for example in examples for chain, _ in example.chains}),
            self.nodes_f1,
        )


class Labeller:
    """Labels questions by running chains from their topics.

    Args:
        rule: see the module.
        nodes: how chains walk; None chooses what explains a sample's answers best.
        max_hops: longest chain.
        seed: of everything sampled.
        model: for the rule ``model``.
        mentions: gives the names in a text, for questions without topics.

    Raises:
        ConfigurationError: an unknown rule, the rule ``model`` without a model, or an
            index without names.
    """

    def __init__(
        self,
        resources: Resources,
        rule: Rule | str = Rule.filtered,
        *,
        nodes: Nodes | None = None,
        max_hops: int = 3,
        seed: int = SEED,
        model: ChatModel | None = None,
        mentions: Callable[[str], Sequence[str]] | None = None,
    ):
        if rule not in RULES:
            raise ConfigurationError(f"the rule must be one of {', '.join(RULES)}, not {rule!r}")
        if rule == Rule.model and model is None:
            raise ConfigurationError(
                "the rule 'model' needs a language model: set ISOMATCH_MODEL, or use 'filtered'"
            )
        self.rule = Rule(rule)
        self._nodes = nodes
        self._seed = seed
        self._model = model
        self._mentions = mentions
        self._entities = Entities(resources.index)
        walker = Walker(resources.store, resources.schema, max_hops=max_hops)
        self._explainer = Explainer(walker, self._entities)
        self._texts = {r.id: r.text for r in resources.schema.relations}
        self._recipe = {
            "rule": str(self.rule),
            "nodes": nodes,
            "max_hops": max_hops,
            "least_f1": LEAST_F1,
            "seed": seed,
            "model": model and model.model,
            "graph": resources.schema.fingerprint,
        }

    def run(
        self,
        questions: Sequence[Question],
        folder: Path | None = None,
        progress: Callable[[int, int], None] | None = None,
        each: Callable[[Iterable[Asked]], Iterator[Rows]] | None = None,
    ) -> WeakLabels:
        """Label questions; ties are left.

        Args:
            folder: for shards of 100 questions, so that a run can be resumed.
            progress: called with the numbers of questions done and in all.
            each: does `part` on many items, in workers perhaps; None for one after the other.

        Raises:
            QueryTimeout: the database took too long for all questions of the pilot.
            StoreError: the database failed; finished shards remain.
            LoadError: the folder cannot be used.
            ModelError: the language model's endpoint failed.
        """
        shards = Shards(folder, {**self._recipe, "questions": digest(questions)})
        each = each or partial(map, self.part)
        [pilot] = shards.get(0, lambda: [self._pilot(questions, each)])
        parts = list(enumerate(_parts(questions, PART), 1))
        missing = ((pilot["nodes"], some) for number, some in parts if number not in shards)
        made = each(missing)
        labels: list[Label] = []
        for number, _ in parts:
            rows = shards.get(number, lambda: next(made))
            labels += map(_LABELS.validate_python, rows)
            if progress:
                progress(len(labels), len(questions))
        return WeakLabels(self.rule, pilot["nodes"], tuple(labels), pilot["f1"])

    def part(self, asked: Asked) -> Rows:
        """The labels of some questions; of the pilot, which has no `nodes` yet, their best F1s."""
        nodes, questions = asked
        if nodes is None:
            return [f1 for question in questions if (f1 := self._best_f1(question)) is not None]
        return list(self._rows(questions, nodes))

    def _pilot(
        self, questions: Sequence[Question], each: Callable[[Iterable[Asked]], Iterator[Rows]]
    ) -> dict[str, Any]:
        """Which value of ``nodes`` explains a sample of the questions best."""
        if self._nodes is not None:
            return {"nodes": self._nodes, "f1": {}}
        some = shuffled(questions, f"{self._seed} pilot")[:PILOT]
        parts = each((None, part) for part in _parts(some, PILOT_PART))
        found = [f1 for part in parts for f1 in part]
        if some and not found:
            raise QueryTimeout(
                f"the database took too long for each of {len(some)} questions, so which nodes may "
                "coincide in their chains is not known: label when it is less busy, or give `nodes`"
            )
        f1 = {nodes: sum(row[nodes] for row in found) / max(len(found), 1) for nodes in WALKED}
        return {"nodes": max(f1, key=lambda nodes: f1[nodes]), "f1": f1}

    def _best_f1(self, question: Question) -> dict[str, Any] | None:
        """The best F1 of a question by ``nodes``; None where the database takes too long."""
        try:
            explained = {
                nodes: self._explained(question, nodes, question.answers, Rule.filtered).found
                for nodes in WALKED
            }
        except QueryTimeout:
            return None
        return {nodes: found[0].f1 if found else 0.0 for nodes, found in explained.items()}

    def _rows(self, questions: Iterable[Question], nodes: Nodes) -> Iterator[dict[str, Any]]:
        for question in questions:
            try:
                label = self._label(question, nodes)
            except QueryTimeout:
                label = Label(question.id, question.text, question.topics, reason="time-out")
            yield _LABELS.dump_python(label, mode="json")

    def _label(self, question: Question, nodes: Nodes) -> Label:
        label = Label(question.id, question.text, question.topics)
        answers: Sequence[str] = question.answers
        if self.rule == Rule.one:
            known = [answer for answer in sorted(answers) if self._entities.known(answer)]
            answers = shuffled(known, f"{self._seed} one {question.id}")[:1]
        explained = self._explained(question, nodes, answers, self.rule)
        if explained.reason:
            return replace(label, reason=explained.reason)
        label = replace(label, f1=explained.found[0].f1)
        if self.rule in (Rule.filtered, Rule.model) and label.f1 < LEAST_F1:
            return replace(label, reason="low F1")
        fitting = [
            e
            for e in explained.found
            if all(mask_topic(question.text, topic) is not None for topic, _ in e.parts)
        ]
        if not fitting:
            return replace(label, reason="topic not in the text")
        return self._ruled(label, replace(explained, found=tuple(fitting)))

    def _ruled(self, label: Label, explained: Explained) -> Label:
        """The label by the rule, given the explanations that fit."""
        if self.rule == Rule.filtered:
            best = explained.best[:MOST_KEPT]
            if len(best) > 1:
                return replace(label, reason="tie", tied=best)
            return replace(label, kept=((best[0], 1.0),))
        if self.rule == Rule.model:
            good = [e for e in explained.found if e.f1 >= LEAST_F1]
            chosen = self._chosen(label.text, good)
            if not chosen:
                return replace(label, reason="none chosen")
            return replace(label, kept=tuple((e, 1 / len(chosen)) for e in chosen))
        kept = explained.found[:MOST_KEPT]
        weights = [e.f1 if self.rule == Rule.one else 1.0 for e in kept]
        return replace(
            label, kept=tuple((e, w / sum(weights)) for e, w in zip(kept, weights, strict=True))
        )

    def _chosen(self, text: str, good: Sequence[Explanation]) -> tuple[Explanation, ...]:
        if self._model is None or len(good) == 1:
            return tuple(good)
        return choose(self._model, text, good, self._texts)

    def _explained(
        self, question: Question, nodes: Nodes, answers: Sequence[str], rule: Rule
    ) -> Explained:
        topics = question.topics
        if not topics and self._mentions is not None:
            topics = tuple(dict.fromkeys(self._mentions(question.text)))
        if not topics:
            return Explained(reason="no topic")
        if rule == Rule.raw:
            return self._explainer.shortest(topics, answers, nodes)
        limit = ONE_ENDS if rule == Rule.one else None
        if question.topics:
            return self._explainer.explain(topics, answers, nodes, limit=limit)
        # A mention may be meant or not: the best of any one counts.
        each = [self._explainer.explain([t], answers, nodes, limit=limit) for t in topics]
        found = sorted((e for one in each for e in one.found), key=lambda e: -e.f1)
        return Explained(tuple(found), "" if found else each[0].reason, sum(e.cut for e in each))


def _parts(questions: Sequence[Question], size: int) -> Iterator[Sequence[Question]]:
    for first in range(0, len(questions), size):
        yield questions[first : first + size]


def digest(questions: Iterable[Question]) -> str:
    """Of everything that a question's label depends on."""
    content = hashlib.sha256()
    for q in questions:
        of = (q.id, q.text, q.topics, q.answers, sorted(q.queries.items()))
        content.update(repr(of).encode("utf-8", "surrogatepass"))
    return content.hexdigest()


def _counted(words: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(words).items(), key=lambda item: (-item[1], item[0])))
