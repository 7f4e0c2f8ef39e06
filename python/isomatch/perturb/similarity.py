"""The facts of an embedded graph as numbers, and how alike it and its copy are: ATS, SC2D, SD2.

As in Sui and Hooi (2025), appendix A.7, after Raman et al. (2020). All are from 0 to 1, and a
higher one means more alike. Degrees and clustering coefficients are those of each relation's
facts alone, directions ignored, averaged over the relations that have facts. A node's degree
counts its facts; triangles and the neighbours in a clustering coefficient are counted once,
whatever the number of facts between two nodes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyoxigraph as ox

from isomatch.errors import MissingExtraError
from isomatch.perturb.types import Facts, Predictor
from isomatch.store.oxigraph import OxigraphStore

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.perturb.types import Places

    Vector = NDArray[np.float64]


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


BATCH = 65_536  # facts scored at once


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two graphs are.

    Attributes:
        ats: aggregated triple score: the mean probability of the copy's facts; 0 for a copy
            without facts, None where no predictor was given. The graph itself need not
            have 1.
        sc2d: similarity of clustering coefficients.
        sd2: similarity of degrees.
    """

    ats: float | None
    sc2d: float
    sd2: float


def likeness(before: Facts, after: Facts, predictor: Predictor | None = None) -> Likeness:
    """How alike a graph and its copy are.

    Args:
        predictor: trained on the graph, for ATS.

    Raises:
        MissingExtraError: scipy is not installed.
    """
    return Likeness(
        None if predictor is None else ats(after, predictor),
        _closeness(clustering(before), clustering(after)),
        _closeness(degrees(before), degrees(after)),
    )


def ats(facts: Facts, predictor: Predictor) -> float:
    """The mean probability of the facts."""
    if not len(facts):
        return 0.0
    total = 0.0
    for start in range(0, len(facts), BATCH):
        some = slice(start, start + BATCH)
        scores = predictor.scores(facts.heads[some], facts.links[some], facts.tails[some])
        total += float(scores.sum(dtype=np.float64))
    return total / len(facts)


def degrees(facts: Facts) -> Vector:
    """Each node's mean degree over the relations, shape (nodes,)."""
    ends = np.concatenate([facts.heads, facts.tails])
    return np.bincount(ends, minlength=facts.nodes) / max(1, len(np.unique(facts.links)))


def clustering(facts: Facts) -> Vector:
    """Each node's mean clustering coefficient over the relations, shape (nodes,).

    Raises:
        MissingExtraError: scipy is not installed.
    """
    total: Vector = np.zeros(facts.nodes)
    order = np.argsort(facts.links, kind="stable")
    relations, starts = np.unique(facts.links[order], return_index=True)
    for some in np.split(order, starts[1:]) if len(relations) else ():
        nodes, coefficients = _coefficients(facts.heads[some], facts.tails[some])
        total[nodes] += coefficients
    return total / max(1, len(relations))


def _coefficients(heads: Places, tails: Places) -> tuple[Places, Vector]:
    """Nodes, and the clustering coefficient of each, in a graph of these edges.

    An edge goes from the node of the lower degree to the other, so that hubs have few edges
    out and no product below is larger than the edges to the power of 1.5.
    """
    try:
        from scipy.sparse import csr_array
    except ImportError as error:
        raise MissingExtraError(
            "the likeness of graphs needs scipy: pip install 'isomatch[open]'"
        ) from error
    nodes, ends = np.unique(np.stack([heads, tails]), return_inverse=True)
    ends = ends.reshape(2, -1)
    low, high = ends.min(axis=0), ends.max(axis=0)
    pairs = np.unique(np.stack([low, high])[:, low < high], axis=1)
    degree = np.bincount(pairs.ravel(), minlength=len(nodes))
    up = degree[pairs[0]] <= degree[pairs[1]]
    here, there = np.where(up, pairs, pairs[::-1])
    ones = np.ones(len(here), np.int64)
    edges = csr_array((ones, (here, there)), shape=(len(nodes), len(nodes)))
    outer = (edges @ edges).multiply(edges)  # (first, last) node of triangles, by middle ones
    inner = (edges.T @ edges).multiply(edges)  # (middle, last), by first ones
    triangles = outer.sum(axis=1) + outer.sum(axis=0) + inner.sum(axis=1)
    possible = degree * (degree - 1) / 2
    return nodes, np.divide(triangles, possible, out=np.zeros(len(nodes)), where=possible > 0)


def _closeness(before: Vector, after: Vector) -> float:
    distance = float(np.linalg.norm(before - after))
    return 1 - distance / (distance + 1)
