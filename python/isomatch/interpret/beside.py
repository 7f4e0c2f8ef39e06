"""Names that a reading sets beside a verb, by a relation that no word says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from isomatch.interpret.asked import AskedKinds
from isomatch.interpret.types import Coverage, Span
from isomatch.lexicon.language import Language
from isomatch.pattern.types import Edge, Pattern


class BesideVerbs:
    """Finds the relations to such names, over one graph.

    Args:
        kinds: the relations of edges.
        language: of the questions.
        is_noun: whether words are a noun for the relation of an edge.
    """

    def __init__(
        self, kinds: AskedKinds, language: Language, is_noun: Callable[[Span, Edge], bool]
    ):
        self._kinds = kinds
        self._language = language
        self._is_noun = is_noun

    def found(self, question: str, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """The relations to names that no word says, where a verb is read of nothing in particular.

        "Who works for Halden University" asks for nobody who studied there and works for any firm.
        """
        spans = [s for s in coverage.understood if s.kind == "relation"]
        said = {s.meaning for s in spans}
        types = {s.meaning.partition(",")[0] for s in coverage.understood if s.kind == "type"}
        beside = [
            edge
            for edge in pattern.edges
            if edge.relation not in said and any(pattern.node(id).text for id in edge.nodes)
        ]
        for verb in pattern.edges if beside else ():
            own = [s for s in spans if s.meaning == verb.relation]
            if not own:
                continue
            if any(self._is_noun(s, verb) for s in own):  # "witnesses in a case": of that one
                yield from (e for e in beside if self._may_fill(e, verb, pattern, types))
            elif any(self._is_open(id, verb, pattern, types) for id in verb.nodes):
                if any(r.target_types for r in self._kinds.relations(verb)):
                    yield from beside
                else:  # "which judges did the university appoint", and not "Mann's films released"
                    done = (s for e in beside for s in names_at(e, pattern, coverage))
                    names = [s for s in done if self._does(question, s, own)]
                    yield from beside if names else ()

    def _may_fill(self, beside: Edge, noun: Edge, pattern: Pattern, types: Set[str]) -> bool:
        """Whether a name beside a noun may be what the noun is of, which is left open."""
        named = {t for id in beside.nodes if pattern.node(id).text for t in self._at(id, beside)}
        free = (id for id in noun.nodes if self._is_open(id, noun, pattern, types))
        return any(not named.isdisjoint(self._at(id, noun)) for id in free)

    def _at(self, id: str, edge: Edge) -> set[str]:
        """The types that an end of an edge may be of."""
        relations = self._kinds.relations(edge)
        sides = (r.source_types if edge.source == id else r.target_types for r in relations)
        return {t for side in sides for t in side}

    def _is_open(self, id: str, edge: Edge, pattern: Pattern, types: Set[str]) -> bool:
        """Whether an end of an edge may be anything, and nothing else is said of it."""
        answers = {*pattern.answers, pattern.count, *(one.node for one in pattern.each)}
        compared = {c.node for c in pattern.where} | {n for p in pattern.parts for n in p.nodes}
        ordered = {pattern.order.node if pattern.order else None}
        ordered |= {pattern.aggregate.node if pattern.aggregate else None}
        used = answers | compared | ordered
        node = pattern.node(id)
        single = all(e == edge or id not in e.nodes for e in pattern.edges)
        return node.text is None and node.type not in types and single and id not in used

    def _does(self, question: str, name: Span, verbs: Sequence[Span]) -> bool:
        """Whether a name is the subject of a verb: "did Ann open"."""
        before = question[: name.start].lower().split()[-1:]
        verb = any(not question[name.end : s.start].strip() for s in verbs if s.start > name.end)
        return verb and not self._language.auxiliaries.isdisjoint(before)


def names_at(edge: Edge, pattern: Pattern, coverage: Coverage) -> list[Span]:
    """The words of a question that stand for the names at the ends of an edge."""
    texts = {pattern.node(id).text for id in edge.nodes}
    return [s for s in coverage.understood if s.kind == "name" and s.meaning in texts]
