"""The candidate lists of a search, widened as the search goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf

from isomatch.link.candidates import (
    Candidate,
    CandidateList,
    Candidates,
    CandidateSource,
    ListKey,
)

# How many times as many entries a widened list has, and the fewest.
GROWTH = 4
FEWEST = 16


class SearchedList:
    """A candidate list in a search; the parts of the pattern with equal words share it.

    Attributes:
        found: the list as it is now.
    """

    def __init__(self, found: CandidateList, source: CandidateSource | None):
        self.found = found
        self._source = source

    def widen(self, limit: int = 0) -> bool:
        """Fetch up to ``limit`` entries or four times as many as now; whether more came."""
        before = self.found
        if before.exhausted or self._source is None:
            return False
        limit = max(limit, len(before) * GROWTH, FEWEST)
        self.found = self._source.widened(before, limit)
        return len(self.found) > len(before)


def searched_lists(candidates: Candidates) -> dict[ListKey, SearchedList]:
    """The lists that a search begins with."""
    return {found.key: SearchedList(found, candidates.source) for found in candidates.lists}


def as_searched(candidates: Candidates, lists: Mapping[ListKey, SearchedList]) -> Candidates:
    """Candidates with the lists as a search widened them."""
    return replace(
        candidates,
        nodes={part: lists[one.key].found for part, one in candidates.nodes.items()},
        relations={part: lists[one.key].found for part, one in candidates.relations.items()},
        types={part: lists[one.key].found for part, one in candidates.types.items()},
    )


class Stream:
    """A candidate list as the search reads it: grown on demand, never reordered.

    A list from an approximate index may change its order when it is widened;
    what was read keeps its place here, and later entries come after it. Equal
    words share one list, so another stream may have widened it: `refresh` reads
    the new entries.
    """

    def __init__(self, source: SearchedList, weight: float = 1.0):
        self._source = source
        self._weight = weight
        self._seen: set[str] = set()
        self.entries: list[Candidate] = []
        self.distances: list[float] = []
        self.refresh()

    def refresh(self) -> None:
        """Read new entries of the list; call it before comparing `entries` with `frontier`."""
        entries = self._source.found.entries
        if len(entries) == len(self.entries):
            return
        for entry in entries:
            if entry.id not in self._seen:
                self._seen.add(entry.id)
                self.entries.append(entry)
                self.distances.append(entry.distance * self._weight)

    @property
    def least(self) -> float:
        """The smallest distance; `math.inf` for an empty list."""
        return self.distances[0] if self.distances else inf

    @property
    def frontier(self) -> float:
        """No entry beyond `entries` is nearer; `math.inf` when there is none."""
        frontier = self._source.found.frontier
        return frontier * self._weight if frontier < inf else inf

    @property
    def open(self) -> bool:
        """Whether more can be fetched."""
        return not self._source.found.exhausted

    @property
    def approximate(self) -> bool:
        """Whether the entries came from an approximate index."""
        return self._source.found.approximate

    def chosen(self, index: int) -> Candidate:
        """An entry with its weighted distance."""
        entry = self.entries[index]
        return entry if self._weight == 1 else replace(entry, distance=self.distances[index])

    def widen(self) -> bool:
        """Fetch more entries; whether there were any."""
        before = len(self.entries)
        self.refresh()
        if len(self.entries) == before:
            self._source.widen()
            self.refresh()
        return len(self.entries) > before
