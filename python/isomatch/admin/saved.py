"""Patterns that the owner of an RDF store has saved in it, by name.

They are in the named graph ``urn:isomatch:patterns``, which `isomatch migrate` creates.
isomatch only reads them; it prints the update that saves one, for the owner to run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from isomatch.admin.migrate.sparql import read_graph
from isomatch.errors import ConfigurationError
from isomatch.pattern import parse
from isomatch.store.terms import literal

if TYPE_CHECKING:
    from isomatch.store.base import Store

GRAPH = "urn:isomatch:patterns"


@dataclass(frozen=True, slots=True)
class SavedPattern:
    """A saved pattern.

    Attributes:
        name: unique in the store.
        pattern: its text, not validated.
        note: its purpose.
        by: user who saved it.
        saved_at: ISO 8601, by the database's clock.
    """

    name: str
    pattern: str
    note: str = ""
    by: str = ""
    saved_at: str = ""


def saved_patterns(store: Store) -> dict[str, SavedPattern]:
    """The saved patterns of a store by name, sorted.

    Raises:
        ConfigurationError: not an RDF store.
        StoreError: the database failed.

    Example:
        >>> from isomatch.store.oxigraph import OxigraphStore
        >>> saved_patterns(OxigraphStore.memory())
        {}
    """
    _check_rdf(store)
    found = {
        k["name"]: SavedPattern(
            k["name"], k["pattern"], k.get("note", ""), k.get("by", ""), k.get("savedAt", "")
        )
        for k in read_graph(store, GRAPH)
        if "name" in k and "pattern" in k
    }
    return dict(sorted(found.items()))


def update_to_save(store: Store, name: str, pattern: str, *, note: str = "", by: str = "") -> str:
    """The SPARQL Update that saves a pattern, or replaces the one of that name.

    It is not run: only `isomatch migrate` writes to the store.

    Raises:
        PatternError: the pattern breaks a rule.
        ConfigurationError: the name is empty, or not an RDF store.
    """
    if not name.strip():
        raise ConfigurationError("a saved pattern needs a name")
    parse(pattern)
    _check_rdf(store)
    return store.render(
        "saved/write.ru.j2",
        saved=f"{GRAPH}:{quote(name.strip(), safe='')}",
        name=literal(name.strip()),
        pattern=literal(pattern),
        note=literal(note) if note else None,
        by=literal(by),
    )


def _check_rdf(store: Store) -> None:
    if store.capabilities.property_graph:
        raise ConfigurationError(
            "patterns are saved in RDF stores only: keep those for Neo4j in a file"
        )
