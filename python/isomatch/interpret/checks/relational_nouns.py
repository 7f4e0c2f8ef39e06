"""Checks relational nouns, as "director of": they are said of the names beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from isomatch.interpret.checks.base import Check, name_after, name_before
from isomatch.interpret.checks.pattern_graph import OTHER, distances, nodes_named
from isomatch.interpret.checks.verb_arguments import is_apposed
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.content import Word
from isomatch.pattern.types import Edge, Pattern
from isomatch.schema.types import Relation


@dataclass(frozen=True, slots=True)
class _RelationWords:
    """Words of a question for a relation, and a reading that has it.

    Attributes:
        words: of the question.
        span: those that say the relation.
        given: the reading.
        edges: its edges of that relation.
        relations: what these may be in the graph.
    """

    words: Sequence[Word]
    span: Span
    given: Hypothesis
    edges: Sequence[Edge]
    relations: Sequence[Relation]

    @property
    def read(self) -> Sequence[Span]:
        """What the reading accounts for."""
        return self.given.understood

    @property
    def asked(self) -> set[str]:
        """The nodes that the reading answers with, or counts."""
        return set(self.given.pattern.answers)


class RelationalNouns(Check):
    """Compares nouns of relations with what stands right behind them.

    A noun of a relation says what something is: "director Ann" directs, and "the score of the
    tags" is theirs. A reading that is joined by the relation alone may have it of anything else.
    """

    by_order = True

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether words for a relation are said of something else than what is beside them."""
        edges = [e for e in given.pattern.edges if e.relation == span.meaning]
        relations = [relation for edge in edges for relation in self._kinds.relations(edge)]
        if span.kind != "relation" or given.coverage is None or not edges:
            return False
        of = _RelationWords(words, span, given, edges, relations)
        if not all(e.directed for e in edges) or any(map(self._kinds.holds_both_ways, relations)):
            return self._is_said_to_be_another(of)
        return (
            self._is_of_another(of)
            or self._is_done_by_another(of)
            or self._is_value_of_another(of)
            or self._is_said_again(of)
            or self._leads_back(of)
            or self._is_kind_itself(of)
            or self._is_said_to_be_another(of)
            or self._is_done_by_none_asked_for(of)
        )

    def _is_of_another(self, of: _RelationWords) -> bool:
        """Whether a name is not what the noun right before it says: "does director Ann act".

        That asks for nobody who directed her.
        """
        name = name_after(of.span, of.read)
        if name is None or not is_apposed(of.words, of.span, name, of.read, self._language):
            return False
        end = self._saying.end_of_noun(of.span, of.relations)
        ends = {id for e in of.edges for id in (e.nodes if end is None else [getattr(e, end)])}
        return all(of.given.pattern.node(id).text != name.meaning for id in ends)

    def _is_done_by_another(self, of: _RelationWords) -> bool:
        """Whether others do what a name does by the words: "does Ann act", of those in her films.

        They do so where they are farther from the name than what they do it to, and where it might
        do so itself. Else they may be what it did: a review of hers that rates a film.
        """
        name = name_before(of.span, of.read)
        agent = self._agents.end(of.span, of.relations, verb=True)
        if name is None or agent is None or not self._is_subject(of, name):
            return False
        far = distances(of.given.pattern, name.meaning)
        if not far or any(far.get(getattr(e, agent), 0) == 1 for e in of.edges):
            return False
        types = self._types_of(name, of.given.pattern)
        return all(
            not types.isdisjoint(r.end_types(agent == "target")) for r in of.relations
        ) or all(
            far.get(getattr(e, agent), 0) > far.get(getattr(e, OTHER[agent]), 0) > 0
            for e in of.edges
        )

    def _types_of(self, name: Span, pattern: Pattern) -> set[str]:
        """The types that a name may be of by all the relations of its edges."""
        named = nodes_named(pattern, name.meaning)
        sides = [
            {t for relation in self._kinds.relations(e) for t in relation.end_types(target)}
            for e in pattern.edges
            if e.directed
            for id, target in ((e.source, False), (e.target, True))
            if id in named
        ]
        return set.intersection(*sides) if sides else set()

    def _is_subject(self, of: _RelationWords, name: Span) -> bool:
        """Whether a name is whom or what a question asks of: "does director Ann"."""
        noun = next(
            (s for s in of.read if s.kind in ("relation", "type") and s.end + 1 == name.start), None
        )
        start = noun.start if noun else name.start
        articles = self._language.grammar.articles
        before = [w.text for w in of.words if w.end <= start and w.text not in articles]
        return not self._language.before_infinitives.isdisjoint(before[-1:])

    def _is_value_of_another(self, of: _RelationWords) -> bool:
        """Whether a value is not of what it is asked of: "the score of the tags about soil".

        Where questions that are tagged have a score, tags have none.
        """
        if not all(relation.literal_kinds for relation in of.relations):
            return False
        noun = self._noun_of(of)
        if noun is None:
            return False
        others = [e for e in of.given.pattern.edges if e.directed and e.relation == noun.meaning]
        known = [relation for edge in others for relation in self._kinds.relations(edge)]
        end = self._saying.end_of_noun(noun, known)
        if any(relation.literal_kinds for relation in known):
            return False  # "the price of critical parts"
        if end is None or not others or any(map(self._kinds.holds_both_ways, known)):
            return False
        ends = {getattr(e, end) for e in others}
        return all(e.source in {getattr(o, OTHER[end]) for o in others} - ends for e in of.edges)

    def _noun_of(self, of: _RelationWords) -> Span | None:
        """The noun of a relation after "of", which says what a value is of."""
        grammar = self._language.grammar
        after = [w for w in of.words if w.start >= of.span.end]
        if not after or after[0].text not in grammar.of:
            return None
        rest = [w for w in after[1:] if w.text not in grammar.articles]
        relations = (s for s in of.read if s.kind == "relation" and s.meaning != of.span.meaning)
        return next((s for s in relations if rest and s.start == rest[0].start), None)

    def _is_said_again(self, of: _RelationWords) -> bool:
        """Whether a verb and the noun of its subject say one edge: "what did its maker make".

        That asks for all that the maker of something made, and not for the maker.
        """
        read = of.read
        called = {of.span.meaning, *(n for r in of.relations for n in self._kinds.words(r).nouns)}
        typed = self._kinds.schema.typed
        kinds = {"relation"} if typed else {"relation", "type"}  # its nouns are classes there
        said = (s for s in read if s.kind in kinds and s.meaning in called)
        noun = next((s for s in said if s.end <= of.span.start), None)
        apart = of.given.options.get("nodes") == "anchored"  # a chain never leads back
        apart &= self._language.grammar.besides.isdisjoint(w.text for w in of.words)
        if noun is None or self._saying.end_of_noun(noun, of.relations) is None:
            return False
        # Without types, what the words for a kind lead to may be behind what was made.
        behind = not typed and all(
            of.given.pattern.answers and set(of.given.pattern.answers).isdisjoint(e.nodes)
            for e in of.edges
        )
        if len(of.edges) > 1 and not (apart or behind):
            return False
        asks = self._language.before_infinitives
        before = [w for w in of.words if w.end <= noun.start]
        small = self._language.grammar.articles
        subject = [w.text for w in before if w.text not in small][-1:]
        after = [w for w in of.words if w.start >= of.span.end]
        between = [s for s in read if s.kind == "name" and noun.end <= s.start < of.span.start]
        return bool(between) and not after and not asks.isdisjoint(subject)

    def _is_said_to_be_another(self, of: _RelationWords) -> bool:
        """Whether a noun after "are" is for something else than the answers.

        "Which mayors are twin towns of Hull" asks for no mayor of one.
        """
        end = self._saying.end_of_noun(of.span, of.relations)
        grammar = self._language.grammar
        said = [s for s in of.read if s.meaning == of.span.meaning]  # "twin", of "twin towns"
        first = [w for w in of.words if w.end <= of.span.start and w.text not in self._articles]
        before = [w.text for w in first if not any(s.start <= w.start < s.end for s in said)]
        after = [w.text for w in of.words if w.start >= of.span.end]
        asks = not self._language.asking.which.isdisjoint(before[:1]) and len(before) > 2
        if end is None or not asks or grammar.of.isdisjoint(after[:1]):
            return False
        if not (grammar.relative | grammar.whose).isdisjoint(before[1:]):
            return False  # "married to a doctor who is the head of"
        if any(map(self._language.is_participle, after)):
            return False  # "which drug was the mother of Rex given"
        if not self._language.prepositions.isdisjoint(after[-1:]):
            return False  # "what city is the mayor of Hull in"
        both = any(map(self._kinds.holds_both_ways, of.relations))
        both |= not all(edge.directed for edge in of.edges)
        ends = {id for e in of.edges for id in (e.nodes if both else [getattr(e, end)])}
        return not grammar.being.isdisjoint(before[-1:]) and ends.isdisjoint(of.asked)

    def _is_done_by_none_asked_for(self, of: _RelationWords) -> bool:
        """Whether a verb right behind what is asked for is done by others than the answers.

        These could do it themselves: "which team members lead members".
        """
        if of.span.start == 0 or not self._kinds.schema.typed:
            return False
        before = [w for w in of.words if w.end <= of.span.start]
        asks = len(before) > 1 and before[0].text in self._language.asking.which
        nouns = [s for s in of.read if s.kind in ("relation", "type") and s.end <= of.span.start]
        covered = all(any(s.start <= w.start < s.end for s in nouns) for w in before[1:])
        agent = self._agents.end(of.span, of.relations, verb=True)
        if not (asks and covered) or agent is None:
            return False
        asked = of.asked
        if any(not asked.isdisjoint(edge.nodes) for edge in of.edges):
            return False
        pattern = of.given.pattern
        could = {t for r in of.relations for t in r.end_types(agent == "target")}
        return any(
            not could.isdisjoint(
                self._kinds.types_of(node, [e for e in pattern.edges if node.id in e.nodes])
            )
            for node in pattern.nodes
            if node.id in asked
        )

    def _is_kind_itself(self, of: _RelationWords) -> bool:
        """Whether a noun says of a kind again what that is: "which categories have categories".

        That asks for no categories of something else. But "which category is the category of Tea"
        does.
        """
        end = self._saying.end_of_noun(of.span, of.relations)
        forms = self._language.noun_forms(of.span.text.lower().split()[-1])
        kinds = (s for s in of.read if s.kind == "type")
        kind = next((s for s in kinds if s.text.lower().split()[-1] in forms), None)
        if end is None or kind is None:
            return False
        first, second = sorted((kind, of.span), key=lambda span: span.start)
        between = [w.text for w in of.words if first.end <= w.start < second.start]
        small = self._language.grammar.articles
        last = [text for text in between if text not in small][-1:]
        ends = {getattr(edge, end) for edge in of.edges}
        return bool(last) and self._language.grammar.being.isdisjoint(last) and ends <= of.asked

    def _leads_back(self, of: _RelationWords) -> bool:
        """Whether one word says a way out and back: "in which auditor is Acme based".

        Auditors that are based where Acme is are those "in the same town as" it.
        """
        if len(of.edges) != 2 or not self._kinds.schema.typed:
            return False
        if any(relation.literal_kinds for relation in of.relations):
            return False  # "fines over 600 euros"
        grammar, read = self._language.grammar, of.read
        alike = grammar.same | grammar.alike | grammar.sharing | grammar.shared | grammar.owning
        alike |= grammar.both | grammar.besides | grammar.joining | grammar.joint
        if not alike.isdisjoint(w.text for w in of.words):
            return False
        joint = of.span.text.lower().startswith(tuple(self._language.endings.joint))  # "co-authors"
        if joint or sum(s.meaning == of.span.meaning for s in read) > 1:
            return False
        one, other = of.edges
        pairs = ((one.source, other.source), (one.target, other.target))
        shared = {a for a, b in pairs if a == b}
        if end := self._saying.end_of_noun(of.span, of.relations):
            if getattr(one, end) in shared:
                return False  # "films by the director of Dunes"
            nodes = [of.given.pattern.node(id) for id in (getattr(one, end), getattr(other, end))]
            return any(node.text for node in nodes)  # "players of the club whose president is Ann"
        nodes = [of.given.pattern.node(id) for id in {*one.nodes, *other.nodes}]
        said = Counter(s.meaning for s in read if s.kind == "type")
        if any(said[node.type or ""] for node in nodes if node.id in shared):
            return False  # "what did the editor of Budget Vote edit", whose class is Editor
        outer = Counter(node.type for node in nodes if node.type and node.id not in shared)
        if any(said[kind] < number for kind, number in outer.items()):
            return False  # "team with the most members", who are in some team
        return len(shared) == 1 and all(n.text is None for n in nodes if n.id in shared)
