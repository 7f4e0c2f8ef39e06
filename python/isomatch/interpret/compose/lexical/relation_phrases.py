"""The phrases for a relation: those of the lexicon, and those that its name and kinds tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from isomatch.interpret.compose.categories import Role
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.lexical.class_verbs import says_deed
from isomatch.interpret.compose.lexical.relation_words import WordForms
from isomatch.interpret.compose.lexical.states import undergone
from isomatch.interpret.compose.units import bare_names
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.places import brought_to
from isomatch.schema.types import Relation


def phrases_of(
    relation: Relation, kinds: GraphKinds, lexicon: Lexicon, forms: WordForms
) -> Iterator[tuple[Role, str]]:
    """What a relation is called, with the side of it that each phrase is for.

    Args:
        kinds: of the graph.
        lexicon: words of relations.
        forms: what may say a relation.
    """
    language, said = lexicon.language, lexicon.relations[relation.id]
    called = language.singular(relation.text.lower())
    verb = language.is_verb(relation.text) and not kinds.gives_value(relation.id)
    nouns, verbs = dict.fromkeys((called, *said.nouns)), list[str]()
    if verb and says_deed(relation, kinds):
        verbs = [noun for noun in said.nouns if _is_of_verb(noun, relation, lexicon)]
    yield from _by_doers(relation, nouns, kinds)
    if language.lemmas and not language.is_verb(relation.text):  # "Leiter von"
        yield from _each("forward", _deeds(said.inverse_nouns, language))
    yield from _each("forward", verbs)
    yield from _each("noun", [noun for noun in said.nouns if noun not in verbs])
    yield from _each("inverse noun", said.inverse_nouns)
    yield from _each("forward", (*said.forward, *brought_to(relation.text, language)))
    yield from _each("backward", said.backward)
    if relation.text.split()[-1] not in language.grammar.of:
        # "subclass of" is what the source is
        own = verb or relation.text in said.forward  # "reports to"
        names = dict.fromkeys((relation.text, language.spelled(relation.text)))
        yield from _each("forward" if own else "noun", names)
    if done := kinds.done.get(relation.id):
        yield from (("forward", f"{done} by"), ("backward", done))
    if done := kinds.done_by_sources.get(relation.id):
        yield from (("forward", done), ("backward", f"{done} by"))
    yield from _each("forward", undergone(relation.id, kinds))
    yield from kinds.record_roles.said(relation)
    yield from _each("noun", bare_names(relation, kinds))
    if kinds.gives_date(relation.id) and (dated := language.dated_verb(relation.text)):
        yield "forward", dated
    yield from _each("forward", forms.verbs_by_name(relation.id))
    for word in dict.fromkeys(tokens(f"{relation.text} {language.spelled(relation.text)}")):
        for form in sorted(language.forms(word)):
            yield from _each("number", language.numbers_of(form, relation.text))
            for total in language.schemas.totals.get(form, ()):
                if forms.classes.isdisjoint(language.noun_forms(total)):  # else these are counted
                    yield "number", total
            yield from _each("forward", language.schemas.verbs.get(form, ()))
            # A child is the target of "parent of", and the source of "parent".
            other: Role = "noun" if form in said.inverse_nouns else "inverse noun"
            inverses = (noun for noun in kinds.inverses(form, relation) if noun not in said.nouns)
            yield from _each(other, inverses)


def _each(role: Role, phrases: Iterable[str]) -> Iterator[tuple[Role, str]]:
    return ((role, phrase) for phrase in phrases)


def _deeds(nouns: Iterable[str], language: Language) -> list[str]:
    """The verbs of the table for what those do whom some nouns are for."""
    return [*dict.fromkeys(v for noun in nouns for v in language.schemas.doers.get(noun, ()))]


def _is_of_verb(noun: str, relation: Relation, lexicon: Lexicon) -> bool:
    """Whether a noun of a verb is a form of it, or its object: "train", and no "trainee"."""
    verb, *objects = tokens(relation.text)
    forms = lexicon.language.forms
    return bool(objects) or any(forms(verb) & forms(word) for word in tokens(noun)[:1])


def _by_doers(
    relation: Relation, nouns: Iterable[str], kinds: GraphKinds
) -> Iterator[tuple[Role, str]]:
    """The verbs for what those do whom a noun is for: who "probed" it, of "investigated by"."""
    language = kinds.language
    does = _deeds(nouns, language)
    itself = kinds.does(relation.id) and not kinds.is_told(relation)  # "mentors", of its own kind
    yield from _each("forward" if itself else "backward", does)
    if language.is_passive(relation.text):
        yield from _each("forward", [f"{v} by" for v in does if language.is_participle(v)])
