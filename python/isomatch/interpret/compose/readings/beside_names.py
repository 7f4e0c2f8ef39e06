"""Tells what is "with" a name, "between" two, or other than it, so that it is no answer itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from typing import Any

from isomatch.interpret.compose.analysis import all_parts, inner, is_whole, steps_along, steps_back
from isomatch.interpret.compose.expressions import (
    Along,
    Count,
    Expression,
    Named,
    Without,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.rules.unions import without_name
from isomatch.interpret.compose.sets.joins import Joins
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language


def beside_names(question: str, item: Item, language: Language) -> Mapping[str, Any]:
    """The options of a search for what is "with" a name: "who has children with Ann" is not Ann.

    Nor does "the person who also advises Ann" advise only her. Elsewhere what a step leads back to
    may be what it came from: "films by the director of Heat".
    """
    owning = language.grammar.owning
    names = (span for span in item.spans if span.kind == "name")
    beside = any(not owning.isdisjoint(tokens(question[: s.start])[-1:]) for s in names)
    relative, also = language.grammar.relative, language.grammar.also
    beside |= any(a in relative and b in also for a, b in pairwise(tokens(question.lower())))
    return {"nodes": "anchored"} if beside and steps_back(item.value) else {}


def passes_again(of: Expression) -> bool:
    """Whether a way passes one relation twice, and so perhaps one fact: there, and back later.

    Ways beside each other do not count: one person may be a Lee, and a friend of Ann, in a crime.
    """
    ways = (part for part in all_parts(of) if isinstance(part, Along))
    return any(way.step.relation in {s.relation for s in steps_along(way.of)} for way in ways)


def is_said_in(item: Item, words: Set[str]) -> bool:
    """Whether a relation of a set is called by one of some words: "shares a home with"."""
    said = (span.text for span in item.spans if span.kind == "relation")
    return any(not words.isdisjoint(tokens(text.lower())) for text in said)


def asks_for_doers(words: Sequence[str], item: Item, language: Language) -> bool:
    """Whether "which writers acted" asks for writers, and a set is of what they did.

    The "films that writers acted in" are asked for by another noun.
    """
    said = sorted(item.spans, key=lambda span: span.start)
    said = [span for span in said if span.kind != "operator"]
    of = item.value.of if isinstance(item.value, Along) else None
    if len(said) != 2 or not isinstance(of, Along) or not is_whole(of) or not of.step.back:
        return False
    asked = tokens(said[0].text)[-1:] in (list(words[:1]), list(words[1:2]))
    relations = all(span.kind == "relation" for span in said)
    return relations and asked and language.auxiliaries.isdisjoint(words)


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


def others_than_named(item: Item, words: Sequence[str], joins: Joins, lost: float) -> Item:
    """The same, without the one name of that kind where a question asks for others.

    "Which other films did the director of Heat make" asks for no "Heat".

    Args:
        lost: what it cost that nothing was made of "other".
    """
    besides, of = joins.grammar.besides, item.value
    said = [s for s in item.spans if s.kind == "operator" and s.text.lower() in besides]
    if len(said) != 1 or besides.isdisjoint(words[1:3]):
        return item
    things = of.of if isinstance(of, Count) else of
    names = {p for p in all_parts(things) if isinstance(p, Named) and p.kinds & things.kinds}
    meant, known = {span.meaning for span in item.spans}, joins.kinds.schema.by_id
    unsaid = {known[step.relation].text for step in steps_along(things)} - meant
    if len(names) != 1 or names == {things} or is_value(things) or unsaid:
        return item
    others = without_name(things, names.pop(), joins)
    spans = tuple(replace(s, meaning=s.text) if s in said else s for s in item.spans)
    value = Count(others) if isinstance(of, Count) else others
    return replace(item, value=value, score=item.score + lost, spans=spans)
