"""Find elements of a graph by a text: by meaning and by spelling.

For people who look before they ask. The candidate lists of a search are ordered by
distance alone, and its proofs rest on that; here a name that is one edit from the text
stands before others, however far the embedder has it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from typing import TYPE_CHECKING, Literal

from isomatch.errors import ConfigurationError
from isomatch.link.candidates import KINDS, Candidate, CandidateList, Kind
from isomatch.link.linker import distance_of, nearest
from isomatch.link.normalise import normalise

if TYPE_CHECKING:
    from isomatch.link.embedder import Embedder
    from isomatch.link.index import Index
    from isomatch.link.vectors import Matrix

Spelling = Literal["same", "one edit", "other"]
_MOST = 100  # elements that names one edit away may add


@dataclass(frozen=True, slots=True)
class Finding:
    """An element of the graph that a text may mean.

    Attributes:
        kind: ``node``, ``relation`` or ``type``.
        id: of the element (see `isomatch.store.base`).
        name: the element's name that was compared.
        distance: L2 distance between the embeddings of text and name, 0 to 2.
        spelling: ``same`` after case, accents and punctuation, ``one edit`` away, or ``other``.
    """

    kind: Kind
    id: str
    name: str
    distance: float
    spelling: Spelling


def find(
    text: str,
    index: Index,
    embedder: Embedder,
    *,
    kinds: Collection[str] = KINDS,
    limit: int = 10,
) -> tuple[Finding, ...]:
    """What a text may mean: kind by kind, the likeliest ``limit`` of each.

    The same name stands first, then names that are one edit away, then others; each
    by distance.

    Raises:
        ConfigurationError: the text is empty, or a kind is none.
        VectorIndexError: the vectors cannot be searched.
        EmbeddingError: the text could not be embedded.
    """
    if not text.strip():
        raise ConfigurationError("there is nothing to find: the text is empty")
    if unknown := sorted(set(kinds) - set(KINDS)):
        raise ConfigurationError(f"a kind is one of {', '.join(KINDS)}, not {unknown[0]!r}")
    lists, vector = nearest(text, limit, index, embedder)
    found: list[Finding] = []
    for kind in [kind for kind in KINDS if kind in kinds]:
        same = [c for c in lists[kind] if normalise(c.name) == normalise(lists[kind].text)]
        alike = [] if same else _alike(lists[kind], vector, index)
        first = {c.id: c for c in sorted(same or alike, key=partial(_order, text))}
        others = [c for c in lists[kind] if c.id not in first]
        found += [_finding(kind, c, "same" if same else "one edit") for c in first.values()][:limit]
        found += [_finding(kind, c, "other") for c in others[: max(limit - len(first), 0)]]
    return tuple(found)


def _order(text: str, candidate: Candidate) -> tuple[float, float, str]:
    """By distance, which ignores letter case under most embedders; then by the very letters."""
    alike = SequenceMatcher(None, text, candidate.name, autojunk=False).ratio()
    return candidate.distance, -alike, candidate.id


def _finding(kind: Kind, candidate: Candidate, spelling: Spelling) -> Finding:
    return Finding(kind, candidate.id, candidate.name, candidate.distance, spelling)


def _alike(found: CandidateList, vector: Matrix, index: Index) -> list[Candidate]:
    """What has a name one edit from the text of a list, nearest first."""
    collection = f"{found.kind}s"
    names = {text.point: text for text in index.by_spelling(collection, found.text)}
    if not names:
        return []
    keys = index.keys(names.values(), _MOST)
    ((points, distances),) = index.search(
        collection, vector[None], len(names), within=[list(names)]
    )
    return [
        Candidate(key, distance_of(distance), names[point].text)
        for point, distance in zip(points.tolist(), distances.tolist(), strict=True)
        for key in keys[point]
    ]
