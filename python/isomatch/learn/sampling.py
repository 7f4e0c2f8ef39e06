"""Topics and chains sampled from the graph, the same in every store that holds it.

Sampling goes by names: a seed puts them in an order, and the database is asked for the
steps that leave the nodes of the first 3,000. So neither the order of a store's rows nor its
ids matter. Relations that are rare among these nodes are queried one by one, and their
nodes put in the same order. Only for a relation with more than 1,000 facts that none of the
sampled nodes has does the choice depend on the database.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from heapq import nsmallest
from itertools import groupby
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from isomatch.chains.graph import FEW_RELATIONS, Chain, Step
from isomatch.compile.base import Terms
from isomatch.compile.dialects import dialect_of
from isomatch.learn.walks import Entities, Walker
from isomatch.seed import SEED
from isomatch.store.base import chunked
from isomatch.store.terms import display_name, is_blank, is_literal

if TYPE_CHECKING:
    from isomatch.resources import Resources

NAMES = 3000
LONGEST = 100  # characters of a name that a question would have
PORTS = 20_000  # pairs of node and relation that are asked about at once
PER_STEP = 200  # topics of a step, at most
RARE = 1000  # facts of a relation that are looked through
TRIES = 20  # chains that are tried for each that is wanted
BATCH = 64
CHAINS = 500  # of one first step and one length
FAN = 0.7
LEAST_SHARE = 0.01  # of the nodes that a step leads to, which the next one must leave
MOST_RELATIONS = 2000


class Sampled(NamedTuple):
    """A chain that exists from a topic."""

    topic: str
    ids: tuple[str, ...]
    chain: Chain


@dataclass(frozen=True, slots=True)
class Node:
    """A name, its nodes, and the steps that leave them."""

    name: str
    ids: tuple[str, ...]
    steps: frozenset[Step]


class Sampler:
    """Samples topics and chains of one graph, the same ones for the same seed.

    Raises:
        ConfigurationError: the index was made without nodes.
    """

    def __init__(self, resources: Resources, seed: int = SEED):
        self._store = resources.store
        self._index = resources.index
        self._schema = resources.schema
        self._entities = Entities(resources.index)
        self._seed = seed
        self._walker = Walker(resources.store, resources.schema)
        relations = sorted(resources.schema.relations, key=lambda r: (-r.triples, r.text, r.id))
        self._relations = tuple(r.id for r in relations[:MOST_RELATIONS])
        self._texts = {r.id: r.text for r in relations}

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The sampled nodes, in the order of the seed."""
        names = nsmallest(NAMES, self._names(), key=self._order)
        ids = {name: tuple(filter(_is_node, self._entities.ids(name))) for name in names}
        steps = self._steps([id for name in names for id in ids[name]])
        return tuple(
            Node(name, ids[name], frozenset().union(*(steps.get(id, ()) for id in ids[name])))
            for name in names
            if ids[name]
        )

    @cached_property
    def topics(self) -> Mapping[Step, Sequence[Node]]:
        """Nodes by outgoing step, at most 200 each; most used relations first."""
        found: dict[Step, list[Node]] = {}
        for relation in self._relations:
            for back in (False, True):
                step = Step(relation, back)
                here = [node for node in self.nodes if step in node.steps][:PER_STEP]
                if len(here) < PER_STEP:
                    known = {node.name for node in here}
                    here += [node for node in self._rare(step) if node.name not in known]
                if here:
                    found[step] = here[:PER_STEP]
        return found

    def steps(self, number: int) -> Iterator[tuple[Step, str, tuple[str, ...]]]:
        """Step, topic's name and its ids: up to ``number`` of each relation and direction."""
        for step, topics in self.topics.items():
            for node in topics[:number]:
                yield step, node.name, node.ids

    def chains(self, number: int, max_hops: int = 3) -> Iterator[Sampled]:
        """Distinct pairs of topic and chain, taking turns by first step and length.

        Among chains of one first step and length, the weight of a chain is the square root
        of its support, divided by how often it was drawn and by a power of the mean fan-out
        of its later steps: few people ask for what a million paths lead to.

        Args:
            number: maximum; fewer where the graph has no more.
        """
        times: Counter[Chain] = Counter()
        drawn = self._drawn(max_hops, times)
        seen: set[tuple[str, Chain]] = set()
        tries = 0
        while len(seen) < number and tries < TRIES * number:
            batch: list[Sampled] = []
            for _ in range(BATCH):
                one = next(drawn, None)
                tries += 1
                if one is not None and (one.topic, one.chain) not in seen:
                    batch.append(one)
            if not batch and next(drawn, None) is None:
                return
            there = self._walker.exist([(one.ids, one.chain) for one in batch])
            for one, exists in zip(batch, there, strict=True):
                if exists and (one.topic, one.chain) not in seen and len(seen) < number:
                    seen.add((one.topic, one.chain))
                    times[one.chain] += 1
                    yield one

    def followers(self, step: Step) -> Mapping[Step, float]:
        """The steps that may follow a step, with the share of its end nodes that have each."""
        arrived = [node for node in self._everywhere if step.inverse in node.steps]
        if not arrived:  # values: the only way on is back
            return {step.inverse: 1.0}
        counts = Counter(after for node in arrived for after in node.steps)
        return {after: count / len(arrived) for after, count in counts.items()}

    @cached_property
    def _everywhere(self) -> tuple[Node, ...]:
        rare = {node.name: node for nodes in self.topics.values() for node in nodes}
        return tuple({**rare, **{node.name: node for node in self.nodes}}.values())

    def _order(self, name: str) -> bytes:
        """Sort key of a name in the order of the seed."""
        text = f"{self._seed} {name}".encode("utf-8", "surrogatepass")
        return blake2b(text, digest_size=16).digest()

    def _names(self) -> Iterator[str]:
        """Every distinct name; equal ones are adjacent in the index."""
        pairs = self._index.all_names("nodes")
        for name, _ in groupby(pairs, key=lambda pair: pair[0]):
            if 0 < len(name.strip()) <= LONGEST:
                yield name

    def _steps(self, ids: Sequence[str]) -> dict[str, set[Step]]:
        """The steps that leave each node; of the 64 most used relations at most."""
        asked = self._relations[:FEW_RELATIONS]
        found: dict[str, set[Step]] = {}
        for some in chunked(ids, max(1, PORTS // max(1, len(asked)))):
            for id, port in self._store.incidence(some, asked):
                found.setdefault(id, set()).add(Step(port[1:], port[0] == "-"))
        return found

    def _rare(self, step: Step) -> list[Node]:
        """Nodes and values that a step leaves, from its facts."""
        facts = self._facts(step.relation)
        ends = {(target if step.back else source) for source, target in facts}
        names = self._index.name_of(sorted(ends))
        named = {names.get(id) or display_name(id) for id in ends}
        chosen = nsmallest(PER_STEP, (n for n in named if 0 < len(n) <= LONGEST), key=self._order)
        found = [
            (name, tuple(id for id in self._entities.ids(name) if id in ends)) for name in chosen
        ]
        ids = [id for _, of in found for id in of if _is_node(id)]
        steps = self._steps(ids)
        return [
            Node(name, of, frozenset({step}).union(*(steps.get(id, ()) for id in of)))
            for name, of in found
            if of
        ]

    @lru_cache(maxsize=1)  # noqa: B019 - both directions of a relation are asked in a row
    def _facts(self, relation: str) -> frozenset[tuple[str, str]]:
        """Source and target of some facts of a relation, values included."""
        found: set[tuple[str, str]] = set()
        for values in (False, True):
            if values and not self._schema.by_id[relation].literal_kinds:
                continue
            nodes, others = (["a"], ["b"]) if values else (["a", "b"], [])
            query = dialect_of(self._store).places(
                Terms.of(self._schema), [("a", relation, "b")], nodes, others, {}, RARE
            )
            found.update((a, b) for a, b in self._store.run(query) if a and b)
        return frozenset(found)

    def _drawn(self, max_hops: int, times: Mapping[Chain, int]) -> Iterator[Sampled]:
        """Endless samples of chains with topics, which may not exist in the graph."""
        chance = random.Random(f"{self._seed} chains")  # noqa: S311 - repeatable, not secret
        support = {step: self._chains_from(step, max_hops) for step in self.topics}
        rounds = 0
        while support:
            length = rounds % max_hops
            for step, topics in self.topics.items():
                chains = support[step][length]
                if not chains:
                    continue
                weights = [
                    weight**0.5 / self._fan(chain) / (1 + times[chain]) for chain, weight in chains
                ]
                [(chain, _)] = chance.choices(chains, weights)
                node = topics[chance.randrange(len(topics))]
                yield Sampled(node.name, node.ids, chain)
            rounds += 1

    def _chains_from(self, first: Step, max_hops: int) -> list[list[tuple[Chain, float]]]:
        """The chains that begin with a step and their support, by length."""
        level: list[tuple[Chain, float]] = [((first,), 1.0)]
        levels = [level]
        for _ in range(1, max_hops):
            longer = [
                ((*chain, step), support * share)
                for chain, support in level
                for step, share in self._following[chain[-1]]
            ]
            level = sorted(longer, key=lambda c: (-c[1], [self._place(s) for s in c[0]]))[
                : BATCH * 8
            ]
            levels.append(level)
        return levels

    @cached_property
    def _following(self) -> Mapping[Step, Sequence[tuple[Step, float]]]:
        every = {Step(relation, back) for relation in self._relations for back in (False, True)}
        return {
            step: [
                (after, share)
                for after, share in sorted(
                    self.followers(step).items(), key=lambda item: self._place(item[0])
                )
                if share >= LEAST_SHARE and after in every and self._walker.meet(step, after)
            ]
            for step in sorted(every, key=self._place)
        }

    def _fan(self, chain: Chain) -> float:
        known = self._schema.by_id
        edges = (known[s.relation].mean_in if s.back else known[s.relation].mean_out for s in chain)
        return float(prod(round(max(1.0, mean), 1) for mean in list(edges)[1:]) ** FAN)

    def _place(self, step: Step) -> tuple[str, str, bool]:
        """Sort key of a step: by words, which are the same in every store."""
        return self._texts[step.relation], step.relation, step.back


def _is_node(id: str) -> bool:
    return not is_literal(id) and not is_blank(id)


def sample_chains(resources: Resources, number: int, seed: int = SEED) -> Iterator[Sampled]:
    """See `Sampler.chains`."""
    return Sampler(resources, seed).chains(number)
