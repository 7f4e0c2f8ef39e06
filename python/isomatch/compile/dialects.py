"""The dialect for a store, found by what the store can do."""

from __future__ import annotations

from functools import lru_cache

from isomatch.compile.base import Dialect
from isomatch.compile.cypher import CypherDialect
from isomatch.compile.sparql import SparqlDialect
from isomatch.compile.virtuoso import VirtuosoDialect
from isomatch.store.base import Store
from isomatch.store.capabilities import StoreCapabilities

_LANGUAGES = {"cypher": CypherDialect, "sparql": SparqlDialect}
_ENGINES = {"virtuoso": VirtuosoDialect}
"""Engines that need another dialect than their language's."""


def dialect_of(store: Store) -> Dialect:
    """The dialect that compiles plans for a store.

    Raises:
        StoreError: the store has to be asked what it can do, and does not answer.
    """
    return dialect_for(store.capabilities)


@lru_cache(maxsize=64)
def dialect_for(capabilities: StoreCapabilities) -> Dialect:
    """The dialect for these capabilities; the same one each time, with its cached texts.

    Raises:
        KeyError: no dialect compiles to the language.
    """
    kind = _ENGINES.get(capabilities.engine, _LANGUAGES[capabilities.language])
    return kind(capabilities)
