"""The outcome of one question, before it is scored."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from isomatch.answer.evidence import estimate_tokens, line
from isomatch.answer.types import Answer
from isomatch.llm.reply import Usage
from isomatch.match.types import Choice, Match, MatchResult, Triple, lacks_answers
from isomatch.pattern.types import Pattern
from isomatch.questions.datasets import Question
from isomatch.retrieve.types import Retrieved

NamedChain = tuple[tuple[str, bool], ...]
"""The steps of a chain: the relation's name, and whether it is walked backwards."""
Chains = frozenset[NamedChain]
"""The chains of a pattern: from each known node to the answer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one question.

    Attributes:
        found: names of the answers, for each of the first three interpretations; None
            where nothing reads answers from what was retrieved.
        stages: milliseconds by station, and ``total``.
        pattern: the matched pattern; None where there was none.
        reading_score: the interpreter's confidence in it.
        choices: what the pattern's words were linked to.
        gsd, complete, cut: of the first interpretation and its certificate; ``cut``
            where the limit of matches or a budget ended the search.
        chains: of the hypotheses, best first, as matched.
        written_chains: of the first hypothesis, in the pattern's own words.
        ends: names of all nodes where a hypothesis ends.
        triples: the retrieved triples, best first.
        shown: those of them that a reader was shown; None for all.
        tokens: of the evidence, see `isomatch.answer.evidence.estimate_tokens`.
        usage: tokens of the language model.
        query: the query that a model wrote, if one did.
        error: why there is no result.
        uninterpreted: whether an interpreter failed to make a pattern of the question.
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
    chains: tuple[Chains, ...] = ()
    written_chains: Chains = frozenset()
    ends: tuple[str, ...] = ()
    triples: tuple[Triple, ...] = ()
    shown: tuple[Triple, ...] | None = None
    tokens: int = 0
    usage: Usage = field(default_factory=Usage)
    refused: bool = False
    query: str | None = None
    error: str | None = None
    uninterpreted: bool = False

    @property
    def evidence_names(self) -> tuple[str, ...]:
        """Names in the triples that a reader was shown."""
        shown = self.triples if self.shown is None else self.shown
        return tuple(end.name for t in shown for end in (t.source, t.target))

    def follows(self, gold: Chains) -> bool:
        """Whether the first hypothesis took the gold chains.

        Facts that are stored in both directions are matched in either. So where the
        words are the gold ones, relations are compared and directions are not.
        """
        first = self.chains[0] if self.chains else self.written_chains
        if first == gold:
            return True
        return self.written_chains == gold and _relations(first) == _relations(gold)


def match_outcome(question: Question, result: MatchResult) -> Outcome:
    """The outcome of a matched pattern; its answers are the nodes it asks for."""
    first = result.interpretations[0] if result else None
    matches = [match for one in result.interpretations[:3] for match in one.matches[:1]]
    shown = (triple for _, match in result.matches for triple in match.triples)
    found = tuple(tuple(_answer_names(result, rank)) for rank in (1, 2, 3))
    return Outcome(
        question,
        result.profile.stages,
        found=found,
        pattern=result.pattern,
        choices=first.choices if first else (),
        gsd=first.gsd if first else None,
        complete=result.certificate.complete,
        cut=bool(first and lacks_answers(result.pattern, first))
        or result.certificate.ended_by is not None,
        chains=tuple(dict.fromkeys(match_chains(result.pattern, match) for match in matches)),
        written_chains=pattern_chains(result.pattern),
        ends=tuple(dict.fromkeys(name for names in found[:1] for name in names)),
        triples=tuple(dict.fromkeys(shown)),
    )


def _answer_names(result: MatchResult, rank: int) -> list[str]:
    if result.pattern.aggregate is not None:
        value = result.value(rank)
        return [] if value is None else [value.name]
    if not result.pattern.answers:  # the question is whether it holds
        held = any(one.matches for one in result.interpretations if one.rank == rank)
        refuted = result.holds is False and rank == 1
        return ["true"] if held else ["false"] * refuted
    count = result.count(rank)
    return [node.name for node in result.answers(rank)] if count is None else [str(count)]


def _gives_all(answer: Answer) -> bool:
    """Whether the answer is all nodes of every interpretation: of names that several have."""
    pattern = answer.pattern
    coverage = answer.hypothesis.coverage if answer.hypothesis else None
    if pattern is None or coverage is None or not coverage.exact:
        return False
    return pattern.count is None and pattern.aggregate is None and not pattern.each


def answer_outcome(
    question: Question, answer: Answer, retrieved: Retrieved, others: Sequence[Pattern]
) -> Outcome:
    """The outcome of an answer, which has the times of all stations.

    Args:
        others: patterns of further hypotheses, best first, matched or not.
    """
    outcome = Outcome(question, answer.stages)
    if answer.result is not None:
        results = [result for _, result in retrieved.matched]
        chains = [*map(_best_chains, results), *map(pattern_chains, others)]
        outcome = replace(
            match_outcome(question, answer.result),
            stages=answer.stages,
            chains=tuple(dict.fromkeys(chains)),
            ends=tuple(dict.fromkeys(node.name for r in results for node in r.answers())),
        )
    if not answer.supported:
        outcome = replace(outcome, found=(), refused=True)
    elif answer.holds is not None:
        outcome = replace(outcome, found=((str(answer.holds).lower(),),))
    elif answer.source == "model" or _gives_all(answer):
        outcome = replace(outcome, found=(tuple(node.name for node in answer.answers),))
    return replace(
        outcome,
        reading_score=answer.hypothesis.score if answer.hypothesis else None,
        triples=tuple(dict.fromkeys(fact.triple for fact in answer.evidence)),
        tokens=sum(estimate_tokens(line(fact) + "\n") for fact in answer.evidence),
    )


def _best_chains(result: MatchResult) -> Chains:
    """The chains of the best match; those of the pattern where there is none."""
    for _, match in result.matches:
        return match_chains(result.pattern, match)
    return pattern_chains(result.pattern)


def pattern_chains(pattern: Pattern) -> Chains:
    """The chains of a pattern, in its own words and directions."""

    def step(place: int, back: bool) -> tuple[str, bool]:
        return _normal(pattern.edges[place].relation or "?"), back

    return _chains(pattern, step)


def match_chains(pattern: Pattern, match: Match) -> Chains:
    """The chains of a match, in the graph's words and directions."""

    def step(place: int, back: bool) -> tuple[str, bool]:
        triple = match.triples[place]
        forward = match.bindings[pattern.edges[place].source].id == triple.source.id
        return _normal(triple.relation.name), back == forward

    return _chains(pattern, step)


def format_chains(chains: Chains) -> str:
    """Chains as text: ``^directed by → starred actors``."""
    texts = (" → ".join("^" * back + relation for relation, back in chain) for chain in chains)
    return " ∧ ".join(sorted(texts))


def _relations(chains: Chains) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(relation for relation, _ in chain) for chain in chains)


def _chains(pattern: Pattern, step: Callable[[int, bool], tuple[str, bool]]) -> Chains:
    answers = set(pattern.answers)
    starts = [node.id for node in pattern.nodes if node.known]
    return frozenset(
        tuple(step(place, back) for place, back in path)
        for start in starts
        if (path := _shortest_path(pattern, start, answers))
    )


def _shortest_path(pattern: Pattern, start: str, goals: set[str]) -> tuple[tuple[int, bool], ...]:
    """Edges from a node to the nearest goal: the edge's index, and whether backwards."""
    paths: dict[str, tuple[tuple[int, bool], ...]] = {start: ()}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here in goals:
            return paths[here]
        for place, edge in enumerate(pattern.edges):
            for source, target, back in (
                (edge.source, edge.target, False),
                (edge.target, edge.source, True),
            ):
                if source == here and target not in paths:
                    paths[target] = (*paths[here], (place, back))
                    queue.append(target)
    return ()


def _normal(relation: str) -> str:
    return " ".join(relation.replace("_", " ").split()).casefold()
