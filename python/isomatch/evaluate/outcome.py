"""What came of one question, before it is compared with what is right."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from isomatch.answer.evidence import estimate_tokens, line
from isomatch.answer.types import Answer
from isomatch.llm.usage import Usage
from isomatch.match.types import Choice, Match, MatchResult, Triple
from isomatch.pattern.types import Pattern
from isomatch.questions.datasets import Question
from isomatch.retrieve.types import Retrieved

Walk = tuple[tuple[str, bool], ...]
"""A chain in words: for each step the relation, and whether it is walked backwards."""
Walks = frozenset[Walk]
"""One chain for each known node of a pattern, to what is asked for."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question.

    Attributes:
        found: names of the answers, a tuple for each of the first three
            interpretations; None where nothing reads answers from what was retrieved.
        stages: milliseconds by station, and ``total``.
        pattern: that was matched; None where there was none.
        reading_score: how far the interpreter believes in it.
        choices: what its words were taken for.
        gsd, complete, cut: of the first interpretation and its certificate; ``cut``
            where the limit of matches or a budget ended the search.
        walks: of the readings, best first, as matched.
        written: of the first reading, in the pattern's own words.
        ends: names of all nodes that any of the readings leads to.
        triples: what was retrieved, best first.
        shown: of that what a reader was shown; None for all.
        tokens: of the evidence, see `isomatch.answer.evidence.estimate_tokens`.
        usage: what a language model was sent and wrote.
        refused: whether the answer station refused to answer.
        query: that a model wrote and that was run.
        error: why there is no result, in words.
        unread: whether an interpreter made no pattern of it.
    """

    question: Question
    stages: Mapping[str, float]
    found: tuple[tuple[str, ...], ...] | None = ()
    pattern: Pattern | None = None
    reading_score: float | None = None
    choices: tuple[Choice, ...] = ()
    gsd: float | None = None
    complete: bool = False
    cut: bool = False
    walks: tuple[Walks, ...] = ()
    written: Walks = frozenset()
    ends: tuple[str, ...] = ()
    triples: tuple[Triple, ...] = ()
    shown: tuple[Triple, ...] | None = None
    tokens: int = 0
    usage: Usage = field(default_factory=Usage)
    refused: bool = False
    query: str | None = None
    error: str | None = None
    unread: bool = False

    @property
    def named(self) -> tuple[str, ...]:
        """Names in what a reader was shown."""
        shown = self.triples if self.shown is None else self.shown
        return tuple(end.name for t in shown for end in (t.source, t.target))

    def follows(self, gold: Walks) -> bool:
        """Whether the first reading took the gold chain.

        Facts that are stored both ways are matched in either direction, so where the
        words are the gold ones, the relations must be, and the directions need not.
        """
        first = self.walks[0] if self.walks else self.written
        if first == gold:
            return True
        return self.written == gold and _relations(first) == _relations(gold)


def of_result(question: Question, result: MatchResult) -> Outcome:
    """From matches. What counts is what the pattern asks for.

    A topic counts only where the pattern may return it (``nodes="repeat"``).
    """
    first = result.interpretations[0] if result else None
    matches = [match for one in result.interpretations[:3] for match in one.matches[:1]]
    shown = (triple for _, match in result.matches for triple in match.triples)
    found = tuple(tuple(node.name for node in result.answers(rank)) for rank in (1, 2, 3))
    return Outcome(
        question,
        result.profile.stages,
        found=found,
        pattern=result.pattern,
        choices=first.choices if first else (),
        gsd=first.gsd if first else None,
        complete=result.certificate.complete,
        cut=bool(first and first.cut) or result.certificate.ended_by is not None,
        walks=tuple(dict.fromkeys(matched_walks(result.pattern, match) for match in matches)),
        written=written_walks(result.pattern),
        ends=tuple(dict.fromkeys(name for names in found[:1] for name in names)),
        triples=tuple(dict.fromkeys(shown)),
    )


def written_walks(pattern: Pattern) -> Walks:
    """The chains of a pattern, in its own words and directions."""

    def step(place: int, back: bool) -> tuple[str, bool]:
        return _words(pattern.edges[place].relation or "?"), back

    return _walks(pattern, step)


def matched_walks(pattern: Pattern, match: Match) -> Walks:
    """The chains of a match, in the graph's words and directions."""

    def step(place: int, back: bool) -> tuple[str, bool]:
        triple = match.triples[place]
        written = match.bindings[pattern.edges[place].source].id == triple.source.id
        return _words(triple.relation.name), back == written

    return _walks(pattern, step)


def walk_words(walks: Walks) -> str:
    """Chains as a report shows them: ``^directed by → starred actors``."""
    chains = (" → ".join("^" * back + relation for relation, back in walk) for walk in walks)
    return " ∧ ".join(sorted(chains))


def _relations(walks: Walks) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(relation for relation, _ in walk) for walk in walks)


def _walks(pattern: Pattern, step: Callable[[int, bool], tuple[str, bool]]) -> Walks:
    asked = set(pattern.answers)
    starts = [node.id for node in pattern.nodes if node.known]
    return frozenset(
        tuple(step(place, back) for place, back in path)
        for start in starts
        if (path := _path(pattern, start, asked))
    )


def _path(pattern: Pattern, start: str, asked: set[str]) -> tuple[tuple[int, bool], ...]:
    """Edges from a node to the nearest that is asked for: place, and whether backwards."""
    ways: dict[str, tuple[tuple[int, bool], ...]] = {start: ()}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if here in asked:
            return ways[here]
        for place, edge in enumerate(pattern.edges):
            for source, target, back in (
                (edge.source, edge.target, False),
                (edge.target, edge.source, True),
            ):
                if source == here and target not in ways:
                    ways[target] = (*ways[here], (place, back))
                    waiting.append(target)
    return ()


def _words(relation: str) -> str:
    return " ".join(relation.replace("_", " ").split()).casefold()


def of_answer(
    question: Question, answer: Answer, retrieved: Retrieved, others: Sequence[Pattern]
) -> Outcome:
    """From an answer and what it was made of.

    Args:
        question: that was asked.
        answer: with the times of all stations.
        read: what the retriever found.
        others: patterns of further readings, best first, matched or not.
    """
    outcome = Outcome(question, answer.stages)
    if answer.result is not None:
        results = [result for _, result in retrieved.matched]
        walks = [_first_walks(result) for result in results]
        outcome = replace(
            of_result(question, answer.result),
            stages=answer.stages,
            walks=tuple(dict.fromkeys([*walks, *map(written_walks, others)])),
            ends=tuple(dict.fromkeys(node.name for r in results for node in r.answers())),
        )
    if not answer.supported:
        outcome = replace(outcome, found=(), refused=True)
    elif answer.source == "model":
        outcome = replace(outcome, found=(tuple(node.name for node in answer.answers),))
    return replace(
        outcome,
        reading_score=answer.hypothesis.score if answer.hypothesis else None,
        triples=tuple(dict.fromkeys(fact.triple for fact in answer.evidence)),
        tokens=sum(estimate_tokens(line(fact) + "\n") for fact in answer.evidence),
    )


def _first_walks(result: MatchResult) -> Walks:
    """The chains of the best match, as matched; as written where there is none."""
    for _, match in result.matches:
        return matched_walks(result.pattern, match)
    return written_walks(result.pattern)
