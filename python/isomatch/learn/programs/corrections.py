"""Programs of corrections: the pattern that was chosen, as the expression that it means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from typing import TYPE_CHECKING, Any

from isomatch.chains.graph import Step
from isomatch.errors import LoadError
from isomatch.feedback.lessons import Lessons
from isomatch.interpret.compose.expressions import Along, Both, Count, Named, OfType
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.learn.programs.labels import Label, ProgramLabeller
from isomatch.match.types import MatchResult

if TYPE_CHECKING:
    from isomatch.resources import Resources


def program_labels(resources: Resources, lessons: Lessons) -> list[Label]:
    """The programs of corrections; those that have none say why."""
    labeller = ProgramLabeller(resources)
    texts = {relation.id: relation.text for relation in resources.schema.relations}
    labels = []
    for lesson in lessons.lessons:
        if lesson.result is None:  # its readings are tried, as of any question with answers
            label = labeller.label(lesson.question(texts))
            labels.append(Label(label.id, label.text, label.program, _said(label)))
            continue
        text, slots = labeller.masked(lesson.record.question)
        try:
            program = labeller.written(to_expression(lesson.result, labeller.kinds), slots)
            reason = "feedback" if program else "a name of its pattern is not in the question"
        except LoadError as error:
            program, reason = (), str(error)
        labels.append(Label(lesson.record.id, text, program, reason))
    return labels


def corrected(labels: list[Label]) -> dict[str, int]:
    """How many corrections are learnt from, and why the others are not, for a report."""
    counts = Counter(
        "corrections with a program" if label.program else f"correction left out: {label.reason}"
        for label in labels
    )
    return {"corrections": len(labels), **counts}


def to_expression(result: MatchResult, kinds: GraphKinds) -> Any:
    """The expression of a pattern, with the relations and types of its best interpretation.

    Raises:
        LoadError: programs cannot say it, or it has no match.
    """
    pattern = result.pattern
    clauses = (pattern.where, pattern.parts, pattern.order, pattern.each, pattern.optional)
    if any(clauses) or pattern.aggregate or pattern.ask or len(pattern.answers) != 1:
        raise LoadError("its pattern has a clause that is not read as a program")
    if not result or not result.interpretations[0].matches:
        raise LoadError("its pattern has no match")
    of = _Tree(result, kinds).whole()
    return Count(of) if pattern.count is not None else of


class _Tree:
    """Reads a pattern as a tree whose root is what is asked for."""

    def __init__(self, result: MatchResult, kinds: GraphKinds):
        self._pattern, self._kinds = result.pattern, kinds
        best = result.interpretations[0]
        self._matches = best.matches
        self._types = {c.text: c.id for c in best.choices if c.part == "type"}
        self._left = list(range(len(self._pattern.edges)))
        self._seen: set[str] = set()

    def whole(self) -> Any:
        of = self._set(self._pattern.answers[0])
        if self._left:
            raise LoadError("programs are trees, and its pattern has two parts")
        return of

    def _set(self, node: str) -> Any:
        if node in self._seen:
            raise LoadError("programs are trees, and its pattern has a circle")
        self._seen.add(node)
        parts = [*self._edges(node), *self._node(node)]
        if not parts:
            raise LoadError("a node of its pattern has neither name, type nor edge")
        return reduce(lambda a, b: Both(a, b, a.kinds), parts)

    def _node(self, id: str) -> Iterator[Any]:
        node = self._pattern.node(id)
        if node.text is not None:
            yield Named(self._matches[0].bindings[id].name, None, frozenset())
        if node.type is not None and node.type in self._types:
            type = self._types[node.type]
            yield OfType(type, self._kinds.of_type(type))

    def _edges(self, id: str) -> Iterator[Any]:
        for place, edge in enumerate(self._pattern.edges):
            if place not in self._left or id not in (edge.source, edge.target):
                continue
            if edge.value is not None:
                raise LoadError("its pattern has a value on an edge")
            self._left.remove(place)
            other = edge.source if edge.target == id else edge.target
            steps = Counter(
                Step(
                    match.triples[place].relation.id,
                    match.bindings[other].id != match.triples[place].source.id,
                )
                for match in self._matches
            )
            ((step, _),) = steps.most_common(1)
            if not self._kinds.knows(step):
                raise LoadError("a relation of its pattern has no words")
            yield Along(self._set(other), step, self._kinds.ends(step)[1], len(steps) > 1)


def _said(label: Label) -> str:
    return "feedback" if label.program else label.reason
