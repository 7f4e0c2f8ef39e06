"""What a property graph's elements are like: all of a small graph, samples of a large one.

A sample is spread over the first elements that the database gives, whose number
is bounded too: the first ones alone are often of one kind, and reading all of a
large graph takes long.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from isomatch.schema.catalog import Counts, Tokens, ask, decoded
from isomatch.schema.naming import FORMS, LONGEST, NO_NAME
from isomatch.schema.relations import MANY, SAMPLED
from isomatch.store.base import Row, Store

WHOLE_NODES = 100_000  # graphs of at most so many nodes and relationships are read whole
WHOLE_RELATIONSHIPS = 300_000
SAMPLED_NODES = 30_000  # in larger graphs, whose properties are read
ENOUGH = 1_000  # of a label; where the sample has fewer, the label gets one of its own
OWN_NODES = 5_000  # of so many nodes
OWN_LABELS = 200  # for the most frequent of these labels
LINKED_NODES = 20_000  # of all, whose relationships are read
LINKS = 500_000  # relationships to read at most, about
HUB = 100_000  # nodes with more relationships are left out there
RARE = 10  # nodes that a type must be seen at; else its own first relationships are read
RARE_RELATIONSHIPS = 1_000  # so many
RARE_TYPES = 50  # and of so many types at most
SCANNED = 1_000_000  # nodes that a sample is spread over
LONG_TEXT = 2000  # characters: up to 8,000 bytes, for which a range index has room
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
    """What is known of the relationships of one type.

    Attributes:
        exact: whether the degrees are of all of them.
        subjects, objects: nodes that they leave and enter.
        max_out, max_in: the most of one node that was seen.
        read: how many ``sources``, ``targets`` and ``keys`` are of.
        sources, targets: labels of the nodes with numbers of relationships.
        keys: of their properties, the same.
    """

    exact: bool = False
    subjects: float = 0.0
    objects: float = 0.0
    max_out: int = 0
    max_in: int = 0
    read: int = 0
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
        characters: of all distinct texts together; of a very long one those that make it
            too long for a name.
        longest_text: characters of the longest text.
        forms: distinct texts of each of `isomatch.schema.naming.FORMS`.
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
    longest_text: int = 0
    forms: Mapping[str, int] = field(default_factory=dict)

    @property
    def has_long_text(self) -> bool:
        """Whether a range index may have no room for one."""
        return self.longest_text > LONG_TEXT


@dataclass
class Stratum:
    """Nodes that were looked at: of one label, or of the whole graph (label None).

    Attributes:
        scale: nodes that each of them stands for.
        read: how many were looked at, by set of labels.
        groups: their properties.
    """

    label: str | None
    scale: float = 1.0
    read: Counter[tuple[str, ...]] = field(default_factory=Counter)
    groups: list[Group] = field(default_factory=list)

    def nodes(self, label: str) -> int:
        """How many of a label were looked at."""
        return sum(n for labels, n in self.read.items() if label in labels)


@dataclass(frozen=True)
class Reader:
    """Asks a store about the elements of its graph.

    Attributes:
        no_labels: nodes with one of them are left out, with their relationships.
    """

    store: Store
    tokens: Tokens
    counts: Counts
    no_labels: Sequence[str] = ()

    @property
    def whole(self) -> bool:
        """Whether everything is looked at."""
        return self.counts.nodes <= WHOLE_NODES and self.counts.relationships <= WHOLE_RELATIONSHIPS

    def ends(self) -> dict[str, Ends]:
        """By relationship type: from all nodes, or from some of them."""
        found: dict[str, Ends] = defaultdict(Ends)
        given, scale = {}, 1.0
        if not self.whole:
            degree = 2 * self.counts.relationships / max(1, self.counts.nodes)
            wanted = min(LINKED_NODES, int(LINKS / max(1.0, degree)))
            given = {**_spread(self.counts.nodes, wanted), "hub": HUB}
            scale = max(1.0, self.counts.nodes / wanted)
        nodes = "all" if self.whole else "sample"
        columns: tuple[str, ...] = ("type", "source", "target", "keys", "facts")
        for type, *rest in self._ask("ends", columns, given, nodes=nodes):
            self._add_ends(found[str(type)], rest)
        seen: Counter[str] = Counter()
        for end in ("source", "target"):
            columns = ("type", "nodes", "most")
            for type, n, most in self._ask("degrees", columns, given, nodes=nodes, end=end):
                ends = found[str(type)]
                ends.exact = self.whole
                seen[str(type)] += _int(n)
                if end == "source":
                    ends.subjects, ends.max_out = _int(n) * scale, _int(most)
                else:
                    ends.objects, ends.max_in = _int(n) * scale, _int(most)
        if not self.whole:
            few = [type for type in most_frequent(self.counts.types) if seen[type] < RARE]
            found |= {type: self._rare(type) for type in few[:RARE_TYPES]}
        return dict(found)

    def is_one_way(self, type: str) -> bool:
        """Whether none of the many first relationships of a type is there both ways."""
        rows = self._ask("returned", ("facts", "returned"), {"limit": SAMPLED}, type=f":{type}")
        return any(_int(facts) >= MANY and not _int(returned) for facts, returned in rows)

    def _rare(self, type: str) -> Ends:
        """From its own first relationships."""
        triples = self.counts.types[type]
        ends = Ends(exact=triples <= RARE_RELATIONSHIPS)
        columns = ("source", "target", "keys", "facts", "subjects", "max_out", "objects", "max_in")
        limit = {"limit": RARE_RELATIONSHIPS}
        for row in self._ask("rare", columns, limit, type=f":{type}"):
            self._add_ends(ends, row[:4])
            subjects, max_out, objects, max_in = row[4:]
            ends.subjects += float(subjects or 0)
            ends.objects += float(objects or 0)
            ends.max_out = max(ends.max_out, _int(max_out))
            ends.max_in = max(ends.max_in, _int(max_in))
        if ends.read:
            ends.subjects *= max(1.0, triples / ends.read)
            ends.objects *= max(1.0, triples / ends.read)
        return ends

    def _add_ends(self, ends: Ends, row: Sequence[str | None]) -> None:
        source, target, keys, facts = row
        n = _int(facts)
        ends.read += n
        for label in self._labels(source) or (UNLABELLED,):
            ends.sources[label] += n
        for label in self._labels(target) or (UNLABELLED,):
            ends.targets[label] += n
        for key in decoded(keys, self.tokens.keys):
            ends.keys[key] += n

    def strata(self) -> list[Stratum]:
        """The nodes' properties: of the whole graph first, then of labels that it has few of."""
        nodes = self.counts.nodes
        if self.whole:
            return [self._stratum(None, nodes, nodes)]
        first = self._stratum(None, nodes, SAMPLED_NODES)
        few = [x for x in most_frequent(self.counts.labels) if first.nodes(x) < ENOUGH]
        return [
            first,
            *(self._stratum(x, self.counts.labels[x], OWN_NODES) for x in few[:OWN_LABELS]),
        ]

    def _stratum(self, label: str | None, there: int, wanted: int) -> Stratum:
        stratum = Stratum(label)
        columns = ["labels", "key", "kind", "nodes", "values", "distinct", "single", "most"]
        columns += ["longest", "listed", "characters", "plain", "longest_text", *FORMS]
        rows = self._ask(
            "properties",
            columns,
            {"long": LONG, "too_long": 2 * LONGEST + 1, **_spread(there, wanted)},
            label=label and f":{label}",
            sampled=wanted < there,
            no_name=NO_NAME,
            forms=FORMS,
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
                    longest_text=_int(row[12]),
                    forms=dict(zip(FORMS, map(_int, row[13:]), strict=True)),
                )
            )
        stratum.scale = there / max(1, sum(stratum.read.values()))
        return stratum

    def holds_bytes(self, key: str, label: str | None) -> bool:
        """Whether a property with lists of whole numbers has bytes, as the first one is."""
        label = label and f":{label}"
        rows = self._ask("integers", ("value",), {"key": key}, label=label)
        return any(value is not None for (value,) in rows)  # a list has no id

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

    def _ask(
        self,
        template: str,
        columns: Sequence[str],
        parameters: Mapping[str, Any] | None = None,
        **values: Any,
    ) -> Iterator[Row]:
        given = {**self.tokens.numbers, "no_labels": [*self.no_labels], **(parameters or {})}
        hidden = bool(self.no_labels)
        return ask(self.store, template, tuple(columns), given, hidden=hidden, **values)

    def _labels(self, codes: str | None) -> list[str]:
        return decoded(codes, self.tokens.labels)


def most_frequent(counts: Mapping[str, int]) -> list[str]:
    """The names, by descending count."""
    return sorted(counts, key=lambda name: (-counts[name], name))


def kind_of(value_type: str | None) -> str:
    """A kind of literal, ``vector`` or ``other`` for the type of a value as Cypher has it."""
    if (value_type or "").startswith("VECTOR<"):
        return "vector"
    return _KINDS.get((value_type or "").removesuffix(" NOT NULL"), "other")


def _spread(n: int, wanted: int) -> dict[str, Any]:
    """Parameters of a sample of so many of ``n``, out of the first ones."""
    return {"scanned": SCANNED, "share": wanted / max(1, min(n, SCANNED))}


def _int(value: str | None) -> int:
    return int(float(value or 0))
