"""Records of two things: employees of "who worked for Acme", and flights "between" two towns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import all_parts, any_of
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Count,
    Expression,
    Named,
    OfType,
    Without,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.readings.beside_names import is_of_either_between
from isomatch.interpret.compose.sets.joins import Joins
from isomatch.lexicon.folding import tokens
from isomatch.schema.types import Relation


def of_pairs(words: Sequence[str], item: Item, joins: Joins) -> Item:
    """The same, of records of two things: one of these, or what is between two names.

    Args:
        words: of the question.
    """
    item = replace(item, value=_other_of_pair(words[0], item, joins))
    return replace(item, value=_between_both(words, item, joins))


def _other_of_pair(first: str, item: Item, joins: Joins) -> Expression:
    """Those who are asked for by "who" where a set is of records of them and one other thing.

    "Who worked for Acme" are the employees of employments whose employer that is. But nobody whose
    application Acme has worked there.

    Args:
        first: the word that a question begins with.
    """
    of: Expression = item.value
    kinds = joins.kinds
    if first not in joins.language.asking.who or not isinstance(of, Along):
        return of
    if not of.step.back or len(of.kinds) != 1 or not isinstance(of.of, Named):
        return of
    things = [r for r in kinds.relations if r.target_types]
    if any(not of.kinds.isdisjoint(r.target_types) for r in things):
        return of  # something leads to them, which are no mere records
    own = [r for r in things if not of.kinds.isdisjoint(r.source_types)]
    others = [r for r in own if r.id != of.step.relation]
    if len(own) != 2 or len(others) != 1 or not all(r.leads_to_one() for r in own):
        return of
    other = Step(others[0].id)
    people = joins.are_people(kinds.ends(other)[1])
    said = _is_so_of(others[0], kinds.schema.by_id[of.step.relation], item, joins)
    return joins.step(of, other) if people and said else of


def _is_so_of(other: Relation, relation: Relation, item: Item, joins: Joins) -> bool:
    """Whether what a relation is said to be is so of those to whom another one of a record leads.

    The relation has the verb itself, as `livedIn`, or each is called by what the other does.
    """
    language, noun = joins.language, other.text.lower()
    verbs = {
        form
        for span in item.spans
        if span.kind == "relation" and span.meaning == relation.text
        for word in tokens(span.text)
        for form in language.forms(word)
    }
    own = not verbs.isdisjoint(tokens(relation.text.lower()))
    does = any(language.is_doer(noun, verb) for verb in verbs)
    return own or does or language.undergoes(noun, relation.text.lower())


def _between_both(words: Sequence[str], item: Item, joins: Joins) -> Expression:
    """What is "between" two names, where a set has what either has: from one to the other, or back.

    "Flights between Ulm and Bonn" have one as their origin, and the other as their destination.
    """
    of: Expression = item.value
    if isinstance(of, Count) and is_of_either_between(words, item, joins.language):
        both = _between_both(words, replace(item, value=of.of), joins)
        return replace(of, of=both)
    if not (is_of_either_between(words, item, joins.language) and isinstance(of, Without)):
        return of
    names = list(dict.fromkeys(one for one in all_parts(of.less) if isinstance(one, Named)))
    if len(names) != 2 or not isinstance(of.of, OfType):
        return of
    one, other = names
    steps = [s for s in joins.kinds.between(one.kinds & other.kinds, of.of.kinds) if s.back]
    if len(steps) != 2 or not all(
        joins.kinds.schema.by_id[s.relation].leads_to_one() for s in steps
    ):
        return of
    ways = [
        Both(of.of, Both(joins.step(one, way), joins.step(other, back), of.kinds), of.kinds)
        for way, back in permutations(steps)
    ]
    return any_of(of.of, ways)
