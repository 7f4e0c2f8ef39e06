"""Read a property graph's schema: counts from the count store, the rest from samples.

Small graphs are read whole, in a few queries that group. In larger ones some nodes
and their relationships stand for all (`isomatch.schema.samples`), so that the time
is bounded. What is an estimate is said in `Schema.notes`.

A property is a relation from a node to a value, with two exceptions: the one that
names the nodes of a label is none for them (`isomatch.schema.naming`), and
embeddings are left out.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from isomatch.errors import NotAllowed
from isomatch.schema import samples
from isomatch.schema.catalog import Counts, Tokens, read_counts, read_indexes, read_tokens
from isomatch.schema.exclusion import Exclusion, absent_words, left_out_tokens
from isomatch.schema.naming import Text, name_property, preferences, text_kind
from isomatch.schema.relations import descending, that_may_return
from isomatch.schema.samples import UNLABELLED, Ends, Group, Reader, Stratum
from isomatch.schema.types import PropertyIndex, Relation, Schema, Type
from isomatch.store.base import Store
from isomatch.store.terms import words

Naming = Mapping[str, Sequence[str]]  # property key to the labels that it names


def introspect_property_graph(
    store: Store,
    *,
    label_relations: Sequence[str] | None = None,
    exclude: Exclusion,
    progress: Callable[[int, int], None] | None = None,
) -> Schema:
    """The schema of a property graph; see `isomatch.schema.introspect.introspect`."""
    fingerprint = store.fingerprint()
    tokens = read_tokens(store)
    no, absent = left_out_tokens(exclude, tokens)
    counts = _theirs(read_counts(store, tokens), no.labels)
    indexes: tuple[PropertyIndex, ...] | None = None
    with suppress(NotAllowed):  # for which a user needs a right of its own
        indexes = tuple(i for i in read_indexes(store, tokens) if i.type[1:] not in no.labels)
    reader = Reader(store, tokens, counts, no.labels)
    ends = reader.ends()
    if progress is not None:
        progress(counts.relationships, counts.relationships + counts.nodes)
    strata = reader.strata()
    for stratum in strata:
        stratum.groups = [g for g in stratum.groups if not any(map(_ours, g.labels))]
    counts = _without(counts, no, strata[0], ends if reader.whole else None)
    if progress is not None:
        progress(*[counts.relationships + counts.nodes] * 2)
    embeddings = _embeddings_and_bytes(reader, strata, indexes or ())
    left_out = sorted({*embeddings, *no.keys})
    names = _names(strata, counts, tokens.keys, label_relations, left_out)
    naming: dict[str, list[str]] = defaultdict(list)
    for label, key in names.items():
        naming[key].append(label)
    facts = _facts(strata, naming, left_out)
    if reader.whole:
        _correct(facts, reader.distinct(naming, left_out))
    relations = [_relationship(type, n, ends.get(type), counts) for type, n in counts.types.items()]
    relations = _with_one_way(relations, reader)
    relations += [_property(key, found, reader.whole) for key, found in facts.items()]
    values = sum((Counter(found.values) for found in facts.values()), Counter[str]())
    types = [Type(f":{label}", words(label), n) for label, n in counts.labels.items()]
    types += [Type(f"literal:{kind}", kind, n) for kind, n in values.items() if kind != "other"]
    return Schema(
        fingerprint=fingerprint,
        triples=sum(r.triples for r in relations),
        nodes=counts.nodes + sum(values.values()),
        relations=tuple(sorted(relations, key=lambda r: (-r.triples, r.id))),
        types=tuple(sorted(types, key=lambda t: (-t.nodes, t.id))),
        name_relations=tuple(dict.fromkeys(f".{key}" for key in names.values())),
        notes=tuple(_notes(reader, ends, strata, names, embeddings, indexes))
        + _excluded_words(exclude.entries, absent),
        # They rule out what is not there, and others write to it while we read.
        characteristic_sets=None,
        names={f":{label}": f".{key}" for label, key in names.items()},
        edge_properties=_edge_properties(ends, counts.types, no.keys),
        indexes=indexes or (),
        left_out=tuple(f".{key}" for key in left_out),
        left_out_labels=tuple(f":{label}" for label in no.labels),
        exclude=exclude.entries,
        long_texts=tuple(
            sorted({f".{g.key}" for s in strata for g in s.groups if g.has_long_text})
        ),
    )


def _excluded_words(entries: Sequence[str], absent: Sequence[str]) -> tuple[str, ...]:
    there = ", ".join(e for e in entries if e not in absent)
    notes = (f"left out by the setting exclude: {there}",) if there else ()
    return (*notes, absent_words(absent)) if absent else notes


def _ours(label: str) -> bool:
    """Whether a label is of what `isomatch migrate` records: no part of the user's graph."""
    return label.startswith("Isomatch")


def _theirs(counts: Counts, no_labels: Collection[str]) -> Counts:
    gone = {label for label in counts.labels if _ours(label) or label in no_labels}
    labels = {label: n for label, n in counts.labels.items() if label not in gone}
    nodes = counts.nodes - sum(counts.labels[label] for label in gone)
    return replace(counts, labels=labels, nodes=max(0, nodes))


def _without(counts: Counts, no: Tokens, nodes: Stratum, ends: Mapping[str, Ends] | None) -> Counts:
    """The counts without what is left out; no fewer than are left where not all was read.

    Args:
        nodes: those of all labels that were looked at.
        ends: of all relationships, or None.
    """
    types = {type: n for type, n in counts.types.items() if type not in no.types}
    if not no.labels:
        return replace(counts, types=types)
    if ends is not None:
        labels = {label: nodes.nodes(label) for label in counts.labels}
        return Counts(
            nodes=sum(n for some, n in nodes.read.items() if not any(map(_ours, some))),
            relationships=counts.relationships,
            labels={label: n for label, n in labels.items() if n},
            types={type: ends[type].read for type in types if type in ends},
        )
    gone: Counter[str] = Counter()
    for counted in (counts.sources or {}, counts.targets or {}):
        for (type, label), n in counted.items():
            if label in no.labels:
                gone[type] = max(gone[type], n)
    return replace(
        counts,
        types={type: n - gone[type] for type, n in types.items() if n > gone[type]},
        sources=_less(counts.sources, no.labels),
        targets=_less(counts.targets, no.labels),
    )


def _less(
    counted: Mapping[tuple[str, str], int] | None, no_labels: Collection[str]
) -> dict[tuple[str, str], int] | None:
    if counted is None:
        return None
    return {key: n for key, n in counted.items() if key[1] not in no_labels}


@dataclass
class _Facts:
    """What is known of one property as a relation, in numbers of facts.

    Attributes:
        values: distinct ones by kind; one that two properties have counts for both.
        texts, forms: distinct texts that were looked at, and how many have each form.
    """

    facts: float = 0.0
    nodes: float = 0.0
    most: int = 0
    longest: int = 1
    listed: bool = False
    sources: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    kinds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    values: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    texts: int = 0
    forms: Counter[str] = field(default_factory=Counter)


def _embeddings_and_bytes(
    reader: Reader, strata: Sequence[Stratum], indexes: Sequence[PropertyIndex]
) -> list[str]:
    """Keys of properties that hold vectors or bytes: they are no facts."""
    found = {i.properties[0][1:] for i in indexes if i.kind == "vector" and not i.relationship}
    for stratum in strata:
        for group in stratum.groups:
            long = group.kind == "number" and group.values >= samples.LONG * group.nodes
            if long or group.kind == "vector":
                found.add(group.key)
    lists = {
        (g.key, next(iter(g.labels), None))
        for stratum in strata
        for g in stratum.groups
        if g.listed and g.kind == "number" and g.key not in found
    }
    found.update(key for key, label in lists if reader.holds_bytes(key, label))
    return sorted(found)


def _names(
    strata: Sequence[Stratum],
    counts: Counts,
    keys: Sequence[str],
    label_relations: Sequence[str] | None,
    left_out: Collection[str],
) -> dict[str, str]:
    """Label to the key that names its nodes, most frequent labels first."""
    general, own = preferences(label_relations, list(counts.labels))
    found: dict[str, str] = {}
    for label in samples.most_frequent(counts.labels):
        if own.get(label) in keys:
            found[label] = own[label]
            continue
        stratum = next((s for s in strata if s.label == label), strata[0])
        texts = [t for t in _texts(stratum, label) if t.key not in left_out]
        if key := name_property(label, texts, general):
            found[label] = key
    return found


def _texts(stratum: Stratum, label: str) -> Iterator[Text]:
    """The properties with texts of a label's nodes."""
    nodes = stratum.nodes(label)
    groups: dict[str, list[Group]] = defaultdict(list)
    for group in stratum.groups:
        if label in group.labels and group.kind == "text":
            groups[group.key].append(group)
    for key, some in groups.items():
        having = sum(g.nodes for g in some)
        distinct = sum(g.distinct for g in some)
        if having and distinct:
            yield Text(
                key=key,
                coverage=having / nodes,
                distinct=min(1.0, distinct / having),
                plain=sum(g.plain for g in some) / distinct,
                length=sum(g.characters for g in some) / distinct,
            )


def _facts(
    strata: Sequence[Stratum], naming: Naming, left_out: Collection[str]
) -> dict[str, _Facts]:
    """By key, the facts of all strata together."""
    found: dict[str, _Facts] = defaultdict(_Facts)
    own = {stratum.label for stratum in strata if stratum.label is not None}
    for stratum in strata:
        for group in stratum.groups:
            if group.key in left_out or set(naming.get(group.key, ())).intersection(group.labels):
                continue
            # Labels with strata of their own are left to these; a node may be in several.
            others = len(own.intersection(group.labels))
            if stratum.label is None and others:
                continue
            scale = stratum.scale / max(1, others)
            facts = found[group.key]
            facts.facts += group.values * scale
            facts.nodes += group.nodes * scale
            facts.kinds[group.kind] += group.values * scale
            facts.values[group.kind] += math.ceil(_distinct(group, stratum.scale) / max(1, others))
            facts.most = max(facts.most, group.most)
            facts.longest = max(facts.longest, group.longest)
            facts.listed |= group.listed
            facts.texts += group.distinct * (group.kind == "text")
            facts.forms.update(group.forms)
            for label in group.labels or (UNLABELLED,):
                facts.sources[label] += group.values * scale
    return dict(found)


def _distinct(group: Group, scale: float) -> float:
    """Distinct values where a group is a sample: at least so many (Chao, 1984).

    All values that occur more than once are taken to occur twice.
    """
    most = group.values * scale
    if scale <= 1:
        return group.distinct
    if (repeated := group.distinct - group.single) == 0:
        return most
    return min(most, group.distinct + group.single**2 / (2 * repeated))


def _correct(facts: Mapping[str, _Facts], counted: Sequence[tuple[str, str, int, int]]) -> None:
    """Put in what was counted over the whole graph."""
    for found in facts.values():
        found.values.clear()
    for key, kind, values, most in counted:
        if key in facts:
            facts[key].values[kind] += values
            facts[key].most = max(facts[key].most, most)


def _relationship(type: str, triples: int, ends: Ends | None, counts: Counts) -> Relation:
    ends = ends or Ends()
    # Of a type that no sample met, the most that can be is the number of its facts.
    subjects = min(triples, max(1, round(ends.subjects)))
    objects = min(triples, max(1, round(ends.objects)))
    return Relation(
        id=f":{type}",
        text=words(type),
        triples=triples,
        subjects=subjects,
        objects=objects,
        mean_out=triples / subjects,
        max_out=_most(ends.max_out, triples / subjects, ends.exact),
        mean_in=triples / objects,
        max_in=_most(ends.max_in, triples / objects, ends.exact),
        source_types=_end_types(type, triples, ends, ends.sources, counts.sources),
        target_types=_end_types(type, triples, ends, ends.targets, counts.targets),
    )


def _edge_properties(
    ends: Mapping[str, Ends], types: Mapping[str, int], no_keys: Collection[str]
) -> dict[str, dict[str, int]]:
    return {
        f":{type}": descending(
            {f".{key}": _scaled(found.keys[key], found, types[type]) for key in keys}
        )
        for type, found in ends.items()
        if type in types and (keys := found.keys.keys() - {*no_keys})
    }


def _with_one_way(relations: Sequence[Relation], reader: Reader) -> list[Relation]:
    """The relationships, with whether they lead one way only, see `Relation.one_way`."""
    one_way = {r.id for r in that_may_return(relations) if reader.is_one_way(r.id[1:])}
    return [replace(r, one_way=r.id in one_way) for r in relations]


def _end_types(
    type: str,
    triples: int,
    ends: Ends,
    sampled: Mapping[str, int],
    counted: Mapping[tuple[str, str], int] | None,
) -> dict[str, int]:
    """Labels at one end of a type, from the count store where it was read."""
    found = {label: _scaled(n, ends, triples) for label, n in sampled.items()}
    if counted is not None:
        unlabelled = {UNLABELLED: found[UNLABELLED]} if UNLABELLED in found else {}
        found = {label: n for (t, label), n in counted.items() if t == type} | unlabelled
    return descending({f":{label}": n for label, n in found.items()})


def _property(key: str, found: _Facts, exact: bool) -> Relation:
    triples, subjects = round(found.facts), max(1, round(found.nodes))
    objects = max(1, min(triples, sum(found.values.values())))
    return Relation(
        id=f".{key}",
        text=words(key),
        triples=triples,
        subjects=subjects,
        objects=objects,
        mean_out=triples / subjects,
        max_out=_most(found.longest, triples / subjects, exact),
        mean_in=triples / objects,
        max_in=_most(found.most, triples / objects, exact),
        source_types=descending({f":{x}": round(n) for x, n in found.sources.items()}),
        literal_kinds=descending({kind: round(n) for kind, n in found.kinds.items()}),
        listed=found.listed,
        texts=text_kind(words(key), found.texts, found.forms) if found.texts else "",
    )


def _most(seen: int, mean: float, exact: bool) -> int:
    """A maximum; where it is only of a sample, never 1, which would rule things out."""
    return seen if exact else max(2, seen, math.ceil(mean))


def _scaled(n: int, ends: Ends, triples: int) -> int:
    return round(n * triples / ends.read)


def _notes(
    reader: Reader,
    ends: Mapping[str, Ends],
    strata: Sequence[Stratum],
    names: Mapping[str, str],
    left_out: Sequence[str],
    indexes: Sequence[PropertyIndex] | None,
) -> Iterator[str]:
    counts = reader.counts
    if not reader.whole:
        yield (
            f"properties, and counts of them, are estimates from {samples.SAMPLED_NODES:,} nodes, "
            f"and from up to {samples.OWN_NODES:,} of a label with few among these; a property "
            f"that fewer than 1 in {samples.ENOUGH // 3:,} nodes of a label have may be missing"
        )
        yield (
            f"degrees and relationship properties are estimates from the relationships of up to "
            f"{samples.LINKED_NODES:,} nodes, and from up to {samples.RARE_RELATIONSHIPS:,} of a "
            "type that is seldom met there; the most edges of one node are at least those given"
        )
        if counts.sources is None:
            yield "so are the labels at the ends of relationships, for want of a right to read them"
        if len(strata) > samples.OWN_LABELS:
            yield "of labels that are rarer still, properties and names may be missing"
        seen = {g.key for s in strata for g in s.groups}.union(*(e.keys for e in ends.values()))
        if unseen := [k for k in reader.tokens.keys if k not in seen]:
            some = ", ".join(unseen[:10]) + (", …" if unseen[10:] else "")
            yield f"property keys that the database knows, but that were not seen: {some}"
    if indexes is None:
        yield "which indexes the database has is not known: the user may not see them"
    if left_out:
        yield f"no relations, because their values are embeddings or bytes: {', '.join(left_out)}"
    if unnamed := [label for label in samples.most_frequent(counts.labels) if label not in names]:
        some = ", ".join(unnamed[:10]) + (", …" if unnamed[10:] else "")
        yield f"no property names the nodes of {some}: label_relations can say which does"
