"""Relations that people leave out of what they ask, as the country of a city."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from isomatch.interpret.types import Coverage, Span
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import words_of
from isomatch.interpret.words.relation_spans import RelationSpans, names_at
from isomatch.interpret.words.rivals import may_be_another
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.pattern.types import Edge, Pattern
from isomatch.schema.types import Relation

_Said: TypeAlias = Sequence[tuple[Span, Edge]]
"""Words for relations, with the edges that they say."""


@dataclass(frozen=True, slots=True)
class Hop:
    """An edge that no word says, to a node that no word stands for.

    Attributes:
        up: whether the edge leads to that node, and so from a part to its whole.
        onward: the other edges of the node.
    """

    edge: Edge
    up: bool
    onward: tuple[Edge, ...]


class OmittedHops:
    """Tells which relations people leave out, over one graph.

    Args:
        kinds: the relations of edges.
        lexicon: their words.
        saying: what the words for relations are.
    """

    def __init__(self, kinds: AskedKinds, lexicon: Lexicon, saying: RelationSpans):
        self._kinds = kinds
        self._typed = bool(lexicon.types)
        self._language = lexicon.language
        self._saying = saying

    def may_be_omitted(self, hop: Hop, question: str, pattern: Pattern, coverage: Coverage) -> bool:
        """Whether people leave out such a hop, by what is said of the node that it leads to."""
        if any(edge.relation == hop.edge.relation for edge in hop.onward):
            return not self._typed
        if self._typed and self._is_had_by_doer(hop):
            return True
        if self._is_inside(hop, pattern, question):
            return True
        if self._is_of_kind(hop, pattern) or self._is_said_by_preposition(
            hop, question, pattern, coverage
        ):
            return True
        spans = [s for s in coverage.understood if s.kind == "relation"]
        onward = [(s, edge) for edge in hop.onward for s in spans if s.meaning == edge.relation]
        nouns = [(s, edge) for s, edge in onward if self._saying.is_noun(s, edge)]
        if self._typed and onward and self._is_of_sort(hop):
            return True
        if self._typed and self._is_of_both(hop, pattern, coverage, nouns):
            return True
        if self._typed and (
            self._are_those(question, onward) or self._is_known_by(hop, pattern, coverage, nouns)
        ):
            return True
        if nouns and (self._asks_where(hop, question, pattern) or self._is_of_stint(hop, nouns)):
            return True
        if onward and not nouns:
            return self._before_verb(hop, question, pattern, coverage, onward)
        if not onward and self._typed:  # "stadiums in Norway", where cities are
            edges = [e for e in (hop.edge, *hop.onward) if names_at(e, pattern, coverage)]
            ways = [r for e in (hop.edge, *hop.onward) for r in self._kinds.relations(e)]
            told = any(self._says_in(question, edge, pattern, coverage) for edge in edges)
            # "The area with the most crimes" has the places where they were.
            told |= not edges and bool(pattern.order and pattern.order.counted)
            return told and all(map(self._is_place, ways))
        return self._before_noun(hop, pattern, nouns)

    def _is_had_by_doer(self, hop: Hop) -> bool:
        """Whether a hop leads from somebody to what they did something by: calls to Ann's phone."""
        having, roles = self._language.grammar.having, self._kinds.roles
        known = {*roles.doers, *roles.objects}
        has = [not having.isdisjoint(tokens(r.text)[:1]) for r in self._kinds.relations(hop.edge)]
        done = [r.id for edge in hop.onward for r in self._kinds.relations(edge)]
        return hop.up and bool(done) and known.issuperset(done) and any(has) and all(has)

    def _is_of_sort(self, hop: Hop) -> bool:
        """Whether a hop leads to what things are sorted by: "which categories does Ann supply"."""
        relations, topics = self._kinds.relations(hop.edge), self._language.schemas.topics
        sorts = {word for r in relations for word in self._kinds.called(r.target_types)}
        single = not hop.up and not any(map(self._has_rivals, relations))
        return single and not sorts.isdisjoint(topics)

    def _is_of_both(self, hop: Hop, pattern: Pattern, coverage: Coverage, nouns: _Said) -> bool:
        """Whether a noun is for a value of the record that joins two names: "at Lindby".

        Each by the one relation of such records to things like it.
        """
        own = hop.edge.source
        named = [
            edge
            for edge in (hop.edge, *hop.onward)
            if edge.source == own and names_at(edge, pattern, coverage)
        ]
        relations = [r for edge in named for r in self._kinds.relations(edge)]
        values = all(edge.source == own for _, edge in nouns)
        single = all(r.leads_to_one() and not self._has_rivals(r) for r in relations)
        return not hop.up and bool(nouns) and len(named) > 1 and values and single

    def _is_of_stint(self, hop: Hop, nouns: _Said) -> bool:
        """Whether a hop joins somebody with the one record of what they earn: "the salary of Ann".

        That is an employment, or what has an `employee`. Its age or price is not theirs. Members of
        a party are those of memberships of it.
        """
        schemas, relations = self._language.schemas, self._kinds.relations(hop.edge)
        last = {tokens(edge.relation or "")[-1] for _, edge in nouns if edge.relation}
        said = set(map(self._language.singular, last))
        if said <= schemas.members and not hop.up:
            called = {word for r in relations for word in self._kinds.called(r.source_types)}
            return not called.isdisjoint(schemas.stints)
        if not said <= schemas.by_stint:
            return False
        single = all(relation.leads_to_one(back=not hop.up) for relation in relations)
        member = not hop.up and (hop.edge.relation or "").lower() in schemas.members
        sides = (r.target_types if hop.up else r.source_types for r in relations)
        called = {word for types in sides for word in self._kinds.called(types)}
        return bool(relations) and single and (member or not schemas.stints.isdisjoint(called))

    def _are_those(self, question: str, onward: _Said) -> bool:
        """Whether "those" before a verb stands for who does it: "crimes by those living there"."""
        before = (tokens(question[: span.start].lower())[-1:] for span, _ in onward)
        return any(not self._language.grammar.antecedents.isdisjoint(word) for word in before)

    def _is_known_by(self, hop: Hop, pattern: Pattern, coverage: Coverage, nouns: _Said) -> bool:
        """Whether a number that a thing has is said for it: "emails linked to NHS number 7-1"."""
        naming = self._language.grammar.designating
        return bool(nouns) and all(
            naming.intersection(tokens(self._language.spelled(edge.relation or ""))[-1:])
            and names_at(edge, pattern, coverage)
            and not any(r.target_types for r in self._kinds.relations(edge))
            for edge in hop.onward
        )

    def _asks_where(self, hop: Hop, question: str, pattern: Pattern) -> bool:
        """Whether "where" asks for the one place of what a noun is for: "where is its archive"."""
        where = words_of(question)[0].text in self._language.asking.where
        asked = where and not hop.up and hop.edge.target in pattern.answers
        return asked and self._says_where(hop.edge) and not self._is_person(hop)

    def _before_verb(
        self, hop: Hop, question: str, pattern: Pattern, coverage: Coverage, verbs: _Said
    ) -> bool:
        """Whether a verb may be said of what only one relation joins with its subject or object.

        That is a place, or the deed itself: customers bought what is in their orders. Their adviser
        owns none of their accounts.
        """
        for span, _ in verbs:
            if self._saying.is_elsewhere(span, tokens(question[span.end :])[:1], [span.meaning]):
                return False
        compared = {condition.node for condition in pattern.where} - {*pattern.answers}
        values = [edge for edge in hop.onward if edge.target not in compared]  # "bought in 1997"
        if any(_is_quantity(r) for edge in values for r in self._kinds.relations(edge)):
            return False  # "how many beds are in": those of its wards are not one number
        relations = self._kinds.relations(hop.edge)
        far = hop.edge.source if hop.up else hop.edge.target
        where = words_of(question)[0].text in self._language.asking.where
        if where and far in pattern.answers:
            return False  # "where was it launched" asks for the site, and not its country
        if not hop.up and self._is_doer(hop, [span for span, _ in verbs]):
            return True
        if any(map(self._has_rivals, relations)):
            return False
        # "Borrowed" is said of a loan, and of the book that it has.
        passive = self._language.is_passive
        own = {hop.edge.source, *(edge.source for edge in hop.onward)}
        done = not hop.up and len(own) == 1 and all(passive(e.relation or "") for e in hop.onward)
        if not self._typed:
            return done
        offered = self._language.schemas.offered  # who reviewed a film did not make it
        names = (tokens(r.text) for r in relations if r.leads_to_one())
        if done and any(not offered.isdisjoint(name) for name in names):
            return not self._is_person(hop)
        place = any(map(self._is_place, relations)) or self._is_part(hop) or self._is_within(hop)
        place = place and not hop.up
        there = place and self._says_in(question, hop.edge, pattern, coverage)
        stints = self._language.schemas.stints  # a nomination for a role in a film is none
        called = {word for r in relations for word in self._kinds.called(r.source_types)}
        stint = self._is_pair(hop) and not stints.isdisjoint(called)
        there |= stint and self._says_in(question, hop.edge, pattern, coverage)
        return there or self._is_deed(hop, [span for span, _ in verbs])

    def _is_said_by_preposition(
        self, hop: Hop, question: str, pattern: Pattern, coverage: Coverage
    ) -> bool:
        """Whether the word before a name begins the name of a relation: "in", of `inFilm`.

        That of a record, as of a role with an `actor`: "who starred in Heat". No more is said of
        "who works in Norway" by the country that firms are in, nor by a nomination for a role.
        """
        names, relations = names_at(hop.edge, pattern, coverage), self._kinds.relations(hop.edge)
        own, schemas = hop.edge.source, self._language.schemas
        if not names or hop.up or any(edge.source != own for edge in hop.onward):
            return False
        called = {w for r in relations for w in self._kinds.called(r.source_types)}
        verbs = {s.meaning for s in coverage.understood if s.kind == "relation"}
        if not called.isdisjoint(schemas.others) or verbs.isdisjoint(
            edge.relation for edge in hop.onward
        ):
            return False
        if not self._typed or self._is_person(hop) or any(map(self._has_rivals, relations)):
            return False
        articles = self._language.grammar.articles
        before = [w for w in question[: names[0].start].lower().split() if w not in articles][-1:]
        said = self._language.prepositions.intersection(before)
        return bool(said) and all({*tokens(r.text)[:1]} == said for r in relations)

    def _is_of_kind(self, hop: Hop, pattern: Pattern) -> bool:
        """Whether a name says of which kind a record is: "chair", the `role` of a membership."""
        own = hop.edge.target if hop.up else hop.edge.source
        kind = self._language.schemas.record_kind
        named = (
            edge
            for edge in (hop.edge, *hop.onward)
            if edge.source == own and pattern.node(edge.target).text is not None
        )
        of_kind = any(kind(tokens(edge.relation or "")) for edge in named)
        return of_kind and not self._is_person(hop)

    def _has_rivals(self, relation: Relation) -> bool:
        return may_be_another(relation, self._kinds, self._language)

    def _before_noun(self, hop: Hop, pattern: Pattern, nouns: _Said) -> bool:
        """Whether what a noun is of may be left out.

        What a place or the one team of a player has is also theirs, but for its quantities; and
        several things of a place may be those of the places in it.
        """
        if self._are_averaged(hop, pattern):
            return self._typed
        if self._is_pair(hop):
            return True
        if self._is_person(hop) or not self._typed:
            return False  # the mentor of a case's judge is not the mentor of the case
        single = any(r.leads_to_one(back=not hop.up) for r in self._kinds.relations(hop.edge))
        if not single and not any(map(self._is_place, self._kinds.relations(hop.edge))):
            return False
        there = [r for edge in hop.onward for r in self._kinds.relations(edge)]
        if any(map(self._kinds.holds_both_ways, there)):
            return False  # what borders a country borders few of its cities
        if any(map(_is_quantity, there)):
            return bool(pattern.order)  # "the most populated capital in the USA"
        several = pattern.order or pattern.count or pattern.each or pattern.aggregate
        many = any(self._saying.are_several(span) for span, _ in nouns)
        return bool(hop.up or single or several or many)

    def _is_pair(self, hop: Hop) -> bool:
        """Whether a hop and another one join the two things that a record is of, and no more.

        An employment has one employee and one employer: the employees of a firm are those.
        """
        own = hop.edge.source
        joined = [e for e in hop.onward if e.source == own]
        if hop.up or len(joined) != 1:
            return False
        pair = [r for e in (hop.edge, *joined) for r in self._kinds.relations(e)]
        types = set.intersection(*(set(r.source_types) for r in pair)) if pair else set()
        names = {r.text for r in pair}
        return (
            len(types) == 1
            and not self._kinds.are_led_to(types)
            and self._kinds.parts_of(next(iter(types))) == names
            and all(r.leads_to_one() for r in pair)
        )

    def _are_averaged(self, hop: Hop, pattern: Pattern) -> bool:
        """Whether one value is asked for of the many that a thing's records have: ratings."""
        relations = self._kinds.relations(hop.edge)
        single = all(r.leads_to_one(back=hop.up) for r in relations)  # each order of one customer
        worked = any(c.function and not c.counted for c in pattern.where)
        worked |= bool(pattern.order and pattern.order.function and not pattern.order.counted)
        return single and (worked or pattern.aggregate is not None or bool(pattern.each))

    def _is_inside(self, hop: Hop, pattern: Pattern, question: str) -> bool:
        """Whether a hop is to the place that something is in, which is in or at another.

        "Museums in Norway" are in its cities, and "in which country is the hub of" asks for where
        that is.
        """
        if not (self._says_where(hop.edge) or self._is_part(hop)):
            return False
        into = (e for e in hop.onward if e.target == hop.edge.source)
        if not hop.up and any(map(self._says_where, into)):
            return True
        texts = [word.text for word in words_of(question)]
        first, second, *_ = (*texts, "", "")
        asked = first in self._language.prepositions and second in self._language.asking.which
        ends = texts[-1] in self._language.grammar.placing  # "which country is it in"
        if hop.up:
            out = (e for e in hop.onward if e.target in pattern.answers)
            return (asked or ends) and any(map(self._says_where, out))
        return asked and hop.edge.target in pattern.answers

    def _is_part(self, hop: Hop) -> bool:
        """Whether a hop is from a part to its whole, and what is said of the part says where.

        Who works in a ward works in the hospital; who heads it does not head that.
        """
        wholes = (tokens(r.text) for r in self._kinds.relations(hop.edge))
        said = (tokens(r.text)[1:] for e in hop.onward for r in self._kinds.relations(e))
        placing = self._language.grammar.placing
        where = bool(hop.onward) and all(not placing.isdisjoint(words) for words in said)
        return where and all(map(self._language.says_whole, wholes))

    def _is_within(self, hop: Hop) -> bool:
        """Whether a hop is from what something was in to where that was: goals "scored in" a match.

        Those were scored at the stadium where it was "played at".
        """
        placing = self._language.grammar.placing
        into = all(edge.target == hop.edge.source for edge in hop.onward)
        names = (tokens(edge.relation or "") for edge in (hop.edge, *hop.onward))
        return into and all(len(name) > 1 and name[-1] in placing for name in names)

    def _is_person(self, hop: Hop) -> bool:
        """Whether a hop goes over somebody, who has things of their own."""
        relations = self._kinds.relations(hop.edge)
        called = {word for r in relations for word in self._kinds.called(r.end_types(hop.up))}
        if not self._typed:
            own = list(map(self._kinds.words, relations))
            called = {words.target if hop.up else words.source for words in own}
        return not called.isdisjoint(self._language.schemas.people)

    def _says_in(self, question: str, edge: Edge, pattern: Pattern, coverage: Coverage) -> bool:
        """Whether a preposition says that something is in the place that an edge leads to.

        Not who "works for" a city, or what a country "launched".
        """
        grammar = self._language.grammar
        names = names_at(edge, pattern, coverage)
        types = {s.end: s.start for s in coverage.understood if s.kind == "type"}
        starts = (types.get(len(question[: s.start].rstrip()), s.start) for s in names)
        before = [  # "in area M2"
            [w for w in question[:start].lower().split() if w not in grammar.articles][-1:]
            for start in starts
        ]
        placing = grammar.placing | grammar.whence | grammar.whither
        return not placing or all(not placing.isdisjoint(words) for words in before)

    def _is_deed(self, hop: Hop, said: Sequence[Span]) -> bool:
        """Whether what a hop goes over is what a verb says: an order orders products.

        Or is one who "reviewed" something over a review of it, or "borrowed" it over a loan. But
        the "conductor" by whom a choir is conducted is no deed, and who "wrote" a review of a film
        did not write the film.
        """
        edges = (hop.edge, *hop.onward)
        relations = [(e, r) for e in edges for r in self._kinds.relations(e)]
        own = hop.edge.target if hop.up else hop.edge.source
        called = {
            word
            for edge, relation in relations
            for types in [relation.end_types(edge.source != own)]
            for word in self._kinds.called(types)
        }
        verbs = [
            tokens(relation.text)[0]
            for edge, relation in relations
            if self._language.is_verb(relation.text)
            if not (edge.target == own and self._language.is_passive(relation.text))
        ]
        verbs += [tokens(span.text)[0] for span in said]
        makers = self._language.schemas.makers
        made = [s for s in said if makers.isdisjoint(tokens(s.meaning))]
        part = any(s.meaning == e.relation and e.source == own for s in made for e in edges)
        if part and not called.isdisjoint(self._language.schemas.deeds):
            return True
        done = {form for verb in verbs for form in self._language.forms(verb)}
        return not called.isdisjoint(done)

    def _is_doer(self, hop: Hop, said: Sequence[Span]) -> bool:
        """Whether a hop leads to who does what a verb says: the performer of what was "played".

        Or to those by whom it was done: what was "scored by" somebody was scored.
        """
        forms, doers = self._language.forms, self._language.schemas.doers
        relations = self._kinds.relations(hop.edge)
        nouns = (n for r in relations for n in self._kinds.words(r).nouns)
        verbs = [verb for noun in nouns for verb in doers.get(noun, ())]
        verbs += [r.text.lower() for r in relations if self._language.is_passive(r.text)]
        does = {form for verb in verbs for form in forms(tokens(verb)[0])}
        return not does.isdisjoint(form for s in said for form in forms(tokens(s.text)[0]))

    def _says_where(self, edge: Edge) -> bool:
        """Whether an edge leads to the one place that something is in."""
        relations = self._kinds.relations(edge)
        return all(self._is_place(r) and r.leads_to_one() for r in relations)

    def _is_place(self, relation: Relation) -> bool:
        """Whether a relation says in which place something is."""
        return self._language.says_place(tokens(relation.text))


def _is_quantity(relation: Relation) -> bool:
    kinds = sum(relation.literal_kinds.values())
    return relation.is_ordered and kinds > 0 and not relation.target_types
