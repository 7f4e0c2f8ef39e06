"""The numbers of relations: how far they fan out, what is at their ends.

Relations are asked about in batches of bounded size, so that neither the number of
queries nor the engine's memory follows the number of predicates. Of an endpoint that
does not count so much, the first facts of each relation are read instead, and scaled
up; a relation with fewer facts than that has its exact numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from isomatch.schema.naming import forms_of, text_kind
from isomatch.schema.queries import SchemaQueries
from isomatch.schema.types import Relation
from isomatch.schema.vocabulary import is_vocabulary_class
from isomatch.store.base import Row, chunked
from isomatch.store.terms import KIND_OF_DATATYPE, is_literal, split_literal

DETAILED = 5000  # relations whose end types are counted; the rest is the long tail
BATCH_TRIPLES = 2_000_000
BATCH_PREDICATES = 2000
SAMPLED = 1000  # facts of a relation that are read where they are not counted
SAMPLED_RELATIONS = 1000  # of which so many are sampled, the most frequent ones,
TOGETHER = 20  # so many in one query
TEXTUAL = 200  # relations to texts of which some are read, the most frequent ones,
TEXTS = 100  # so many of each
MANY = 50  # facts of which some would be there both ways, if it said anything
RETURNING = 200  # relations that are asked about for it

Facts = Sequence[tuple[str, int]]
Words = Callable[[Sequence[str]], Mapping[str, str]]


@dataclass
class Numbers:
    """Of one relation, see `Relation`."""

    triples: int
    subjects: int = 0
    max_out: int = 0
    objects: int = 0
    max_in: int = 0
    sources: dict[str, int] = field(default_factory=dict)
    targets: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)


def read_relations(
    queries: SchemaQueries,
    facts: Facts,
    *,
    typed_by: str | None,
    end_facts: int | None = None,
    literals: bool = True,
    words: Words,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Relation, ...]:
    """Relations in the order of ``facts``.

    Args:
        facts: (predicate, number of triples), most first.
        typed_by: the predicate that gives types, or None.
        end_facts: facts of a relation whose ends' types are counted; None for all.
        literals: whether any of them may have one as its target.
        words: for some predicates.
        progress: called with (facts looked at, facts in all).

    Raises:
        StoreError: the database failed.
    """
    total, done = sum(n for _, n in facts), 0
    relations: list[Relation] = []

    def step(read: int) -> None:
        if progress is not None:
            progress(done + read, total)

    for batch in batches(facts):
        detailed = batch[: max(0, DETAILED - len(relations))]
        numbers = _counted(queries, batch, detailed, typed_by, end_facts, literals)
        if numbers is None:
            some = batch[: max(0, SAMPLED_RELATIONS - len(relations))]
            numbers = _sampled(queries, batch, some, typed_by, step)
        called = words([p for p, _ in batch])
        relations += [_relation(id, called[id], numbers[id]) for id, _ in batch]
        done += sum(n for _, n in batch)
        step(0)
    return tuple(relations)


def _relation(id: str, text: str, n: Numbers) -> Relation:
    return Relation(
        id=id,
        text=text,
        triples=n.triples,
        subjects=n.subjects,
        objects=n.objects,
        mean_out=n.triples / n.subjects if n.subjects else 1.0,
        max_out=n.max_out,
        mean_in=n.triples / n.objects if n.objects else 1.0,
        max_in=n.max_in,
        source_types=descending(n.sources),
        target_types=descending(n.targets),
        literal_kinds=descending(n.kinds),
    )


def with_texts(queries: SchemaQueries, relations: Sequence[Relation]) -> tuple[Relation, ...]:
    """The relations, with what the texts are that they lead to, see `Relation.texts`.

    Some texts of the most frequent ones are looked at.
    """
    textual = [r.id for r in relations if 2 * r.literal_kinds.get("text", 0) > r.triples]
    found: dict[str, list[str]] = {}
    for some in chunked(textual[:TEXTUAL], TOGETHER):
        for p, value in queries.sample("texts", ("p", "o"), predicates=some, limit=TEXTS):
            text = split_literal(value)[0] if value and is_literal(value) else ""
            found.setdefault(str(p), []).append(text)
    return tuple(
        replace(r, texts=text_kind(r.text, len(texts), forms_of(texts)))
        if (texts := found.get(r.id))
        else r
        for r in relations
    )


def that_may_return(relations: Iterable[Relation]) -> list[Relation]:
    """The relations of which some facts would be there both ways, if they said anything."""
    return [r for r in relations if r.returns_often() >= MANY][:RETURNING]


def with_one_way(queries: SchemaQueries, relations: Sequence[Relation]) -> tuple[Relation, ...]:
    """The relations, with whether they lead one way only, see `Relation.one_way`."""
    many = [r.id for r in that_may_return(relations)]
    found: set[str] = set()
    for some in chunked(many, TOGETHER):
        before = queries.unanswered
        rows = queries.sample("returned", ("p", "returned"), predicates=some, limit=SAMPLED)
        found |= {str(p) for p, n in rows if integer(n)}
        found |= {*some} if queries.unanswered > before else set()
    return tuple(replace(r, one_way=r.id in many and r.id not in found) for r in relations)


def batches(
    facts: Iterable[tuple[str, int]],
    triples: int = BATCH_TRIPLES,
    predicates: int = BATCH_PREDICATES,
) -> Iterator[list[tuple[str, int]]]:
    """(predicate, number of triples) in lists of at most so many, or of one that has more."""
    batch: list[tuple[str, int]] = []
    size = 0
    for predicate, n in facts:
        if batch and (size + n > triples or len(batch) == predicates):
            yield batch
            batch, size = [], 0
        batch.append((predicate, n))
        size += n
    if batch:
        yield batch


def _counted(
    queries: SchemaQueries,
    batch: Facts,
    detailed: Facts,
    typed_by: str | None,
    end_facts: int | None,
    literals: bool,
) -> dict[str, Numbers] | None:
    """All facts of some relations; None where an endpoint does not count them."""
    found = {p: Numbers(n) for p, n in batch}

    def counted(template: str) -> list[Row] | None:
        def ask(some: Sequence[str]) -> Iterable[Row] | None:
            columns = ("p", "nodes", "most")
            what = "facts of relations"
            return queries.whole(what, template, columns, predicates=some, limit=None)

        return _of_each(queries, list(found), ask)

    subjects = counted("subjects")
    objects = counted("objects") if subjects is not None else None
    if subjects is None or objects is None:
        return None
    for p, n, most in subjects:
        found[str(p)].subjects, found[str(p)].max_out = integer(n), integer(most)
    for p, n, most in objects:
        found[str(p)].objects, found[str(p)].max_in = integer(n), integer(most)
    kinds = literal_kinds(queries, list(found)) if literals else {}
    sources = end_types(queries, detailed, typed_by, "source", end_facts)
    targets = end_types(queries, detailed, typed_by, "target", end_facts)
    if kinds is None or sources is None or targets is None:
        return None
    for p, numbers in found.items():
        numbers.kinds = dict(kinds.get(p, {}))
        numbers.sources, numbers.targets = sources.get(p, {}), targets.get(p, {})
    return found


def _of_each(
    queries: SchemaQueries,
    predicates: Sequence[str],
    ask: Callable[[Sequence[str]], Iterable[Row] | None],
) -> list[Row] | None:
    """Rows of all predicates, which have facts, so that each has a row; None where asking fails.

    Virtuoso has left rows out of an answer without a word: those are asked for again, and
    if they are lost again the schema says so.
    """
    if (given := ask(predicates)) is None:
        return None
    rows = list(given)
    lost = _without_row(predicates, rows)
    if rows and lost:
        rows += ask(lost) or ()
        lost = _without_row(lost, rows)
    if lost:
        queries.note(f"{len(lost)} of {len(predicates)} relations (their rows were missing)")
    return rows


def _without_row(predicates: Sequence[str], rows: Iterable[Row]) -> list[str]:
    return sorted(set(predicates).difference(str(row[0]) for row in rows))


def literal_kinds(
    queries: SchemaQueries, predicates: Sequence[str]
) -> dict[str, Counter[str]] | None:
    """By predicate, how many facts have a literal of each kind."""
    columns = ("p", "datatype", "triples")
    rows = queries.whole(
        "facts of relations", "datatypes", columns, predicates=predicates, limit=None
    )
    if rows is None:
        return None
    found: dict[str, Counter[str]] = {}
    for p, datatype, n in rows:
        kind = kind_of(datatype)
        found.setdefault(str(p), Counter())[kind] += integer(n)
    return found


def end_types(
    queries: SchemaQueries, facts: Facts, typed_by: str | None, end: str, limit: int | None
) -> dict[str, dict[str, int]] | None:
    """Facts by relation and type of that end; scaled up from ``limit`` facts of each."""
    found: dict[str, dict[str, int]] = {}
    if typed_by is None or not facts:
        return found
    groups = [facts] if limit is None else [[fact] for fact in facts]
    for group in groups:
        scale = max(1.0, group[0][1] / limit) if limit else 1.0
        rows = queries.whole(
            "types of sources and targets",
            "ends",
            ("p", "type", "triples"),
            predicates=[p for p, _ in group],
            type_relation=typed_by,
            end=end,
            limit=limit,
        )
        if rows is None:
            return None
        for p, type, n in rows:
            if not is_vocabulary_class(str(type)):
                found.setdefault(str(p), {})[str(type)] = round(integer(n) * scale)
    return found


def _sampled(
    queries: SchemaQueries,
    batch: Facts,
    some: Facts,
    typed_by: str | None,
    step: Callable[[int], None],
) -> dict[str, Numbers]:
    """The first facts of ``some`` of the relations, a few relations in one query.

    ``step`` is told how many facts the relations have that were looked at.
    """
    found = {p: Numbers(n) for p, n in batch}
    for first in range(0, len(some), TOGETHER):
        group = {p: found[p] for p, _ in some[first : first + TOGETHER]}
        _sample(queries, group, typed_by)
        step(sum(n for _, n in some[: first + TOGETHER]))
    return found


def _sample_of(queries: SchemaQueries, template: str, predicates: Sequence[str]) -> Sequence[Row]:
    columns = ("p", "nodes", "most", "read")
    return queries.sample(template, columns, predicates=predicates, limit=SAMPLED)


def _sample(queries: SchemaQueries, group: Mapping[str, Numbers], typed_by: str | None) -> None:
    asked = {"predicates": list(group), "limit": SAMPLED}
    scales: dict[str, float] = {}
    for template in ("subjects", "objects"):
        ask = partial(_sample_of, queries, template)
        for p, *row in _of_each(queries, list(group), ask) or ():
            (nodes, most, read), n = map(integer, row), group[str(p)]
            whole = read < SAMPLED
            n.triples = read if whole else max(n.triples, read)
            scales[str(p)] = n.triples / read
            nodes = round(nodes * scales[str(p)])
            most = most if whole else max(most, 2)  # one would be a promise
            if template == "subjects":
                n.subjects, n.max_out = nodes, most
            else:
                n.objects, n.max_in = nodes, most
    for p, datatype, facts in queries.sample("datatypes", ("p", "datatype", "triples"), **asked):
        kinds = group[str(p)].kinds
        kind = kind_of(datatype)
        kinds[kind] = kinds.get(kind, 0) + round(integer(facts) * scales.get(str(p), 1.0))
    if typed_by is None:
        return
    for end in ("source", "target"):
        columns = ("p", "type", "triples")
        rows = queries.sample("ends", columns, type_relation=typed_by, end=end, **asked)
        for p, type, facts in rows:
            if not is_vocabulary_class(str(type)):
                n = group[str(p)]
                types = n.sources if end == "source" else n.targets
                types[str(type)] = round(integer(facts) * scales.get(str(p), 1.0))


def kind_of(datatype: str | None) -> str:
    """``text``, ``number`` and so on; Virtuoso knows no datatype of texts with a language."""
    return "text" if datatype is None else KIND_OF_DATATYPE.get(datatype, "other")


def integer(value: str | None) -> int:
    """A number that a query computed; 0 for none."""
    return int(value or 0)


def descending(counts: Mapping[str, int]) -> dict[str, int]:
    """The same, most first."""
    return dict(sorted(counts.items(), key=lambda c: (-c[1], c[0])))
