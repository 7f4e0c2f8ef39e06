"""Formats of results, read back by another library, and the choice among them."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import BNode, Literal, URIRef
from rdflib.term import Identifier

from isomatch.serve.formats import CSV, JSON, TSV, XML, negotiate, write
from isomatch.serve.refusal import Refusal
from isomatch.serve.sparql import Solutions
from isomatch.store.terms import XSD

# What XML has; the rest is refused, see below.
TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff")
    | st.sampled_from("\t\n\r\"'\\<>&,;@^ ")
)
TERMS = st.one_of(
    st.none(),
    TEXT.map(Literal),
    TEXT.map(lambda text: Literal(text, lang="en")),
    TEXT.map(lambda text: Literal(text, datatype=URIRef("http://t.example/type"))),
    st.sampled_from(["1", "-7"]).map(lambda text: Literal(text, datatype=URIRef(XSD + "integer"))),
    st.sampled_from(["a", "b1"]).map(BNode),
    st.sampled_from(["http://t.example/a?b=1&c='2'", "urn:é"]).map(URIRef),
)
SPARQL = "{http://www.w3.org/2005/sparql-results#}"
READERS = {JSON: ox.QueryResultsFormat.JSON, TSV: ox.QueryResultsFormat.TSV}


def as_oxigraph(term: Identifier | None) -> Any:
    if term is None:
        return None
    if isinstance(term, URIRef):
        return ox.NamedNode(str(term))
    if isinstance(term, BNode):
        return ox.BlankNode(str(term))
    assert isinstance(term, Literal)
    if term.language:
        return ox.Literal(str(term), language=term.language)
    if term.datatype:
        return ox.Literal(str(term), datatype=ox.NamedNode(str(term.datatype)))
    return ox.Literal(str(term))


@pytest.mark.parametrize("media", list(READERS))
@given(rows=st.lists(st.tuples(TERMS, TERMS), max_size=5))
def test_another_library_reads_back_what_is_written(
    media: str, rows: list[tuple[Identifier | None, ...]]
) -> None:
    body, sent = write(Solutions(("a", "b"), rows), media)
    assert sent.partition(";")[0] == media
    read = ox.parse_query_results(body, format=READERS[media])
    assert isinstance(read, ox.QuerySolutions)
    assert [v.value for v in read.variables] == ["a", "b"]
    assert [(row[0], row[1]) for row in read] == [tuple(map(as_oxigraph, row)) for row in rows]


@given(rows=st.lists(st.tuples(TERMS, TERMS), max_size=5))
def test_xml_is_read_back(rows: list[tuple[Identifier | None, ...]]) -> None:
    # By an XML parser: pyoxigraph trims literals in XML, rdflib drops empty ones.
    body, _ = write(Solutions(("a", "b"), rows), XML)
    root = ElementTree.fromstring(body)
    assert [v.get("name") for v in root.iter(f"{SPARQL}variable")] == ["a", "b"]
    read = [
        {binding.get("name"): binding[0] for binding in result}
        for result in root.iter(f"{SPARQL}result")
    ]
    assert len(read) == len(rows)
    for found, row in zip(read, rows, strict=True):
        assert set(found) == {v for v, t in zip("ab", row, strict=True) if t is not None}
        for name, element in found.items():
            term = row["ab".index(name or "")]
            assert (element.text or "") == str(term)
            kind = "uri" if isinstance(term, URIRef) else "bnode"
            if isinstance(term, Literal):
                kind = "literal"
                assert element.get("datatype") == (str(term.datatype) if term.datatype else None)
                language = element.get("{http://www.w3.org/XML/1998/namespace}lang")
                assert language == term.language
            assert element.tag == SPARQL + kind


@given(rows=st.lists(st.tuples(TERMS, TERMS), max_size=5))
def test_csv_has_the_values(rows: list[tuple[Identifier | None, ...]]) -> None:
    body, _ = write(Solutions(("a", "b"), rows), CSV)
    read = list(csv.reader(io.StringIO(body.decode(), newline="")))
    expected = [
        ["" if t is None else f"_:{t}" if isinstance(t, BNode) else str(t) for t in row]
        for row in rows
    ]
    assert read == [["a", "b"], *expected]


@pytest.mark.parametrize("value", [True, False])
def test_an_ask_result_is_written_in_json_and_xml(value: bool) -> None:
    assert json.loads(write(value, JSON)[0])["boolean"] is value
    read = ox.parse_query_results(write(value, XML)[0], format=ox.QueryResultsFormat.XML)
    assert bool(read) is value


def test_a_control_character_has_no_form_in_xml() -> None:
    result = Solutions(("a",), [(Literal("bell \x07"),)])
    with pytest.raises(Refusal, match="ask for JSON") as raised:
        write(result, XML)
    assert raised.value.status == 406
    assert json.loads(write(result, JSON)[0])["results"]["bindings"][0]["a"]["value"] == "bell \x07"


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "a/x"),
        ("", "a/x"),
        ("*/*", "a/x"),
        ("b/*", "b/z"),
        ("a/y", "a/y"),
        ("A/Y ; Q=1", "a/y"),
        ("a/y, a/x", "a/x"),
        ("a/y, a/x;q=0.9", "a/y"),
        ("a/x;q=0, */*;q=0.1", "a/y"),  # what is named goes before what is ranged
        ("*/*;q=0.9, a/*;q=0.1", "b/z"),
        ("a/x;q=oops, b/z;q=0.1", "b/z"),
        ("c/c, b/z;level=1;q=0.3", "b/z"),
    ],
)
def test_the_best_accepted_type_is_chosen(accept: str | None, chosen: str) -> None:
    assert negotiate(accept, ["a/x", "a/y", "b/z"]) == chosen


@pytest.mark.parametrize("accept", ["c/c", "a/x;q=0", "*/*;q=0", "nonsense"])
def test_nothing_accepted_is_406(accept: str) -> None:
    with pytest.raises(Refusal) as raised:
        negotiate(accept, ["a/x"])
    assert raised.value.status == 406
