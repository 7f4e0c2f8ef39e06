"""What a property graph's elements are like: all of a small graph, samples of a large one.

A sample is spread over the first elements that the database gives, whose number
is bounded too: the first ones alone are often of one kind, and reading all of a
large graph takes long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from isomatch.schema.counts import Counts, Tokens, ask
from isomatch.schema.model import PropertyIndex
from isomatch.schema.naming import NO_NAME
from isomatch.store.base import Row, Store

WHOLE_NODES = 100_000  # graphs of at most so many nodes and relationships are read whole
WHOLE_RELATIONSHIPS = 300_000
SAMPLED_NODES = 5_000  # of a label, in larger graphs
SAMPLED_RELATIONSHIPS = 1_000  # of a type
SCANNED = 2_000_000  # nodes (or relationships) that all samples together are spread over
DETAILED = 1_000  # most frequent labels (and types) that are looked at; others are only counted
LONG = 64  # members of a list of numbers from which on it is an embedding
UNLABELLED = ""

_KINDS = {
    "STRING": "text",
    "INTEGER": "number",
    "FLOAT": "number",
    "DATE": "date",
    "LOCAL DATETIME": "date",
    "ZONED DATETIME": "date",
    "BOOLEAN": "boolean",
}


@dataclass
class Ends:
    """The relationships of one type that were looked at.

    Attributes:
        read: how many.
        exact: whether these are all.
        subjects, objects: nodes that they leave and enter, as if ``read`` were all.
        max_out, max_in: the most of one node.
        sources, targets: labels of the nodes with numbers of relationships.
        keys: of their properties, the same.
    """

    read: int = 0
    exact: bool = False
    subjects: float = 0.0
    objects: float = 0.0
    max_out: int = 0
    max_in: int = 0
    sources: Counter[str] = field(default_factory=Counter)
    targets: Counter[str] = field(default_factory=Counter)
    keys: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Group:
    """The values of one key and kind on nodes with the same labels.

    Attributes:
        nodes, values: how many; list members count each.
        distinct, single: distinct values, and those that occur once.
        most: nodes that have the most frequent value.
        longest: values of one node.
        listed: whether some value is a list.
        characters: of all distinct texts together.
        plain: distinct texts that may be names.
    """

    labels: tuple[str, ...]
    key: str
    kind: str
    nodes: int
    values: int
    distinct: int
    single: int
    most: int
    longest: int
    listed: bool
    characters: int
    plain: int


@dataclass
class Stratum:
    """Nodes with one label that were looked at, or of the whole graph (label None).

    Attributes:
        scale: nodes that each of them stands for.
        exact: whether these are all.
        read: how many were looked at, by set of labels.
        groups: their properties.
    """

    label: str | None
    scale: float
    exact: bool
    read: Counter[tuple[str, ...]] = field(default_factory=Counter)
    groups: list[Group] = field(default_factory=list)


@dataclass(frozen=True)
class Reader:
    """Asks a store about the elements of its graph."""

    store: Store
    tokens: Tokens
    counts: Counts
    progress: Callable[[int, int], None] | None = None

    @property
    def whole(self) -> bool:
        """Whether everything is looked at."""
        return self.counts.nodes <= WHOLE_NODES and self.counts.relationships <= WHOLE_RELATIONSHIPS

    def ends(self) -> dict[str, Ends]:
        """By relationship type, most frequent first."""
        found: dict[str, Ends] = {}
        if self.whole:
            self._add_ends(found, None)
            for end in ("source", "target"):
                rows = self._ask("degrees", ("type", "nodes", "most"), end=end)
                for type, nodes, most in rows:
                    if (ends := found.get(str(type))) is None:
                        continue
                    ends.exact = True
                    if end == "source":
                        ends.subjects, ends.max_out = _int(nodes), _int(most)
                    else:
                        ends.objects, ends.max_in = _int(nodes), _int(most)
            self._report(self.counts.relationships)
            return found
        done = 0
        types = most_frequent(self.counts.types)
        scanned = max(SAMPLED_RELATIONSHIPS, SCANNED // max(1, len(types)))
        for type, n in types:
            self._add_ends(found, type, **_spread(n, scanned, SAMPLED_RELATIONSHIPS))
            if type in found:
                found[type].exact = n <= SAMPLED_RELATIONSHIPS
            done += n
            self._report(done)
        return found

    def _add_ends(self, found: dict[str, Ends], type: str | None, **sample: Any) -> None:
        columns = ["type", "source", "target", "keys", "facts"]
        columns += ["subjects", "max_out", "objects", "max_in"]
        rows = self._ask("ends", columns, sample, type=type and f":{type}")
        for name, source, target, keys, facts, subjects, max_out, objects, max_in in rows:
            ends = found.setdefault(str(name), Ends())
            n = _int(facts)
            ends.read += n
            ends.subjects += float(subjects or 0)
            ends.objects += float(objects or 0)
            ends.max_out = max(ends.max_out, _int(max_out))
            ends.max_in = max(ends.max_in, _int(max_in))
            for label in self._labels(source) or (UNLABELLED,):
                ends.sources[label] += n
            for label in self._labels(target) or (UNLABELLED,):
                ends.targets[label] += n
            for key in _names(keys, self.tokens.keys):
                ends.keys[key] += n

    def strata(self) -> list[Stratum]:
        """The nodes' properties, by label; one stratum where all are looked at."""
        if self.whole:
            return [self._stratum(None, 1.0, True)]
        labels = most_frequent(self.counts.labels)
        scanned = max(SAMPLED_NODES, SCANNED // (1 + len(labels)))
        found = []
        for label, n in [*labels, (UNLABELLED, self.counts.nodes)]:
            sample = _spread(n, scanned, SAMPLED_NODES)
            scale = max(1.0, n / SAMPLED_NODES)
            found.append(self._stratum(label, scale, n <= SAMPLED_NODES, **sample))
        return found

    def _stratum(self, label: str | None, scale: float, exact: bool, **sample: Any) -> Stratum:
        stratum = Stratum(label, scale, exact)
        columns = ["labels", "key", "kind", "nodes", "values", "distinct", "single", "most"]
        columns += ["longest", "listed", "characters", "plain"]
        rows = self._ask(
            "properties",
            columns,
            {"long": LONG, **sample},
            label=f":{label}" if label else None,
            unlabelled=label == UNLABELLED,
            sampled=label is not None,
            no_name=NO_NAME,
        )
        for row in rows:
            labels = tuple(self._labels(row[0]))
            if row[1] is None:  # the nodes themselves
                stratum.read[labels] += _int(row[3])
                continue
            nodes, values, distinct, single, most, longest = map(_int, row[3:9])
            stratum.groups.append(
                Group(
                    labels=labels,
                    key=self.tokens.keys[_int(row[1])],
                    kind=kind_of(row[2]),
                    nodes=nodes,
                    values=values,
                    distinct=distinct,
                    single=single,
                    most=most,
                    longest=longest,
                    listed=row[9] == "true",
                    characters=_int(row[10]),
                    plain=_int(row[11]),
                )
            )
        # The number of nodes that the share was applied to is known; what came is not
        # quite the number that was asked for.
        if label and not exact and (read := sum(stratum.read.values())):
            stratum.scale = self.counts.labels[label] / read
        return stratum

    def distinct(
        self, naming: Mapping[str, Sequence[str]], left_out: Sequence[str]
    ) -> list[tuple[str, str, int, int]]:
        """(key, kind, distinct values, nodes of the most frequent one), of the whole graph."""
        rows = self._ask(
            "values",
            ("key", "kind", "values", "most"),
            {"naming": naming, "left_out": left_out},
        )
        return [
            (self.tokens.keys[_int(key)], kind_of(kind), _int(values), _int(most))
            for key, kind, values, most in rows
            if key is not None
        ]

    def sets(
        self, naming: Mapping[str, Sequence[str]], left_out: Sequence[str], limit: int
    ) -> tuple[tuple[str, ...], ...] | None:
        """Characteristic sets of nodes and of values; None where there are too many."""
        if not self.whole:
            return None
        given = {"naming": naming, "left_out": left_out, "limit": limit}
        types = [f":{type}" for type in self.tokens.types]
        keys = [f".{key}" for key in self.tokens.keys]
        found: set[tuple[str, ...]] = set()
        for out, into, had in self._ask("node_sets", ("out", "into", "keys"), given):
            ports = [f"+{port}" for port in (*_names(out, types), *_names(had, keys))]
            ports += [f"-{port}" for port in _names(into, types)]
            found.add(tuple(sorted(ports)))
        for (had,) in self._ask("value_sets", ("keys",), given):
            found.add(tuple(sorted(f"-{port}" for port in _names(had, keys))))
        return tuple(sorted(found)) if len(found) < limit else None

    def indexes(self) -> tuple[PropertyIndex, ...]:
        """The database's own, one for each label (or type) that they cover."""
        columns = ["name", "kind", "relationship", "covers", "properties"]
        columns += ["dimension", "similarity"]
        found = []
        for name, kind, relationship, covers, keys, dimension, similarity in self._ask(
            "indexes", columns
        ):
            of_types = relationship == "true"
            for type in _names(covers, self.tokens.types if of_types else self.tokens.labels):
                found.append(
                    PropertyIndex(
                        type=f":{type}",
                        properties=tuple(f".{key}" for key in _names(keys, self.tokens.keys)),
                        kind=str(kind),
                        name=str(name),
                        relationship=of_types,
                        dimension=_int(dimension),
                        similarity=(similarity or "").lower(),
                    )
                )
        return tuple(sorted(found, key=lambda i: (i.type, i.properties, i.kind, i.name)))

    def _ask(
        self,
        template: str,
        columns: Sequence[str],
        parameters: Mapping[str, Any] | None = None,
        **values: Any,
    ) -> Iterator[Row]:
        given = {**self.tokens.numbers, **(parameters or {})}
        return ask(self.store, template, tuple(columns), given, **values)

    def _labels(self, codes: str | None) -> list[str]:
        return _names(codes, self.tokens.labels)

    def _report(self, done: int) -> None:
        if self.progress is not None:
            self.progress(done, self.counts.relationships)


def most_frequent(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """(name, count) of those that are looked at in detail."""
    return sorted(counts.items(), key=lambda c: (-c[1], c[0]))[:DETAILED]


def kind_of(value_type: str | None) -> str:
    """``text``, ``number``, ``date``, ``boolean`` or ``other`` for a type as Cypher has it."""
    return _KINDS.get((value_type or "").removesuffix(" NOT NULL"), "other")


def _spread(n: int, scanned: int, wanted: int) -> dict[str, Any]:
    """Parameters of a sample of so many out of the first ``scanned`` of ``n``."""
    return {"scanned": scanned, "share": min(1.0, wanted / max(1, min(n, scanned)))}


def _names(codes: str | None, names: Sequence[str]) -> list[str]:
    return [names[int(code)] for code in (codes or "").split()]


def _int(value: str | None) -> int:
    return int(float(value or 0))
