"""What a SPARQL endpoint can do, and the file that it is saved in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import time
from typing import Any, TypeVar

from isomatch.errors import StoreError
from isomatch.files import write_json
from isomatch.settings.endpoint import Endpoint

FORMAT = 2
MOST_DAYS = 7  # that a saved profile is used: servers are configured anew

_AROUND = 400  # characters of a query around its lists of ids, at most
_BETWEEN = 4  # around an id

AnyRow = TypeVar("AnyRow", bound=tuple[str, ...])

_OVERRIDES = ("engine", "row_cap", "values_block", "longest_query", "text_search")


@dataclass(frozen=True, slots=True)
class Profile:
    """What an endpoint can do, found by asking it (`isomatch.store.sparql.probe`).

    Attributes:
        engine: one of `isomatch.settings.endpoint.ENGINES`, or ``unknown``.
        version: as the engine says it; empty where it does not.
        rows: rows that one answer was seen to hold. An answer with fewer is whole;
            of any other that has to be made sure.
        row_cap: rows that one answer holds at most; None where none was met.
        longest_query: characters of a query that was understood.
        values_block: ids that one query may list.
        cheap_counts: whether all triples are counted fast.
        text_search: ``virtuoso``, ``jena``, ``graphdb``, ``qlever``, ``wikidata``, or
            None where there is no text index.
        asked: time of day when the endpoint was asked, if it was by an earlier process.
    """

    engine: str = "unknown"
    version: str = ""
    rows: int = 1
    row_cap: int | None = None
    longest_query: int = 50_000
    values_block: int = 500
    cheap_counts: bool = False
    text_search: str | None = None
    asked: float | None = field(default=None, compare=False)

    def of(self, endpoint: Endpoint) -> Profile:
        """With what the user says of the endpoint in place of what was found."""
        stated = {key: getattr(endpoint, key) for key in _OVERRIDES}
        given: dict[str, Any] = {k: value for k, value in stated.items() if value is not None}
        if endpoint.row_cap is not None:
            given["rows"] = endpoint.row_cap
        return replace(self, **given)

    def words(self) -> str:
        """On one line, for people.

        Example:
            >>> Profile("virtuoso", "7.2", rows=10000, row_cap=10000).words()  # doctest: +ELLIPSIS
            'virtuoso 7.2; at most 10,000 rows an answer, which is paged around; 500 ids…'
        """
        rows = (
            f"at most {self.row_cap:,} rows an answer, which is paged around"
            if self.row_cap
            else f"no limit of rows met up to {self.rows:,}"
        )
        parts = [
            f"{self.engine} {self.version}".strip(),
            rows,
            f"{self.values_block:,} ids and {self.longest_query:,} characters a query",
            "counts fast" if self.cheap_counts else "counts slowly",
            f"text search of {self.text_search}" if self.text_search else "no text search",
        ]
        if self.asked is not None:
            hours = max(0.0, time() - self.asked) / 3600
            age = f"{hours / 24:.0f} days" if hours >= 48 else f"{hours:.1f} hours"
            parts.append(f"asked {age} ago")
        return "; ".join(parts)


def save_profile(path: Path, endpoint: Endpoint, profile: Profile) -> None:
    """Write a profile atomically.

    Raises:
        StoreError: the file cannot be written.
    """
    content = {
        "format": FORMAT,
        "endpoint": _key(endpoint),
        "asked": time(),
        "profile": asdict(profile),
    }
    try:
        write_json(path, content)
    except OSError as error:
        raise StoreError(f"the endpoint's profile cannot be written to {path}: {error}") from error


def load_profile(path: Path, endpoint: Endpoint) -> Profile | None:
    """The profile that was saved for this endpoint; None for none, an old one, or another's."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != FORMAT or content["endpoint"] != _key(endpoint):
            return None
        if not 0 <= time() - content["asked"] <= MOST_DAYS * 86_400:
            return None
        return Profile(**{**content["profile"], "asked": float(content["asked"])})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _key(endpoint: Endpoint) -> dict[str, Any]:
    """What a profile holds for: who asks counts too, servers limit some more than others."""
    fields = {"url", "graphs", "named_graphs", "username", "format", *_OVERRIDES}
    return endpoint.model_dump(mode="json", include=fields)


def in_blocks(
    profile: Profile, rows: Sequence[AnyRow], *, share: int = 1
) -> Iterator[list[AnyRow]]:
    """Lists of rows of ids, such that a query may list all of one.

    Args:
        share: how many such lists a query holds.
    """
    ids, characters = profile.values_block // share, profile.longest_query // share
    block: list[AnyRow] = []
    length = _AROUND
    for row in rows:
        size = sum(map(len, row)) + _BETWEEN * len(row)
        if block and (len(row) * (len(block) + 1) > ids or length + size > characters):
            yield block
            block, length = [], _AROUND
        block.append(row)
        length += size
    if block:
        yield block
