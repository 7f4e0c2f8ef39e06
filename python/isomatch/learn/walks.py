"""What training asks of the graph: nodes by name, and where relation chains lead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from isomatch.chains.graph import FEW_RELATIONS, Chain, ChainGraph, Nodes, Step
from isomatch.compile.base import Branch, Part, Terms
from isomatch.compile.dialects import dialect_of
from isomatch.errors import ConfigurationError
from isomatch.link.index import Index
from isomatch.plan.structure import Structure
from isomatch.schema.types import Schema
from isomatch.store.base import Store
from isomatch.store.terms import is_blank

MOST = 64  # nodes of one name
ARRIVALS = 32  # answers whose incoming steps are looked up
SECONDS = 30.0
MOST_CHAINS = 5000


@dataclass(frozen=True, slots=True)
class Ends:
    """Where a chain ends.

    Attributes:
        ids: of distinct nodes.
        cut: whether there are more, which the limit left out.
    """

    ids: frozenset[str]
    cut: bool = False


class Entities:
    """Finds the nodes and values with a given name.

    Raises:
        ConfigurationError: the index was made without nodes.
    """

    def __init__(self, index: Index):
        if index.nodes is not None:
            raise ConfigurationError(
                "training needs the graph's names, but the index was made without nodes: unset "
                f"{index.nodes.setting}, then run `isomatch index`"
            )
        self._index = index

    @lru_cache(maxsize=200_000)  # noqa: B019 - lives as long as a run
    def ids(self, name: str) -> tuple[str, ...]:
        """Ids of that name: of exact matches, else ignoring case and accents.

        A text that is a number, a date or a boolean also means every literal of that value.
        """
        plain = name.replace("_", " ")
        texts = self._index.by_name("nodes", name)
        exact = [text for text in texts if text.text.replace("_", " ") == plain]
        keys = self._index.keys(exact or texts, MOST)
        found = [id for ids in keys.values() for id in ids] + [*self._index.values(name, MOST)]
        return tuple(dict.fromkeys(sorted(found)))

    def known(self, name: str) -> bool:
        return bool(self.ids(name))


class Walker:
    """Walks chains through the store's compiled queries.

    A chain is walked as a search matches it with its direction as written: no stored edge
    twice, and under ``anchored`` the topic is not met again.

    Args:
        max_hops: of the chains that are tried.
    """

    def __init__(self, store: Store, schema: Schema, *, max_hops: int = 3):
        self.schema = schema
        self.max_hops = max_hops
        self._store = store
        self._terms = Terms.of(schema)
        self._graph = ChainGraph(store, schema, timeout=SECONDS)
        self._all = tuple(Step(r.id, back) for r in schema.relations for back in (False, True))

    def ends(
        self,
        topics: Sequence[str],
        chains: Sequence[Chain],
        limit: int,
        *,
        nodes: Nodes = "anchored",
    ) -> list[Ends]:
        """Where each chain ends that starts at any of the topics.

        Args:
            topics: ids of nodes or values; blank nodes are ignored.
            limit: maximum number of ends of a chain.
            nodes: see `isomatch.options.Options`.

        Raises:
            QueryTimeout, StoreError: see `Store.run`.
        """
        found = self._found([(topics, chain) for chain in chains], limit + 1, nodes)
        return [
            Ends(frozenset(sorted(ids)[:limit]), True) if len(ids) > limit else Ends(frozenset(ids))
            for ids in found
        ]

    def exist(self, walks: Sequence[tuple[Sequence[str], Chain]]) -> list[bool]:
        """Whether each chain leads anywhere from its own topics, see `ends`."""
        return [bool(ids) for ids in self._found(walks, 1, "anchored")]

    def _found(
        self, walks: Sequence[tuple[Sequence[str], Chain]], limit: int, nodes: Nodes
    ) -> list[set[str]]:
        """Some ends of each walk, at least ``limit`` where there are that many."""
        branches: list[tuple[int, Branch]] = []
        for number, (topics, chain) in enumerate(walks):
            part = self._part(chain, nodes)
            branches += [(number, (part, {0: id})) for id in topics if not is_blank(id)]
        # In Cypher chains of one form share a text; in all, a query has chains of one length.
        forms = [_form(chain) for _, chain in walks]
        branches.sort(key=lambda branch: forms[branch[0]])
        found: list[set[str]] = [set() for _ in walks]
        for _, same in groupby(branches, key=lambda branch: forms[branch[0]][0]):
            rest = list(same)
            while rest:
                count = dialect_of(self._store).ends_together([branch for _, branch in rest])
                asked, rest = rest[:count], rest[count:]
                query = dialect_of(self._store).ends([branch for _, branch in asked], limit)
                for i, id in self._store.run(query, timeout=SECONDS) if query else ():
                    if id is not None:
                        found[asked[int(i or 0)][0]].add(id)
        return found

    def leaving(self, ids: Iterable[str]) -> list[Step]:
        """The steps that leave some nodes, in order."""
        return sorted(self._graph.around(sorted(ids)))

    def reaching(self, topics: Sequence[str], answers: Sequence[str]) -> list[Chain]:
        """The chains to try, from steps of a topic to steps that reach an answer.

        In a graph of at most 64 relations these are all that may connect the two. In a larger
        one the middle of three hops is what is known to follow the first
        (`ChainGraph.followers`), most common first, up to 5000 chains in all.

        Args:
            answers: ids; the incoming steps of the first 32 are looked up.
        """
        begin = self.leaving(topics)
        last = sorted(step.inverse for step in self.leaving(answers[:ARRIVALS]))
        chains: list[Chain] = [(step,) for step in begin if step in last]
        prefixes: list[Chain] = [(step,) for step in begin]
        for _ in range(1, self.max_hops):
            chains += [(*p, step) for p in prefixes for step in last if self.meet(p[-1], step)]
            prefixes = [(*p, step) for p in prefixes for step in self._after(p[-1])]
            if len(chains) > MOST_CHAINS:
                break
        return chains[:MOST_CHAINS]

    def _after(self, step: Step) -> list[Step]:
        if len(self.schema.relations) <= FEW_RELATIONS:
            return [after for after in self._all if self.meet(step, after)]
        self._graph.begin()
        shares = self._graph.followers(step)
        return [s for s in sorted(shares, key=lambda s: (-shares[s], s)) if self.meet(step, s)]

    def meet(self, step: Step, after: Step) -> bool:
        """Whether a node can be arrived at by a step and left by another."""
        joins = self.schema.joins
        if joins is not None and (_port(step.inverse), _port(after)) not in joins:
            return False
        return self._graph.allowed(step, after)

    @lru_cache(maxsize=4096)  # noqa: B019 - a walker lives as long as a run
    def _part(self, chain: Chain, nodes: Nodes) -> Part:
        edges = tuple((i + 1, i) if step.back else (i, i + 1) for i, step in enumerate(chain))
        structure = Structure(
            known=(True,) + (False,) * len(chain),
            edges=edges,
            values=(None,) * len(chain),
            order=tuple(range(len(chain))),
            nodes=nodes,
            directed=(True,) * len(chain),
        )
        untyped = (None,) * (len(chain) + 1)
        return Part(structure, tuple(step.relation for step in chain), untyped, self._terms)


def _port(step: Step) -> str:
    """The side of its relation on which a node has a step (`Schema.joins`)."""
    return f"{'-' if step.back else '+'}{step.relation}"


def _form(chain: Chain) -> tuple[int, tuple[tuple[bool, str], ...]]:
    """What the text of a chain's query depends on in Cypher, its length first."""
    return len(chain), tuple((step.back, step.relation[:1]) for step in chain)
