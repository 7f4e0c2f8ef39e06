"""What adjectives compare: "largest" areas, "oldest" birthdays, the "highest point" of a state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import NUMBERS, Along, Expression, OfType
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.compose.units import is_money
from isomatch.interpret.types import Span
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.lexicon import Adjective, Lexicon
from isomatch.lexicon.tables import Scale
from isomatch.schema.types import Relation, Schema


class Grading:
    """The relations of one graph whose values adjectives compare.

    Attributes:
        words: forms of the words that each relation is called by.
        dates: ids of the relations that say when something was.
        lives: those of them that say when somebody was born or died. The first of those who did
            something is not the oldest of them, and what somebody did was not at their birth.
        joinings: those of them that say when somebody became one of others.
        named_extremes: relations that a superlative names, with the step to the value that is
            the greatest (True) or least there: "highest point" goes with "highest elevation".

    Args:
        kinds: of the graph.
        lexicon: words of relations, and what adjectives compare.
    """

    def __init__(self, kinds: GraphKinds, lexicon: Lexicon):
        self._kinds = kinds
        self._lexicon = lexicon
        language = lexicon.language
        # "First climbed by" is no extreme: its "first ascent" is a date, and not the least of all.
        graded = [s for s in language.scales if not self.is_dating(s)]
        self._superlatives = {w: True for s in graded for w in s.highest}
        self._superlatives |= {w: False for s in graded for w in s.lowest}
        self.words = {
            r.id: {
                form
                for phrase in (r.text, *_nouns(lexicon, r.id))
                for word in tokens(phrase)
                for form in language.forms(word)
            }
            for r in kinds.relations
        }
        self.named_extremes = self._pairs()
        newer = {word for s in language.scales if self.is_dating(s) for word in s.high}
        dated = {
            signed.removeprefix("-")
            for word in language.schemas.dating
            for signed in lexicon.adjectives.get(word, Adjective()).relations
            if word in newer or signed.startswith("-")  # an age is no date
        }
        self.dates = frozenset(
            r.id for r in kinds.relations if r.id in dated or _is_date(r, language)
        )
        schemas = language.schemas
        self.lives, self.foundings, self.joinings = (
            frozenset(id for id in self.dates if not said.isdisjoint(self.words[id]))
            for said in (schemas.lives, schemas.foundings, schemas.joinings)
        )

    def text(self, relation: str) -> str:
        """The name of a relation, in words."""
        return self._kinds.schema.by_id[relation].text

    def is_dating(self, scale: Scale) -> bool:
        """Whether an adjective says when something was: "first", "latest"."""
        return not set(scale.of).isdisjoint(self._lexicon.language.asking.dates)

    def living(self, relation: str) -> Iterator[str]:
        """The kinds of which most have a date of birth or death."""
        schema = self._kinds.schema
        if not schema.typed:
            yield from self._kinds.ends(Step(relation))[0]
        for type_id, count in schema.by_id[relation].source_types.items():
            if 2 * count >= schema.sizes.get(type_id, 0):
                yield type_id

    def graded(self, scale: Scale, high: bool, kinds: Kinds) -> list[tuple[Step, bool]]:
        """What an adjective compares in things of some kinds, the usual relation first.

        Returns:
            steps to the values, and whether those of the adjective's direction are great. None
            where there are several fees, of which none is the price.
        """
        adjective = self._lexicon.adjectives.get(scale.high[0] if scale.high else "")
        known = {r.id for r in self._kinds.values(kinds)}
        known -= self.lives if self.is_dating(scale) else frozenset()
        every = adjective.relations if adjective else ()
        if self._says_age(scale) or self.is_dating(scale):  # none is older for an earlier end
            ends = self._lexicon.language.schemas.ends
            known = {id for id in known if id not in self.dates or ends.isdisjoint(self.words[id])}
        if self._says_age(scale):  # "the oldest employee" was not hired first
            since = {signed[1:] for signed in every if signed.startswith("-")}
            younger = since - self.lives - self.foundings
            known -= younger if self.are_called_people(kinds) else self.joinings
        found = []
        for signed in every:
            relation, great = signed.removeprefix("-"), high != signed.startswith("-")
            if relation in known and self.agrees(relation, great):
                found.append((Step(relation), great))
        asking = self._lexicon.language.asking
        if not (found or asking.price.isdisjoint(scale.high)):  # "the most expensive order"
            values = self._kinds.values(kinds)
            amounts = [r for r in values if self._is_amount(r)]
            amounts = amounts or [r for r in values if is_money(r, self._kinds)]  # a "day rate"
            found = [(Step(r.id), high) for r in amounts if len(amounts) == 1]
        fees = self._lexicon.language.schemas.fees
        paid = [step for step, _ in found if not fees.isdisjoint(self.words[step.relation])]
        return [] if len(paid) > 1 and paid[0] == found[0][0] else found

    def great(self, scale: Scale, high: bool, step: Step) -> bool:
        """Whether an adjective beside a value asks for great ones: not the "oldest date of birth".

        So does one that does not compare this value.
        """
        graded = dict(self.graded(scale, high, self._kinds.ends(step)[0]))
        return graded.get(step, high)

    def _is_amount(self, relation: Relation) -> bool:
        """Whether the name of a relation is only for what is paid: a "total amount"."""
        said = tokens(relation.text)
        return bool(said) and self._lexicon.language.asking.amount.issuperset(said)

    def _says_age(self, scale: Scale) -> bool:
        births = self._lexicon.language.schemas.births
        return any(word.removeprefix("-") in births for word in scale.of)

    def are_called_people(self, kinds: Kinds) -> bool:
        """Whether things of some kinds are called as people are, by what they do: "driver"."""
        schemas, texts = self._lexicon.language.schemas, self._kinds.type_texts
        called = {word for kind in kinds for word in tokens(texts.get(kind, ""))[-1:]}
        return not called.isdisjoint(schemas.people | schemas.roles | schemas.doers.keys())

    @cached_property
    def people(self) -> list[OfType]:
        """The classes of people."""
        every = (OfType(id, self._kinds.of_type(id)) for id in self._kinds.type_texts)
        return [of for of in every if self.are_called_people(of.kinds)]

    def ages(self, kinds: Kinds) -> list[Step]:
        """The steps to how old people of some kinds are."""
        ages = self._lexicon.language.asking.age if self.are_called_people(kinds) else frozenset()
        found = (Step(r.id) for r in self._kinds.values(kinds) if self.words[r.id] & ages)
        return [step for step in found if step.relation not in self.dates]

    def prices(self, kinds: Kinds) -> list[Step]:
        """The steps to what things of some kinds cost."""
        asking = self._lexicon.language.asking
        priced = (s for s in self._lexicon.language.scales if not asking.price.isdisjoint(s.high))
        found = [step for scale in priced for step, _ in self.graded(scale, True, kinds)]
        amounts = (r for r in self._kinds.values(kinds) if self.words[r.id] & asking.amount)
        return found or [Step(r.id) for r in amounts if not self.gives_date(r.id)]

    def mark(self, kinds: Kinds) -> Step | None:
        """The step to the one number of ratings, scores or grades that are things of their own."""
        marks = self._lexicon.language.schemas.marks
        called = {w for kind in kinds for w in tokens(self._kinds.type_texts.get(kind, ""))[-1:]}
        if not called or not called <= marks:
            return None
        values = [r for r in self._kinds.values(kinds) if not self.gives_date(r.id)]
        return Step(values[0].id) if len(values) == 1 and values[0].leads_to_one() else None

    def have_dates(self, sources: Iterable[Kinds]) -> bool:
        """Whether things of any of some kinds that are no people have dates, as loans do."""
        return any(
            self.gives_date(relation.id)
            for kinds in sources
            if kinds and not self.are_called_people(kinds)
            for relation in self._kinds.values(kinds)
        )

    def quantities(self, kinds: Kinds) -> list[Step]:
        """The steps to how many things those of some kinds are of: a "quantity", or "packets"."""
        found = (r for r in self._kinds.values(kinds) if not self.gives_date(r.id))
        return [Step(r.id) for r in found if self._is_quantity(r)]

    def _is_quantity(self, relation: Relation) -> bool:
        language = self._lexicon.language
        schemas, last = language.schemas, tokens(relation.text)[-1:]
        unit = language.unit_of.get(tuple(last))
        lasts = unit is not None and not schemas.durations.isdisjoint(unit.of)
        several = any(language.singular(word) != word for word in last)
        return not schemas.quantities.isdisjoint(last) or (several and not lasts)

    def is_degree_of(self, said: str, scale: Scale, of: Expression) -> bool:
        """Whether "how" and an adjective ask for a number: "how high", of any; "how deep", of few.

        Args:
            said: the adjective, or "how" and the adjective.
            scale: of the adjective.
            of: what is asked about.
        """
        own = self.words[of.step.relation] if isinstance(of, Along) else frozenset()
        any_number = said.lower().split()[-1] in self._lexicon.language.asking.degrees
        return of.kinds == NUMBERS and (any_number or not own.isdisjoint(scale.of))

    def agrees(self, relation: str, high: bool) -> bool:
        """Whether no superlative in a relation's name says the opposite."""
        first = self._kinds.schema.by_id[relation].text.split()[0].lower()
        return self._superlatives.get(first, high) == high

    def gives_date(self, relation: str) -> bool:
        """Whether a relation leads to dates, or to years or texts that its name says are."""
        return self._kinds.gives_date(relation) or relation in self.dates

    def is_measure(self, relation: str) -> bool:
        """Whether adjectives compare the values, and not as dates: nothing seats "after 2023"."""
        adjectives = self._lexicon.adjectives.values()
        compared = any(relation in adjective.relations for adjective in adjectives)
        return compared and not self.gives_date(relation)

    def is_other_end(self, relation: str, said: Span, operators: Set[str]) -> bool:
        """Whether "seen since 2000" is taken for when it was "first seen", and not "last seen"."""
        grammar, end = self._lexicon.language.grammar, tokens(self.text(relation))[0]
        if end not in grammar.first | grammar.last or end in tokens(said.text):
            return False
        late = operators <= {">", ">="}
        return late != (end in grammar.last) or "=" in operators

    def _pairs(self) -> dict[str, tuple[Step, bool]]:
        by_first: dict[str, list[str]] = {}
        for relation in self._kinds.relations:
            first = relation.text.split()[0].lower()
            if first in self._superlatives and " " in relation.text:
                by_first.setdefault(first, []).append(relation.id)
        found = {}
        for first, ids in by_first.items():
            values = [Step(id) for id in ids if self._kinds.gives_value(id)]
            for id in ids:
                for value in values:
                    if self._kinds.ends(Step(id))[0] & self._kinds.ends(value)[0]:
                        found[id] = (value, self._superlatives[first])
        return found


def scales(lexicon: Lexicon) -> tuple[Scale, ...]:
    """The adjectives of the language, and those that only the lexicon has."""
    scales, endings = lexicon.language.scales, lexicon.language.endings
    known = {scale.high[0] for scale in scales if scale.high}
    more = [
        Scale(
            of=(),
            high=(word,),
            higher=(word.removesuffix("e") + endings.higher,),
            highest=(word.removesuffix("e") + endings.highest,),
        )
        for word in lexicon.adjectives
        if word not in known
    ]
    return (*scales, *more)


def worked_with(
    word: str, scales: Iterable[Scale], kinds: GraphKinds, lexicon: Lexicon
) -> list[str]:
    """The one relation that a word for values is for, as "price" for a `unitPrice`."""
    ids = {
        id
        for scale in scales
        if word in scale.of and scale.high
        for id in lexicon.adjectives.get(scale.high[0], Adjective()).relations
        if word in tokens(kinds.schema.by_id[id.removeprefix("-")].text)
        and kinds.gives_value(id.removeprefix("-"))
    }
    return [*ids] if len(ids) == 1 else []


def verbs_of_others(lexicon: Lexicon, schema: Schema) -> frozenset[str]:
    """Verbs that ask for another date than verbs of the graph say: "built", of what was opened."""
    found: set[str] = set()
    for scale in lexicon.language.scales:
        adjective = lexicon.adjectives.get(scale.high[0] if scale.high else "", Adjective())
        ids = [signed.removeprefix("-") for signed in adjective.relations]
        if any(lexicon.language.is_verb(schema.by_id[id].text) for id in ids):
            found |= {word.removeprefix("-") for word in scale.of}
    return frozenset(filter(lexicon.language.is_verb, found))


def _is_date(relation: Relation, language: Language) -> bool:
    """Whether the values are dates, or texts that the relation's name says are dates."""
    kinds = relation.literal_kinds
    named = relation.text.split()[-1].lower() in language.schemas.days | {*language.asking.dates}
    return bool(kinds.get("date")) or (named and bool(kinds.get("text")))


def _nouns(lexicon: Lexicon, relation: str) -> Sequence[str]:
    words = lexicon.relations.get(relation)
    return words.nouns if words else ()
