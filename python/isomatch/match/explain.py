"""What a search would do, without doing it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from isomatch.compile.base import Part, Terms
from isomatch.compile.dialects import dialect_of
from isomatch.link.candidates import Candidates
from isomatch.match.procedure import ProcedureSearch, by_procedure, may_search
from isomatch.match.same_as import joined
from isomatch.match.state import check_edge_values
from isomatch.options import Options
from isomatch.pattern.types import Pattern
from isomatch.plan.planner import list_of, plan
from isomatch.schema.types import Schema
from isomatch.store.base import Query, Store

# Entries of each list that is bound to a call.
MOST_SHOWN = 4


@dataclass(frozen=True, slots=True)
class ListSummary:
    """One list of candidates as it starts.

    Attributes:
        part: ``node``, ``relation`` or ``type``.
        text: the pattern's words.
        entries: how many are fetched; more are fetched when they are needed.
        nearest: name and distance of the first, or None for an empty list.
        whole: whether the list holds everything there is.
    """

    part: str
    text: str
    entries: int
    nearest: tuple[str, float] | None
    whole: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a pattern would be searched.

    Attributes:
        strategy, why: the planner's choice and its reason.
        interpretations: how many the fetched lists allow.
        estimated_rows: what one brute-force query over them would touch.
        lists: in the order of the search.
        queries: the compiled text for the nearest interpretation, or the call of the
            plugin, headed by what the store binds; empty where a list is empty.
        pasteable: the query for the nearest interpretation alone, in SPARQL, with
            values in place of parameters and with prefixed names; None where a list
            is empty, and for Cypher (`isomatch.to_cypher`).
        notes: what the database would have to scan for, with the index to create.
    """

    strategy: str
    why: str
    interpretations: int
    estimated_rows: float
    lists: tuple[ListSummary, ...]
    queries: tuple[str, ...]
    notes: tuple[str, ...] = ()
    pasteable: str | None = None


def explain(
    pattern: Pattern, candidates: Candidates, store: Store, schema: Schema, options: Options
) -> Explanation:
    """Plan and compile a pattern; the database is asked for its plugin, and no more.

    Raises:
        PatternError: the pattern has values on edges, and the graph has none.
        PluginVersionError: see `Store.plugin`.
    """
    check_edge_values(pattern, store, schema)
    if options.same_as:
        candidates, schema, options = joined(pattern, candidates, store, schema, options)
    chosen = plan(pattern, candidates, schema, options)
    call: Query | None = None
    if may_search(options) and (version := store.plugin) is not None:
        chosen = by_procedure(chosen, version)
        call = ProcedureSearch(chosen, candidates, store, schema, options).query()
    relations: list[str | None] = [None] * len(pattern.edges)
    types: list[str | None] = [None] * len(pattern.nodes)
    nodes: dict[int, str] = {}
    lists = []
    empty = False
    for slot in chosen.slots:
        found = list_of(slot, candidates, pattern)
        first = found[0] if len(found) else None
        nearest = (first.name, first.distance) if first else None
        whole = found.frontier == float("inf")
        lists.append(ListSummary(slot.kind, found.text, len(found), nearest, whole))
        if first is None:
            empty = True
        elif slot.kind == "relation":
            relations[slot.index] = first.id
        elif slot.kind == "type":
            types[slot.index] = first.id
        else:
            nodes[slot.index] = first.id
    queries = []
    notes: tuple[str, ...] = ()
    pasteable = None
    if not empty:
        part = Part(chosen.structure, tuple(relations), tuple(types), Terms.of(schema))
        notes = dialect_of(store).scans(part, nodes)
        pasteable = dialect_of(store).pasteable(part, nodes, options.limit)
        if call is not None:
            given = {name: _told(value) for name, value in call.parameters.items()}
            bound = [f"# ${name} is bound to {value}" for name, value in given.items()]
            queries.append("\n".join([*bound, call.text]))
        else:
            query = dialect_of(store).match(part, nodes, options.limit + 1)
            bound = [f"# ?{name} is bound to {id}" for name, id in query.parameters.items()]
            queries.append("\n".join([*bound, query.text]))
    return Explanation(
        chosen.strategy,
        chosen.why,
        chosen.interpretations,
        chosen.estimated_rows,
        tuple(lists),
        tuple(queries),
        notes,
        pasteable,
    )


def _told(value: Any) -> str:
    """A parameter as JSON, of long lists the beginning."""
    return json.dumps(_shortened(value), ensure_ascii=False, default=str)


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        rest = len(value) - MOST_SHOWN
        return [*value[:MOST_SHOWN], *([f"and {rest} more"] if rest > 0 else [])]
    return value
