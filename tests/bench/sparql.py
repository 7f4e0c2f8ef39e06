"""MetaQA on SPARQL servers: the match stage against one query, requests, overhead, answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import pyoxigraph as ox
from tests.bench.baseline import CANDIDATES, K
from tests.bench.brute_sparql import SECONDS, BruteForce
from tests.bench.http_wire import Raw, WatchedStore, Wire
from tests.bench.neo4j import LISTS, MUSTS, Reference, in_turn, same_distances, stage_of
from tests.bench.rows import Row, row, spread_rows
from tests.bench.timing import MATCH_STAGE, PASSES, WARM_UP, patterns_of
from tests.servers.sessions import KnownVectors, session_over
from tests.servers.sparql import ENGINES
from tests.servers.sparql_server import SparqlServer

from isomatch.link.linker import link
from isomatch.options import Options
from isomatch.pattern.types import Pattern
from isomatch.questions.dataset_sessions import open_session
from isomatch.questions.datasets import read
from isomatch.session import Session
from isomatch.settings.endpoint import Endpoint
from isomatch.store.base import Store
from isomatch.store.oxigraph import OxigraphStore

JUDGED = ("oxigraph", "fuseki")  # whose time has bounds
QUESTIONS = 60  # of three hops against the baseline, which takes seconds for each
FEW = 20  # of each part, where an engine needs seconds for one
OVERHEAD = (
    "pattern to result without linking, less the engine's own time: the same requests sent by "
    "httpx alone, bodies thrown away, less as many empty questions"
)
STAGE = {"oxigraph": 3, "fuseki": 4}  # milliseconds that the match stage may add
STAGE_OVERHEAD = (
    "plan, compile, execute and match, less the time of the same requests sent by httpx alone on "
    "a kept connection, bodies thrown away"
)


@dataclass(frozen=True)
class Served:
    """A session over a graph on a server of its own."""

    server: SparqlServer
    session: Session
    wire: Wire


def metaqa_on_servers(data: Path, questions: int) -> Iterator[Row]:
    """Every figure of MetaQA on SPARQL servers, and the same answers through rdflib."""
    parts = read("metaqa", data)
    chosen = {part.name: patterns_of(part, questions, "names") for part in parts}
    with open_session(parts[0], None) as embedded, TemporaryDirectory() as folder:
        reference = Reference(embedded, chosen)
        file = Path(folder) / "metaqa.nt"
        write_triples(embedded.store, file)
        for engine in ENGINES:
            with served(engine, file, embedded) as here:
                title = f"{engine}, MetaQA"
                if engine in JUDGED:
                    yield from _speed(f"{title} 3hop", here, chosen["3hop"][:QUESTIONS])
                yield from _requests(title, here, chosen, judged=engine in JUDGED)
                yield from reference.compared(title, here.session)
        few = Reference(embedded, {name: some[:FEW] for name, some in chosen.items()})
        with through_rdflib(file, embedded) as session:
            yield from few.compared("rdflib, MetaQA", session)


@contextmanager
def served(engine: str, file: Path, embedded: Session) -> Iterator[Served]:
    """A session over a file of triples on a server of its own.

    Args:
        embedded: a session that has the vectors of the graph's names.
    """
    with TemporaryDirectory(prefix="isomatch-bench-") as folder:
        home = Path(folder)
        with ENGINES[engine](home / "server", brief=True) as server:
            server.load(file)
            wire = Wire()
            endpoint = Endpoint(url=server.url, **server.settings)
            store = WatchedStore(endpoint, wire)
            with _over(store, home / "home", embedded) as session:
                yield Served(server, session, wire)


@contextmanager
def through_rdflib(file: Path, embedded: Session) -> Iterator[Session]:
    """A session over a file of triples in an `rdflib.Graph`."""
    import rdflib

    from isomatch.store.rdflib import RdflibStore

    graph = rdflib.Graph()
    graph.parse(file, format="nt")
    with (
        TemporaryDirectory(prefix="isomatch-bench-") as folder,
        _over(RdflibStore(graph), Path(folder), embedded) as session,
    ):
        yield session


def _over(store: Store, home: Path, embedded: Session) -> Session:
    return session_over(store, home, KnownVectors(embedded.index, embedded.embedder))


def write_triples(store: Store, file: Path) -> None:
    """The embedded graph's triples, with the ids that it has."""
    assert isinstance(store, OxigraphStore)
    store.graph.dump(str(file), ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())


# -- time ---------------------------------------------------------------------------


def _speed(title: str, here: Served, patterns: Sequence[Pattern]) -> Iterator[Row]:
    """The match stage of both kinds of results against the brute-force query."""
    session, options = here.session, Options(k=K, **LISTS)
    lists = [link(p, session.index, session.embedder, session.schema, options) for p in patterns]
    baseline = BruteForce(here.server.url)
    theirs: dict[int, list[float] | None] = {}

    def brute(number: int) -> float:
        found, took = baseline.search(
            patterns[number], lists[number], K, nodes=CANDIDATES, relations=CANDIDATES
        )
        theirs[number] = found
        return took

    def ours(number: int, **more: Any) -> float:
        return stage_of(session, patterns[number], k=K, **more)

    times = in_turn(
        {
            "baseline": brute,
            "interpretations": partial(ours, **LISTS),
            "matches": partial(ours, results="matches", **LISTS),
            "complete": ours,
        },
        len(patterns),
        once=("baseline",),
    )
    baseline.close()
    slow = sum(found is None for found in theirs.values())
    note = (
        f"over {len(patterns)} questions; the baseline is one SPARQL query over 16 nodes and 9 "
        "relations an edge"
    ) + (f"; {slow} took over {SECONDS:.0f} s and count as that" if slow else "")
    for system in ("interpretations", "matches"):
        name = f"{title}: match stage, {system}"
        yield from spread_rows(name, times[system], times["baseline"], MUSTS, note)
    name = f"{title}: match stage, interpretations, lists not fixed"
    yield from spread_rows(name, times["complete"], times["baseline"])
    yield same_distances(title, session, patterns, theirs)


def _requests(
    title: str, here: Served, chosen: dict[str, list[Pattern]], *, judged: bool
) -> Iterator[Row]:
    """Requests of one match, and what we add to the engine's own time."""
    graphs = [("default-graph-uri", graph) for graph in here.server.settings.get("graphs", ())]
    raw = Raw(here.server.url, graphs)
    here.wire.keeps = True
    for part, patterns in chosen.items():
        for pattern in patterns[-WARM_UP:]:
            here.session.match(pattern)
        requests: list[float] = []
        spent: list[float] = []
        added: dict[str, list[float]] = {"whole": [], "search": []}
        for pattern in patterns:
            times: list[tuple[float, float, float]] = []
            for _ in range(PASSES):
                here.wire.clear()
                profile = here.session.match(pattern).profile
                took = profile.stages["total"] - profile.stages["link"]
                search = sum(profile.stages[stage] for stage in MATCH_STAGE)
                if len(here.wire.of_search) < profile.rounds:
                    raise ValueError(f"{profile.rounds} rounds, but queries {here.wire.names}")
                engine = raw.engine(here.wire.queries)
                times.append((took, took - engine, search - raw.sent(here.wire.of_search)))
            requests.append(len(here.wire.requests))
            whole, over, stage = (median(some) for some in zip(*times, strict=True))
            spent.append(whole)
            added["whole"].append(over)
            added["search"].append(stage)
        name = f"{title} {part}"
        yield row(f"{name}: requests for one match, median", median(requests), "", at_most=2)
        yield row(f"{name}: requests for one match, most", max(requests), "")
        yield row(f"{name}: pattern to result without linking, median", median(spent), "ms")
        yield row(
            f"{name}: overhead over the engine's own time, median",
            median(added["whole"]),
            "ms",
            at_most=5 if judged else None,
            note=OVERHEAD,
        )
        yield row(
            f"{name}: overhead of the match stage alone, median",
            median(added["search"]),
            "ms",
            at_most=STAGE.get(title.partition(",")[0]),
            note=STAGE_OVERHEAD,
        )
    here.wire.keeps = False
    raw.close()
