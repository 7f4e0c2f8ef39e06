"""From what came of a question to its row: scores, and why it failed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from isomatch.evaluate.failures import reason
from isomatch.evaluate.metrics import Naming, score
from isomatch.evaluate.outcome import Outcome, Walks, walk_words, written_walks
from isomatch.evaluate.retrieval import answer_recall_at, chain_score, recall_at
from isomatch.match.types import Triple
from isomatch.pattern import format_text
from isomatch.questions.datasets import Question
from isomatch.session import Session

Row = dict[str, Any]
GOLD_LIMIT = 1000  # matches of a gold pattern whose triples are looked for


@dataclass(frozen=True, slots=True)
class Judge:
    """Compares outcomes with what is right.

    Attributes:
        session: over the graph, to match gold patterns.
        naming: how names are compared.
        unanswerable: ids of questions none of whose answers the graph has.
    """

    session: Session
    naming: Naming
    unanswerable: Collection[str] = ()

    def row(self, part: str, outcome: Outcome) -> Row:
        """All that a report needs of one question, ready for JSON.

        ``score``, ``chains`` and ``triples`` are None where there is nothing to
        compare: no reader, no interpreter, nothing retrieved.
        """
        question = outcome.question
        answerable = question.id not in self.unanswerable
        gold = None if question.pattern is None else written_walks(question.pattern)
        scored = None
        if outcome.found is not None:
            scored = score(
                outcome.found,
                question.answers,
                answerable=answerable,
                retrieved=outcome.named,
                naming=self.naming,
            )
        wanted = self._gold_triples(question)
        why = reason(outcome, scored, gold, answerable=answerable, naming=self.naming)
        return {
            "id": question.id,
            "part": part,
            "question": question.text,
            "topics": list(question.topics),
            "hops": question.hops or None,
            "type": kind(question, gold),
            "answers": list(question.answers),
            "answerable": answerable,
            "gold_triples": len(wanted),
            "found": None if outcome.found is None else list((*outcome.found, ())[0]),
            "gold": walk_words(gold) if gold else None,
            "pattern": format_text(outcome.pattern) if outcome.pattern else None,
            "links": {c.text: c.name for c in outcome.choices},
            "query": outcome.query,
            "reading_score": outcome.reading_score,
            "gsd": outcome.gsd,
            "complete": outcome.complete,
            "cut": outcome.cut,
            "refused": outcome.refused,
            "reason": why,
            "error": outcome.error,
            "score": None if scored is None else asdict(scored),
            "chains": self._chains(outcome, gold),
            "triples": self._triples(outcome, answerable, wanted),
            "usage": asdict(outcome.usage) if outcome.usage.requests else None,
            "stages_ms": {stage: round(ms, 3) for stage, ms in outcome.stages.items()},
        }

    def _chains(self, outcome: Outcome, gold: Walks | None) -> Mapping[str, Any] | None:
        if outcome.pattern is None and not outcome.unread:
            return None
        chains = list(outcome.walks)
        if gold is not None and outcome.follows(gold):
            chains[:1] = [gold]
        found = chain_score(chains, gold, outcome.ends, outcome.question.answers, self.naming)
        return asdict(found)

    def _triples(
        self, outcome: Outcome, answerable: bool, gold: Collection[tuple[str, str, str]]
    ) -> Mapping[str, Any] | None:
        if not outcome.triples:
            return None
        told: Row = {"count": len(outcome.triples), "tokens": outcome.tokens}
        if gold:
            told["recall"] = recall_at([_key(t) for t in outcome.triples], gold)
        if answerable:
            ends = [(t.source.name, t.target.name) for t in outcome.triples]
            answers = outcome.question.answers
            told["answer_recall"] = answer_recall_at(ends, answers, self.naming)
        return told

    def _gold_triples(self, question: Question) -> set[tuple[str, str, str]]:
        """Facts on the ways of the gold pattern from a topic to a right answer.

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
            asked = result.pattern.answers
            found = {
                _key(triple)
                for _, match in result.matches
                if any(self.naming.key(match.bindings[id].name) in right for id in asked)
                for triple in match.triples
            }
            if found:
                return found
        return set()


def kind(question: Question, gold: Walks | None) -> str:
    """The type of a question: its gold chain, or else its first word.

    Example:
        >>> kind(Question("1", "Who directed Heat", ("Heat",), ("Mann",), None, 0), None)
        'who …'
    """
    if gold:
        return walk_words(gold)
    return f"{question.text.split()[0].casefold()} …" if question.text.split() else "…"


def _key(triple: Triple) -> tuple[str, str, str]:
    return triple.source.id, triple.relation.id, triple.target.id
