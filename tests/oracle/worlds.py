"""Random graphs, patterns and options for `tests.oracle.farm`: the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from tests.oracle.definition import ALIAS, DIRECT_CLAIM, SUBCLASS_OF, WIKIDATA, Graph, Triple

from isomatch.errors import PatternError
from isomatch.link.normalise import value_of
from isomatch.match.conditions import period
from isomatch.options import Options
from isomatch.pattern import Edge, Node, Pattern
from isomatch.pattern.types import OPERATORS, Condition
from isomatch.store.terms import (
    RDF_TYPE,
    RDFS_LABEL,
    XSD,
    is_blank,
    is_literal,
    literal,
    split_literal,
)

BASE = "http://example.org/"
STEMS = ("ann", "lee", "rio", "oslo", "mann", "heat", "acdc", "brother", "nan", "eel", "noir", "é")
DATES = ("1999-05-01", "1999-05-01 00:00:00.000", "1999-05-17T10:30:00", "1998-12-24 18:00:00")
VALUES = (
    literal("7", datatype=XSD + "integer"),
    literal("7", datatype=XSD + "decimal"),
    literal("1995", datatype=XSD + "gYear"),
    literal("1995-07-01", datatype=XSD + "date"),
    literal("1995-07-02", datatype=XSD + "date"),
    literal("1995-07-02T10:00:00Z", datatype=XSD + "dateTime"),
    literal("1995"),
    literal("true", datatype=XSD + "boolean"),
    literal("oslo", language="fr"),
    *map(literal, DATES),
    literal("ann lee"),
    literal("heat"),
)
RELATIONS = ("directedBy", "directed_by", "livesIn", "actedIn", "knows")
TYPES = ("Film", "Person", "City", "film")
WIDER = (*TYPES, "Work", "Thing")


@dataclass(frozen=True)
class World:
    """A graph, and how it is held and indexed.

    Attributes:
        kind: what is special about it, for the counts.
        graph: as the index sees it.
        later: as the database has it when it is searched; None for the same.
        synced: whether the index was brought up to date then.
        store: ``oxigraph`` or ``rdflib``.
        constants: of `isomatch.link.linker` and `.names`, in place of the real ones.
        dimension: of the embedder.
        lost: share of the vectors that the engine does not find.
    """

    kind: str
    graph: Graph
    later: Graph | None = None
    synced: bool = False
    store: str = "oxigraph"
    constants: tuple[tuple[str, int], ...] = ()
    dimension: int = 6
    lost: float = 0.0

    @property
    def now(self) -> Graph:
        """The graph when it is searched."""
        return self.later or self.graph


@dataclass(frozen=True)
class Case:
    """A search in a world."""

    pattern: Pattern
    options: Options


# -- graphs -------------------------------------------------------------------


def name(random: Random) -> str:
    """One or two words."""
    return " ".join(random.choices(STEMS, k=random.choice((1, 1, 2))))


def disguised(text: str, random: Random) -> str:
    """A text that is equal after normalisation."""
    ways: Sequence[Callable[[str], str]] = (
        str.upper,
        str.title,
        lambda t: "'".join(t),
        lambda t: t.replace(" ", "-") + ".",
        lambda t: t.replace("e", "é"),
        lambda t: t.replace(" ", "  _ ") + "!!!",
    )
    return random.choice(ways)(text)


def misspelt(text: str, random: Random) -> str:
    """A text with one edit."""
    place = random.randrange(len(text))
    return text[:place] + random.choice("aenx") + text[place + random.randint(0, 1) :]


def world(random: Random, *, large: bool = False) -> World:
    """A random one; large ones have names by the thousand and the real constants."""
    kinds = {"plain": 35, "aliases": 18, "equal": 17, "wikibase": 10, "stale": 12, "synced": 5}
    kind = random.choices((*kinds, "lost"), (*kinds.values(), 3))[0]
    if large:
        kind = random.choice(("aliases", "equal"))
    triples = _facts(random, random.randint(3, 9))
    if random.random() < 0.75:
        triples += _types(random, triples)
        if random.random() < 0.5:
            triples += _subclasses(random)
    triples += _names(random, triples)
    if kind == "aliases":
        triples += _aliases(random, triples, random.randint(1000, 2600) if large else 0)
    if kind == "equal":
        triples += _namesakes(random, random.randint(1030, 1300) if large else 0)
    if kind == "wikibase":
        triples = _wikibase(random, triples)
    random.shuffle(triples)
    graph = Graph(tuple(dict.fromkeys(triples)))
    made = World(
        f"{kind}, large" if large else kind,
        graph,
        store=random.choices(("oxigraph", "rdflib"), (3, 1))[0],
        constants=() if large or random.random() < 0.1 else _constants(random),
        dimension=random.choice((3, 4, 6, 8, 12)),
        lost=random.choice((0.1, 0.5, 1.0)) if kind == "lost" else 0.0,
    )
    if kind == "lost":
        # A list that is read whole shows a loss; of others, the files' checksums tell.
        return replace(made, constants=tuple(c for c in made.constants if c[0] != "WHOLE"))
    if kind in ("stale", "synced"):
        return replace(made, later=_changed(graph, random), synced=kind == "synced")
    return made


def _constants(random: Random) -> tuple[tuple[str, int], ...]:
    return (
        ("FIRST", random.choice((1, 2, 3, 16))),
        ("WHOLE", random.choice((0, 2, 4, 4, 1024))),
        ("MOST_TIES", random.choice((1, 2, 5, 1024))),
        ("FEW_KEYS", random.choice((1, 50))),
    )


def _facts(random: Random, size: int) -> list[Triple]:
    nodes = [BASE + (f"n{i}" if i % 3 else f"n{i}_{random.choice(STEMS)}") for i in range(size)]
    nodes = [f"_:b{i}" if random.random() < 0.2 else id for i, id in enumerate(nodes)]
    relations = [BASE + r for r in random.sample(RELATIONS, random.randint(1, len(RELATIONS)))]
    found = []
    for _ in range(random.randint(2, 14)):
        source, target = random.choice(nodes), random.choice(nodes)
        if source == target and random.random() < 0.7:
            target = random.choice(nodes)
        if random.random() < 0.25:
            target = random.choice(VALUES)
        found.append((source, random.choice(relations), target))
    return found


def _types(random: Random, facts: Sequence[Triple]) -> list[Triple]:
    classes = [BASE + t for t in random.sample(TYPES, random.randint(1, len(TYPES)))]
    subjects = sorted({end for s, _, o in facts for end in (s, o) if not is_literal(end)})
    return [
        (s, RDF_TYPE, c)
        for s in subjects
        for c in random.sample(classes, min(len(classes), random.choice((0, 1, 1, 2))))
    ]


def _subclasses(random: Random) -> list[Triple]:
    """Some classes as subclasses of others: diamonds, cycles, classes without nodes or names."""
    classes = [BASE + t for t in WIDER]
    if random.random() < 0.2:
        classes.append("_:any")
    return [
        (random.choice(classes), SUBCLASS_OF, random.choice(classes))
        for _ in range(random.randint(1, 6))
    ]


def _names(random: Random, facts: Sequence[Triple]) -> list[Triple]:
    found = []
    share = random.choice((0.0, 0.6, 0.95, 1.0))
    for id in sorted({end for s, p, o in facts for end in (s, o) if p != RDF_TYPE}):
        if is_literal(id) or random.random() >= share * (0.5 if is_blank(id) else 1):
            continue
        language = random.choice((None, None, "en", "de", "en-GB"))
        text = random.choice(DATES) if random.random() < 0.05 else name(random)
        found.append((id, RDFS_LABEL, literal(text, language=language)))
        for _ in range(random.choice((0, 0, 0, 1, 3))):
            language = random.choice((None, None, "en", "de"))
            found.append((id, ALIAS, literal(name(random), language=language)))
    if random.random() < 0.2:
        relation = random.choice(facts)[1]
        if relation != RDF_TYPE:
            found.append((relation, RDFS_LABEL, literal("made by")))
    return found


def _aliases(random: Random, triples: Sequence[Triple], many: int) -> list[Triple]:
    """Other names for one or two nodes, most of them like one name."""
    nodes = sorted({s for s, p, _ in triples if p.startswith(BASE) and not is_literal(s)})
    found = []
    for id in random.sample(nodes, min(len(nodes), random.choice((1, 1, 2)))):
        like = name(random)
        for i in range(many or random.randint(3, 40)):
            text = random.choice((f"{like} {i % 7}", disguised(like, random), name(random)))
            found.append((id, ALIAS, literal(f"{text} {i}" if many else text)))
    return found


def _namesakes(random: Random, many: int) -> list[Triple]:
    """Nodes of one name, or of names that are equal after normalisation."""
    like, relation = name(random), BASE + random.choice(RELATIONS)
    found = []
    for i in range(many or random.randint(3, 12)):
        id = f"{BASE}same{i}"
        other = f"{BASE}n{random.randint(0, 5)}" if not many else f"{BASE}other{i}"
        found.append((id, relation, other))
        text = like if random.random() < 0.7 else disguised(like, random)
        found.append((id, RDFS_LABEL, literal(text)))
    return found


def _wikibase(random: Random, triples: Sequence[Triple]) -> list[Triple]:
    """The same as direct claims, with statements and their qualifiers beside most of them.

    Every other one has facts that are no claims beside them.
    """
    entity = "http://www.wikidata.org/entity/"
    numbers = {BASE + relation: f"P{i + 50}" for i, relation in enumerate(RELATIONS)}
    nodes = [id for s, p, o in triples if p in numbers for id in (s, o)]
    named = {s for s, p, _ in triples if p == RDFS_LABEL}
    beside = random.choice((0.0, 0.4))
    found = []
    for s, p, o in triples:
        if p in numbers and random.random() < beside:
            found.append((s, p, o))
        elif p == RDF_TYPE:
            found.append((s, WIKIDATA + "direct/P31", o))
        elif p == SUBCLASS_OF:
            found.append((s, WIKIDATA + "direct/P279", o))
        elif p not in numbers:
            found.append((entity + numbers[s] if s in numbers else s, p, o))
        else:
            number = numbers[p]
            found.append((s, f"{WIKIDATA}direct/{number}", o))
            found.append((entity + number, DIRECT_CLAIM, f"{WIKIDATA}direct/{number}"))
            if p not in named and random.random() < 0.9:
                found.append((entity + number, RDFS_LABEL, literal(p.removeprefix(BASE))))
            for _ in range(random.choice((0, 1, 1, 2))):
                statement = f"{entity}statement/s{len(found)}"
                found.append((s, WIKIDATA + number, statement))
                found.append((statement, f"{WIKIDATA}statement/{number}", o))
                for _ in range(random.choice((0, 1, 1, 2))):
                    value = random.choice((*VALUES, *nodes))
                    found.append(
                        (statement, f"{WIKIDATA}qualifier/P{random.choice((50, 90))}", value)
                    )
    return found


def _changed(graph: Graph, random: Random) -> Graph:
    """The graph after a few triples went and others came."""
    kept = [t for t in graph.triples if random.random() > random.choice((0.0, 0.1, 0.3))]
    added = _facts(random, 10)[: random.randint(0, 3)]
    if not kept and not added:
        return graph
    for id in sorted({end for s, _, o in added for end in (s, o) if not is_literal(end)}):
        if random.random() < 0.7:
            added.append((id, RDFS_LABEL, literal(name(random))))
    return replace(graph, triples=tuple(dict.fromkeys(kept + added)))


# -- searches -----------------------------------------------------------------


def case(random: Random, made: World) -> Case:
    """A random search of a world; most patterns are cut out of its graph."""
    while True:
        try:
            pattern = _pattern(random, made)
            if random.random() < 0.07 and "large" not in made.kind:
                pattern = _beside(pattern, _pattern(random, made))
        except PatternError:
            continue
        options = _options(random, made)
        unknown = [node.id for node in pattern.nodes if not node.known]
        if unknown and options.results == "interpretations" and random.random() < 0.2:
            pattern = replace(pattern, returns=(), count=random.choice(unknown))
        if unknown and random.random() < 0.15:
            pattern = replace(pattern, where=_conditions(random, made, unknown))
        return Case(pattern, options)


def _conditions(random: Random, made: World, unknown: list[str]) -> tuple[Condition, ...]:
    """One or two conditions, mostly with constants of the graph."""
    forms = [split_literal(o)[0] for _, _, o in made.now.facts if is_literal(o)]
    constants = ["1995", "1999-05", "2000-01-01", "7", "-3.5", "true", *forms[:50]]

    def one(node: str) -> Condition:
        operator = random.choice(OPERATORS)
        usual = [c for c in constants if value_of(c).number is not None or _is_date(c)]
        ordered = operator[0] in "<>" or operator == "between"
        among = usual if ordered else [c for c in constants if c.strip()]
        values = [random.choice(among) for _ in range({"in": 3, "between": 2}.get(operator, 1))]
        return Condition(node, operator, tuple(values))

    found = []
    for _ in range(random.choice((1, 1, 2))):
        first = one(random.choice(unknown))
        either = [one(first.node) for _ in range(random.choice((0, 0, 0, 1, 2)))]
        found.append(replace(first, either=tuple(either)))
    return tuple(found)


def _is_date(text: str) -> bool:
    iso = value_of(text).iso
    return iso is not None and period(iso) is not None


def _pattern(random: Random, made: World) -> Pattern:
    graph = made.now if random.random() < 0.5 else made.graph
    facts = graph.facts or made.graph.facts
    size = random.choice((1, 1, 2)) if "large" in made.kind else random.choice((1, 1, 2, 2, 2, 3))
    chosen = [random.choice(facts)]
    while len(chosen) < size:
        ends = {end for s, _, o in chosen for end in (s, o)}
        near = [f for f in facts if ends & {f[0], f[2]}]
        free = random.random() < 0.05 and "large" not in made.kind
        chosen.append(random.choice(facts if free else near))
    split = 0.1 if random.random() < 0.5 and "large" not in made.kind else 0.0
    nodes: dict[str, Node] = {}
    place: dict[str, str] = {}
    edges = []
    for source, relation, target in chosen:
        ends = []
        for end in (source, target):
            if end not in place or random.random() < split:
                place[end] = f"v{len(nodes)}"
                nodes[place[end]] = _node(random, graph, end, place[end])
            ends.append(place[end])
        if random.random() < 0.3:
            ends.reverse()
        value = None
        if (values := graph.values[source, relation, target]) and random.random() < 0.5:
            value = f"v{len(nodes)}"
            nodes[value] = _node(random, graph, random.choice(sorted(values)), value)
        words, directed = _relation(random, graph, relation), random.random() < 0.3
        edges.append(Edge(ends[0], words, ends[1], value, directed))
    return Pattern(tuple(nodes.values()), tuple(edges))


def _node(random: Random, graph: Graph, id: str, own: str) -> Node:
    text = kind = None
    if random.random() < 0.45:
        text = random.choice(graph.nodes.get(id) or [name(random)])
        if text in DATES and random.random() < 0.5:
            text = text[: random.choice((4, 7, 10))]
        text = random.choice((text, text, disguised(text, random), misspelt(text, random)))
        if random.random() < 0.12:
            text = random.choice((name(random), "7", "7.0", "1995", "1995", "1995-07", "true"))
        if random.random() < 0.06:
            text = f"<{BASE}n{random.randint(0, 9)}>"
        text = text if text.strip() else None
    if random.random() < 0.2:
        kind = random.choice((*TYPES, "number", "date", "text", "persons", "Work"))
    return Node(own, text, kind)


def _relation(random: Random, graph: Graph, id: str) -> str | None:
    if random.random() < 0.2:
        return None
    own = id.removeprefix(BASE) if id.startswith(BASE) else graph.relations.get(id, ["p"])[0]
    word = random.choice((own, random.choice(RELATIONS)))
    return random.choice((word, word, word.upper(), misspelt(word, random)))


def _beside(first: Pattern, second: Pattern) -> Pattern:
    """Both patterns as unconnected parts of one."""
    nodes = tuple(replace(n, id=f"w{n.id}") for n in second.nodes)
    edges = tuple(
        replace(
            e,
            source=f"w{e.source}",
            target=f"w{e.target}",
            value=e.value and f"w{e.value}",
        )
        for e in second.edges
    )
    return Pattern(first.nodes + nodes, first.edges + edges)


def _options(random: Random, made: World) -> Options:
    def fixed() -> int | None:
        return random.randint(1, 6) if random.random() < 0.35 else None

    lengths = (fixed(), fixed(), fixed()) if random.random() < 0.5 else (None, None, None)
    results = "matches" if random.random() < 0.1 else "interpretations"
    return Options(
        k=random.randint(1, 5),
        limit=random.randint(1, 3) if results != "matches" and random.random() < 0.1 else 5000,
        nodes=random.choice(("distinct", "anchored", "repeat", "walk")),
        direction=random.choice(("any", "as drawn", "as drawn", "as written")),
        type_weight=random.choice((1.0, 1.0, 0.5, 0.0)),
        k_nodes=lengths[0],
        k_relations=lengths[1],
        k_types=lengths[2],
        budget_seconds=3.0 if "large" in made.kind else None,
        budget_rows=random.choice((1, 3, 10)) if random.random() < 0.06 else None,
        results=results,
        exact_vectors=random.random() < 0.2,
        strategy=random.choice(("auto", "ascending", "semi-join", "brute force")),
    )
