"""Formats of results, read back by another library, and the choice among them."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode

from isomatch.serve.errors import RequestError
from isomatch.serve.sparql.results import CSV, JSON, TSV, XML, negotiate, write
from isomatch.store.terms import XSD

# What XML has; the rest is refused, see below.
TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff")
    | st.sampled_from("\t\n\r\"'\\<>&,;@^ ")
)
TERMS = st.one_of(
    st.none(),
    TEXT.map(Literal),
    TEXT.map(lambda text: Literal(text, language="en")),
    TEXT.map(lambda text: Literal(text, datatype=NamedNode("http://t.example/type"))),
    st.sampled_from(["1", "-7"]).map(
        lambda text: Literal(text, datatype=NamedNode(XSD + "integer"))
    ),
    st.sampled_from(["a", "b1"]).map(BlankNode),
    st.sampled_from(["http://t.example/a?b=1&c='2'", "urn:é"]).map(NamedNode),
)
STRING = XSD + "string"
SPARQL = "{http://www.w3.org/2005/sparql-results#}"
READERS = {JSON: ox.QueryResultsFormat.JSON, TSV: ox.QueryResultsFormat.TSV}


Term = BlankNode | Literal | NamedNode


def result(variables: tuple[str, ...], rows: list[tuple[Term | None, ...]]) -> bytes:
    """A result as the service evaluates it."""
    bindings = [
        {v: form(t) for v, t in zip(variables, row, strict=True) if t is not None} for row in rows
    ]
    return json.dumps({"head": {"vars": variables}, "results": {"bindings": bindings}}).encode()


def form(term: Term) -> dict[str, str]:
    if isinstance(term, NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, BlankNode):
        return {"type": "bnode", "value": term.value}
    if term.language:
        return {"type": "literal", "value": term.value, "xml:lang": term.language}
    return {"type": "literal", "value": term.value, "datatype": term.datatype.value}


@pytest.mark.parametrize("media", list(READERS))
@given(rows=st.lists(st.tuples(TERMS, TERMS), max_size=5))
def test_another_library_reads_back_what_is_written(
    media: str, rows: list[tuple[Term | None, ...]]
) -> None:
    body, sent = write(result(("a", "b"), rows), media)
    assert sent.partition(";")[0] == media
    read = ox.parse_query_results(body, format=READERS[media])
    assert isinstance(read, ox.QuerySolutions)
    assert [v.value for v in read.variables] == ["a", "b"]
    assert [(row[0], row[1]) for row in read] == rows


@given(rows=st.lists(st.tuples(TERMS, TERMS), max_size=5))
def test_xml_is_read_back(rows: list[tuple[Term | None, ...]]) -> None:
    # By an XML parser: pyoxigraph trims literals in XML, rdflib drops empty ones.
    body, _ = write(result(("a", "b"), rows), XML)
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
            assert term is not None
            assert (element.text or "") == term.value
            kind = "uri" if isinstance(term, NamedNode) else "bnode"
            if isinstance(term, Literal):
                kind = "literal"
                given = (term.datatype.value,) if term.datatype.value != STRING else (None, STRING)
                assert element.get("datatype") in (given if not term.language else (None,))
                language = element.get("{http://www.w3.org/XML/1998/namespace}lang")
                assert language == term.language
            assert element.tag == SPARQL + kind


@given(rows=st.lists(st.tuples(TERMS, TERMS), max_size=5))
def test_csv_has_the_values(rows: list[tuple[Term | None, ...]]) -> None:
    body, _ = write(result(("a", "b"), rows), CSV)
    read = list(csv.reader(io.StringIO(body.decode(), newline="")))
    expected = [
        ["" if t is None else str(t) if isinstance(t, BlankNode) else t.value for t in row]
        for row in rows
    ]
    assert read == [["a", "b"], *expected]


@pytest.mark.parametrize("value", [True, False])
def test_ask_is_written_as_json_and_xml(value: bool) -> None:
    boolean = json.dumps({"head": {}, "boolean": value}).encode()
    assert json.loads(write(boolean, JSON)[0])["boolean"] is value
    read = ox.parse_query_results(write(boolean, XML)[0], format=ox.QueryResultsFormat.XML)
    assert bool(read) is value


def test_a_control_character_has_no_form_in_xml() -> None:
    bell = result(("a",), [(Literal("bell \x07"),)])
    with pytest.raises(RequestError, match="ask for JSON") as raised:
        write(bell, XML)
    assert raised.value.status == 406
    assert json.loads(write(bell, JSON)[0])["results"]["bindings"][0]["a"]["value"] == "bell \x07"


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
    with pytest.raises(RequestError) as raised:
        negotiate(accept, ["a/x"])
    assert raised.value.status == 406
