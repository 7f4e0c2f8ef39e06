"""A property graph of a million nodes: introspection, and how the match stage grows."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import neo4j
import numpy as np
from tests.bench.baseline import CANDIDATES
from tests.bench.rows import Row, row
from tests.bench.synthetic_graph import SyntheticGraph, Walk
from tests.bench.timing import MATCH_STAGE
from tests.servers.neo4j import Neo4jServer
from tests.servers.plugin import plugin_jar

from isomatch.evaluate.metrics import spread
from isomatch.link.candidates import Candidate, CandidateList, Candidates
from isomatch.match.search import SearchOutcome, search
from isomatch.options import Options
from isomatch.pattern.types import Edge, Node, Pattern
from isomatch.schema.introspect import introspect
from isomatch.schema.types import Schema
from isomatch.store.base import Store
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.terms import words

SMALL, LARGE = 100_000, 1_000_000
PATTERNS = 300
HOPS = 3
WARM_UP = 60  # patterns of their own: what is measured has texts that are new to the server
# Distances of what is not meant: as far as names of other things are with MiniLM.
OTHERS = (0.5, 1.1)
# Milliseconds that the match stage of the larger graph must not exceed.
MUST = {"compiled": {"p50": 60, "p99": 600}, "plugin": {"p50": 30, "p99": 300}}
SECONDS = 60.0  # for one search; the default budget would hide how the slowest grow
HEAP, PAGECACHE, LARGER = ("1g", "2g"), "1g", "4g"  # the last of more nodes than `LARGE`


def large(lines: Sequence[str], sizes: tuple[int, int] = (SMALL, LARGE)) -> Iterator[Row]:
    """Both sizes on each release line of the server, without the plugin and with it.

    Both servers run at the same time and search in turn, since other work slows one and not both.
    """
    for line in lines:
        titles = [f"Neo4j {line}, {nodes:,} nodes" for nodes in sizes]
        with ExitStack() as opened:
            served: list[tuple[neo4j.Driver, list[Search], Schema]] = []
            for nodes, title in zip(sizes, titles, strict=True):
                graph = SyntheticGraph(nodes)
                driver = opened.enter_context(imported(line, graph, [plugin_jar()]))
                with Neo4jStore(driver) as store:
                    started = perf_counter()
                    schema = introspect(store)
                    seconds = perf_counter() - started
                most = 30 if nodes == LARGE else None
                yield row(f"{title}: introspection", seconds, "s", at_most=most)
                searches = searches_of(graph, partial(element_ids, driver), nodes)
                served.append((driver, searches, schema))
                del graph  # gigabytes
            for way in MUST:
                with ExitStack() as stores:
                    sides = [
                        Side(s, stores.enter_context(Neo4jStore(d, plugin=way == "plugin")), schema)
                        for d, s, schema in served
                    ]
                    measured = in_turn(sides)
                for nodes, title, one in zip(sizes, titles, measured, strict=True):
                    yield from _rows(f"{title}, {way}", one, MUST[way] if nodes == LARGE else {})
                small, grown = (times["p50"] for times, _, _ in measured)
                name = f"Neo4j {line}, {way}: match stage, growth to {sizes[1]:,} nodes, p50"
                yield row(name, grown, "ms", baseline=small, ratio_at_most=1.6)


def _rows(title: str, measured: Measured, must: Mapping[str, float]) -> Iterator[Row]:
    times, rounds, ended = measured
    note = f"{PATTERNS} patterns cut from the graph; a budget ended {ended} of them"
    for key, value in times.items():
        name = f"{title}: match stage of {HOPS} hops, {key}"
        yield row(name, value, "ms", at_most=must.get(key), note=note)
    yield row(f"{title}: rounds of the search, median", median(rounds), "")
    yield row(f"{title}: rounds of the search, most", max(rounds), "")


@contextmanager
def imported(
    line: str, graph: SyntheticGraph, plugins: Sequence[Path] = ()
) -> Iterator[neo4j.Driver]:
    """A driver of a running server with the graph, imported by the server's own tool."""
    with TemporaryDirectory(prefix="isomatch-bench-") as folder:
        files = Path(folder, "files")
        server = Neo4jServer(
            line,
            Path(folder, "server"),
            heap=HEAP,
            pagecache=PAGECACHE if graph.nodes <= LARGE else LARGER,
            plugins=plugins,
        )
        server.admin(
            *("database", "import", "full", "neo4j", "--id-type=integer"),
            *("--overwrite-destination", "--max-off-heap-memory=2g"),
            *graph.write(files),
        )
        shutil.rmtree(files)
        with server, server.driver() as driver:
            yield driver


Search = tuple[Pattern, Candidates]
Measured = tuple[dict[str, float], list[int], int]


class Side(NamedTuple):
    """A graph that is searched in turn with another one."""

    searches: Sequence[Search]
    store: Store
    schema: Schema


def searches_of(
    graph: SyntheticGraph,
    ids_of: Callable[[Sequence[int]], Mapping[int, str]],
    seed: int,
    relation: str = ":",
) -> list[Search]:
    """Patterns of random walks, each with 16 candidates for its start and its relations.

    Args:
        ids_of: the ids of nodes by their numbers.
        relation: what the ids of relations begin with, before their names.
    """
    rng = np.random.default_rng(seed)
    walks = graph.walks(WARM_UP + PATTERNS, HOPS)
    others = rng.integers(graph.nodes, size=(len(walks), CANDIDATES - 1)).tolist()
    starts = [[walk.nodes[0], *more] for walk, more in zip(walks, others, strict=True)]
    ids = ids_of(sorted({n for nodes in starts for n in nodes}))
    return [
        _search(graph, walk, {ids[n]: graph.name(n) for n in nodes}, rng, relation)
        for walk, nodes in zip(walks, starts, strict=True)
    ]


def element_ids(driver: neo4j.Driver, numbers: Sequence[int]) -> dict[int, str]:
    """By number of a node, its id."""
    query = "MATCH (n) WHERE n.id IN $numbers RETURN n.id, elementId(n)"
    return dict(map(tuple, driver.execute_query(query, numbers=numbers).records))


def _search(
    graph: SyntheticGraph,
    walk: Walk,
    nodes: Mapping[str, str],
    rng: np.random.Generator,
    relation: str,
) -> Search:
    """The right node and relations are the first of their lists, at distance 0."""
    relations = [words(graph.type_names[type]) for type in walk.types]
    names = ["start", *(f"x{hop}" for hop in range(1, HOPS + 1))]
    start = next(iter(nodes.values()))
    pattern = Pattern(
        (Node("start", start), *(Node(name) for name in names[1:])),
        tuple(Edge(names[i], relation, names[i + 1]) for i, relation in enumerate(relations)),
        (names[-1],),
    )
    lists: dict[int, CandidateList] = {}
    for edge, type in enumerate(walk.types):
        if type in walk.types[:edge]:  # the same words have one list
            lists[edge] = lists[walk.types.index(type)]
            continue
        far = [t for t in rng.permutation(len(graph.type_names)).tolist() if t != type]
        names_of_types = [graph.type_names[t] for t in (type, *far[: CANDIDATES - 1])]
        named = {f"{relation}{name}": words(name) for name in names_of_types}
        lists[edge] = CandidateList.of(relations[edge], "relation", _entries(named, rng))
    start_list = CandidateList.of(start, "node", _entries(nodes, rng))
    return pattern, Candidates({"start": start_list}, lists, {})


def _entries(names: Mapping[str, str], rng: np.random.Generator) -> list[Candidate]:
    distances = [0.0, *sorted(rng.uniform(*OTHERS, len(names) - 1).tolist())]
    return [Candidate(id, d, name) for (id, name), d in zip(names.items(), distances, strict=True)]


def match_stages(searches: Sequence[Search], store: Store, schema: Schema) -> Measured:
    """Milliseconds, rounds of each search, and how many a budget ended."""
    return in_turn([Side(searches, store, schema)])[0]


def in_turn(sides: Sequence[Side]) -> list[Measured]:
    """The same of several graphs: the first search of each, the second of each, and so on."""
    options = Options(budget_seconds=SECONDS)
    outcomes: list[list[SearchOutcome]] = [[] for _ in sides]
    for number, some in enumerate(zip(*(side.searches for side in sides), strict=True)):
        asked = list(zip(sides, some, outcomes, strict=True))
        for side, one, of in reversed(asked) if number % 2 else asked:
            of.append(search(*one, side.store, side.schema, options))
    return [_measured(of[WARM_UP:]) for of in outcomes]


def _measured(outcomes: Sequence[SearchOutcome]) -> Measured:
    milliseconds = [sum(o.profile.stages[stage] for stage in MATCH_STAGE) for o in outcomes]
    ended = sum(o.certificate.ended_by is not None for o in outcomes)
    return dict(spread(milliseconds)), [o.profile.rounds for o in outcomes], ended
