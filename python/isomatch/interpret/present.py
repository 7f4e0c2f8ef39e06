"""What is so now, of what may have ended: the "current" chair, of memberships with an end."""

from __future__ import annotations

from dataclasses import replace

from isomatch.interpret.answered import with_listed
from isomatch.interpret.asked import AskedKinds
from isomatch.interpret.types import Hypothesis, Span
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.pattern.types import Pattern
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

    def checked(self, given: Hypothesis) -> Hypothesis:
        """The same; "current" is missed where the graph says when some of these ended."""
        coverage, present = given.coverage, self._language.schemas.present
        if coverage is None or all(s.text.lower() not in present for s in coverage.left_out):
            return given
        if not any(map(self._may_end, with_listed(given.pattern))):
            return given

        def missed(span: Span) -> Span:
            return replace(span, kind="operator") if span.text.lower() in present else span

        left = tuple(map(missed, coverage.left_out))
        return replace(given, coverage=replace(coverage, left_out=left))

    def _may_end(self, pattern: Pattern) -> bool:
        """Whether something that a pattern does not name has a date when it ended."""
        for node in (one for one in pattern.nodes if one.text is None):
            edges = [edge for edge in pattern.edges if node.id in edge.nodes]
            if any(map(self._is_end, self._kinds.told_of(node, edges))):
                return True
        return False

    def _is_end(self, relation: Relation) -> bool:
        """Whether a relation says when something ended: "to", "valid until", "end date"."""
        name = tokens(relation.text)
        said = {form for word in name for form in self._language.forms(word)}
        last = not self._until.isdisjoint(name[-1:])
        return relation.is_ordered and (last or not self._language.schemas.ends.isdisjoint(said))
