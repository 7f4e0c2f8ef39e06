"""Which places an adjective may be of: "European", "Spanish"."""

from __future__ import annotations

from isomatch.lexicon.folding import fold
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
    names |= {fold(place) for place, *said in language.peoples if form in map(fold, said)}
    for same in language.same_names:
        if not names.isdisjoint(map(fold, same)):
            names.update(map(fold, same))
    return sorted(names)
