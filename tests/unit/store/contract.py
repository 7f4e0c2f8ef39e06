"""What every SPARQL store must do, as cases that take a function from Turtle to a store."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from isomatch.errors import StoreError
from isomatch.store.base import Fact, MatchedTriple, Query, Store
from isomatch.store.terms import XSD, literal

StoreOf = Callable[[str], Store]

TRICKY = [
    'a "quoted" name',
    "back\\slash",
    "new\nline\r\ttab",
    "שלום عالم",
    "🎬 film",
    "} UNION { ?s ?p ?o # ",
    "x" * 10_000,
]
PERCENT = "http://e/caf%C3%A9%20%7B%7D"


def rows(store: Store, text: str, *columns: str) -> list[tuple[str | None, ...]]:
    """All rows of a query."""
    return list(store.run(Query(text, columns, name="test")))


def rows_are_ids(store_of: StoreOf) -> None:
    """IRIs, texts, languages, numbers and dates, each in its one form."""
    store = store_of(
        f'<http://e/a> <http://e/p> <http://e/b>, <{PERCENT}>, <http://e/é>, "x", "x"@en, 5, 2.5, '
        f'"1999"^^<{XSD}gYear>, "1995-12-15"^^<{XSD}date>, "k"^^<http://e/kind> .'
    )
    found = {id for [id] in rows(store, "SELECT ?o { <http://e/a> <http://e/p> ?o }", "o")}
    assert found == {
        "http://e/b",
        PERCENT,
        "http://e/é",
        '"x"',
        '"x"@en',
        f'"5"^^<{XSD}integer>',
        f'"2.5"^^<{XSD}decimal>',
        f'"1999"^^<{XSD}gYear>',
        f'"1995-12-15"^^<{XSD}date>',
        '"k"^^<http://e/kind>',
    }


def columns_come_in_order(store_of: StoreOf) -> None:
    """As the query has them; what is unbound is None."""
    store = store_of("<http://e/a> <http://e/p> <http://e/b> .")
    text = "SELECT ?s ?x ?o { ?s <http://e/p> ?o OPTIONAL { ?o <http://e/p> ?x } }"
    assert rows(store, text, "o", "x", "s") == [("http://e/b", None, "http://e/a")]


def computed_numbers_are_lexical(store_of: StoreOf) -> None:
    """A count is "1"; a stored number is an id."""
    store = store_of("<http://e/a> <http://e/p> 5 .")
    assert rows(store, "SELECT (COUNT(*) AS ?n) { ?s <http://e/p> ?o }", "n") == [("1",)]
    assert rows(store, "SELECT ?o { ?s <http://e/p> ?o }", "o") == [(f'"5"^^<{XSD}integer>',)]


def ask_gives_one_row(store_of: StoreOf) -> None:
    """True or false."""
    store = store_of("<http://e/a> <http://e/p> <http://e/b> .")
    assert rows(store, "ASK { ?s <http://e/p> ?o }") == [("true",)]
    assert rows(store, "ASK { ?s <http://e/none> ?o }") == [("false",)]


def tricky_names_are_data(store_of: StoreOf) -> None:
    """Quotes, braces, scripts and length come back, and are found as parameters."""
    ids = [literal(name) for name in TRICKY]
    store = store_of("".join(f"<http://e/{i}> <http://e/p> {id} .\n" for i, id in enumerate(ids)))
    text = "SELECT ?s ?o { ?s <http://e/p> ?o }"
    assert set(rows(store, text, "s", "o")) == {(f"http://e/{i}", id) for i, id in enumerate(ids)}
    for i, id in enumerate(ids):
        found = list(store.run(Query(text, ("s",), {"o": id}, "test")))
        assert found == [(f"http://e/{i}",)], TRICKY[i]
    stored = store.facts([(f"http://e/{i}", "http://e/p", id) for i, id in enumerate(ids)])
    assert stored == [(Fact(True),)] * len(ids)


def facts_have_directions(store_of: StoreOf) -> None:
    """There, back, both, a loop, or not at all."""
    store = store_of(
        '<http://e/a> <http://e/p> <http://e/b>, "x", "x"@en, 5, true, <http://e/a> . '
        "<http://e/a> <http://e/p> <http://e/c> . "
        f"<http://e/c> <http://e/p> <http://e/a> . <http://e/a> <http://e/p> <{PERCENT}> ."
    )
    there, back = Fact(True), Fact(False)
    expected: dict[MatchedTriple, tuple[Fact, ...]] = {
        ("http://e/a", "http://e/p", "http://e/b"): (there,),
        ("http://e/b", "http://e/p", "http://e/a"): (back,),
        ("http://e/a", "http://e/p", '"x"'): (there,),
        ('"x"@en', "http://e/p", "http://e/a"): (back,),
        ("http://e/a", "http://e/p", '"x"@de'): (),
        ("http://e/a", "http://e/p", f'"5"^^<{XSD}integer>'): (there,),
        ("http://e/a", "http://e/p", f'"true"^^<{XSD}boolean>'): (there,),
        ("http://e/a", "http://e/p", PERCENT): (there,),
        ("http://e/c", "http://e/p", "http://e/a"): (there, back),
        ("http://e/a", "http://e/p", "http://e/a"): (there,),
        ("http://e/a", "http://e/q", "http://e/b"): (),
    }
    assert store.facts(list(expected)) == list(expected.values())


def ports_tell_relations_and_sides(store_of: StoreOf) -> None:
    """Of IRIs and of literals of every kind."""
    values = ['"x"', '"x"@en', f'"5"^^<{XSD}integer>', f'"true"^^<{XSD}boolean>', '"é"']
    store = store_of(f"<http://e/a> <http://e/p> <http://e/b>, {', '.join(values)} .")
    nodes = ["http://e/a", "http://e/b", "http://e/c", *values, '"none"']
    assert store.incidence(nodes, ["http://e/p", "http://e/q"]) == {
        ("http://e/a", "+http://e/p"),
        *((node, "-http://e/p") for node in ["http://e/b", *values]),
    }


def refusals_are_store_errors(store_of: StoreOf) -> None:
    """In the engine's words; and a column that is not selected is named."""
    store = store_of("<http://e/a> <http://e/p> <http://e/b> .")
    with pytest.raises(StoreError):
        rows(store, "SELECT {", "s")
    with pytest.raises(StoreError, match=r"column .?x"):
        rows(store, "SELECT ?s { ?s <http://e/p> ?o }", "x")


CASES = [
    rows_are_ids,
    columns_come_in_order,
    computed_numbers_are_lexical,
    ask_gives_one_row,
    tricky_names_are_data,
    facts_have_directions,
    ports_tell_relations_and_sides,
    refusals_are_store_errors,
]
