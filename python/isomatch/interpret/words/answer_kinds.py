"""What the answers of a pattern may be: who, where or when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import fold, tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.relation_nouns import nouns_by_other
from isomatch.lexicon.relation_words import RelationWords
from isomatch.link.reading import KINDS
from isomatch.pattern.types import Edge, Node, Pattern
from isomatch.schema.types import Relation, Schema, node_types


class AnswerKinds:
    """Tells what the answers of patterns may be, over one graph.

    Attributes:
        schema: relations and types of the graph.

    Args:
        schema: relations and types of the graph.
        lexicon: their words.
    """

    def __init__(self, schema: Schema, lexicon: Lexicon):
        self.schema = schema
        self._lexicon = lexicon
        self._language = lexicon.language
        self._by_text: dict[str, list[Relation]] = {}
        for relation in schema.relations:
            self._by_text.setdefault(fold(relation.text), []).append(relation)

    def may_be_places(self, pattern: Pattern) -> bool:
        """Whether the answers of a pattern may be places.

        These are no numbers and no dates. Where the graph has types, the type or a relation has a
        word for places, or the relation says where: "born in".
        """
        ends = self.answer_relations(of_listed(pattern))
        there = [relation for relation, forward in ends if forward]
        if any(relation.is_ordered or self._is_cause(relation) for relation in there):
            return False
        if any(map(self._is_based_elsewhere, there)):
            return False
        types = {
            type_id
            for relation, forward in ends
            for type_id in relation.end_types(forward)
            if type_id in self._lexicon.types
        }
        if not ends and self.schema.typed:  # "where are the interviews" asks for none of them
            texts = [pattern.node(id).type for id in pattern.answers]
            return all(text is None or self._is_place(text) for text in texts)
        if not ends or any(map(self._says_where, there)):
            return True
        if self.schema.typed:
            return any(map(self._is_place, self.called(types)))
        if any(self._language.says_origin(tokens(relation.text)) for relation in there):
            return True
        words = [(self.words(relation), forward) for relation, forward in ends]
        return any(self._is_place(w.target if forward else w.source) for w, forward in words)

    def may_be_dates(self, pattern: Pattern) -> bool:
        """Whether the answers of a pattern may be dates: no things of a type, but a "year"."""
        ends = self.answer_relations(of_listed(pattern))
        if any(forward and (r.is_flag or self._is_mere_number(r)) for r, forward in ends):
            return False  # "when will it be sold out"
        sides = [r.end_types(forward) for r, forward in ends]
        if not self.schema.typed or not ends:
            return True
        dates = {*self._language.asking.dates}
        classes = map(node_types, sides)
        return any(not of or not dates.isdisjoint(self.called(of)) for of in classes)

    def types_of(self, node: Node, edges: Sequence[Edge]) -> list[str]:
        """What a node of some edges may be, by their relations and its own type."""
        sides = [
            set(r.end_types(edge.source != node.id)) for edge in edges for r in self.relations(edge)
        ]
        types = set.intersection(*sides) if sides else set()
        own = types & set(self.types_called(node.type.lower())) if node.type else types
        return sorted(own or types)

    def value_relations(self, node: Node, edges: Sequence[Edge]) -> list[Relation]:
        """The relations to values of what a node of some edges may be."""
        types = set(self.types_of(node, edges))
        return [r for r in self.schema.relations if r.literal_kinds and types & {*r.source_types}]

    def have_quantities(self, pattern: Pattern, edge: Edge) -> bool:
        """Whether the sources of an edge are of several pieces, as an order line is."""
        node = next(node for node in pattern.nodes if node.id == edge.source)
        own = self.value_relations(node, [one for one in pattern.edges if node.id in one.nodes])
        return any(
            not self._language.schemas.quantities.isdisjoint(tokens(r.text)[-1:]) for r in own
        )

    def parts_of(self, type_id: str) -> set[str]:
        """What the relations from a type to other things are called."""
        relations = (r for r in self.schema.relations if not r.literal_kinds)
        return {r.text for r in relations if type_id in r.source_types}

    def may_be_undone(self, relation: Relation, verbs: Iterable[str]) -> bool:
        """Whether a relation may say that what a verb says was not done: `approved`, `choice`."""
        forms, name = self._language.forms, tokens(relation.text)
        if not self._language.schemas.verdicts.isdisjoint(name):
            return bool([*verbs])
        said = {form for verb in verbs for form in forms(tokens(verb)[0])}
        boolean = relation.is_flag
        return boolean and any(not said.isdisjoint(forms(word)) for word in name)

    def _names_doer(self, relation: Relation) -> bool:
        """Whether a relation leads to who does something: a manufacturer may be no person."""
        words = self.words(relation)
        doers = self._language.schemas.doers
        return any(noun in doers for noun in (relation.text.lower(), *words.nouns))

    def may_be_doers(self, pattern: Pattern) -> bool:
        """Whether "who" may ask for the answers of a pattern.

        For people, always. For others not where the graph has people, and no relation leads away
        from the types of the answers: a team plays in a league. Numbers, dates, and what is called
        as a thing that does nothing, as a film, are never asked for by "who", and what people do
        by a relation as "led by" is done, too.
        """
        pattern = of_listed(pattern)
        ends = self.answer_relations(pattern)
        if any(forward and self._names_doer(relation) for relation, forward in ends):
            return True
        if any(forward and relation.is_ordered for relation, forward in ends):
            return False
        sides = [r.end_types(forward) for r, forward in ends]
        kinds = [set(self.schema.with_superclasses(node_types(side))) for side in sides]
        if not self.schema.typed:
            return not any(self._is_guessed_thing(r) for r, forward in ends if not forward)
        if not kinds or not all(kinds):
            texts = (pattern.node(id).type or "" for id in pattern.answers)
            things = {w for text in texts for w in tokens(text)[-1:]}
            return self._language.schemas.things.isdisjoint(things)
        types = set.intersection(*kinds) or set.union(*kinds)
        words = self._language.question_words
        people = {person for who in self._language.asking.who for person in words.get(who, ())}
        called, known = set(self.called(types)), self._language.schemas.people
        if not known.isdisjoint(called) or self._are_born(types):
            return True
        heads = {word for phrase in called for word in tokens(phrase)[-1:]}
        schemas = self._language.schemas
        if not (schemas.things.isdisjoint(called) and schemas.entries.isdisjoint(heads)):
            return False
        if not any(forward for _, forward in ends) and self._are_deeds(types):
            return False
        # "Mentored by" one of them.
        mutual = any(not (forward or types.isdisjoint(r.target_types)) for r, forward in ends)
        if ends and all(map(self._is_done, ends)) and not mutual:
            every = self._lexicon.types
            return known.isdisjoint(self.called(every)) and not self._are_born(every.keys())
        if people.isdisjoint(self.called(self._lexicon.types)):
            return True
        if any(forward and self._language.is_passive(relation.text) for relation, forward in ends):
            return True
        doing = (
            relation
            for relation in self.schema.relations
            if node_types(relation.target_types) and not self._is_done((relation, False))
        )
        return any(not types.isdisjoint(relation.source_types) for relation in doing)

    def are_things(self, pattern: Pattern) -> bool:
        """Whether "whose" asks for none of a pattern's answers: for no payment, but for its owner.

        But "whose currency is the euro" asks for what has such a noun. Nobody is a value that
        something has, and an interview "of application" is no owner of one.
        """
        ends, language = self.answer_relations(pattern), self._language
        if any(forward and relation.literal_kinds for relation, forward in ends):
            return True
        sides = (r.end_types(forward) for r, forward in ends)
        called = set(self.called(type_id for side in sides for type_id in node_types(side)))
        names = [relation.text for relation, forward in ends if not forward]
        ends_of = ({*tokens(text)[:1], *tokens(text)[-1:]} for text in names)
        has = any(map(language.prepositions.isdisjoint, ends_of))  # no "of claim", "filed by"
        parts = bool(names) and all({*tokens(text)[:1]} <= language.grammar.of for text in names)
        known, people = language.schemas.things, language.schemas.people
        things = parts or not known.isdisjoint(called)
        return things and not has and people.isdisjoint(called)

    def are_owned(self, rest: Sequence[Word], pattern: Pattern) -> bool:
        """Whether the answers are what follows "whose", which asks for who has it."""
        ends = self.answer_relations(pattern)
        named = (tokens(relation.text) for relation, forward in ends if forward)
        return any(word.text in text for word in rest[:1] for text in named)

    def _are_deeds(self, types: Set[str]) -> bool:
        """Whether some types are of what people did: a challenge has a `challenger`.

        No relation leads to such a thing, and one leads from it to who did it.
        """
        relations, language = self.schema.relations, self._language
        if any(not types.isdisjoint(relation.target_types) for relation in relations):
            return False
        called, people = self.called(types), language.schemas.people
        deed = any(n in language.schemas.deeds or n.endswith(language.endings.deed) for n in called)
        return any(
            any(language.is_doer(relation.text.lower(), noun) for noun in called)
            or (deed and not people.isdisjoint(self.called(relation.target_types)))
            for relation in relations
            if not types.isdisjoint(relation.source_types)
        )

    def is_birth(self, relation: Relation) -> bool:
        """Whether a relation says when somebody was born or died, by its name.

        "Place of birth" does not.
        """
        schemas, said = self._language.schemas, set(tokens(relation.text))
        dating = schemas.lives | schemas.days | self._language.function_words
        dated = bool(relation.literal_kinds.get("date")) or said <= dating
        return dated and not schemas.lives.isdisjoint(said)

    def is_date(self, relation: Relation) -> bool:
        """Whether a relation says when something was."""
        last, days = tokens(relation.text)[-1:], self._language.schemas.days
        dated = relation.literal_kinds.get("date") or not days.isdisjoint(last)
        return self.is_birth(relation) or (bool(dated) and not relation.target_types)

    def has_other_values(self, one: Relation) -> bool:
        """Whether a number or date may be meant of another relation: a date of other dates.

        A founding never says enough: what was there in a year may have been founded before.
        """
        if not self._language.schemas.foundings.isdisjoint(tokens(one.text)):
            return True
        dated = self._says_when(one)
        others = (r for r in self.schema.relations if r.is_ordered and r.id != one.id)
        others = (r for r in others if not dated or self._says_when(r))
        return any(not one.source_types.keys().isdisjoint(other.source_types) for other in others)

    def _says_when(self, relation: Relation) -> bool:
        """Whether the values of a relation are dates or years, by its name."""
        return self.is_date(relation) or self._language.says_when_done(relation.text)

    def _is_mere_number(self, relation: Relation) -> bool:
        """Whether a relation leads to numbers that say no year, by its name: a score, a count."""
        schemas, said = self._language.schemas, tokens(relation.text)[-1:]
        known = schemas.marks | schemas.quantities | self._language.grammar.counted
        return not known.isdisjoint(said) and {*relation.literal_kinds} == {"number"}

    def _are_born(self, types: Set[str]) -> bool:
        """Whether a relation of some types says when or where they were born."""
        births = self._language.schemas.births
        born = (r for r in self.schema.relations if not births.isdisjoint(tokens(r.text)))
        return any(not types.isdisjoint(relation.source_types) for relation in born)

    def _is_guessed_thing(self, relation: Relation) -> bool:
        """Whether what has a relation is guessed to be what does nothing: a film."""
        words = self.words(relation)
        return words.source in self._language.schemas.things

    def _is_done(self, end: tuple[Relation, bool]) -> bool:
        """Whether an end of a relation is what others do: the source of "led by", "leaked to"."""
        relation, forward = end
        text, language = relation.text, self._language
        return not forward and (language.is_passive(text) or language.is_for_another(text))

    def begun_by(self, one: Relation, words: Sequence[str]) -> set[str]:
        """The other relations to things of what has one, whose longer names begin with a word."""
        others = (r for r in self.schema.relations if r.target_types and r.id != one.id)
        return {
            other.text
            for other in others
            if not one.source_types.keys().isdisjoint(other.source_types)
            for first, *rest in [tokens(other.text) or [""]]
            if first in words and rest
        }

    def other_verbs(self, name: str) -> set[str]:
        """What the names of the other relations begin with."""
        texts = (r.text for r in self.schema.relations if r.text != name)
        return {(tokens(text) or [""])[0] for text in texts}

    def called(self, types: Iterable[str]) -> list[str]:
        """What types are called, and what they are subclasses of."""
        known = self._lexicon.types
        called = (known[t] for t in self.schema.with_superclasses(types) if t in known)
        return [phrase for words in called for phrase in words.phrases()]

    def _is_place(self, phrase: str) -> bool:
        said = {form for word in tokens(phrase) for form in self._language.noun_forms(word)}
        return not said.isdisjoint(self._language.schemas.places)

    def _is_cause(self, relation: Relation) -> bool:
        """Whether a relation is a verb with "of", which leads to no place: "died of"."""
        ends = not self._language.grammar.of.isdisjoint(tokens(relation.text)[-1:])
        return ends and self._language.is_verb(relation.text)

    def _is_based_elsewhere(self, relation: Relation) -> bool:
        """Whether what has a relation to no place is based in one: a department is not where.

        Only by a relation that says no more: where somebody lives is not where they work.
        """
        plain = self._language.schemas.general & self._language.schemas.states
        if self.leads_to_place(relation) or not node_types(relation.target_types):
            return False
        return any(
            not plain.isdisjoint(tokens(other.text)[:1])
            and not relation.source_types.keys().isdisjoint(other.source_types)
            and self.leads_to_place(other)
            for other in self.schema.relations
        )

    def leads_to_place(self, relation: Relation) -> bool:
        """Whether what a relation leads to is of a type that is called a place."""
        return any(map(self._is_place, self.called(relation.target_types)))

    def _says_where(self, relation: Relation) -> bool:
        words = self.words(relation)
        last = tokens(relation.text)[-1:]
        grammar = self._language.grammar
        at = not self._language.prepositions.difference(grammar.by | grammar.of).isdisjoint(last)
        return at or any(map(self._is_place, (relation.text, *words.nouns)))

    def answer_relations(self, pattern: Pattern) -> list[tuple[Relation, bool]]:
        """Relations at the one answer of a pattern, and whether the answer is their target."""
        if len(pattern.answers) != 1:
            return []
        answer, found = pattern.answers[0], []
        for edge in pattern.edges:
            if answer not in edge.nodes:
                continue
            for relation in self.relations(edge):
                forward, back = edge.target == answer, edge.source == answer
                if not edge.directed and forward != back:
                    other = pattern.node(edge.source if forward else edge.target)
                    forward, back = self._ways(relation, pattern.node(answer), other)
                found += [(relation, True)] * forward + [(relation, False)] * back
        unknown = any(answer in e.nodes and e.relation is None for e in pattern.edges)
        return [] if unknown else found

    def _ways(self, relation: Relation, node: Node, other: Node) -> tuple[bool, bool]:
        """Whether a node of an edge without an arrow may be its target, and its source.

        By the types of both ends; both where these do not tell.
        """
        forward = self._may_be(node, relation, True) and self._may_be(other, relation, False)
        back = self._may_be(node, relation, False) and self._may_be(other, relation, True)
        return (forward, back) if forward or back else (True, True)

    def _may_be(self, node: Node, relation: Relation, target: bool) -> bool:
        """Whether a node may be an end of a relation, by its type."""
        if node.type in KINDS:
            return target and node.type in relation.literal_kinds
        types = self.types_called((node.type or "").lower())
        side = relation.end_types(target)
        return not types or not types.isdisjoint(self.schema.with_superclasses(side))

    def words(self, relation: Relation) -> RelationWords:
        """The lexicon's words of a relation."""
        return self._lexicon.of_relation(relation.id)

    def inverse_nouns(self, relation: Relation, *, forward: bool = False) -> frozenset[str]:
        """What an end of a relation may be called by what the other is; see `nouns_by_other`."""
        nouns = nouns_by_other(relation, self._language, forward=forward)
        return nouns - self.schema.sibling_names(relation) if nouns else nouns

    def holds_both_ways(self, relation: Relation) -> bool:
        """Whether a relation may be said both ways, by its name: "neighbour", "assigned to"."""
        linked = not self._language.schemas.linked.isdisjoint(tokens(relation.text)[:1])
        apart = relation.source_types.keys().isdisjoint(relation.target_types)
        return self._language.holds_both_ways(relation.text) or (linked and apart)

    def name_holders(self, nouns: Set[str], types: Set[str]) -> bool:
        """Whether nouns are for those who have something of some types: the "winners" of awards."""
        return any(
            not (
                nouns.isdisjoint(words.inverse_nouns)
                or types.isdisjoint(self.schema.with_superclasses(there))
            )
            for id, words in self._lexicon.relations.items()
            for there in [self.schema.by_id[id].target_types]
        )

    def types_called(self, word: str) -> set[str]:
        """The types that a word is for."""
        return {type_id for type_id in self._lexicon.types if word in self.called([type_id])}

    def says_origin(self, relation: Relation) -> bool:
        """Whether a relation says where something comes from, by its name: "born in"."""
        return self._language.says_origin(set(tokens(relation.text)))

    def have_origin(self, types: Set[str], places: Set[str]) -> bool:
        """Whether the graph says where things of some types come from, by places of some."""
        return any(
            self.says_origin(relation)
            and not types.isdisjoint(relation.source_types)
            and not places.isdisjoint(relation.target_types)
            for relation in self.schema.relations
        )

    def rivals(self, one: Relation, *, turned: bool = False) -> list[Relation]:
        """The other relations that join the same types, or ``turned``; none without types."""
        source, target = map(set, map(node_types, (one.source_types, one.target_types)))
        return [
            other
            for other in self.schema.relations
            if self.schema.typed and other.id != one.id
            for ends in [(other.source_types, other.target_types)]
            if any(
                not (source.isdisjoint(start) or target.isdisjoint(end))
                for start, end in ((ends, ends[::-1]) if turned else (ends,))
            )
        ]

    def relations(self, edge: Edge) -> Sequence[Relation]:
        return () if edge.relation is None else self.named(edge.relation)

    def named(self, text: str) -> Sequence[Relation]:
        """The relations that are called so."""
        return self._by_text.get(fold(text), ())


def of_listed(pattern: Pattern) -> Pattern:
    """The pattern whose answers are what it lists for each: makers, of "who makes each product"."""
    if not pattern.optional:
        return pattern
    nodes = {node.id: node for one in (pattern, *pattern.optional) for node in one.nodes}
    edges = tuple(edge for one in (pattern, *pattern.optional) for edge in one.edges)
    last = pattern.returns[-1:]
    return Pattern(tuple({**nodes, **{n.id: n for n in pattern.nodes}}.values()), edges, last)


def with_listed(pattern: Pattern) -> list[Pattern]:
    """A pattern and its parts, as `Pattern.patterns`, and what it lists for each of its answers."""
    return [*pattern.patterns(), *([of_listed(pattern)] if pattern.optional else [])]


def of_counted(pattern: Pattern) -> Pattern:
    """The pattern whose answers are what it counts for each: films, of "how many has each"."""
    if not pattern.each or any(one.function != "count" for one in pattern.each):
        return pattern
    return replace(pattern, returns=tuple(one.node for one in pattern.each), each=())
