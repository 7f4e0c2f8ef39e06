"""`queries/README.md`: what every template is for, with a rendered example.

`python -m tests.docs.queries_page` writes it. What a template is for is its first
comment. Its example is rendered here: of values by the names that templates give them
(`SAMPLES`), of others where they mean something else in one (`OWN`), or by the dialect
where it has more to do than to pass values on (`BY_DIALECT`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from jinja2 import meta
from tests.unit.compile import test_golden_cypher as golden

from isomatch.compile.base import Asked, Dialect, Part, Terms
from isomatch.compile.cypher import CypherDialect
from isomatch.compile.dialects import dialect_for
from isomatch.compile.pasteable import Seen, pasteable
from isomatch.compile.readable import shortened
from isomatch.compile.sparql import SparqlDialect
from isomatch.options import Options
from isomatch.pattern.columns import column_names
from isomatch.pattern.text import parse_text
from isomatch.plan.structure import Structure
from isomatch.schema.naming import FORMS
from isomatch.store import rdf
from isomatch.store.base import Query
from isomatch.store.capabilities import StoreCapabilities
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL, SAME_AS, literal

QUERIES = Path(__file__).resolve().parents[2] / "queries"
PAGE = QUERIES / "README.md"
COMMAND = "python -m tests.docs.queries_page"

HEAD = f"""\
# The queries

Every query that isomatch sends is rendered from a template in this folder, and from nothing
else. An id enters a text through one escaping filter (`term` in SPARQL, `name` in Cypher);
what varies from search to search is a parameter where the database takes some. Templates
that end in `.j2` alone are parts of others.

The examples are about *Heat* and Michael Mann; those in SPARQL have prefixed names here, to
be read. `isomatch explain --query` prints one of your own pattern. This page is written by
`{COMMAND}`.
"""

DBO, DBR = "http://dbpedia.org/ontology/", "http://dbpedia.org/resource/"
DIRECTOR, STARRING, FILM, PERSON = (
    DBO + name for name in ("director", "starring", "Film", "Person")
)
HEAT, MANN, PACINO = (DBR + name for name in ("Heat", "Michael_Mann", "Al_Pacino"))
TERMS = Terms(RDF_TYPE, (RDF_TYPE, RDFS_LABEL))
VOID = "http://rdfs.org/ns/void#"

HOPS = '("Heat")-[director]->(?who)<-[director]-(?other:film)'
CHAIN = {
    "known": [("n0", [HEAT]), ("n2", [PACINO])],
    "edges": [("n0", DIRECTOR, "n1"), ("n1", STARRING, "n2")],
    "apart": [("n0", "n2")],
}

SAMPLES: dict[str, Any] = {
    "back": False,
    "begins": "",
    "by": literal("isomatch"),
    "excluded": [RDF_TYPE, RDFS_LABEL],
    "hidden": False,
    "ids": [HEAT, MANN],
    "limit": 1000,
    "name": literal("films of a director"),
    "nodes": [HEAT, MANN],
    "end": "source",
    "counted": True,
    "part": literal("a"),
    "predicates": [RDFS_LABEL],
    "qualifiers": "",
    "relation": DIRECTOR,
    "relations": [DIRECTOR, STARRING],
    "rows": 10_001,
    "type_relation": RDF_TYPE,
    "types": [FILM, PERSON],
    "unsearched": (),
}

OWN: dict[str, dict[str, Any]] = {
    "cypher/store/keyed.cypher.j2": {"labels": [":Movie", ":Show"], "key": ".imdbId"},
    "sparql/migrate/forget.ru.j2": {"record": "urn:isomatch:kept:migrations/1"},
    "sparql/migrate/record.ru.j2": {
        "record": "urn:isomatch:kept:migrations/1",
        "version": literal("1"),
        "name": literal("saved patterns"),
        "checksum": literal("9f86d081"),
    },
    "sparql/same_as.rq.j2": {"same_as": SAME_AS},
    "sparql/schema/kinds.rq.j2": {"most": 12_000_000, "part": None},
    "sparql/schema/nodes.rq.j2": {"some": (), "named": ()},
    "sparql/saved/kept.rq.j2": {"graph": "urn:isomatch:patterns"},
    "sparql/saved/write.ru.j2": {
        "saved": "urn:isomatch:kept:patterns/films%20of%20a%20director",
        "pattern": literal('(?film)-[director]-("Michael Mann")'),
        "note": None,
    },
    "sparql/neighbourhood/degrees.rq.j2": {"nodes": [(0, HEAT), (1, MANN)], "values": []},
    "sparql/neighbourhood/types.rq.j2": {"nodes": [(0, HEAT), (1, MANN)]},
    "sparql/neighbourhood/facts.rq.j2": {
        "nodes": [(0, HEAT), (1, MANN)],
        "values": [],
        "limit": None,
    },
    "sparql/schema/datatypes.rq.j2": {"predicates": [DBO + "runtime"], "limit": None},
    "sparql/schema/declared.rq.j2": {
        "classes": ["http://www.w3.org/2002/07/owl#ObjectProperty"],
    },
    "sparql/schema/direct_claims.rq.j2": {"claim": "http://wikiba.se/ontology#directClaim"},
    "sparql/schema/domains.rq.j2": {
        "predicates": [DIRECTOR],
        "domain": "http://www.w3.org/2000/01/rdf-schema#domain",
        "range": "http://www.w3.org/2000/01/rdf-schema#range",
    },
    "sparql/schema/ends.rq.j2": {"predicates": [DIRECTOR], "end": "source", "limit": None},
    "sparql/schema/languages.rq.j2": {"limit": None},
    "sparql/schema/nodes_of.rq.j2": {"predicates": [DIRECTOR], "types": (), "qualifiers": ()},
    "sparql/schema/objects.rq.j2": {"predicates": [DIRECTOR], "limit": None},
    "sparql/schema/partitions.rq.j2": {
        "partition": VOID + "propertyPartition",
        "of": VOID + "property",
        "size": VOID + "triples",
    },
    "sparql/schema/ports.rq.j2": {},
    "sparql/schema/sizes.rq.j2": {"ids": [DIRECTOR], "type_relation": None},
    "sparql/schema/subjects.rq.j2": {"predicates": [DIRECTOR], "limit": None},
    "sparql/schema/superclasses.rq.j2": {
        "classes": [FILM, PERSON],
        "relation": "http://www.w3.org/2000/01/rdf-schema#subClassOf",
    },
    "sparql/store/along.rq.j2": {
        "names": ("i", "x"),
        "first": "SELECT ?i WHERE { VALUES ?i { 0 } }",
        "second": "SELECT ?x WHERE { ?x ?p ?o } LIMIT 1",
    },
    "sparql/store/blank.rq.j2": {"out": True, "pairs": [(HEAT, DIRECTOR)]},
    "sparql/store/block.rq.j2": {"size": 2},
    "sparql/store/count.rq.j2": {
        "prologue": "",
        "body": "SELECT ?n0 WHERE { ?n0 <http://dbpedia.org/ontology/director> ?n1 }",
    },
    "sparql/store/page.rq.j2": {
        "prologue": "",
        "body": "SELECT ?n0 WHERE { ?n0 <http://dbpedia.org/ontology/director> ?n1 }",
        "nested": True,
        "offset": 10_000,
        "limit": 10_000,
        "variables": ["n0"],
    },
    "sparql/store/rows.rq.j2": {"rows": 2},
    "sparql/store/written.rq.j2": {
        "prologue": "",
        "body": "SELECT ?n0 WHERE { ?n0 <http://dbpedia.org/ontology/director> ?n1 }",
        "variables": ["n0"],
    },
    "sparql/store/rows_of_data.rq.j2": {"rows": 2, "after": 0},
    "sparql/store/stored.rq.j2": {"union": False, "triples": [(HEAT, DIRECTOR, MANN)]},
    "sparql/store/values.rq.j2": {"parameters": {"n0": HEAT}},
    "sparql/text/equal.rq.j2": {"limit": 50, "names": [literal("Michael Mann", language="en")]},
    "sparql/text/search.rq.j2": {
        "asked": [SimpleNamespace(number=0, words=[literal("michael mann")], names=[], values=[])],
        "index": None,
        "kind": "jena",
        "languages": ["en"],
        "limit": 16,
    },
    "cypher/advise/grants.cypher.j2": {"database": ":neo4j", "procedures": ["db.labels"]},
    "cypher/advise/indexes.cypher.j2": {
        "location": "neo4j",
        "names": [],
        "facts": [{"type": ":Movie", "property": ".released", "nodes": 38_000}],
        "lists": "",
        "long": "",
        "unique": [],
        "small": "",
        "least": 1000,
    },
    "cypher/neighbourhood/facts.cypher.j2": {"limited": False},
    "cypher/neighbourhood/facts_of_values.cypher.j2": {
        "places": [{"label": ":Movie", "key": ".released", "number": 0, "listed": False}],
    },
    "cypher/schema/counts.cypher.j2": {"labels": [(0, ":Movie")], "types": [(0, ":DIRECTED")]},
    "cypher/schema/degrees.cypher.j2": {"end": "source", "nodes": False},
    "cypher/schema/ends.cypher.j2": {"nodes": False},
    "cypher/schema/integers.cypher.j2": {"label": ":Movie"},
    "cypher/schema/names.cypher.j2": {"ids": True, "since": None},
    "cypher/schema/page_values.cypher.j2": {"relationships": False, "since": None},
    "cypher/schema/properties.cypher.j2": {
        "label": None,
        "sampled": True,
        "no_name": r"\\d+",
        "forms": {"iso": FORMS["iso"]},
    },
    "cypher/schema/rare.cypher.j2": {"type": ":DIRECTED"},
    "cypher/schema/returned.cypher.j2": {"type": ":DIRECTED"},
    "cypher/vectors/scan.cypher.j2": {"label": ":Movie", "property": ".embedding"},
}


# As they are sent over HTTP.
OVER_HTTP = StoreCapabilities("sparql", inline=True)
SPARQL, CYPHER = SparqlDialect(OVER_HTTP), CypherDialect()
VIRTUOSO = dialect_for(replace(OVER_HTTP, engine="virtuoso"))


def _part(text: str, relations: list[str | None], types: Mapping[int, str]) -> Part:
    pattern = parse_text(text)
    chosen = tuple(types.get(n) for n in range(len(pattern.nodes)))
    return Part(Structure.of(pattern, Options(direction="any")), tuple(relations), chosen, TERMS)


def _asked(query: Query | None) -> str:
    assert query is not None
    return query.text


def _hops(second: str | None = DIRECTOR) -> Part:
    return _part(HOPS, [DIRECTOR, second], {2: FILM})


FILMS_TEXT = '(?film)-[directed by]-("Michael Mann"), (?film)-[year]-(?y)'
FILMS = golden.part(FILMS_TEXT, [":DIRECTED", ".year"])
DIRECTED = golden.part('(?film)-[directed by]-("Michael Mann")', [":DIRECTED"])

BY_DIALECT: dict[str, Callable[[], str]] = {
    "sparql/match.rq.j2": lambda: SPARQL.match(_hops(), {0: HEAT}, 1001).text,
    "sparql/show.rq.j2": lambda: SPARQL.render(
        "show.rq.j2",
        bound=[("n0", [HEAT])],
        body=SPARQL._body_text(_hops()),
        columns="?n0 ?n1 ?n2",
        labelled=["n1", "n2"],
        name_relations=[RDFS_LABEL],
        languages=[literal("en")],
        distinct=False,
        limit=1000,
    ),
    "sparql/answers.rq.j2": lambda: SPARQL.render(
        "answers.rq.j2",
        bound=[("n0", [HEAT])],
        body=SPARQL._body_text(_hops()),
        asked=Asked((2,)),
    ),
    "sparql/count.rq.j2": lambda: _asked(SPARQL.count(_hops(), {0: HEAT}, 2)),
    "sparql/find.rq.j2": lambda: _asked(
        SPARQL.find([(_hops(), {0: HEAT}), (_hops(STARRING), {0: HEAT})], 1001, 2)
    ),
    "sparql/probe.rq.j2": lambda: SPARQL.probe([(_hops(), {0: HEAT}), (_hops(), {0: MANN})]).text,
    "sparql/brute.rq.j2": lambda: (
        SPARQL.brute(_hops(None), {0: [HEAT, MANN]}, {1: [DIRECTOR, STARRING]}, {}, 100).text
    ),
    "sparql/orient.rq.j2": lambda: (
        rdf.orientation_query([(HEAT, DIRECTOR, MANN), (MANN, DIRECTOR, HEAT)]).text
    ),
    "sparql/incidence.rq.j2": lambda: rdf.incidence_query([HEAT, MANN], [DIRECTOR, STARRING]).text,
    "sparql/virtuoso/find.rq.j2": lambda: _asked(
        VIRTUOSO.find([(_hops(), {0: HEAT}), (_hops(STARRING), {0: HEAT})], 1001, 2)
    ),
    "sparql/virtuoso/brute.rq.j2": lambda: (
        VIRTUOSO.brute(_hops(None), {0: [HEAT, MANN]}, {1: [DIRECTOR, STARRING]}, {}, 100).text
    ),
    "sparql/virtuoso/incidence.rq.j2": lambda: (
        rdf.incidence_query([HEAT, literal("Heat")], [DIRECTOR, STARRING], rdf.VIRTUOSO).text
    ),
    "sparql/chains/around.rq.j2": lambda: (
        SPARQL.around(TERMS, [DIRECTOR, STARRING], ids=[HEAT], sample=100, edges=1000).text
    ),
    "sparql/chains/ends.rq.j2": lambda: _asked(SPARQL.ends([(_hops(), {0: HEAT})], 100)),
    "sparql/chains/exists.rq.j2": lambda: SPARQL.walks(TERMS, [CHAIN]).text,
    "sparql/virtuoso/chains/exists.rq.j2": lambda: VIRTUOSO.walks(TERMS, [CHAIN]).text,
    "sparql/examples/facts.rq.j2": lambda: (
        SPARQL.places(TERMS, [("n0", DIRECTOR, "n1")], ["n0", "n1"], [], {"n0": FILM}, 5).text
    ),
    "cypher/find.cypher.j2": lambda: _asked(CYPHER.find([(FILMS, {1: golden.MANN})], 1001, 3)),
    "cypher/count.cypher.j2": lambda: _asked(CYPHER.count(DIRECTED, {1: golden.MANN}, 0)),
    "cypher/show.cypher.j2": lambda: pasteable(
        FILMS,
        {1: golden.MANN},
        [Seen(frozenset({2}), (":DIRECTED", ".year"))],
        1000,
        column_names(parse_text(FILMS_TEXT)),
    ),
    "cypher/brute.cypher.j2": lambda: golden.CASES["brute"]().text,
    "cypher/incidence.cypher.j2": lambda: golden.CASES["incidence"]().text,
    "cypher/follow.cypher.j2": lambda: golden.CASES["property_to_read"]().text,
    "cypher/onward.cypher.j2": lambda: golden.CASES["onward"]().text,
    "cypher/ends.cypher.j2": lambda: golden.CASES["ends"]().text,
    "cypher/around.cypher.j2": lambda: (
        CYPHER.around(
            golden.FEW, [":DIRECTED", ":ACTED_IN"], ids=[golden.HEAT], sample=100, edges=1000
        ).text
    ),
    "cypher/around_values.cypher.j2": lambda: (
        CYPHER.around(golden.FEW, [], ids=[golden.Y1995], sample=100, edges=1000).text
    ),
}


def examples() -> Iterator[tuple[str, str, str | None]]:
    """Each template: its path, what it is for, and its example; None for a part of others.

    Raises:
        LookupError: a template has no comment, or there is no value for its example.
    """
    for dialect in (SPARQL, CYPHER):
        for file in sorted((QUERIES / dialect.capabilities.language).rglob("*.j2")):
            path = file.relative_to(QUERIES).as_posix()
            text = file.read_text(encoding="utf-8")
            said = re.match(r"\{#-?\s*(.*?)\s*-?#\}", text, re.DOTALL)
            if said is None:
                raise LookupError(f"queries/{path} does not begin with what it is for: {{# … #}}")
            yield path, " ".join(said[1].split()), _example(dialect, path, text)


def _example(dialect: Dialect, path: str, text: str) -> str | None:
    if path.count(".") == 1:
        return None
    if path in BY_DIALECT:
        rendered = BY_DIALECT[path]()
        return shortened(rendered) if dialect.capabilities.language == "sparql" else rendered
    needed = meta.find_undeclared_variables(dialect.templates.environment.parse(text)) | set(
        OWN.get(path, ())
    )
    values = {**SAMPLES, **OWN.get(path, {})}
    if missing := sorted(needed - values.keys()):
        raise LookupError(
            f"queries/{path} needs {', '.join(missing)} for its example: give it values in OWN "
            f"of {Path(__file__).name}, then run {COMMAND}"
        )
    rendered = dialect.render(path.partition("/")[2], **{name: values[name] for name in needed})
    return shortened(rendered) if dialect.capabilities.language == "sparql" else rendered


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    language = ""
    for path, purpose, example in examples():
        if not path.startswith(f"{language}/"):
            language = path.partition("/")[0]
            parts.append(f"## {'SPARQL' if language == 'sparql' else 'Cypher'}\n")
        parts.append(f"### [{path.partition('/')[2]}]({path})\n\n{purpose}\n")
        if example is not None:
            parts.append(f"```{language}\n{example.strip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)
