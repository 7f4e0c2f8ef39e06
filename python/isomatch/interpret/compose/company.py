"""What is said "with" a name, which is then none of the answers, and "between" two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, permutations
from typing import Any

from isomatch.interpret.compose.expressions import (
    Both,
    Count,
    Expression,
    Named,
    OfType,
    Without,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.joins import Joins
from isomatch.interpret.compose.traits import all_parts, any_of, inner, steps_back
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language


def beside_names(question: str, item: Item, language: Language) -> Mapping[str, Any]:
    """The options of a search for what is "with" a name: "who has children with Ann" is not Ann.

    Elsewhere what a step leads back to may be what it came from: "films by the director of Heat".
    """
    owning = language.grammar.owning
    names = (span for span in item.spans if span.kind == "name")
    beside = any(not owning.isdisjoint(tokens(question[: s.start])[-1:]) for s in names)
    return {"nodes": "anchored"} if beside and steps_back(item.value) else {}


def between_both(words: Sequence[str], item: Item, joins: Joins) -> Expression:
    """What is "between" two names, where a set has what either has: from one to the other, or back.

    "Flights between Ulm and Bonn" have one as their origin, and the other as their destination.

    Args:
        words: of the question.
    """
    of: Expression = item.value
    if isinstance(of, Count) and is_of_either_between(words, item, joins.language):
        both = between_both(words, replace(item, value=of.of), joins)
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


def is_of_either_between(words: Sequence[str], item: Item, language: Language) -> bool:
    """Whether a set has what either of two names has, where a question asks for it "between" them.

    What is "between Ann and Bob" is of both.
    """
    between = {word for phrase in language.comparisons.get("between", ()) for word in phrase}
    names = (span for span in item.spans if span.kind == "name")
    firsts = {word for span in names for word in tokens(span.text.lower())[:1]}
    plain = [word for word in words if word not in language.grammar.articles]
    apart = any(at in between and word in firsts for at, word in pairwise(plain))
    return apart and _is_of_either(item.value)


def _is_of_either(of: Expression) -> bool:
    if isinstance(of, Without) and isinstance(of.less, Without):
        names = [one for one in all_parts(of.less.less) if isinstance(one, Named)]
        return len(names) == 1  # two are from one to the other, or back
    return any(map(_is_of_either, inner(of)))
