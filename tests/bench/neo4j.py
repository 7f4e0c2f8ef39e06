"""MetaQA on Neo4j: the match stage against one brute-force query, round trips, answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from operator import eq
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import neo4j
from tests.bench.baseline import CANDIDATES, K
from tests.bench.brute_cypher import SECONDS, BruteForce
from tests.bench.rows import Row, row, spread_rows
from tests.bench.timing import MANNERS, MATCH_STAGE, PASSES, SLOW, WARM_UP, patterns_of
from tests.bench.wire import Wire
from tests.oracle.answers import Answers, answer_names, answers
from tests.servers import metaqa
from tests.servers.neo4j import Neo4jServer
from tests.servers.sessions import KnownVectors, session_over

from isomatch.evaluate.metrics import spread
from isomatch.link.linker import link
from isomatch.options import Options
from isomatch.pattern.types import Pattern
from isomatch.questions.dataset_sessions import open_session
from isomatch.questions.datasets import read
from isomatch.session import Session
from isomatch.store.neo4j import Neo4jStore

MUSTS = {"p50": 0.2, "p99": 0.1}  # of the baseline's
LISTS: dict[str, Any] = {"k_nodes": CANDIDATES, "k_relations": CANDIDATES}
MERGED = (
    "MetaQA's graph has one node for the film and the year 2012; walked in any direction, it "
    "leads from the one to the films of the other, in no graph with years as properties"
)

Timer = Callable[[int], float]
"""Milliseconds of one question, by its number."""


def metaqa_on_neo4j(data: Path, questions: int, lines: Sequence[str]) -> Iterator[Row]:
    """Every figure of MetaQA on Neo4j, for each release line of the server."""
    parts = read("metaqa", data)
    triples = metaqa.read(data)
    twofold = metaqa.films_and_more(triples)
    chosen = {part.name: patterns_of(part, questions, "names") for part in parts}
    with open_session(parts[0], None) as embedded:
        reference = Reference(embedded, chosen)
        for line in lines:
            with _served(line, metaqa.as_relationships(triples), embedded) as (session, driver):
                yield from _speed(f"Neo4j {line}, MetaQA 3hop", session, driver, chosen["3hop"])
                yield from _round_trips(f"Neo4j {line}, MetaQA", session, chosen)
                yield from reference.compared(f"Neo4j {line}, MetaQA", session)
            with _served(line, metaqa.as_properties(triples), embedded) as (session, _):
                title = f"Neo4j {line}, MetaQA with properties"
                yield from reference.compared_by_name(title, session, twofold)
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

    def ours(number: int, **more: Any) -> float:
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
        once=("baseline", "one node"),
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
    yield same_distances(title, session, patterns, theirs)


def same_distances(
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
        here = partial(_numbered, session, patterns)
        times = in_turn({"ours": here}, len(patterns))
        for key, value in times["ours"].items():
            yield row(f"{title} {part}: match stage, {key}", value, "ms")


def _numbered(session: Session, patterns: Sequence[Pattern], number: int) -> float:
    return stage_of(session, patterns[number])


def stage_of(session: Session, pattern: Pattern, **options: Any) -> float:
    """Milliseconds of the match stage."""
    stages = session.match(pattern, **options).profile.stages
    return sum(stages[stage] for stage in MATCH_STAGE)


def in_turn(
    systems: dict[str, Timer], count: int, once: Sequence[str] = ()
) -> dict[str, dict[str, float]]:
    """Median, mean and p99 of each system over questions, measured question by question.

    Which system goes first changes, so that noise meets all.

    Args:
        once: systems that are not asked a question again that took them long.
    """
    names = list(systems)
    warm: set[str] = set()
    for number in range(max(0, count - WARM_UP), count):
        for name in [name for name in names if name not in warm]:
            if systems[name](number) > SLOW and name in once:
                warm.add(name)
    times: dict[str, list[list[float]]] = {name: [[] for _ in range(count)] for name in names}
    for turn in range(PASSES):
        for number in range(count):
            first = (number + turn) % len(names)
            for name in names[first:] + names[:first]:
                here = times[name][number]
                if not (name in once and here and here[0] > SLOW):
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


class Reference:
    """The embedded graph's answers to all patterns, to compare others with."""

    def __init__(self, session: Session, chosen: dict[str, list[Pattern]]):
        self._session = session
        self._chosen = chosen
        self._kept: dict[tuple[str, str, int], Any] = {}

    def compared(self, title: str, session: Session) -> Iterator[Row]:
        """Share of questions with the same distances, choices and answers."""
        for manner, options in MANNERS.items():
            asked = partial(answers, **options)
            name = f"{title}, {manner}"
            yield from self._shares(name, session, manner, asked, Answers.same, must=True)

    def compared_by_name(
        self, title: str, session: Session, twofold: frozenset[str]
    ) -> Iterator[Row]:
        """Share of questions with the same names of answers."""
        anchored = partial(answer_names, **MANNERS["anchored"])
        yield from self._shares(f"{title}, anchored", session, "names", anchored, eq, must=True)
        distinct = partial(answer_names, **MANNERS["distinct"])
        name = f"{title}, distinct"
        yield from self._shares(name, session, "all names", distinct, eq, must=False, note=MERGED)
        apart = partial(distinct, without=twofold)
        name += f", without walks over the {len(twofold)} films that are a year or director too"
        yield from self._shares(name, session, "most names", apart, eq, must=True)

    def _shares(
        self,
        title: str,
        session: Session,
        manner: str,
        ask: Callable[[Session, Pattern], Any],
        same: Callable[[Any, Any], bool],
        *,
        must: bool,
        note: str = "",
    ) -> Iterator[Row]:
        for part, patterns in self._chosen.items():
            equal = 0
            for number, pattern in enumerate(patterns):
                key = (manner, part, number)
                if key not in self._kept:
                    self._kept[key] = ask(self._session, pattern)
                equal += same(ask(session, pattern), self._kept[key])
            yield row(
                f"{title}, {part}: same answers as embedded",
                equal / len(patterns),
                "share",
                at_least=1.0 if must else None,
                note=note,
            )
