"""Leaves out values that say that there is none: who has the email "n/a" has no email."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from isomatch.interpret.types import Hypothesis
from isomatch.lexicon.language import Language
from isomatch.lexicon.mentions import MentionFinder
from isomatch.pattern.types import Condition, Pattern
from isomatch.schema.types import Schema
from isomatch.store.terms import is_literal


class MissingValues:
    """Leaves such values out where only whether there is a value matters.

    Args:
        schema: its relations lead to values, or do not.
        mentions: which values a graph has.
    """

    def __init__(self, schema: Schema, mentions: MentionFinder, language: Language):
        self._texts = {
            relation.text
            for relation in schema.relations
            if "text" in relation.literal_kinds and not relation.target_types
        }
        self._mentions = mentions
        self._language = language

    def left_out(self, given: Hypothesis) -> Hypothesis:
        """The same, where what has only such a value at a relation that words say has none."""
        spans = given.understood
        said = {span.meaning for span in spans if span.kind == "relation"} & self._texts
        if not said or not any(any(_values(p, said)) for p in given.pattern.patterns()):
            return given
        missing = tuple(self._missing())
        return replace(given, pattern=_without(given.pattern, said, missing)) if missing else given

    def _missing(self) -> Iterator[str]:
        """The values of the graph that say so."""
        for word in sorted(self._language.schemas.nothing):
            for name in self._mentions.named(word, 0, 0):
                if any(map(is_literal, name.ids)):
                    yield name.text


def _values(pattern: Pattern, said: Collection[str]) -> Iterator[str]:
    """The nodes for values of some relations of which nothing else is said or asked."""
    functions = (node for _, node in pattern.functions)
    other = {*pattern.answers, *functions, pattern.order and pattern.order.node}
    other |= {id for one in pattern.where for id in (one.node, one.other)}
    other |= {id for part in pattern.parts for id in part.nodes}
    other |= {id for part in pattern.optional for edge in part.edges for id in edge.nodes}
    for edge in pattern.edges:
        beside = [one for one in pattern.edges if edge.target in one.nodes]
        unknown = pattern.node(edge.target).text is None and edge.target not in other
        if edge.relation in said and unknown and len(beside) == 1:
            yield edge.target


def _without(pattern: Pattern, said: Collection[str], missing: tuple[str, ...]) -> Pattern:
    conditions = [
        Condition(id, "!=", (value,)) for id in _values(pattern, said) for value in missing
    ]
    parts = [replace(p, pattern=_without(p.pattern, said, missing)) for p in pattern.parts]
    return replace(pattern, where=(*pattern.where, *conditions), parts=tuple(parts))
