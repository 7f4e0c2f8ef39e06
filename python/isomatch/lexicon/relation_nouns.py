"""Nouns in the names of relations that are for nothing that these lead to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.relation_words import RelationWords
from isomatch.lexicon.type_words import TypeWords
from isomatch.schema.types import Relation


def of_members(
    words: RelationWords, relation: Relation, types: Mapping[str, TypeWords], language: Language
) -> RelationWords:
    """The words of a `member` that leads from people to their clubs: no club is a member."""
    members = language.schemas.members
    ends = [
        {name for id in side if id in types for name in types[id].phrases()}
        for side in (relation.source_types, relation.target_types)
    ]
    sources, targets = ends
    people = language.schemas.people | members
    if not targets or people.isdisjoint(sources) or not people.isdisjoint(targets):
        return words
    turned = tuple(noun for noun in words.nouns if noun in members)
    kept = tuple(noun for noun in words.nouns if noun not in members)
    said = () if language.lemmas else (f"is the {noun} of" for noun in turned)  # of `memberOf`
    forward, inverse = (*words.forward, *said), (*words.inverse_nouns, *turned)
    return replace(words, nouns=kept, inverse_nouns=inverse, forward=forward)


def with_object(
    words: RelationWords, relation: Relation, types: Mapping[str, TypeWords], language: Language
) -> RelationWords:
    """The words of a verb with its object, without the object where it does not lead to that.

    Whoever "owes money" owes it to somebody, and who "supplies parts" to a factory supplies these.
    Between things of other types only verbs with two objects are so: who "drives a car" may drive a
    vehicle. Who "teaches student" teaches people.
    """
    verb, *rest = text = relation.text.lower().split()
    if not (rest and relation.target_types and verb in words.forward):
        return words
    noun, schemas = language.singular(" ".join(rest)), language.schemas
    same = {*relation.source_types} == {*relation.target_types}
    gives = not language.forms(verb).isdisjoint(schemas.ditransitive)
    people = schemas.people | schemas.kin | schemas.roles | schemas.doers.keys()
    targets = [types[id] for id in relation.target_types if id in types]
    called = {name for one in targets for name in one.phrases()}
    own = {noun, noun.rpartition(" ")[2]} & (called | people)
    if noun not in words.nouns or own or not (same or (gives and targets)):
        return words
    nouns = tuple(other for other in words.nouns if other != noun)
    return replace(words, nouns=nouns, forward=(*words.forward, " ".join(text)))


def nouns_by_other(relation: Relation, language: Language, *, forward: bool) -> frozenset[str]:
    """What an end of a relation may be called by what the other end is: the child, of a father.

    Args:
        forward: for the target, where the source is what the name says: of `parentOf`.
    """
    said = tokens(relation.text)
    of = not language.grammar.of.isdisjoint(said[1:][-1:])
    if of != forward:
        return frozenset()
    words = (form for word in said for form in language.noun_forms(word))
    nouns = {noun for word in words for noun in language.schemas.inverses.get(word, ())}
    has = not language.grammar.having.isdisjoint(said[:1])
    if relation.is_flag and not has:  # "admins", of `isAdmin`
        nouns |= language.noun_forms(said[-1])
    doer = language.doer_of(relation.text.lower())
    return frozenset(nouns | ({doer} if doer else set()))
