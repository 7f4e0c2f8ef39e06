"""The manifest of an index: one small file, whose atomic replacement commits a build.

An index folder holds ``manifest.json`` and one folder for each generation
(``g1``, ``g2``, …) with ``names.db``, ``mentions/`` and ``vectors/``. The manifest names the
generation in force. A build writes the next one beside it, so that the old
index answers until the new manifest replaces the old one; a build that was
killed is resumed there.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from isomatch.errors import VectorIndexError
from isomatch.files import atomic_write

FORMAT = 4
METRIC = "Euclid"
WITHOUT = " without "  # between a graph's identity and what the settings leave out of it


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a finished index.

    Attributes:
        generation: the folder in force.
        vectors: generation of the vectors; an earlier one where a server's
            collections are changed in place.
        vector_kind: ``edge`` or ``qdrant``.
        embedder, dimension, metric: what made the vectors, and how they compare.
        fingerprint: of the graph when it was read.
        state: text of `isomatch.store.base.Store.state`; empty where the store cannot tell.
        counts: distinct ``texts`` by collection, ``entries`` and ``literals``.
        approximate: collections that have an approximate index (HNSW).
        without_nodes: whether nodes are left out, since the database has their vectors.
        updates: when the newest of the nodes was updated (`isomatch.schema.property_names`).
        created: when the graph began to be read, ISO 8601, UTC.
        basis: digest of all that the names and texts depend on beside the graph.
        reading: digest of what the names of each node depend on beside its own facts: where it
            is the same, only the names of nodes with other facts can differ. Empty where all
            has to be read again.
        files: of the generation, see `isomatch.link.checksums`; where the vectors are on a
            server, those of `isomatch.link.name_table` alone.
        format: version of this layout.
    """

    generation: str
    vectors: str
    vector_kind: str
    embedder: str
    dimension: int
    fingerprint: str
    counts: Mapping[str, int]
    approximate: tuple[str, ...] = ()
    metric: str = METRIC
    without_nodes: bool = False
    updates: Mapping[str, str] = field(default_factory=dict)
    created: str = ""
    state: str = ""
    basis: str = ""
    reading: str = ""
    files: dict[str, str] = field(default_factory=dict)
    format: int = field(default=FORMAT)

    def write(self, folder: Path) -> None:
        """Replace the folder's manifest atomically; the new one is durable."""
        with (
            atomic_write(folder / "manifest.json") as partial,
            partial.open("w", encoding="utf-8") as file,
        ):
            json.dump(asdict(self), file, indent=2)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())


def read(folder: Path) -> Manifest:
    """The manifest of the index in a folder.

    Raises:
        VectorIndexError: there is none, it is damaged, or of another format.
    """
    path = folder / "manifest.json"
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        if any(folder.glob("g*/names.db")):
            raise VectorIndexError(
                f"the index in {folder} is half-written: its first build did not finish. "
                "Run `isomatch index`: it continues where it stopped"
            ) from error
        raise VectorIndexError(f"no index in {folder}: run `isomatch index`") from error
    except (OSError, ValueError) as error:
        raise VectorIndexError(
            f"{path} cannot be read: {error}. Run `isomatch index` to rebuild the index"
        ) from error
    found = data.get("format") if isinstance(data, dict) else None
    if found != FORMAT:
        raise VectorIndexError(
            f"the index in {folder} has format {found}, this version of isomatch reads "
            f"{FORMAT}: run `isomatch index` to rebuild it"
        )
    try:
        known = {f.name for f in fields(Manifest)}
        values = {key: value for key, value in data.items() if key in known}
        values["approximate"] = tuple(values.get("approximate", ()))
        manifest = Manifest(**values)
        _check(manifest)
    except (TypeError, ValueError) as error:
        raise VectorIndexError(
            f"{path} is damaged: {error}. Run `isomatch index` to rebuild the index"
        ) from error
    return manifest


def _check(manifest: Manifest) -> None:
    """ValueError where a part has a value that no build writes."""
    kinds = {"int": int, "bool": bool, "str": str, "tuple[str, ...]": tuple}
    for part in fields(Manifest):
        value, name = getattr(manifest, part.name), str(part.type)
        if not isinstance(value, kinds.get(name, dict)):
            raise ValueError(f"{part.name} is {type(value).__name__}")
    parts = {**dict.fromkeys(manifest.approximate, ""), **manifest.updates, **manifest.files}
    if not all(isinstance(text, str) for pair in parts.items() for text in pair):
        raise ValueError("approximate, updates or files has what is no text")
    if not all(type(count) is int for count in manifest.counts.values()):
        raise ValueError("counts has what is no number")
    for generation in (manifest.generation, manifest.vectors):
        if not re.fullmatch("g[0-9]{1,9}", generation):
            raise ValueError(f"{generation!r} is no generation")


def last_updates(folder: Path) -> Mapping[str, str]:
    """`Manifest.updates` of the index in a folder; empty where there is no index to read."""
    try:
        return read(folder).updates
    except VectorIndexError:
        return {}


def made_from_of(folder: Path) -> tuple[str, str, str]:
    """`state`, `basis` and `fingerprint` of an index; empty where there is none to read."""
    try:
        manifest = read(folder)
    except VectorIndexError:
        return "", "", ""
    return manifest.state, manifest.basis, manifest.fingerprint


def embedder_of(folder: Path) -> str:
    """`Manifest.embedder` of the index in a folder; empty where there is no index to read."""
    try:
        return read(folder).embedder
    except VectorIndexError:
        return ""


def counts_words(texts: Mapping[str, int]) -> str:
    """How many names an index has, by collection: ``9 names, 2 relations, 0 types``."""
    words = {"nodes": "names"}  # a node may have several, and several nodes one
    return ", ".join(f"{count:,} {words.get(what, what)}" for what, count in texts.items())
