"""The rules for several with a part in the same: "involving a Nissan and a person named Ann"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    Expression,
    OfType,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.sets.joins import UNSAID, Joined, Joins, Rule

CLASS_SAID = 0.1  # for a class before the noun of a relation that its things have


def or_participant(rule: Rule, joins: Joins) -> Rule:
    """A rule for two sets; one of another class after "and" has a part in the first, too.

    Only where one relation leads there, and what is before has a part of its own: "films and
    people with an award" are no films of these.
    """
    grammar = joins.grammar

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        yield from rule(left, right, gap)
        small = grammar.any_article
        if [word for word in gap if word not in small] not in ([a] for a in grammar.joining):
            return
        of, other = left.value, right.value
        one = not grammar.indefinite.isdisjoint(gap) or is_single(right, joins)
        if not (one and left.head >= 0 and right.head >= 0 and is_described(other)):
            return
        if not (_has_part(of) and other.kinds and of.kinds.isdisjoint(other.kinds)):
            return
        if not _connects(left, joins):  # what is "built by a yard and a person" has two makers
            return
        steps = list(joins.kinds.between(other.kinds, of.kinds))
        if len(steps) == 1:
            yield "set", Both(of, joins.step(other, steps[0]), of.kinds), UNSAID, left.head

    return join


def named_by_class(rule: Rule, joins: Joins) -> Rule:
    """A rule for a set and a relation; a class before its own noun adds nothing: "car brand of"."""

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        yield from rule(left, right, gap)
        word, of = right.value, left.value
        own = isinstance(of, OfType) and not gap and word.role == "noun"
        value = own and joins.kinds.gives_value(word.relation)
        # "The customer name of the order" is no name of the order, if that has one too.
        if value and joins.kinds.ends(Step(word.relation))[0] <= of.kinds:
            yield "relation", word, CLASS_SAID, right.head

    return join


def or_their_values(rule: Rule, joins: Joins) -> Rule:
    """A rule of a set; "car brands involved in crimes" are those of the cars that are."""

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        yield from rule(left, right, gap)
        of = left.value
        if not (isinstance(of, Along) and isinstance(of.of, OfType) and is_value(of)):
            return
        said = [span.kind for span in sorted(left.spans, key=lambda span: span.start)]
        if of.step.back or said != ["type", "relation"]:
            return
        things = replace(left, value=of.of)
        for category, value, cost, head in rule(things, right, gap):
            if category == "set" and head == left.head and not value.kinds.isdisjoint(of.of.kinds):
                yield "set", joins.step(value, of.step), cost + CLASS_SAID, head

    return join


def is_described(of: Expression) -> bool:
    """Whether a set is of a class of which more is said: "a person with surname Lee"."""
    if isinstance(of, Compared):
        return isinstance(of.of, OfType) or is_described(of.of)
    return isinstance(of, Both) and (isinstance(of.left, OfType) or is_described(of.left))


def _has_part(of: Expression) -> bool:
    """Whether things of a class are said to be one step from others."""
    if isinstance(of, Compared):
        return _has_part(of.of)
    if not isinstance(of, Both) or is_value(of):
        return False
    return isinstance(of.right, Along) or _has_part(of.left)


def _connects(item: Item, joins: Joins) -> bool:
    """Whether the last relation of a set is said by a word for any part: "involving"."""
    said = [span for span in item.spans if span.kind == "relation"]
    last = max(said, key=lambda span: span.start, default=None)
    connecting = joins.grammar.connecting
    return last is not None and not connecting.isdisjoint(last.text.lower().split())


def is_single(item: Item, joins: Joins) -> bool:
    """Whether the class word of a set is in the singular: "someone named Ann"."""
    types = [span for span in item.spans if span.kind == "type"]
    first = min(types, key=lambda span: span.start, default=None)
    return first is not None and joins.is_single(first.text.split()[-1])
