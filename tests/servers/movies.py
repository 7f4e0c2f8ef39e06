"""Films as a property graph: the labels, keys and relationships of Neo4j's "movies" example.

The facts are in `movies.toml`. As in the public graph, a person's name is no key by a
constraint, some people have no year of birth and some films no tagline.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

if TYPE_CHECKING:
    from neo4j import Driver

DATA = Path(__file__).with_suffix(".toml")

Row = dict[str, Any]

ENDS = {
    "ACTED_IN": ("Person", "Movie"),
    "DIRECTED": ("Person", "Movie"),
    "PRODUCED": ("Person", "Movie"),
    "WROTE": ("Person", "Movie"),
    "REVIEWED": ("Person", "Movie"),
    "FOLLOWS": ("Person", "Person"),
}
KEYS = {"Person": "name", "Movie": "title"}


def nodes() -> dict[str, list[Row]]:
    """The properties of all nodes, by label."""
    data = _data()
    born = data["born"]
    people = dict.fromkeys([*born, *(source for _, source, _, _ in relationships())])
    return {
        "Movie": [
            {key: film[key] for key in ("title", "released", "tagline") if key in film}
            for film in data["film"]
        ],
        "Person": [
            {"name": name, "born": born[name]} if name in born else {"name": name}
            for name in people
        ],
    }


def relationships() -> Iterator[tuple[str, str, str, Row]]:
    """(type, name of the source, name or title of the target, properties)."""
    data = _data()
    for film in data["film"]:
        for name, roles in film["acted_in"].items():
            yield "ACTED_IN", name, film["title"], {"roles": roles}
        for type in ("DIRECTED", "PRODUCED", "WROTE"):
            for name in film.get(type.lower(), ()):
                yield type, name, film["title"], {}
    for review in data["review"]:
        more = {"summary": review["summary"], "rating": review["rating"]}
        yield "REVIEWED", review["by"], review["of"], more
    for name, followed in data["follows"].items():
        for other in followed:
            yield "FOLLOWS", name, other, {}


def load(driver: Driver) -> None:
    """Write the graph into a server's empty database."""
    for label, rows in nodes().items():
        driver.execute_query(f"UNWIND $rows AS row CREATE (n:{label}) SET n = row", rows=rows)
    by_type: dict[str, list[list[Any]]] = {}
    for type, source, target, more in relationships():
        by_type.setdefault(type, []).append([source, target, more])
    for type, rows in by_type.items():
        source, target = ENDS[type]
        driver.execute_query(
            f"UNWIND $rows AS row MATCH (a:{source} {{{KEYS[source]}: row[0]}}) "
            f"MATCH (b:{target} {{{KEYS[target]}: row[1]}}) CREATE (a)-[e:{type}]->(b) "
            "SET e = row[2]",
            rows=rows,
        )
    driver.execute_query("CALL db.awaitIndexes(300)")


def _data() -> dict[str, Any]:
    return toml.loads(DATA.read_text(encoding="utf-8"))
