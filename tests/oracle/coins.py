"""Coins as nomisma.org describes them: years before Christ, aliases, names in four languages."""

from __future__ import annotations

from random import Random

COINS = 150
TYPES, RULERS, MINTS = 60, 24, 15
_HEAD = """\
@prefix : <http://coins.test/id/> .
@prefix nmo: <http://nomisma.org/ontology#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
_SOUNDS = ("ar", "bel", "cos", "dru", "eph", "gal", "hel", "ith", "kor", "lyd", "myr", "nax")
_ENDINGS = ("on", "ia", "os", "eum")
_IN = {"en": "of the sea", "de": "am Meer", "fr": "sur mer", "el": "της θάλασσας"}


def name(number: int) -> str:
    """A made-up name, another one for each number below 576."""
    first, rest = divmod(number % 144, 12)
    return (_SOUNDS[first] + _SOUNDS[rest] + _ENDINGS[number // 144]).capitalize()


def year(number: int) -> str:
    """A year as RDF has it: four digits, a minus sign before those before Christ."""
    return f'"{"-" if number < 0 else ""}{abs(number):04d}"^^xsd:gYear'


def coins(seed: int = 7) -> str:
    """Some 2,000 triples of Turtle; the same for one seed."""
    random = Random(seed)
    lines = [_HEAD]

    def thing(id: str, kind: str, number: int, *facts: str) -> None:
        called = name(number)
        labels = ", ".join(f'"{called} {word}"@{tag}' for tag, word in _IN.items())
        aliases = ", ".join(f'"{a}"@en' for a in (called[:3], f"Old {called}"))
        rest = "".join(f" ; {fact}" for fact in facts)
        lines.append(
            f":{id} a nmo:{kind} ; skos:prefLabel {labels} ; skos:altLabel {aliases}{rest} .\n"
        )

    for i in range(MINTS):
        thing(f"mint{i}", "Mint", i)
    for i in range(RULERS):
        dates = [
            f"nmo:reignedFrom {year(-330 + 17 * i)}",
            f"nmo:reignedUntil {year(-317 + 17 * i)}",
        ]
        thing(f"ruler{i}", "Ruler", 100 + i, *dates)
    for i in range(TYPES):
        facts = [
            f"nmo:hasAuthority :ruler{i % RULERS}",
            f"nmo:hasMint :mint{random.randrange(MINTS)}",
            f"nmo:hasStartDate {year(-60 + 2 * i)}",
            f"nmo:hasEndDate {year(-58 + 2 * i)}",
        ]
        thing(f"type{i}", "TypeSeriesItem", 200 + i, *facts)
    for i in range(COINS):
        lines.append(
            f":coin{i} a nmo:Coin ; nmo:hasTypeSeriesItem :type{random.randrange(TYPES)} ; "
            f'nmo:hasWeight "{random.randrange(20, 900) / 100}"^^xsd:decimal ; '
            f'nmo:hasCollection "Collection {i % 9}" .\n'
        )
    lines.append(f":mint0 nmo:founded {year(-1)}, {year(0)}, {year(1)}, {year(-10500)} .\n")
    return "".join(lines)
