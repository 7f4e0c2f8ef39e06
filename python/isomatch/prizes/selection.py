"""Evidence for an open question: triplets, paths or a subgraph around its topics.

The surroundings are read, pruned and given prizes; each form then takes what is worth most,
and says how far from the best it may be. Every such bound is about the pruned surroundings.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from isomatch.errors import MissingExtraError
from isomatch.match.types import Bound, Triple
from isomatch.triples.ranking import ScoredTriple, Surroundings

try:
    from isomatch.prizes.assignment import Assigned, assign
    from isomatch.prizes.graph import Size, prune
    from isomatch.prizes.paths import best_paths
    from isomatch.prizes.steiner import best_part
except ImportError as error:
    if (error.name or "").split(".")[0] != "scipy":
        raise
    raise MissingExtraError(
        "evidence by prizes and costs needs scipy: pip install 'isomatch[open]'"
    ) from error

if TYPE_CHECKING:
    from isomatch.options import OpenForm, PrizeOptions
    from isomatch.resources import Resources
    from isomatch.triples.features import Elements
    from isomatch.triples.neighbourhood import Neighbourhood
    from isomatch.triples.ranking import TripleRanker


@dataclass(frozen=True, slots=True)
class Selection:
    """Evidence, and what is proven about it.

    Attributes:
        form: ``triplets``, ``paths`` or ``steiner``.
        triples: the facts: triplets and those of paths best first, those of a subgraph in
            the order of a walk from the topics; a triple's score is the prizes of its fact
            and ends.
        groups: the facts of each path, or of each tree of a forest, in order.
        score: by prizes and costs: of all triplets, of the best path, or of the subgraph.
        bound: what no other evidence of that form can exceed in the pruned surroundings.
        before, after: sizes of the surroundings before and after pruning.
        options: that it was chosen by.
        topics: ids of the nodes that the question is about.
        notes: in words.
        single: ids of the relations that lead nowhere in the graph to more than one target, so
            that its only known target is "the" target of a node.
    """

    form: OpenForm
    triples: tuple[ScoredTriple, ...]
    groups: tuple[tuple[Triple, ...], ...]
    score: float
    bound: float
    before: Size
    after: Size
    options: PrizeOptions
    topics: tuple[str, ...]
    notes: tuple[str, ...]
    single: frozenset[str] = frozenset()

    @property
    def gap(self) -> float:
        """How much better other evidence may be; 0 where none is better."""
        return max(0.0, self.bound - self.score)

    @property
    def optimal(self) -> bool:
        """Whether it is proven that nothing scores more."""
        return self.gap == 0.0


def select(
    resources: Resources,
    form: OpenForm,
    question: str,
    topics: Sequence[str],
    options: PrizeOptions,
    elements: Elements,
    ranker: TripleRanker | None = None,
) -> Selection:
    """The evidence of one form for a question.

    Args:
        topics: ids of the nodes that the question is about.
        elements: names and vectors.
        ranker: gives the prizes; None for likeness to the question.

    Raises:
        MissingExtraError: the library of Steiner trees is missing, or gives wrong ones.
        StoreError, VectorIndexError, EmbeddingError: a part failed.
    """
    around = Surroundings(options.hops, options.most_facts, seconds=options.budget_seconds)
    hood = around.neighbourhood(resources, topics, elements)
    selection = select_from(hood, resources, form, question, options, elements, ranker)
    return replace(selection, topics=tuple(topics))  # in their order, which the surroundings lose


def select_from(
    hood: Neighbourhood,
    resources: Resources,
    form: OpenForm,
    question: str,
    options: PrizeOptions,
    elements: Elements,
    ranker: TripleRanker | None = None,
) -> Selection:
    """`select`, from surroundings that are read already."""
    pruned = prune(hood, options.least_rank, options.most_nodes)
    assigned = assign(question, pruned, elements, options.k, options.cost, ranker)
    chooser = {"triplets": _triplets, "paths": _paths, "steiner": _steiner}[form]
    chosen = chooser(assigned, options)
    writer = _Writer(resources, assigned)
    return Selection(
        form=form,
        triples=tuple(writer.scored(edge) for edge in chosen.edges),
        groups=tuple(tuple(map(writer.triple, group)) for group in chosen.groups),
        score=chosen.score,
        bound=max(chosen.score, chosen.bound),
        before=Size.of(hood),
        after=Size.of(pruned),
        options=options,
        topics=hood.nodes[: hood.topics],
        notes=(*hood.notes, *_remarks(hood, pruned, options), *chosen.notes),
        single=frozenset(r.id for r in resources.schema.relations if r.max_out == 1),
    )


def _remarks(hood: Neighbourhood, pruned: Neighbourhood, options: PrizeOptions) -> list[str]:
    """What is unusual about the surroundings, in words."""
    linked = set(hood.heads.tolist()) | set(hood.tails.tolist())
    notes = [
        f"{hood.names[topic]} has no facts" for topic in range(hood.topics) if topic not in linked
    ]
    if len(hood) and options.k > max(len(pruned.nodes), len(pruned)):
        notes.append(
            f"k is {options.k}, and there are only {len(pruned.nodes):,} nodes and "
            f"{len(pruned):,} facts: all have a prize"
        )
    return notes


@dataclass(frozen=True, slots=True)
class _Chosen:
    edges: Sequence[int]
    groups: Sequence[Sequence[int]]
    score: float
    bound: float
    notes: Sequence[str] = ()


def _triplets(assigned: Assigned, options: PrizeOptions) -> _Chosen:
    """The k facts whose prizes, with those of their ends, come to most."""
    graph = assigned.graph
    worth = graph.nodes[graph.heads] + graph.edges + graph.nodes[graph.tails]
    nodes, facts = assigned.likeness
    hood = assigned.hood
    like = facts + nodes[hood.heads] + nodes[hood.tails]
    best = [e for e in np.lexsort((-like, -worth))[: options.k].tolist() if worth[e] > 0]
    score = float(worth[best].sum())
    return _Chosen(best, [[edge] for edge in best], score, score)


def _paths(assigned: Assigned, options: PrizeOptions) -> _Chosen:
    """The k best paths from the k nodes with the highest prizes, or else from the topics."""
    graph = assigned.graph
    best = np.argsort(-graph.nodes, kind="stable")[: options.k].tolist()
    starts = [node for node in best if graph.nodes[node] > 0] or range(assigned.hood.topics)
    found = best_paths(graph, starts, options.k, options.length)
    notes = []
    if found.ended:
        notes.append("too many paths score alike: the search ended before all were looked at")
    groups = [path.edges for path in found.paths]
    edges = list(dict.fromkeys(edge for group in groups for edge in group))
    score = found.paths[0].score if found.paths else 0.0
    bound = found.rest if found.ended and not found.paths else score
    return _Chosen(edges, groups, score, bound, notes)


def _steiner(assigned: Assigned, options: PrizeOptions) -> _Chosen:
    """The subgraph that is worth most: one for each component that holds a topic."""
    graph, hood = assigned.graph, assigned.hood
    number = graph.components()
    wanted = list(dict.fromkeys(number[: hood.topics].tolist()))
    notes: list[str] = []
    if len(wanted) > 1:
        apart = [
            " and ".join(hood.names[t] for t in range(hood.topics) if number[t] == one)
            for one in wanted
        ]
        notes.append(
            f"{'; '.join(apart)}: not connected within these surroundings; each has a tree of "
            "its own"
        )
    groups: list[list[int]] = []
    score = bound = 0.0
    inside: set[int] = set()
    deadline = monotonic() + options.proof_seconds
    for left, one in zip(range(len(wanted), 0, -1), wanted, strict=True):
        nodes = np.flatnonzero(number == one).tolist()
        share = max(1e-3, deadline - monotonic()) / left if options.proof_seconds else 0.0
        tree = best_part(graph, nodes, options.pruning, share)
        score, bound = score + tree.score, bound + tree.bound
        inside.update(tree.part.nodes)
        if tree.part.edges:
            groups.append(_in_order(assigned, tree.part.edges))
    without = [hood.names[topic] for topic in range(hood.topics) if topic not in inside]
    if without:
        notes.append(
            f"{', '.join(without)}: not in the subgraph, as its prize does not pay for the way; a "
            "lower cost or a larger k takes more"
        )
    if pairs := _passed_over(hood, {edge for group in groups for edge in group}):
        notes.append(f"the subgraph passes over facts that join topics directly: {pairs}")
    if not groups and len(hood):
        notes.append("no fact is worth its cost: a lower cost or a larger k takes more")
    return _Chosen([e for group in groups for e in group], groups, score, bound, notes)


def _passed_over(hood: Neighbourhood, taken: Collection[int]) -> str:
    """The pairs of topics that facts join, where none of those is taken; none if nothing is."""

    def ends(edge: int) -> tuple[int, ...]:
        return tuple(sorted((int(hood.heads[edge]), int(hood.tails[edge]))))

    both = (hood.heads < hood.topics) & (hood.tails < hood.topics) & (hood.heads != hood.tails)
    joined = {ends(edge) for edge in taken}
    pairs = {ends(edge) for edge in np.flatnonzero(both).tolist()} if taken else set()
    names = (" and ".join(hood.names[end] for end in pair) for pair in sorted(pairs - joined))
    return "; ".join(names)


def _in_order(assigned: Assigned, edges: Sequence[int]) -> list[int]:
    """The edges of a connected part in the order of a walk, from the first topic in it."""
    heads, tails = assigned.graph.heads, assigned.graph.tails
    near: dict[int, list[int]] = {}
    for edge in edges:
        near.setdefault(int(heads[edge]), []).append(edge)
        near.setdefault(int(tails[edge]), []).append(edge)
    waiting = [min(near)]
    found: dict[int, None] = {}
    seen = set(waiting)
    for node in waiting:
        for edge in near[node]:
            found[edge] = None
            for other in (int(heads[edge]), int(tails[edge])):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
    return list(found)


class _Writer:
    """Facts as the database has them."""

    def __init__(self, resources: Resources, assigned: Assigned):
        self._texts = resources.schema.by_id
        self._assigned = assigned

    def triple(self, edge: int) -> Triple:
        hood = self._assigned.hood
        head, link, tail = (int(ends[edge]) for ends in (hood.heads, hood.links, hood.tails))
        relation = hood.relations[link]
        return Triple(
            Bound(hood.nodes[head], hood.names[head]),
            Bound(relation, self._texts[relation].text),
            Bound(hood.nodes[tail], hood.names[tail]),
        )

    def scored(self, edge: int) -> ScoredTriple:
        graph = self._assigned.graph
        ends = graph.nodes[graph.heads[edge]] + graph.nodes[graph.tails[edge]]
        return ScoredTriple(self.triple(edge), float(graph.edges[edge] + ends))
