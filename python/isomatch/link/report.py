"""What a build of an index reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from isomatch.link.vectors import COLLECTIONS

KINDS = ("number", "date", "boolean")  # of names that are found by value


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a build did.

    Attributes:
        texts: distinct texts in the index, by collection.
        entries: names of graph elements; those of equal text share a vector.
        literals: numbers, dates and booleans, found by value.
        values: of these, how many of each kind.
        identifiers: of the texts of nodes, how many are UUIDs, hashes or codes
            (`isomatch.link.normalise.is_identifier`); None where it was not counted.
        embedded: texts that were embedded now.
        deleted: texts that were deleted.
        resumed: whether an earlier build that had not finished was continued.
        seconds: for all of it.
        rate: texts embedded in a second.
        approximate: collections with an approximate index.
    """

    texts: dict[str, int]
    entries: int
    literals: int
    embedded: int
    deleted: int
    resumed: bool
    seconds: float
    rate: float
    approximate: tuple[str, ...]
    values: dict[str, int] = field(default_factory=dict)
    identifiers: int | None = None


def report_of(counts: Mapping[str, int], approximate: tuple[str, ...], **done: Any) -> IndexReport:
    """The report of an index with these counts (`Manifest.counts`); ``done`` says what was done."""
    work = {"embedded": 0, "deleted": 0, "resumed": False, "seconds": 0.0, "rate": 0.0, **done}
    return IndexReport(
        texts={c: counts[c] for c in COLLECTIONS},
        entries=counts["entries"],
        literals=counts["literals"],
        approximate=approximate,
        values={kind: counts[kind] for kind in KINDS if counts.get(kind)},
        identifiers=counts.get("identifiers"),
        **work,
    )
