"""Candidates: for each known part of a pattern, graph elements by distance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

Kind = Literal["node", "relation", "type"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One entry of a list.

    Attributes:
        id: id of the graph element (see `isomatch.store.base`).
        distance: L2 distance between the two texts' embeddings, 0 to 2; 0 for
            a literal that is equal by value.
        name: the graph element's text that was compared.
    """

    id: str
    distance: float
    name: str


@dataclass(frozen=True, slots=True)
class Page:
    """The beginning of a list.

    Attributes:
        entries: ascending by (distance, id); one entry an id.
        frontier: no element outside ``entries`` has a distance below it;
            `math.inf` when the list holds everything.
        approximate: whether it came from an approximate index.
    """

    entries: tuple[Candidate, ...]
    frontier: float
    approximate: bool = False


def merged(pages: Iterable[Page]) -> Page:
    """One page of several: what is on more than one counts with its least distance."""
    entries: dict[str, Candidate] = {}
    frontier, approximate = inf, False
    for page in pages:
        for entry in page.entries:
            if entry.id not in entries or entry.distance < entries[entry.id].distance:
                entries[entry.id] = entry
        frontier = min(frontier, page.frontier)
        approximate = approximate or page.approximate
    ordered = sorted(entries.values(), key=lambda c: (c.distance, c.id))
    return Page(tuple(ordered), frontier, approximate)


class CandidateList:
    """A lazy, ascending list of candidates for one text.

    Entries are fetched by ``fetch(limit)``, which returns a `Page` of at least
    ``limit`` entries unless there are no more. Not thread-safe.
    """

    def __init__(
        self,
        text: str,
        kind: Kind,
        fetch: Callable[[int], Page],
        first: Page | None = None,
        fixed: int | None = None,
    ):
        """``fixed`` keeps the list at that many entries (the papers' k)."""
        self.text = text
        self.kind = kind
        self.fixed = fixed
        self._fetch = fetch
        self._page = first if first is not None else fetch(fixed or 16)
        if fixed is not None:
            kept = self._page.entries[:fixed]
            cut = self._page.entries[fixed : fixed + 1]
            frontier = cut[0].distance if cut else self._page.frontier
            self._page = Page(kept, frontier, self._page.approximate)

    @classmethod
    def of(cls, text: str, kind: Kind, entries: Sequence[Candidate]) -> CandidateList:
        """A list that is complete as given (tests, value links, few relations)."""
        page = Page(tuple(sorted(entries, key=lambda c: (c.distance, c.id))), inf)
        return cls(text, kind, lambda _: page, page)

    def __len__(self) -> int:
        return len(self._page.entries)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self._page.entries)

    def __getitem__(self, index: int) -> Candidate:
        return self._page.entries[index]

    @property
    def entries(self) -> tuple[Candidate, ...]:
        """What has been fetched so far, ascending."""
        return self._page.entries

    @property
    def frontier(self) -> float:
        """No element that is not in `entries` is nearer than this."""
        return self._page.frontier

    @property
    def approximate(self) -> bool:
        """Whether the entries came from an approximate index."""
        return self._page.approximate

    @property
    def exhausted(self) -> bool:
        """Whether `widen` can bring no more."""
        return self.fixed is not None or self._page.frontier == inf

    def widen(self, to: int | None = None) -> bool:
        """Fetch more: to ``to`` entries, or four times as many as now.

        Returns whether there are more entries than before.
        """
        if self.exhausted:
            return False
        before = len(self)
        self._page = self._fetch(max(to or 0, before * 4, 16))
        return len(self) > before


@dataclass(frozen=True, slots=True)
class Candidates:
    """What `link` hands to `plan`.

    Attributes:
        nodes: by pattern node id, for known nodes.
        relations: by pattern edge index, for known relations.
        types: by pattern node id, for typed nodes; empty where the graph has no
            types (then ``notes`` says so).
        notes: in words, for the result.
    """

    nodes: Mapping[str, CandidateList]
    relations: Mapping[int, CandidateList]
    types: Mapping[str, CandidateList]
    notes: tuple[str, ...] = ()
