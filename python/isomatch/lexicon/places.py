"""Which places an adjective may be of: "European", "Spanish"; and what is brought to places."""

from __future__ import annotations

from isomatch.lexicon.folding import fold, tokens
from isomatch.lexicon.language import Language


def places_of(adjective: str, language: Language) -> list[str]:
    """The folded names of the places that a word may be an adjective of, in a fixed order.

    By its ending, and by the tables of peoples and of names that are the same.

    Example:
        >>> from isomatch.lexicon.language import default_language
        >>> "spain" in places_of("Spanish", default_language())
        True
    """
    form, endings = fold(adjective), language.endings
    stems = {form.removesuffix(end) for end in endings.demonyms if form.endswith(end)}
    names = {stem + rest for stem in stems for rest in ("", *endings.regions)}
    forms = {form, *map(fold, language.forms(adjective.lower()))}
    names |= {fold(p) for p, *said in language.peoples if not forms.isdisjoint(map(fold, said))}
    for same in language.same_names:
        if not names.isdisjoint(map(fold, same)):
            names.update(map(fold, same))
    return sorted(names)


def brought_to(name: str, language: Language) -> list[str]:
    """What else the name of a relation says of what is brought to a place; empty for any other.

    Example:
        >>> from isomatch.lexicon.language import default_language
        >>> brought_to("ship city", default_language())
        ['ship to']
    """
    verb, *place = tokens(name) or [""]
    brings = verb in language.schemas.ditransitive and bool(place) and language.says_place(place)
    return [f"{verb} {to}" for to in sorted(language.grammar.whither)] if brings else []
