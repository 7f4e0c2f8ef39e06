"""The pattern graph: what the subgraph of an answer should look like.

After SimGRAG (Cai et al., arXiv 2412.15272), sections 4.1 and 4.3: known nodes
and relations carry text, unknown ones do not, and unknown nodes may be typed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from isomatch.errors import PatternError
from isomatch.pattern.elements import COMPARISONS as COMPARISONS
from isomatch.pattern.elements import EACH_FUNCTIONS as EACH_FUNCTIONS
from isomatch.pattern.elements import FUNCTIONS as FUNCTIONS
from isomatch.pattern.elements import MAX_EDGES as MAX_EDGES
from isomatch.pattern.elements import MOST_CONSTANTS as MOST_CONSTANTS
from isomatch.pattern.elements import MOST_NESTED as MOST_NESTED
from isomatch.pattern.elements import OPERATORS as OPERATORS
from isomatch.pattern.elements import PART_OPERATORS as PART_OPERATORS
from isomatch.pattern.elements import Aggregate as Aggregate
from isomatch.pattern.elements import Condition as Condition
from isomatch.pattern.elements import Each as Each
from isomatch.pattern.elements import Edge as Edge
from isomatch.pattern.elements import Node as Node
from isomatch.pattern.elements import Operator as Operator
from isomatch.pattern.elements import Order as Order
from isomatch.pattern.elements import PartOperator as PartOperator
from isomatch.pattern.optional import functions_of, optional_fault, own_ids, required_ids
from isomatch.pattern.rules import Fault as Fault
from isomatch.pattern.rules import ask_fault as ask_fault
from isomatch.pattern.rules import components_of
from isomatch.pattern.rules import each_fault as each_fault
from isomatch.pattern.rules import find_fault as find_fault
from isomatch.pattern.rules import shown as shown

EXAMPLE = '(?film:film)-[directed by]-("Michael Mann") return ?film'


@dataclass(frozen=True, slots=True)
class Part:
    """What unknown nodes must be, by the answers of another pattern.

    The other pattern has its own nodes, and is searched by itself.

    Attributes:
        nodes: ids of unknown nodes of the pattern that has the part; compared with the
            answers of the other pattern, in their order.
        operator: ``in`` and ``not in`` take any number of nodes; a comparison takes one, and
            holds where it does for every value that the other pattern gives.
        pattern: the other pattern.
        alternative: whether it is joined to the part before it by ``or``: one of them is enough.
            Both are ``in``, and have the same nodes.
    """

    nodes: tuple[str, ...]
    operator: PartOperator
    pattern: Pattern
    alternative: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """A small graph of known and unknown nodes and relations.

    Attributes:
        nodes: in order of first mention.
        edges: in order as written; parallel edges and loops are allowed.
        returns: ids of the unknown nodes that are asked for, as written;
            see `answers` for the rule when it is empty.
        count: id of the unknown node that is counted: how many different graph nodes or
            values it stands for in the matches of one interpretation. None where nothing
            is counted.
        where: conditions that all matches satisfy. They leave distances and ranks alone.
        parts: further conditions, by the answers of other patterns.
        order: which of the answers are kept.
        aggregate: what is worked out of the values of a node in the matches of one
            interpretation: their sum, for one. Excludes returns, a count and an order.
        ask: whether it asks only if there is a match. Its names are taken for what is nearest
            to them, with matches or without. Excludes returns, a count, an aggregate and an
            order.

        each: what is worked out for each answer, which `returns` names: how many films a person
            has, for one.
        optional: further patterns of edges alone, for output columns: matches are those of the
            pattern without them. Unknown nodes of one id are the same node; the others of a part
            may be returned, and are empty in a match that the part has nothing for.

    Raises:
        PatternError: a rule is broken (empty, over 32 edges, an edge without
            its node, a value that is an end too, a component with nothing known,
            a count beside returns).

    Example:
        >>> p = Pattern((Node("f", type="film"), Node("m", "Michael Mann")),
        ...             (Edge("f", "directed by", "m"),))
        >>> p.answers
        ('f',)
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    returns: tuple[str, ...] = field(default=())
    count: str | None = None
    where: tuple[Condition, ...] = ()
    parts: tuple[Part, ...] = ()
    order: Order | None = None
    aggregate: Aggregate | None = None
    ask: bool = False
    each: tuple[Each, ...] = ()
    optional: tuple[Pattern, ...] = ()

    def __post_init__(self) -> None:
        single = (self.order, self.aggregate)
        returns = required_ids(self.returns, self.nodes, self.optional)
        beside = (self.where, self.parts, self.order, self.functions)
        if (
            fault := optional_fault(self.optional, self.nodes, self.returns, *beside)
            or find_fault(
                self.nodes, self.edges, returns, self.count, self.where, self.parts, *single
            )
            or each_fault(self.nodes, returns, self.count or self.aggregate, self.each)
            or ask_fault(self.ask, self.returns, self.count, *single, self.each)
        ):
            raise PatternError(f"{fault.problem}. A correct pattern: {EXAMPLE}", fault=fault)

    def node(self, id: str) -> Node:
        """The node with this id.

        Raises:
            KeyError: there is none.
        """
        for node in self.nodes:
            if node.id == id:
                return node
        raise KeyError(id)

    @property
    def answers(self) -> tuple[str, ...]:
        """Ids of the nodes asked for: the counted one, `returns`, else every unknown node.

        None of them where it only asks if there is a match, and none of optional parts.
        """
        if self.ask:
            return ()
        if self.count is not None:
            return (self.count,)
        if self.aggregate is not None:
            return (self.aggregate.node,)
        returned = required_ids(self.returns, self.nodes, self.optional)
        return returned or tuple(n.id for n in self.nodes if n.is_variable)

    @property
    def columns(self) -> tuple[str, ...]:
        """Ids of the nodes that a match is shown by: `answers`, and those of optional parts."""
        if self.optional and self.returns:
            return self.returns
        return (*self.answers, *(id for part in self.optional for id in self.columns_of(part)))

    def columns_of(self, part: Pattern) -> tuple[str, ...]:
        """Ids of the nodes that an optional part gives columns for."""
        own = own_ids(part, self.nodes)
        return tuple(id for id in own if not self.returns or id in self.returns)

    @property
    def required(self) -> Pattern:
        """The same pattern without its optional parts, which has the same matches."""
        if not self.optional:
            return self
        return replace(self, returns=self.answers if self.returns else (), optional=())

    @property
    def functions(self) -> tuple[tuple[str, str], ...]:
        """What is worked out, each with the id of its node; ``ask`` has none."""
        return functions_of(self.count, self.aggregate, self.each, self.ask)

    @property
    def has_edges_alone(self) -> bool:
        """Whether it has no clauses, as an optional part."""
        clauses = (self.where, self.parts, self.order, self.functions, self.optional)
        return not (self.returns or any(clauses))

    def patterns(self) -> Iterator[Pattern]:
        """This pattern, and those in its braces, at any depth."""
        yield self
        for part in self.parts:
            yield from part.pattern.patterns()

    @property
    def depth(self) -> int:
        """How deep patterns are nested in it: 0 without parts."""
        return max((part.pattern.depth + 1 for part in self.parts), default=0)

    @property
    def judged_together(self) -> bool:
        """Whether the matches of an interpretation can be judged all together only."""
        together = self.order is not None or self.aggregate is not None or bool(self.each)
        return together or any(condition.function for condition in self.where)

    @property
    def is_worked_out(self) -> bool:
        """Whether its answers follow from more than their own matches: a count, parts, an order."""
        return self.count is not None or bool(self.parts) or self.judged_together or self.ask

    @property
    def counts(self) -> bool:
        """Whether it counts something, or works something out, of all its matches together."""
        return self.count is not None or self.aggregate is not None

    @property
    def alike(self) -> tuple[tuple[str, str], ...]:
        """Pairs of nodes that a condition allows to be equal, and so to be one value."""
        compared = (one for condition in self.where for one in condition.alternatives)
        return tuple(
            (one.node, one.other)
            for one in compared
            if one.other is not None and one.operator in ("=", "<=", ">=")
        )

    def without_count(self) -> Pattern:
        """The same pattern, which asks for what it counted, or worked something out of."""
        if not self.counts:
            return self
        return replace(self, returns=self.answers, count=None, aggregate=None)

    def components(self) -> tuple[tuple[int, ...], ...]:
        """Indices of edges, grouped into connected components, in order."""
        return components_of(self.edges)


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

    def to_pattern(self, directed: bool = True, *, every: bool = False) -> Pattern:
        """The same walk as a pattern whose last node is asked for, of arrows or not.

        Args:
            every: whether it begins at all nodes of the name together.
        """
        nodes = [Node("topic", self.topic, every=every)]
        edges = []
        for step, relation in enumerate(self.relations, 1):
            here, there = nodes[-1].id, f"x{step}"
            nodes.append(Node(there))
            back = relation.startswith("^")
            source, target = (there, here) if back else (here, there)
            words = relation[1:] if back else relation
            edges.append(Edge(source, words, target, directed=directed))
        return Pattern(tuple(nodes), tuple(edges), (nodes[-1].id,))
