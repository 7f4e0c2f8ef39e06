"""The manifest of an index: one small file, whose atomic replacement commits a build.

An index folder holds ``manifest.json`` and one folder for each generation
(``g1``, ``g2``, …) with ``names.db``, ``mentions/`` and ``vectors/``. The manifest names the
generation in force. A build writes the next one beside it, so that the old
index answers until the new manifest replaces the old one; a build that was
killed is resumed there.

Checksums of the files of an index.

The vector engine reads what is there: from a damaged file it gives fewer points or others,
or it ends the process. So a manifest has the size, checksum and time of every file, and
they are compared before the engine opens any. A large file that has its size and time is
taken for what it was, unless all content is asked for. Large files that a generation shares
with the one before (`isomatch.files.link`) keep size and time, and so their entries.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from time import sleep
from zlib import crc32

from isomatch.errors import VectorIndexError
from isomatch.files import atomic_write, next_data

LARGE = 4 << 20  # bytes from which on a file of the same size and time is not read
_BLOCK = 1 << 20
_PASSING = ".atomicwrite"  # the engine writes a file in a folder of this name, then moves it
_TRIES = 4  # another process that opens the index writes its small files again
_WAIT = 0.05  # seconds


def checksums(
    folder: Path, part: str = "", known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Size, checksum and time of each file below a folder, or a part of it, by its path there.

    Args:
        folder: of the files.
        part: a folder below it.
        known: entries of large files that are taken over where size and time are the same.

    Raises:
        OSError: one cannot be read.
    """
    files = [
        Path(at, name)
        for at, _, names in os.walk(folder / part)
        if not os.path.basename(at).startswith(_PASSING)
        for name in names
        if not name.startswith(_PASSING)
    ]
    found = {}
    for path in sorted(files):
        name = path.relative_to(folder).as_posix()
        before = (known or {}).get(name, "")
        same = bool(before) and _is_large(path) and _is_same(path, before, whole=False)
        found[name] = before if same else _entry(path)
    return found


def damaged_file(folder: Path, recorded: Mapping[str, str], *, whole: bool = False) -> str | None:
    """The first file that is not as `checksums` saw it; None where all are.

    Args:
        whole: read the large files too, whatever their times.
    """
    for name, entry in recorded.items():
        for attempt in range(_TRIES):
            if attempt:
                sleep(_WAIT)
            if _is_same(folder / name, entry, whole):
                break
        else:
            return name
    return None


def _is_large(path: Path) -> bool:
    return path.stat().st_size >= LARGE


def _entry(path: Path) -> str:
    found = path.stat()
    return f"{found.st_size} {_checksum(path):08x} {found.st_mtime_ns}"


def _is_same(path: Path, entry: str, whole: bool) -> bool:
    try:
        size, checksum, time = entry.split()
        found = path.stat()
        if str(found.st_size) != size:
            return False
        if not whole and found.st_size >= LARGE and str(found.st_mtime_ns) == time:
            return True
        return f"{_checksum(path):08x}" == checksum
    except (OSError, ValueError):
        return False


def _checksum(path: Path) -> int:
    """CRC-32 of the blocks that are not empty, with their places: the engine's files have holes."""
    found = place = 0
    with path.open("rb", buffering=0) as file:
        while True:
            place = next_data(file.fileno(), place, _BLOCK)
            file.seek(place)
            if not (block := file.read(_BLOCK)):
                return found
            if block != bytes(len(block)):
                found = crc32(block, crc32(place.to_bytes(8, "big"), found))
            place += len(block)


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
        files: of the generation, see `isomatch.link.manifest`; where the vectors are on a
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
