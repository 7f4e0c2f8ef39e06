"""Which end of a relation a noun is for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from isomatch.interpret.types import Hypothesis, Span, SpanKind
from isomatch.interpret.unsaid.hops import CHOSEN_BY_WORDS
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import asks_for, describes, is_asked, words_of
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.opposites import are_opposites
from isomatch.lexicon.rank import Ranker
from isomatch.pattern.types import Edge, Pattern

SIMILAR = 0.5
"""Cosine from which words are taken for a relation's."""
ALIKE = 0.6
"""The same where the graph has types and the question does not say which it asks for.

An email is like an address, but who "delivers" categories supplies things of them.
"""
UNLIKE = 0.35
"""Cosine below which a noun for what is asked for has nothing to do with a relation.

"Nationality" is 0.43 from "plays for country", and "population" 0.31 from "residence".
"""


class NamedEnds:
    """Tells whether what a question asks for stands at the end of a relation that its noun is for.

    "Which employees live in Paris" is not answered by whom they work for: employees are like
    workers, and these are the source of "works for".

    Attributes:
        nouns: forms of those for the ends of relations.

    Args:
        kinds: the relations of edges.
        lexicon: their words.
        ranker: for how like a noun is to them.
    """

    def __init__(self, kinds: AskedKinds, lexicon: Lexicon, ranker: Ranker):
        self._kinds = kinds
        self._lexicon = lexicon
        self._ranker = ranker
        noun_forms = lexicon.language.noun_forms
        self.nouns = {
            form
            for words in lexicon.relations.values()
            for noun in (*words.nouns, *words.inverse_nouns)
            for form in noun_forms(noun.rpartition(" ")[2])
        }

    def placed(
        self,
        question: str,
        similar: Mapping[Span, Mapping[str, float]],
        given: Sequence[Hypothesis],
    ) -> list[Mapping[Span, Mapping[str, float]]]:
        """How like words are to relations, for each hypothesis.

        A noun that is asked for may say those of a hypothesis only where the answers are at its
        end, and others only where they are so in the hypothesis that has them.

        Args:
            similar: by words of the question and texts of relations.
        """
        asked = {
            span: self._at_answers(span, scores, given)
            for span, scores in similar.items()
            if self.is_asked(question, span)
        }
        return [
            {**similar, **{span: _of_one(alike, place) for span, alike in asked.items()}}
            for place in range(len(given))
        ]

    def is_other_end(self, question: str, span: Span, text: str, pattern: Pattern) -> bool:
        """Whether words say what a relation does not: who died, lives there; the aunt, a wife.

        Lines that "stop at" Central do not start there, and nothing that a painting "depicts"
        painted it.
        """
        language, said = self._lexicon.language, tokens(span.text)
        before, verb = question[: span.start].lower().split(), tokens(text)[0]
        edges = (e for e in pattern.edges if e.relation == text and e.target in pattern.answers)
        if len(before) == 1 and before[0] in language.asking.who and language.is_verb(verb):
            does = language.singular(verb) != verb
            if does and any(pattern.node(e.source).text is not None for e in edges):
                return True
        schemas = language.schemas
        own = "".join(tokens(text))  # "birthplace"
        kin = schemas.kin.intersection(f for word in said for f in language.noun_forms(word))
        others = schemas.kin.intersection(tokens(text)) - schemas.wider_kin(kin)
        if kin and others and kin.isdisjoint(others):
            return True
        if are_opposites(said, tokens(text), language):
            return True
        return any(
            not words.isdisjoint(said) and not any(word in own for word in words)
            for words in (schemas.births, schemas.deaths)
        )

    def _at_answers(
        self, span: Span, relations: Iterable[str], given: Sequence[Hypothesis]
    ) -> dict[str, list[float | None]]:
        """How like words are to each relation, in each hypothesis; None where it has it not."""
        nouns = {self._head(span).text.lower(), span.text.lower()}
        return {
            text: [
                self._alike(nouns, text, h.pattern)
                if any(edge.relation == text for edge in h.pattern.edges)
                else None
                for h in given
            ]
            for text in relations
        }

    def without_guesses(self, question: str, given: Hypothesis) -> Hypothesis:
        """The same; what it asks for is missed where a further hop is said by no word.

        A kind that nothing stands for and a relation that nobody named are two guesses: "which
        company is located in Paris" asks for nobody who works for one.
        """
        coverage, pattern = given.coverage, given.pattern
        if coverage is None or given.source not in CHOSEN_BY_WORDS:
            return given
        missed = tuple(self._missed(question, s, given) for s in coverage.left_out)
        if missed != coverage.left_out:
            return replace(given, coverage=replace(coverage, left_out=missed))
        if guess := next(
            (s for s in coverage.understood if self._is_guess(question, s, given)), None
        ):
            left = (*coverage.left_out, replace(guess, kind="kind", meaning=""))
            ordered = tuple(sorted(left, key=lambda s: s.start))
            kept = tuple(s for s in coverage.understood if s != guess)
            return replace(given, coverage=replace(coverage, understood=kept, left_out=ordered))
        said = {None, *(span.meaning for span in coverage.understood)}
        further = (
            edge
            for edge in pattern.edges
            if edge.relation not in said and all(pattern.node(id).text is None for id in edge.nodes)
        )
        if not any(further):
            return given
        left = tuple(
            replace(span, kind="kind") if self.is_asked(question, span) else span
            for span in coverage.left_out
        )
        return replace(given, coverage=replace(coverage, left_out=left))

    def _missed(self, question: str, span: Span, given: Hypothesis) -> Span:
        """A word that is left out; as one for a relation, where nothing is answered without it."""
        language = self._lexicon.language
        kin = not language.forms(span.text.lower()).isdisjoint(language.schemas.kin)
        said = (span.kind == "word" and kin) or self._is_main_verb(question, span, given)
        return replace(span, kind="relation") if said else span

    def _is_main_verb(self, question: str, span: Span, given: Hypothesis) -> bool:
        """Whether a word is what somebody does: "which countries does France admire".

        So it is where it ends the question, or a preposition follows, after "does" and its
        subject, and between what is asked for and a name: "which country admires France".
        Without it the nouns are about anything.
        """
        language = self._lexicon.language
        if span.kind != "word" or span.text.lower() in language.grammar.vague:
            return False
        words, read = words_of(question), given.understood
        before = [w for w in words if w.end <= span.start]
        after = [w.text for w in words if w.start >= span.end]
        names = [tokens(node.text.lower())[:1] for node in given.pattern.nodes if node.text]
        if len(before) > 1 and before[-2].text in language.asking.which and after[:1] in names:
            return language.is_verb(span.text.lower())
        verbal = language.before_infinitives
        does = next((w for w in reversed(before[:-1]) if w.text in verbal), None)
        last = not after or after[0] in language.prepositions | language.grammar.with_
        if does is None or not last or self._says(span.text.lower()):
            return False
        return not any(self.is_verb(s) and does.end <= s.start < span.start for s in read)

    def _says(self, verb: str) -> bool:
        """Whether a verb may go with a noun of a relation: "which currency does Peru use"."""
        schemas = self._lexicon.language.schemas
        return any(
            verb in tokens(phrase)
            for table in (schemas.verbs, schemas.called)
            for noun in self.nouns & table.keys()
            for phrase in table[noun]
        )

    def _is_guess(self, question: str, span: Span, given: Hypothesis) -> bool:
        """Whether a noun that is asked for adds a hop which nothing else says, without types.

        The kinds of things are guesses there: "which diseases does Febrilan treat" asks for none
        who were "diagnosed with" what it treats, though diseases are like that.
        """
        language, coverage = self._lexicon.language, given.coverage
        pattern, hops = given.pattern, given.pattern.edges
        if self._lexicon.types or coverage is None or len(hops) < 2:
            return False
        if span.kind not in ("type", "relation") or not is_asked(question, span, language):
            return False
        if not language.grammar.shared.isdisjoint(tokens(question)):
            return False
        others = [s for s in coverage.understood if s != span and s.kind in ("type", "relation")]
        said = Counter(s.meaning for s in others)
        unsaid = []
        for edge in hops:
            called = [edge.relation or "", *self._nouns(edge, target=True)]
            known = next((word for word in called if said[word]), None)
            if known is None:
                unsaid.append(edge)
            else:
                said[known] -= 1
        further = (e for e in unsaid if all(pattern.node(id).text is None for id in e.nodes))
        ends = [(e, id) for e in further for id in e.nodes if id in pattern.answers]
        if not ends:
            return False
        nouns = {word for e, id in ends for word in self._nouns(e, target=id == e.target)}
        if span.kind == "type":  # "which company manufactures X" goes there, and not back again
            verb = next((s for s in others if not question[span.end : s.start].strip()), None)
            back = verb is not None and all(edge.relation == verb.meaning for edge in hops)
            return span.meaning not in nouns and (back or not others)
        if not nouns:
            return True
        head = self._head(span).text.lower()
        rows = self._ranker.vectors([head]) @ self._ranker.vectors(sorted(nouns)).T
        return float(rows.max()) < ALIKE

    def _nouns(self, edge: Edge, *, target: bool) -> list[str]:
        """The nouns for an end of an edge."""
        own = (self._lexicon.relations.get(r.id) for r in self._kinds.relations(edge))
        words = (w for w in own if w is not None)
        return [n for w in words for n in (w.nouns if target else w.inverse_nouns)]

    def unsaid_verbs(
        self,
        question: str,
        pattern: Pattern,
        understood: Sequence[Span],
        left_out: Sequence[Span],
    ) -> list[Span]:
        """What is left out; words that say how the answers are linked to a name are relations.

        These are verbs, what is asked for, and all words where nothing but names was understood:
        "who owns Tides" is not answered by whoever has to do with it. "Based in" is said by a
        relation's own "in".
        """
        language = self._lexicon.language
        said = any(s.kind == "relation" for s in understood)
        left_out = [
            replace(s, kind="relation") if self._asks_otherwise(question, s, pattern, said) else s
            for s in left_out
        ]
        guess = not said and all(e.source in pattern.answers for e in pattern.edges)
        if any(is_asked(question, s, language) for s in understood) and not guess:
            return list(left_out)  # "in what language is it written"
        bare = all(s.kind in ("name", "word") for s in understood)
        nouns = {s.start for s in understood if s.kind in ("type", "relation")}
        own = {word for edge in pattern.edges for word in tokens(edge.relation or "")}
        one = len(pattern.edges) == 1  # else a relation that no word says was added, too
        apposed = self._apposed(question, understood, left_out) if one else frozenset()
        first, asking = question.split()[0], self._lexicon.language.asking
        if bare and not left_out and first.lower() not in asking.where | asking.when:
            start = question.index(first)
            return [Span(start, start + len(first), first, "kind")]  # "who is Edith Moor"

        def links(span: Span) -> bool:
            if self.restricts(question, span):
                return True
            if span in apposed:
                return False
            verb = self._lexicon.language.is_verb(span.text.lower())
            if not (verb or (bare and not self._is_of(question, span))):
                return False
            if not own.isdisjoint(self._preposition(question, span)):
                return False
            return not (self.is_asked(question, span) or describes(question, span, nouns))

        return [
            replace(span, kind="relation") if span.kind == "word" and links(span) else span
            for span in left_out
        ]

    def _asks_otherwise(self, question: str, span: Span, pattern: Pattern, said: bool) -> bool:
        """Whether plain words are a noun for what is asked for, and like no relation of a pattern.

        "What is the population of Oslo" does not ask who lives there. Where another word says a
        relation, only a place is no other thing: which "city" somebody is buried in.
        """
        language = self._lexicon.language
        if span.kind != "word" or not asks_for(question, span, language):
            return False
        noun = {self._head(span).text.lower()}
        if said and noun.isdisjoint(language.schemas.places):
            return False
        relations = {edge.relation for edge in pattern.edges if edge.relation}
        return all(self._alike(noun, text, pattern) < UNLIKE for text in relations)

    def _apposed(
        self, question: str, understood: Sequence[Span], left_out: Sequence[Span]
    ) -> Set[Span]:
        """The plain words that only say what the last name is: "from the football team Ajax".

        Not those of "from the city Ann lives in", where the name is not the last that is said.
        """
        name = max((*understood, *left_out), key=lambda s: s.start, default=None)
        if name is None or name.kind != "name":
            return frozenset()
        apposed, start = [], name.start
        for span in reversed(left_out):
            if span.kind != "word" or question[span.end : start].strip():
                break
            apposed.append(span)
            start = span.start
        before = question[:start].lower().split()[-2:]
        language = self._lexicon.language
        linking = language.prepositions - language.grammar.owning
        there = len(before) == 2 and before[1] in language.grammar.articles
        return frozenset(apposed if there and before[0] in linking else ())

    def _preposition(self, question: str, span: Span) -> Set[str]:
        after = question[span.end :].lower().split()[:1]
        return self._lexicon.language.prepositions.intersection(after)

    def _is_of(self, question: str, span: Span) -> bool:
        """Whether words are a noun as in "the nationality of"."""
        grammar = self._lexicon.language.grammar
        before, after = question[: span.start].lower(), question[span.end :].lower()
        articled = not grammar.articles.isdisjoint(before.split()[-1:])
        return articled and not grammar.of.isdisjoint(after.split()[:1])

    def is_asked(self, question: str, span: Span) -> bool:
        """Whether plain words stand where a question says what it asks for: "which films"."""
        return span.kind == "word" and is_asked(question, span, self._lexicon.language)

    def kind_of(self, span: Span) -> SpanKind:
        """What a plain word that a reading leaves out is: it may be the noun of a relation."""
        forms = self._lexicon.language.forms(span.text.lower())
        return span.kind if forms.isdisjoint(self.nouns) else "relation"  # "writers"

    def restricts(self, question: str, span: Span) -> bool:
        """Whether a word that describes a noun looks like a name: "Irish players" are not all."""
        capital = span.start > 0 and question[span.start].isupper()
        return capital and not self._lexicon.language.capital_nouns

    def is_verb(self, span: Span) -> bool:
        """Whether words for a relation are no noun, which other words may describe."""
        forms = self._lexicon.language.noun_forms(span.text.lower().split()[-1])
        return span.kind == "relation" and self.nouns.isdisjoint(forms)

    def is_far(self, question: str, span: Span, text: str, pattern: Pattern) -> bool:
        """Whether a word must be more like a relation than others to say it.

        After "is" or "are": "navigable" is hardly what a relation says. And a noun for what is
        asked for, where nothing leads away from what the relation leads to in a graph without
        types: a "manager" is no "job title".
        """
        language = self._lexicon.language
        before = question[: span.start].lower().split()
        if not language.grammar.being.isdisjoint(before[-1:]):
            return True
        who = not language.asking.who.isdisjoint(before[:1])
        if who and len(before) == 1 and language.is_verb(span.text.lower()):
            return not language.is_verb(text)  # who "illustrated" something borrowed no "book"
        asked = who or self.is_asked(question, span)
        relations = [
            r for e in pattern.edges if e.relation == text for r in self._kinds.relations(e)
        ]
        noun = asked and not language.is_verb(span.text.lower())
        return noun and all(map(self._kinds.is_mere_text, relations))

    def said(self, question: str, span: Span, relation: str, pattern: Pattern) -> Span:
        """The words of a span that say a relation: of a noun that is asked for, only the last.

        Those before it describe it ("unmarried employees"), unless they are needed to say it.
        """
        head = self._head(span)
        if not self.is_asked(question, span):
            return span
        return head if self._alike({head.text.lower()}, relation, pattern) >= SIMILAR else span

    def _head(self, span: Span) -> Span:
        last = span.text.split()[-1]
        return replace(span, start=span.end - len(last), text=last)

    def _alike(self, nouns: Set[str], relation: str, pattern: Pattern) -> float:
        """How like one of some nouns is to a relation, or to what answers at an end are called."""
        answers = {*pattern.answers, *(one.node for one in pattern.each)}
        phrases = {relation}
        for edge in pattern.edges:
            for known in self._kinds.relations(edge) if edge.relation == relation else ():
                words = self._lexicon.of_relation(known.id)
                phrases |= {*words.forward, *words.backward}
                if edge.target in answers or not edge.directed:
                    phrases |= {*words.nouns}
                if edge.source in answers or not edge.directed:
                    phrases |= {*words.inverse_nouns}
        rows = self._ranker.vectors(sorted(nouns)) @ self._ranker.vectors(sorted(phrases)).T
        return float(rows.max())


def _of_one(alike: Mapping[str, Sequence[float | None]], place: int) -> dict[str, float]:
    """The relations that are like enough, by the hypothesis at a place."""
    kept = {}
    for text, each in alike.items():
        own = each[place]
        best = max((one for one in each if one is not None), default=0.0) if own is None else own
        # It may be the word for a kind of things, which a graph without types lacks.
        if best >= (ALIKE if own is None else SIMILAR):
            kept[text] = best
    return kept
