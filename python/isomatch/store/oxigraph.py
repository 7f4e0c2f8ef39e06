"""Oxigraph, embedded: the default store, in a folder or in memory.

A graph that `isomatch load` made is a folder with a manifest and one sub-folder
for each generation of the data, of which the manifest names the current one; so
a load never touches what readers have open (see `isomatch.store.load`). Any
other Oxigraph database folder can be opened too, and is only ever read.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from traceback import clear_frames
from typing import IO, Any

import pyoxigraph as ox

from isomatch import cancel
from isomatch.errors import QueryTimeout, SearchCancelled, StoreError
from isomatch.files import hold
from isomatch.store.base import Changes, Fact, GraphState, MatchedTriple, Query, Row, StoreInfo
from isomatch.store.capabilities import StoreCapabilities
from isomatch.store.cells import cell_term, term_cell
from isomatch.store.changes import changes_since
from isomatch.store.rdf import RdfStore
from isomatch.store.threads import run_in_thread, timed_out

MANIFEST = "isomatch-graph.json"
FORMAT = 1
READERS = "readers.lock"
ENGINE_ERRORS = (SyntaxError, ValueError, OSError, RuntimeError)  # all that pyoxigraph raises

HASHED = 10_000  # triples of a graph in memory whose content is compared: 3 ms
_ROWS_BETWEEN_CLOCKS = 256


class OxigraphStore(RdfStore):
    """A graph in Oxigraph, read through SPARQL. Make one by `open` or `memory`.

    Queries see the triples of all graphs. `isomatch load` also writes the
    triples of named graphs into the default graph, once each; only where that
    was not done (a foreign folder) a query runs over the engine's union of
    graphs, which repeats a triple for every graph that holds it.

    Example:
        >>> store = OxigraphStore.memory()
        >>> ask = Query("ASK { ?s ?p ?o }", ())
        >>> list(store.run(ask))
        [('false',)]
    """

    capabilities = StoreCapabilities("sparql", "oxigraph", same_as=True, batch=16)

    def __init__(
        self,
        graph: ox.Store,
        *,
        location: str = "memory",
        fingerprint: str | None = None,
        triples: int | None = None,
        readers: IO[bytes] | None = None,
        union: bool | None = None,
    ):
        """Wrap an open `pyoxigraph.Store`; the class methods do it for you."""
        self._graph: ox.Store | None = graph
        self._location = location
        self._fingerprint = fingerprint
        self._triples = triples
        self._readers = readers
        self._changes = 0
        self._seen: tuple[list[ox.Quad], str] = ([], "")  # of a graph in memory
        self._union = _needs_union(graph) if union is None else union

    @classmethod
    def open(cls, path: Path | str, *, memory: bool = False) -> OxigraphStore:
        """Open a graph read-only; many processes may do so at a time.

        Args:
            path: folder made by `isomatch load`, or any Oxigraph database.
            memory: copy it into memory: queries take about two thirds of the
                time, opening takes about 10 µs a triple.

        Raises:
            StoreError: there is none, it is no store, it is of another version,
                or another process is writing to it.
        """
        path = Path(path)
        for attempt in range(2):
            folder, fingerprint, triples = _locate(path)
            ours = folder != path
            try:
                readers = _announce(folder)
                graph = ox.Store.read_only(str(folder))
                break
            except ENGINE_ERRORS as error:
                # A load may have replaced the generation between the two reads.
                if attempt or _locate(path)[0] == folder:
                    raise StoreError(
                        f"the graph at {path} cannot be opened: {error}. If its files are "
                        f"damaged, load it again: {load_command(path)} --replace"
                    ) from error
        if memory:
            copy = ox.Store()
            copy.bulk_extend(graph)
            graph, readers = copy, None
        return cls(
            graph,
            location=str(path),
            fingerprint=fingerprint,
            triples=triples,
            readers=readers,
            union=False if ours else None,
        )

    @classmethod
    def memory(cls, source: ox.Store | None = None) -> OxigraphStore:
        """A store in memory: empty, or around a `pyoxigraph.Store` you filled."""
        return cls(ox.Store() if source is None else source)

    @property
    def graph(self) -> ox.Store:
        """The engine's own store; StoreError after `close`."""
        if self._graph is None:
            raise StoreError(f"the graph at {self._location} has been closed")
        return self._graph

    def extend(self, quads: Iterable[ox.Quad]) -> None:
        """Add quads to a store in memory; StoreError for one on disk."""
        if self._location != "memory":
            raise StoreError(
                f"the graph at {self._location} is open read-only; use isomatch load to add to it"
            )
        self.graph.extend(quads)
        self._changes += 1
        self._union = _needs_union(self.graph)

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        """See `Store.run`.

        An ``ASK`` gives one row, ("true",) or ("false",). Parameters are bound
        to variables of the projection. A column that the text assigns
        (``(COUNT(*) AS ?column)``) holds numbers and booleans that the query
        computes, so they come back in their lexical form; every other literal
        is an id.

        The clock is read before the first row and every 256 rows, and so is whether
        the search is cancelled; the engine cannot be interrupted while it looks for
        one. So a heavy query runs in a thread of its own, which is left behind when
        the time is up and ends by itself, at the next row if not before.
        """
        cancel.check()
        if query.heavy and (timeout is not None or cancel.current() is not None):
            yield from run_in_thread(lambda: list(self._run(query, timeout)), query, timeout)
        else:
            yield from self._run(query, timeout)

    def _run(self, query: Query, timeout: float | None) -> Iterator[Row]:
        deadline = None if timeout is None else monotonic() + timeout
        results: Any = None
        try:
            results = self.graph.query(
                query.text,
                substitutions={ox.Variable(k): cell_term(v) for k, v in query.parameters.items()}
                or None,
                use_default_graph_as_union=self._union,
            )
            if isinstance(results, ox.QuerySolutions):
                yield from _rows(query, results, deadline)
            elif isinstance(results, ox.QueryBoolean):
                yield ("true" if results else "false",)
            else:
                raise StoreError(f"query {query.name!r} gives triples; use SELECT or ASK")
        except (QueryTimeout, SearchCancelled) as error:
            clear_frames(error.__traceback__)  # solutions must end in the thread they are of
            del results
            raise
        except ENGINE_ERRORS as error:
            raise StoreError(
                f"Oxigraph refused the query {query.name or query.text[:80]!r}: {error}"
            ) from error

    def facts(self, triples: Sequence[MatchedTriple]) -> list[tuple[Fact, ...]]:
        """See `Store.facts`; looked up one by one, without a query."""

        def stored(source: Any, relation: Any, target: Any) -> bool:
            if isinstance(source, ox.Literal) or not isinstance(relation, ox.NamedNode):
                return False
            if self._union:
                return _any(self.graph, source, relation, target, True)
            return ox.Quad(source, relation, target) in self.graph

        found = []
        for triple in triples:
            a, relation, b = map(cell_term, triple[:3])
            ways = [Fact(True)] if stored(a, relation, b) else []
            if a != b and stored(b, relation, a):
                ways.append(Fact(False))
            found.append(tuple(ways))
        return found

    def incidence(
        self, nodes: Sequence[str], relations: Sequence[str], *, timeout: float | None = None
    ) -> set[tuple[str, str]]:
        """See `Store.incidence`; looked up one by one, too fast to need the time-out.

        The engine's ``EXISTS`` reads all edges of a node, hubs too; a look-up
        ends at the first.
        """
        graph = self.graph
        terms = [(r, ox.NamedNode(r)) for r in relations]
        found = set()
        for id in nodes:
            node = cell_term(id)
            for relation, term in terms:
                if not isinstance(node, ox.Literal) and _any(graph, node, term, None, self._union):
                    found.add((id, f"+{relation}"))
                if _any(graph, None, term, node, self._union):
                    found.add((id, f"-{relation}"))
        return found

    def describe(self) -> StoreInfo:
        if self._triples is None or self._location == "memory":
            self._triples = len(self.graph)
        return StoreInfo(
            kind="Oxigraph, embedded",
            location=self._location,
            version=str(ox.__version__),
            triples=self._triples,
            read_only=self._location != "memory",
        )

    def fingerprint(self) -> str:
        """See `Store.fingerprint`.

        The generation's id for a graph that `isomatch load` made; names and
        sizes of the data files for a foreign folder; for a store in memory what
        `state` compares.
        """
        return self.state().text if self._fingerprint is None else self._fingerprint

    def state(self) -> GraphState:
        """See `Store.state`.

        On disk, what is there now: a load gives a folder another generation, which readers
        do not see until they open it again. In memory, the triples themselves, or of more
        than `HASHED` their number.
        """
        if self._fingerprint is not None:
            path = Path(self._location)
            content = manifest(path)
            if content is not None or not path.is_dir():
                return GraphState(str((content or {}).get("generation")))
            return GraphState(_foreign_fingerprint(path), whole=False)
        if (count := len(self.graph)) > HASHED:
            return GraphState(f"{count} triples, {self._changes} changes", whole=False)
        quads, text = self._seen
        if quads and self._has_just(quads):
            return GraphState(text)
        quads = list(self.graph)
        lines = sorted((self.graph.dump(format=ox.RdfFormat.N_QUADS) or b"").splitlines())
        text = hashlib.blake2b(b"\n".join(lines), digest_size=16).hexdigest()
        # Not where another thread has written meanwhile.
        self._seen = (quads, text) if self._has_just(quads) else ([], "")
        return GraphState(text)

    def changes_since(self, since: str) -> Changes | None:
        if self._fingerprint is None:
            return None
        return changes_since(Path(self._location) / self._fingerprint, since)

    def _has_just(self, quads: Sequence[ox.Quad]) -> bool:
        """Whether these are all: as many, and none is gone; a quarter of the time of a dump."""
        return len(self.graph) == len(quads) and all(map(self.graph.__contains__, quads))

    def close(self) -> None:
        self._graph = None
        if self._readers is not None:
            self._readers.close()
            self._readers = None


def manifest(path: Path) -> dict[str, Any] | None:
    """What `isomatch load` wrote of a graph folder; None where it did not.

    Raises:
        StoreError: the manifest cannot be read, or is of another version.
    """
    try:
        content = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        written, generation = content["format"], content["generation"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"{path / MANIFEST} is damaged ({error}). Load the graph again: "
            f"{load_command(path)} --replace"
        ) from error
    if written != FORMAT or not re.fullmatch(r"[0-9a-f]+", str(generation)):
        raise StoreError(
            f"the graph at {path} has format {written}, this isomatch reads format {FORMAT}. "
            f"Load it again: {load_command(path)} --replace"
        )
    return dict(content)


def load_command(path: Path) -> str:
    """The command line that loads a graph at a path, for messages."""
    home = "" if path.parent == Path(".isomatch") else f" --home {path.parent}"
    return "isomatch load FILES" + (home if path.name == "graph" else "")


def _locate(path: Path) -> tuple[Path, str, int | None]:
    """(database folder, fingerprint, triples if known) of what lies at a path."""
    mend = load_command(path)
    if not path.exists():
        raise StoreError(f"there is no graph at {path}. Load one: {mend}")
    if not path.is_dir():
        raise StoreError(f"{path} is a file, not a graph. Load it into a folder: {mend}")
    if content := manifest(path):
        folder = path / content["generation"]
        if not (folder / "CURRENT").is_file():
            raise StoreError(
                f"the graph at {path} has lost its data ({folder.name} is missing or "
                f"incomplete). Load it again: {mend} --replace"
            )
        return folder, content["generation"], content.get("triples")
    if not (path / "CURRENT").is_file():
        started = any(p.is_dir() and (p / "CURRENT").is_file() for p in path.iterdir())
        what = "holds a load that did not finish" if started else "is not a graph"
        raise StoreError(f"the folder {path} {what}. Load one: {mend}")
    if not _free(path / "LOCK"):
        raise StoreError(
            f"another process is writing to the graph at {path}. Stop it, or load your "
            f"files into a folder of isomatch's own: {mend}"
        )
    return path, _foreign_fingerprint(path), None


def _announce(folder: Path) -> IO[bytes] | None:
    """Tell loads that this generation is being read, where the system can."""
    try:
        file = (folder / READERS).open("rb")
    except OSError:
        return None  # a foreign folder, or gone: opening it will tell
    hold(file, shared=True, wait=True)
    with suppress(OSError):
        # RocksDB leaves one of these at each opening, and would keep a thousand.
        for log in folder.glob("LOG.old.*"):
            log.unlink()
    return file


def _free(lock: Path) -> bool:
    """Whether no process holds RocksDB's lock (a POSIX record lock)."""
    try:
        import fcntl

        with lock.open("rb") as file:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (ImportError, FileNotFoundError, PermissionError):
        return True
    except OSError:
        return False
    return True


def _foreign_fingerprint(folder: Path) -> str:
    files = sorted(
        (p.name, p.stat().st_size)
        for p in folder.iterdir()
        if p.suffix in (".sst", ".log") or p.name.startswith("MANIFEST")
    )
    return hashlib.sha256(repr(files).encode()).hexdigest()[:32]


def _needs_union(graph: ox.Store) -> bool:
    """Whether some triple lies in a named graph and not in the default graph."""
    if next(iter(graph.named_graphs()), None) is None:
        return False
    query = "ASK { GRAPH ?g { ?s ?p ?o } FILTER NOT EXISTS { ?s ?p ?o } }"
    return bool(graph.query(query))


def _rows(query: Query, results: ox.QuerySolutions, deadline: float | None) -> Iterator[Row]:
    names = [variable.value for variable in results.variables]
    if missing := [c for c in query.columns if c not in names]:
        raise StoreError(f"query {query.name!r} does not select the column ?{missing[0]}")
    computed = {name for name in query.columns if f" AS ?{name})" in query.text}
    solutions = results if deadline is None else _timed(query, results, deadline)
    if (cancellation := cancel.current()) is not None:
        solutions = _cancellable(solutions, cancellation)
    if list(query.columns) == names and not computed:  # nearly every row of a search
        for solution in solutions:
            yield tuple([t.value if type(t) is ox.NamedNode else term_cell(t) for t in solution])
        return
    plan = [(names.index(name), name in computed) for name in query.columns]
    for solution in solutions:
        terms = list(solution)
        yield tuple(
            [
                t.value if type(t := terms[place]) is ox.NamedNode else term_cell(t, lexical)
                for place, lexical in plan
            ]
        )


def _timed(query: Query, results: ox.QuerySolutions, deadline: float) -> Iterator[ox.QuerySolution]:
    for count, solution in enumerate(results):
        if count % _ROWS_BETWEEN_CLOCKS == 0 and monotonic() > deadline:
            raise timed_out(query)
        yield solution


def _cancellable(
    solutions: Iterator[ox.QuerySolution], cancellation: cancel.Cancellation
) -> Iterator[ox.QuerySolution]:
    for count, solution in enumerate(solutions):
        if count % _ROWS_BETWEEN_CLOCKS == 0:
            cancellation.check()
        yield solution


def _any(graph: ox.Store, source: Any, relation: Any, target: Any, union: bool) -> bool:
    """Whether a triple of this form is stored, in any graph under ``union``."""
    where = None if union else ox.DefaultGraph()
    return next(iter(graph.quads_for_pattern(source, relation, target, where)), None) is not None
