"""MetaQA on Neo4j: the match stage against one brute-force query, round trips, answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import neo4j
from tests.bench.baseline import CANDIDATES, K
from tests.bench.brute_cypher import SECONDS, BruteForce
from tests.bench.rows import Row, row, spread_rows
from tests.bench.timing import MANNERS, MATCH_STAGE, PASSES, SLOW, WARM_UP, patterns_of
from tests.bench.wire import Wire
from tests.oracle.answers import Answers, answers, answers_by_name
from tests.servers import metaqa
from tests.servers.neo4j import Neo4jServer
from tests.servers.sessions import KnownVectors, session_over

from isomatch.evaluate.datasets import read
from isomatch.evaluate.homes import open_session
from isomatch.evaluate.metrics import spread
from isomatch.link.linker import link
from isomatch.pattern.model import Pattern
from isomatch.plan.options import Options
from isomatch.session import Session
from isomatch.store.load import load
from isomatch.store.neo4j import Neo4jStore

MUSTS = {"p50": 0.2, "p99": 0.1}  # of the baseline's
LISTS = {"k_nodes": CANDIDATES, "k_relations": CANDIDATES}
ONE_NAME = (
    "what has one name counts as one, as in MetaQA's own graph, where a director who acts too is "
    "one node; here a node and a property's text"
)

Timer = Callable[[int], float]
"""Milliseconds of one question, by its number."""


def metaqa_on_neo4j(data: Path, questions: int, lines: Sequence[str]) -> Iterator[Row]:
    """Every figure of MetaQA on Neo4j, for each release line of the server."""
    parts = read("metaqa", data)
    triples = metaqa.read(data)
    chosen = {part.name: patterns_of(part, questions, "names") for part in parts}
    with open_session(parts[0], None) as embedded, TemporaryDirectory() as folder:
        reference = _Reference(embedded, chosen)
        facts = Path(folder, "facts.nt")
        graph = metaqa.as_properties(triples)
        facts.write_text("".join(graph.ntriples()), encoding="utf-8")
        for line in lines:
            with _served(line, metaqa.as_relationships(triples), embedded) as (session, driver):
                yield from _speed(f"Neo4j {line}, MetaQA 3hop", session, driver, chosen["3hop"])
                yield from _round_trips(f"Neo4j {line}, MetaQA", session, chosen)
                yield from reference.compared(f"Neo4j {line}, MetaQA", session)
        with _in_memory(facts, Path(folder, "home"), embedded) as same_facts:
            there = _Reference(same_facts, chosen)
            for line in lines:
                title = f"Neo4j {line}, MetaQA with properties"
                with _served(line, graph, embedded) as (session, _):
                    yield from there.compared(f"{title}, to the same facts in RDF", session)
                    yield from reference.compared_by_name(title, session)
                    yield from _stages(title, session, chosen)


@contextmanager
def _served(
    line: str, graph: metaqa.PropertyGraph, embedded: Session
) -> Iterator[tuple[Session, neo4j.Driver]]:
    """A session over a graph on a server of its own, and the driver that it uses."""
    with TemporaryDirectory(prefix="isomatch-bench-") as folder:
        home = Path(folder)
        server = Neo4jServer(line, home / "server", heap=("1g", "2g"), pagecache="512m")
        with server, server.driver() as driver:
            graph.load(driver)
            embedder = KnownVectors(embedded.index, embedded.embedder)
            with session_over(Neo4jStore(driver), home / "home", embedder) as session:
                yield session, driver


@contextmanager
def _in_memory(facts: Path, home: Path, embedded: Session) -> Iterator[Session]:
    store = load([facts], None).store
    assert store is not None
    with session_over(store, home, KnownVectors(embedded.index, embedded.embedder)) as session:
        yield session


# -- time ---------------------------------------------------------------------------


def _speed(
    title: str, session: Session, driver: neo4j.Driver, patterns: Sequence[Pattern]
) -> Iterator[Row]:
    """The match stage of both kinds of results against the brute-force query."""
    options = Options(k=K, **LISTS)
    lists = [link(p, session.index, session.embedder, session.schema, options) for p in patterns]
    baseline = BruteForce(driver)
    theirs: dict[int, list[float] | None] = {}

    def brute(nodes: int, number: int) -> float:
        found, took = baseline.search(
            patterns[number], lists[number], K, nodes=nodes, relations=CANDIDATES
        )
        if nodes == CANDIDATES:
            theirs[number] = found
        return took

    def ours(number: int, **more: object) -> float:
        return stage_of(session, patterns[number], k=K, **more)

    times = in_turn(
        {
            "baseline": partial(brute, CANDIDATES),
            "one node": partial(brute, 1),
            "interpretations": partial(ours, **LISTS),
            "matches": partial(ours, results="matches", **LISTS),
            "complete": ours,
        },
        len(patterns),
    )
    baseline.close()
    slow = sum(found is None for found in theirs.values())
    note = "the baseline is one Cypher query over 16 nodes and 9 relations an edge" + (
        f"; {slow} of {len(patterns)} took over {SECONDS:.0f} s and count as that" if slow else ""
    )
    for system in ("interpretations", "matches"):
        name = f"{title}: match stage, {system}"
        yield from spread_rows(name, times[system], times["baseline"], MUSTS, note)
    name = f"{title}: match stage, interpretations, lists not fixed"
    yield from spread_rows(name, times["complete"], times["baseline"])
    name = f"{title}: match stage, interpretations, against one query over the nearest node alone"
    yield from spread_rows(name, times["interpretations"], times["one node"])
    yield _same_distances(title, session, patterns, theirs)


def _same_distances(
    title: str,
    session: Session,
    patterns: Sequence[Pattern],
    theirs: dict[int, list[float] | None],
) -> Row:
    same = compared = 0
    for number, distances in theirs.items():
        if distances is None:
            continue
        result = session.match(patterns[number], k=K, results="matches", **LISTS)
        ours = [i.gsd for i in result.interpretations]
        compared += 1
        same += len(ours) == len(distances) and all(
            abs(a - b) < 1e-6 for a, b in zip(ours, distances, strict=True)
        )
    share = same / compared if compared else None
    return row(f"{title}: questions with the brute-force query's distances", share, "share")


def _stages(title: str, session: Session, chosen: dict[str, list[Pattern]]) -> Iterator[Row]:
    """The match stage alone, without a baseline."""
    for part, patterns in chosen.items():
        times = in_turn({"ours": lambda i, p=patterns: stage_of(session, p[i])}, len(patterns))
        for key, value in times["ours"].items():
            yield row(f"{title} {part}: match stage, {key}", value, "ms")


def stage_of(session: Session, pattern: Pattern, **options: object) -> float:
    """Milliseconds of the match stage."""
    stages = session.match(pattern, **options).profile.stages
    return sum(stages[stage] for stage in MATCH_STAGE)


def in_turn(systems: dict[str, Timer], count: int) -> dict[str, dict[str, float]]:
    """Median, mean and p99 of each system over questions, measured question by question.

    Which system goes first changes, so that noise meets all; what is slow is timed once.
    """
    names = list(systems)
    for number in range(max(0, count - WARM_UP), count):
        for system in systems.values():
            system(number)
    times: dict[str, list[list[float]]] = {name: [[] for _ in range(count)] for name in names}
    for turn in range(PASSES):
        for number in range(count):
            first = (number + turn) % len(names)
            for name in names[first:] + names[:first]:
                here = times[name][number]
                if not here or here[0] <= SLOW:
                    here.append(systems[name](number))
    return {name: dict(spread([median(t) for t in times[name]])) for name in names}


# -- round trips and answers -----------------------------------------------------------


def _round_trips(title: str, session: Session, chosen: dict[str, list[Pattern]]) -> Iterator[Row]:
    texts: set[str] = set()
    asked = 0
    for part, patterns in chosen.items():
        trips: list[float] = []
        for pattern in patterns:
            with Wire() as wire:
                session.match(pattern)
            trips.append(wire.round_trips)
            texts |= wire.texts
            asked += wire.queries
        name = f"{title} {part}: round trips for one match"
        yield row(f"{name}, median", median(trips), "", at_most=2)
        yield row(f"{name}, most", max(trips), "")
    note = f"of {asked:,} queries; the server makes a plan for each text once"
    yield row(f"{title}, all hops: distinct query texts", len(texts), "", note=note)


class _Reference:
    """A graph's answers to all patterns, to compare others with."""

    def __init__(self, session: Session, chosen: dict[str, list[Pattern]]):
        self._session = session
        self._chosen = chosen
        self._answers: dict[tuple[str, int, str], Answers] = {}
        self._by_name: dict[tuple[str, int, str], frozenset[str]] = {}

    def compared(self, title: str, session: Session) -> Iterator[Row]:
        """Share of questions with the same distances, choices and answers."""

        def same(part: str, number: int, pattern: Pattern, manner: str) -> bool:
            key = (part, number, manner)
            if key not in self._answers:
                self._answers[key] = answers(self._session, pattern, **MANNERS[manner])
            return answers(session, pattern, **MANNERS[manner]).same(self._answers[key])

        yield from self._shares(title, same, MANNERS)

    def compared_by_name(self, title: str, session: Session) -> Iterator[Row]:
        """Share of questions with the same answers, where one name is one element."""

        def same(part: str, number: int, pattern: Pattern, manner: str) -> bool:
            key = (part, number, manner)
            if key not in self._by_name:
                self._by_name[key] = answers_by_name(self._session, pattern, **MANNERS[manner])
            return answers_by_name(session, pattern, **MANNERS[manner]) == self._by_name[key]

        yield from self._shares(title, same, MANNERS, ONE_NAME)

    def _shares(
        self,
        title: str,
        same: Callable[[str, int, Pattern, str], bool],
        manners: Sequence[str] | dict[str, object],
        note: str = "",
    ) -> Iterator[Row]:
        for manner in manners:
            for part, patterns in self._chosen.items():
                equal = sum(same(part, i, p, manner) for i, p in enumerate(patterns))
                name = f"{title} {part}, {manner}: same answers as embedded"
                yield row(name, equal / len(patterns), "share", at_least=1.0, note=note)
