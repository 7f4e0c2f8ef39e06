"""The nouns for who does something, and whom it is done to, by the names of relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set

from isomatch.lexicon.english import agents, base_verb, undergoers
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.relation_words import RelationWords
from isomatch.lexicon.type_words import TypeWords
from isomatch.schema.types import Relation


def said_by_several(relations: Iterable[Relation], language: Language) -> frozenset[str]:
    """The ids of relations that say a verb which another one says too: `employs` and `employer`."""
    said = ((relation.id, language.deed(relation.text)) for relation in relations)
    deeds = {id: deed[0] for id, deed in said if deed}
    verbs = Counter(deeds.values())
    return frozenset(id for id, verb in deeds.items() if verbs[verb] > 1)


def by_deed(
    relation: Relation,
    types: Mapping[str, TypeWords],
    language: Language,
    known: Set[str],
) -> RelationWords:
    """The nouns for whom something is done to, by the verb in a name: employees, of "employs".

    And for who does it, where the name is such a noun: the employer, of an "employee".

    Args:
        known: what types and relations are called, which are others.
    """
    does: tuple[str, ...] = ()
    if language.lemmas:
        done, by_sources = _nouns_of_table(relation.text, language)
        ends = (relation.source_types, relation.target_types)
        if not _are_people(ends[by_sources], ends[not by_sources], types, language):
            return RelationWords()
    else:
        participle, by_sources = language.deed(relation.text) or ("", False)
        done = undergoers(verb := base_verb(participle))
        does = agents(verb) if done and not language.is_verb(relation.text) else ()
    others = known - {relation.text.lower()}
    to, by = (tuple(n for n in nouns if n not in others) for nouns in (done, does))
    sources, targets = (by, to) if by_sources else (to, by)
    return RelationWords(nouns=targets, inverse_nouns=sources)


def _nouns_of_table(name: str, language: Language) -> tuple[tuple[str, ...], bool]:
    """Whom it is done to that a name says, and whether what has the relation does it.

    "Betreut" and "Betreuer von" are said of who does it, "betreut von" and "hat Betreuer" of whom
    it is done to.
    """
    grammar, table = language.grammar, language.schemas.undergoers
    small = grammar.having | grammar.being | grammar.passive
    first, *others = [word for word in tokens(name) if word not in small] or [""]
    by, verb = grammar.by.issuperset(others), language.is_verb(name)
    does = language.schemas.doers.get(first, ())
    if not by or not (verb or does):
        return (), False
    verbs = language.forms(first) if verb else does
    nouns = [noun for verb in sorted(verbs) for noun in table.get(verb, ())]
    return tuple(dict.fromkeys(nouns)), verb != bool(others)


def _are_people(
    ends: Mapping[str, int],
    others: Mapping[str, int],
    types: Mapping[str, TypeWords],
    language: Language,
) -> bool:
    """Whether those are people whom something is done to, or what does it, as far as is known."""
    called = {noun for id in ends if id in types for noun in types[id].phrases()}
    people = language.schemas.people | language.schemas.members
    return not ends or ends.keys() == others.keys() or not people.isdisjoint(called)
