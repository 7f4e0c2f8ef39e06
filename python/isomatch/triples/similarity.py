"""Similarity of the question to relations and to paths: features beside the published ones.

SubgraphRAG (section 3.1) concatenates the vectors, and learns from many questions which
relation a question means. A thousand questions are too few for that, so the features
``similar`` add it: the product of the vectors of question and relation, and for each node
the best cosine of question and relation on the paths to it from a topic. The features
``published`` leave it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from isomatch.triples.graph_features import ROUNDS, node_encodings, pagerank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.triples.neighbourhood import Neighbourhood

    Floats = NDArray[np.float32]
    Places = NDArray[np.int64]

Features = Literal["published", "similar"]
FORM = 1  # goes up when the columns or their scales change
NODE_COLUMNS = 5
RELATION_COLUMNS = 2
# Products of two vectors' values are small beside the values, cosines large.
_PRODUCT, _COSINE = 10.0, 0.5
_LEAST = 1e-9  # of a PageRank, before its logarithm is taken


def node_features(
    hood: Neighbourhood,
    question: Floats,
    vectors: Floats,
    relations: Floats,
    features: Features,
    rounds: int = ROUNDS,
) -> Floats:
    """Features of nodes beside their names, shape (nodes, `node_width`).

    The distance encodings and, where features are ``similar``, `node_similarities`.

    Args:
        question: its vector.
        vectors: of the nodes, zeros for one without a name; not used for ``published``.
        relations: vectors; not used for ``published``.
    """
    topics, nodes = np.arange(hood.topics), len(hood.nodes)
    encoded = node_encodings(hood.heads, hood.tails, topics, nodes, rounds)
    if features == "published":
        return encoded
    triples = hood.heads, hood.links, hood.tails
    similar = node_similarities(vectors @ question, relations @ question, triples, hood.topics)
    return np.concatenate([encoded, similar], axis=1)


def node_width(features: Features, rounds: int = ROUNDS) -> int:
    """Columns of `node_features`."""
    return 2 + 4 * rounds + (NODE_COLUMNS if features == "similar" else 0)


def node_similarities(
    names: Floats, relations: Floats, triples: tuple[Places, Places, Places], topics: int
) -> Floats:
    """Five numbers for each node, shape (nodes, 5); 0 where there is no such path.

    The cosine of its name; the best of the relations between it and a topic; the best mean
    of the two relations on a path of two from a topic; the best of all its relations; a
    fifth of the logarithm of its personalised PageRank.

    Args:
        names, relations: cosines with the question, shapes (nodes,) and (relations,).
        triples: places of heads, relations and tails. Directions do not matter.
        topics: how many of the nodes, from the first on, are topics.

    Example:
        A topic 0, a triple to node 1 of cosine 0.4, one from there to node 2 of cosine 0.8:

        >>> triples = np.array([0, 1]), np.array([0, 1]), np.array([1, 2])
        >>> found = node_similarities(np.zeros(3), np.array([0.4, 0.8]), triples, 1)
        >>> found[:, 1:4].round(1)
        array([[0. , 0. , 0.4],
               [0.4, 0. , 0.8],
               [0. , 0.6, 0.8]], dtype=float32)
    """
    heads, links, tails = triples
    nodes = len(names)
    source, target = np.concatenate([heads, tails]), np.concatenate([tails, heads])
    cosines = np.tile(relations[links], 2)
    topic = np.arange(nodes) < topics
    first = topic[source]
    near = _best(target[first], cosines[first], nodes)
    # On from a node beside a topic, not through a topic.
    second = np.isfinite(near)[source] & ~first & ~topic[target]
    means = (near[source[second]] + cosines[second]) / 2
    columns = [near, _best(target[second], means, nodes), _best(source, cosines, nodes)]
    ranks = np.log(np.maximum(pagerank(heads, tails, topics, nodes), _LEAST)) / 5
    ways = [np.where(np.isfinite(column), column, 0.0) for column in columns]
    return np.stack([names, *ways, ranks], axis=1).astype(np.float32)


def relation_features(question: Floats, relations: Floats, features: Features) -> Floats:
    """Each relation's vector, and for ``similar`` its similarity to the question.

    That is the elementwise product with the question's vector, their cosine, and its
    difference from the best cosine of these relations.

    Args:
        question: its vector, shape (dimension,).
        relations: vectors, shape (relations, dimension).
    """
    if features == "published":
        return relations
    products = relations * question
    cosines = products.sum(axis=1, keepdims=True)
    below = cosines - cosines.max(initial=-1.0)
    parts = [relations, _PRODUCT * products, _COSINE * cosines, _COSINE * below]
    return np.concatenate(parts, axis=1).astype(np.float32)


def relation_width(features: Features, dimension: int) -> int:
    """Columns of `relation_features`."""
    return dimension if features == "published" else 2 * dimension + RELATION_COLUMNS


def _best(places: Places, values: Floats, nodes: int) -> Floats:
    """The greatest value of each place, shape (nodes,); minus infinity for none."""
    found: Floats = np.full(nodes, -np.inf, np.float32)
    np.maximum.at(found, places, values)
    return found
