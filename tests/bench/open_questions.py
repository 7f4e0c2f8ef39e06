"""Evidence for open questions: time on FB15k-237, PageRank, and what is proven."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np
from tests.bench.rows import Row, row
from tests.oracle.prizes import any_graph, best_score, random_graph
from tests.servers.metaqa import Fact, Node, PropertyGraph
from tests.servers.neo4j import Neo4jServer
from tests.servers.plugin import plugin_jar
from tests.servers.sessions import KnownVectors, session_over

from isomatch.evaluate.okgqa.graphs import open_fb15k
from isomatch.lexicon.folding import tokens
from isomatch.prizes.steiner import best_part
from isomatch.seed import SEED
from isomatch.session import Session
from isomatch.store.neo4j import Neo4jStore
from isomatch.triples.pagerank import pagerank

SIZE = (48, 152)  # of the pruned graphs of OKGQA, on average (Figure 1)
SHARES = ((10, 1.0, 0.99), (3, 0.5, 0.95), (10, 4.0, 0.90))
GRAPHS = 1000
PAIRS = 60


def evidence(data: Path, lines: Sequence[str]) -> Iterator[Row]:
    """All figures of open questions."""
    with open_fb15k(data / "fb15k-237", None) as embedded:
        yield from _around_topics("embedded", embedded, at_most=400)
        for line in lines:
            with _served(line, data / "fb15k-237", embedded) as session:
                yield from _around_topics(f"Neo4j {line} with the plugin", session, at_most=600)
    yield from _pageranks()
    yield from _proofs()
    yield _brute_force()


def _around_topics(where: str, session: Session, at_most: float) -> Iterator[Row]:
    """The Steiner subgraph of two topics, from the question to the evidence, warm."""
    title = f"steiner on FB15k-237, {where}, 2 hops around two topics"
    named = sorted({name for name, _ in session.index.all_names() if len(tokens(name)) > 1})
    random = Random(f"{SEED} open")
    pairs = [random.sample(named, 2) for _ in range(PAIRS)]
    times, cpu, proven, before, after = [], [], 0, [], []
    for again in (False, True):
        for one, other in pairs:
            started, busy = perf_counter(), process_time()
            found = session.pipeline.retriever.retrieve(
                "steiner", f"How are {one} and {other} connected?", (), [one, other]
            )
            if again:
                assert found.selection is not None
                times.append((perf_counter() - started) * 1e3)
                cpu.append((process_time() - busy) * 1e3)
                proven += found.selection.optimal
                before.append(found.selection.before)
                after.append(found.selection.after)
    yield row(f"{title}, median", median(times), "ms", at_most=at_most)
    yield row(f"{title}, median time of the processor", median(cpu), "ms")
    yield row(f"{title}, 90th percentile", float(np.quantile(times, 0.9)), "ms")
    yield row(f"{title}, proven optimal", proven / len(pairs), "")
    for name, sizes in (("before", before), ("after", after)):
        yield row(f"{title}, median nodes {name} pruning", median(s.nodes for s in sizes), "")
        yield row(f"{title}, median facts {name} pruning", median(s.facts for s in sizes), "")


@contextmanager
def _served(line: str, folder: Path, embedded: Session) -> Iterator[Session]:
    """The same graph on a Neo4j server of its own, with the plugin."""
    with TemporaryDirectory(prefix="isomatch-bench-") as made:
        home = Path(made)
        server = Neo4jServer(
            line, home / "server", heap=("1g", "2g"), pagecache="512m", plugins=(plugin_jar(),)
        )
        with server, server.driver() as driver:
            _property_graph(folder).load(driver)
            embedder = KnownVectors(embedded.index, embedded.embedder)
            with session_over(Neo4jStore(driver), home / "home", embedder) as session:
                yield session


def _property_graph(folder: Path) -> PropertyGraph:
    names = dict(_labels(folder))
    triples = list(_triples(folder))
    ids = dict.fromkeys(id for head, _, tail in triples for id in (head, tail))
    nodes = tuple(Node(id, ("Topic",), {"name": names.get(id, id)}) for id in ids)
    return PropertyGraph(nodes, tuple((h, f"`{relation}`", t) for h, relation, t in triples))


def _labels(folder: Path) -> Iterator[tuple[str, str]]:
    with (folder / "entity_labels.tsv").open(encoding="utf-8") as labels:
        for id, name, *_ in csv.reader(labels, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield id, name


def _triples(folder: Path) -> Iterator[Fact]:
    for part in ("train", "valid", "test"):
        with gzip.open(folder / f"{part}.txt.gz", "rt", encoding="utf-8") as triples:
            for line in triples:
                head, relation, tail = line.rstrip("\n").split("\t")
                yield head, relation, tail


def _pageranks() -> Iterator[Row]:
    import networkx

    chosen = np.random.default_rng(SEED)
    heads, tails = chosen.integers(0, 1000, (2, 5000))
    graph = networkx.MultiGraph()
    graph.add_nodes_from(range(1000))
    graph.add_edges_from((h, t) for h, t in zip(heads.tolist(), tails.tolist(), strict=True))
    # networkx counts a loop once where we count both of its ends.
    graph.add_edges_from((h, h) for h in heads[heads == tails].tolist())
    theirs = networkx.pagerank(graph, personalization={0: 1, 1: 1}, tol=1e-13, max_iter=1000)
    ours = pagerank(heads, tails, 2, 1000)
    difference = max(abs(ours[node] - rank) for node, rank in theirs.items())
    yield row(
        "PageRank, greatest difference from networkx, 1,000 nodes", difference, "", at_most=1e-6
    )
    heads, tails = chosen.integers(0, 1_000_000, (2, 5_000_000))
    started, busy = perf_counter(), process_time()
    ranks = pagerank(heads, tails, 2, 1_000_000)
    yield row("PageRank, 1 M nodes, 5 M facts", perf_counter() - started, "s", at_most=2)
    yield row("PageRank, the same, time of the processor", process_time() - busy, "s")
    assert abs(ranks.sum() - 1) < 1e-6


def _proofs() -> Iterator[Row]:
    nodes, edges = SIZE
    for k, cost, least in SHARES:
        trees, times = [], []
        for seed in range(GRAPHS):
            graph = random_graph(nodes, edges, k, cost, seed)
            started = perf_counter()
            trees.append(best_part(graph, range(nodes)))
            times.append((perf_counter() - started) * 1e3)
        grown = [
            best_part(random_graph(nodes, edges, k, cost, seed), range(nodes), seconds=0)
            for seed in range(GRAPHS)
        ]
        title = (
            f"steiner, {GRAPHS:,} graphs of {nodes} nodes and {edges} facts, k {k} cost {cost:g}"
        )
        share = float(np.mean([tree.gap == 0 for tree in trees]))
        best = float(
            np.mean([a.score >= b.score - 1e-9 for a, b in zip(grown, trees, strict=True)])
        )
        note = (
            "the baseline is the share that Goemans and Williamson's tree (strong) is the best of"
        )
        yield row(
            f"{title}, proven within 2 s", share, "", baseline=best, at_least=least, note=note
        )
        yield row(f"{title}, median and worst", median(times), "ms", note=f"worst {max(times):.0f}")


def _brute_force() -> Row:
    wrong = 0
    for seed in range(GRAPHS):
        graph = any_graph(seed)
        number = graph.components()
        for one in range(number.max() + 1):
            nodes = np.flatnonzero(number == one).tolist()
            tree, best = best_part(graph, nodes), best_score(graph, nodes)
            right = tree.score <= best + 1e-6 and best <= tree.bound + 1e-6
            wrong += not (right and tree.bound >= tree.score)
    title = f"steiner, bounds that brute force refutes on {GRAPHS:,} graphs of up to 12 nodes"
    return row(title, wrong, "", at_most=0)
