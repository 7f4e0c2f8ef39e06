"""The rules for clauses and participles: "Ann who is a nurse", "Wagners living with Moores"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    Expression,
    Named,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.rules.participants import is_described, is_single
from isomatch.interpret.compose.sets.joins import Joined, Joins, Rule
from isomatch.interpret.compose.sets.names import every_called
from isomatch.lexicon.language import Language
from isomatch.lexicon.tables import Grammar

DESCRIBED = 0.1  # for a name of several things of which a clause says more
NO_PEOPLE = 0.2  # for "who" after things, where the graph has people
WITH_WHOM = 0.8  # for a set before a participle that is its object
OUT_OF_ORDER = 0.4  # for the subject of a verb behind its preposition


def or_relative(rule: Rule, joins: Joins) -> Rule:
    """A rule for two sets; a clause in the singular describes no plural before it.

    "The friends of Ann who is a nurse" are hers, where several people are called so.
    """
    grammar = joins.grammar

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        of, other = left.value, right.value
        if _are_two(left, right, gap, joins):
            yield "list", (of, other), 0.0, -1
            return
        said = other.left if isinstance(other, Both) and grammar.calling.intersection(gap) else None
        if isinstance(said, Along) and not joins.kinds.gives_value(said.step.relation):
            return  # no "people named Ann" are those to whom "Ann is related"
        clause = not grammar.relative.isdisjoint(gap)
        if clause and isinstance(of, Named) and isinstance(other, (Along, Both, Compared)):
            several = of.nodes > 1 and not is_value(of)
            if several and of.kinds & other.kinds and right.head < 0:
                yield "set", Both(every_called(of), other, of.kinds), DESCRIBED, left.head
                return
        spans = sorted(left.spans, key=lambda span: span.start)
        names = clause and left.head >= 0 and len(spans) > 1 and spans[-1].kind == "name"
        one = not grammar.singular.isdisjoint(gap)
        if names and one and not joins.is_single(spans[0].text.split()[-1]):
            return
        who = bool(joins.people) and not joins.language.asking.who.isdisjoint(gap)
        more = NO_PEOPLE * (who and not (joins.are_people(of.kinds) or is_value(of)))
        for category, value, cost, head in rule(left, right, gap):
            yield category, value, cost + more, head

    return join


def anything_such(grammar: Grammar) -> Rule:
    """The rule for what a word as "something" is, as if its class were said."""
    small = (grammar.relative - grammar.whose) | grammar.being

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "something supplied by Acme", "someone who lives in Oslo" """
        said = right.head < 0 and isinstance(right.value, (Along, Both, Compared))
        if said and small.issuperset(gap):
            yield "set", right.value, 0.0, left.head

    return join


def is_going(left: Item, right: Item, gap: Sequence[str], language: Language) -> bool:
    """Whether a participle describes a set before it: "Wagners living with Moores".

    "Who is Ann living with" asks for others.
    """
    of = left.value
    plain = not gap and left.head >= 0 and (is_value(of) or not isinstance(of, Named))
    verb = "noun" not in right.value.role
    said = any(span.text.endswith(language.endings.going) for span in right.spans[:1])
    return plain and verb and said


def out_of_order(value: Expression, word: RelationWord, gap: Sequence[str], joins: Joins) -> float:
    """What it costs that the set behind a verb and its preposition is the subject.

    "Involved in a vehicle" says of crimes what vehicles are.
    """
    grammar = joins.grammar
    small = joins.prepositions(gap) - grammar.by - grammar.owning - grammar.of
    if word.role != "forward" or not isinstance(value, Along) or joins.language.free_order:
        return 0.0
    turned = value.step.relation == word.relation and not value.step.back
    return OUT_OF_ORDER * (turned and bool(small))


def _are_two(left: Item, right: Item, gap: Sequence[str], joins: Joins) -> bool:
    """Whether "and" joins two of one class: "a person named Ann and a person from Oslo"."""
    grammar, of = joins.grammar, left.value
    small = grammar.any_article
    if [word for word in gap if word not in small] not in ([a] for a in grammar.joining):
        return False
    one = not grammar.indefinite.isdisjoint(gap) or is_single(right, joins)
    said = is_described(of) or (isinstance(of, Named) and of.every)
    heads = left.head >= 0 and right.head >= 0
    return (
        one and said and is_described(right.value) and heads and bool(of.kinds & right.value.kinds)
    )
