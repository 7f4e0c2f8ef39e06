"""The tables of a language with the forms of their words that endings tell."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from isomatch.lexicon.tables import phrases_of

_DEGREES = {
    "superlative": ("highest", "lowest"),
    "comparison": ("higher", "lower"),
    "gradable": ("high", "low"),
}


def inflected(table: dict[str, Any]) -> dict[str, Any]:
    """A table whose adjectives have all their endings, and are among its operators.

    Its nouns for those who do something are there for women, too.
    """
    table = _with_women(table)
    endings = str(_of_table(table, "endings").get("adjectives", "")).split()
    if not endings:
        return table
    operators = dict(_of_table(table, "operators"))
    scales = [dict(scale) for scale in table.get("scales", ())]
    for operator, degrees in _DEGREES.items():
        phrases = [" ".join(phrase) for phrase in phrases_of(operators.get(operator, ""))]
        for scale, degree in product(scales, degrees):
            words = str(scale.get(degree, "")).split()
            every = [*words, *(word + ending for word in words for ending in endings)]
            scale[degree] = " ".join(every)
            phrases += every
        operators[operator] = "|".join([*phrases, ""])
    return {**table, "operators": operators, "scales": scales}


def _with_women(table: dict[str, Any]) -> dict[str, Any]:
    """A table with a noun for a woman beside each for who does something: "Betreuerin"."""
    ending = str(_of_table(table, "endings").get("feminine", ""))
    schemas = _of_table(table, "schemas")
    men, nouns = dict(_of_table(schemas, "doers")), dict(_of_table(schemas, "nouns"))
    if not ending:
        return table
    women = {man: _woman(man, ending) for man in men}
    for man, woman in women.items():
        nouns[man] = "|".join(filter(None, (nouns.get(man), woman)))
        nouns[woman] = "|".join(filter(None, (nouns.get(woman), man)))
    doers = {**men, **{woman: men[man] for man, woman in women.items()}}
    return {**table, "schemas": {**schemas, "doers": doers, "nouns": nouns}}


def _woman(man: str, ending: str) -> str:
    """Who does something, as a woman: "Förderin", of "Förderer"."""
    return (man[:-2] if man.endswith("erer") else man) + ending


def _of_table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    inner = table.get(key, {})
    return inner if isinstance(inner, Mapping) else {}
