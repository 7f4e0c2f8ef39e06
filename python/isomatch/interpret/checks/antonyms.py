"""Checks antonyms of what the names of flags say: "open at night", of "closed at night"."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.checks.base import Check
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.opposites import are_complements


class Antonyms(Check):
    """Tells which words were read as a flag by what is left of its name, over one graph."""

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a question has the opposite of a flag's name, and not what that says."""
        relations = self._kinds.named(span.meaning) if span.kind == "relation" else ()
        if given.coverage is None or not relations or not all(r.is_flag for r in relations):
            return False
        forms = self._language.forms
        said = {form for word in words for form in forms(word.text)}
        unsaid = [word for word in tokens(span.meaning) if forms(word).isdisjoint(said)]
        return any(
            are_complements(word.text, name, self._language) for word in words for name in unsaid
        )
