"""One plain Cypher statement for one interpretation, for people to paste and to read.

What the search sends asks about many interpretations at once and is no reading
matter. This asks the same about one: its text has labels, types and keys, its
values are set by ``:param`` lines before it, as Neo4j Browser and cypher-shell
take them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from isomatch.compile.base import Known, Part
from isomatch.compile.literals import id_literal, list_literal, shown, text_literal
from isomatch.compile.readable import renamed
from isomatch.compile.shapes import VALUE_TYPES, naming
from isomatch.store.cypher import CYPHER, identifier
from isomatch.store.terms import literal_kind

Step = dict[str, Any]
# What may hold no variable (parameters keep their names), and variables.
_TOKENS = re.compile(r"`(?:[^`]|``)*`|\$\w+|(?P<variable>[^\W\d]\w*)")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORDS = frozenset({"true", "false", "null", "nan", "inf", "infinity"})


@dataclass(frozen=True, slots=True)
class Seen:
    """How a match was found.

    Attributes:
        values: numbers of the nodes that are values.
        relations: id by edge number.
    """

    values: frozenset[int]
    relations: tuple[str, ...]


def pasteable(
    part: Part,
    nodes: Mapping[int, Known],
    seen: Iterable[Seen],
    limit: int,
    names: Mapping[str, str],
) -> str:
    """The statement for an interpretation, after the lines that set its parameters.

    It returns the graph's nodes and relationships, so that Browser draws them, the
    values, and what unknown nodes are called; a row is a match. Where a node is a value
    in some matches and not in others, it is a UNION.

    Args:
        part: the whole pattern, with the interpretation's relations and types.
        nodes: by number of the known nodes.
        seen: of the interpretation's matches; what is not among them is not asked for.
        limit: most rows (of each part of a UNION).
        names: of the variables, see `isomatch.pattern.columns.column_names`.
    """
    forms: dict[frozenset[int], None] = {}
    keys: dict[int, set[str]] = {}
    for match in seen:
        forms.setdefault(match.values)
        for e, id in enumerate(match.relations):
            if part.relations[e] is None and id.startswith("."):
                keys.setdefault(e, set()).add(id[1:])
    always = frozenset(part.structure.used).intersection(*forms)
    writers = [_Writer(part, nodes, values, keys, always) for values in forms]
    text = CYPHER.render("show.cypher.j2", statements=[w.statement() for w in writers], limit=limit)
    parameters = {
        f"n{n}": id_literal(ids) if isinstance(ids, str) else list_literal(map(id_literal, ids))
        for n, ids in sorted(nodes.items())
    }
    parameters |= {
        f"r{e}": text_literal(id[1:])
        for e, id in enumerate(part.relations)
        if id is not None and f"$r{e}" in text
    }
    parameters |= {
        f"e{e}": list_literal(map(text_literal, sorted(found))) for e, found in keys.items()
    }
    for name, found in part.terms.known_schema.unsearched_names.items():
        if f"${name}" in text:
            parameters[name] = list_literal(map(text_literal, found))
    if "$names" in text:
        named = naming(part.terms.known_schema)
        asked = set[str]().union(*keys.values())
        pairs = [(key, label[1:]) for key in named if key in asked for label in named[key]]
        parameters["names"] = list_literal(list_literal(map(text_literal, pair)) for pair in pairs)
    lines = [f":param {name} => {value};" for name, value in parameters.items()]
    text = renamed(shown(text.rstrip()), _TOKENS, names, _variable)
    return "\n".join([*lines, f"{text};"])


def _variable(name: str) -> str:
    """The name of a variable, in backticks where it would be no name otherwise."""
    return name if _PLAIN.fullmatch(name) and name.lower() not in _WORDS else f"`{name}`"


class _Writer:
    """Writes the statement for one choice of which nodes are values."""

    def __init__(
        self,
        part: Part,
        nodes: Mapping[int, Known],
        values: frozenset[int],
        keys: Mapping[int, Collection[str]],
        always: Collection[int],
    ):
        self.part, self.nodes, self.values, self.keys = part, nodes, values, keys
        self.always = always
        self.several = {n for n, ids in nodes.items() if not isinstance(ids, str)}
        self.structure = part.structure
        self.schema = part.terms.known_schema
        self.unwound: set[str] = set()
        self.unwinds: list[Step] = []
        self.conditions: list[Step] = []

    def statement(self) -> Step:
        """What the template needs: paths, lists to unwind, conditions before and after."""
        self._nodes()
        for e in self.structure.order:
            if self.is_property(e):
                self._property(e)
                continue
            if (value := self.structure.values[e]) is not None:
                self._carried(e, value)
            if self.part.relations[e] is None and self.schema.unsearched_names["no_types"]:
                self._where("is relation", edge=f"e{e}")
        for a, b in self.structure.apart:
            self._apart(a, b)
        for e, f in self.structure.conflicts:
            if self.is_property(e) and self.is_property(f):
                self._two_facts(e, f)
        return {
            "given": sorted(self.several & self.values),
            "paths": list(self._paths()),
            "walk": self.structure.nodes == "walk",
            "where": [c for c in self.conditions if not self._is_late(c)],
            "unwinds": self.unwinds,
            "after": [c for c in self.conditions if self._is_late(c)],
            "columns": list(self._columns()),
        }

    # -- names of things --------------------------------------------------------

    def ref(self, n: int) -> str:
        """The variable of a node or value, or the parameter of a known value."""
        known = n in self.values and n in self.nodes and n not in self.several
        return f"$n{n}" if known else f"n{n}"

    def is_property(self, e: int) -> bool:
        """Whether one end of the edge is a value."""
        return not self.values.isdisjoint(self.structure.edges[e])

    def ends(self, e: int) -> tuple[int, int]:
        """(node, value) of a property edge."""
        a, b = self.structure.edges[e]
        return (b, a) if a in self.values else (a, b)

    def key(self, e: int) -> Step:
        """Where the value of a property edge is: under a key, or under that of a variable."""
        node, relation = self.ends(e)[0], self.part.relations[e]
        if relation is None:
            return {"node": f"n{node}", "open": f"e{e}", "key": None}
        return {"node": f"n{node}", "open": None, "key": relation}

    # -- clauses ------------------------------------------------------------------

    def _paths(self) -> Iterator[Step]:
        """A path for each relationship, a node for each property of a node in none."""
        labels = {
            f"n{n}": type
            for n, type in enumerate(self.part.types)
            if type is not None and type not in VALUE_TYPES
        }
        labelled: set[str] = set()

        def fresh(*nodes: str) -> dict[str, str]:
            new = {n: labels[n] for n in nodes if n in labels and n not in labelled}
            labelled.update(nodes)
            return new

        for e in self.structure.order:
            if not self.is_property(e):
                a, b = (f"n{n}" for n in self.structure.edges[e])
                directed = self.structure.directed[e]
                path = {"a": a, "b": b, "edge": f"e{e}", "type": self.part.relations[e]}
                yield {**path, "directed": directed, "labels": fresh(a, b)}
        for e in self.structure.order:
            if self.is_property(e) and (node := f"n{self.ends(e)[0]}") not in labelled:
                yield {"a": node, "edge": None, "labels": fresh(node)}
        if not self.structure.edges:
            yield {"a": "n0", "edge": None, "labels": fresh("n0")}

    def _columns(self) -> Iterator[str]:
        for n in sorted(self.structure.used):
            ref = self.ref(n)
            yield ref if ref == f"n{n}" else f"{ref} AS n{n}"
        for e in sorted(self.structure.order):
            if self.part.relations[e] is None or not self.is_property(e):
                yield f"e{e}"
        for n in sorted(self.structure.used):
            if not (n in self.always or self.structure.known[n]) and (name := self._name(n)):
                yield f"{name} AS n{n}_label"

    def _name(self, n: int) -> str:
        """What a node is called by, or the value; columns are the same in all of a UNION."""
        of_type = self.schema.names.get(self.part.types[n] or "")
        keys = [of_type] if of_type else [f".{key}" for key in naming(self.schema)]
        if n in self.values:
            return self.ref(n) if keys else ""
        names = [f"n{n}.{identifier(key)}" for key in keys]
        return f"coalesce({', '.join(names)})" if names[1:] else "".join(names)

    def _unwind(self, variable: str, **source: Any) -> None:
        self.unwound.add(variable)
        self.unwinds.append({"list": None, **source, "variable": variable})

    def _is_late(self, condition: Step) -> bool:
        return not self.unwound.isdisjoint((*condition["about"], condition.get("open")))

    # -- conditions ---------------------------------------------------------------

    def _where(self, rule: str, *about: str, **values: Any) -> None:
        self.conditions.append({"rule": rule, "about": about, **values})

    def _nodes(self) -> None:
        for n in sorted(self.structure.used):
            type = self.part.types[n]
            if n in self.nodes and n not in self.values:
                self._where("is any" if n in self.several else "is", node=f"n{n}")
            elif n not in self.values and (labels := self.schema.left_out_labels):
                self._where("names others", node=f"n{n}", labels=labels)
            if type in VALUE_TYPES:
                ref = self.ref(n)
                self._where("kind", ref, value=ref, types=VALUE_TYPES[type])

    def _property(self, e: int) -> None:
        _, value = self.ends(e)
        ref, key = self.ref(value), self.key(e)
        if key["open"]:
            self._unwind(key["open"], list=f"${key['open']}")
        if value not in self.nodes and ref not in self.unwound:
            self._unwind(ref, **key)
        else:
            relation = self.schema.by_id.get(self.part.relations[e] or "")
            single = relation is not None and not relation.listed
            self._where("equals" if single else "holds", ref, value=ref, **key)
        named = naming(self.schema)
        if key["open"]:
            if not named.keys().isdisjoint(self.keys[e]):
                self._where("names none", **key)
        elif labels := named.get(key["key"][1:]):
            self._where("names others", labels=labels, **key)

    def _carried(self, e: int, value: int) -> None:
        ref, key = self.ref(value), self.structure.key(e)
        of_key = {"node": f"e{e}", "open": None, "key": f".{key}"}
        less = bool(self.schema.unsearched_names["no_keys"])
        if value in self.nodes and key:
            self._where("holds", ref, value=ref, **of_key)
        elif key:
            self._unwind(ref, **of_key)
        elif value in self.nodes:
            self._where("carries", edge=f"e{e}", value=ref, less=less)
        else:
            keys = f"[key IN keys(e{e}) WHERE NOT key IN $no_keys]" if less else f"keys(e{e})"
            self._unwind(f"k{e}", list=keys)
            self._unwind(ref, node=f"e{e}", open=f"k{e}", key=None)

    def _apart(self, a: int, b: int) -> None:
        left, right = self.ref(a), self.ref(b)
        if (a in self.values) == (b in self.values):
            if not {a, b} <= self.nodes.keys() - self.several:
                self._where("apart", left, right, a=left, b=right)
            return
        # A text that is a node's name stands for the node, but on the node itself; see
        # isomatch.compile.steps, which has the same rule.
        node, value = (b, a) if a in self.values else (a, b)
        beside = any({a, b} == set(ends) for ends in self.structure.edges)
        if beside or value in self.structure.values or not self._may_be_text(value):
            return
        ref, named = self.ref(value), naming(self.schema)
        everywhere = [f".{key}" for key in named if f".{key}" not in self.schema.by_id]
        if everywhere:
            self._where("not called", ref, node=f"n{node}", value=ref, names=everywhere)
        for key, labels in named.items():
            if f".{key}" not in everywhere:
                there = {"node": f"n{node}", "value": ref, "key": f".{key}", "labels": labels}
                self._where("not called there", ref, **there)

    def _may_be_text(self, value: int) -> bool:
        if value in self.nodes:
            ids = self.nodes[value]
            listed = [ids] if isinstance(ids, str) else ids
            return any(literal_kind(id) == "text" for id in listed)
        if (type := self.part.types[value]) in VALUE_TYPES:
            return type == "literal:text"
        relations = [
            self.schema.by_id.get(self.part.relations[e] or "")
            for e in self.structure.order
            if value in self.structure.edges[e]
        ]
        return all(r is None or not r.literal_kinds or "text" in r.literal_kinds for r in relations)

    def _two_facts(self, e: int, f: int) -> None:
        if None not in (relations := {self.part.relations[e], self.part.relations[f]}):
            if len(relations) > 1:
                return
            keys = ["", ""]  # the same
        else:
            keys = [self.key(g)["open"] or f"$r{g}" for g in (e, f)]
        (n, v), (m, w) = self.ends(e), self.ends(f)
        pairs = [(f"n{n}", f"n{m}"), (self.ref(v), self.ref(w)), (keys[0], keys[1])]
        equal = [pair for pair in pairs if pair[0] != pair[1]]
        self._where("two facts", *(x for pair in equal for x in pair), equal=equal)
