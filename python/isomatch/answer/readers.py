"""What a reader is shown: numbered lines of evidence in a token budget, by retriever."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from isomatch.answer.evidence import Key, citations, gather, key_of, line, without_citations
from isomatch.answer.paths import path_words, way_words
from isomatch.answer.types import Evidence
from isomatch.interpret.types import Hypothesis
from isomatch.link.normalise import normalise
from isomatch.match.types import Bound, Interpretation, MatchResult
from isomatch.pattern.types import Pattern
from isomatch.phrasing import reading_words
from isomatch.retrieve.types import Retrieved
from isomatch.triples.ranking import ScoredTriple

Count = Callable[[str], int]
Near = Sequence[tuple[Hypothesis | None, MatchResult, Sequence[Interpretation]]]
ANSWER = "ans:"  # what a reader of triples puts before each answer, as SubgraphRAG's do


@dataclass(frozen=True, slots=True)
class Sheet:
    """Evidence as a reader is shown it.

    Attributes:
        evidence: the facts, by number.
        cut: whether the budget left some out.
        values: for the prompt, by the names that its template has.
        ends: by number, what the asked-for part of a path is bound to.
    """

    evidence: tuple[Evidence, ...]
    cut: bool
    values: Mapping[str, Any]
    ends: Mapping[int, Sequence[Bound]] = field(default_factory=dict)

    @property
    def known(self) -> int:
        """The highest number."""
        return self.evidence[-1].number if self.evidence else 0


def sheet(retrieved: Retrieved, near: Near, budget: int, count: Count) -> Sheet:
    """The evidence of what was found.

    Args:
        retrieved: by a retriever.
        near: for each hypothesis, the interpretations to take facts from.
        budget: most tokens of all lines together.
        count: tokens of a text.
    """
    if retrieved.retriever == "pattern":
        return _facts(near, budget, count)
    if retrieved.retriever == "chain":
        return _paths(near, budget, count)
    if retrieved.retriever == "paths":
        return _ways(retrieved, budget, count)
    if retrieved.retriever == "triples" or retrieved.selection is not None:
        return _triples(retrieved, budget, count)
    # Paths say more than triples do, but a hub's must not take all the room.
    paths = _paths(near, budget // 2 if retrieved.triples else budget, count)
    spent = sum(count(text + "\n") for chain in paths.values["chains"] for text in chain["paths"])
    rest = _triples(retrieved, budget - spent, count, paths)
    return Sheet(
        (*paths.evidence, *rest.evidence),
        paths.cut or rest.cut,
        {**paths.values, **rest.values},
        paths.ends,
    )


def _facts(near: Near, budget: int, count: Count) -> Sheet:
    """The facts of one hypothesis's matches, by interpretation."""
    if not near:
        return Sheet((), False, {"readings": []})
    _, result, interpretations = near[0]
    evidence, cut = gather(result, budget, interpretations=interpretations, count=count)
    hypotheses = [
        {
            "gsd": interpretation.gsd,
            "choices": reading_words(interpretation),
            "facts": [line(e) for e in evidence if e.rank == interpretation.rank],
        }
        for interpretation in interpretations
    ]
    return Sheet(evidence, cut, {"readings": [r for r in hypotheses if r["facts"]]})


def _paths(near: Near, budget: int, count: Count) -> Sheet:
    """The matches of several chains, a path each; the first that does not fit is the end."""
    evidence: list[Evidence] = []
    ends: dict[int, Sequence[Bound]] = {}
    chains: list[dict[str, Any]] = []
    seen: set[frozenset[Key]] = set()
    for rank, (hypothesis, result, interpretations) in enumerate(near, 1):
        score = None if hypothesis is None else hypothesis.score
        chains.append({"score": score, "paths": []})
        for interpretation in sorted(interpretations, key=lambda i: (i.gsd, i.rank)):
            for match in interpretation.matches:
                facts = frozenset(map(key_of, match.triples))
                if facts in seen:
                    continue
                number = len(ends) + 1
                text = f"[{number}] {path_words(result.pattern, match)}"
                budget -= count(text + "\n")
                if budget < 0:
                    return Sheet(tuple(evidence), True, {"chains": _filled(chains)}, ends)
                seen.add(facts)
                chains[-1]["paths"].append(text)
                ends[number] = _asked(result.pattern, match.bindings)
                evidence += [
                    Evidence(number, triple, rank, interpretation.gsd, score)
                    for triple in dict.fromkeys(match.triples)
                ]
    return Sheet(tuple(evidence), False, {"chains": _filled(chains)}, ends)


def _filled(chains: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [chain for chain in chains if chain["paths"]]


def _asked(pattern: Pattern, bindings: Mapping[str, Bound]) -> tuple[Bound, ...]:
    return tuple(dict.fromkeys(bindings[id] for id in pattern.answers))


def _triples(retrieved: Retrieved, budget: int, count: Count, before: Sheet | None = None) -> Sheet:
    """The best triples that fit, those of the topics first; those of a subgraph in its order.

    A fact that a path holds already is not said again.
    """
    said = {key_of(e.triple) for e in before.evidence} if before else set()
    first = before.known + 1 if before else 1
    best = list(_fitting(retrieved.triples, said, budget, count))
    left = len({key_of(scored.triple) for scored in retrieved.triples} - said) - len(best)
    ordered = best
    if retrieved.selection is None:
        ordered = sorted(best, key=lambda scored: not _touches(scored, retrieved.topics))
    place = {key_of(scored.triple): rank for rank, scored in enumerate(best, 1)}
    evidence = tuple(
        Evidence(number, scored.triple, place[key_of(scored.triple)], 0.0, scored.score)
        for number, scored in enumerate(ordered, first)
    )
    return Sheet(evidence, left > 0, {"facts": [line(e) for e in evidence]})


def _ways(retrieved: Retrieved, budget: int, count: Count) -> Sheet:
    """The best paths that fit, each with one number."""
    assert retrieved.selection is not None
    scores = {key_of(scored.triple): scored.score for scored in retrieved.triples}
    evidence: list[Evidence] = []
    lines: list[str] = []
    for number, triples in enumerate(retrieved.selection.groups, 1):
        text = f"[{number}] {way_words(triples)}"
        budget -= count(text + "\n")
        if budget < 0:
            break
        lines.append(text)
        evidence += [Evidence(number, t, number, 0.0, scores[key_of(t)]) for t in triples]
    cut = len(lines) < len(retrieved.selection.groups)
    chains = [{"score": None, "paths": lines}] if lines else []
    return Sheet(tuple(evidence), cut, {"chains": chains})


def _fitting(
    triples: Sequence[ScoredTriple], said: set[Key], budget: int, count: Count
) -> Iterator[ScoredTriple]:
    seen = set(said)
    for scored in triples:
        key = key_of(scored.triple)
        if key in seen:
            continue
        seen.add(key)
        # Its number is not known before all are chosen; the longest is counted.
        budget -= count(line(Evidence(len(triples), scored.triple, 1, 0.0)) + "\n")
        if budget < 0:
            return
        yield scored


def _touches(scored: ScoredTriple, topics: frozenset[str]) -> bool:
    return scored.triple.source.id in topics or scored.triple.target.id in topics


# -- what a reader's text answers ---------------------------------------------------------


def answers_of(said: str, retrieved: Retrieved, near: Near, shown: Sheet) -> tuple[Bound, ...]:
    """The nodes that a reader's text answers with.

    Of facts and paths: what asked-for parts are bound to, where a citation holds it.
    Of triples: the ends of cited ones that a line of an answer names, in its order.
    """
    cited = citations(said)
    if retrieved.retriever == "pattern":
        nodes = _bound(near, [e for e in shown.evidence if e.number in cited])
    elif retrieved.retriever == "chain":
        nodes = [node for number in cited for node in shown.ends[number]]
    else:
        nodes = list(_named(said, retrieved.topics, shown.evidence))
    return tuple({node.id: node for node in nodes}.values())


def _bound(near: Near, cited: Sequence[Evidence]) -> list[Bound]:
    _, result, interpretations = near[0]
    facts = [e.triple for e in cited]
    named = {end.id for fact in facts for end in (fact.source, fact.target)}
    edge_of = {edge.value: number for number, edge in enumerate(result.pattern.edges)}
    return [
        node
        for interpretation in interpretations
        for match in interpretation.matches
        for id in result.pattern.answers
        if (node := match.bindings[id]).id in named
        or (id in edge_of and match.triples[edge_of[id]] in facts)
    ]


def _named(said: str, topics: frozenset[str], evidence: Sequence[Evidence]) -> Iterator[Bound]:
    """Names on the lines that begin with ``ans:``.

    Without such a line those in the whole text, but for the topics: a sentence that
    answers says what was asked about, too.
    """
    lines = [text.strip() for text in said.splitlines()]
    marked = [text[len(ANSWER) :] for text in lines if text.casefold().startswith(ANSWER)]
    everywhere = citations(said)
    for text in marked or [said]:
        numbers = citations(text) or everywhere
        words = f" {normalise(without_citations(text))} "
        found: list[tuple[int, Bound]] = []
        for fact in evidence:
            for end in (fact.triple.source, fact.triple.target):
                name = normalise(end.name)
                if fact.number in numbers and name and (marked or end.id not in topics):
                    found.append((words.find(f" {name} "), end))
        yield from (end for place, end in sorted(found, key=itemgetter(0)) if place >= 0)
