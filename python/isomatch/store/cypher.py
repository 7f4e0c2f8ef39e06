"""What the stores of property graphs share: Cypher's templates, and queries without a plan."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.store.base import PARALLEL, Query
from isomatch.store.capabilities import StoreCapabilities
from isomatch.store.templates import Templates
from isomatch.store.terms import is_literal
from isomatch.store.values import from_id

NEO4J = StoreCapabilities(
    language="cypher",
    engine="neo4j",
    property_graph=True,
    edge_values=True,
    batch=64,
    batched=True,
    content_fingerprint=False,
    queries_may_write=True,
    vector_indexes=True,
)


def identifier(id: str) -> str:
    """A label, relationship type or property key, from its id, as an identifier.

    In backticks, backticks doubled; a backslash by its code, because Cypher reads
    ``\\u0060`` as a backtick even there.

    Raises:
        ValueError: no id of a label, type or key.

    Example:
        >>> identifier(":ACTED_IN"), identifier(".a`b")
        ('`ACTED_IN`', '`a``b`')
    """
    if id[:1] not in (":", ".") or len(id) < 2:
        raise ValueError(f"not a label, relationship type or property key: {id[:80]!r}")
    return "`" + id[1:].replace("\\", "\\u005C").replace("`", "``") + "`"


CYPHER = Templates("cypher", filters={"name": identifier})


def orientation_query(triples: Sequence[tuple[str, ...]]) -> Query:
    """How relationships are stored; properties have one way only, and need no query.

    Rows of (i, id, start, key, value): the number of the triple, the relationship's id,
    the node it starts from, and one value of a property of it, after a row without key.
    """
    edges = [
        {
            **{"i": i, "a": a, "r": r[1:], "b": b},
            "value": from_id(value[0]) if value else None,
            "key": value[1] if value[1:] else None,
        }
        for i, (a, r, b, *value) in enumerate(triples)
        if r.startswith(":")
    ]
    text = CYPHER.render("facts.cypher.j2") if edges else ""
    return Query(
        text, ("i", "id", "start", "key", "value"), {"edges": edges, "most": PARALLEL + 1}, "facts"
    )


def incidence_query(nodes: Sequence[str], relations: Sequence[str], most: int = 0) -> Query:
    """Which relations each node has: rows of (n, r, out, into); values are left out.

    Args:
        most: relationships of a node that are read, by a text without types; a node that has
            more gives a row without a relation. 0: types are in the text, and nothing is read.
    """
    types = sorted(r for r in relations if r.startswith(":"))
    text = CYPHER.render("incidence.cypher.j2", types=types, most=most)
    asked = {
        "nodes": [n for n in nodes if not is_literal(n)],
        "types": types,
        "keys": [r[1:] for r in relations if r.startswith(".")],
    }
    # In a map, for which the server has one plan, whatever the sizes of the lists.
    return Query(text, ("n", "r", "out", "into"), {"asked": asked}, "incidence")


def existing_query(nodes: Sequence[str]) -> Query:
    """Which of some nodes are still in the graph: rows of ids."""
    return Query(CYPHER.render("there.cypher.j2"), ("id",), {"nodes": list(nodes)}, "there")
