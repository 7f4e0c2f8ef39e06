"""Units that a question asks for, "in km", where the values of the graph are in others."""

from __future__ import annotations

from collections.abc import Iterator

from isomatch.interpret.compose.units import own_unit, unit_at
from isomatch.interpret.types import Hypothesis
from isomatch.interpret.words.answer_kinds import AnswerKinds
from isomatch.interpret.words.content import words_of
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.substitutions import Substitution
from isomatch.lexicon.tables import Unit
from isomatch.schema.types import Relation


class AskedUnits:
    """Tells where values are not in the unit that a question asks for, over one graph.

    Values are given as the graph has them. So "the range in km" of what is called a "range (NM)"
    is told to be in that, and so is one of which nothing says the unit.

    Args:
        kinds: the relations of edges.
        lexicon: their words.
    """

    def __init__(self, kinds: AnswerKinds, lexicon: Lexicon):
        self._kinds = kinds
        self._language = lexicon.language

    def told(self, question: str, given: Hypothesis) -> Iterator[Substitution]:
        """The units that are asked for, each with what it is taken for."""
        asked = list(self._asked(question, given))
        for relation in self._values(given) if asked else ():
            called = (relation.text, *self._kinds.words(relation).nouns)
            own = own_unit(relation, called, self._language)
            for text, unit in asked:
                if own != unit and (own is None or own.factor != unit.factor or own.of != unit.of):
                    yield Substitution(text, self._language.assumed.unit.format(relation.text))

    def _asked(self, question: str, given: Hypothesis) -> Iterator[tuple[str, Unit]]:
        """The units after a preposition or "how many", as written."""
        words, language = words_of(question), self._language
        spans = given.understood
        named = {n for s in spans if s.kind == "name" for n in range(s.start, s.end)}
        for place in range(1, len(words)):
            found = unit_at(words, place, language)
            before = tuple(w.text for w in words[max(0, place - 2) : place])
            after = before[-1] in language.prepositions or before in language.operators.count
            if found and after and words[place].start not in named:
                end = words[place + found[0] - 1].end
                yield question[words[place].start : end], found[1]

    def _values(self, given: Hypothesis) -> list[Relation]:
        """The relations whose values, or what is worked out of them, are the answers."""
        pattern, worked = given.pattern, [one.node for one in given.pattern.each]
        if pattern.aggregate is not None:
            worked.append(pattern.aggregate.node)
        nodes = {*pattern.answers, *worked} if pattern.count is None else set()
        ends = (r for e in pattern.edges if e.target in nodes for r in self._kinds.relations(e))
        return [relation for relation in ends if relation.literal_kinds.get("number")]
