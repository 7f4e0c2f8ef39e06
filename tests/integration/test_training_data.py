"""Labels, samples and indexing data are the same from every database that holds the graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import neo4j
import pytest
from tests.servers.sessions import session_over
from tests.servers.sparql_server import SparqlServer
from tests.turtle import graph_of
from tests.unit.learn.toy import Letters

from isomatch.chains.graph import Chain
from isomatch.learn.examples import Example
from isomatch.learn.generated import index_examples
from isomatch.learn.labels import Explanation
from isomatch.learn.sampling import sample_chains
from isomatch.learn.tie_breaking import settle
from isomatch.learn.weak import RULES, Labeller
from isomatch.lexicon.lexicon import Lexicon
from isomatch.questions.datasets import Question
from isomatch.session import Session
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.sparql import SparqlStore

pytestmark = pytest.mark.slow

BASE = "http://films.example/"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
XSD = "http://www.w3.org/2001/XMLSchema#"
FILMS = {
    "Heat": (1995, "Mann", ["Pacino", "De Niro", "Kilmer"]),
    "Ali": (2001, "Mann", ["Smith", "Voight"]),
    "Ronin": (1998, "Frankenheimer", ["De Niro", "Reno"]),
    "Thief": (1981, "Mann", ["Caan"]),
    "The Insider": (1999, "Mann", ["Pacino", "Crowe"]),
    "Holy Smoke": (1999, "Campion", ["Winslet", "Keitel"]),
    "Seconds": (1966, "Frankenheimer", ["Hudson"]),
}
WRITERS = {"Heat": "Mann", "Thief": "Mann", "Holy Smoke": "Campion", "Seconds": "Carlino"}


def facts() -> Iterator[tuple[str, str, Any]]:
    """(source, relation, target) with numbers as values."""
    for film, (year, director, cast) in FILMS.items():
        yield film, "released", year
        yield film, "directed by", director
        for actor in cast:
            yield film, "starred", actor
    for film, writer in WRITERS.items():
        yield film, "written by", writer


def turtle() -> str:
    """The facts with a label and a class for every node."""

    def iri(name: str) -> str:
        return f"<{BASE}{name.replace(' ', '_')}>"

    lines = []
    nodes: dict[str, str] = {}
    for source, relation, target in facts():
        there = f'"{target}"^^<{XSD}integer>' if isinstance(target, int) else iri(target)
        lines.append(f"{iri(source)} {iri(relation)} {there} .")
        nodes[source] = "Film"
        if isinstance(target, str):
            nodes.setdefault(target, "Person")
    for name, type in nodes.items():
        lines.append(f'{iri(name)} a {iri(type)} ; <{RDFS}label> "{name}" .')
    return "\n".join(lines)


def write(driver: neo4j.Driver) -> None:
    """The facts as a property graph: years are properties."""
    for film, (year, _, _) in FILMS.items():
        driver.execute_query("CREATE (:Film {name: $film, released: $year})", film=film, year=year)
    for source, relation, target in facts():
        if isinstance(target, str):
            type = relation.upper().replace(" ", "_")
            driver.execute_query(
                "MATCH (a:Film {name: $a}) MERGE (b:Person {name: $b}) CREATE (a)-[:$($t)]->(b)",
                a=source,
                b=target,
                t=type,
            )


def asked(id: str, text: str, topics: list[str], *answers: str) -> Question:
    return Question(id, text, tuple(topics), answers, None, 0)


QUESTIONS = [
    asked("1", "what did Mann direct?", ["Mann"], "Heat", "Ali", "Thief", "The Insider"),
    asked("2", "who directed Seconds?", ["Seconds"], "Frankenheimer"),
    asked("3", "who directed Thief?", ["Thief"], "Mann"),
    asked("4", "when did films of Frankenheimer come out?", ["Frankenheimer"], "1998", "1966"),
    asked("5", "what came out in 1999?", ["1999"], "The Insider", "Holy Smoke"),
    asked("6", "who acted in films of De Niro?", ["De Niro"], "Pacino", "Kilmer", "Reno"),
    asked("7", "which film of Mann is from 1999?", ["Mann", "1999"], "The Insider"),
    asked("8", "which film has Pacino and Crowe?", ["Pacino", "Crowe"], "The Insider"),
    asked("9", "who is Nobody?", ["Nobody"], "Mann"),
    asked("10", "what has Caan of Winslet?", ["Caan"], "Winslet"),
]


def data(session: Session) -> dict[str, Any]:
    """All training data of a session, with words for ids."""
    texts = {r.id: r.text for r in session.schema.relations}

    def said(chain: Chain) -> str:
        return " ".join("^" * step.back + texts[step.relation] for step in chain)

    def rows(examples: Iterable[Example]) -> list[Any]:
        return [
            (e.id, e.text, sorted((said(chain), round(weight, 6)) for chain, weight in e.chains))
            for e in examples
        ]

    def tied(explanation: Explanation) -> tuple[float, list[tuple[str, str]]]:
        return round(explanation.f1, 6), [(t, said(chain)) for t, chain in explanation.parts]

    labels = {
        rule: settle(Labeller(session.resources, rule).run(QUESTIONS))
        for rule in RULES
        if rule != "model"
    }
    return {
        "labels": {rule: rows(found.examples()) for rule, found in labels.items()},
        "tied": {
            rule: [(label.id, sorted(map(tied, label.tied))) for label in found.labels]
            for rule, found in labels.items()
        },
        "reports": {rule: asdict(found.report) for rule, found in labels.items()},
        "chains": [(one.topic, said(one.chain)) for one in sample_chains(session.resources, 120)],
        "index": rows(index_examples(session.resources, Lexicon())),
    }


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the embedded store gives."""
    home = tmp_path_factory.mktemp("embedded")
    with session_over(OxigraphStore.memory(graph_of(turtle())), home, Letters()) as session:
        return data(session)


def test_the_embedded_store_gives_what_was_worked_by_hand(expected: dict[str, Any]) -> None:
    kept = {id: chains for id, _, chains in expected["labels"]["filtered"]}
    assert kept["1"] == [("^directed by", 1.0)]
    assert kept["4"] == [("^directed by released", 1.0)]
    assert kept["5"] == [("^released", 1.0)]
    assert expected["reports"]["filtered"]["fell"]["no topic node"] == 1
    assert len(expected["chains"]) == 120
    assert any(chain == "^released" for _, chain in expected["chains"])


def assert_same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    for part, value in expected.items():
        assert found[part] == value, part


def test_a_sparql_server_gives_the_same(
    empty_sparql: SparqlServer, expected: dict[str, Any], tmp_path: Path
) -> None:
    empty_sparql.load(turtle())
    store = SparqlStore.connect(empty_sparql.url, **empty_sparql.settings)
    with session_over(store, tmp_path, Letters()) as session:
        assert_same(data(session), expected)


@pytest.mark.both_lines
def test_neo4j_gives_the_same(
    empty_neo4j: neo4j.Driver, expected: dict[str, Any], tmp_path: Path
) -> None:
    write(empty_neo4j)
    with session_over(Neo4jStore(empty_neo4j), tmp_path, Letters()) as session:
        assert_same(data(session), expected)
