"""Which end of a relation does what a verb says: the team, where a service is "owned by" one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.pattern.types import Part
from isomatch.schema.types import Relation

End = Literal["source", "target"]
"""Of a relation."""


class Agents:
    """Finds these ends by verbs and by the names of relations, over one graph.

    Args:
        kinds: the relations of edges.
        language: of the questions.
    """

    def __init__(self, kinds: AskedKinds, language: Language):
        self._kinds = kinds
        self._language = language

    def end(self, span: Span, relations: Sequence[Relation], *, verb: bool = False) -> End | None:
        """The end of relations that does what a verb says; None where that is not known.

        Args:
            verb: whether words are no noun: "did Ann mentor".
        """
        ends = {self._end_of(span, relation, verb=verb) for relation in relations}
        return ends.pop() if len(ends) == 1 else None

    def _end_of(self, span: Span, relation: Relation, *, verb: bool) -> End | None:
        """Which end of one relation does what a verb says."""
        language, (first, *others) = self._language, tokens(relation.text)
        verbs, noun = language.forms(tokens(span.text)[0]), [first, *others][-1]
        if relation.literal_kinds:
            return None
        if language.is_verb(relation.text):
            said = not verbs.isdisjoint(language.forms(first))
            # "Displayed in" says not by whom, but what was "rented to" somebody was by them.
            let = first in language.schemas.tenancies and bool(others)
            passive = language.is_passive(relation.text) or let
            return ("target" if passive else "source") if said and (passive or not others) else None
        deed = language.deed(relation.text) if noun in language.grammar.of else None
        if deed is not None:  # who is the "moderator of" it moderates it
            named = not verb and first in language.noun_forms(tokens(span.text)[0])
            end: End = "source" if deed[1] else "target"
            return None if named or verbs.isdisjoint(language.forms(deed[0])) else end
        if noun in language.told.plain:  # "films star Tom Hanks", over `starring`
            return None if verbs.isdisjoint(language.forms(noun)) else "source"
        if others and noun in self._kinds.words(relation).forward:  # "award received"
            return None if verbs.isdisjoint(language.forms(noun)) else "source"
        doings = [*language.schemas.doers.get(noun, ()), language.done_by(noun) or noun]
        doings += language.schemas.doers.get(relation.text.lower(), ())  # "cast member"
        alone = (doing for doing in doings if " " not in doing)  # films star who "starred in" them
        done = {form for doing in alone for form in language.forms(doing)}
        named = not verb and noun in language.noun_forms(tokens(span.text)[0])  # "the owner of"
        return None if named or done.isdisjoint(verbs) else "target"

    def are_aside(self, span: Span, relations: Sequence[Relation], *, asked: bool) -> bool:
        """Whether no end of relations does what a verb says: "bought from", "heard at".

        A court hears a case, but who hears it is no court.

        Args:
            asked: whether a question is about who does it.
        """
        language, grammar = self._language, self._language.grammar
        said = language.forms(tokens(span.text)[0])
        for relation in relations:
            aside = grammar.directions | (grammar.placing if asked else frozenset())
            if relation.source_types.keys().isdisjoint(relation.target_types):
                aside |= grammar.whither  # "shipped to", and not "married to"
            verb, *others = tokens(relation.text)
            if said.isdisjoint(language.forms(verb)) or len(others) != 1 or others[0] not in aside:
                return False
        return True

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether words are said of another end of a relation than a reading has them for."""
        return (
            self._are_others(words, span, given)
            or self._are_of_another(words, span, given)
            or self._are_inside(words, span, given)
            or self._are_beside(words, span, given)
            or self._are_onto(words, span, given)
        )

    def _are_others(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether the verb after "who" says nothing of the answers: "who escalated it to Ann".

        To whom it was is all that the graph says, and whoever filed it need not have done so. Nor
        did animals buy anything that were "bought from" somebody.
        """
        pattern = given.pattern
        edges = [edge for edge in pattern.edges if edge.relation == span.meaning]
        ends = {id for edge in edges for id in edge.nodes}
        second = words[1].start if len(words) > 1 else -1
        who = words[0].text in self._language.asking.who and span.start == second
        verb = self._language.is_verb(span.meaning) and span.kind == "relation"
        if not (who and verb and edges):
            return False
        relations = [relation for edge in edges for relation in self._kinds.relations(edge)]
        people, called = self._language.schemas.people, self._kinds.called
        undergo = {edge.source for edge in edges}.issuperset(pattern.answers)
        undergo = undergo and self.are_aside(span, relations, asked=True)
        undergo = undergo and all(
            people.isdisjoint(called(r.source_types)) and people & {*called(r.target_types)}
            for r in relations
        )
        return undergo or ends.isdisjoint(pattern.answers)

    def _are_of_another(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a name is not what the noun behind it says: "who is Ann the mentor of".

        That asks for those whose mentor she is, and not for her mentor; nor does "is Ann the
        mentor of Bob" ask whether he is hers.
        """
        coverage, pattern = given.coverage, given.pattern
        names = [] if coverage is None else [s for s in coverage.understood if s.kind == "name"]
        said = self._said_to_be(words, span, names) if span.kind == "relation" else None
        if said is None:
            return False
        name, whether = said
        forms = self._language.noun_forms(tokens(span.text)[-1])
        edges = [edge for edge in pattern.edges if edge.relation == span.meaning]
        for edge, relation in ((e, r) for e in edges for r in self._kinds.relations(e)):
            own, doer = self._kinds.words(relation), self._language.doer_of(relation.text.lower())
            apart = relation.source_types.keys().isdisjoint(relation.target_types)
            # A "sponsor", of `sponsors`; where books have `authors`, these are no books.
            sources = {*own.inverse_nouns, *({doer} if doer and not apart else ())}
            targets = {*own.nouns} - sources
            ends = (edge.target, edge.source) if forms & targets else (edge.source, edge.target)
            if self._kinds.holds_both_ways(relation) or forms.isdisjoint(sources | targets):
                continue
            asked = ends[1] in pattern.answers or whether
            if pattern.node(ends[0]).text != name.meaning or not asked:
                return True
        return False

    def _are_inside(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a question asks for what is in something, and the answer is that itself.

        "Who is in the team of Ann" asks for no team.
        """
        grammar, asking, pattern = self._language.grammar, self._language.asking, given.pattern
        first = [word.text for word in words[:3]]
        between = [w.text for w in words[3:] if w.start < span.start]
        if (
            len(first) < 3
            or first[0] not in asking.who | asking.which
            or first[1] not in grammar.being
        ):
            return False
        if first[2] not in grammar.placing or not grammar.articles.union(
            grammar.indefinite
        ).issuperset(between):
            return False
        if span.kind == "type":
            return any(pattern.node(id).type == span.meaning for id in pattern.answers)
        edges = [e for e in pattern.edges if e.relation == span.meaning]
        forms = (
            self._language.noun_forms(tokens(span.text)[-1])
            if span.kind == "relation"
            else frozenset()
        )
        return any(
            edge.target in pattern.answers and forms & {*self._kinds.words(relation).nouns}
            for edge in edges
            for relation in self._kinds.relations(edge)
        )

    def _are_beside(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a reading lacks what "both" and "as many as" say of several things.

        What "Ann and Ben both bought" is not what either did.
        """
        grammar, asking, pattern = self._language.grammar, self._language.asking, given.pattern
        texts = [word.text for word in words]
        if span.kind == "relation" and not (pattern.parts or pattern.where or pattern.order):
            many = asking.before_kinds - asking.which
            after = (texts[n + 1 :] for n, text in enumerate(texts) if text in grammar.alike)
            if any(not many.isdisjoint(a[:1]) and not grammar.alike.isdisjoint(a) for a in after):
                return True
        if span.kind != "name" or grammar.both.isdisjoint(texts):
            return False
        return grammar.choosing.isdisjoint(texts) and any(map(is_union, pattern.parts))

    def _are_onto(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a verb has another relation than one that leads "to" somebody, and no "to".

        Or is asked "to whom" and read of whom something was done by.

        "Who reported Ann", in a graph of tickets that are `reportedBy`, asks for nobody who
        `reportsTo` her.
        """
        language, (verb, *ends) = self._language, tokens(span.meaning) or [""]
        whither, by = language.grammar.whither, language.grammar.by
        first = [word.text for word in words[:2]]
        asked = whither.issuperset(first[:1]) and language.asking.who.issuperset(first[1:])
        own = {id for e in given.pattern.edges if e.relation == span.meaning for id in e.nodes}
        asked = asked and not own.isdisjoint(given.pattern.answers)
        if span.kind == "relation" and asked and not by.isdisjoint(ends):
            return True  # "to whom does Ann report" asks for nothing reported by her
        if span.kind != "relation" or len(ends) != 1 or ends[0] not in whither:
            return False
        said = language.forms(tokens(span.text)[0]) & language.forms(verb)
        if language.is_participle(verb):  # who "was married", what "was delivered"
            return False
        if not said or any(word.text in whither for word in words):
            return False
        others = self._kinds.other_verbs(span.meaning)
        return any(not said.isdisjoint(language.forms(other)) for other in others)

    def _said_to_be(
        self, words: Sequence[Word], noun: Span, names: Sequence[Span]
    ) -> tuple[Span, bool] | None:
        """The name that is, or may be, what a noun says; whether that is asked by yes or no."""
        grammar = self._language.grammar
        after = [w for w in words if w.start >= noun.end]
        subjects = [s for s in names if s.end <= noun.start]
        if not after and len(subjects) > 1:  # "is Ann Bob's mentor"
            *_, first, owner = subjects
            outside = [w for w in words if not any(s.start <= w.start < s.end for s in names)]
            rest = [w.text for w in outside if w.start < noun.start]
            alone = grammar.being.issuperset(rest) and len(rest) == 1 and len(subjects) == 2
            return (first, True) if alone and owner.end <= noun.start <= owner.end + 3 else None
        before = [w.text for s in subjects[-1:] for w in words if w.end <= s.start]
        between = [w.text for w in words if before and subjects[-1].end <= w.start < noun.start]
        small = grammar.any_article
        if not (before and grammar.being.issuperset(before[-1:]) and small.issuperset(between)):
            return None
        if not after or after[0].text not in self._language.prepositions:
            return None
        other = any(s.start == w.start for s in names for w in after[1:2])
        if after[1:] and not (other and len(before) == 1):
            return None  # else "who is Ann the mentor of", with nothing behind it
        return subjects[-1], bool(after[1:])


def is_union(part: Part) -> bool:
    """Whether a part says that one of several patterns is enough: none is in none of them."""
    inner = [one.operator for one in part.pattern.parts]
    return part.alternative or (part.operator == "not in" and inner.count("not in") > 1)
