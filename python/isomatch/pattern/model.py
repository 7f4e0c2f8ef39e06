"""The pattern graph: what the subgraph of an answer should look like.

After SimGRAG (Cai et al., arXiv 2412.15272), sections 4.1 and 4.3: known nodes
and relations carry text, unknown ones do not, and unknown nodes may be typed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from isomatch.errors import PatternError

MAX_EDGES = 32
EXAMPLE = '(?film:film)-[directed by]-("Michael Mann") return ?film'


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a pattern.

    Attributes:
        id: unique in the pattern; letters, digits and underscores.
        text: the name to look for; None for an unknown node.
        type: the kind of thing it should be, in words; None for any.
    """

    id: str
    text: str | None = None
    type: str | None = None

    @property
    def known(self) -> bool:
        """Whether the node has a name to look for."""
        return self.text is not None


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of a pattern, from node id to node id.

    Direction counts only under ``direction="as written"``. ``relation`` is the
    text of a known relation, None for an unknown one.
    """

    source: str
    relation: str | None
    target: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A small graph of known and unknown nodes and relations.

    Attributes:
        nodes: in order of first mention.
        edges: in order as written; parallel edges and loops are allowed.
        returns: ids of the unknown nodes that are asked for, as written;
            see `answers` for the rule when it is empty.

    Raises:
        PatternError: a rule is broken (empty, over 32 edges, an edge without
            its node, a component with nothing known).

    Example:
        >>> p = Pattern((Node("f", type="film"), Node("m", "Michael Mann")),
        ...             (Edge("f", "directed by", "m"),))
        >>> p.answers
        ('f',)
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    returns: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        _check(self)

    def node(self, id: str) -> Node:
        """The node of that id; KeyError where there is none."""
        for node in self.nodes:
            if node.id == id:
                return node
        raise KeyError(id)

    @property
    def answers(self) -> tuple[str, ...]:
        """Ids of the nodes asked for: `returns`, else every unknown node."""
        return self.returns or tuple(n.id for n in self.nodes if not n.known)

    def components(self) -> tuple[tuple[int, ...], ...]:
        """Indices of edges, grouped into connected components, in order."""
        groups: list[tuple[set[str], list[int]]] = []
        for index, edge in enumerate(self.edges):
            names, members = {edge.source, edge.target}, [index]
            rest = []
            for other_names, other_members in groups:
                if names & other_names:
                    names |= other_names
                    members = other_members + members
                else:
                    rest.append((other_names, other_members))
            groups = [*rest, (names, sorted(members))]
        return tuple(tuple(m) for _, m in sorted(groups, key=lambda g: g[1][0]))


@dataclass(frozen=True, slots=True)
class RelationChain:
    """A walk from a mentioned entity along relations (GSR, Huang et al. 2024).

    Attributes:
        topic: the entity's name, as mentioned.
        relations: texts in order; a leading ``^`` means against the stored
            direction (as SPARQL writes an inverse path).
    """

    topic: str
    relations: tuple[str, ...]

    def to_pattern(self) -> Pattern:
        """The same walk as a pattern whose last node is asked for."""
        nodes = [Node("topic", self.topic)]
        edges = []
        for step, relation in enumerate(self.relations, 1):
            here, there = nodes[-1].id, f"x{step}"
            nodes.append(Node(there))
            back = relation.startswith("^")
            source, target = (there, here) if back else (here, there)
            edges.append(Edge(source, relation[1:] if back else relation, target))
        return Pattern(tuple(nodes), tuple(edges), (nodes[-1].id,))


def _check(pattern: Pattern) -> None:
    def fail(problem: str) -> None:
        raise PatternError(f"{problem}. A correct pattern: {EXAMPLE}")

    if not pattern.edges:
        fail("the pattern is empty: it has no edge")
    if len(pattern.edges) > MAX_EDGES:
        fail(f"the pattern has {len(pattern.edges)} edges; at most {MAX_EDGES} are searched")
    ids = [n.id for n in pattern.nodes]
    if repeated := _repeated(ids):
        fail(f"two nodes share the id {repeated!r}")
    touched = {end for e in pattern.edges for end in (e.source, e.target)}
    if missing := sorted(touched - set(ids)):
        fail(f"an edge names the node {missing[0]!r}, which the pattern does not have")
    if lonely := sorted(set(ids) - touched):
        fail(f"the node {lonely[0]!r} has no edge")
    for node in pattern.nodes:
        if not node.id or not node.id.replace("_", "a").isalnum():
            fail(f"{node.id!r} is no node id: use letters, digits and underscores")
        if node.known and not (node.text or "").strip():
            fail(f"the known node {node.id!r} has an empty name")
        if node.type is not None and not node.type.strip():
            fail(f"the node {node.id!r} has an empty type; leave it out")
    for edge in pattern.edges:
        if edge.relation is not None and not edge.relation.strip():
            fail(f"the relation between {edge.source!r} and {edge.target!r} is empty text")
    known = {n.id for n in pattern.nodes if n.known}
    for component in pattern.components():
        edges = [pattern.edges[i] for i in component]
        if all(e.relation is None and not {e.source, e.target} & known for e in edges):
            fail("a connected part of the pattern has no known node and no known relation")
    for id in pattern.returns:
        if id not in ids:
            fail(f"return names {id!r}, which the pattern does not have")
        if id in known:
            fail(f"return names {id!r}, which is known already; ask for an unknown node")
    if repeated := _repeated(pattern.returns):
        fail(f"return names {repeated!r} twice")


def _repeated(items: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    return None
