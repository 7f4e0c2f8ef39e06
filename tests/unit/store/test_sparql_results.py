"""Answers in every format, torn anywhere, give the rows that the embedded store gives."""

from __future__ import annotations

import io
import json
import re
from typing import Any
from urllib.parse import urlencode

import pyoxigraph as ox
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from isomatch.store.base import Query
from isomatch.store.cells import whole_year
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdf import is_odd
from isomatch.store.sparql import json_results, results
from isomatch.store.sparql.http_client import form_of
from isomatch.store.sparql.json_results import NotResults, read_json
from isomatch.store.terms import XSD, literal, to_sparql

IRIS = st.sampled_from(["http://e/a", "urn:x:b", "http://e/%7B%7D#c", "http://é.e/ü?q=1&r=2"])
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8) | st.sampled_from(
    ['a"b', "back\\slash", "tab\tnew\nline\r", "http://looks/like", "_:b0", "é\u2028\U0001f600"]
)
TERMS = st.one_of(
    IRIS.map(ox.NamedNode),
    st.from_regex(r"[a-z][a-z0-9]{0,5}", fullmatch=True).map(ox.BlankNode),
    TEXTS.map(ox.Literal),
    st.builds(lambda t: ox.Literal(t, language="en-gb"), TEXTS),
    st.builds(lambda t: ox.Literal(t, datatype=ox.NamedNode("http://e/dt")), TEXTS),
    st.integers().map(ox.Literal),
    st.booleans().map(ox.Literal),
)
TABLES = st.lists(st.tuples(TERMS, st.none() | TERMS), max_size=12)
QUERY = Query("SELECT ?a ?b WHERE {}", ("a", "b"))
FORMATS = {
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
    "tsv": ox.QueryResultsFormat.TSV,
}


class Torn(io.BytesIO):
    """Gives a few bytes at a time, whatever is asked for."""

    def __init__(self, body: bytes, size: int):
        super().__init__(body)
        self.size = size

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self.size)


def written(table: list[Any], format: ox.QueryResultsFormat) -> tuple[bytes, list[Any]]:
    """An engine's answer with these rows, and the rows as the embedded store has them."""
    graph = ox.Store()
    rows = ox.NamedNode("urn:row")
    for number, (a, b) in enumerate(table):
        row = ox.NamedNode(f"urn:{number:04}")
        graph.add(ox.Quad(row, ox.NamedNode("urn:a"), a))
        graph.add(ox.Quad(row, rows, row))
        if b is not None:
            graph.add(ox.Quad(row, ox.NamedNode("urn:b"), b))
    text = (
        "SELECT ?a ?b WHERE { ?r <urn:row> ?r ; <urn:a> ?a OPTIONAL { ?r <urn:b> ?b } } ORDER BY ?r"
    )
    body = graph.query(text).serialize(format=format)  # type: ignore[union-attr]
    assert body is not None
    return body, list(OxigraphStore.memory(graph).run(Query(text, ("a", "b"))))


@pytest.mark.parametrize("format", list(FORMATS))
@given(table=TABLES, size=st.integers(1, 400))
def test_every_format_has_the_rows_of_the_embedded_store(
    format: str, table: list[Any], size: int
) -> None:
    body, expected = written(table, FORMATS[format])
    assert results.read(QUERY, format, Torn(body, size)) == expected


@given(table=TABLES, size=st.integers(1, 100), share=st.floats(0, 0.9999))
def test_json_that_is_cut_anywhere_is_no_answer(table: list[Any], size: int, share: float) -> None:
    body, _ = written(table, ox.QueryResultsFormat.JSON)
    with pytest.raises(NotResults) as failed:
        results.read(QUERY, "json", Torn(body[: int(len(body) * share)], size))
    assert failed.value.ended or "UTF-8" in str(failed.value)


SMALL = [(ox.NamedNode("http://e/a"), ox.Literal(" ü ", language="de")), (ox.BlankNode("b"), None)]


@pytest.mark.parametrize("format", ["json", "xml"])
@pytest.mark.parametrize("pretty", [False, True])
def test_an_answer_that_is_cut_at_any_byte_is_none(format: str, pretty: bool) -> None:
    body, expected = written(SMALL, FORMATS[format])
    if pretty:
        body = body.replace(b"><", b">\n <").replace(b"},{", b"},\n {") + b"\n"
    assert results.read(QUERY, format, io.BytesIO(body)) == expected
    for size in range(len(body.rstrip())):
        with pytest.raises(NotResults) as failed:
            results.read(QUERY, format, io.BytesIO(body[:size]))
        assert failed.value.ended, body[:size]


@pytest.mark.parametrize("text", [" x", "x ", "\n x\t", " ", "", "a\n b", "&<>]]>"])
def test_white_space_of_literals_is_kept(text: str) -> None:
    for format in FORMATS:
        body, expected = written([(ox.Literal(text), None)], FORMATS[format])
        assert results.read(QUERY, format, Torn(body, 5)) == expected


def xml(inner: str, before: str = "") -> io.BytesIO:
    return io.BytesIO(
        f"""<?xml version="1.0"?>{before}<s:sparql xmlns:s="http://www.w3.org/2005/sparql-results#">
        <s:head><s:variable name="a"/><s:variable name="b"/><s:link href="x"/></s:head>
        {inner}</s:sparql>""".encode()
    )


def test_xml_with_prefixes_and_white_space_between() -> None:
    row = """<s:results><!-- none --><s:result>
      <s:binding name="b"> <s:uri>\n http://e/a\n</s:uri> </s:binding>
      <s:binding name="a"><s:literal xml:lang="en"> <![CDATA[<b>]]> &amp;</s:literal></s:binding>
    </s:result></s:results>"""
    assert results.read(QUERY, "xml", xml(row)) == [('" <b> &"@en', "http://e/a")]
    yes = "<s:boolean> true </s:boolean>"
    assert results.read(Query("ASK {}", ()), "xml", xml(yes)) == [("true",)]


@pytest.mark.parametrize(
    ("inner", "before", "said"),
    [
        ("<s:results/>", '<!DOCTYPE s [<!ENTITY e "e">]>', "document type"),
        ("<s:results/>", "<!DOCTYPE html>", "document type"),
        ("&e;", "", "undefined entity"),
        ("", "", "neither results nor a boolean"),
        ("<s:boolean>perhaps</s:boolean>", "", "boolean"),
        ("<s:results><s:result><s:binding name='a'/></s:result></s:results>", "", "another form"),
        (
            "<s:results><s:result><s:binding name='a'><b/></s:binding></s:result></s:results>",
            "",
            "the type",
        ),
    ],
)
def test_xml_of_another_form_is_refused(inner: str, before: str, said: str) -> None:
    with pytest.raises(NotResults, match=said) as failed:
        results.read(QUERY, "xml", xml(inner, before))
    assert not failed.value.ended


@given(
    st.binary(max_size=200) | st.text(max_size=200).map(str.encode),
    st.sampled_from([*FORMATS, "csv"]),
)
def test_nonsense_is_refused_and_nothing_else(body: bytes, format: str) -> None:
    query = Query("SELECT ?a WHERE {}", ("a",))
    try:
        rows = results.read(query, format, Torn(body, 7))
    except NotResults:
        return
    assert rows in ([("true",)], [("false",)]) or body.strip().startswith((b"a", b'"a"', b"?a"))


def test_json_in_another_order_with_more_in_it() -> None:
    body = json.dumps(
        {
            "meta": {"took": 1.5, "deep": [[{}]]},
            "results": {
                "distinct": False,
                "bindings": [{"a": {"type": "uri", "value": "http://e/a"}}, {}],
                "ordered": True,
            },
            "head": {"link": [], "vars": ["b", "a"]},
            "warnings": [],
        }
    ).encode()
    for size in (1, 3, 1000):
        assert results.read(QUERY, "json", Torn(body, size)) == [("http://e/a", None), (None, None)]


def test_what_virtuoso_writes_is_read() -> None:
    body = b"""
{ "head": { "link": [], "vars": ["a", "b"] },
  "results": { "distinct": false, "ordered": true, "bindings": [
    { "a": { "type": "bnode", "value": "nodeID://b10005" }\t,
      "b": { "type": "typed-literal",
             "datatype": "http://www.w3.org/2001/XMLSchema#integer", "value": "12" }} ] } }"""
    [row] = results.read(QUERY, "json", io.BytesIO(body))
    assert row == ("_:b10005", f'"12"^^<{XSD}integer>')


def test_what_a_query_computes_comes_as_it_is_written() -> None:
    query = Query("SELECT (COUNT(*) AS ?a) ?b WHERE {}", ("a", "b"))
    number = {"type": "literal", "value": "12", "datatype": XSD + "integer"}
    body = {"head": {"vars": ["a", "b"]}, "results": {"bindings": [{"a": number, "b": number}]}}
    [row] = results.read(query, "json", io.BytesIO(json.dumps(body).encode()))
    assert row == ("12", f'"12"^^<{XSD}integer>')


def test_a_quoted_triple_is_told_by_its_parts() -> None:
    def uri(name: str) -> dict[str, str]:
        return {"type": "uri", "value": f"http://e/{name}"}

    value = {
        "subject": uri("s"),
        "predicate": uri("p"),
        "object": {"type": "literal", "value": "o"},
    }
    row = {"a": {"type": "triple", "value": value}}
    body = {"head": {"vars": ["a", "b"]}, "results": {"bindings": [row]}}
    read = results.read(QUERY, "json", io.BytesIO(json.dumps(body).encode()))
    assert read == [('<< <http://e/s> <http://e/p> "o" >>', None)]


@pytest.mark.parametrize("iri", ["http://e/a b", "http://e/a>b", "relative", "", "_:b", "a\nb:c"])
def test_an_iri_that_no_query_can_write_is_a_node_without_a_name(iri: str) -> None:
    rows = [{"a": {"type": "uri", "value": value}} for value in (iri, "http://e/a")]
    body = {"head": {"vars": ["a", "b"]}, "results": {"bindings": rows}}
    found = results.read(QUERY, "json", io.BytesIO(json.dumps(body).encode()))
    assert found == [(f"_:<{iri}>", None), ("http://e/a", None)]
    with pytest.raises(ValueError, match="cannot name"):
        to_sparql(f"_:<{iri}>")


@pytest.mark.parametrize(
    ("term", "id"),
    [
        ({"type": "literal", "value": "a", "xml:lang": "en us"}, '_:"a"@en us'),
        ({"type": "literal", "value": "a", "xml:lang": "en> . <x"}, '_:"a"@en> . <x'),
        ({"type": "literal", "value": "a", "datatype": "urn:a b"}, '_:"a"^^<urn:a b>'),
        ({"type": "literal", "value": "a", "datatype": "date"}, '_:"a"^^<date>'),
        ({"type": "literal", "value": "a", "xml:lang": "\ud800"}, '_:"a"@\ufffd'),
        ({"type": "literal", "value": "a", "datatype": "u:\ud800"}, '_:"a"^^<u:\ufffd>'),
        ({"type": "literal", "value": "a\ud800"}, '_:"a\ufffd"'),
        ({"type": "uri", "value": "urn:\udfff"}, "_:<urn:\ufffd>"),
        ({"type": "bnode", "value": "a b>"}, "_:a%20b%3E"),
        ({"type": "bnode", "value": "node1h:x.9-ü"}, "_:node1h:x.9-ü"),
        ({"type": "literal", "value": "\U0001f600", "xml:lang": "de-CH"}, '"\U0001f600"@de-CH'),
    ],
)
def test_what_no_query_can_write_has_no_name(term: dict[str, str], id: str) -> None:
    body = {"head": {"vars": ["a", "b"]}, "results": {"bindings": [{"a": term}]}}
    [(found, _)] = results.read(QUERY, "json", io.BytesIO(json.dumps(body).encode()))
    assert found == id
    assert found is not None
    assert found.encode()  # no half of a character
    if id.startswith("_:"):
        with pytest.raises(ValueError, match="cannot name"):
            to_sparql(found)


@pytest.mark.parametrize("term", [{"type": "uri", "value": 1}, {"type": "literal"}, [], "a", None])
def test_a_term_of_another_form_is_refused(term: Any) -> None:
    body = {"head": {"vars": ["a", "b"]}, "results": {"bindings": [{"a": term}]}}
    with pytest.raises(NotResults, match="another form"):
        results.read(QUERY, "json", io.BytesIO(json.dumps(body).encode()))


def test_csv_knows_iris_by_their_look_and_nothing_else() -> None:
    body = b'a,b\r\nhttp://e/a,"two\r\nlines, ""quoted"""\r\n_:b0,\r\nurn:x y,12\r\n'
    assert results.read(QUERY, "csv", Torn(body, 3)) == [
        ("http://e/a", '"two\\r\\nlines, \\"quoted\\""'),
        ("_:b0", None),
        ('"urn:x y"', '"12"'),
    ]


def test_a_long_answer_gives_a_row_before_the_next_one_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(json_results, "_SHORT", 500)
    body, _ = written([(ox.Literal(i), None) for i in range(1000)], ox.QueryResultsFormat.JSON)
    source = Torn(body, 100)
    ahead = []
    read_json(source, lambda _: ahead.append(source.tell()))
    assert len(ahead) == 1000
    assert ahead[0] < 1000 < ahead[-1] <= len(body)


PIECES = [
    b'{"head":{"vars":["a","b"]},',
    b'"results":{"bindings":[',
    b'{"a":{"type":"uri","value":"urn:a"}}',
    b'{"b":{"type":"literal","value":"\\"bindings\\"","xml:lang":"en"}}',
    b'"boolean":true',
    *(b'"bindings":[]', b'"results":{}', b'"results"', b'"head":[]', b"[]", b"{}", b"\xff", b"12"),
    *(b",", b"]", b"}", b"]}}", b" ", b"\xef\xbb\xbf"),
]
BODIES = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=9).map(b"".join),
    # A good answer, with one piece in a place where it does not belong, or cut.
    st.tuples(st.integers(0, 140), st.sampled_from([b"", *PIECES]), st.integers(0, 3)).map(
        lambda edit: GOOD[: edit[0]] + edit[1] + GOOD[edit[0] + edit[2] :]
    ),
    st.integers(0, 140).map(lambda end: GOOD[:end]),
)
GOOD = (
    b'{"head":{"vars":["a","b"]},"results":{"bindings":[{"a":{"type":"uri","value":"urn:a"}},'
    b'{"b":{"type":"literal","value":"x"}}]}}'
)


@given(BODIES)
@example(GOOD)
@example(GOOD[:-1] + b',"boolean":true}')
@example(b'{"results":{"bindings":[],"bindings":[{"a":{"type":"uri","value":"urn:a"}}]}}')
def test_an_answer_parsed_at_once_is_that_read_row_by_row(body: bytes) -> None:
    def outcome(short: int) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_results, "_SHORT", short)
            try:
                return results.read(QUERY, "json", Torn(body, 7))
            except NotResults:
                return "refused"  # in words of where the text was torn

    assert outcome(1 << 20) == outcome(0)


@given(st.text(max_size=60))
@example("a%b+c d&e=%20\n~é/")
@example('SELECT ?x WHERE { ?x <urn:p> "%" }')
def test_a_query_is_quoted_as_urllib_does(text: str) -> None:
    assert form_of([("query", text), ("timeout", "5")]) == urlencode(
        [("query", text), ("timeout", "5")]
    )


# The grammar of SPARQL 1.1 (productions 139, 145, 156 and 160), less what needs no escape.
IRIREF = r'<[^<>"{}|^`\\\x00-\x20]*>'
TERM = re.compile(
    rf"""{IRIREF}|"(?:[^"\\\n\r]|\\[tbnrf"'\\])*"(?:@[a-zA-Z]+(?:-[a-zA-Z0-9]+)*|\^\^{IRIREF})?"""
)


@given(st.text(max_size=30))
def test_a_text_becomes_one_term_or_is_refused(text: str) -> None:
    for id in (text, f"http://e/{text}", f'"{text}"', f'"a"^^<{text}>', f'"a"@{text}', f"_:{text}"):
        try:
            term = to_sparql(id)
        except ValueError:
            continue
        assert TERM.fullmatch(term), term


@given(TEXTS)
def test_a_literal_comes_back_as_it_was(text: str) -> None:
    query = f"SELECT ?x WHERE {{ VALUES ?x {{ {to_sparql(literal(text))} }} }}"
    [[value]] = ox.Store().query(query)  # type: ignore[misc]
    assert value == ox.Literal(text)


@pytest.mark.parametrize("injected", ["}", "#", ">", "<", '"', "\\", "\n", " ", "{", "|", "^", "`"])
@pytest.mark.parametrize("before", ["http://e/", "http://e/a#b", "urn:"])
def test_an_injected_character_is_refused_or_stays_in_the_iri(before: str, injected: str) -> None:
    id = f"{before}{injected} DROP ALL"
    with pytest.raises(ValueError, match="not an IRI"):
        to_sparql(id)
    alone = f"{before}{injected}x"
    if injected == "#":
        assert to_sparql(alone) == f"<{alone}>"
    else:
        with pytest.raises(ValueError, match="not an IRI"):
            to_sparql(alone)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (f'"-050"^^<{XSD}gYear>', f'"-0050"^^<{XSD}gYear>'),
        (f'"-5-03-15"^^<{XSD}date>', f'"-0005-03-15"^^<{XSD}date>'),
        (f'"-10500"^^<{XSD}gYear>', f'"-10500"^^<{XSD}gYear>'),
        (f'"-050"^^<{XSD}integer>', f'"-050"^^<{XSD}integer>'),
        ('"-050"', '"-050"'),
    ],
)
def test_a_year_that_virtuoso_writes_with_three_digits_has_four(written: str, meant: str) -> None:
    assert whole_year(written) == meant


@pytest.mark.parametrize(
    ("value", "type", "odd"),
    [
        ("x", "integer", True),
        ("1.5e3", "double", False),
        ("NaN", "double", True),
        ("12:00:00", "time", True),
        ("0000", "gYear", True),
        ("-0001-03-15", "date", True),
        ("-0050-03-15", "date", False),
        ("2001-13-45", "date", True),
        ("2001-02-03T10:00:00.5+02:00", "dateTime", False),
        ("yes", "boolean", True),
        ("anything", "string", False),
    ],
)
def test_a_value_that_virtuoso_refuses_as_a_constant_is_odd(
    value: str, type: str, odd: bool
) -> None:
    assert is_odd(literal(value, datatype=XSD + type)) is odd


class _Endless(io.RawIOBase):
    """A body whose last rows come again and again."""

    def __init__(self, head: bytes, row: bytes):
        self.left, self.row, self.given = head, row, 0

    def read(self, size: int = -1) -> bytes:
        while len(self.left) < size:
            self.left += self.row
        given, self.left = self.left[:size], self.left[size:]
        self.given += size
        assert self.given < 1 << 22, "it is read on and on"
        return given


@pytest.mark.parametrize(
    ("format", "head", "row"),
    [
        ("json", b'{"head":{"vars":["a"]},"results":{"bindings":[{}', b",{}"),
        ("xml", b'<sparql><head><variable name="a"/></head><results>', b"<result></result>"),
        ("tsv", b"?a\n", b"<u:a>\n"),
        ("csv", b"a\n", b"u:a\n"),
    ],
)  # fmt: skip
def test_rows_beyond_the_limit_of_a_query_are_not_read(
    format: str, head: bytes, row: bytes
) -> None:
    query = Query("SELECT ?a { ?a ?p ?o } LIMIT 3", ("a",))
    assert len(results.read(query, format, _Endless(head, row), 3)) == 3


@pytest.mark.parametrize("format", ["json", "xml"])
def test_triples_nested_without_end_are_no_results(format: str) -> None:
    xml, form = "<uri>u:a</uri>", '{"type":"uri","value":"u:a"}'
    for _ in range(3000):
        xml = (
            f"<triple><subject>{xml}</subject><predicate><uri>u:p</uri></predicate>"
            "<object><uri>u:o</uri></object></triple>"
        )
        form = f'{{"type":"triple","value":{{"subject":{form},"predicate":null}}}}'
    body = {
        "json": f'{{"head":{{"vars":["a"]}},"results":{{"bindings":[{{"a":{form}}}]}}}}',
        "xml": '<sparql><head><variable name="a"/></head><results><result><binding name="a">'
        f"{xml}</binding></result></results></sparql>",
    }[format]
    with pytest.raises(NotResults, match="nested too deep"):
        results.read(Query("SELECT ?a {}", ("a",)), format, io.BytesIO(body.encode()))
