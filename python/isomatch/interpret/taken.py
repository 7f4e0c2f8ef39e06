"""Words of a question that are taken for types which they are only like."""

from __future__ import annotations

from dataclasses import replace

from isomatch.interpret.asked import AskedKinds
from isomatch.interpret.content import Word
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.unsaid import CHOSEN_BY_WORDS
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mentions import Substitution
from isomatch.lexicon.rank import Ranker

SAME = 0.8
"""Cosine from which words are taken for a type without saying so: "movies" for "film"."""


class TakenTypes:
    """Tells which words were taken for types by vectors alone, over one graph.

    Vectors do not tell another word for the same things from one for others of their kind: a
    "nurse" is like a doctor, and "Which nurse works here" is answered by doctors if at all.

    Args:
        kinds: the types of the graph by their words.
        lexicon: words of relations and types.
        ranker: for how like words are.
    """

    def __init__(self, kinds: AskedKinds, lexicon: Lexicon, ranker: Ranker):
        self._kinds = kinds
        self._lexicon = lexicon
        self._ranker = ranker

    def told(self, given: Hypothesis) -> Hypothesis:
        """The same, with such words; its answers are of the type, where they may be of several."""
        coverage, pattern = given.coverage, given.pattern
        if coverage is None or not self._lexicon.types or given.source not in CHOSEN_BY_WORDS:
            return given
        taken = list(given.taken_for)
        for span in coverage.understood:
            if span.kind != "type" or self._is_called(span):
                continue
            said, meant = self._ranker.vectors([span.text.lower(), span.meaning])
            if float(said @ meant) < SAME:
                taken.append(Substitution(span.text, span.meaning))
            kind = Word(tokens(span.meaning)[-1], span.start, span.end)
            if not coverage.exact and self._kinds.fits(pattern, [kind]):
                pattern, _ = self._kinds.typed(pattern, [kind])
        return replace(given, pattern=pattern, taken_for=tuple(dict.fromkeys(taken)))

    def _is_called(self, span: Span) -> bool:
        """Whether a word is one that the lexicon has for the type which it stands for.

        And what stands for the values of a relation, which are of no type.
        """
        noun_forms = self._lexicon.language.noun_forms
        said, meant = (tokens(text.partition(",")[0])[-1:] for text in (span.text, span.meaning))
        forms = {form for word in said for form in noun_forms(word)}
        own = {form for word in meant for form in noun_forms(word)}
        names_type = self._kinds.names_type
        return not forms.isdisjoint(own) or names_type(forms) or not names_type(own)
