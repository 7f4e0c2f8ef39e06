"""What a model's query may be: nothing that writes, reaches out or calls gets through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isomatch.errors import QueryRefused
from isomatch.evaluate.readonly import checked

CYPHER = [
    "MATCH (m:Movie)-[:DIRECTED_BY]->(p {name: 'Mann'}) RETURN DISTINCT m.title AS answer",
    "MATCH (m {title: 'DELETE; CREATE (n)'}) RETURN m.title AS answer",
    "MATCH (m:`SET`) RETURN m.title AS answer // CREATE (n)",
    "UNWIND [1, 2] AS x CALL (x) { MATCH (n {k: x}) RETURN n } RETURN n.name AS answer",
    "MATCH (n) WHERE n.date > date('2001-01-01') AND point.distance(n.a, n.b) > 1 "
    "RETURN toLower(n.name) AS answer",
    "OPTIONAL MATCH (n) WITH n ORDER BY n.x RETURN n.created AS answer",
]
NO_CYPHER = [
    "",
    "I cannot answer that.",
    "CREATE (n)",
    "MATCH (n) SET n.x = 1 RETURN n",
    "MATCH (n) set/**/n.x = 1",
    "MATCH (n) DETACH DELETE n",
    "MATCH (n) REMOVE n.x",
    "MERGE (n) RETURN n",
    "MATCH (n) INSERT (:X)",
    "LOAD CSV FROM 'http://evil/' AS x RETURN x",
    "CALL apoc.load.json('http://evil/') YIELD value RETURN value",
    "CALL db.labels()",
    "MATCH (n) CALL `apoc`.`load`.json('x') YIELD value RETURN value",
    "MATCH (n) RETURN apoc.text.join(n.names, ',') AS answer",
    "MATCH (n) RETURN `apoc`.`text`.join(n.names, ',') AS answer",
    "MATCH (n) FOREACH (x IN [1] | CREATE (:X))",
    "MATCH (n) RETURN n; MATCH (m) DELETE m",
    "USE other MATCH (n) RETURN n",
    "SHOW USERS",
    "DROP DATABASE neo4j",
    "EXPLAIN MATCH (n) RETURN n",
    "CYPHER 25 MATCH (n) RETURN n",
    "MATCH (n) CALL { CREATE (m) } IN TRANSACTIONS RETURN n",
    "MATCH (n {a: '\\u0027'}) RETURN n",  # becomes a quote before the server reads it
    "MATCH (n {a: 'x}) RETURN n",
    "MATCH (n) RETURN n" + " " * 3 + "x" * 10_000,
]
SPARQL = [
    'SELECT DISTINCT ?answer WHERE { ?f <http://e/by> ?answer . ?f <http://e/n> "INSERT DATA" }',
    "PREFIX e: <http://e/> SELECT ?answer { ?answer a e:Film # DELETE\n}",
    "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
    "SELECT ?answer { ?x ?load ?answer FILTER(xsd:integer(?answer) > 3 && ?answer < 9) }",
    'SELECT ?answer { ?x ^<urn:r:by>/<urn:r:n>+ ?answer FILTER(STR(?n) = "x"@en) }',
    "SELECT (COUNT(?x) AS ?answer) { { SELECT ?x { ?x ?p ?o } LIMIT 3 } }",
]
NO_SPARQL = [
    "",
    "ASK { ?s ?p ?o }",
    "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "DESCRIBE <http://e/x>",
    "INSERT DATA { <http://e/a> <http://e/b> <http://e/c> }",
    "DELETE WHERE { ?s ?p ?o }",
    "SELECT ?answer { ?s ?p ?answer } ; DROP ALL",
    "LOAD <http://evil/>",
    "CLEAR ALL",
    "SELECT ?answer { SERVICE <http://evil/> { ?s ?p ?answer } }",
    "SELECT ?answer FROM <http://evil/data> { ?s ?p ?answer }",
    "SELECT ?answer FROM NAMED <http://evil/data> { ?s ?p ?answer }",
    'DEFINE get:soft "replace" SELECT ?answer { ?s ?p ?answer }',
    "SELECT ?answer { ?s ?p ?x BIND(bif:file_to_string(?x) AS ?answer) }",
    "SELECT ?answer { ?s ?p ?x BIND(<java:java.lang.Runtime>(?x) AS ?answer) }",
    "SELECT ?answer { ?s ?p ?x BIND(<http://e/f>(?x) AS ?answer) }",
    "PREFIX f: <java:java.lang.> SELECT ?answer { ?s ?p ?answer }",
    "SELECT ?answer { ?s <file:///etc/passwd> ?answer }",
    "SELECT ?answer { ?s ?p 'x }",
    'SELECT ?answer { ?s ?p "\\u0022 } INSERT" }',
]


@pytest.mark.parametrize("text", CYPHER)
def test_cypher_that_reads(text):
    assert checked(text, "cypher") == f"{text}\nLIMIT 1000"


@pytest.mark.parametrize("text", NO_CYPHER)
def test_cypher_that_is_refused(text):
    with pytest.raises(QueryRefused, match="the model"):
        checked(text, "cypher")


@pytest.mark.parametrize("text", SPARQL)
def test_sparql_that_reads(text):
    assert checked(text, "sparql") == f"{text}\nLIMIT 1000"


@pytest.mark.parametrize("text", NO_SPARQL)
def test_sparql_that_is_refused(text):
    with pytest.raises(QueryRefused, match="the model"):
        checked(text, "sparql")


def test_a_limit_is_kept():
    assert checked("MATCH (n) RETURN n.x AS answer LIMIT 5;", "cypher").endswith("LIMIT 5")
    text = "SELECT ?answer { ?s ?p ?answer } limit 5 offset 2"
    assert checked(text, "sparql") == text


@given(st.sampled_from(["CREATE (x)", "SET n.x = 1", "DELETE n", "CALL a.b()"]), st.data())
def test_cypher_cannot_be_hidden_in_quotes_and_comments(clause, data):
    around = data.draw(st.lists(st.sampled_from(["'", '"', "`", "/*", "*/", "//", "\n", "\\"])))
    place = data.draw(st.integers(0, len(around)))
    text = f"MATCH (n) {''.join(around[:place])} {clause} {''.join(around[place:])} RETURN n"
    try:
        checked(text, "cypher")
    except QueryRefused:
        return
    # It passed, so all of the clause lies in a quotation, a quoted name or a comment.
    assert _outside(text).count(clause) == 0


def _outside(text: str) -> str:
    """The text outside of quotations and comments, letter by letter."""
    kept, closing, place = [], "", 0
    while place < len(text):
        if closing:
            if closing in "'\"" and text[place] == "\\":
                place += 2
            elif text.startswith(closing, place):
                place, closing = place + len(closing), ""
            else:
                place += 1
            continue
        ends = {"'": "'", '"': '"', "`": "`", "/*": "*/", "//": "\n"}
        begin = next((b for b in ends if text.startswith(b, place)), None)
        if begin is None:
            kept.append(text[place])
            place += 1
        else:
            closing, place = ends[begin], place + len(begin)
    return "".join(kept)
