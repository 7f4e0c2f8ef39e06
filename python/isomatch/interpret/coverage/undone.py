"""Records that may say that what they record did not come about: a rental that was cancelled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from isomatch.interpret.types import Coverage, Hypothesis, Span
from isomatch.interpret.words.answer_kinds import with_listed
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.substitutions import Substitution
from isomatch.pattern.types import Pattern
from isomatch.schema.types import Relation


class UndoneRecords:
    """Tells which verbs are read of all records, though these say themselves what came of them.

    Args:
        kinds: the relations of edges, and their types.
        lexicon: their words.
    """

    def __init__(self, kinds: AskedKinds, lexicon: Lexicon):
        self._kinds = kinds
        self._lexicon = lexicon
        self._language = lexicon.language

    def told(self, question: str, given: Hypothesis) -> Hypothesis:
        """The same, with what such verbs were taken for: "booking, cancelled or not"."""
        coverage = given.coverage
        if coverage is None or not self._lexicon.types:
            return given
        taken = dict.fromkeys((*given.taken_for, *self._taken(question, given.pattern, coverage)))
        return replace(given, taken_for=tuple(taken))

    def _taken(self, question: str, whole: Pattern, coverage: Coverage) -> Iterator[Substitution]:
        for pattern in with_listed(whole):
            asked = {*pattern.returns, *(one.node for one in pattern.each)}
            for node in pattern.nodes:
                edges = [edge for edge in pattern.edges if node.id in edge.nodes]
                types = self._kinds.types_of(node, edges)
                if node.text is not None or node.id in asked or len(types) != 1:
                    continue
                words, said = self._lexicon.types.get(types[0]), {edge.relation for edge in edges}
                verbs = self._verbs(question, words.word, types[0], coverage) if words else ()
                if words is None or not verbs:
                    continue
                relations = self._kinds.value_relations(node, edges)
                left = (self._left(words.word, r) for r in relations if r.text not in said)
                how = sorted(filter(None, left))
                if how:
                    meant = f"{words.word}{''.join(how)}"
                    yield Substitution(verbs[0].text, meant, may_deny=True)

    def _left(self, called: str, relation: Relation) -> str:
        """What a relation may say of a record, if it may say that nothing came of it."""
        schemas, words = self._language.schemas, set(tokens(relation.text))
        flagged, any_value = self._language.assumed.flagged, self._language.assumed.any_value
        if relation.is_flag:
            return "" if words.isdisjoint(schemas.realised) else flagged.format(relation.text)
        values = {kind for kind in relation.literal_kinds if kind in ("text", "number")}
        sided = values and not schemas.sided.isdisjoint(tokens(called)[-1:])
        texts = "text" in values and called not in schemas.requests and words & schemas.outcomes
        return any_value.format(relation.text) if sided or texts else ""

    def _verbs(self, question: str, called: str, type: str, coverage: Coverage) -> list[Span]:
        """The words that say of a record that something was done: "rented", "did Ann book"."""
        parts, found = self._kinds.parts_of(type), []
        for span in coverage.understood:
            text, meaning = span.text.lower(), span.type_meant
            nouns = self._language.noun_forms(text)
            if meaning in parts and span.kind == "relation" and not self._is_small(text):
                verb = nouns.isdisjoint(tokens(meaning))
            else:
                verb = meaning == called and span.kind in ("type", "relation")
                verb &= called not in nouns or (text == called and self._is_verb(question, span))
            found += [span] * verb
        return sorted(found, key=lambda span: span.text.lower() == called)  # "crime" before "occur"

    def _is_small(self, text: str) -> bool:
        return self._language.function_words.issuperset(tokens(text))

    def _is_verb(self, question: str, span: Span) -> bool:
        """Whether a word that may be a noun is the verb of a question: "did Ann book"."""
        before = tokens(question[: span.start])
        grammar = self._language.grammar
        opens = grammar.any_article | grammar.every | grammar.own
        asked = not self._language.before_infinitives.isdisjoint(before)
        return asked and opens.isdisjoint(before[-1:])
