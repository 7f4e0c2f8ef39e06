"""Verbs whose relations are called by their objects, too: "teaches math", of `teachesMath`."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.asked import AskedKinds
from isomatch.interpret.content import Word
from isomatch.interpret.types import Hypothesis, Span
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language


class VerbObjects:
    """Tells what such verbs and their objects say, over one graph.

    Args:
        kinds: the relations of edges.
        language: of the questions.
    """

    def __init__(self, kinds: AskedKinds, language: Language):
        self._kinds = kinds
        self._language = language

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether words say less, or something else, than a verb with its object.

        "Which math does Ann teach" asks for nobody whom she teaches it, and "who teaches Kim math"
        for nobody who teaches something else. Nor are an inventor's "co-inventors" what they made.
        """
        edges = given.pattern.edges if given.pattern else ()
        beside = sum(edge.relation == span.meaning for edge in edges) > 1  # of the same as another
        if self._is_joint(span) and not beside:
            return True
        if span.kind != "relation" or given.coverage is None:
            return False
        if self._is_object(span, span.meaning):
            before = [word.text for word in words if word.end <= span.start][-1:]
            return not self._language.asking.which.isdisjoint(before)
        said = [s for s in given.coverage.understood if s.kind == "relation" and s != span]
        objects = [s for s in said if self._is_object(s, s.meaning)]
        return any(self._is_verb(span, one.meaning) for one in objects)

    def _is_joint(self, span: Span) -> bool:
        """Whether words for others of what somebody has a part in are read as less: "co-author"."""
        joint = self._language.endings.joint
        said = span.kind in ("relation", "type") and span.text.lower().startswith(joint or "\0")
        return said and not span.meaning.lower().startswith(tuple(one.strip("-") for one in joint))

    def _is_object(self, span: Span, name: str) -> bool:
        """Whether words are the object of a verb that leads to somebody else, as "math"."""
        verb, *others = tokens(name) or [""]
        said = tokens(span.text)
        if not others or not self._language.is_verb(verb) or not said:
            return False
        if self._language.singular(said[-1]) != self._language.singular(others[-1]):
            return False
        relations = self._kinds.named(name)
        return bool(relations) and not any(
            self._language.noun_forms(others[-1]) & {noun.split()[-1] for noun in own.nouns}
            for own in map(self._kinds.words, relations)
        )

    def _is_verb(self, span: Span, name: str) -> bool:
        """Whether words are the verb of a relation with an object, and read of another one."""
        forms, (verb, *_) = self._language.forms, tokens(name)
        said = tokens(span.text)
        alone = len(said) == 1 and not forms(said[0]).isdisjoint(forms(verb))
        return alone and span.meaning != name
