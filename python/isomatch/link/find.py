"""Find elements of a graph by a text: by meaning and by spelling.

For people who look before they ask. The candidate lists of a search are ordered by
distance alone, and its proofs rest on that; here a name that is one or two edits from the
text stands before others, however far the embedder has it.
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

Spelling = Literal["same", "one edit", "two edits", "other"]
_MOST = 100  # elements that names so near may add
_SPELLED = 5  # characters from which on names of nodes two edits away are looked for


@dataclass(frozen=True, slots=True)
class Finding:
    """An element of the graph that a text may mean.

    Attributes:
        kind: ``node``, ``relation`` or ``type``.
        id: of the element (see `isomatch.store.base`).
        name: the element's name that was compared.
        distance: L2 distance between the embeddings of text and name, 0 to 2.
        spelling: ``same`` after case, accents and punctuation, ``one edit`` or
            ``two edits`` away, or ``other``. Two are looked for among nodes, where no name
            is nearer.
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

    The same name stands first, else names that are one edit away, else names of nodes that
    are two edits away; then others. Each by distance.

    Raises:
        ConfigurationError: the text is empty, or a kind is none.
        VectorIndexError: the vectors cannot be searched.
        EmbeddingError: the text could not be embedded.
    """
    if not isinstance(text, str) or not text.strip():
        raise ConfigurationError("there is nothing to find: the text is empty")
    if unknown := sorted(set(kinds) - set(KINDS)):
        raise ConfigurationError(f"a kind is one of {', '.join(KINDS)}, not {unknown[0]!r}")
    lists, vector = nearest(text, limit, index, embedder)
    found: list[Finding] = []
    for kind in [kind for kind in KINDS if kind in kinds]:
        same = [c for c in lists[kind] if normalise(c.name) == normalise(lists[kind].text)]
        spelling: Spelling = "same"
        alike: list[Candidate] = []
        if not same:
            spelling, alike = _alike(lists[kind], vector, index)
        first = {c.id: c for c in sorted(same or alike, key=partial(_order, text))}
        others = [c for c in lists[kind] if c.id not in first]
        found += [_finding(kind, c, spelling) for c in first.values()][:limit]
        found += [_finding(kind, c, "other") for c in others[: max(limit - len(first), 0)]]
    return tuple(found)


def _order(text: str, candidate: Candidate) -> tuple[float, float, str]:
    """By distance, which ignores letter case under most embedders; then by the very letters."""
    alike = SequenceMatcher(None, text, candidate.name, autojunk=False).ratio()
    return candidate.distance, -alike, candidate.id


def _finding(kind: Kind, candidate: Candidate, spelling: Spelling) -> Finding:
    return Finding(kind, candidate.id, candidate.name, candidate.distance, spelling)


def _alike(found: CandidateList, vector: Matrix, index: Index) -> tuple[Spelling, list[Candidate]]:
    """What has a name one edit from the text of a list, or else two; nearest first."""
    collection = f"{found.kind}s"
    spelling: Spelling = "one edit"
    names = {text.point: text for text in index.by_spelling(collection, found.text)}
    if not names and found.kind == "node" and len(normalise(found.text)) >= _SPELLED:
        spelling = "two edits"
        names = {text.point: text for text in index.two_edits(found.text)}
    if not names:
        return spelling, []
    keys = index.keys(names.values(), _MOST)
    ((points, distances),) = index.search(
        collection, vector[None], len(names), within=[list(names)]
    )
    return spelling, [
        Candidate(key, distance_of(distance), names[point].text)
        for point, distance in zip(points.tolist(), distances.tolist(), strict=True)
        for key in keys[point]
    ]
