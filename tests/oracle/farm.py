"""A farm of seeds: random searches against `tests.oracle.definition`, by the thousand.

    python -m tests.oracle.farm --cases 100000 --seed 1
    python -m tests.oracle.farm --replay 1:27:3

Every case says what it was (the seed, the number of the world, the number of the case
in it), and is the same again when replayed. A certificate that says more than is true is
wrong, and so is a match that is none, or a missing one where nothing says that any is.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from unittest import mock

import pyoxigraph as ox
import rdflib
from tests.oracle.definition import (
    Fixed,
    Graph,
    Key,
    Match,
    TooManyWays,
    Truth,
    Way,
    choice_of,
    distances,
    enumerate_all,
    match_of,
)
from tests.oracle.definition import node_distances as of_nodes
from tests.oracle.letters import Letters, MemoryHome
from tests.oracle.worlds import Case, World, case, world

from isomatch import MatchResult, Session, Settings, factories
from isomatch.errors import IsomatchError, VectorIndexError
from isomatch.link import linker
from isomatch.link import names as index_names
from isomatch.match.types import Interpretation, count_of
from isomatch.options import Options
from isomatch.pattern import format_text
from isomatch.store.cells import cell_term
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdflib import RdflibStore
from isomatch.store.rdflib_terms import to_term

CASES = 40  # of a world
LARGE = 150  # every so manieth world is a large one,
CASES_OF_LARGE = 4
NEAR = 1e-5  # distances nearer to each other than this are a tie
SHOWN = 12  # wrong cases that the summary shows of each kind


@dataclass
class Tally:
    """What became of the cases.

    Attributes:
        counts: of cases by what they were, and of certificates by what they said.
        wrong: seeds by what was wrong.
    """

    cases: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, list[str]] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Take in what another part of the farm counted."""
        self.cases += other.cases
        self.counts += other.counts
        for what, seeds in other.wrong.items():
            self.wrong.setdefault(what, []).extend(seeds)


# -- a world as a session -----------------------------------------------------


class Live:
    """The database of a world: an engine's own graph, and isomatch's store over it."""

    def __init__(self, made: World):
        self.kind = made.store
        self.triples: set[tuple[str, str, str]] = set()
        if self.kind == "rdflib":
            self.graph = rdflib.Graph()
        else:
            self.graph = ox.Store()
        self.become(made.graph)
        self.store = (
            RdflibStore(self.graph) if self.kind == "rdflib" else OxigraphStore.memory(self.graph)
        )

    def become(self, graph: Graph) -> None:
        """Add and remove triples until it is that graph."""
        wanted = set(graph.triples)
        for old in sorted(self.triples - wanted):
            self.graph.remove(self._form(old))
        for new in sorted(wanted - self.triples):
            self.graph.add(self._form(new))
        self.triples = wanted

    def _form(self, triple: tuple[str, str, str]) -> object:
        if self.kind == "rdflib":
            return tuple(map(to_term, triple))
        return ox.Quad(*map(cell_term, triple))


@contextmanager
def opened(made: World) -> Iterator[Session]:
    """A session over a world, with its constants in force; the graph is changed at last."""
    with ExitStack() as stack:
        for name, value in made.constants:
            module = index_names if hasattr(index_names, name) else linker
            if hasattr(module, name):
                stack.enter_context(mock.patch.object(module, name, value))
        memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=memory)))
        live, embedder, vectors = Live(made), Letters(made.dimension), MemoryHome(made.lost)
        settings = Settings(home=home)
        stack.enter_context(mock.patch.object(factories, "plain_embedder", return_value=embedder))
        stack.enter_context(mock.patch.object(factories, "vectors_of", return_value=vectors))
        factories.index_store(settings, live.store)
        if made.synced:
            live.become(made.now)
            factories.index_store(settings, live.store, sync=True)
        schema = factories.schema_of(settings, live.store)
        index = factories.open_index(settings, embedder, live.store.identity())
        session = Session(live.store, schema, index, embedder, settings=settings)
        stack.callback(session.close)
        live.become(made.now)
        yield session


# -- judging ------------------------------------------------------------------


def read(result: MatchResult, graph: Graph) -> list[tuple[Key, float, list[Way], bool]]:
    """What a search gave, as the oracle says it: interpretation, GSD, matches, cut."""
    pattern = result.pattern
    found = []
    for item in result.interpretations:
        ways = [
            (
                tuple(match.bindings[n.id].id for n in pattern.nodes),
                tuple((t.source.id, t.relation.id, t.target.id) for t in match.triples),
            )
            for match in item.matches
        ]
        if not ways:  # none satisfies the conditions
            found.append((_chosen(graph, item), item.gsd, ways, item.cut))
            continue
        nodes, facts = ways[0]
        key = (
            tuple(
                choice_of(graph, id, n.text)
                for id, n in zip(nodes, pattern.nodes, strict=True)
                if n.text is not None
            ),
            tuple(f[1] for f, e in zip(facts, pattern.edges, strict=True) if e.relation),
            tuple(c.id for c in item.choices if c.part == "type"),
        )
        found.append((key, item.gsd, ways, item.cut))
    return found


def _chosen(graph: Graph, item: Interpretation) -> Key:
    nodes = tuple(choice_of(graph, c.id, c.text) for c in item.choices if c.part == "node")
    relations, types = (
        tuple(c.id for c in item.choices if c.part == part) for part in ("relation", "type")
    )
    return nodes, relations, types


def judge(
    result: MatchResult, graph: Graph, options: Options, lists: Truth, whole: Truth
) -> set[str]:
    """What is wrong with a result; nothing where all that it says is true.

    Args:
        lists: all interpretations, with fixed lists as they are.
        whole: those of the whole graph.
    """
    found, certificate = read(result, graph), result.certificate
    faults = set()
    for (key, gsd, ways, cut), item in zip(found, result.interpretations, strict=True):
        if key not in lists.gsd:
            faults.add("an interpretation that has no match")
            continue
        if abs(gsd - lists.gsd[key]) > NEAR:
            faults.add("a distance")
        matches, wanted = set(map(match_of, ways)), lists.matches(key)
        if len(matches) < len(ways):
            faults.add("a match twice")
        if not matches <= wanted:
            faults.add("a match that is none")
        # Of two opposite facts the one without the value is shown now and then.
        elif not any(e.value for e in result.pattern.edges) and not set(ways) <= lists.ways[key]:
            faults.add("facts that are not those of the match")
        if options.results == "interpretations" and not cut:
            if len(matches) < len(wanted):
                faults.add("matches missing, not cut")
            if certificate.complete and len(matches) < len(whole.matches(key)):
                faults.add("complete, with values missing")
        if (counted := result.pattern.count) is not None:
            place = [node.id for node in result.pattern.nodes].index(counted)
            truly, said = len({nodes[place] for nodes, _ in wanted}), count_of(counted, item)
            if said.value > truly or (said.value < truly and not said.at_least):
                faults.add("a count")
        # A list that was read in part may lack values of a year: a search cannot know that it
        # has them all.
        partial = options.k_nodes and any(choice.startswith("values of ") for choice in key[0])
        if cut and not partial and len(wanted) <= options.limit and not certificate.ended_by:
            faults.add("cut, though nothing is missing")
    distances_found = [gsd for _, gsd, _, _ in found]
    if distances_found != sorted(distances_found):
        faults.add("not ascending")
    if options.results == "interpretations" and len({key for key, *_ in found}) < len(found):
        faults.add("an interpretation twice")
    if faults:
        return faults
    if certificate.complete and not same(distances_found, best(whole, options)):
        faults.add("complete, and wrong")
    proven = certificate.exact and not certificate.ended_by
    if proven and not same(distances_found, best(lists, options)):
        faults.add("exact, and wrong")
    if certificate.bound > 0 and not _holds(found, certificate.bound, options, lists):
        faults.add("the bound")
    return faults


def ranked(truth: Truth, options: Options) -> list[tuple[float, Key | Match]]:
    """What is ranked, nearest first: interpretations, or matches.

    A match counts once, as the nearest of its interpretations: types are no part of it.
    """
    if options.results == "interpretations":
        return list(truth.ascending)
    nearest: dict[Match, float] = {}
    for gsd, key in truth.ascending:
        for match in truth.matches(key):
            nearest.setdefault(match, gsd)
    return [(gsd, match) for match, gsd in nearest.items()]


def best(truth: Truth, options: Options) -> list[float]:
    """The distances of the k nearest."""
    return [gsd for gsd, _ in ranked(truth, options)[: options.k]]


def same(found: list[float], wanted: list[float]) -> bool:
    """Whether two lists of distances are equal, but for the noise of arithmetic."""
    return len(found) == len(wanted) and all(
        abs(a - b) <= NEAR for a, b in zip(found, wanted, strict=True)
    )


def _holds(
    found: list[tuple[Key, float, list[Way], bool]], bound: float, options: Options, lists: Truth
) -> bool:
    """Whether all that is nearer than the bound was found, or k nearer ones."""
    full = len(found) >= options.k
    least = min(bound, found[-1][1] if full else inf)
    things = {key for key, *_ in found}
    if options.results == "matches":
        things = {match_of(way) for _, _, ways, _ in found for way in ways}
    return all(thing in things for gsd, thing in ranked(lists, options) if gsd < least - NEAR)


def fixed_lists(session: Session, made: World, todo: Case) -> tuple[Fixed, bool]:
    """The lists whose lengths the options fix, by their words; False where one is wrong.

    Which of several at one distance is on a fixed list is the linker's choice; that none
    outside is nearer is checked.
    """
    options, found, right = todo.options, {}, True
    linked = session.link(todo.pattern, options)
    graph, embed = made.now, Letters(made.dimension).embed
    for entries in linked.lists:
        if not entries.fixed:
            continue
        length = {
            "node": options.k_nodes,
            "relation": options.k_relations,
            "type": options.k_types,
        }[entries.kind]
        if entries.kind == "node":
            wanted = of_nodes(graph, entries.text, embed)
        else:
            texts = graph.relations if entries.kind == "relation" else graph.types
            wanted = distances(texts, entries.text, embed)
        listed = {c.id: c.distance for c in entries}
        nearest = sorted(wanted.values())[:length]
        right = right and same(sorted(listed.values()), nearest)
        right = right and all(abs(wanted.get(id, inf) - d) <= NEAR for id, d in listed.items())
        found[entries.kind, entries.text] = listed
    return found, right


def run(made: World, todo: Case, session: Session) -> tuple[set[str], list[str]]:
    """Search, and compare; what is wrong, and words to count the case by."""
    options, stale = todo.options, made.later is not None and not made.synced
    words = [made.kind, f"nodes={options.nodes}", f"strategy={options.strategy}", made.store]
    fixed_given = any((options.k_nodes, options.k_relations, options.k_types))
    words.append("fixed lists" if fixed_given else "open lists")
    if any(e.value for e in todo.pattern.edges):
        words.append("values on edges")
    try:
        fixed, right = fixed_lists(session, made, todo) if fixed_given else ({}, True)
        asked = {f: getattr(options, f) for f in _FIELDS}
        asked["budget_seconds"] = options.budget_seconds or SECONDS
        result = session.match(todo.pattern, **asked)
    except IsomatchError as error:
        if made.lost and isinstance(error, VectorIndexError):
            return set(), [*words, "refused: vectors lost"]
        if stale and "index" in str(error):
            return set(), [*words, "refused: stale"]
        return {f"{type(error).__name__}: {str(error)[:60]}"}, words
    except Exception as error:
        return {f"{type(error).__name__}: {str(error)[:60]}"}, words
    certificate = result.certificate
    ended = certificate.ended_by and f"ended by {certificate.ended_by}"
    words.append(ended or ("complete" if certificate.complete else "not complete"))
    embed = Letters(made.dimension).embed
    try:
        whole = enumerate_all(made.now, todo.pattern, options, embed)
    except TooManyWays:
        return set(), [*words, NOT_JUDGED]
    if stale or made.lost:
        claimed = certificate.complete and not same(
            [i.gsd for i in result.interpretations], best(whole, options)
        )
        return {"complete, and wrong"} if claimed else set(), words
    lists = enumerate_all(made.now, todo.pattern, options, embed, fixed) if fixed else whole
    faults = judge(result, made.now, options, lists, whole)
    return faults | (set() if right else {"a fixed list"}), words


SECONDS = 60.0  # some patterns have more interpretations than anybody can wait for
NOT_JUDGED = "not judged: too many ways"
_FIELDS = tuple(Options.__dataclass_fields__)


# -- the farm -----------------------------------------------------------------


def made_by(seed: int, number: int) -> World:
    """The world of a seed."""
    return world(Random(f"{seed} {number}"), large=number % LARGE == LARGE - 1)


def cases_of(seed: int, number: int, made: World, each: int = CASES) -> list[Case]:
    """The first cases of a world."""
    many = CASES_OF_LARGE if "large" in made.kind else each
    return [case(Random(f"{seed} {number} {i}"), made) for i in range(many)]


def tend(seed: int, number: int, each: int = CASES) -> Tally:
    """So many cases of one world."""
    made, tally = made_by(seed, number), Tally()
    try:
        with opened(made) as session:
            for i, todo in enumerate(cases_of(seed, number, made, each)):
                faults, words = run(made, todo, session)
                tally.cases += NOT_JUDGED not in words
                tally.counts.update(words)
                for fault in faults:
                    what = f"{fault} [{made.kind}, {todo.options.nodes}, {todo.options.strategy}]"
                    tally.wrong.setdefault(what, []).append(f"{seed}:{number}:{i}")
    except Exception as error:  # also a world that cannot be opened is a finding
        what = f"{type(error).__name__}: {str(error)[:60]} [{made.kind}]"
        tally.wrong.setdefault(what, []).append(f"{seed}:{number}:0")
    return tally


def farm(seed: int, cases: int, *, each: int = CASES, workers: int = 1, say: bool = True) -> Tally:
    """Worlds until there were so many cases; a line for each thousand."""
    total, started, said, first = Tally(), time.perf_counter(), 0, 0
    with ExitStack() as stack:
        run_all: Callable[..., Iterable[Tally]] = map
        if workers > 1:
            run_all = stack.enter_context(ProcessPoolExecutor(workers)).map
        while total.cases < cases:
            numbers = range(first, first + (8 * workers if workers > 1 else 1))
            first = numbers.stop
            for tally in run_all(partial(tend, seed, each=each), numbers):
                total.add(tally)
                for what, seeds in tally.wrong.items() if say else ():
                    print(f"wrong: {what}: {' '.join(seeds)}", flush=True)
            if say and total.cases // 1000 > said:
                said = total.cases // 1000
                rate = total.cases / (time.perf_counter() - started)
                wrong = sum(map(len, total.wrong.values()))
                print(f"{total.cases:,} cases, {wrong} wrong, {rate:.0f} a second", flush=True)
    return total


def summary(tally: Tally) -> str:
    """Counts by kind, and what was wrong with the seeds that replay it."""
    lines = [f"{tally.cases:,} cases"]
    lines += [f"  {n:7,}  {what}" for what, n in sorted(tally.counts.items())]
    lines.append(f"{sum(map(len, tally.wrong.values()))} wrong")
    for what, seeds in sorted(tally.wrong.items(), key=lambda item: -len(item[1])):
        lines.append(f"  {len(seeds):7,}  {what}: {' '.join(seeds[:SHOWN])}")
    return "\n".join(lines)


# -- one case -----------------------------------------------------------------


def faults_of(made: World, todo: Case) -> set[str]:
    """What is wrong with one case."""
    with opened(made) as session:
        return run(made, todo, session)[0]


def shrunk(made: World, todo: Case) -> World:
    """A smaller world, in which the same is wrong: without the triples that do not matter."""
    wanted = faults_of(made, todo)
    size = max(1, len(made.graph.triples) // 2)
    while size:
        start = 0
        while start < len(made.graph.triples):
            triples = made.graph.triples
            gone = set(triples[start : start + size])
            later = made.later and replace(
                made.later, triples=tuple(t for t in made.later.triples if t not in gone)
            )
            kept = tuple(t for t in triples if t not in gone)
            smaller = replace(made, graph=replace(made.graph, triples=kept), later=later)
            try:
                still = faults_of(smaller, todo) == wanted
            except Exception:  # no world at all
                still = False
            if still:
                made = smaller
            else:
                start += size
        size //= 2
    return made


def replay(place: str, shrink: bool) -> bool:
    """Run a case again and show it; whether all was right."""
    seed, number, i = map(int, place.split(":"))
    made = made_by(seed, number)
    todo = cases_of(seed, number, made)[i]
    if shrink:
        made = shrunk(made, todo)
    for triple in made.graph.triples:
        print(*triple)
    if made.later is not None:
        print("later without", *sorted(set(made.graph.triples) - set(made.later.triples)), sep="\n")
        print("later with", *sorted(set(made.later.triples) - set(made.graph.triples)), sep="\n")
    print(replace(made, graph=Graph(()), later=None))
    print(format_text(todo.pattern), todo.options, sep="\n")
    with opened(made) as session:
        result = session.match(todo.pattern, **{f: getattr(todo.options, f) for f in _FIELDS})
        print(result.certificate, *read(result, made.now), sep="\n")
        embed = Letters(made.dimension).embed
        truth = enumerate_all(made.now, todo.pattern, todo.options, embed)
        print("the nearest in truth, of", len(truth.gsd))
        for gsd, key in truth.ascending[: todo.options.k + 2]:
            print(" ", round(gsd, 6), key, len(truth.matches(key)))
        faults, _ = run(made, todo, session)
    print("wrong:", ", ".join(sorted(faults)) or "nothing")
    return not faults


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--replay", metavar="SEED:WORLD:CASE")
    parser.add_argument("--shrink", action="store_true", help="with --replay: the smallest graph")
    given = parser.parse_args()
    if given.replay:
        return 0 if replay(given.replay, given.shrink) else 1
    started = time.perf_counter()
    tally = farm(given.seed, given.cases, workers=given.workers)
    print(summary(tally))
    print(f"{time.perf_counter() - started:.0f} s")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
