"""Checks the order of the words for a chain's relations, outward from the name it begins with."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.content import Word
from isomatch.lexicon.language import Language


def is_further(words: Sequence[Word], span: Span, given: Hypothesis, language: Language) -> bool:
    """Whether a word says the first hop of a chain, and that of a later one is nearer to the name.

    "Films starring Ann were directed by whom" asks for no actors of films that she directed.
    """
    pattern, coverage = given.pattern, given.coverage
    named = [node for node in pattern.nodes if node.text is not None]
    if coverage is None or span.kind != "relation" or len(named) != 1:
        return False
    name = next((s for s in coverage.understood if s.meaning == named[0].text), None)
    first = {edge.relation for edge in pattern.edges if named[0].id in edge.nodes}
    later = {edge.relation for edge in pattern.edges} - first
    if name is None or span.meaning not in first:
        return False
    apart = {s: _apart(words, s, name, language) for s in coverage.understood}
    said = [s for s in apart if s.kind == "relation"]
    others = [apart[s] for s in apart if s.kind == "type" or (s in said and s.meaning in first)]
    nearest = min(apart[s] for s in said if s.meaning in (*first, *later))
    return nearest < min(others)


def _apart(words: Sequence[Word], one: Span, other: Span, language: Language) -> int:
    """How many words there are between two, but for articles, prepositions, “'s”."""
    first, second = sorted((one, other), key=lambda span: span.start)
    grammar = language.grammar
    small = grammar.articles | grammar.possessive | language.prepositions
    between = (w for w in words if first.end <= w.start and w.end <= second.start)
    return sum(len(w.text) > 1 and w.text not in small for w in between)  # "Ann 's" film
