"""The facts of an embedded graph: read as numbers, and written with changes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyoxigraph as ox

from isomatch.perturb.types import Facts
from isomatch.store.oxigraph import OxigraphStore


@dataclass(frozen=True, slots=True)
class GraphFacts:
    """The facts of a graph, with what their places stand for.

    Attributes:
        facts: in the order of their terms.
        nodes, relations: terms by place.
        others: what the graph holds beside facts: names, types and the vocabulary.
    """

    facts: Facts
    nodes: tuple[Any, ...]
    relations: tuple[ox.NamedNode, ...]
    others: tuple[ox.Triple, ...]

    def triples(self, facts: Facts) -> Iterator[ox.Triple]:
        """All of the graph, with these facts in place of its own."""
        yield from self.others
        rows = (facts.heads.tolist(), facts.links.tolist(), facts.tails.tolist())
        for head, link, tail in zip(*rows, strict=True):
            yield ox.Triple(self.nodes[head], self.relations[link], self.nodes[tail])

    def write(self, facts: Facts, path: Path) -> None:
        """Write all of the graph, with these facts in place of its own, as N-Triples."""
        with path.open("wb") as file:
            ox.serialize(self.triples(facts), file, format=ox.RdfFormat.N_TRIPLES)


def read_facts(store: OxigraphStore, relations: Collection[str]) -> GraphFacts:
    """The facts of a graph, those of all named graphs too.

    Args:
        relations: ids of the predicates whose triples are facts.
    """
    known = frozenset(relations)
    triples = {quad.triple for quad in store.graph}
    found = [t for t in triples if t.predicate.value in known and _is_term(t.object)]
    terms = {end for t in found for end in (t.subject, t.object)}
    nodes = sorted(terms, key=str)
    links = sorted({t.predicate for t in found}, key=str)
    place = {node: i for i, node in enumerate(nodes)}
    link = {relation: i for i, relation in enumerate(links)}
    rows = sorted((place[t.subject], link[t.predicate], place[t.object]) for t in found)
    columns = np.array(rows, np.int64).reshape(-1, 3).T.copy()
    kinds: dict[str, int] = {"": 0}
    numbers = [kinds.setdefault(_kind(node), len(kinds)) for node in nodes]
    facts = Facts(columns[0], columns[1], columns[2], np.array(numbers, np.int64), len(links))
    kept = sorted(triples.difference(found), key=str)
    return GraphFacts(facts, tuple(nodes), tuple(links), tuple(kept))


def _is_term(term: Any) -> bool:
    """Whether it is a node or a value, and not a triple."""
    return isinstance(term, ox.NamedNode | ox.BlankNode | ox.Literal)


def _kind(term: Any) -> str:
    """The datatype of a value; empty for a thing."""
    return str(term.datatype.value) if isinstance(term, ox.Literal) else ""
