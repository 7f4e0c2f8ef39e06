"""Values that a question asks for by a noun, and what a reading answers with."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.asked import AskedKinds
from isomatch.interpret.content import Word
from isomatch.interpret.types import Hypothesis, Span
from isomatch.lexicon.language import Language


def are_no_answers(
    words: Sequence[Word], span: Span, given: Hypothesis, kinds: AskedKinds, language: Language
) -> bool:
    """Whether the values that a question begins with are not what a reading answers with.

    "What is the billed amount of members" is not answered by members of billed claims.
    """
    pattern, asking = given.pattern, language.asking
    edges = [e for e in pattern.edges if e.relation == span.meaning and span.kind == "relation"]
    if not edges or given.coverage is None:
        return False
    said = [s for s in given.coverage.understood if s.meaning == span.meaning]
    before = [w for w in words if w.end <= span.start]
    others = {w.text for w in before if not any(s.start <= w.start < s.end for s in said)}
    small = language.function_words - language.prepositions
    opens = others <= small.union(asking.which, asking.commands, asking.requests)
    after = [w.text for w in words if w.start >= span.end][:1]
    if not opens or language.grammar.of.isdisjoint(after):
        return False
    if not all(relation.literal_kinds for edge in edges for relation in kinds.relations(edge)):
        return False
    shown = {*pattern.answers, pattern.count, *(one.node for one in pattern.each)}
    return all(edge.target not in shown for edge in edges)
