"""Why a question was not answered correctly: the first station that went wrong."""

from __future__ import annotations

from isomatch.evaluate.metrics import Naming, Score
from isomatch.evaluate.outcome import Chains, Outcome

REASONS = {
    "answer not in the graph": "no node or value of the graph has the name of a right answer",
    "mention not found": "the topic's name was not found in the question, or another one was",
    "no reading": "the language model wrote no pattern",
    "chain wrong": "the relations are not those of the gold chain",
    "link wrong": "the words are right, and were linked to other nodes or relations",
    "reading wrong": "chain or link is wrong; only a gold chain could tell which",
    "search cut": "a limit or a budget ended the search",
    "refused": "the reading is right, and the answer station refused it as too uncertain",
    "not retrieved": "what the reader was shown does not name all right answers",
    "reader wrong": "what the reader was shown names all right answers, and it gave others",
    "query failed": "the model's query was refused or failed",
    "query wrong": "the model's query ran and gave something else",
    "gold differs": "the gold chain was followed, and leads to other answers in this graph",
}


def failure_reason(
    outcome: Outcome,
    score: Score | None,
    gold: Chains | None,
    *,
    answerable: bool = True,
    naming: Naming,
) -> str | None:
    """One of `REASONS`; None where all right answers and no others were given.

    Args:
        outcome: of the question.
        score: of its answers; None where nothing reads answers.
        gold: chains of the gold pattern; None where it is not known.
        answerable: whether the graph holds a right answer.
        naming: how names are compared.
    """
    if score is None or score.f1 == 1.0:
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
