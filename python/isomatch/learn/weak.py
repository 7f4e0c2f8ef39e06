"""Weak labels: chains for questions of which only the answers are known.

Four rules, after GSR (Huang et al., EMNLP Findings 2024, section 4.2) and what was
measured here:

- ``raw``: every shortest chain from a topic to an answer, as published; for comparison.
- ``filtered``: the one chain whose ends have the best F1 against the answers. Where
  several are as good the question is a tie, which is settled later (`settle`).
- ``one``: one answer of each question is known; every chain that reaches it counts,
  weighted by its F1.
- ``model``: a language model picks among the best those that mean the question.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from isomatch.chains.graph import Chain, Nodes
from isomatch.errors import ConfigurationError, QueryTimeout
from isomatch.learn.entities import Entities
from isomatch.learn.examples import Example, steps_of, steps_row
from isomatch.learn.labels import LEAST_F1, Explained, Explainer, Explanation
from isomatch.learn.shards import Parts
from isomatch.learn.walks import Walker
from isomatch.questions.datasets import Question
from isomatch.seed import SEED, shuffled
from isomatch.trained.masking import mask_topic

if TYPE_CHECKING:
    from isomatch.llm import ChatModel
    from isomatch.session import Session

Rule = Literal["filtered", "raw", "one", "model"]
RULES: tuple[Rule, ...] = get_args(Rule)
PART = 100  # questions of a part, which is written whole
WALKED: tuple[Nodes, ...] = ("anchored", "repeat", "walk")  # the strictest first
PILOT = 100  # questions by which `nodes` is chosen
ONE_ENDS = 200
MOST_KEPT = 200


@dataclass(frozen=True, slots=True)
class Label:
    """What became of one question.

    Attributes:
        id, text, topics: of the question.
        kept: explanations with weights that sum to 1; empty where it fell.
        reason: why it fell (``no topic``, ``no topic node``, ``no answer node``, ``no
            chain reaches``, ``low F1``, ``tie``, ``cut``, ``topic not in the text``,
            ``none chosen``, ``time-out``), else empty.
        tied: of a tie, the explanations that are as good as each other.
        settled: how a tie was settled (``text``, ``equal`` or ``score``), else empty.
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
        """For each topic that chains start from, the text with it masked."""
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

    def row(self) -> dict[str, Any]:
        """As a JSON line."""
        return {
            "id": self.id,
            "text": self.text,
            "topics": list(self.topics),
            "reason": self.reason,
            "f1": self.f1,
            "kept": [[_parts_row(e), e.f1, weight] for e, weight in self.kept],
            "tied": [[_parts_row(e), e.f1] for e in self.tied],
        }

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Label:
        """From a JSON line."""
        return cls(
            row["id"],
            row["text"],
            tuple(row["topics"]),
            tuple((Explanation(_parts_of(p), f1), weight) for p, f1, weight in row["kept"]),
            row["reason"],
            tuple(Explanation(_parts_of(p), f1) for p, f1 in row["tied"]),
            f1=row["f1"],
        )


@dataclass(frozen=True)
class WeakReport:
    """How many questions a rule kept, and why the others fell.

    Attributes:
        nodes: the rule of walking that explains the answers better (`Options.nodes`).
        nodes_f1: mean best F1 of a sample of questions, by rule of walking.
        kept: questions with a label, ties that were settled among them.
        settled: of these, ties by how they were settled.
        fell: the others, by reason, most first.
        examples: that come of the labels.
        chains: distinct ones in them.
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

    def form(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def rows(self) -> list[tuple[str, int]]:
        """(what, how many), for a table."""
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

    def examples(self, ties: bool = False) -> Iterator[Example]:
        """What a model is trained on.

        Args:
            ties: give questions that are ties too, their chains weighted alike; for a
                first model, which then settles them (`isomatch.learn.tie_breaking.settle`).
        """
        for label in self.labels:
            if ties and label.tied and not label.kept:
                share = 1 / len(label.tied)
                label = replace(label, kept=tuple((e, share) for e in label.tied))
            yield from label.examples()

    @property
    def report(self) -> WeakReport:
        """How many were kept, and why the others fell."""
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
        session: store, schema and index of the graph.
        rule: see the module.
        nodes: how chains walk; None finds out which way explains the answers better.
        max_hops: longest chain.
        least_f1: of ``filtered`` and ``model``.
        seed: of what is sampled.
        model: for the rule ``model``.
        mentions: names in a text, for questions that give no topics.

    Raises:
        ConfigurationError: an unknown rule, the rule ``model`` without a model, or an
            index without names.
    """

    def __init__(
        self,
        session: Session,
        rule: Rule = "filtered",
        *,
        nodes: Nodes | None = None,
        max_hops: int = 3,
        least_f1: float = LEAST_F1,
        seed: int = SEED,
        model: ChatModel | None = None,
        mentions: Callable[[str], Sequence[str]] | None = None,
    ):
        if rule not in RULES:
            raise ConfigurationError(f"the rule must be one of {', '.join(RULES)}, not {rule!r}")
        if rule == "model" and model is None:
            raise ConfigurationError(
                "the rule 'model' needs a language model: set ISOMATCH_MODEL, or use 'filtered'"
            )
        self.rule = rule
        self._nodes = nodes
        self._least = least_f1
        self._seed = seed
        self._model = model
        self._mentions = mentions
        self._entities = Entities(session.index)
        walker = Walker(session.store, session.schema, max_hops=max_hops)
        self._explainer = Explainer(walker, self._entities, least_f1)
        self._texts = {r.id: r.text for r in session.schema.relations}
        self._recipe = {
            "rule": rule,
            "nodes": nodes,
            "max_hops": max_hops,
            "least_f1": least_f1,
            "seed": seed,
            "model": model and model.model,
            "graph": session.schema.fingerprint,
        }

    def run(
        self,
        questions: Sequence[Question],
        folder: Path | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> WeakLabels:
        """Label questions; ties stay ties.

        Args:
            folder: where parts of 100 questions are kept, so that a run that was ended
                goes on where it was.
            progress: called with (questions done, of how many).

        Raises:
            StoreError: the database failed; the parts that are done stay.
            LoadError: the folder cannot be used.
            ModelError: the language model's endpoint failed.
        """
        parts = Parts(folder, {**self._recipe, "questions": digest(questions)})
        [pilot] = parts.get(0, lambda: [self._pilot(questions)])
        labels: list[Label] = []
        for number, first in enumerate(range(0, len(questions), PART), 1):
            some = questions[first : first + PART]
            rows = parts.get(number, partial(self._rows, some, pilot["nodes"]))
            labels += map(Label.of, rows)
            if progress:
                progress(len(labels), len(questions))
        return WeakLabels(self.rule, pilot["nodes"], tuple(labels), pilot["f1"])

    def _pilot(self, questions: Sequence[Question]) -> dict[str, Any]:
        """Which rule of walking explains a sample of the questions better."""
        if self._nodes is not None:
            return {"nodes": self._nodes, "f1": {}}
        some = shuffled(questions, f"{self._seed} pilot")[:PILOT]
        f1: dict[Nodes, float] = {}
        for nodes in WALKED:
            f1[nodes] = sum(self._best_f1(q, nodes) for q in some) / max(len(some), 1)
        return {"nodes": max(f1, key=lambda nodes: f1[nodes]), "f1": f1}

    def _best_f1(self, question: Question, nodes: Nodes) -> float:
        """Of what explains a question best; 0 where the database takes too long."""
        try:
            found = self._explained(question, nodes, question.answers, "filtered").found
        except QueryTimeout:
            return 0.0
        return found[0].f1 if found else 0.0

    def _rows(self, questions: Iterable[Question], nodes: Nodes) -> Iterator[dict[str, Any]]:
        for question in questions:
            try:
                yield self._label(question, nodes).row()
            except QueryTimeout:
                yield Label(question.id, question.text, question.topics, reason="time-out").row()

    def _label(self, question: Question, nodes: Nodes) -> Label:
        label = Label(question.id, question.text, question.topics)
        answers: Sequence[str] = question.answers
        if self.rule == "one":
            known = [answer for answer in sorted(answers) if self._entities.known(answer)]
            answers = shuffled(known, f"{self._seed} one {question.id}")[:1]
        explained = self._explained(question, nodes, answers, self.rule)
        if explained.reason:
            return replace(label, reason=explained.reason)
        label = replace(label, f1=explained.found[0].f1)
        if self.rule in ("filtered", "model") and label.f1 < self._least:
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
        """The label by the rule, of what fits."""
        if self.rule == "filtered":
            best = explained.best[:MOST_KEPT]
            if len(best) > 1:
                return replace(label, reason="tie", tied=best)
            return replace(label, kept=((best[0], 1.0),))
        if self.rule == "model":
            good = [e for e in explained.found if e.f1 >= self._least]
            chosen = self._chosen(label.text, good)
            if not chosen:
                return replace(label, reason="none chosen")
            return replace(label, kept=tuple((e, 1 / len(chosen)) for e in chosen))
        kept = explained.found[:MOST_KEPT]
        weights = [e.f1 if self.rule == "one" else 1.0 for e in kept]
        return replace(
            label, kept=tuple((e, w / sum(weights)) for e, w in zip(kept, weights, strict=True))
        )

    def _chosen(self, text: str, good: Sequence[Explanation]) -> tuple[Explanation, ...]:
        from isomatch.learn.llm_labels import choose

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
        if rule == "raw":
            return self._explainer.shortest(topics, answers, nodes)
        limit = ONE_ENDS if rule == "one" else None
        if question.topics:
            return self._explainer.explain(topics, answers, nodes, limit=limit)
        # What was found in the text may be meant or not: the best of any one mention counts.
        each = [self._explainer.explain([t], answers, nodes, limit=limit) for t in topics]
        found = sorted((e for one in each for e in one.found), key=lambda e: -e.f1)
        return Explained(tuple(found), "" if found else each[0].reason, sum(e.cut for e in each))


def digest(questions: Iterable[Question]) -> str:
    """Of all that a question's label depends on."""
    content = hashlib.sha256()
    for q in questions:
        content.update(repr((q.id, q.text, q.topics, q.answers)).encode("utf-8", "surrogatepass"))
    return content.hexdigest()


def _counted(words: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(words).items(), key=lambda item: (-item[1], item[0])))


def _parts_row(explanation: Explanation) -> list[list[Any]]:
    return [[topic, steps_row(chain)] for topic, chain in explanation.parts]


def _parts_of(row: Iterable[Sequence[Any]]) -> tuple[tuple[str, Chain], ...]:
    return tuple((topic, steps_of(chain)) for topic, chain in row)
