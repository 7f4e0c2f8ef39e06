"""What is so now, of what may have ended: the "current" chair, of memberships with an end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from isomatch.interpret.types import Coverage, Hypothesis
from isomatch.interpret.words.answer_kinds import with_listed
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.substitutions import Substitution
from isomatch.pattern.types import Edge, Node, Pattern
from isomatch.schema.types import Relation


class PresentWords:
    """Finds the words for what is so now that a reading may not pass over, over one graph.

    Where nothing ends, as a country's capital, "the current capital" is the capital.

    Args:
        kinds: the relations of edges, and their types.
        language: of the questions.
    """

    def __init__(self, kinds: AskedKinds, language: Language):
        self._kinds = kinds
        self._language = language
        until = (words for words in language.comparisons.get("<=", ()) if len(words) == 1)
        self._until = language.grammar.whither.union(*until) - language.grammar.by

    def checked(self, question: str, given: Hypothesis) -> Hypothesis:
        """The same; "current" is missed, and a question in the present told to be of any time.

        Both where the graph says when some of these ended.
        """
        coverage, present = given.coverage, self._language.schemas.present
        if coverage is None or given.pattern is None:
            return given
        ended = [node for one in with_listed(given.pattern) for node in self._ended(one)]
        if not ended:
            return given
        left = tuple(
            replace(span, kind="operator") if span.text.lower() in present else span
            for span in coverage.left_out
        )
        given = replace(given, coverage=replace(coverage, left_out=left))
        if self._is_past(question, coverage):
            return given
        taken = dict.fromkeys((*given.taken_for, *self._taken(given.pattern, coverage)))
        return replace(given, taken_for=tuple(taken))

    def _taken(self, whole: Pattern, coverage: Coverage) -> Iterator[Substitution]:
        """The words for what records say that may have ended: "employees, at any time"."""
        ever = self._language.assumed.ever
        for pattern in with_listed(whole):
            for node in dict.fromkeys(self._ended(pattern)):
                if node in pattern.answers:
                    continue
                called = {e.relation for e in pattern.edges if node in e.nodes}
                called.add(pattern.node(node).type)  # "lives", of a residence
                said = (s for s in coverage.understood if s.meaning in called and s.kind != "name")
                words = next(said, None)
                if words is not None and self._is_record(pattern, node):
                    yield Substitution(words.text, ever.format(words.text), may_deny=True)

    def _is_record(self, pattern: Pattern, node: str) -> bool:
        """Whether a node is of a class that nothing leads to: an employment, and no project."""
        edges = [edge for edge in pattern.edges if node in edge.nodes]
        types = set(self._kinds.types_of(pattern.node(node), edges))
        return bool(types) and not self._kinds.are_led_to(types)

    def _is_past(self, question: str, coverage: Coverage) -> bool:
        """Whether a question asks for what was so: "who worked there", and not "has employees".

        Nor "who is employed there", of whom that is said now.
        """
        grammar, language = self._language.grammar, self._language
        if not (grammar.past - grammar.having).isdisjoint(tokens(question)):
            return True
        passed = language.grammar.already | language.schemas.present
        for span in (s for s in coverage.understood if s.kind != "name"):
            before = [w for w in tokens(question[: span.start].lower()) if w not in passed][-1:]
            now = not (grammar.being - grammar.past).isdisjoint(before)
            if not now and any(map(language.is_participle, tokens(span.text))):
                return True
        return False

    def _ended(self, pattern: Pattern) -> Iterator[str]:
        """The nodes that a pattern does not name, of which the graph says when they ended."""
        for node in (one for one in pattern.nodes if one.text is None):
            edges = [edge for edge in pattern.edges if node.id in edge.nodes]
            values = self._kinds.value_relations(node, edges)
            if any(map(self._is_end, (*values, *self._of_times(node, edges)))):
                yield node.id

    def _of_times(self, node: Node, edges: Sequence[Edge]) -> Iterator[Relation]:
        """The values of what is the time of a record alone: of the interval of a membership."""
        relations, own = self._kinds.schema.relations, {*self._kinds.types_of(node, edges)}
        for way in relations:
            types = way.target_types.keys() - own
            alone = way.leads_to_one() and way.leads_to_one(back=True)
            if alone and types and own.issuperset(way.source_types):
                dated = [r for r in relations if not types.isdisjoint(r.source_types)]
                yield from dated if all(r.is_ordered for r in dated) else ()

    def _is_end(self, relation: Relation) -> bool:
        """Whether a relation says when something ended: "to", "valid until", "end date"."""
        name = tokens(relation.text)
        said = {form for word in name for form in self._language.forms(word)}
        last = not self._until.isdisjoint(name[-1:])
        return relation.is_ordered and (last or not self._language.schemas.ends.isdisjoint(said))
