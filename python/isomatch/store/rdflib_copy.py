"""A graph of rdflib copied into Oxigraph, with the ids that it has in rdflib."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pyoxigraph as ox

from isomatch.store.base import Query, Row
from isomatch.store.cells import term_cell
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdflib_terms import oxigraph_term, to_id


class RdflibCopy(OxigraphStore):
    """What rdflib's graph holds, read by a faster engine.

    Oxigraph keeps literals in a form of its own ("1.50" as "1.5", "@de-AT" as
    "@de-at"). Rows that have one come with the ids of rdflib's terms, one row for
    each that it stands for.

    Args:
        triples: of rdflib; those that Oxigraph could not hold are passed over.
        fingerprint: of the graph that was copied.
    """

    def __init__(self, triples: Iterable[tuple[Any, Any, Any]], fingerprint: str):
        made: dict[Any, Any] = {}
        graph = ox.Store()
        graph.bulk_extend(_quads(triples, made))
        super().__init__(graph, location="copy of rdflib", fingerprint=fingerprint)
        self._originals = _originals(made)

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        """See `Store.run`."""
        originals = self._originals
        for row in super().run(query, timeout=timeout):
            if originals and any(cell in originals for cell in row):
                yield from product(*(originals.get(cell or "", (cell,)) for cell in row))
            else:
                yield row


def _quads(triples: Iterable[tuple[Any, Any, Any]], made: dict[Any, Any]) -> Iterator[ox.Quad]:
    """The triples for Oxigraph; its terms go into ``made``, by rdflib's."""
    for triple in triples:
        for term in triple:
            if term not in made:
                with suppress(ValueError):  # its triples are passed over below
                    made[term] = oxigraph_term(term)
        with suppress(KeyError, TypeError):
            yield ox.Quad(*(made[term] for term in triple))


def _originals(made: dict[Any, Any]) -> dict[str, tuple[str, ...]]:
    """Ids of rdflib's terms by the id that Oxigraph gives, where that is another."""
    scratch = ox.Store()
    literals = [(id, term) for key, term in made.items() if (id := _typed(key, term))]
    place = ox.NamedNode("urn:isomatch:place")
    scratch.extend(
        ox.Quad(ox.NamedNode(f"urn:isomatch:{number}"), place, term)
        for number, (_, term) in enumerate(literals)
    )
    kept: dict[str, set[str]] = {}
    for quad in scratch:
        number = int(quad.subject.value.rpartition(":")[2])
        kept.setdefault(term_cell(quad.object) or "", set()).add(literals[number][0])
    return {id: tuple(sorted(own)) for id, own in kept.items() if own != {id}}


def _typed(key: Any, term: Any) -> str | None:
    """The id of a literal that Oxigraph may keep in another form."""
    if not isinstance(term, ox.Literal):
        return None
    plain = term.language is None and term.datatype.value.endswith("#string")
    return None if plain else to_id(key)
