"""Words that are verbs where they look like nouns: "order", of what somebody "did order"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Along, OfType
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.compose.lexical.phrases import KnownPhrases
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.types import Span
from isomatch.interpret.words.content import Word
from isomatch.schema.types import Relation


def is_verb_of_class(
    words: Sequence[Word], place: int, kind: Any, entries: Iterable[Any], kinds: GraphKinds
) -> bool:
    """Whether a class word is a verb: "what did Ann order", where an order `orders` things.

    Args:
        kind: the class, or a definition.
        entries: what phrases that begin with the word stand for.
    """
    language, follows = kinds.language, [word.text for word in words[place + 1 : place + 2]]
    before = [word.text for word in words[:place]]
    did = not language.before_infinitives.isdisjoint(before)
    small = language.function_words | language.operators.words
    if (
        not (did and isinstance(kind, OfType))
        or before[-1] in small
        or not language.prepositions.issuperset(follows)
    ):
        return False
    verbs = (one for *_, one in entries if isinstance(one, RelationWord) and one.role == "forward")
    return any(kinds.ends(Step(one.relation))[0] & kind.kinds for one in verbs)


def says_deed(relation: Relation, kinds: GraphKinds) -> bool:
    """Whether the name of a relation, a verb, is one for what its sources do.

    A manager is who manages. "Starred actors" are none that starred, but a coach coaches, and what
    a person `pilots` is no pilot where it is a plane.
    """
    people = kinds.language.schemas.people
    called = kinds.language.singular(relation.text.lower())
    own, others = (
        {kinds.type_texts.get(kind, "").lower() for kind in end}
        for end in kinds.ends(Step(relation.id))
    )
    apart = not people.isdisjoint(own) and people.isdisjoint(others)
    noun = called.split()[-1] in people and not (called in own or apart)
    return not (noun or kinds.is_passive(relation.id))


def leads_to_deed(spans: Sequence[Span], relation: str, kinds: GraphKinds) -> bool:
    """Whether a verb is said of what a record is of: who "bought" tea "placed" an order of it."""
    target = kinds.ends(Step(relation))[1]
    called = [kinds.type_texts.get(kind, "").lower() for kind in target]
    deeds = kinds.language.schemas.deeds
    forms = {form for span in spans[-1:] for form in kinds.language.forms(span.text.lower())}
    return bool(called and forms) and all(
        one in deeds and forms.isdisjoint(deeds[one]) for one in called
    )


def is_of_deeds(of: Any, kinds: GraphKinds) -> bool:
    """Whether a set is what records of deeds have: "ordered" things, of orders."""
    return isinstance(of, Along) and are_deeds(of.of.kinds, kinds)


def are_deeds(records: Kinds, kinds: GraphKinds) -> bool:
    """Whether things of some kinds are records of what somebody did: orders."""
    called = [kinds.type_texts.get(kind, "").lower() for kind in records]
    return bool(called) and all(one in kinds.language.schemas.deeds for one in called)


def names_value(word: str, phrases: KnownPhrases, kinds: GraphKinds) -> bool:
    """Whether a word is one for a relation to values."""
    said = (value for *_, value in phrases.get(word, ()))
    return any(kinds.gives_value(one.relation) for one in said if isinstance(one, RelationWord))


def has_keys(value: Any, kinds: GraphKinds) -> bool:
    """Whether edges say more: who "acted as Neo" acted in a film, in that role."""
    keys = kinds.schema.edge_properties
    return isinstance(value, RelationWord) and bool(keys.get(value.relation))
