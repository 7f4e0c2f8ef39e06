"""Tells of words that are mistaken for types or relations which they are only like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from isomatch.interpret.checks.verb_arguments import described_otherwise
from isomatch.interpret.coverage.measures import AskedUnits
from isomatch.interpret.coverage.narrower import NarrowerNames
from isomatch.interpret.coverage.present import PresentWords
from isomatch.interpret.coverage.undone import UndoneRecords
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.unsaid.hops import CHOSEN_BY_WORDS
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.rank import Ranker
from isomatch.lexicon.substitutions import Substitution
from isomatch.pattern.types import Pattern
from isomatch.phrasing import clean

SAME = 0.8
"""Cosine from which words are taken for others without saying so: "movies" for "film"."""


class MistakenWords:
    """Tells which words were taken for types or relations by vectors alone, over one graph.

    Vectors do not tell another word for the same from one for something near it: a "nurse" is
    like a doctor, and "Which nurse works here" is answered by doctors if at all. Who "won" a
    prize is like who was nominated for it.

    Args:
        kinds: the types of the graph by their words.
        lexicon: words of relations and types.
        ranker: for how like words are.
    """

    def __init__(self, kinds: AskedKinds, lexicon: Lexicon, ranker: Ranker):
        self._kinds = kinds
        self._lexicon = lexicon
        self._ranker = ranker
        self._narrower = NarrowerNames(kinds, lexicon)
        self._undone = UndoneRecords(kinds, lexicon)
        self._present = PresentWords(kinds, lexicon.language)
        self._units = AskedUnits(kinds, lexicon)

    def told(self, question: str, given: Hypothesis) -> Hypothesis:
        """The same, with such words; its answers are of the type, where they may be of several.

        Nor is a relation's name taken for less than it says, see `NarrowerNames`.
        """
        coverage, pattern = given.coverage, given.pattern
        if coverage is None or given.source not in (*CHOSEN_BY_WORDS, "programs"):
            return given
        taken = [*given.taken_for, *self._units.told(question, given)]
        if given.source == "programs":  # what it was trained on says what its words mean
            guessed = (span for span in coverage.understood if span.likeness < SAME)
            taken += [Substitution(span.text, span.meaning) for span in guessed]
            return replace(given, taken_for=tuple(dict.fromkeys(taken)))
        taken += described_otherwise(given, self._kinds, self._lexicon.language)
        for span in coverage.understood:
            taken += [] if self._lexicon.types else self._guessed(span, pattern)
            if span.kind == "type" and self._lexicon.types and not coverage.exact:
                pattern = self._narrowed(pattern, span)
            if self._is_birth(span) or (span.likeness < SAME and not self._may_be_said(span)):
                taken.append(Substitution(span.text, span.meaning))
            if span.kind == "type" and self._narrower.is_type(question, span):
                taken.append(Substitution(span.text, span.meaning))
            elif span.kind != "type" or not self._lexicon.types or self._is_called(span):
                continue
            said, meant = self._ranker.vectors([span.text.lower(), span.meaning])
            if float(said @ meant) < SAME:
                taken.append(Substitution(span.text, span.meaning))
            kind = Word(tokens(span.meaning)[-1], span.start, span.end)
            if not coverage.exact and self._kinds.fits(pattern, [kind]):
                pattern, _ = self._kinds.typed(pattern, [kind])
        told = replace(given, pattern=pattern, taken_for=tuple(dict.fromkeys(taken)))
        told = self._undone.told(question, self._narrower.told(question, told))
        return self._present.checked(question, told)

    def _guessed(self, span: Span, pattern: Pattern) -> Iterator[Substitution]:
        """A noun for a class that is a guess for what has a relation.

        Where the guess is poor, or where things of another kind that have the relation too would
        count: series, which are directed as films are.
        """
        words = self._lexicon.relations.values()
        if span.kind != "type" or any(span.meaning in one.nouns for one in words):
            return
        having = self._lexicon.language.assumed.having
        wide = pattern.is_worked_out or bool(pattern.where)
        for edge in (edge for one in pattern.patterns() for edge in one.edges):
            for relation in self._kinds.relations(edge):
                guess = self._kinds.words(relation).source == span.meaning
                if guess and (wide or relation.id in self._lexicon.doubtful):
                    yield Substitution(span.text, having.format(clean(relation.text)))
                    return

    def _narrowed(self, pattern: Pattern, span: Span) -> Pattern:
        """The pattern, where a noun says of which of several types a node between names is.

        What is "operated by agencies in Norway" is not operated by its companies.
        """
        wanted = {id for id, words in self._lexicon.types.items() if words.word == span.meaning}
        nodes = {node.id: node for node in pattern.nodes}
        for node in pattern.nodes:
            if node.text or node.type or node.id in pattern.answers:
                continue
            edges = [e for e in pattern.edges if node.id in e.nodes and e.directed]
            found = set(self._kinds.types_of(node, edges))
            if wanted & found and len(found) > 1:
                nodes[node.id] = replace(node, type=span.meaning)
        return replace(pattern, nodes=tuple(nodes.values()))

    def _is_birth(self, span: Span) -> bool:
        """Whether "how old" is answered by when somebody was born."""
        language = self._lexicon.language
        asks = bool(span.meaning) and tokens(span.text)[0] in language.asking.how
        return asks and not language.schemas.lives.isdisjoint(tokens(span.meaning))

    def _may_be_said(self, span: Span) -> bool:
        """Whether the language has a word for relations of such a name: who "wrote" an author's."""
        language = self._lexicon.language
        tables = language.schemas.doers, language.schemas.verbs, language.schemas.collocations
        meant = [w for w in tokens(span.meaning) if w not in language.function_words]
        if len(meant) != 1:  # a "prize nomination" is no prize
            return False
        nouns = language.noun_forms(meant[0])
        phrases = (p for table in tables for noun in nouns for p in table.get(noun, ()))
        said = {form for phrase in phrases for form in language.forms(tokens(phrase)[0])}
        return not said.isdisjoint(language.forms(tokens(span.text)[0]))

    def _is_called(self, span: Span) -> bool:
        """Whether a word is one that the lexicon has for the type which it stands for.

        And what stands for the values of a relation, which are of no type.
        """
        noun_forms = self._lexicon.language.noun_forms
        said, meant = (tokens(text.partition(",")[0])[-1:] for text in (span.text, span.meaning))
        forms = {form for word in said for form in noun_forms(word)}
        own = {form for word in meant for form in noun_forms(word)}
        names_type, language = self._kinds.names_type, self._lexicon.language
        verbs = {form for word in said for form in language.forms(word)}
        first, *particle = tokens(span.text)
        phrasal = {"".join((form, *particle)) for form in language.forms(first)}
        deeds = any(language.is_deed(noun, verb) for noun in meant for verb in verbs)
        deeds |= not verbs.isdisjoint(self._done_in(span.meaning))
        if deeds or not phrasal.isdisjoint(meant):
            return True  # "prescribed" and "checked out", of a prescription and a checkout
        return not forms.isdisjoint(own) or names_type(forms) or not names_type(own)

    def _done_in(self, noun: str) -> set[str]:
        """The forms of participles for what was done in records of a class: `watched`."""
        types = (id for id, words in self._lexicon.types.items() if words.word == noun)
        parts, language = (self._kinds.parts_of(id) for id in types), self._lexicon.language
        done = filter(language.is_participle, map(str.lower, set[str]().union(*parts)))
        return {form for text in done for form in language.forms(text)}
