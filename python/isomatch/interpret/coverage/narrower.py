"""Relations that a question names by a part of what the graph calls them: "cost", of shipping."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import cache
from itertools import takewhile

from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.answer_kinds import with_listed
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import words_of
from isomatch.interpret.words.rivals import may_be_another
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.substitutions import Substitution
from isomatch.pattern.types import Edge, Pattern
from isomatch.schema.types import Relation, node_types


class NarrowerNames:
    """Tells where the name of a relation says more than a question does, over one graph.

    The only cost that a graph knows of invoices may be a "shipping cost", the only size of its
    agents a "shoe size", and the only mayor of a town the "deputy mayor". Who asks for the
    "cheapest invoice", the "largest agent" or the "mayor" is told so.

    Args:
        kinds: the relations of edges, and their types.
        lexicon: their words.
    """

    def __init__(self, kinds: AskedKinds, lexicon: Lexicon):
        self._kinds = kinds
        self._untyped = not lexicon.types
        self._language = language = lexicon.language
        schemas, units = language.schemas, (w for phrase in language.unit_of for w in phrase)
        self._general = language.building | language.grammar.dating | schemas.days | schemas.general
        periods = (f for word in schemas.periods.values() for f in language.noun_forms(word))
        self._general |= {*language.asking.dates, *schemas.periods, *periods, *units}
        self._general |= schemas.sorts | schemas.topics | language.grammar.numbering
        self._small = language.function_words | language.prepositions
        self._is_rivalled = cache(self._may_be_another)
        self._said_as = [
            (said, {form for noun in nouns for form in language.forms(noun)})
            for said, nouns in _said_as(language)
        ]

    def told(self, question: str, given: Hypothesis) -> Hypothesis:
        """The same, with the words that stand for such relations, and relations that none says."""
        spans = given.understood
        named = {n for s in spans if s.kind == "name" for n in range(s.start, s.end)}
        texts = [t for w in words_of(question) if w.start not in named for t in tokens(w.text)]
        said = self._meant([*texts, *self._done(texts)])
        known = {one.meant for one in given.taken_for}
        taken: dict[str, Substitution] = {}  # once each, by the last edge that says it
        joined: list[str] = []
        relations = (
            (relation, pattern, edge)
            for pattern in with_listed(given.pattern)
            for edge in pattern.edges
            for relation in self._kinds.relations(edge)
        )
        for relation, pattern, edge in relations:
            pieces = not self._language.schemas.pieces.isdisjoint(tokens(relation.text))
            several = pieces and self._kinds.have_quantities(pattern, edge)
            if _only_names(pattern, edge):
                continue  # "teams except Elm", which has something
            meant = [s for s in spans if s.meaning == relation.text]
            if not meant and self._is_rivalled(relation.id):
                words = map(self._language.forms, tokens(relation.text))
                if all(map(said.isdisjoint, words)):
                    joined.append(relation.text)
                    continue
            if relation.text in known or not self._is_narrower(relation, said, several=several):
                continue
            name = {form for w in tokens(relation.text) for form in self._language.forms(w)}
            parts = [s for s in spans if not name.isdisjoint(self._meant(tokens(s.text)))]
            if any(self._is_verb_or_noun(s) and s not in parts for s in meant):
                continue  # said by none of the words of its name: "married", of a spouse
            saying = [s for s in meant if s.kind not in ("name", "type")]
            saying += [s for s in parts if s.kind != "name"]
            if saying:  # "staff", before "how many"
                first = min(saying, key=self._asks)
                taken[relation.text] = Substitution(first.text, relation.text)
            else:
                joined.append(relation.text)
        return replace(
            given,
            taken_for=tuple(dict.fromkeys((*given.taken_for, *taken.values()))),
            joined_by=tuple(dict.fromkeys((*given.joined_by, *joined))),
        )

    def _may_be_another(self, relation: str) -> bool:
        """Whether something else may join the ends of a relation: holders, and beneficiaries."""
        known = self._kinds.schema.by_id[relation]
        return may_be_another(known, self._kinds, self._language, turned=True)

    def _done(self, words: Sequence[str]) -> Iterator[str]:
        """What was not done, by words for that: "resolved", of "unresolved"."""
        for prefix in self._language.endings.undone:
            yield from (word.removeprefix(prefix) for word in words if word.startswith(prefix))

    def _is_verb_or_noun(self, span: Span) -> bool:
        """Whether words for a relation are more than small words, and do not ask."""
        small = self._small.issuperset(tokens(span.text))
        return span.kind == "relation" and not (small or self._asks(span))

    def _asks(self, span: Span) -> bool:
        """Whether words begin with one that asks, and says no noun: "how many"."""
        asking = self._language.asking
        return not (asking.how | asking.when | asking.where).isdisjoint(tokens(span.text)[:1])

    def is_type(self, question: str, span: Span) -> bool:
        """Whether a type says more than a word for it: "flights", which are cancelled ones."""
        *words, _ = tokens(span.type_meant)
        done = list(filter(self._language.is_participle, words))
        said = self._meant(tokens(question)) if done else frozenset()
        return any(said.isdisjoint(self._language.forms(word)) for word in done)

    def _is_narrower(self, relation: Relation, said: Set[str], *, several: bool) -> bool:
        """Whether a word of a relation's name is not said, and not of what has the relation.

        Args:
            several: whether that is of several pieces, and a "unit price" no price of it.
        """
        forms, words = self._language.forms, self._kinds.words(relation)
        name = tokens(self._language.spelled(relation.text).partition("(")[0])
        parts = {form for word in (*name, *tokens(relation.text)) for form in forms(word)}
        phrases = map(set, map(tokens, (*words.nouns, *words.forward, *words.backward)))
        if any(phrase <= said and not phrase <= parts for phrase in phrases):
            return False  # it has another name
        if all(not said.isdisjoint(forms(word)) for word in tokens(relation.text)):
            return False
        plain = self._general | said
        if several:
            plain -= self._language.schemas.pieces - said
        ends = self._kinds.called(node_types(relation.target_types))
        known = plain | {word for text in ends for word in tokens(text)}
        own = {word for text in self._kinds.called_source(relation) for word in tokens(text)}
        unsaid = [word for word in name if known.isdisjoint(forms(word))]
        if not all(map(own.intersection, map(forms, unsaid))) or len(unsaid) < len(name):
            unsaid = [word for word in unsaid if own.isdisjoint(forms(word))]  # a tutor "tutors"
        if relation.is_ordered:
            return len(name) > 1 and bool(unsaid)
        place = all(any(self._language.says_place([form]) for form in (w, *forms(w))) for w in name)
        things = not relation.literal_kinds if self._untyped else relation.target_types
        added = things and not place
        silent = added and all(plain.isdisjoint(forms(w)) for w in name if w not in self._small)
        telling = self._language.prepositions.union(self._before_head(name))  # "voted against"
        return bool(unsaid) and (silent or not telling.isdisjoint(unsaid))

    def _before_head(self, name: Sequence[str]) -> Sequence[str]:
        """The words that say which "mayor" or "stadium", or how something is "funded by" others."""
        language, prepositions = self._language, self._language.prepositions
        every = (*name[:1], *takewhile(lambda word: word not in prepositions, name[1:]))
        head = [word for word in every if word not in language.function_words - prepositions]
        # "Stadium lost", "partly funded", "lived formerly in".
        does = head and len(every) < len(name) and language.is_verb(head[0])
        whole = len(head) > 1 and (does or language.is_participle(head[-1]))
        return head if whole else head[:-1]

    def _meant(self, words: Sequence[str]) -> Set[str]:
        """The forms of words, and the nouns that they stand for in names: "earn", of a salary."""
        forms = {form for word in words for form in self._language.forms(word)}
        return forms.union(*(nouns for said, nouns in self._said_as if not forms.isdisjoint(said)))


def _only_names(pattern: Pattern, edge: Edge) -> bool:
    """Whether an edge is there only so that a pattern may have a name that it answers with."""
    alone = pattern.edges == (edge,) and pattern.answers == (edge.source,)
    plain = not pattern.where and pattern.node(edge.target).text is None
    return alone and plain and pattern.node(edge.source).text is not None


def _said_as(language: Language) -> Iterator[tuple[Set[str], Set[str]]]:
    """Forms of words, and nouns in the names of relations that they may say."""
    schemas = language.schemas
    tables = schemas.verbs, schemas.called, schemas.collocations, schemas.numbers, schemas.nouns
    for table in (*tables, schemas.doers, schemas.inverses):
        for noun, phrases in table.items():
            firsts = (tokens(phrase)[0] for phrase in phrases)
            yield {form for first in firsts for form in language.forms(first)}, {*tokens(noun)}
    for adjective, nouns in language.degrees.items():
        yield {adjective}, {*nouns}
    for scale in language.scales:
        of = {word.removeprefix("-") for word in scale.of}
        if not schemas.durations.isdisjoint(of):  # a long paper has many pages
            of |= schemas.extents
        of |= {noun for noun, verbs in schemas.verbs.items() if not of.isdisjoint(verbs)}
        highs, lows = (
            (scale.high, scale.higher, scale.highest),
            (scale.low, scale.lower, scale.lowest),
        )
        yield {word for words in (*highs, *lows) for word in words}, of
        if not language.asking.price.isdisjoint(scale.high):
            yield language.asking.much, of
    yield language.grammar.by, schemas.makers
    yield language.grammar.whence, schemas.origins
    lasting = (tokens(verb)[0] for verb in schemas.lasting_verbs)
    yield {f for verb in lasting for f in language.forms(verb)}, schemas.durations | schemas.times
