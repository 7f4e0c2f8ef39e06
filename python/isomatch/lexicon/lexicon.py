"""The lexicon: which words people use for the relations and types of a graph.

It is drafted from the schema by rules of English, kept as ``lexicon.toml``, and
meant to be edited: the right noun and verb for a relation are worth more to the
interpreter without a model than anything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain, takewhile

from isomatch.lexicon.english import (
    agent,
    agents,
    base_verb,
    is_done_to,
    is_participle,
    participle,
    past,
    plural,
    singular,
)
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language, default_language
from isomatch.lexicon.relation_nouns import of_members, with_object
from isomatch.lexicon.relation_words import THING, RelationWords
from isomatch.lexicon.type_words import (
    TypeWords,
    called_by_heads,
    called_by_keys,
    called_by_relations,
    called_people,
)
from isomatch.lexicon.undergoers import by_deed, said_by_several
from isomatch.pattern.types import Operator
from isomatch.schema.types import LITERAL, Relation, Schema
from isomatch.store.terms import local_name, name_path, words


@dataclass(frozen=True, slots=True)
class Adjective:
    """What an adjective compares: ids of relations to values, the usual one first.

    One after ``-`` has small values for the adjective: the old were born early.
    """

    relations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Definition:
    """What a phrase means: the nodes of a type whose value compares with a constant."""

    type: str = ""
    relation: str = ""
    operator: Operator = "="
    value: str = ""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words by relation id and by type id.

    Attributes:
        wider: by the class word of a type, those of the types that it is a subclass of.
        adjectives: by the adjective, as "large".
        definitions: by the phrase, as "major city".
        language: that the words are of.
        doubtful: ids of relations whose class word `RelationWords.source` is a poor guess.
    """

    relations: Mapping[str, RelationWords] = field(default_factory=dict)
    types: Mapping[str, TypeWords] = field(default_factory=dict)
    wider: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    adjectives: Mapping[str, Adjective] = field(default_factory=dict)
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    language: Language = field(default_factory=default_language)
    doubtful: frozenset[str] = frozenset()

    def of_relation(self, id: str) -> RelationWords:
        """The words of a relation; those of one that it does not know are empty."""
        return self.relations.get(id, RelationWords())

    def phrases(self) -> list[str]:
        """All that it says of types and relations."""
        phrases: list[str] = []
        for r in self.relations.values():
            phrases += (r.source, r.target, *r.nouns, *r.inverse_nouns, *r.forward, *r.backward)
        for t in self.types.values():
            phrases += (t.word, t.plural, *t.also)
        return [*phrases, *self.definitions]

    def called(self) -> list[str]:
        """What relations are called first, before other words for the same."""
        return [relation.nouns[0] for relation in self.relations.values() if relation.nouns]

    def words(self) -> set[str]:
        """Every single word in it: those that a question may use without naming a node."""
        single = {w for phrase in self.phrases() for w in tokens(phrase)}
        if self.language.lemmas:
            return single.union(*map(self.language.forms, single))
        return single | {plural(w) for w in single} | {base_verb(w) for w in single}


def draft_words(text: str, language: Language | None = None) -> RelationWords:
    """The words of a relation from its name in words, by the forms that such names have.

    Args:
        language: of the name; None for English.

    Example:
        >>> draft_words("directed by").nouns
        ('director',)
        >>> draft_words("plays in club").forward
        ('plays in',)
    """
    if language is not None and language.lemmas:
        return _draft_by_lemmas(text, language)
    words = text.lower().split()
    if len(words) > 1 and words[-1] == "inverse":
        return draft_words(" ".join(words[:-1])).inverse()
    if len(words) > 2 and words[:2] == ["inverse", "of"]:
        return draft_words(" ".join(words[2:])).inverse()
    if len(words) > 1 and words[0] in ("has", "have"):
        return _draft_noun(words[1:])
    if len(words) > 1 and words[0] in ("is", "are", "was", "were"):
        words = words[1:]  # "in country", "aged", "married to", but not "part of"
        if words[-1] == "of":
            return _draft_noun(words)
    return _draft_verb(words) or _draft_noun(words)


def _draft_verb(words: Sequence[str]) -> RelationWords | None:
    first, last, text = words[0], words[-1], " ".join(words)
    apart = default_language().grammar.particles | default_language().prepositions
    if len(words) == 3 and last == "by" and words[1] in apart and is_participle(first):
        return RelationWords(forward=(text,), backward=(f"{past(first)} {words[1]}",))
    if first[-2:] == "ly" and (first[:-2],) in default_language().operators.ordinal:
        by = " ".join(words[:-1]) if last == "by" else f"{text} by"
        return RelationWords(forward=(text,), backward=(by,))  # who "formerly owned" it
    if last == "by" and len(words) > 1 and is_participle(verb := words[-2]):
        return RelationWords(nouns=agents(base_verb(verb)), forward=(text,), backward=(past(verb),))
    prepositions = default_language().prepositions
    if first in prepositions:  # "in country", "to"
        nouns = (singular(" ".join(words[1:])),) if len(words) > 1 else ()
        return RelationWords(nouns=nouns, forward=(first,))
    if len(words) == 1 and (passive := participle(first)):
        base, by = base_verb(passive), f"{passive} by"
        done = (base,) if base != agent(base) else ()  # a visit, and no host, of "hosted"
        return RelationWords(
            nouns=done, inverse_nouns=(agent(base),), forward=(first,), backward=(by,)
        )
    number = last in default_language().grammar.counted  # "teams count" is how many they are
    third_person = first.endswith("s") and singular(first) != first and not number
    plans = default_language().schemas.plans
    is_planned = first in plans or first in plans.values()
    if len(words) == 1 or not (third_person or participle(first) or is_planned):
        return None
    wishes = default_language().schemas.wishes
    if words[1] in default_language().grammar.infinitive and not wishes.isdisjoint(
        {first, singular(first), base_verb(first)}
    ):  # who "wants to watch" a film need not have watched it
        return RelationWords(forward=(text,))
    if words[1] in prepositions:  # plays in club, born in, acted in
        verb, rest = " ".join(words[:2]), words[2:]
        if words[1] == "of" and third_person:
            return None  # members of, and not died of
        doer = agent(singular(first) if third_person else base_verb(first))
        return RelationWords(
            nouns=(singular(" ".join(rest)),) if rest else (),
            inverse_nouns=() if is_done_to(first) or words[1] == "of" else (doer,),
            forward=(verb,),
        )
    noun = singular(" ".join(words[1:]))
    if is_planned:  # a "planned start" is no start that was planned
        said = (f"{first} for",) if participle(first) else ()
        return RelationWords(nouns=(singular(text), noun), forward=said)
    if third_person:  # plays position, wears number
        return RelationWords(
            nouns=(noun,), inverse_nouns=(agent(singular(first)),), forward=(first,)
        )
    return RelationWords(nouns=(noun,), forward=(first,), backward=(f"{first} in",))


def _draft_noun(words: Sequence[str]) -> RelationWords:
    text = " ".join(words)
    if words[-1] == "of" and len(words) > 1:  # capital of: the source is the capital
        return RelationWords(inverse_nouns=(" ".join(words[:-1]),), forward=(f"is the {text}",))
    if words[-1] in default_language().prepositions and len(words) > 1:  # member since
        return RelationWords(inverse_nouns=(" ".join(words[:-1]),))
    nouns = [singular(text)]
    if "of" in words[1:-1]:  # place of birth → birth place
        at = words.index("of", 1)
        nouns.append(" ".join((*words[at + 1 :], *words[:at])))
    done = words[-1:] if len(words) > 1 and is_participle(words[-1]) else ()  # award received
    return RelationWords(nouns=tuple(nouns), forward=tuple(done))


def _draft_by_lemmas(text: str, language: Language) -> RelationWords:
    """Of a name in a language of which only the words of the table are known."""
    grammar, words = language.grammar, text.split()
    if len(words) > 1 and words[0].lower() in grammar.being | grammar.passive:
        return _draft_by_lemmas(" ".join(words[1:]), language)  # "ist Leiter von"
    said, last = text.lower(), words[-1].lower()
    if language.is_verb(text):
        passive = len(words) > 1 and last in grammar.by
        with_preposition = language.function_words.issuperset(w.lower() for w in words[1:2])
        verb = 2 if with_preposition else 1
        noun = "" if passive else " ".join(words[verb:])  # "besucht kurs", "spielt in liga"
        called = language.doers_of(words[0])  # "spieler", of "spielt für"
        nouns = (language.singular(noun.lower()),) if noun else ()
        return RelationWords(
            nouns=called if passive else nouns,
            inverse_nouns=() if passive else called,
            forward=(" ".join(words[:verb]).lower() if noun else said,),
            backward=(" ".join(words[:-1]).lower(),) if passive else (),
        )
    if words[0].lower() in grammar.having and len(words) > 1:
        said = " ".join(words[1:]).lower()
    if len(words) > 1 and language.spelled(last) in grammar.of | language.prepositions:
        return RelationWords(inverse_nouns=(" ".join(words[:-1]).lower(),))  # "vertretung für"
    return RelationWords(nouns=(language.singular(said),))


Classify = Callable[[Relation, str], "str | None"]


def draft_lexicon(
    schema: Schema,
    *,
    classify: Classify | None = None,
    limit: int = 2000,
    language: Language | None = None,
) -> Lexicon:
    """Words for the most frequent relations and all types of a graph.

    Args:
        classify: the class word of the end (``source`` or ``target``) of a relation for
            which the graph has no type; see `isomatch.lexicon.draft`.
        limit: most relations that get words.
        language: of the names of relations and types; None for English.
    """
    language = language or default_language()
    types = {
        t.id: TypeWords(word, language.plural(word))
        for t in schema.types
        if (word := language.singular(t.text.lower())) and not t.id.startswith(LITERAL)
    }
    types |= called_people(types, language) | called_by_heads(types, schema, language)
    types |= called_by_relations(types, schema, language)
    types |= called_by_keys(types, schema, language)
    names = {r.text.lower() for r in schema.relations}
    own = names | {words.word for words in types.values()}

    def others(noun: str) -> list[str]:
        return [other for other in language.other_nouns(noun) if other not in own]

    types = {
        id: replace(words, also=(*words.also, *others(words.word), *_in_one(words.word, names)))
        for id, words in types.items()
    }
    relations, several = {}, said_by_several(schema.relations[:limit], language)
    for relation in schema.relations[:limit]:
        words = draft_words(relation.text, language).beside(_by_what_it_does(relation, language))
        if relation.id not in several:  # else each has its own nouns
            words = words.beside(by_deed(relation, types, language, own))
        if _is_done_by_sources(relation, language):
            words = _turned(words, language.singular(relation.text.lower()))
        if (spelled := language.spelled(relation.text)) != relation.text:
            words = words.beside(draft_words(spelled, language))
        owner, name = by_path(relation, language)
        if name:
            words = words.beside(draft_words(name, language))
        # A "boss" is who one "reports to".
        called = dict.fromkeys((*words.nouns, relation.text.lower()))
        words = replace(words, nouns=(*words.nouns, *chain.from_iterable(map(others, called))))
        words = _with_women(words, others, language)
        if {*relation.source_types} == {*relation.target_types} and not _is_of(relation, types):
            words = replace(words, nouns=())  # whoever "knows phone" of people leads to no phone
        words = with_object(words, relation, types, language)
        words = of_members(words, relation, types, language)
        if language.is_participle(relation.text.lower()):
            words = _without_own(words, relation, types)
        source = _type_word(relation.source_types, types) or owner
        target = _type_word(relation.target_types, types)
        if classify:
            source = source or classify(relation, "source")
            target = target or classify(relation, "target")
        relations[relation.id] = replace(
            words,
            source=source or next(iter(words.inverse_nouns), THING),
            target=target or next(iter(words.nouns), THING),
        )
    wider, adjectives = _wider_words(schema, types), draft_adjectives(schema, language)
    return Lexicon(relations, types, wider, adjectives, language=language)


def _with_women(
    words: RelationWords, others: Callable[[str], list[str]], language: Language
) -> RelationWords:
    """The words with what else the sources of a relation are called: "Betreuerin", too."""
    if not language.lemmas:
        return words
    also = [other for noun in words.inverse_nouns for other in others(noun)]
    also = [noun for noun in also if not language.is_verb(noun)]  # who "beschäftigte" Bob
    return replace(words, inverse_nouns=tuple(dict.fromkeys((*words.inverse_nouns, *also))))


def _in_one(word: str, names: Set[str]) -> tuple[str, ...]:
    """A noun of two words in one, where relations are called so: a "post code", of `postcode`."""
    joined = word.replace(" ", "")
    return (joined,) if joined != word and joined in names else ()


def _without_own(
    words: RelationWords, relation: Relation, types: Mapping[str, TypeWords]
) -> RelationWords:
    """The words of a participle without what its sources are called, which it does not lead to.

    What is "called" is no call, where calls have a caller.
    """
    called = [types[t] for t in relation.source_types.keys() - relation.target_types if t in types]
    own = {noun for one in called for noun in one.phrases()} - {relation.text.lower()}
    return replace(words, nouns=tuple(noun for noun in words.nouns if noun not in own))


def _is_of(relation: Relation, types: Mapping[str, TypeWords]) -> bool:
    """Whether no other class than that of its things ends the name of a relation."""
    *verb, last = tokens(relation.text) or [""]
    named = {id for id, words in types.items() if words.word == last}
    return not (verb and named) or not named.isdisjoint(relation.target_types)


def by_path(relation: Relation, language: Language) -> tuple[str | None, str]:
    """The class and the name of a relation whose id is a path: "people.person.place_of_birth".

    None and an empty text of other relations, and of those that the graph calls otherwise.
    """
    *above, last = name_path(local_name(relation.id))
    if len(above) < 2 or relation.text != words(local_name(relation.id)):
        return None, ""  # "customer.city" may be flattened, and of an order
    name = re.sub(r"_s$", "s", last)  # "spouse_s", for one or more
    return language.singular(words(above[-1])), words(name)


def _by_what_it_does(relation: Relation, language: Language) -> RelationWords:
    """The verb for what those do that a relation leads to: a "holding archive" holds things."""
    first, *others = tokens(relation.text.lower()) or [""]
    going = language.endings.going
    doing = bool(going) and first.endswith(going) and len(first) > len("".join(going)) + 2
    apart = language.schemas.places | language.schemas.naming  # a "billing address" bills nobody
    known = doing and len(others) == 1 and apart.isdisjoint(others)
    known = known and bool(relation.target_types) and not relation.literal_kinds
    return RelationWords(backward=(first,)) if known else RelationWords()


def _is_done_by_sources(relation: Relation, language: Language) -> bool:
    """Whether a name is a verb or a plural, and things of one kind have it: "mentors".

    Then its sources are mentors. A film that `authors` leads from has some.
    """
    same = bool(relation.source_types) and {*relation.source_types} == {*relation.target_types}
    text = relation.text.lower()
    return same and language.is_verb(text) and language.is_doer_itself(text)


def _turned(words: RelationWords, noun: str) -> RelationWords:
    """The words where a noun is for the sources, and not for what the relation leads to."""
    nouns = tuple(other for other in words.nouns if other != noun)
    return replace(words, nouns=nouns, inverse_nouns=(*words.inverse_nouns, noun))


def draft_adjectives(schema: Schema, language: Language) -> dict[str, Adjective]:
    """What the adjectives of a language compare in a graph; those that compare nothing too."""
    found = {}
    several = {language.plural(date) for date in language.asking.dates}
    lasting = language.schemas.lasting | _units_of_time(language)
    for scale in language.scales:
        dating = not set(language.asking.dates).isdisjoint(scale.of)
        places: list[tuple[int, str]] = []
        for relation in filter(lambda relation: relation.is_ordered, schema.relations):
            said = tokens(language.spelled(relation.text))
            of = takewhile(lambda word: word not in language.schemas.rates, said)
            # "Years of experience" are a number of them.
            some = [word for word in of if word not in several]
            words = [*map(language.singular, some)]
            if words and words[-1] in language.schemas.naming | language.schemas.sorts:
                continue  # an "area code" is no area
            if dating and not lasting.isdisjoint(words):
                continue
            for place, word in enumerate(scale.of):
                if word.removeprefix("-") in (*words, *some):
                    sign = "-" if word.startswith("-") else ""
                    places.append((place, sign + relation.id))
                    break
            else:
                long = not language.schemas.durations.isdisjoint(scale.of)
                if long and (language.schemas.say_how_long(words) or language.says_extent(words)):
                    places.append((len(scale.of), relation.id))
        if scale.high:
            found[scale.high[0]] = Adjective(tuple(id for _, id in sorted(places)))
    return found


def _units_of_time(language: Language) -> set[str]:
    """Words for how long something takes, as "seconds", which are no dates."""
    units = language.unit_of.items()
    timed = (said for said, unit in units if not language.schemas.durations.isdisjoint(unit.of))
    return {form for (word, *others) in timed if not others for form in language.forms(word)}


def _wider_words(schema: Schema, types: Mapping[str, TypeWords]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for wide, below in schema.subclasses.items():
        for word in dict.fromkeys(types[type].word for type in below if type in types):
            found[word] = (*found.get(word, ()), types[wide].word)
    return found


def _type_word(counts: Mapping[str, int], types: Mapping[str, TypeWords]) -> str | None:
    found = max((t for t in counts if t in types), key=lambda t: counts[t], default=None)
    return None if found is None else types[found].word
