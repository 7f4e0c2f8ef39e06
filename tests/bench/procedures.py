"""The plugin's search: against compiled Cypher, against SimGRAG in memory, and on large lists."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

import neo4j
import numpy as np
from neo4j.exceptions import Neo4jError
from tests.bench.baseline import Baseline, K
from tests.bench.neo4j import LISTS, in_turn, stage_of
from tests.bench.neo4j_large import HOPS, LARGE, SMALL, Search, imported
from tests.bench.rows import Row, row, spread_rows
from tests.bench.synthetic_graph import SyntheticGraph, Walk
from tests.bench.timing import MATCH_STAGE, patterns_of
from tests.servers import metaqa
from tests.servers.neo4j import Neo4jServer
from tests.servers.plugin import plugin_jar
from tests.servers.sessions import KnownVectors, session_over

from isomatch.evaluate.metrics import spread
from isomatch.link.candidates import Candidate, CandidateList, Candidates
from isomatch.match.search import SearchOutcome, search
from isomatch.options import Options
from isomatch.pattern.types import Edge, Node, Pattern
from isomatch.questions.dataset_sessions import open_session
from isomatch.questions.datasets import read
from isomatch.schema.introspect import introspect
from isomatch.schema.types import Schema
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.terms import words

# Lists as published for DBpedia (SimGRAG, section 6.1).
NODES, RELATIONS = 16_384, 512
PATTERNS, WARM_UP = 200, 60
AT_ONCE = 16
MEMORY = 64 * 2**20
# Distances with MiniLM: what is meant, in other words; and what is not, nearest first.
MEANT = {"node": (0.2, 0.8), "relation": (0.3, 0.9)}
OTHERS = {"node": (0.5, 1.1), "relation": (0.7, 1.35)}
# Half a billion matches, and none of them leaves the server.
ENDLESS = """
CALL isomatch.match.stream('(?a)-[in any way]-(?b)-[]-(?c)-[]-(?d)', {limit: 1000000000, k: 1,
  candidates: {relations: {`0`: {ids: $types, distances: [i IN range(1, size($types)) | 0.5]}}},
  budget_seconds: null, budget_rows: null, memory: 1000000000})
YIELD rank RETURN count(rank)
"""
SEARCHING = """
SHOW TRANSACTIONS YIELD transactionId, currentQuery
WHERE currentQuery CONTAINS 'in any way' AND NOT currentQuery CONTAINS 'SHOW'
RETURN transactionId AS id
"""
MODELLED = (
    "distances are drawn: what is meant at 0.2 to 0.8 (nodes) and 0.3 to 0.9 (relations), the "
    "others at 0.5 to 1.1 and 0.7 to 1.35, as MiniLM has them for paraphrases"
)


def on_metaqa(data: Path, questions: int, lines: Sequence[str]) -> Iterator[Row]:
    """The match stage of three hops on MetaQA, for each release line of the server."""
    parts = read("metaqa", data)
    patterns = patterns_of(parts[2], questions, "names")
    in_memory = Baseline(parts[0].graph, parts[0].delimiter)
    graph = metaqa.as_relationships(metaqa.read(data))
    with open_session(parts[0], None) as embedded:
        embedder = KnownVectors(embedded.index, embedded.embedder)
        for line in lines:
            with TemporaryDirectory(prefix="isomatch-bench-") as folder:
                home = Path(folder)
                server = Neo4jServer(
                    line,
                    home / "server",
                    heap=("1g", "2g"),
                    pagecache="512m",
                    plugins=(plugin_jar(),),
                )
                with server, server.driver() as driver:
                    graph.load(driver)
                    stores = [Neo4jStore(driver, plugin=plugin) for plugin in (False, True)]
                    compiled, procedure = (
                        session_over(store, home / "home", embedder) for store in stores
                    )
                    yield from _speed(line, compiled, procedure, in_memory, patterns)


def _speed(
    line: str, compiled: Any, procedure: Any, in_memory: Baseline, patterns: Sequence[Pattern]
) -> Iterator[Row]:
    plain: dict[str, Any] = {"results": "matches", **LISTS}

    def ours(session: Any, more: dict[str, Any], number: int) -> float:
        return stage_of(session, patterns[number], k=K, **more)

    def theirs(number: int) -> float:
        return in_memory.search(patterns[number])[1].search

    times = in_turn(
        {
            "compiled": partial(ours, compiled, LISTS),
            "procedure": partial(ours, procedure, LISTS),
            "compiled matches": partial(ours, compiled, plain),
            "procedure matches": partial(ours, procedure, plain),
            "compiled complete": partial(ours, compiled, {}),
            "procedure complete": partial(ours, procedure, {}),
            "in memory": theirs,
        },
        len(patterns),
    )
    title = f"Neo4j {line}, MetaQA 3hop, procedure"
    yield from spread_rows(
        f"{title}: match stage, interpretations, against compiled Cypher",
        times["procedure"],
        times["compiled"],
        {"p50": 0.5},
    )
    yield from spread_rows(
        f"{title}: match stage, matches, against compiled Cypher",
        times["procedure matches"],
        times["compiled matches"],
    )
    yield from spread_rows(
        f"{title}: match stage, interpretations, lists not fixed, against compiled Cypher",
        times["procedure complete"],
        times["compiled complete"],
    )
    yield from spread_rows(
        f"{title}: match stage, matches, against SimGRAG's search in memory",
        times["procedure matches"],
        times["in memory"],
        {"mean": 0.2, "p99": 0.5},
    )


# -- large lists ----------------------------------------------------------------------


def on_large_lists(lines: Sequence[str]) -> Iterator[Row]:
    """Paraphrased names over lists of 16,384 nodes and 512 relations, on both sizes of graph."""
    for line in lines:
        medians = {}
        for nodes in (SMALL, LARGE):
            graph = SyntheticGraph(nodes)
            with imported(line, graph, plugins=(plugin_jar(),)) as driver:
                with Neo4jStore(driver) as store:
                    schema = introspect(store)
                    searches = _searches(graph, driver, nodes)
                    outcomes = [_found(one, store, schema) for one in searches][WARM_UP:]
                title = f"Neo4j {line}, {nodes:,} nodes, large lists, procedure"
                large = nodes == LARGE
                times = dict(spread([_stage(o) for o in outcomes]))
                medians[nodes] = times["p50"]
                ended = sum(o.certificate.ended_by is not None for o in outcomes)
                note = f"{PATTERNS} patterns; a budget ended {ended}; {MODELLED}"
                most = {"p50": 50.0, "p99": 500.0} if large else {}
                for key, value in times.items():
                    name = f"{title}: match stage of {HOPS} hops, {key}"
                    yield row(name, value, "ms", at_most=most.get(key), note=note)
                proven = sum(o.certificate.complete for o in outcomes) / len(outcomes)
                yield row(f"{title}: share of searches that are complete", proven, "share")
                yield row(f"{title}: calls, most", max(o.rounds for o in outcomes), "")
                if large:
                    yield from _memory(title, outcomes, searches, driver, schema)
        yield row(
            f"Neo4j {line}, large lists, procedure: growth of p50 to {LARGE:,} nodes",
            medians[LARGE],
            "ms",
            baseline=medians[SMALL],
            ratio_at_most=2,
        )


def _memory(
    title: str,
    outcomes: Sequence[SearchOutcome],
    searches: Sequence[Search],
    driver: neo4j.Driver,
    schema: Schema,
) -> Iterator[Row]:
    note = "told to the server's own memory tracker, which ends the transaction above its limit"
    most = max(o.memory for o in outcomes)
    name = f"{title}: heap of one match, most"
    yield row(name, most / 2**20, "MiB", at_most=MEMORY / 2**20, note=note)
    together: list[SearchOutcome | BaseException] = []

    def run(number: int) -> None:
        with Neo4jStore(driver) as store:
            try:
                together.append(_found(searches[WARM_UP + number], store, schema))
            except BaseException as error:
                together.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    failed = [one for one in together if isinstance(one, BaseException)]
    yield row(
        f"{title}: failures of {AT_ONCE} at once",
        len(failed),
        "",
        at_most=0,
        note=str(failed[0]) if failed else "",
    )
    total = sum(one.memory for one in together if isinstance(one, SearchOutcome))
    name = f"{title}: heap of {AT_ONCE} at once, at most"
    yield row(name, total / 2**20, "MiB", at_most=AT_ONCE * MEMORY / 2**20)
    types = [relation.id for relation in schema.relations if relation.id.startswith(":")]
    name = f"{title}: from TERMINATE TRANSACTIONS to the caller's error, median"
    yield row(name, median(_terminated(driver, types) for _ in range(5)), "ms", at_most=100)


def _terminated(driver: neo4j.Driver, types: Sequence[str]) -> float:
    """Milliseconds from the order to end an endless search to its end."""
    ended: list[float] = []

    def run() -> None:
        try:
            driver.execute_query(ENDLESS, types=types)
        except Neo4jError:
            ended.append(perf_counter())

    thread = threading.Thread(target=run)
    thread.start()
    ids: list[str] = []
    while not ids:
        sleep(0.5)
        ids = [record["id"] for record in driver.execute_query(SEARCHING).records]
    started = perf_counter()
    driver.execute_query("TERMINATE TRANSACTIONS $ids", ids=ids)
    thread.join()
    return (ended[0] - started) * 1e3


def _found(one: Search, store: Neo4jStore, schema: Schema) -> SearchOutcome:
    return search(*one, store, schema, Options())


def _stage(outcome: SearchOutcome) -> float:
    return sum(outcome.profile.stages[stage] for stage in MATCH_STAGE)


def _searches(graph: SyntheticGraph, driver: neo4j.Driver, seed: int) -> list[Search]:
    """Patterns of random walks, each with long lists for its start and its relations."""
    rng = np.random.default_rng(seed + 1)
    query = "MATCH (n) RETURN n.id AS number, elementId(n) AS id"
    with driver.session(fetch_size=50_000) as session:
        ids = dict(map(tuple, session.run(query)))
    walks = graph.walks(WARM_UP + PATTERNS, HOPS, seed=seed)
    return [_search(graph, walk, ids, rng) for walk in walks]


def _search(
    graph: SyntheticGraph, walk: Walk, ids: dict[int, str], rng: np.random.Generator
) -> Search:
    relations = [words(graph.type_names[type]) for type in walk.types]
    names = ["start", *(f"x{hop}" for hop in range(1, HOPS + 1))]
    start = graph.name(walk.nodes[0])
    pattern = Pattern(
        (Node("start", start), *(Node(name) for name in names[1:])),
        tuple(Edge(names[i], relation, names[i + 1]) for i, relation in enumerate(relations)),
        (names[-1],),
    )
    others = rng.integers(graph.nodes, size=NODES - 1).tolist()
    starts = [ids[number] for number in dict.fromkeys((walk.nodes[0], *others))]
    types = [f":{name}" for name in graph.type_names]
    lists = {}
    for edge, type in enumerate(walk.types):
        far = [t for t in rng.permutation(len(types)).tolist() if t != type][: RELATIONS - 1]
        chosen = [types[type], *(types[t] for t in far)]
        lists[edge] = _list(relations[edge], "relation", chosen, rng)
    return pattern, Candidates({"start": _list(start, "node", starts, rng)}, lists, {})


def _list(text: str, kind: Any, ids: Sequence[str], rng: np.random.Generator) -> CandidateList:
    """The first id is what is meant; all of them by distance."""
    distances = [rng.uniform(*MEANT[kind]), *rng.uniform(*OTHERS[kind], len(ids) - 1).tolist()]
    entries = [Candidate(id, d, id) for id, d in zip(ids, distances, strict=True)]
    return CandidateList.of(text, kind, entries)
