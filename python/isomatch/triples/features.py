"""Names and vectors of a graph's elements, as features of triples.

The vectors of nodes and relations are those of the index. A node without a name, or
whose name has no words (``m.05kh7j4``), and a number, a date or a boolean have none: a
model has one learned vector for all of these, as published (SubgraphRAG's non-text
entities).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from isomatch.schema.names import node_names
from isomatch.store.terms import is_blank, is_literal, literal_kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.resources import Resources
    from isomatch.triples.neighbourhood import Neighbourhood

    Floats = NDArray[np.float32]

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
