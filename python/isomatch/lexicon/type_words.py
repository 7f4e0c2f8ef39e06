"""What the types of a graph are called besides their own words: "plants", of power plants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.schema.naming import ENDINGS
from isomatch.schema.types import Schema
from isomatch.store.terms import local_name, words


@dataclass(frozen=True, slots=True)
class TypeWords:
    """The class word of a type, singular and plural, and other words for it."""

    word: str
    plural: str
    also: tuple[str, ...] = ()

    def phrases(self) -> tuple[str, ...]:
        """What one thing of the type is called."""
        return (self.word, *self.also)


def called_people(types: Mapping[str, TypeWords], language: Language) -> dict[str, TypeWords]:
    """The one type of employees or of other "people", where no type is called so: they are."""
    asked = (language.question_words.get(who, ()) for who in sorted(language.asking.who))
    person = next((word for words in asked for word in words), "")
    called = {person: language.schemas.staff, language.plural(person): language.schemas.people}
    for word, said in called.items() if person not in {t.word for t in types.values()} else ():
        if person and (ids := [id for id, words in types.items() if words.word in said]):
            return {ids[0]: replace(types[ids[0]], also=(word,))} if len(ids) == 1 else {}
    return {}


def called_by_heads(
    types: Mapping[str, TypeWords], schema: Schema, language: Language
) -> dict[str, TypeWords]:
    """Types also called by the last word, which nothing else has: a power plant is a plant."""
    heads = Counter(head for words in types.values() for head in tokens(words.word)[-1:])
    small = language.function_words | language.idle | language.grammar.designating
    others = {w: {w} for w in small | {*language.asking.dates}}  # a "post code" is no code
    for relation in schema.relations:  # a "trial status" is that of the trial which has one
        *before, last = map(language.singular, tokens(relation.text) or [""])
        others |= {w: others.get(w, set()) | {*relation.source_types} for w in before}
        others[last] = {last}
    named = (tokens(words(local_name(id)))[-1:] for id in schema.name_relations)
    others |= {w: {w} for last in named for w in map(language.singular, last)}  # an "area code"
    return {
        id: replace(words, also=(*words.also, head))
        for id, words in types.items()
        for head in tokens(words.word)[1:][-1:]
        if heads[head] == 1 and others.get(head, {id}) == {id}
    }


def called_by_relations(
    types: Mapping[str, TypeWords], schema: Schema, language: Language
) -> dict[str, TypeWords]:
    """Types also called by the first or last word, where all that is called so leads to them.

    A "procedure" is a "procedure code", where nothing else is the `procedure` of a claim.
    """
    targets: dict[str, set[str]] = {}
    for relation in schema.relations:
        name = [*map(language.singular, tokens(relation.text.lower()))]
        if relation.target_types or len(name) == 1:  # no "needs authorization", which is yes or no
            targets.setdefault(name[-1], set()).update(relation.target_types or [""])
    ends = Counter(w for words in types.values() for w in {*_first_and_last(words.word)})
    taken = {phrase for words in types.values() for phrase in words.phrases()}
    return {
        id: replace(words, also=(*words.also, *found))
        for id, words in types.items()
        if " " in words.word
        and (
            found := [
                w
                for w in dict.fromkeys(_first_and_last(words.word))
                if targets.get(w) == {id} and ends[w] == 1 and w not in taken
            ]
        )
    }


def called_by_keys(
    types: Mapping[str, TypeWords], schema: Schema, language: Language
) -> dict[str, TypeWords]:
    """Types of a property graph also called by the property that names them: "the addresses"."""
    keys = {id: words(local_name(key)).lower() for id, key in schema.names.items() if id in types}
    called = {id: language.singular(language.spelled(key)) for id, key in keys.items()}
    names = (relation.text.lower() for relation in schema.relations)
    taken = Counter((*called.values(), *names))
    taken.update(phrase for one in types.values() for phrase in one.phrases())
    return {
        id: replace(types[id], also=(*types[id].also, phrase))
        for id, phrase in called.items()
        for last in tokens(phrase)[-1:]  # and no "guest" that a booking is named by
        if taken[phrase] == 1 and not phrase.endswith(ENDINGS)
        if last in language.schemas.naming - language.grammar.designating
    }


def _first_and_last(phrase: str) -> list[str]:
    words = tokens(phrase)
    return [*words[:1], *words[-1:]]
