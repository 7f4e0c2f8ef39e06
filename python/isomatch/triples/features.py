"""Features of triples: names and vectors, places relative to the topics, and similarity.

The vectors of nodes and relations are those of the index. A node without a name, or
whose name has no words (``m.05kh7j4``), and a number, a date or a boolean have none: a
model has one learned vector for all of these, as published (SubgraphRAG's non-text
entities).

Directional distance encoding: SubgraphRAG (Li et al., ICLR 2025), section 3.1. ``s(0)`` is
one-hot (topic or not); in each round ``s(l+1)`` of a node is the mean of ``s(l)`` over its
incoming triples, and separately over its outgoing ones. The rounds of both directions are
concatenated.

SubgraphRAG concatenates the vectors, and learns from many questions which relation a
question means. A thousand questions are too few for that, so the features ``similar`` add
the product of the vectors of question and relation, and for each node the best cosine of
question and relation on the paths to it from a topic. The features ``published`` do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from isomatch.schema.names import node_names
from isomatch.store.terms import is_blank, is_literal, literal_kind
from isomatch.triples.pagerank import pagerank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.resources import Resources
    from isomatch.triples.neighbourhood import Neighbourhood

    Floats = NDArray[np.float32]
    Places = NDArray[np.int64]

KEPT = 40_000  # vectors in memory, in half precision: 30 MB
# Ids of Freebase, Wikidata and of hashes, where they stand in place of a name.
_NO_WORDS = re.compile(r"[mg]\.[0-9a-z_]{2,}|[QPL]\d+|[0-9a-f]{16,}|[\d\W_]*", re.ASCII)
_VALUES = ("number", "date", "boolean")


class Elements:
    """Names and vectors of a graph's elements, cached across questions."""

    def __init__(self, resources: Resources):
        self.embedder = resources.embedder
        self._resources = resources
        self._kept: dict[str, NDArray[np.float16]] = {}

    def names(self, ids: Iterable[str]) -> Mapping[str, str]:
        """Display names by id: the index's, else the graph's."""
        wanted = list(ids)
        found = self._resources.index.name_of(wanted)
        missing = [id for id in wanted if id not in found and not is_blank(id)]
        graph = self._resources
        found |= node_names(graph.store, graph.schema, missing, graph.settings.languages)
        return {id: found.get(id, id) for id in wanted}

    def question(self, text: str) -> Floats:
        """The vector of a question, shape (dimension,)."""
        return np.asarray(self.embedder.embed([text])[0], np.float32)

    def nodes(self, hood: Neighbourhood) -> tuple[Floats, NDArray[np.bool_]]:
        """Vectors of the nodes, zeros without one, shape (nodes, dimension); which have one."""
        pairs = zip(hood.nodes, hood.names, strict=True)
        texts = [name if has_words(id, name) else "" for id, name in pairs]
        return self.texts(texts), np.array([bool(text) for text in texts], np.bool_)

    def relations(self, hood: Neighbourhood) -> Floats:
        """Vectors of the relations' words, shape (relations, dimension)."""
        return self.texts([self._resources.schema.by_id[id].text for id in hood.relations])

    def texts(self, texts: Sequence[str]) -> Floats:
        """Vectors of some texts, shape (texts, dimension); zeros for an empty one."""
        missing = [text for text in dict.fromkeys(texts) if text and text not in self._kept]
        made: dict[str, NDArray[np.float16]] = {}
        if missing:
            held = self._resources.index.vectors_of(missing)
            new = [text for text in missing if text not in held]
            if new:
                held.update(zip(new, self.embedder.embed(new), strict=True))
            # Rounded at once, so that a vector is the same the first time as later.
            made = {text: np.asarray(vector, np.float16) for text, vector in held.items()}
        rows = np.zeros((len(texts), self.embedder.dimension), np.float32)
        for place, text in enumerate(texts):
            if text:
                rows[place] = made[text] if text in made else self._kept[text]
        self._kept.update(made)
        for text in list(self._kept)[: max(0, len(self._kept) - KEPT)]:
            del self._kept[text]
        return rows


def has_words(id: str, name: str) -> bool:
    """Whether a node has a name with words in it.

    Example:
        >>> has_words("urn:x:heat", "Heat"), has_words("urn:x:m.05kh7j4", "m.05kh7j4")
        (True, False)
    """
    if is_literal(id) and literal_kind(id) in _VALUES:
        return False
    return not is_blank(name) and _NO_WORDS.fullmatch(name) is None


ROUNDS = 2


def node_encodings(
    heads: Places, tails: Places, topics: Places, nodes: int, rounds: int = ROUNDS
) -> Floats:
    """The encodings of all nodes, shape (nodes, 2 + 4 * rounds); zeros without incoming triples.

    Args:
        heads, tails: places of the nodes of each triple, shape (triples,).
        topics: places of the topics.

    Example:
        A topic 0 with one triple to node 1:

        >>> node_encodings(np.array([0]), np.array([1]), np.array([0]), 2, rounds=1)
        array([[1., 0., 0., 0., 0., 1.],
               [0., 1., 1., 0., 0., 0.]], dtype=float32)
    """
    start = np.zeros((2, nodes))
    start[1] = 1.0
    start[:, topics] = [[1.0], [0.0]]
    found = [start]
    for source, target in ((heads, tails), (tails, heads)):
        counts = np.maximum(np.bincount(target, minlength=nodes), 1)
        level = start
        for _ in range(rounds):
            level = np.stack(
                [np.bincount(target, row[source], minlength=nodes) / counts for row in level]
            )
            found.append(level)
    encodings: Floats = np.concatenate(found).T.astype(np.float32)
    return encodings


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
        vectors, relations: of the nodes (zeros for one without a name) and relations; not
            used for ``published``.
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
        question, relations: vectors, shapes (dimension,) and (relations, dimension).
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
