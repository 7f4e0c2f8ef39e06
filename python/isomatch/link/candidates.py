"""Candidates: for each known part of a pattern, graph elements by distance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from typing import Literal, Protocol, get_args

from isomatch.store.terms import is_literal

Kind = Literal["node", "relation", "type"]
KINDS: tuple[Kind, ...] = get_args(Kind)
ListKey = tuple[Kind, str, bool, bool]
VALUES = "values"
"""The group of the values that a text means."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One entry of a list.

    Attributes:
        id: id of the graph element (see `isomatch.store.base`).
        distance: L2 distance between the two texts' embeddings, 0 to 2; 0 for
            a literal that is equal by value.
        name: the graph element's text that was compared.
        alias: whether that is but an alias, or the name of a class; of equal distances
            it comes last.
        group: the entries of one group on a list are one interpretation: values that the text
            means, such as the days of a year, or all nodes of a name. Empty for an entry alone.
    """

    id: str
    distance: float
    name: str
    alias: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """The beginning of a list.

    Attributes:
        entries: ascending by (distance, alias, id); one entry an id.
        frontier: no entry is beyond it, and no element outside ``entries`` has a
            distance below it; `math.inf` when the list holds everything.
        approximate: whether it came from an approximate index.
    """

    entries: tuple[Candidate, ...]
    frontier: float
    approximate: bool = False

    @classmethod
    def of(cls, entries: Iterable[Candidate], frontier: float, approximate: bool) -> Page:
        """The page that ends at ``frontier``: entries beyond it are on a longer one."""
        within = (entry for entry in entries if entry.distance <= frontier)
        return cls(ordered(within), frontier, approximate)


def merge_pages(pages: Iterable[Page]) -> Page:
    """One page of several, up to the nearest frontier; an entry has its least distance."""
    entries: dict[str, Candidate] = {}
    frontier, approximate = inf, False
    for page in pages:
        for entry in page.entries:
            if entry.id not in entries or entry.distance < entries[entry.id].distance:
                entries[entry.id] = entry
        frontier = min(frontier, page.frontier)
        approximate = approximate or page.approximate
    return Page.of(entries.values(), frontier, approximate)


def ordered(entries: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Entries in the order of a list: by distance, names before aliases, then by id."""
    return tuple(sorted(entries, key=lambda c: (c.distance, c.alias, c.id)))


@dataclass(frozen=True, slots=True)
class CandidateList:
    """The nearest candidates for one text, as far as they have been fetched.

    Attributes:
        text: the pattern's words.
        kind: ``node``, ``relation`` or ``type``.
        entries, frontier, approximate: see `Page`.
        fixed: whether the length is given (the papers' k), so that nothing is added.
        of_value: whether the text is a value on an edge: only values are candidates.
        every: whether all nodes of a name are one choice (`isomatch.pattern.elements.Node.every`).
    """

    text: str
    kind: Kind
    entries: tuple[Candidate, ...]
    frontier: float = inf
    approximate: bool = False
    fixed: bool = False
    of_value: bool = False
    every: bool = False

    def __post_init__(self) -> None:
        # A search takes entries in this order, and proves by it.
        distances = [entry.distance for entry in self.entries]
        if any(b < a for a, b in pairwise(distances)):
            raise ValueError(f"the entries for {self.text!r} are not ascending by distance")
        if distances and distances[-1] > self.frontier:
            raise ValueError(f"an entry for {self.text!r} is beyond the frontier of the list")

    @classmethod
    def of(cls, text: str, kind: Kind, entries: Sequence[Candidate]) -> CandidateList:
        """A list that is complete as given."""
        return cls(text, kind, ordered(entries))

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.entries)

    def __getitem__(self, index: int) -> Candidate:
        return self.entries[index]

    @property
    def key(self) -> ListKey:
        """Identifies the list: equal words have one list, in all of its lengths."""
        return self.kind, self.text, self.of_value, self.every

    @property
    def exhausted(self) -> bool:
        """Whether no more entries can be fetched."""
        return self.fixed or self.frontier == inf

    @property
    def lacks_grouped(self) -> bool:
        """Whether a group may have more entries than are on the list."""
        return any(c.group and c.distance >= self.frontier for c in self.entries)

    def with_page(self, page: Page) -> CandidateList:
        """The same list with the entries of another page."""
        entries = page.entries
        if self.every:  # values have no names
            nodes = (entry for entry in entries if not is_literal(entry.id))
            entries = tuple(replace(entry, group=f"name {entry.name}") for entry in nodes)
        return replace(self, entries=entries, frontier=page.frontier, approximate=page.approximate)

    def cut(self, length: int) -> CandidateList:
        """The list, fixed at ``length`` entries."""
        frontier = self.entries[length].distance if len(self) > length else self.frontier
        return replace(self, entries=self.entries[:length], frontier=frontier, fixed=True)


class CandidateSource(Protocol):
    """Where candidate lists come from, to fetch more of one."""

    def widened(self, found: CandidateList, limit: int) -> CandidateList:
        """The list with at least ``limit`` entries, unless there are no more.

        Raises:
            VectorIndexError: the vectors cannot be searched.
        """


@dataclass(frozen=True, slots=True)
class Candidates:
    """What `link` hands to `plan`.

    Attributes:
        nodes: by pattern node id, for known nodes.
        relations: by pattern edge index, for known relations.
        types: by pattern node id, for typed nodes; empty where the graph has no
            types (then ``notes`` says so).
        notes: in words, for the result.
        source: gives longer lists; needed unless all lists are exhausted.
    """

    nodes: Mapping[str, CandidateList]
    relations: Mapping[int, CandidateList]
    types: Mapping[str, CandidateList]
    notes: tuple[str, ...] = ()
    source: CandidateSource | None = None

    def __post_init__(self) -> None:
        if self.source is None and not all(found.exhausted for found in self.lists):
            raise ValueError("lists that can be widened need a source")
        by_key: dict[ListKey, CandidateList] = {}
        for found in self.lists:
            if by_key.setdefault(found.key, found) != found:
                raise ValueError(f"two lists of {found.key} differ: a search takes them for one")

    @property
    def lists(self) -> Iterator[CandidateList]:
        """All lists; one that several parts share comes several times."""
        for lists in (self.nodes, self.relations, self.types):
            yield from lists.values()
