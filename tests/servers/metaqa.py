"""MetaQA as two property graphs, and how to get them into Neo4j.

MetaQA gives triples of names without types. A team would have made of it

- `as_relationships`: every name a node, every triple a relationship. One name is one
  node, as it is in MetaQA's own graph; a node has the label of each of its roles.
- `as_properties`: directors, years and ratings are properties of the movies, as most
  people would model the latter two. Directors are a list of text, a year is a number (a
  list of numbers where MetaQA has made one movie of several with one title), a rating
  is text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.questions.datasets import Fact, facts

if TYPE_CHECKING:
    from neo4j import Driver

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "metaqa"
MOVIE = "Movie"
ROLES = {
    "directed_by": "Person",
    "written_by": "Person",
    "starred_actors": "Person",
    "release_year": "Year",
    "in_language": "Language",
    "has_tags": "Tag",
    "has_genre": "Genre",
    "has_imdb_votes": "Votes",
    "has_imdb_rating": "Rating",
}
AS_PROPERTIES = ("directed_by", "release_year", "has_imdb_rating")
BATCH = 5000


@dataclass(frozen=True)
class Node:
    """A node to be: what it is called, its labels in order, further properties."""

    name: str
    labels: tuple[str, ...]
    properties: dict[str, Any]


@dataclass(frozen=True)
class PropertyGraph:
    """Nodes, and relationships as (name of the source, type, name of the target)."""

    nodes: tuple[Node, ...]
    relationships: tuple[Fact, ...]

    def load(self, driver: Driver) -> None:
        """Write it into the server's database, and index the names of every label.

        Nodes are found again by the element id that their creation gave, so no index
        is needed on the way.
        """
        ids: dict[str, str] = {}
        for labels, nodes in _grouped((node.labels, node) for node in self.nodes):
            create = f"CREATE (n:{':'.join(labels)}) SET n = row[1] RETURN row[0], elementId(n)"
            for batch in _batches(nodes):
                rows = [[node.name, {"name": node.name, **node.properties}] for node in batch]
                found = driver.execute_query(f"UNWIND $rows AS row {create}", rows=rows)
                ids.update((name, id) for name, id in found.records)
        for type, ends in _grouped((r, (ids[h], ids[t])) for h, r, t in self.relationships):
            for batch in _batches(ends):
                driver.execute_query(
                    "UNWIND $rows AS row MATCH (a) WHERE elementId(a) = row[0] "
                    f"MATCH (b) WHERE elementId(b) = row[1] CREATE (a)-[:{type}]->(b)",
                    rows=[list(pair) for pair in batch],
                )
        for label in dict.fromkeys(label for node in self.nodes for label in node.labels):
            driver.execute_query(f"CREATE INDEX FOR (n:{label}) ON (n.name)")
        driver.execute_query("CALL db.awaitIndexes(300)")


def read(data: Path = DATA) -> list[Fact]:
    """MetaQA's distinct triples, in the file's order."""
    return list(dict.fromkeys(facts(data / "kb.txt", "|")))


def as_relationships(triples: Sequence[Fact]) -> PropertyGraph:
    """Every triple as a relationship."""
    return _graph(triples, ())


def as_properties(triples: Sequence[Fact]) -> PropertyGraph:
    """Directors, years and ratings as properties of their movies."""
    return _graph(triples, AS_PROPERTIES)


def films_and_more(triples: Sequence[Fact]) -> frozenset[str]:
    """Names of films that are a director, year or rating as well: one node in MetaQA."""
    films = {head for head, _, _ in triples}
    return frozenset(tail for _, relation, tail in triples if relation in AS_PROPERTIES) & films


def _graph(triples: Sequence[Fact], as_properties: Sequence[str]) -> PropertyGraph:
    labels: dict[str, dict[str, None]] = {}
    properties: dict[str, dict[str, Any]] = {}
    relationships = []
    for head, relation, tail in triples:
        labels.setdefault(head, {})[MOVIE] = None
        if relation in as_properties:
            properties.setdefault(head, {}).setdefault(relation, []).append(tail)
        else:
            labels.setdefault(tail, {})[ROLES[relation]] = None
            relationships.append((head, relation.upper(), tail))
    nodes = (
        Node(name, tuple(sorted(roles)), _properties(properties.get(name, {})))
        for name, roles in labels.items()
    )
    return PropertyGraph(tuple(nodes), tuple(relationships))


def _properties(texts: dict[str, list[str]]) -> dict[str, Any]:
    """As stored: years as numbers, and only directors in a list where there is one."""
    found: dict[str, Any] = dict(texts)
    if "release_year" in texts:
        found["release_year"] = [int(year) for year in texts["release_year"]]
    return {
        key: values[0] if len(values) == 1 and key != "directed_by" else values
        for key, values in found.items()
    }


def _grouped(pairs: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, list[Any]]]:
    groups: dict[Any, list[Any]] = {}
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    yield from groups.items()


def _batches(items: Iterable[Any]) -> Iterator[list[Any]]:
    rest = iter(items)
    while batch := list(islice(rest, BATCH)):
        yield batch
