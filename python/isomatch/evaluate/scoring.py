"""Scoring: the row of a question in a run, with its scores and why it failed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from isomatch.evaluate.metrics import Naming, Score, answer_recall_at, chain_score, recall_at, score
from isomatch.evaluate.outcome import Chains, Outcome, format_chains, pattern_chains
from isomatch.match.types import Triple
from isomatch.pattern import format_text
from isomatch.questions.datasets import Question
from isomatch.texts import data

if TYPE_CHECKING:
    from isomatch.session import Session

Row = dict[str, Any]
TripleIds = tuple[str, str, str]
_COPIED = ("query", "reading_score", "gsd", "complete", "cut", "refused", "error")
GOLD_LIMIT = 1000  # matches of a gold pattern whose triples count
REASONS: dict[str, str] = data("isomatch.evaluate", "report.toml")["reasons"]
"""Why a question was not answered correctly: the first station that went wrong."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """Compares outcomes with the gold answers and patterns.

    Attributes:
        session: over the graph, to match gold patterns.
        unanswerable: ids of questions with no answer in the graph.
    """

    session: Session
    naming: Naming
    unanswerable: Collection[str] = ()

    def row(self, part: str, outcome: Outcome) -> Row:
        """Everything that a report needs of one question, ready for JSON.

        ``score``, ``chains`` and ``triples`` are None where there is nothing to
        compare: no reader, no interpreter, nothing retrieved.
        """
        naming = self._naming(outcome.question)
        given = outcome.question.answers
        outcome = replace(outcome, question=_settled(outcome, naming))
        question = outcome.question
        answerable = question.id not in self.unanswerable
        gold = None if question.pattern is None else pattern_chains(question.pattern)
        scored = None
        if outcome.found is not None:
            scored = score(
                outcome.found,
                question.answers,
                answerable=answerable,
                retrieved=outcome.evidence_names,
                naming=naming,
            )
        reason = failure_reason(outcome, scored, gold, answerable=answerable, naming=naming)
        gold_triples = self._gold_triples(question)
        return {
            "id": question.id,
            "part": part,
            "question": question.text,
            "topics": list(question.topics),
            "hops": question.hops or None,
            "type": question_type(question, gold),
            "kind": question.kind or None,
            "misordered": question.misordered or None,
            "answers": list(given),
            "answerable": answerable,
            "gold_triples": len(gold_triples),
            "found": None if outcome.found is None else list((*outcome.found, ())[0]),
            "gold": format_chains(gold) if gold else None,
            "pattern": format_text(outcome.pattern) if outcome.pattern else None,
            "links": {c.text: c.name for c in outcome.choices},
            **{key: getattr(outcome, key) for key in _COPIED},
            "reason": reason,
            "score": None if scored is None else asdict(scored),
            "chains": self._chains(outcome, gold),
            "triples": self._triples(outcome, answerable, gold_triples),
            "usage": asdict(outcome.usage) if outcome.usage.requests else None,
            "stages_ms": {stage: round(ms, 3) for stage, ms in outcome.stages.items()},
        }

    def _naming(self, question: Question) -> Naming:
        """Of a gold query's answers, numbers are compared as numbers."""
        return replace(self.naming, numbers=True) if question.queries else self.naming

    def _chains(self, outcome: Outcome, gold: Chains | None) -> Mapping[str, Any] | None:
        if outcome.pattern is None and not outcome.uninterpreted:
            return None
        chains = list(outcome.chains)
        if gold is not None and outcome.follows(gold):
            chains[:1] = [gold]
        answers, naming = outcome.question.answers, self._naming(outcome.question)
        return asdict(chain_score(chains, gold, outcome.ends, answers, naming))

    def _triples(
        self, outcome: Outcome, answerable: bool, gold: Collection[TripleIds]
    ) -> Mapping[str, Any] | None:
        if not outcome.triples:
            return None
        figures: Row = {"count": len(outcome.triples), "tokens": outcome.tokens}
        if gold:
            figures["recall"] = recall_at([_ids(t) for t in outcome.triples], gold)
        if answerable:
            ends = [(t.source.name, t.target.name) for t in outcome.triples]
            answers = outcome.question.answers
            figures["answer_recall"] = answer_recall_at(ends, answers, self.naming)
        return figures

    def _gold_triples(self, question: Question) -> set[TripleIds]:
        """Triples on the paths of the gold pattern from a topic to a right answer.

        Empty where there is no gold pattern. Its nodes are matched as chains are,
        and freely where that leads to no answer.
        """
        if question.pattern is None:
            return set()
        right = set(self.naming.keys(question.answers))
        for nodes in ("anchored", "repeat"):
            result = self.session.match(
                question.pattern, k=1, nodes=nodes, direction="as written", limit=GOLD_LIMIT
            )
            answers = result.pattern.answers
            found = {
                _ids(triple)
                for _, match in result.matches
                if any(self.naming.key(match.bindings[id].name) in right for id in answers)
                for triple in match.triples
            }
            if found:
                return found
        return set()


def _settled(outcome: Outcome, naming: Naming) -> Question:
    """The question; of tied answers with the one that was given, if it was one of them."""
    question = outcome.question
    found = naming.keys(outcome.found[0]) if question.tied and outcome.found else []
    if len(found) != 1:
        return question
    given = tuple(name for name in question.answers if naming.key(name) == found[0])
    return replace(question, answers=given) if given else question


def question_type(question: Question, gold: Chains | None) -> str:
    """The type of a question: its gold chain, or else its first word.

    Example:
        >>> question_type(Question("1", "Who directed Heat", ("Heat",), ("Mann",), None, 0), None)
        'who …'
    """
    if gold:
        return format_chains(gold)
    return f"{question.text.split()[0].casefold()} …" if question.text.split() else "…"


def _ids(triple: Triple) -> TripleIds:
    return triple.source.id, triple.relation.id, triple.target.id


# -- failures ---------------------------------------------------------------------------


def failure_reason(
    outcome: Outcome,
    scored: Score | None,
    gold: Chains | None,
    *,
    answerable: bool = True,
    naming: Naming,
) -> str | None:
    """One of `REASONS`; None where all right answers and no others were given.

    Args:
        scored: its answers; None where nothing reads answers.
        gold: chains of the gold pattern; None where it is not known.
        answerable: whether the graph holds a right answer.
    """
    if scored is None or scored.f1 == 1.0:
        return None
    if not answerable:
        return "answer not in the graph"
    if outcome.query is not None:
        return "query failed" if outcome.error else "query wrong"
    if outcome.pattern is not None:
        return (
            _mention_failure(outcome, naming)
            or _chain_failure(outcome, gold)
            or _later_failure(outcome, gold, naming)
        )
    if outcome.error is not None:
        return "no reading" if outcome.usage.requests else "mention not found"
    return "reader wrong" if _all_retrieved(outcome, naming) else "not retrieved"


def _mention_failure(outcome: Outcome, naming: Naming) -> str | None:
    topics = set(naming.keys(outcome.question.topics))
    linked = {naming.key(c.name) for c in outcome.choices if c.part == "node"}
    if topics <= linked:
        return None
    nodes = outcome.pattern.nodes if outcome.pattern else ()
    written = {naming.key(node.text) for node in nodes if node.text}
    if not topics <= written | linked:
        return "mention not found"
    return "link wrong" if outcome.choices else None


def _chain_failure(outcome: Outcome, gold: Chains | None) -> str | None:
    if gold is None or outcome.follows(gold):
        return None
    if outcome.written_chains != gold:
        return "chain wrong"
    return "link wrong" if outcome.chains else None


def _later_failure(outcome: Outcome, gold: Chains | None, naming: Naming) -> str:
    if outcome.cut:
        return "search cut"
    if outcome.refused:
        return "refused"
    if outcome.usage.requests and _all_retrieved(outcome, naming):
        return "reader wrong"
    return "reading wrong" if gold is None else "gold differs"


def _all_retrieved(outcome: Outcome, naming: Naming) -> bool:
    right = set(naming.keys(outcome.question.answers))
    return right <= set(naming.keys(outcome.evidence_names))
