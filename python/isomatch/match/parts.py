"""Parts of a pattern: further patterns, whose answers say what unknown nodes must be.

For ``in`` and for comparisons, a part means its nearest interpretation that has matches. For
``not in`` it means its nearest interpretation whether or not that has matches: of a person
without films, nothing is excluded, and above all not the films of a person of a similar name.
Where several are equally near, as with two people of one name, ``not in`` excludes what any of
them gives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf, prod
from typing import TYPE_CHECKING

from isomatch.link.candidates import Candidate, CandidateList, Candidates, ListKey
from isomatch.link.normalise import normalise
from isomatch.match.conditions import compare, may_compare, meaning_of
from isomatch.match.enumeration import GROWTH, TOLERANCE
from isomatch.pattern.types import Part, Pattern
from isomatch.plan.planner import list_of
from isomatch.store.base import Row
from isomatch.store.terms import XSD, is_blank, is_literal, literal, split_literal

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from isomatch.match.types import Certificate, MatchResult
    from isomatch.plan.planner import Plan

IN_A_PART = "in a part: "
NOTHING = Candidate("", 2.0, "")  # for a list without an entry: as far as two texts can be


@dataclass(frozen=True, slots=True)
class PartAnswers:
    """What a part of a pattern gave.

    Attributes:
        part: of the pattern.
        rows: different answers, each an id for every node that is compared.
        unsure: the same, of what could not be compared with the answers of a part of its own, so
            that nobody knows whether it is an answer. It is not left out, nor sure to be none.
        found: whether the part has an interpretation with matches, be it that none of them
            satisfies its conditions.
        lacks: whether there may be more of them.
        ended_by: why nothing can be said of the whole pattern; the budget that ended the
            search of the part, or ``rows`` where it was not read whole. None where it can.
        blank: whether some answers are blank nodes whose names hold for one query only.
        undecided: whether the part left out what may be an answer; see
            `isomatch.match.filter.Filter`.
    """

    part: Part
    rows: tuple[tuple[str, ...], ...]
    found: bool = True
    lacks: bool = False
    ended_by: str | None = None
    blank: bool = False
    unsure: frozenset[tuple[str, ...]] = frozenset()
    undecided: bool = False


def answers_of(
    part: Part,
    pattern: Pattern,
    used: Sequence[int],
    found: Sequence[tuple[Sequence[Row], bool, str | None]],
    certificate: Certificate,
    *,
    unsure: Sequence[Row] = (),
    undecided: bool = False,
    stable: bool = True,
) -> PartAnswers:
    """What the search of a part's pattern gives the pattern that has the part.

    Args:
        pattern: of the part, as it was searched.
        used: numbers of its nodes that are the columns of rows, in order.
        found: by interpretation, its rows, whether they were cut, and its value worked out.
        certificate: of the search.
        unsure, undecided: see `isomatch.match.filter.Filter`.
        stable: see `isomatch.store.capabilities.StoreCapabilities.stable_blanks`.
    """
    column = {pattern.nodes[n].id: place for place, n in enumerate(used)}
    places = [column[id] for id in pattern.answers]

    def answer(row: Row) -> tuple[str, ...]:
        return tuple(row[place] or "" for place in places)

    rows = dict.fromkeys(answer(row) for some, _, _ in found for row in some)
    # Where names of blank nodes change, no node of another query's rows is one of these.
    unnamed = {row for row in rows if not stable and any(map(is_blank, row))}
    given = tuple(row for row in rows if row not in unnamed)
    if pattern.count is not None and found:
        given, unnamed = ((literal(str(len(rows)), datatype=XSD + "integer"),),), set()
    if pattern.aggregate is not None:
        given, unnamed = tuple((value,) for _, _, value in found if value is not None), set()
    ended_by = certificate.ended_by
    cut = bool(unnamed) or any(cut for _, cut, _ in found)
    lacks = cut or not certificate.exact or ended_by is not None
    # Of a list that lacks some, those that are on it are in it all the same.
    usable = part.operator == "in" or not lacks
    spent = None if usable else ended_by or "rows"
    counts = pattern.count is not None or pattern.aggregate is not None
    doubtful = frozenset() if counts else frozenset(map(answer, unsure)) - rows.keys()
    blank = bool(unnamed)
    return PartAnswers(part, given, bool(found), lacks, spent, blank, doubtful, undecided)


def joined(answers: Sequence[PartAnswers]) -> list[PartAnswers]:
    """What parts gave, where those that are joined by ``or`` are one with all their answers."""
    whole: list[PartAnswers] = []
    for one in answers:
        before = whole.pop() if one.part.alternative else replace(one, rows=(), found=False)
        whole.append(
            replace(
                one,
                rows=(*before.rows, *one.rows),
                found=before.found or one.found,
                lacks=before.lacks or one.lacks,
                unsure=before.unsure | one.unsure,
                undecided=before.undecided or one.undecided,
            )
        )
    return whole


def unusable(answers: Sequence[PartAnswers], pattern: Pattern) -> str | None:
    """The budget because of which nothing can be said of a pattern with these parts."""
    for one in answers:
        if one.ended_by is not None:
            return one.ended_by
        if one.lacks and pattern.judged_together:
            return "rows"  # what is missing may come first
    return None


def hopeless(answers: Sequence[PartAnswers]) -> bool:
    """Whether a pattern with these parts has no match, because a part has no interpretation."""
    return any(not one.found and one.part.operator != "not in" for one in answers)


class PartFilter:
    """A part of a pattern on the rows of a search.

    Args:
        answers: what the part gave.
        columns: of the rows, those of the part's nodes.
    """

    def __init__(self, answers: PartAnswers, columns: Sequence[int]):
        self._answers = answers
        self._columns = columns
        self._operator = answers.part.operator
        self._rows = _Rows(answers.rows)
        self._unsure = _Rows(answers.unsure)

    def holds(self, row: Row, uncompared: set[str]) -> bool:
        """Whether a row satisfies the part; adds what cannot be compared with its answers."""
        ids = [row[column] or "" for column in self._columns]
        if "in" not in self._operator:
            return self._compares(ids[0], uncompared)
        if self._rows.have(ids):
            return self._operator == "in"
        alien = ids if self._unsure.have(ids) else []
        if self._operator == "not in":
            alien = alien or self._rows.alien(ids)
        uncompared.update(alien)
        return self._operator == "not in" and not alien

    def is_broken(self, row: Row) -> bool:
        """Whether a row is sure not to satisfy the part, however exact its values are."""
        ids = [row[column] or "" for column in self._columns]
        if "in" not in self._operator:
            given = [(self._operator, ids[0], other) for (other,) in self._answers.rows]
            return bool(given) and not any(compare(*g) or may_compare(*g) for g in given)
        dated = any(is_literal(id) and meaning_of(id).period is not None for id in ids)
        if dated or self._rows.alien(ids) or self._unsure.have(ids):
            return False
        return not self.holds(row, set())

    def notes(self) -> Iterator[str]:
        """That the part has no answers, where there is no match without them."""
        given = self._answers.rows or self._answers.unsure or self._answers.lacks
        if not given and self._operator != "not in":
            named = ", ".join(f"?{id}" for id in self._answers.part.nodes)
            several = self._answers.part.alternative
            what = "these patterns give" if several else "that pattern gives"
            written = f"{named} {self._operator} {{ … }}{' or …' if several else ''}"
            yield f"nothing satisfies {written}: {what} nothing"

    def _compares(self, id: str, uncompared: set[str]) -> bool:
        results = [compare(self._operator, id, other) for (other,) in self._answers.rows]
        unsure = (compare(self._operator, id, other) for (other,) in self._answers.unsure)
        doubtful = None in results or (all(results) and not all(unsure))
        if doubtful:
            uncompared.add(id)
        return bool(results) and all(results) and not doubtful


class _Rows:
    """Answers of a part, and which rows are equal to one of them."""

    def __init__(self, rows: Collection[tuple[str, ...]]):
        self._rows = frozenset(rows)
        self._values = [_Values(column) for column in zip(*rows, strict=True)]

    def have(self, ids: Sequence[str]) -> bool:
        """Whether one of them is equal to a row of these ids."""
        if not self._rows:
            return False
        equal = [values.equal_to(id) for values, id in zip(self._values, ids, strict=True)]
        return any(choice in self._rows for choice in product(*equal))

    def alien(self, ids: Sequence[str]) -> list[str]:
        """Those of the ids that cannot be compared with all of their column."""
        # Without rows there are no columns.
        return [id for v, id in zip(self._values, ids, strict=False) if not v.comparable(id)]


class _Values:
    """The ids of one column of a part's answers, and which of them an id is equal to."""

    def __init__(self, ids: Sequence[str]):
        self._ids = frozenset(ids)
        self._literals = frozenset(filter(is_literal, self._ids))
        self._by_key: dict[Hashable, list[str]] = {}
        for id in dict.fromkeys(ids):
            for key in _keys(id):
                self._by_key.setdefault(key, []).append(id)
        self._known: dict[str, tuple[str, ...]] = {}
        self._comparable: dict[str, bool] = {}

    def equal_to(self, id: str) -> tuple[str, ...]:
        """The ids that are equal to this one; a date is equal to a year that it lies in."""
        known = self._known.get(id)
        if known is None:
            found = {id} & self._ids
            if is_literal(id):
                near = {other for key in _keys(id) for other in self._by_key.get(key, ())}
                found |= {other for other in near if compare("=", id, other)}
            known = self._known[id] = tuple(found)
        return known

    def comparable(self, id: str) -> bool:
        """Whether an id can be compared with all of these."""
        if not is_literal(id):
            return not self._literals  # any two nodes can, and there may be thousands
        known = self._comparable.get(id)
        if known is None:
            known = all(compare("=", id, other) is not None for other in self._ids)
            self._comparable[id] = known
        return known


def _keys(id: str) -> Iterator[Hashable]:
    """Values that are equal have one of these in common."""
    if not is_literal(id):
        return
    meant = meaning_of(id)
    if meant.number is not None:
        yield "number", meant.number
    if meant.period is not None:
        yield "date"
    if meant.boolean is not None:
        yield "boolean", meant.boolean
    yield "text", normalise(split_literal(id)[0])


# -- the nearest interpretation, whether or not it has matches ------------------------


def least(candidates: Candidates) -> Candidates:
    """The candidates at the least distance of each list.

    Raises:
        VectorIndexError: the vectors cannot be searched.
    """
    lists: dict[ListKey, CandidateList] = {}

    def nearest(found: CandidateList) -> CandidateList:
        if found.key not in lists:
            lists[found.key] = _least_of(found, candidates)
        return lists[found.key]

    return replace(
        candidates,
        nodes={part: nearest(found) for part, found in candidates.nodes.items()},
        relations={part: nearest(found) for part, found in candidates.relations.items()},
        types={part: nearest(found) for part, found in candidates.types.items()},
    )


def _least_of(found: CandidateList, candidates: Candidates) -> CandidateList:
    source = candidates.source
    while source is not None and not found.exhausted and found.frontier <= _equal_to(found):
        longer = source.widened(found, max(len(found) * GROWTH, GROWTH))
        if len(longer) <= len(found) and longer.frontier <= found.frontier:
            break
        found = longer
    distance = _equal_to(found)
    entries = tuple(entry for entry in found if entry.distance <= distance)
    # Others that are as near may be missing from a list that does not grow.
    frontier = inf if not entries or found.frontier > distance else found.frontier
    return replace(found, entries=entries, frontier=frontier, fixed=True)


def _equal_to(found: CandidateList) -> float:
    """The least distance, as far as rounding lets it be known."""
    return _least_distance(found) + TOLERANCE


def _least_distance(found: CandidateList) -> float:
    return found[0].distance if len(found) else inf


def are_all(candidates: Candidates, type_weight: float) -> bool:
    """Whether lists that `least` gave have every candidate that is as near."""
    if candidates.types and not type_weight:  # all types are
        return False
    return all(found.frontier == inf for found in candidates.lists)


def least_chosen(
    candidates: Candidates, plan: Plan, weights: Mapping[str, float]
) -> tuple[Candidate, ...]:
    """The first candidate of each slot of a plan, at its weighted distance.

    Args:
        weights: factors on distances, by kind of slot.
    """
    chosen = []
    for slot in plan.slots:
        found = list_of(slot, candidates, plan.pattern)
        one = found[0] if len(found) else NOTHING
        chosen.append(replace(one, distance=one.distance * weights.get(slot.kind, 1.0)))
    return tuple(chosen)


def combinations(candidates: Candidates) -> int:
    """How many interpretations the lists make at most; 0 where one list has nothing."""
    return prod(len(found) for found in candidates.lists)


def _remarks(part: Part, result: MatchResult) -> Iterator[str]:
    """What a reader should know of how a part was read, beside the notes of its search."""
    if result.certificate.ties and part.operator != "not in":
        yield "other interpretations are as near, and only the first was taken"
    for choice in (c for i in result.interpretations[:1] for c in i.choices):
        if part.operator == "not in" and choice.part == "type" and choice.distance > 0:
            yield f"the type {choice.text!r} is read as {choice.name!r}, and no other is excluded"


def proven_together(
    proofs: Sequence[Certificate], notes: tuple[str, ...], *, whole: bool = True
) -> Certificate:
    """The first certificate, of what it proves together with the others.

    Args:
        notes: of all of them.
        whole: whether nothing is missing that none of them tells.
    """
    ties = {proof.ties for proof in proofs}
    return replace(
        proofs[0],
        exact=whole and all(proof.exact for proof in proofs),
        complete=whole and all(proof.complete for proof in proofs),
        approximate=any(proof.approximate for proof in proofs),
        ended_by=next((proof.ended_by for proof in proofs if proof.ended_by), None),
        changed=any(proof.changed for proof in proofs),
        notes=notes,
        ties=True if True in ties else None if None in ties else False,
    )


def with_parts(
    result: MatchResult, parts: Sequence[MatchResult], answers: Sequence[PartAnswers]
) -> MatchResult:
    """The result of a pattern with those of its parts; it proves what all of them prove.

    Args:
        parts: results of the parts.
        answers: what they gave.
    """
    if not parts:
        return result
    whole = not any(one.lacks for one in answers)
    proofs = [result.certificate, *(part.certificate for part in parts)]
    notes = list(result.certificate.notes)
    for note in (note for proof in proofs[1:] for note in proof.notes):
        told = note if note.startswith(IN_A_PART) else f"{IN_A_PART}{note}"
        if note not in notes and told not in notes:
            notes.append(told)
    for part, inner in zip(result.pattern.parts, parts, strict=True):
        notes += (f"{IN_A_PART}{note}" for note in _remarks(part, inner))
    if not whole:
        notes.append(f"{IN_A_PART}not all matches are known")
    if any(one.blank for one in answers):
        notes.append(
            f"{IN_A_PART}answers are blank nodes, which this endpoint calls otherwise in each query"
        )
    certificate = proven_together(proofs, tuple(notes), whole=whole)
    read = tuple(interpretation for part in parts for interpretation in part.interpretations)
    profile = result.profile.with_parts([part.profile for part in parts])
    return replace(
        result,
        interpretations=tuple(replace(i, parts=read) for i in result.interpretations),
        certificate=certificate,
        profile=profile,
        parts=tuple(parts),
    )
