"""What every kind of search has, and what it finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from time import perf_counter

from isomatch.compile.base import Terms
from isomatch.link.candidates import Candidate, Candidates
from isomatch.match.aggregate import Groups
from isomatch.match.enumeration import TOLERANCE, searched_lists
from isomatch.match.filter import Filter
from isomatch.match.parts import PartAnswers
from isomatch.match.query_executor import QueryExecutor, is_heavy
from isomatch.match.types import Certificate
from isomatch.options import Options
from isomatch.plan.planner import Plan, list_of
from isomatch.schema.types import Schema
from isomatch.store.base import Row, Store

MOST_PASSED_OVER = 1000
MOST_CUT_NAMES = 3  # of types, in a note


@dataclass(frozen=True, slots=True)
class FoundInterpretation:
    """An interpretation that has matches.

    Attributes:
        gsd: its graph semantic distance.
        chosen: one candidate for each slot of the plan; a type's distance is
            weighted already.
        rows: node ids in the plan's column order, then ids of unknown relations.
        cut: whether the limit cut the rows.
        value: id of what the pattern works out of all rows, cut or not; None for nothing.
        groups: what it works out for each answer.
        counted: how many different nodes the pattern counts in all rows, cut or not, and whether
            there may be more; None where that is to be told from the rows.
        answers: the same of what its returned nodes are bound to.
    """

    gsd: float
    chosen: tuple[Candidate, ...]
    rows: tuple[Row, ...]
    cut: bool
    value: str | None = None
    groups: Groups = field(default_factory=dict)
    counted: tuple[int, bool] | None = None
    answers: tuple[int, bool] | None = None


class BaseSearch:
    """What every kind of search has.

    Attributes:
        executor: runs the queries, within the budgets.
        lists: the candidate lists, by key, as they are now.
        weights: factor on the distances of each slot.
        found: ascending by GSD.
        examined: interpretations that were looked for in the database.
        strategy: how the search went, in words.
        ties: see `Certificate.ties`.
        memory: bytes of the database's heap; see `SearchOutcome`.
    """

    def __init__(
        self,
        plan: Plan,
        candidates: Candidates,
        store: Store,
        schema: Schema,
        options: Options,
        parts: Sequence[PartAnswers] = (),
    ):
        self.plan = plan
        self.options = options
        self.terms = Terms.of(schema)
        self._cut_types = frozenset(schema.subclasses_cut)
        self._partial = schema.partial
        self.candidates = candidates
        self.executor = QueryExecutor(
            store,
            options.deadline(perf_counter()),
            options.budget_rows,
            heavy=is_heavy(plan),
        )
        self.filter = Filter(plan.pattern, plan.structure.used, parts, self.executor.check)
        self.lists = searched_lists(candidates)
        self.by_slot = [
            self.lists[list_of(slot, candidates, plan.pattern).key] for slot in plan.slots
        ]
        self.weights = [options.type_weight if s.kind == "type" else 1.0 for s in plan.slots]
        self.found: list[FoundInterpretation] = []
        self.examined = 0
        self.strategy = plan.strategy
        self.ties: bool | None = False
        self.memory = 0

    def passed_over(self) -> tuple[str, ...]:
        """See `SearchOutcome.passed_over`; the nearest of all where nothing was found."""
        passed: list[str] = []
        for number, (slot, searched) in enumerate(zip(self.plan.slots, self.by_slot, strict=True)):
            entries = searched.found.entries
            if slot.kind != "node" or not entries:
                continue
            if self.found:
                best = self.found[0].chosen[number].distance
                passed += [entry.id for entry in entries if entry.distance < best]
            else:
                least = entries[0].distance
                passed += [entry.id for entry in entries if entry.distance == least]
        return tuple(dict.fromkeys(passed))[:MOST_PASSED_OVER]

    def certificate(
        self, bound: float, ended_by: str | None, notes: Sequence[str] = ()
    ) -> Certificate:
        """What is proven when no unexamined interpretation has a GSD below ``bound``."""
        notes = (*self.candidates.notes, *notes, *self.filter.notes(), *self.notes())
        enough = len(self.found) >= self.options.k
        last = self.found[-1].gsd if self.found else -inf
        complete = (last <= bound + TOLERANCE) if enough else bound == inf
        for number, searched in enumerate(self.by_slot):
            # An interpretation has the values that are on the list.
            if any(found.chosen[number].group for found in self.found):
                complete = complete and not searched.found.lacks_grouped
        # Such a type may have nodes, and so its interpretations matches, that are not found.
        cut, nearest = self._cut_names(last if enough else inf)
        if cut:
            complete, bound = False, min(bound, nearest)
            named = ", ".join(f'"{text}"' for text in cut[:MOST_CUT_NAMES])
            more = f" and {len(cut) - MOST_CUT_NAMES} more" if len(cut) > MOST_CUT_NAMES else ""
            notes = (
                *notes,
                f"not all subclasses of {named}{more} are known, so nodes may be missing: "
                "`isomatch schema` says why",
            )
        ties = self.ties if enough else False
        missing, least = self._not_listed()
        bound = min(bound, least)
        if enough and last <= least + TOLERANCE:
            # What is not listed cannot be nearer, but it may be as near.
            ties = ties if ties or last < least - TOLERANCE else None
        elif least < inf:
            complete = False
            notes = (
                *notes,
                f"not all {missing} of the graph are known, and one that is not may be nearer: "
                "`isomatch schema` says why",
            )
        if self.found and not enough and not complete:
            notes = (*notes, f"{len(self.found)} of {self.options.k} found")
        return Certificate(
            exact=ended_by is None and not cut,
            complete=complete,
            bound=bound,
            approximate=any(searched.found.approximate for searched in self.by_slot),
            ended_by=ended_by,
            notes=notes,
            ties=ties,
        )

    def notes(self) -> Iterator[str]:
        """How values were read, in words."""
        return iter(())

    def _not_listed(self) -> tuple[str, float]:
        """What the pattern names of which the schema may lack some, and the least GSD with it.

        A relation that the schema lacks may be at distance 0, in each place of one.
        """
        kinds = {s.kind for s in self.plan.slots if f"{s.kind}s" in self._partial}
        least = 0.0 if kinds else inf
        for slot, searched, weight in zip(self.plan.slots, self.by_slot, self.weights, strict=True):
            if slot.kind not in kinds:
                found = searched.found
                nearest = found.entries[0].distance if found.entries else found.frontier
                least += nearest * weight if nearest < inf else inf
        return " and ".join(sorted(f"{kind}s" for kind in kinds)), least

    def _cut_names(self, until: float) -> tuple[list[str], float]:
        """Types of which not all subclasses are known, and the least GSD with one of them.

        Those that an interpretation of a GSD up to ``until`` may have.
        """
        names: dict[str, None] = {}
        nearest = inf
        places = zip(self.plan.slots, self.by_slot, self.weights, strict=True)
        lists = [(slot, list.found.entries, weight) for slot, list, weight in places]
        least = sum(entries[0].distance * weight for _, entries, weight in lists if entries)
        for slot, entries, weight in lists:
            for entry in entries if slot.kind == "type" and self._cut_types else ():
                gsd = least + (entry.distance - entries[0].distance) * weight
                if entry.id in self._cut_types and gsd <= until + TOLERANCE:
                    names[entry.name] = None
                    nearest = min(nearest, gsd)
        return list(names), nearest
