"""Which words of a question say the relations of a reading, and as what: a noun or a verb."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import dropwhile

from isomatch.interpret.types import Coverage, Span
from isomatch.interpret.words.agents import End
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import Word, words_of
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.pattern.types import Edge, Pattern
from isomatch.schema.types import Relation

STEM = 4
"""Letters by which a word of a question is one of a relation's name: "teach", of `teachesMath`."""


class RelationSpans:
    """Tells what the words for relations are, over one graph.

    Args:
        kinds: the relations of edges.
        language: of the questions.
    """

    def __init__(self, kinds: AskedKinds, language: Language):
        self._kinds = kinds
        self._language = language

    def is_noun(self, span: Span, edge: Edge) -> bool:
        """Whether words are a noun for the relation of an edge: "mentors", of "mentor"."""
        nouns, verbs = [edge.relation or ""], set[str]()
        for relation in self._kinds.relations(edge):
            words = self._kinds.words(relation)
            nouns += [*words.nouns, *words.inverse_nouns]
            verbs |= {*words.forward, *words.backward}
        last = tokens(span.text)[-1:]
        if not verbs.isdisjoint(last):
            return False
        heads, forms = self.heads(nouns), self._language.noun_forms
        return any(not heads.isdisjoint(forms(word)) for word in last)

    def of_names(self, spans: Iterable[Span]) -> set[str]:
        """Forms of the nouns that names end in: "a vehicle crime" is a crime."""
        nouns = (s.text.lower().split()[-1] for s in spans if s.kind == "name" and " " in s.text)
        return {form for noun in nouns for form in self._language.noun_forms(noun)}

    def says_class(self, span: Span, called: Collection[str]) -> bool:
        """Whether a verb says what a class with some names records: "called", of a phone call."""
        return not self._language.forms(span.text).isdisjoint(w.split()[-1] for w in called if w)

    def is_verb(self, span: Span, relation: Relation) -> bool:
        """Whether words are the verb that a relation is called by: "reports", of "reports to"."""
        verb, *others = tokens(relation.text)
        forms, own = self._language.forms, self._kinds.words(relation)
        nouns = self.heads([*own.nouns, *own.inverse_nouns])
        if not nouns.isdisjoint(self._language.noun_forms(tokens(span.text)[-1])):
            return False
        said = {form for word in tokens(span.text) for form in forms(word)}
        return self._language.prepositions.issuperset(others) and not said.isdisjoint(forms(verb))

    def is_of_where(self, question: str, edge: Edge) -> bool:
        """Whether "where" says a relation with an idle verb of its own: "where it happened".

        What "occurred at" a place happened there, too.
        """
        texts = [word.text for word in words_of(question)]
        after = dropwhile(lambda text: text not in self._language.asking.where, texts)
        relations = self._kinds.relations(edge)
        phrases = [p for r in relations for p in (r.text, *self._kinds.words(r).forward)]
        idle, is_participle = self._language.idle, self._language.is_participle
        said = filter(is_participle, idle.intersection(after))
        return any(said) and any(tokens(phrase)[0] in idle for phrase in phrases)

    def is_linking(self, words: Sequence[Word], span: Span) -> bool:
        """Whether "who assigned the task" is read of whom it was assigned to."""
        grammar, schemas = self._language.grammar, self._language.schemas
        before = {word.text for word in words if word.end <= span.start}
        after = [word.text for word in words if word.start >= span.end][:1]
        linked = not schemas.linked.isdisjoint(tokens(span.meaning)[:1])
        who = words[0].text in self._language.asking.who and grammar.been.isdisjoint(before)
        plain = bool(after) and self._language.prepositions.isdisjoint(after)
        return linked and who and plain and self._language.is_for_another(span.meaning)

    def is_elsewhere(self, span: Span, following: Sequence[str], texts: Collection[str]) -> bool:
        """Whether a verb has another preposition than in what its relations are called.

        Who works for somebody does not work in what that person heads. But "the director of" is
        said of "directed by".

        Args:
            following: the word after the verb; empty at the end.
            texts: of the relations.
        """
        prepositions, grammar = self._language.prepositions, self._language.grammar
        # Who died in a place did not die of it, but "the head of" is in no verb.
        nouns = grammar.of if not all(map(self._language.is_verb, texts)) else frozenset()
        own = {word for text in texts for word in tokens(text)[1:]} - nouns
        said = prepositions.intersection(following) - grammar.by - grammar.of
        if not own.isdisjoint(grammar.of):
            said -= grammar.whence  # who died from something died of it
        if not said.isdisjoint(grammar.placing):  # who works in a ward works at it
            own |= said if own & grammar.placing else set()
        return bool(said and own & prepositions) and said.isdisjoint((*own, *tokens(span.text)))

    def are_several(self, span: Span) -> bool:
        """Whether words end with a plural."""
        word = tokens(span.text)[-1]
        return self._language.singular(word) != word

    def end_of_noun(self, span: Span, relations: Sequence[Relation]) -> End | None:
        """The end of relations that words are a noun for; None where they are none, or for both."""
        forms = self._language.noun_forms(tokens(span.text)[-1])
        own = [self._kinds.words(relation) for relation in relations]
        targets = self.heads(noun for words in own for noun in words.nouns)
        sources = self.heads(noun for words in own for noun in words.inverse_nouns)
        if forms.isdisjoint(targets) == forms.isdisjoint(sources):
            return None
        return "source" if forms.isdisjoint(targets) else "target"

    def heads(self, nouns: Iterable[str]) -> set[str]:
        """The forms of the last words of nouns."""
        forms = self._language.noun_forms
        return {form for noun in nouns for word in tokens(noun)[-1:] for form in forms(word)}


def unsaid(edges: Iterable[Edge], spans: Iterable[Span], *, once: bool) -> list[Edge]:
    """The edges whose relation no word says, in their order; those of any relation need none.

    Args:
        spans: the words for relations.
        once: whether a word says one edge only, as it does in "where": no word says a way out and
            back.
    """
    words = _times_said(span for span in spans if span.kind == "relation")
    found = []
    for edge in edges:
        if edge.relation is None:
            continue
        if not words[edge.relation]:
            found.append(edge)
        elif once:
            words[edge.relation] -= 1
    return found


def _times_said(spans: Iterable[Span]) -> Counter[str]:
    """How often each relation is said; a verb apart from its object says it once with it.

    "Who teaches Kim math" says `teachesMath` once.
    """
    texts: dict[str, list[list[str]]] = {}
    for span in spans:
        texts.setdefault(span.meaning, []).append(tokens(span.text))
    return Counter({meaning: _sayings(meaning, said) for meaning, said in texts.items()})


def _sayings(meaning: str, said: Sequence[Sequence[str]]) -> int:
    """How often words say a relation: each that is one of its name's, with the others of these."""
    stems = [word[:STEM] for word in tokens(meaning)]
    own = [{word[:STEM] for word in words} for words in said]
    parts = [stem for stem in own if len(stem) == 1 and stem <= set(stems)]
    if len(stems) < 2 or len(parts) < 2:
        return len(said)
    most = max(Counter(next(iter(stem)) for stem in parts).values())
    return len(said) - len(parts) + most


def names_at(edge: Edge, pattern: Pattern, coverage: Coverage) -> Sequence[Span]:
    """The words of a question that stand for the names at the ends of an edge."""
    texts = {pattern.node(id).text for id in edge.nodes}
    named = (s for s in coverage.understood if s.kind in ("name", "word"))  # numbers are words
    return [s for s in named if s.meaning in texts]
