"""The rules for dates beside what they are of: "2006 vehicles", "who bought tea in 1997"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import all_parts
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    Expression,
    Extreme,
    Named,
    OfType,
    PerEach,
    last_steps,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.class_verbs import are_deeds
from isomatch.interpret.compose.lexical.constants import Comparison, equal_to, is_date
from isomatch.interpret.compose.lexical.phrases import meant_by, span_of
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.sets.joins import Joined, Joins, Rule
from isomatch.interpret.types import Span
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language

DATED = 0.1


def or_year(rule: Rule, joins: Joins) -> Rule:
    """A rule for a number before a set; a year or date there is that of things of a class.

    Not of people, of whom so many may be meant, nor where no article or "which" is before it:
    shops that "have 2006 products" have so many.
    """

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        yield from rule(left, right, gap)
        of, constants = right.value, left.value
        one = len(constants) == 1 and is_date(constants[0]) and left.head >= 0
        if gap or not (one and isinstance(of, OfType)) or joins.are_people(of.kinds):
            return
        date = joins.date_of(of)
        if date is not None:
            dated = joins.compared(of, date, (equal_to(constants),))
            yield "set", dated, DATED, right.head

    return join


def is_day_of_year(step: Step, comparisons: Sequence[Comparison], joins: Joins) -> bool:
    """Whether a day or month is compared with a mere year: no car of 2017 is of 14 August."""
    texts = tokens(joins.kinds.schema.by_id[step.relation].text)
    years = {*joins.language.asking.dates} - joins.language.schemas.days
    days = (value for one in comparisons for value in one.values if len(value) > len("2017"))
    return not years.isdisjoint(texts[-1:]) and any(map(is_date, days))


def done_then(left: Item, comparisons: Sequence[Comparison], joins: Joins) -> Expression | None:
    """Those to whom records of some date lead: "customers that bought tea in 1997"."""
    of = left.value
    of, only = (of.right, of.left) if isinstance(of, Both) else (of, None)
    if isinstance(only, Along) or not all(one.values for one in comparisons):
        return None  # who "bought tea and jam in 1997" bought both then
    if not isinstance(of, Along) or isinstance(of.of, Named):
        return None
    date = _date_of_deed(of.of, left, joins)
    then = replace(of, of=joins.compared(of.of, date, comparisons)) if date else None
    return then if only is None or then is None else replace(left.value, right=then)


def did_then(verb: Item, comparisons: Sequence[Comparison], joins: Joins) -> Iterator[Joined]:
    """ "customers that ordered in July": who did it by records of then"""
    relation = verb.value.relation
    dates = all(one.values and all(map(is_date, one.values)) for one in comparisons)
    if not dates or "noun" in verb.value.role or joins.kinds.gives_value(relation):
        return
    for step in (Step(relation), Step(relation, True)):
        records = joins.whole(joins.kinds.ends(step)[1])
        date = _date_of_deed(records, verb, joins) if records else None
        if records and date:
            of_then = joins.compared(records, date, comparisons)
            yield "done then", joins.step(of_then, step.inverse), DATED, -1


def set_done_then(left: Item, right: Item, gap: Sequence[str], joins: Joins) -> Iterator[Joined]:
    """ "customers that ordered in July", and not what "Ann ordered" then"""
    of, done, grammar = left.value, right.value, joins.grammar
    linked = (grammar.linking | grammar.with_ | grammar.been).issuperset(gap)
    if isinstance(of, OfType) and linked and of.kinds & done.kinds:
        yield joins.said(gap), Both(of, done, of.kinds), 0.0, left.head


def _date_of_deed(of: Expression, verb: Item, joins: Joins) -> Step | None:
    """The date of records of what somebody did, as an "order date"; None for other things.

    Neither is it that where another date is of the verb: a "shipped date".
    """
    forms = joins.language.forms
    said = {form for s in verb.spans for word in tokens(s.text) for form in forms(word)}
    deed = are_deeds(of.kinds, joins.kinds)
    date = joins.date_of(OfType("", of.kinds)) if deed else None
    for other in joins.dates(of.kinds) if date else ():
        named = tokens(joins.kinds.schema.by_id[other.relation].text)
        if other != date and any(not said.isdisjoint(forms(word)) for word in named):
            return None
    return date


def has_other_date(item: Item, joins: Joins) -> bool:
    """Whether the first of some is so by another date than that of what a verb says.

    The team that Ann joined first is not the one that was founded first, nor that of who was the
    first to join. But the question that she asked first was created first, and so was the house
    that she built first.
    """
    of = item.value
    if _compares_names(of, joins):
        return True
    whole = (of.left, of.right) if isinstance(of, Both) else (of,)
    if any(_is_begun_otherwise(item, one, joins) for one in whole):
        return True
    parts = [one for one in all_parts(of) if not any(one is part for part in whole)]
    named = frozenset(kind for one in parts if isinstance(one, Named) for kind in one.kinds)
    return any(
        step is not None
        and joins.grading.gives_date(step.relation)
        and not named.isdisjoint(of_whom.kinds)
        for of_whom, step in _firsts(parts)
    )


def _firsts(parts: Iterable[Expression]) -> Iterator[tuple[Expression, Step | None]]:
    """Those of whom some are the first or last, and the steps to the dates by which they are."""
    for one in parts:
        if isinstance(one, Extreme) and one.counted is None:
            yield one, one.step
        if isinstance(one, PerEach) and one.things is not None:
            yield one.things, one.value


def _compares_names(of: Expression, joins: Joins) -> bool:
    """Whether names are compared by their dates, and a verb has its own: "borrowed first"."""
    sides = (of.left, of.right) if isinstance(of, Both) else ()
    dated = any(
        isinstance(one, Compared)
        and isinstance(one.of, Named)
        and joins.grading.gives_date(one.step.relation)
        for one in sides
    )
    steps = (step for one in sides for step in last_steps(one))
    return dated and joins.grading.have_dates(joins.kinds.ends(step)[0] for step in steps)


def _is_begun_otherwise(item: Item, of: Expression, joins: Joins) -> bool:
    """Whether the first of some came to be first, and a verb says what was done to them later."""
    if not isinstance(of, Extreme) or of.step is None or of.counted is not None:
        return False
    language, words = joins.language, joins.grading.words[of.step.relation]
    schemas = language.schemas
    if words.isdisjoint(schemas.foundings | schemas.creations):
        return False
    called = [joins.kinds.type_texts.get(kind, "").lower() for kind in of.kinds]
    tables = (schemas.begun, schemas.deeds)
    made = {verb for one in called for table in tables for verb in table.get(one, ())}
    date = joins.kinds.schema.by_id[of.step.relation].text  # "by founding year"
    said = sorted(item.spans, key=lambda span: span.start)
    if any(verb.meaning == date and first.kind == "operator" for verb, first in pairwise(said)):
        return False  # "which team that Ann joined was founded first"
    verbs = [s.text.lower() for s in item.spans if s.meaning != date and _is_verb(s, language)]
    return any(
        _forms(verb, language).isdisjoint(words | made)
        and not any(language.does(maker, verb) for maker in schemas.makers)
        for verb in verbs
    )


def _is_verb(span: Span, language: Language) -> bool:
    """Whether a word may be a verb: of a relation, or another than its name has, or of none."""
    if span.kind != "relation":
        return span.kind == "word"
    said = _forms(span.text.lower(), language)
    return language.is_verb(span.meaning) or said.isdisjoint(tokens(span.meaning.lower()))


def _forms(text: str, language: Language) -> set[str]:
    return {form for word in tokens(text) for form in language.forms(word)}


def dates_of_deeds(
    question: str, words: Sequence[Word], joins: Joins
) -> Iterator[tuple[int, int, Item]]:
    """ "appointment date", "date of death": when somebody was `appointedOn`, or `diedOn` some day

    Yields:
        the place, the number of words, and what they stand for.
    """
    language, texts = joins.language, [word.text for word in words]
    days = language.schemas.days
    named = {id: joins.kinds.schema.by_id[id].text for id in sorted(joins.grading.dates)}
    for place in range(len(words)):
        start, end = place, place + 1
        if days.intersection(texts[end : end + 1]):
            end += 1
        elif place > 1 and texts[place - 1] in language.grammar.of and texts[place - 2] in days:
            start -= 2
        else:
            continue
        found = [id for id, text in named.items() if _is_of_deed(texts[place], text, language)]
        if len(found) == 1 and joins.kinds.gives_value(found[0]):
            said = meant_by(
                span_of(question, words, start, end - start), "relation", named[found[0]]
            )
            word = RelationWord(found[0], "noun")
            yield start, end - start, Item("relation", word, head=start, spans=(said,))


def _is_of_deed(noun: str, date: str, language: Language) -> bool:
    """Whether a date's name is a verb, with a preposition or none, and a noun is for that."""
    verb, *rest = tokens(date)
    if not (language.is_verb(verb) and language.prepositions.issuperset(rest)):
        return False
    lives = (language.schemas.births, language.schemas.deaths)
    same = any(noun in some and verb in some for some in lives)
    return same or any(language.is_deed(noun, form) for form in language.forms(verb))
