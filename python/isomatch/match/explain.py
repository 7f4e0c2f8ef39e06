"""Explain how a pattern would be searched, without searching."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from types import MappingProxyType
from typing import Any

from isomatch.compile.base import Part, Terms
from isomatch.compile.dialects import dialect_of
from isomatch.link.candidates import CandidateList, Candidates
from isomatch.match.branches import branch_of
from isomatch.match.conditions import check_conditions
from isomatch.match.edge_keys import with_stored_keys
from isomatch.match.notations import Notations, sample_query
from isomatch.match.procedure import ProcedureSearch, by_procedure, may_search
from isomatch.match.same_as import join_same_nodes
from isomatch.match.state import WHOLE
from isomatch.options import Options
from isomatch.pattern.types import Pattern
from isomatch.plan.planner import Slot, list_of, plan
from isomatch.schema.types import Schema
from isomatch.store.base import Query, Store

# Entries of each list that are shown of a call's parameters.
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
        notes: what the database would have to scan for, with the index to create.
        parts: how the pattern's parts would be searched, before it.
        optional: how its optional parts would be read, after it.
    """

    strategy: str
    why: str
    interpretations: int
    estimated_rows: float
    lists: tuple[ListSummary, ...]
    queries: tuple[str, ...]
    notes: tuple[str, ...] = ()
    parts: tuple[Explanation, ...] = ()
    optional: tuple[Explanation, ...] = ()


def explain(
    pattern: Pattern,
    candidates: Candidates,
    store: Store,
    schema: Schema,
    options: Options,
    *,
    outside: bool = False,
    dates: Mapping[str, str] = MappingProxyType({}),
) -> Explanation:
    """Plan and compile a pattern without its parts.

    The only queries are for the database's plugin, and for values of the relations whose values
    the pattern compares: in which notation they have dates.

    Args:
        candidates, store, schema, options, outside, dates: see `isomatch.match.search.search`.

    Raises:
        PatternError: the pattern has values on edges, and the graph has none, or a condition
            compares with what is no number and no date.
        PluginVersionError: see `Store.plugin`.
    """
    check_conditions(pattern.where)
    pattern = with_stored_keys(pattern, store, schema)
    if options.same_as:
        candidates, schema, options = join_same_nodes(pattern, candidates, store, schema, options)
    chosen = plan(pattern, candidates, schema, options)
    call: Query | None = None
    inside = not outside and may_search(options, candidates, pattern, schema)
    if inside and (version := store.plugin) is not None:
        chosen = by_procedure(chosen, version)
        call = ProcedureSearch(chosen, candidates, store, schema, options).query()
    lists = [list_of(slot, candidates, pattern) for slot in chosen.slots]
    explanation = Explanation(
        chosen.strategy,
        chosen.why,
        chosen.interpretations,
        chosen.estimated_rows,
        tuple(_summary(slot, found) for slot, found in zip(chosen.slots, lists, strict=True)),
        queries=(),
    )
    if not all(len(found) for found in lists):
        return explanation
    ids = [found[0].id for found in lists]
    slots = zip(chosen.slots, ids, strict=True)
    part, nodes = branch_of(chosen.structure, slots, Terms.of(schema))
    if call is not None:
        given = {name: _as_json(value) for name, value in call.parameters.items()}
        bound = [f"# ${name} is bound to {value}" for name, value in given.items()]
        text = call.text
    else:
        whole = outside or pattern.where or pattern.parts or pattern.judged_together
        query = dialect_of(store).match(part, nodes, (WHOLE if whole else options.limit) + 1)
        bound = [f"# ?{name} is bound to {id}" for name, id in query.parameters.items()]
        text = query.text
    notations = Notations(pattern, lambda relation: _values(store, part, relation), dates)
    read = notations.sampled(part)
    return replace(
        explanation,
        queries=("\n".join([*bound, text]),),
        notes=(*dialect_of(store).scans(part, nodes), *read),
    )


def _values(store: Store, part: Part, relation: str) -> list[str]:
    query = sample_query(store, part.terms, relation)
    return [id for _, id in store.run(query) if id is not None]


def _summary(slot: Slot, found: CandidateList) -> ListSummary:
    nearest = (found[0].name, found[0].distance) if len(found) else None
    return ListSummary(slot.kind, found.text, len(found), nearest, found.frontier == inf)


def _as_json(value: Any) -> str:
    """A parameter as JSON; of long lists, the beginning."""
    return json.dumps(_shortened(value), ensure_ascii=False, default=str)


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        rest = len(value) - MOST_SHOWN
        return [*value[:MOST_SHOWN], *([f"and {rest} more"] if rest > 0 else [])]
    return value
