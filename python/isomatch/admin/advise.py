"""Advice for a database administrator: indexes, and rights to read.

The advice is Cypher for the user's own schema, for a person to read and run; isomatch
never runs it. Only range indexes are advised: values are looked up in batches
(``UNWIND $asked.rows AS row … WHERE n.key = row.value``), where the planner does not know that
a value is a string, and so uses no text index (seen in the plans of 5.26 and 2025.12).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from isomatch import factories
from isomatch.store.cypher import CYPHER

if TYPE_CHECKING:
    from isomatch.schema.types import Relation, Schema
    from isomatch.settings import Settings

LEAST_NODES = 1000
"""Labels of fewer nodes need no index: reading them all takes a millisecond."""
PROCEDURES = (
    "db.index.vector.queryNodes",
    "db.info",
    "db.labels",
    "db.propertyKeys",
    "db.relationshipTypes",
    "dbms.components",
    "isomatch.match.stream",
    "isomatch.subgraph.stream",
)
"""Procedures that isomatch calls, besides `db.stats.retrieve`, which is optional."""
EMBEDDED = (
    "// The embedded graph indexes every triple by itself, and has no users: nothing is needed.\n"
)
ENDPOINT = (
    "# A SPARQL endpoint indexes every triple by itself: nothing is needed. The folder db of the\n"
    "# repository has configurations for servers of your own.\n"
)
NO_ROLES = (
    "// Neo4j Community has no roles, so nothing can be granted: every user may write.\n"
    "// isomatch opens read sessions only, which refuse writes.\n"
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and a property of its nodes.

    Attributes:
        type, property: ids.
        nodes: of the label.
    """

    type: str
    property: str
    nodes: int


def advice(settings: Settings) -> str:
    """The advice for the graph of the settings: Cypher with comments, or comments only.

    Raises:
        StoreError: the database cannot be read.
    """
    if settings.endpoint is not None:
        return ENDPOINT
    if settings.neo4j_uri is None:
        return EMBEDDED
    with factories.neo4j_store(settings) as store:
        server = store.server
        location = f"Neo4j {server.version} {server.edition} at {store.place}"
        found = indexes(factories.schema_of(settings, store), location=location)
        roles = NO_ROLES if server.edition == "community" else grants(server.database)
    return f"{found}\n{roles}"


def indexes(schema: Schema, *, location: str) -> str:
    """The missing indexes for look-ups by value, as Cypher with comments.

    Args:
        schema: of a property graph.
        location: of the database, for the first line.
    """
    sizes = {type.id: type.nodes for type in schema.types}
    covered = {
        (index.type, index.properties[0])
        for index in schema.indexes
        # A composite index serves only look-ups of all its properties.
        if index.kind == "range" and len(index.properties) == 1
    }
    missing = [
        Pair(type, property, sizes.get(type, 0))
        for type, property in dict.fromkeys((*schema.names.items(), *_facts(schema)))
        if (type, property) not in covered
    ]
    listed = {relation.id for relation in schema.relations if relation.listed}
    long = [p for p in missing if p.property in schema.long_texts and p.property not in listed]
    single = [p for p in missing if p.property not in listed and p not in long]
    worth = sorted(
        (p for p in single if p.nodes >= LEAST_NODES),
        key=lambda p: (-p.nodes, p.type, p.property),
    )
    facts = [p for p in worth if schema.names.get(p.type) != p.property]
    return CYPHER.render(
        "advise/indexes.cypher.j2",
        location=location,
        names=[p for p in worth if p not in facts],
        facts=facts,
        unique=[p for p in facts if _unique(schema.by_id[p.property], p) and _in_comment(p)],
        small=_count(len(single) - len(worth)),
        lists=_count(len(missing) - len(single) - len(long)),
        long=_count(len(long)),
        least=LEAST_NODES,
    )


def grants(database: str) -> str:
    """A role with the rights that isomatch needs, as Cypher for the Enterprise edition."""
    return CYPHER.render("advise/grants.cypher.j2", database=f":{database}", procedures=PROCEDURES)


def _facts(schema: Schema) -> Iterable[tuple[str, str]]:
    """(label, property) of properties that a question may look up by value."""
    for relation in schema.relations:
        # An index on booleans saves nothing: each value has half of the nodes.
        if relation.id.startswith(".") and set(relation.literal_kinds) != {"boolean"}:
            for type in relation.source_types:
                if type != ":":  # nodes without a label, which no index covers
                    yield type, relation.id


def _unique(relation: Relation, pair: Pair) -> bool:
    """Whether values are unique among the nodes that were read, and only this label has them."""
    return relation.max_in == 1 and relation.source_types == {pair.type: relation.subjects}


def _in_comment(pair: Pair) -> bool:
    """Whether the names are safe in a comment.

    A line break would end it; a backslash may begin an escape of one.
    """
    names = pair.type + pair.property
    return names.isprintable() and "\\" not in names


def _count(pairs: int) -> str:
    return f"{pairs:,} {'property' if pairs == 1 else 'properties'}" if pairs else ""
