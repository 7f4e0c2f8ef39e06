"""Units of measure: "1000 square kilometres", where a relation is called "area km2"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal

from isomatch.chains.graph import Step
from isomatch.errors import PatternError
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.tables import Unit
from isomatch.link.normalise import value_of
from isomatch.pattern.types import Pattern
from isomatch.schema.types import Relation
from isomatch.store.terms import local_name
from isomatch.store.terms import words as words_of_name

LONGEST = 2  # words of a unit
LEAST_LASTING = 10  # of a guessed unit of time: "two hours" may be 120 minutes there
LEAST_POWER = 1000  # that names of relations count in
CURRENCIES = {"€": "euros", "$": "dollars", "£": "pounds sterling", "¥": "yen"}
_DIGITS = Context(prec=15)


@dataclass(frozen=True, slots=True)
class Measured:
    """What constants with a unit are for the values of a relation.

    Attributes:
        values: the constants in the unit of the relation.
        note: in words, what was converted; empty for nothing.
        guessed: whether nothing says that the relation counts in that unit.
    """

    values: tuple[str, ...]
    note: str = ""
    guessed: bool = False


def unit_at(words: Sequence[Word], place: int, language: Language) -> tuple[int, Unit] | None:
    """The unit that begins at a word, and how many words it takes; None where there is none."""
    for length in range(LONGEST, 0, -1):
        phrase = tuple(w.text for w in words[place : place + length])
        if len(phrase) == length and phrase in language.unit_of:
            return length, language.unit_of[phrase]
    return None


def unit_of_number(
    question: str, words: Sequence[Word], place: int, length: int, language: Language
) -> tuple[int, Unit] | None:
    """The unit after a number of some words, as `unit_at`; or the currency before it: "$50"."""
    start = words[place].start
    name = CURRENCIES.get(question[start - 1 : start] if start else "", "")
    sign = language.unit_of.get(tuple(name.split()))
    return (0, sign) if sign else unit_at(words, place + length, language)


def measured(
    values: Sequence[str], unit: Unit | None, relation: str, kinds: GraphKinds
) -> Measured:
    """What constants with a unit are for the values of a relation.

    Without one they are in that of the relation, but where its name counts in thousands or more.

    Raises:
        PatternError: the relation measures something else, as far as its words say, or nothing
            says in which unit.
    """
    text, language = kinds.schema.by_id[relation].text, kinds.language
    if unit is None:
        return _in_power(values, text, language)
    called = (word for phrase in kinds.called(relation) for word in tokens(phrase))
    said = {form for word in called for form in language.forms(word)}
    own = own_unit(kinds.schema.by_id[relation], kinds.called(relation), language)
    if own.of != unit.of if own else said.isdisjoint(unit.of):
        raise PatternError(f"{text} is not in {unit.name}")
    lasts = not kinds.language.schemas.durations.isdisjoint(tokens(text))
    numbers = [number for value in values if (number := value_of(value).number) is not None]
    if len(numbers) < len(values):
        raise PatternError(f"{', '.join(values)} is no amount in {unit.name}")
    lasts = lasts and all(number >= LEAST_LASTING for number in numbers)
    if own is None and (_is_only_currency(unit, kinds) or (lasts and _is_only(unit, kinds))):
        return Measured(tuple(values), guessed=True)
    if own is None:
        raise PatternError(f"the unit of {text} is not known")
    if own.factor == unit.factor:
        return Measured(tuple(values))
    found = tuple(_written(number * unit.factor / own.factor) for number in numbers)
    given, meant = map(language.answers.both, (values, found))
    return Measured(found, language.assumed.converted.format(given, unit.name, meant, own.name))


def _is_only_currency(unit: Unit, kinds: GraphKinds) -> bool:
    """Whether a unit is a currency, and the names of relations have no other."""
    if unit.name not in CURRENCIES.values():
        return False
    return {*CURRENCIES.values()} & {other.name for other in _named(kinds)} <= {unit.name}


def _is_only(unit: Unit, kinds: GraphKinds) -> bool:
    """Whether the names of relations have no other unit of the same."""
    return all(other.name == unit.name for other in _named(kinds) if other.of == unit.of)


def _named(kinds: GraphKinds) -> list[Unit]:
    """The units in the names of relations."""
    places = (_place(tokens(relation.text), kinds.language) for relation in kinds.relations)
    return [place[2] for place in places if place is not None]


def _in_power(values: Sequence[str], text: str, language: Language) -> Measured:
    """What constants are where a name counts in thousands or more: 5 million "cost million" are 5.

    Smaller ones are taken as the graph has them, and no guess is made between.
    """
    powers, words = language.numbers.powers, tokens(text)
    rates = language.schemas.rates  # "deaths per million"
    said = {
        language.singular(word)
        for before, word in zip(["", *words], words, strict=False)
        if before not in rates
    }
    power = max((powers[word] for word in said & powers.keys()), default=1)
    numbers = [Decimal(value) if value.isdecimal() else Decimal(0) for value in values]
    if power < LEAST_POWER or all(number < power / 10 for number in numbers):
        return Measured(tuple(values))
    if not all(number >= power for number in numbers):
        raise PatternError(f"how much {' and '.join(values)} are of {text} is not known")
    found = tuple(_written(number / power) for number in numbers)
    given, meant = map(language.answers.both, (values, found))
    return Measured(found, language.assumed.powers.format(given, text, meant))


def is_in(unit: Unit, relation: str, kinds: GraphKinds, values: Sequence[str] = ("1",)) -> bool:
    """Whether a relation measures what a unit does, and in which unit is known or guessed."""
    try:
        measured(values or ("1",), unit, relation, kinds)
    except PatternError:
        return False
    return True


def in_other_currency(question: str, pattern: Pattern, language: Language) -> bool:
    """Whether a relation of a pattern is in another currency than the signs of a question say."""
    signs = {name for sign, name in CURRENCIES.items() if sign in question}
    found = (_place(tokens(edge.relation or ""), language) for edge in pattern.edges)
    units = {place[2].name for place in found if place is not None}
    return bool(signs) and bool(units & {*CURRENCIES.values()} - signs)


def without_unit(text: str, language: Language) -> str:
    """The name of a relation without its unit: "area km2" → "area", "budget million" → "budget"."""
    *before, last = words = tokens(text) or [""]
    found = _place(words, language)
    if found is None:
        return " ".join(before) if last in language.numbers.powers else ""
    start, end, _ = found
    before = words[:start]
    while before and before[-1] in language.prepositions:  # "weight in grams"
        before.pop()
    return " ".join((*before, *words[end:]))


def bare_names(relation: Relation, kinds: GraphKinds) -> list[str]:
    """What else a relation is called, without its unit and what its name has in brackets.

    "Price (euros)" is a price, if the graph has no other; and so is a "yearly budget" a budget. An
    "account type" is a type of account, what is "due on" a date has a due date, where "MFA" is
    "enabled" or not, there is MFA or not, and a "phone" is a phone number. Of a "runway length" the
    runway is long.
    """
    text, language = relation.text, kinds.language
    found = [without_unit(text, language), *language.sorts_of(text)]
    if kinds.gives_date(relation.id):
        found.append(language.date_noun(text))
    *switch, last = tokens(text) or [""]
    switches = kinds.is_boolean(relation.id) and last in language.schemas.switches
    if switches or (*switch, last) in language.schemas.addresses:
        found.append(" ".join(switch))
    called = [tokens(name) for name in kinds.called(relation.id)]
    addresses = (" ".join(a) for a in language.schemas.addresses if [*a[:1]] in called)
    found += [a for a in addresses if a not in kinds.by_name]
    bare = text.partition("(")[0].strip()
    if bare != text and sum(r.text.startswith(bare) for r in kinds.relations) == 1:
        found.append(bare)
    *sized, last = tokens(bare) or [""]
    once = sized and kinds.name_words[sized[-1]] == 1 and relation.is_ordered
    if once and last in language.schemas.dimensions and sized[-1] not in kinds.by_class_word:
        found.append(" ".join(sized))
    first, *rest = tokens(bare) or [""]
    ends = language.grammar.first | language.grammar.last
    if first in ends and kinds.gives_date(relation.id) and language.is_verb(" ".join(rest)):
        found.append(" ".join(rest))  # "seen", where it was "first seen" and "last seen"
    periods, last = language.schemas.periods, language.singular(rest[-1]) if rest else ""
    if last in language.schemas.calendar and not kinds.gives_date(relation.id):
        found += [f"{rest[-1]} {of} {' '.join((first, *rest[:-1]))}" for of in language.grammar.of]
    if rest and first in periods and kinds.name_words[rest[-1]] == 1:
        found.append(" ".join(rest))
    what, _, period = language.spelled(bare).rpartition(" per ")  # an "hourly wage"
    found += [f"{word} {what}" for word in periods if what and periods[word] == period]
    others = (other for name in found if name != text for other in language.other_nouns(name))
    return list(filter(None, (*found, *others)))  # "memory", of a "ram gb"


def is_amount(relation: str, kinds: GraphKinds) -> bool:
    """Whether 0 of what a relation measures is none of it: of a delay or a fee, and of no floor."""
    called, language = kinds.called(relation), kinds.language
    said = {form for phrase in called for word in tokens(phrase) for form in language.forms(word)}
    measures = any(not said.isdisjoint(unit.of) for unit in language.unit_of.values())
    return measures or own_unit(kinds.schema.by_id[relation], called, language) is not None


def says_how_long(relation: str, kinds: GraphKinds) -> bool:
    """Whether the values of a relation are how long its sources take: a "call duration"."""
    schemas, text = kinds.language.schemas, kinds.schema.by_id[relation].text
    bare = tokens(without_unit(text, kinds.language) or text.partition("(")[0])
    known = schemas.times | schemas.durations | schemas.lasting
    for type in kinds.ends(Step(relation))[0]:
        known |= {*tokens(kinds.type_texts.get(type, ""))}
    values = kinds.gives_value(relation) and not kinds.gives_date(relation)
    return values and schemas.say_how_long(tokens(text)) and known.issuperset(bare)


def is_money(relation: Relation, kinds: GraphKinds) -> bool:
    """Whether the values of a relation are in a currency that its name says."""
    unit = own_unit(relation, kinds.called(relation.id), kinds.language)
    return unit is not None and unit.name in CURRENCIES.values()


def own_unit(relation: Relation, called: Sequence[str], language: Language) -> Unit | None:
    """The unit of a relation's values, from what it is called or from the end of its IRI.

    An IRI that ends in ``_m`` measures metres only where the relation is called a length.
    """
    for phrase in called:
        if found := _place(tokens(phrase), language):
            return found[2]
    last = tokens(words_of_name(local_name(relation.id)))
    found = _place(last, language)
    said = {form for phrase in called for word in tokens(phrase) for form in language.forms(word)}
    ends = found is not None and found[1] == len(last) and not said.isdisjoint(found[2].of)
    return found[2] if found and ends else None


def _place(words: Sequence[str], language: Language) -> tuple[int, int, Unit] | None:
    """Where the longest unit among some words begins and ends."""
    for length in range(LONGEST, 0, -1):
        for start in range(len(words) - length + 1):
            if unit := language.unit_of.get(tuple(words[start : start + length])):
                return start, start + length, unit
    return None


def _written(number: Decimal) -> str:
    return format(_DIGITS.create_decimal(number).normalize(), "f")
