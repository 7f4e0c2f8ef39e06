"""Which kinds of things relations lead from and to, and how kinds hang together.

A kind is a type of the graph, or a kind of literal. Where a graph has no types, it is the
class word that the lexicon has for an end of a relation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain

from isomatch.chains.graph import Step
from isomatch.interpret.words.record_roles import RecordRoles
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.relation_words import THING
from isomatch.lexicon.undergoers import said_by_several
from isomatch.schema.introspect import SAMPLED
from isomatch.schema.types import LITERAL, Relation, Schema, node_types

Kinds = frozenset[str]


class GraphKinds:
    """The kinds of one graph.

    Attributes:
        relations: those that have words, the most frequent first.
        own: of a graph without types, by the noun for a kind, the relation that all of it have.
        classes: nouns for what several relations of such a graph lead from, and none leads to.
        roles: of such a graph, relations whose noun is for all that they lead to.

    Args:
        schema: relations and types.
        lexicon: which relations have words, and class words for a graph without types.
    """

    def __init__(self, schema: Schema, lexicon: Lexicon):
        self.schema = schema
        self.own: Mapping[str, str] = {}
        self.classes: Kinds = frozenset()
        self.roles: Collection[str] = ()
        self._lexicon = lexicon
        self.relations = [r for r in schema.relations if r.id in lexicon.relations]
        self._ends = {relation.id: self._of(relation) for relation in self.relations}
        self._values = {
            id for id, (_, target) in self._ends.items() if target and not node_types(target)
        }
        self._between: dict[tuple[Kinds, Kinds], list[Step]] = {}
        self._symmetric: dict[str, bool] = {}

    def know(
        self,
        own: Mapping[str, str],
        sources: Mapping[str, str],
        ways: Mapping[Step, Kinds],
        classes: Mapping[str, str],
    ) -> None:
        """Take the kinds of a graph without types for these.

        Args:
            own: see `GraphKinds.own`.
            sources: the kinds that relations lead from.
            ways: for each step, what else leads away from the things that it leads away from.
            classes: the class words of what relations lead from, see `GraphKinds.classes`.
        """
        self.own, self.classes = own, frozenset(classes.values())
        self._ends |= {id: (_class(word), self._ends[id][1]) for id, word in sources.items()}
        called = {*own, *sources.values()}
        for id, (source, target) in self._ends.items() if ways else ():
            kept = {k for k in target if k in called or k.startswith(LITERAL)}
            if self._has_things(self.schema.by_id[id]):
                kept |= ways[Step(id, True)]
                self._values.discard(id)
            self._ends[id] = ways[Step(id)] | (source & called), frozenset(kept)
        for id, word in classes.items():
            self._ends[id] = self._ends[id][0] | {word}, self._ends[id][1]
        self._between, self._symmetric = {}, {}

    def _has_things(self, relation: Relation) -> bool:
        """Whether a relation of a graph without types leads to more than values."""
        return sum(relation.literal_kinds.values()) < relation.triples

    @property
    def language(self) -> Language:
        """That of the words."""
        return self._lexicon.language

    def called(self, relation: str) -> tuple[str, ...]:
        """The name of a relation, and the nouns for what it leads to."""
        nouns = self._lexicon.of_relation(relation).nouns
        return (self.schema.by_id[relation].text, *nouns)

    @cached_property
    def phrases(self) -> Mapping[str, tuple[str, ...]]:
        """What relations, by their ids, and types, by `THING` and theirs, are called."""
        found: dict[str, tuple[str, ...]] = {}
        for relation in self.relations:
            words = self._lexicon.relations[relation.id]
            lists = (words.nouns, words.inverse_nouns, words.forward, words.backward)
            found[relation.id] = tuple(dict.fromkeys((relation.text, *chain(*lists))))
        for type, called in self._lexicon.types.items():
            found[f"{THING}:{type}"] = called.phrases()
        return found

    @cached_property
    def name_words(self) -> Mapping[str, int]:
        """How many relations have a word in their names."""
        return Counter(word for r in self.relations for word in {*tokens(r.text)})

    @cached_property
    def record_roles(self) -> RecordRoles:
        """The relations to who did what classes record, and to whom."""
        things = [r for r in self.relations if not self.gives_value(r.id)]
        return RecordRoles(things, self.ends, self._lexicon)

    def have_roles(self, kinds: Kinds) -> bool:
        """Whether things of some kinds record who did something, and to whom: calls."""
        roles = self.record_roles
        return any(self.ends(Step(id))[0] & kinds for id in (*roles.doers, *roles.objects))

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[str]]:
        """The ids of the relations that have each name, in small letters."""
        found: dict[str, list[str]] = {}
        for relation in self.relations:
            found.setdefault(relation.text.lower(), []).append(relation.id)
        return found

    @cached_property
    def by_class_word(self) -> Mapping[str, Kinds]:
        """The kinds that each class word stands for."""
        found: dict[str, Kinds] = {}
        for type_id, called in self._lexicon.types.items():
            found[called.word] = found.get(called.word, frozenset()) | self.of_type(type_id)
        return found

    @cached_property
    def type_texts(self) -> Mapping[str, str]:
        """The words of each type, by its id."""
        return {type.id: type.text for type in self.schema.types}

    def ends(self, step: Step) -> tuple[Kinds, Kinds]:
        """The kinds that a step leads from and to."""
        source, target = self._ends[step.relation]
        return (target, source) if step.back else (source, target)

    def knows(self, step: Step) -> bool:
        """Whether the relation of a step has words."""
        return step.relation in self._ends

    def of_type(self, type_id: str) -> Kinds:
        """A type with its subclasses."""
        return frozenset((type_id, *self.schema.subclasses.get(type_id, ())))

    def of_ports(self, steps: Iterable[Step]) -> Kinds:
        """The kinds of nodes that all these steps lead away from; empty where none fits all."""
        found: Kinds | None = None
        for step in steps:
            source = self.ends(step)[0]
            found = source if found is None else found & source
        return found or frozenset()

    def values(self, kinds: Kinds) -> list[Relation]:
        """Relations from things of these kinds to numbers or dates, most frequent first."""
        return [r for r in self._compared if not kinds or not self._ends[r.id][0].isdisjoint(kinds)]

    def gives_value(self, relation: str) -> bool:
        """Whether a relation leads to values only."""
        return relation in self._values

    def gives_date(self, relation: str) -> bool:
        """Whether some values of a relation are dates."""
        found = self.schema.by_id[relation]
        return bool(found.literal_kinds.get("date")) or found.texts == "date"

    def says_made(self, relation: str) -> bool:
        """Whether a date says when things were made: `createdAt`."""
        language = self.language
        words = {*tokens(self.schema.by_id[relation].text)} - language.function_words
        words -= {*language.schemas.days, *language.asking.dates}
        made = bool(words) and words <= language.schemas.creations
        return made and self.gives_date(relation)

    def gives_texts(self, relation: str) -> bool:
        """Whether a relation gives nothing but texts that are no numbers or dates."""
        found = self.schema.by_id[relation]
        return {*found.literal_kinds} == {"text"} and found.texts == "text"

    def only_texts_or_dates(self, relation: str) -> bool:
        """Whether a relation gives no number or flag, which a thing may have as 0 or false."""
        return self.schema.by_id[relation].literal_kinds.keys() <= {"text", "date"}

    def may_stand(self, relation: str) -> bool:
        """Whether what a relation leads to may stand for those that have it: "beverages".

        Without types only what says what things are, as a "vessel type": what depicts a harbour is
        no harbour. With types a value only that says what the things of a type are, as the "room
        type" of a room, and is no topic: a film of the genre "war" is no war.
        """
        schemas, text = self.language.schemas, self.schema.by_id[relation].text
        *of, last = tokens(self.language.spelled(text))
        if of and last in schemas.naming and of[-1] in schemas.sorts:  # a "job title"
            *of, last = of
        if not self.schema.typed:
            return last in schemas.sorts
        if not self.gives_value(relation):
            return True
        called = {w for k in self._ends[relation][0] for w in tokens(self.type_texts.get(k, ""))}
        return last in schemas.sorts - schemas.topics and (not of or not called.isdisjoint(of))

    def is_of_all(self, relation: str) -> bool:
        """Whether all things of the types that have a relation have it, once."""
        found = self.schema.by_id[relation]
        return bool(found.source_types) and self._is_on_all(found, found.source_types)

    def _is_on_all(self, relation: Relation, types: Iterable[str]) -> bool:
        sizes, having = self.schema.sizes, relation.source_types
        every = all(sizes.get(type, 0) <= having.get(type, 0) for type in types)
        return relation.leads_to_one() and every

    def is_symmetric(self, relation: str) -> bool:
        """Whether a relation holds both ways, by its words, see also `is_mutual`."""
        if relation not in self._symmetric:
            self._symmetric[relation] = self._holds_both_ways(relation)
        return self._symmetric[relation]

    def _holds_both_ways(self, relation: str) -> bool:
        (source, target), language = self._ends[relation], self.language
        said = self._lexicon.of_relation(relation)
        names = {self.schema.by_id[relation].text, *said.nouns, *said.forward}
        holds, with_ = language.holds_both_ways, language.grammar.with_
        both = bool(source & target) and any(holds(name, with_) for name in names)
        return both or self.is_mutual(relation)

    def is_mutual(self, relation: str) -> bool:
        """Whether a relation as "knows" may hold both ways, as the graph has each fact once.

        Or one that says how or by what: "knows phone", between people.
        """
        found, language = self.schema.by_id[relation], self.language
        verbs = [form for word in tokens(found.text)[:1] for form in language.forms(word.lower())]
        return found.one_way and not language.schemas.mutual.isdisjoint(verbs)

    @cached_property
    def done(self) -> Mapping[str, str]:
        """The participle for what those do that a relation leads to: "managed", of a `manager`.

        Only where the kinds of its ends do not tell who does it to whom.
        """
        language, found = self.language, {}
        small = language.prepositions  # nothing is done by an "under"
        for relation in self.relations:
            name, last = relation.text.lower(), relation.text.lower().split()[-1]
            told = name in language.schemas.doers or last in small or language.is_verb(name)
            if not (told or self.is_told(relation)):
                found[relation.id] = language.done_by(language.singular(last)) or ""
        return {id: done for id, done in found.items() if done}

    @cached_property
    def done_by_sources(self) -> Mapping[str, str]:
        """The participle for what those do that have a relation: "managed", of `managerOf`.

        Not where another relation says the same verb.
        """
        several, is_verb = self.said_by_several, self.language.is_verb
        nouns = (r for r in self.relations if r.id not in several and not is_verb(r.text))
        deeds = ((r.id, self.language.deed(r.text)) for r in nouns if not self.is_told(r))
        return {id: deed[0] for id, deed in deeds if deed and deed[1]}

    @cached_property
    def said_by_several(self) -> frozenset[str]:
        """The relations that say a verb which another one says too; see `said_by_several`."""
        return said_by_several(self.relations, self.language)

    def is_told(self, relation: Relation) -> bool:
        """Whether the kinds of the ends of a relation tell which is which."""
        source, target = self._ends[relation.id]
        apart = self.schema.typed and source.isdisjoint(target)
        return apart or self.gives_value(relation.id)

    def is_won(self, relation: str) -> bool:
        """Whether a relation is called by a thing that somebody wins or gets: "award"."""
        return self.schema.by_id[relation].text.lower() in self.language.schemas.collocations

    def is_passive(self, relation: str) -> bool:
        """Whether what a relation leads to does something to its sources, as in "managed by"."""
        return relation in self.done or self.language.is_passive(self.schema.by_id[relation].text)

    def does(self, relation: str) -> bool:
        """Whether the sources of a relation do something, by its name."""
        text = self.schema.by_id[relation].text.lower()
        return self.language.is_verb(text) and not self.is_passive(relation)

    def are_done_by(self, steps: Sequence[Step]) -> bool:
        """Whether steps lead from who did something: to lots, which are `boughtBy` them."""
        return bool(steps) and all(step.back and self.is_passive(step.relation) for step in steps)

    def offers(self, step: Step) -> bool:
        """Whether a step leads to the one thing that was dealt in: to what a lot `offers`."""
        relation = self.schema.by_id[step.relation]
        offered = self.language.schemas.offered.intersection(tokens(relation.text))
        return bool(offered) and not step.back and relation.leads_to_one()

    def names_doer(self, relation: str) -> bool:
        """Whether only a preposition tells which end did it: some are `mentor` of their kind.

        Without types that is so of each relation.
        """
        source, target = self.ends(Step(relation))
        noun = not self.language.is_verb(self.schema.by_id[relation].text)
        return not self.schema.typed or (noun and bool(source & target))

    def inverses(self, word: str, relation: Relation) -> list[str]:
        """Nouns for the sources of a relation whose name has a word: children, of "parent".

        What is "taught by" somebody is no student, where that is another class.
        """
        source, target = self.ends(Step(relation.id))
        nouns = self.language.schemas.inverses.get(word, ())
        others = {text for kind, text in self.type_texts.items() if kind not in source | target}
        others |= self.schema.sibling_names(relation) if nouns else set()
        return [noun for noun in nouns if noun not in others]

    def rivals(self, relation: str) -> list[str]:
        """Other relations between the same types; none where a graph has no types."""
        source, target = self._ends[relation]
        return [
            other
            for other, (start, end) in self._ends.items()
            if self.schema.typed and other != relation and other not in self._values
            if start & source and end & target
        ]

    @cached_property
    def flags(self) -> list[Relation]:
        """The relations that say yes or no."""
        return [relation for relation in self.relations if self.is_boolean(relation.id)]

    def is_boolean(self, relation: str) -> bool:
        """Whether a relation says yes or no."""
        return self._ends[relation][1] == {f"{LITERAL}boolean"}

    def leads(self, step: Step, kinds: Kinds) -> bool:
        """Whether a step may lead away from things of some kinds."""
        source = self.ends(step)[0]
        return not kinds or not source or not source.isdisjoint(kinds)

    def between(self, left: Kinds, right: Kinds) -> list[Step]:
        """The steps that lead from one kind to another."""
        if not left or not right:
            return []
        if (left, right) not in self._between:
            self._between[left, right] = [
                step
                for relation in self.relations
                for step in (Step(relation.id), Step(relation.id, True))
                for source, target in [self.ends(step)]
                if not source.isdisjoint(left) and not target.isdisjoint(right)
            ]
        return self._between[left, right]

    def total(self, type_id: str, *, several: bool = False) -> str | None:
        """A relation that every node of a type has one of; None where there is none.

        Args:
            several: whether one that some nodes have several of will do.
        """
        if type_id in self.own:
            return self.own[type_id]
        types = self.of_type(type_id)
        if not any(self.schema.sizes.get(type) for type in types):
            return None
        found = (r.id for r in self.relations if self._is_on_all(r, types))
        more = (r.id for r in self.relations if several and self._covers(r, types))
        return next(chain(found, more), None)

    @cached_property
    def _within(self) -> frozenset[tuple[str, str]]:
        """Types and others that all their nodes are of, too: every tutor is a student.

        Those of which a relation tells it: every tutor has a number, and all with one are students.
        """
        sizes = self.schema.sizes
        return frozenset(
            (one, other)
            for relation in self.schema.relations
            if relation.leads_to_one()
            for other, of_other in relation.source_types.items()
            if of_other == relation.triples
            for one, of_one in relation.source_types.items()
            if of_one == sizes.get(one) and (of_one < of_other or sizes[one] < sizes.get(other, 0))
        )

    def within(self, one: str, other: str) -> bool:
        """Whether all nodes of a type are known to be of another one, too."""
        return (one, other) in self._within or one in self.schema.subclasses.get(other, ())

    def widest(self, types: Collection[str]) -> list[str]:
        """Those of some types that are not within others of them.

        A superclass without nodes of its own counts only where it has several of them.
        """
        below, sizes = self.schema.subclasses, self.schema.sizes
        own = {t for t in types if sizes.get(t) or len({*types}.intersection(below.get(t, ()))) > 1}
        own = own or {*types}
        return sorted(a for a in own if not any(self.within(a, b) for b in own))

    def _covers(self, relation: Relation, types: Collection[str]) -> bool:
        """Whether all nodes of a type have a relation, and nothing else has it."""
        having = dict.fromkeys(types, relation.triples)
        sizes = [self.schema.sizes.get(type, 0) for type in types]
        return relation.source_types == having and sizes == [relation.subjects]

    @cached_property
    def _compared(self) -> list[Relation]:
        return [relation for relation in self.relations if relation.is_ordered]

    def _of(self, relation: Relation) -> tuple[Kinds, Kinds]:
        literals = frozenset(LITERAL + kind for kind in relation.literal_kinds)
        if self.schema.typed:
            source = frozenset(node_types(relation.source_types))
            target = literals | frozenset(node_types(relation.target_types))
            known = bool(source or target)
            if known and _is_partly_typed(relation.source_types, relation):
                source |= _UNTYPED
            if known and not literals and _is_partly_typed(relation.target_types, relation):
                target |= _UNTYPED
            return source, target
        words = self._lexicon.of_relation(relation.id)
        return _class(words.source), literals or _class(words.target)


_UNTYPED = frozenset({""})
"""The kind of things that have no type, in a graph where others have one."""


def _is_partly_typed(types: Mapping[str, int], relation: Relation) -> bool:
    """Whether some things at an end of a relation have no type, as far as facts were looked at.

    One whose other end has no types either may be one of those that were not looked at.
    """
    return sum(types.values()) < min(relation.triples, SAMPLED)


def _class(word: str) -> Kinds:
    return frozenset() if word == THING else frozenset((word,))
