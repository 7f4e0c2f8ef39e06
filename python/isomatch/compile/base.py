"""What every dialect offers: plans compiled to queries.

Texts come from the templates of the language (`isomatch.store.templates`), through which
ids are escaped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from isomatch.compile.ranges import Range
from isomatch.plan.structure import Structure

if TYPE_CHECKING:
    from isomatch.compile.procedure import Prefix
    from isomatch.options import Nodes, Options
    from isomatch.pattern.types import Pattern
    from isomatch.schema.types import Schema
    from isomatch.store.base import Query
    from isomatch.store.capabilities import StoreCapabilities
    from isomatch.store.templates import Templates


@dataclass(frozen=True, slots=True)
class Terms:
    """What a query needs to know of the graph.

    Attributes:
        type_relation: the predicate that gives types.
        excluded: predicates that are no relations (names, types, vocabulary); an
            unknown relation never matches one. In a property graph it only matches
            what the schema has.
        schema: where the rest is looked up.
        digest: of the schema; equal ones give equal texts.
        relations_begin, begins, unsearched: see `Schema`.
    """

    type_relation: str | None
    excluded: tuple[str, ...]
    schema: Schema | None = field(default=None, compare=False, repr=False)
    digest: str = ""
    relations_begin: str | None = None
    begins: tuple[str, ...] = ()
    unsearched: tuple[str, ...] = ()

    @property
    def subclasses(self) -> Mapping[str, tuple[str, ...]]:
        """See `Schema.subclasses`; none without a schema."""
        return self.schema.subclasses if self.schema else {}

    @property
    def known_schema(self) -> Schema:
        """The schema.

        Raises:
            ValueError: these were not made by `Terms.of`.
        """
        if self.schema is None:
            raise ValueError("Cypher is compiled with the schema at hand: make Terms by Terms.of")
        return self.schema

    @classmethod
    def of(cls, schema: Schema) -> Terms:
        """Read off the introspected schema."""
        return cls(
            schema.type_relation,
            schema.excluded,
            schema,
            schema.digest,
            schema.relations_begin,
            schema.begins,
            schema.unsearched,
        )


FEW = 10_000  # nodes of a type that are listed before anything else is read


@dataclass(frozen=True, slots=True)
class Asked:
    """What a query for programs selects.

    Attributes:
        nodes: numbers of the nodes that are the answer; none: only if there is a match.
        counted: whether they are counted.
    """

    nodes: tuple[int, ...] = ()
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a pattern with its relations and types chosen.

    Attributes:
        structure: shape and rules; its ``order`` says which edges count.
        relations: id by edge number, None for an unknown relation.
        types: id by node number, None for an untyped node.
        terms: see `Terms`.
        ranges: what `Dialect.match` and `Dialect.find` leave out, if the dialect `narrows`.
    """

    structure: Structure
    relations: tuple[str | None, ...]
    types: tuple[str | None, ...]
    terms: Terms
    ranges: tuple[Range, ...] = ()

    @property
    def start(self) -> int | None:
        """The node that a search without a known node begins at: of a type of few nodes, or alone.

        Only of types with subclasses. Those of others are facts like others to an engine.
        """
        structure, below = self.structure, self.terms.subclasses
        if structure.same_as or any(structure.known[n] for n in structure.used):
            return None
        sizes = self.terms.known_schema.sizes if below else {}
        typed = [
            (n, id) for n in structure.used if (id := self.types[n]) is not None and id in below
        ]
        if not structure.edges:
            return next((n for n, _ in typed), None)
        found = [(sum(sizes.get(x, 0) for x in (id, *below[id])), n) for n, id in typed]
        return next((n for size, n in sorted(found) if size <= FEW), None)


Known = str | tuple[str, ...]
"""The graph id of a known node in a text for people, or those of several values."""
Branch = tuple[Part, Mapping[int, str]]
"""An interpretation to compile: its part, and the graph id of each known node."""


@dataclass(frozen=True, slots=True)
class Onward:
    """What `Dialect.onward` is asked of an interpretation's beginning.

    Attributes:
        branch: a connected part from a known node.
        end: the node of it that is looked at.
        relations: those that it may have, in either direction.
    """

    branch: Branch
    end: int
    relations: tuple[str, ...]


def last_node(part: Part, nodes: Mapping[int, str]) -> int:
    """The number of the node that a chain from a known node ends at.

    That end of the last edge which no edge before it has, nor is known.
    """
    *before, last = part.structure.order
    seen = {n for e in before for n in part.structure.edges[e]} | set(nodes)
    return next(n for n in part.structure.edges[last] if n not in seen)


def chain_part(
    terms: Terms,
    edges: Sequence[tuple[str, str, str]],
    known: Collection[str],
    nodes: Nodes = "distinct",
) -> tuple[Part, list[str]]:
    """Edges over variables as a part, and its variables by number."""
    variables = list(dict.fromkeys(v for a, _, b in edges for v in (a, b)))
    structure = Structure(
        known=tuple(v in known for v in variables),
        edges=tuple((variables.index(a), variables.index(b)) for a, _, b in edges),
        values=(None,) * len(edges),
        order=tuple(range(len(edges))),
        nodes=nodes,
        directed=(True,) * len(edges),
    )
    relations = tuple(r for _, r, _ in edges)
    return Part(structure, relations, (None,) * len(variables), terms), variables


class Dialect(ABC):
    """Compiles plans to one query language.

    Attributes:
        templates: of the language.
        first_batch: interpretations in the first query of `find`.
        narrows: whether `Part.ranges` are taken.
        finds_all: whether the rows of `find` are of every interpretation that has a match,
            not of the first ``wanted`` alone.

    Args:
        capabilities: of the store that runs the queries.
    """

    templates: Templates
    first_batch: int = 32
    narrows: bool = True
    finds_all: bool = False

    def __init__(self, capabilities: StoreCapabilities):
        self.capabilities = capabilities

    def render(self, template: str, **values: Any) -> str:
        """The text of a template; a missing value raises."""
        return self.templates.render(template, **values)

    @abstractmethod
    def match(self, part: Part, nodes: Mapping[int, str], limit: int) -> Query:
        """Matches of one interpretation, at most ``limit`` rows.

        Columns: ``nN`` for every node that the part touches, in the order of
        `Structure.used`, then ``eE`` for every unknown relation.

        Args:
            nodes: graph id by node number, for known nodes; bound as parameters.
        """

    def count(self, part: Part, nodes: Mapping[int, str], node: int) -> Query | None:
        """How many different things a node is in all matches: one row of (count).

        None where the database might tell other things apart than ids do.

        Args:
            node: its number; not a known one.
        """
        return None

    def pasteable(
        self,
        part: Part,
        nodes: Mapping[int, Known],
        limit: int,
        names: Mapping[str, str],
        languages: Sequence[str] = (),
    ) -> str | None:
        """`match` as a text for people to read and to paste, without parameters.

        None where that depends on the matches (`isomatch.compile.pasteable`).

        Args:
            names: of the variables, see `isomatch.pattern.columns.column_names`.
            languages: of labels.
        """
        return None

    def answering(
        self, part: Part, nodes: Mapping[int, Known], names: Mapping[str, str], asked: Asked
    ) -> str | None:
        """`pasteable` for programs: the answers and nothing else, and all of them.

        None where the language of the database is not SPARQL.
        """
        return None

    def find(self, branches: Sequence[Branch], limit: int, wanted: int) -> Query | None:
        """Matches of many interpretations of one structure, for stores that batch.

        The columns of `match` after ``i``, the interpretation's number. The
        distinct rows of the first ``wanted`` that have a match come, at most
        ``limit`` each, and maybe those of later ones, in any order. None where no
        interpretation can have a match.

        Raises:
            NotImplementedError: the store does not batch (`StoreCapabilities.batched`).
        """
        raise NotImplementedError

    def together(self, branches: Sequence[Branch]) -> int:
        """How many of these, from the first on, are worth one query of `find`."""
        return len(branches)

    def onward(self, asked: Sequence[Onward]) -> Query | None:
        """Which relations the ends of matches have at all: rows of (i, r), by number of ``asked``.

        A row without a relation says that all of them may be there. None where the database is
        not asked.
        """
        return None

    def procedure(
        self,
        pattern: Pattern,
        prefixes: Sequence[Prefix],
        options: Options,
        terms: Terms,
        seconds: float | None,
    ) -> Query:
        """The whole search as one call, for databases that have the plugin (`Store.ranked`).

        Args:
            prefixes: of the candidate lists of all known parts.
            seconds: that are left of the budget, or None.

        Raises:
            NotImplementedError: there is no plugin for such databases.
        """
        raise NotImplementedError

    @abstractmethod
    def probe(self, branches: Sequence[Branch]) -> Query:
        """Which interpretations have a match: rows of branch numbers."""

    def scans(self, part: Part, nodes: Mapping[int, str]) -> tuple[str, ...]:
        """What `match` would have to scan for, in words, with what would help."""
        return ()

    @abstractmethod
    def brute(
        self,
        part: Part,
        nodes: Mapping[int, Sequence[str]],
        relations: Mapping[int, Sequence[str]],
        types: Mapping[int, Sequence[str]],
        limit: int,
    ) -> Query:
        """Every interpretation within the lists that has a match, at most ``limit`` rows.

        Columns: ``nN`` of ``nodes``, ``eE`` of ``relations``, ``tN`` of
        ``types``, in this order. Relations and types in ``part`` are fixed.
        """

    # -- what reading a question asks of the graph --------------------------------------

    @abstractmethod
    def around(
        self,
        terms: Terms,
        relations: Sequence[str],
        *,
        ids: Sequence[str] = (),
        end: tuple[str, bool] | None = None,
        sample: int,
        edges: int,
    ) -> Query:
        """Which relations leave and enter some nodes: rows of (r, back, count).

        Args:
            relations: those to ask about one by one; where there are none, a
                limited number of edges is read.
            ids: the nodes; or else
            end: (relation, back): nodes that it leads to, a sample of them.
            sample, edges: how many of each at most.
        """

    @abstractmethod
    def walks(self, terms: Terms, chains: Sequence[Mapping[str, Any]]) -> Query:
        """Which of some chains exist: rows of their numbers.

        A chain has ``known`` (variable, ids), ``edges`` (variable, relation,
        variable) as stored, ``nodes``, what of it may coincide, and what follows
        from that: ``apart``, pairs of variables.
        """

    @abstractmethod
    def ends(self, branches: Sequence[Branch], limit: int) -> Query | None:
        """Where chains of one length end: rows of a branch's number and one node.

        A branch is a chain from a known node; its last edge leads to what is found.
        Distinct nodes, at most ``limit`` a branch, in any order. None where no
        branch can have any.
        """

    @abstractmethod
    def ends_together(self, branches: Sequence[Branch]) -> int:
        """How many of these, from the first on, are worth one query of `ends`."""

    @abstractmethod
    def places(
        self,
        terms: Terms,
        edges: Sequence[tuple[str, str, str]],
        nodes: Sequence[str],
        values: Sequence[str],
        types: Mapping[str, str],
        limit: int,
    ) -> Query:
        """A few places in the graph that have a shape; a column for each variable.

        Args:
            edges: (variable, relation, variable), as stored.
            nodes, values: variables that are nodes and differ, and literals.
            types: by variable.
        """

    def sample(self, terms: Terms, relation: str, limit: int) -> Query:
        """Some facts of a relation to values: rows of anything and a value."""
        return self.places(terms, [("x", relation, "v")], ["x"], ["v"], {}, limit)

    # -- the triples around some nodes ----------------------------------------------------

    @abstractmethod
    def degrees(self, terms: Terms, nodes: Sequence[str]) -> Query:
        """How many facts some nodes have: rows of (i, count), by number of the node.

        Nodes without any may be missing.
        """

    def subgraph(
        self, terms: Terms, nodes: Sequence[str], *, hops: int, budget: int, hub: int
    ) -> Query | None:
        """The facts within some hops of nodes, by the database's plugin; None without one.

        Of the nodes at the last distance the facts among each other are not read.

        Rows of (hops, degree, cut, a, r, x): for each node ``a`` one without a relation ``r``,
        and one for each fact from ``a`` to ``x``. ``cut`` names a budget that left something
        out.

        Args:
            hops: maximum distance of a node.
            budget: maximum number of facts.
            hub: maximum number of relationships that are followed from one node.
        """
        return None

    @abstractmethod
    def facts_of(self, terms: Terms, nodes: Sequence[str], limit: int | None = None) -> Query:
        """The facts of some nodes, as source and as target: rows of (i, r, x, back).

        ``i`` is the number of the node, ``r`` the relation, ``x`` the other end, and
        ``back`` whether the node is the target.

        Args:
            nodes: all of them nodes, or all values; a blank node only alone.
            limit: how many of each side at most; for one node.
        """

    @abstractmethod
    def types_of(self, terms: Terms, nodes: Sequence[str]) -> Query:
        """The types of some nodes: rows of (i, type), by number of the node.

        Args:
            terms: of a graph with types.
            nodes: no blank nodes and no values.
        """
