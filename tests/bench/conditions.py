"""Conditions, counts and orders: the match stage against the same pattern without them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
import pyoxigraph
from tests.bench.neo4j_large import element_ids, imported
from tests.bench.rows import Row, row
from tests.bench.synthetic_graph import LABELS, YEARS, SyntheticGraph, Walk
from tests.bench.timing import MATCH_STAGE, PASSES, WARM_UP
from tests.servers import metaqa
from tests.servers.sessions import KnownVectors, session_over

from isomatch.link.candidates import Candidate, CandidateList, Candidates
from isomatch.match.search import SearchOutcome, search
from isomatch.match.types import Profile
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.pattern.types import Pattern
from isomatch.questions.dataset_sessions import open_session
from isomatch.questions.datasets import read
from isomatch.schema.introspect import introspect
from isomatch.schema.types import Schema
from isomatch.seed import SEED
from isomatch.session import Session
from isomatch.store.base import Store
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.terms import RDFS_LABEL, XSD, words

FORMS = {
    "without": "return ?f",
    "a comparison": "where ?y > 1990 return ?f",
    "or": "where ?y < 1950 or ?y between 1990 and 1995 return ?f",
    "a count": "return count(?f)",
    "the greatest": "return max(?y)",
    "the second": "return ?f order by ?y desc limit 1 offset 1",
    "a count of each answer": "where count(?f) > 1 return ?y",
}
ROLES = ("directed by", "written by", "starred actors")
SMALL = 20_000  # nodes of the property graph, which loads in a minute
MOST = 1.3
SELECTIVE = {"without": "return ?f", "a comparison": "where ?y > {latest} return ?f"}

Run = Callable[[int, str], Profile]
"""Searches one of some patterns, by number, in one of the forms."""


def conditions(data: Path, questions: int, lines: Sequence[str]) -> Iterator[Row]:
    """MetaQA in the process, and a property graph on Neo4j."""
    yield from _embedded(data, questions)
    yield from _served(questions, lines[-1])


def _embedded(data: Path, questions: int) -> Iterator[Row]:
    triples = metaqa.read(data)
    with TemporaryDirectory(prefix="isomatch-bench-") as home:
        with open_session(read("metaqa", data)[0], None) as known:
            embedder = KnownVectors(known.index, known.embedder)
            store = OxigraphStore.memory(_with_years(triples))
            session = session_over(store, Path(home), embedder)
        starts = _starts(triples, questions + WARM_UP)

        def run(number: int, form: str) -> Profile:
            return session.match(f"{starts[number]} {FORMS[form]}").profile

        yield from _rows("MetaQA, embedded", len(starts), run)
        yield from _of_all("MetaQA, embedded: all films", session)
        session.close()


def _with_years(triples: Sequence[tuple[str, str, str]]) -> pyoxigraph.Store:
    """MetaQA's graph, with years as numbers."""
    store = pyoxigraph.Store()
    label = pyoxigraph.NamedNode(RDFS_LABEL)
    integer = pyoxigraph.NamedNode(XSD + "integer")
    names = dict.fromkeys(name for head, _, tail in triples for name in (head, tail))
    nodes = {name: pyoxigraph.NamedNode(f"urn:node:{i}") for i, name in enumerate(names)}
    quads = [pyoxigraph.Quad(n, label, pyoxigraph.Literal(t)) for t, n in nodes.items()]
    for head, relation, tail in triples:
        value = pyoxigraph.Literal(tail, datatype=integer)
        target = value if relation == "release_year" else nodes[tail]
        to = pyoxigraph.NamedNode(f"urn:relation:{relation}")
        quads.append(pyoxigraph.Quad(nodes[head], to, target))
    store.bulk_extend(quads)
    return store


def _starts(triples: Sequence[tuple[str, str, str]], count: int) -> list[str]:
    """Patterns of one and two hops from people and films of MetaQA to years."""
    random = Random(SEED)
    people = [(relation, tail) for _, relation, tail in triples if relation.startswith(ROLE_KEYS)]
    films = [head for head, relation, _ in triples if relation == "release_year"]
    found = []
    for number in range(count):
        if number % 2:
            relation, person = random.choice(people)
            way = f"(?f)-[{relation.replace('_', ' ')}]->({_quoted(person)})"
        else:
            role = random.choice(ROLES)
            way = f"({_quoted(random.choice(films))})-[{role}]->(?p)<-[{role}]-(?f)"
        found.append(f"{way}, (?f)-[release year]->(?y)")
    return found


ROLE_KEYS = tuple(role.replace(" ", "_") for role in ROLES)


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _rows(title: str, count: int, run: Run) -> Iterator[Row]:
    """Each form against the pattern without it, in turn, pattern by pattern."""
    for number in range(WARM_UP):
        for form in FORMS:
            run(number, form)
    times: dict[str, list[list[float]]] = {form: [[] for _ in range(count)] for form in FORMS}
    random = Random(SEED)
    for _ in range(PASSES):
        for number in range(WARM_UP, count):
            forms = list(FORMS)
            random.shuffle(forms)  # what runs before it changes what one takes
            for form in forms:
                times[form][number].append(_stage(run(number, form)))
    medians = {form: [median(t) for t in found if t] for form, found in times.items()}
    without = medians.pop("without")
    note = f"{count - WARM_UP} patterns of one and two hops to a year; as median of {PASSES}"
    for form, found in medians.items():
        yield row(
            f"{title}, {form}: match stage, median",
            median(found),
            "ms",
            baseline=median(without),
            ratio_at_most=MOST,
            note=note,
        )
    yield row(
        f"{title}, all forms: match stage, median",
        median(t for found in medians.values() for t in found),
        "ms",
        baseline=median(without),
        ratio_at_most=MOST,
        note=note,
    )


def _of_all(title: str, session: Session) -> Iterator[Row]:
    """What a selective condition costs where nothing else leaves rows out."""
    pattern = "(?f)-[release year]->(?y)"
    yield from _narrowed(title, lambda form: session.match(f"{pattern} {form}", k=1).profile, 2012)


def _narrowed(title: str, run: Callable[[str], Profile], latest: int) -> Iterator[Row]:
    found = {
        name: min((run(form.format(latest=latest)) for _ in range(PASSES)), key=_stage)
        for name, form in SELECTIVE.items()
    }
    plain, compared = found["without"], found["a comparison"]
    note = "without, at most 1,000 matches are read"
    yield row(
        f"{title}, a comparison that few satisfy: match stage",
        _stage(compared),
        "ms",
        baseline=_stage(plain),
        note=note,
    )
    yield row(f"{title}, a comparison that few satisfy: rows", compared.rows, "", note=note)


def _stage(profile: Profile) -> float:
    return sum(profile.stages[stage] for stage in MATCH_STAGE)


# -- a property graph on Neo4j ------------------------------------------------------------


def _served(questions: int, line: str) -> Iterator[Row]:
    graph = SyntheticGraph(SMALL)
    title = f"Neo4j {line}, {SMALL:,} nodes"
    dated = {i for i, (label, _) in enumerate(LABELS) if label in YEARS}
    walks = [
        walk
        for hops in (1, 2)
        for walk in graph.walks(3 * (questions + WARM_UP), hops)
        if int(graph.label[walk.nodes[-1]]) in dated
    ]
    Random(SEED).shuffle(walks)
    walks = walks[: questions + WARM_UP]
    with imported(line, graph) as driver, Neo4jStore(driver) as store:
        schema = introspect(store)
        ids = element_ids(driver, sorted({walk.nodes[0] for walk in walks}))

        def run(number: int, form: str) -> Profile:
            walk = walks[number]
            return _searched(graph, walk, ids[walk.nodes[0]], FORMS[form], store, schema).profile

        yield from _rows(title, len(walks), run)
        every = CandidateList.of("year", "relation", [Candidate(".year", 0.0, "year")])

        def all_of(form: str) -> Profile:
            pattern = parse(f"(?f)-[year]->(?y) {form}")
            given = Candidates({}, {0: every}, {})
            return search(pattern, given, store, schema, Options(k=1)).profile

        yield from _narrowed(f"{title}: all with a year", all_of, 2023)


def _searched(
    graph: SyntheticGraph, walk: Walk, start: str, form: str, store: Store, schema: Schema
) -> SearchOutcome:
    """A walk from a known node to something's year, with a few candidates for each relation."""
    name = graph.name(walk.nodes[0])
    names = [*(f"x{i}" for i in range(1, len(walk.types))), "f"]
    relations = [words(graph.type_names[type]) for type in walk.types]
    way = f"({_quoted(name)})" + "".join(
        f"-[{relation}]-(?{id})" for relation, id in zip(relations, names, strict=True)
    )
    pattern: Pattern = parse(f"{way}, (?f)-[year]->(?y) {form}")
    rng = np.random.default_rng(walk.nodes[0])
    of_type: dict[int, CandidateList] = {}
    for type in walk.types:
        others = [t for t in rng.permutation(len(graph.type_names)).tolist() if t != type][:4]
        found = {f":{graph.type_names[t]}": 0.0 if t == type else 0.5 for t in (type, *others)}
        of_type.setdefault(type, _list(words(graph.type_names[type]), found))
    lists = {edge: of_type[type] for edge, type in enumerate(walk.types)}
    lists[len(walk.types)] = _list("year", {".year": 0.0, ".rating": 0.7})
    nodes = CandidateList.of(name, "node", [Candidate(start, 0.0, name)])
    known = next(node.id for node in pattern.nodes if node.known)
    candidates = Candidates({known: nodes}, lists, {})
    return search(pattern, candidates, store, schema, Options(k=1))


def _list(text: str, distances: Mapping[str, float]) -> CandidateList:
    entries = [Candidate(id, distance, words(id[1:])) for id, distance in distances.items()]
    return CandidateList.of(text, "relation", entries)
