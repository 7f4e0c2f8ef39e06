"""Load files into the embedded store, all or nothing.

A graph folder holds a manifest, and a sub-folder for each generation of the
data. A load writes a new generation (beginning with hard links to the current
one's files when it adds to it) and then replaces the manifest, which is one
atomic rename: until then readers and later runs see the old graph, whatever
happens to the load. What a killed load left is removed by the next one. A load
that added nothing keeps the current generation, and so its index stays good.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import IO, Any, cast
from uuid import uuid4

import pyoxigraph as ox

from isomatch.errors import LoadError, StoreError
from isomatch.files import hold
from isomatch.store.changes import Watch, keep, triples_in
from isomatch.store.oxigraph import (
    ENGINE_ERRORS,
    FORMAT,
    MANIFEST,
    READERS,
    OxigraphStore,
    load_command,
    manifest,
)
from isomatch.store.source import GoodLines, Progress, Source, lines_of, no_file, no_json_ld
from isomatch.store.tabular import BadRow, ValueColumns, read_triples, table_rows

TABLE = "table"
FORMATS: dict[str, ox.RdfFormat | str] = {
    **dict.fromkeys(("nt", "ntriples", "n-triples"), ox.RdfFormat.N_TRIPLES),
    **dict.fromkeys(("ttl", "turtle"), ox.RdfFormat.TURTLE),
    **dict.fromkeys(("rdf", "xml", "owl", "rdfxml", "rdf/xml"), ox.RdfFormat.RDF_XML),
    "trig": ox.RdfFormat.TRIG,
    **dict.fromkeys(("nq", "nquads", "n-quads"), ox.RdfFormat.N_QUADS),
    **dict.fromkeys(("jsonld", "json", "json-ld"), ox.RdfFormat.JSON_LD),
    **dict.fromkeys(("csv", "tsv", "txt", "tab", "psv", TABLE), TABLE),
}
_LINE_BASED = (ox.RdfFormat.N_TRIPLES, ox.RdfFormat.N_QUADS)
_GENERATION = re.compile(r"[0-9a-f]{32}")
_LOCK = "load.lock"
_BAD_ROWS_KEPT = 1000


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """One file of a load: path as given, format, size and hash as on disk."""

    path: str
    format: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did.

    Attributes:
        triples: distinct ones in the graph now, labels included.
        added: how many of them are new.
        files: in the order given.
        changed: whether the graph is another one now; an index made before is stale.
        seconds: how long it took.
        skipped: number of bad rows that were left out.
        bad: the first 1,000 of them.
        store: the graph, for a load into memory; None for one on disk.
        note: that a table may be none of triples, or JSON none of JSON-LD, where it looks so.
    """

    triples: int
    added: int
    files: tuple[LoadedFile, ...]
    seconds: float
    changed: bool = True
    skipped: int = 0
    bad: tuple[BadRow, ...] = ()
    store: OxigraphStore | None = None
    note: str | None = None


def load(
    paths: Sequence[Path | str],
    target: Path | str | None,
    *,
    format: str | None = None,
    delimiter: str | None = None,
    base: str | None = None,
    skip_bad: bool = False,
    replace: bool = False,
    progress: Progress | None = None,
) -> LoadReport:
    """Load files into a graph, all of them or nothing.

    Args:
        paths: files to load; gzip is recognised by its content.
        target: folder of the graph, made if need be; None loads into memory.
        format: a key of `FORMATS`; None goes by each file's extension.
        delimiter: of tables; None finds it.
        base: IRI that relative ones are resolved against; for tables, the
            beginning of the IRIs that are made.
        skip_bad: leave out bad rows of tables, N-Triples and N-Quads.
        replace: start from an empty graph, not from the one that is there.
        progress: called with (bytes done, bytes in all).

    Raises:
        LoadError: a file is missing or malformed, the disk is full, or another
            load is running; the graph is as it was before.
    """
    started = perf_counter()
    job = _Job([Path(p) for p in paths], format, delimiter, base, skip_bad, progress)
    if target is None:
        graph = ox.Store()
        triples, before = job.fill(graph)
        return job.report(triples, before, started, OxigraphStore.memory(graph))
    target = Path(target)
    with _locked(target):
        current = _current(target, replace)
        if current or not (target / MANIFEST).exists():
            _remove_leftovers(target, current)
        kept = None if replace else current
        generation = uuid4().hex
        folder = target / generation
        try:
            try:
                old = target / current["generation"] if current else None
                triples, before, changed = _build(folder, old, job, adds=kept is not None)
                if current and current["triples"] and not triples:
                    raise LoadError(
                        f"no triples were found in {', '.join(map(str, paths))}, so the graph of "
                        f"{current['triples']:,} triples stays: to be rid of it, delete {target}"
                        + (f". {job.empty}" if job.empty else "")
                    )
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
            if changed:
                _publish(target, generation, triples, job, kept["files"] if kept else [])
        except ENGINE_ERRORS as error:
            mend = f". If the graph there is damaged: {load_command(target)} --replace"
            raise LoadError(
                f"the load into {target} stopped and changed nothing: {error}{mend if kept else ''}"
            ) from error
        _remove_leftovers(target, manifest(target))
    return job.report(triples, before, started, None, changed)


class _Job:
    """The files of one load and what was found in them."""

    def __init__(
        self,
        paths: list[Path],
        format: str | None,
        delimiter: str | None,
        base: str | None,
        skip_bad: bool,
        progress: Progress | None,
    ):
        if delimiter is not None and len(delimiter) != 1:
            raise LoadError(f"the delimiter must be one character, not {delimiter!r}")
        if not paths:
            raise LoadError("no file to load was given")
        self.formats = [(path, _format_of(path, format)) for path in paths]
        if skip_bad:
            for path, kind in self.formats:
                if kind != TABLE and kind not in _LINE_BASED:
                    raise LoadError(
                        f"{path}: bad rows can be skipped in tables, N-Triples and N-Quads, "
                        f"not in {kind}, where one error can change the meaning of all that follows"
                    )
        self.delimiter, self.base, self.skip_bad = delimiter, base, skip_bad
        self.progress = progress
        self.total = sum(_size(path) for path in paths)
        self.done = 0
        self.files: list[LoadedFile] = []
        self.bad: list[BadRow] = []
        self.skipped = 0
        self.values = ValueColumns()
        self.watch: Watch | None = None  # where there is a graph to compare with
        self.empty = ""  # what a file without triples may lack

    def fill(self, graph: ox.Store) -> tuple[int, int]:
        """Load every file; (triples now, triples before)."""
        before = triples_in(graph)
        self._find_values()
        for path, kind in self.formats:
            with Source(path, self._advance) as source:
                self._file(graph, source, path, kind)
                self.done += source.bytes
                self.files.append(LoadedFile(str(path), str(kind), source.bytes, source.sha256))
        _copy_to_default_graph(graph)
        return triples_in(graph), before

    def _find_values(self) -> None:
        """Read the tables ahead, for which of their relations lead to values."""
        tables = [path for path, kind in self.formats if kind == TABLE]
        for look in (self.values.read, self.values.without_heads) if tables else ():
            for path in tables:
                # A file that cannot be read is told when it is loaded.
                with (
                    suppress(OSError, EOFError, zlib.error),
                    Source(path, lambda _: None) as source,
                ):
                    look(table_rows(source.stream, self.delimiter))

    def _advance(self, bytes_of_file: int) -> None:
        if self.progress is not None:
            self.progress(self.done + bytes_of_file, self.total)

    def _file(self, graph: ox.Store, source: Source, path: Path, kind: ox.RdfFormat | str) -> None:
        try:
            if isinstance(kind, str):
                quads = read_triples(
                    source.stream,
                    str(path),
                    self._on_bad,
                    delimiter=self.delimiter,
                    base=self.base,
                    values=self.values,
                )
                graph.bulk_extend(quads if self.watch is None else self.watch.of(quads))
                return
            if self.watch is not None:
                self.watch.missed()  # the engine reads these by itself
            if self.skip_bad:
                good = GoodLines(source.stream, kind, self.base, partial(self._bad_line, path))
                graph.bulk_load(cast("IO[bytes]", good), kind, base_iri=self.base)
            else:
                graph.bulk_load(source.stream, kind, base_iri=self.base)
            if kind == ox.RdfFormat.JSON_LD and not self.empty:
                self.empty = no_json_ld(path)
        except SyntaxError as error:
            raise _syntax_error(path, error, kind in _LINE_BASED) from error
        except (EOFError, zlib.error, *ENGINE_ERRORS) as error:
            raise LoadError(f"loading {path} failed: {error}. Nothing was loaded") from error

    def _bad_line(self, path: Path, number: int, reason: str, line: bytes) -> None:
        text = line[:800].decode("utf-8", "replace").strip()[:200]
        self._on_bad(BadRow(str(path), number, reason, text))

    def _on_bad(self, row: BadRow) -> None:
        if not self.skip_bad:
            raise LoadError(
                f"{row.file}, line {row.line}: {row.reason}: {row.text!r}. Nothing was loaded; "
                "mend the row, or leave out bad ones with --skip-bad"
            )
        self.skipped += 1
        if len(self.bad) < _BAD_ROWS_KEPT:
            self.bad.append(row)

    def report(
        self,
        triples: int,
        before: int,
        started: float,
        store: OxigraphStore | None,
        changed: bool = True,
    ) -> LoadReport:
        """The report of a load that went well."""
        return LoadReport(
            triples,
            triples - before,
            tuple(self.files),
            perf_counter() - started,
            changed,
            self.skipped,
            tuple(self.bad),
            store,
            self.values.doubt() or self.empty or None,
        )


def _build(folder: Path, old: Path | None, job: _Job, *, adds: bool) -> tuple[int, int, bool]:
    """Write a generation.

    Args:
        folder: of the new generation.
        old: of the current one, if any.
        job: what to load.
        adds: begin with hard links to the files of the current one.

    Returns:
        triples now, triples before, and whether it holds anything that the old one does not.
    """
    current = _to_compare(old, needed=adds)
    if current is not None:
        job.watch = Watch(current, adds=adds)
        if adds:
            current.backup(str(folder))
    graph = ox.Store(str(folder))
    triples, before = job.fill(graph)
    # A known triple may be new to a named graph: that is no new triple, but a change.
    if adds and current is not None and triples == before and len(graph) == len(current):
        return triples, before, False
    graph.flush()
    graph.optimize()
    (folder / READERS).touch()
    if old is not None and job.watch is not None:
        keep(folder, old, old.name, job.watch.changed(graph))
    return triples, before, True


def _to_compare(old: Path | None, *, needed: bool) -> ox.Store | None:
    """The current generation; None where there is none, or it is damaged and is replaced."""
    try:
        return None if old is None else ox.Store.read_only(str(old))
    except ENGINE_ERRORS:
        if needed:
            raise
        return None


def _current(target: Path, replace: bool) -> dict[str, Any] | None:
    """The manifest; a damaged one is none where the graph is to be replaced."""
    try:
        return manifest(target)
    except StoreError:
        if replace:
            return None
        raise


def _publish(
    target: Path, generation: str, triples: int, job: _Job, earlier: list[dict[str, Any]]
) -> None:
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    content = {
        "format": FORMAT,
        "generation": generation,
        "triples": triples,
        "files": [*earlier, *({**asdict(file), "loaded": now} for file in job.files)],
    }
    draft = target / f"{MANIFEST}.partial"
    with draft.open("w", encoding="utf-8") as out:
        json.dump(content, out, indent=1)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(target / MANIFEST)


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    """The folder, made if need be, with no other load running in it."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        strange = [
            p.name
            for p in target.iterdir()
            if p.name not in (MANIFEST, f"{MANIFEST}.partial", _LOCK)
            and not _GENERATION.fullmatch(p.name)
        ]
        if strange:
            kind = "an Oxigraph database of its own" if "CURRENT" in strange else "other files"
            raise LoadError(
                f"{target} holds {kind} ({sorted(strange)[0]}), and nothing is written there. "
                "Load into a folder of its own"
            )
        lock = (target / _LOCK).open("a")
    except OSError as error:
        raise LoadError(f"cannot load into {target}: {error}") from error
    with lock:
        if not hold(lock):
            raise LoadError(f"another load into {target} is running; wait until it has ended")
        yield


def _remove_leftovers(target: Path, current: dict[str, Any] | None) -> None:
    """Remove generations that are neither current nor being read."""
    for folder in target.iterdir():
        if not _GENERATION.fullmatch(folder.name):
            continue
        if current is not None and folder.name == current["generation"]:
            continue
        with suppress(FileNotFoundError), (folder / READERS).open("rb") as readers:
            if not hold(readers):
                continue  # the next load tries again
        shutil.rmtree(folder, ignore_errors=True)


def _copy_to_default_graph(graph: ox.Store) -> None:
    """Write what named graphs hold into the default graph too, once each.

    The engine's union of graphs repeats a triple for every graph that holds it.
    """
    if next(iter(graph.named_graphs()), None) is None:
        return
    default = ox.DefaultGraph()
    graph.bulk_extend(
        ox.Quad(q.subject, q.predicate, q.object) for q in graph if q.graph_name != default
    )


def _format_of(path: Path, format: str | None) -> ox.RdfFormat | str:
    extension = Path(path.stem if path.suffix.lower() == ".gz" else path.name).suffix[1:]
    name = (format or extension).lower()
    if name not in FORMATS:
        if not format:
            _size(path)  # whether there is such a file
        known = "nt, ttl, rdf, trig, nq, jsonld, csv, tsv"
        raise LoadError(
            f"{path}: the format {format!r} is not known. Name one of: {known}"
            if format
            else f"{path}: its name does not say its format. Give it by --format: {known}"
        )
    return FORMATS[name]


def _size(path: Path) -> int:
    try:
        if not path.is_file():
            raise LoadError(no_file(path))
        return path.stat().st_size
    except OSError as error:
        raise LoadError(f"{path} cannot be read: {error}") from error


def _syntax_error(path: Path, error: SyntaxError, skippable: bool) -> LoadError:
    where = f"{path}, line {error.lineno}" if error.lineno else str(path)
    texts = lines_of(path, [error.lineno] if error.lineno else [])
    text = "".join(f": {line[:200]!r}" for line in texts.values())
    fix = ", or leave out bad lines with --skip-bad" if skippable else ""
    if "No scheme" in error.msg:
        fix += ", or say with --base what relative IRIs are relative to"
    return LoadError(f"{where}: {error.msg}{text}. Nothing was loaded; mend the file{fix}")
