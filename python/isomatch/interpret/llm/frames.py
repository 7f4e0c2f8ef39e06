"""Sentence frames of the worked examples, and the shapes of pattern that they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

# A relation that ends so reads as a participle ("directed by"), else as a noun ("capital").
_PREPOSITIONS = frozenset(["at", "by", "for", "from", "in", "into", "of", "on", "to", "with"])


@dataclass(frozen=True, slots=True)
class Example:
    """A question and the reply that a model should give.

    Attributes:
        question: in plain words.
        segments: the question's parts, one for each triple.
        triples: in the form of the papers: (head, relation, tail), with a value
            on the edge as a fourth where the graph has such.
        asks: the unknowns that are asked for.
        where, order, parts: conditions, order and parts, as a reply has them; empty where it
            needs none.
    """

    question: str
    segments: tuple[str, ...]
    triples: tuple[tuple[str, ...], ...]
    asks: tuple[str, ...]
    where: tuple[tuple[str, ...], ...] = ()
    order: Mapping[str, Any] | None = None
    parts: tuple[Mapping[str, Any], ...] = ()

    @property
    def reply(self) -> dict[str, Any]:
        """The reply as a mapping for JSON, without the keys that it does not need."""
        said = {"segments": self.segments, "triples": self.triples, "asks": self.asks}
        further = {"where": self.where, "order": self.order, "parts": self.parts}
        return said | {key: value for key, value in further.items() if value}


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of pattern over variables; ``x`` is asked for, ``y`` is between.

    Attributes:
        edges: (variable, number of the relation, variable).
        named: variables whose names the question has.
        values: variables that are literals.
        kind: what is asked of the facts, beside that they hold.
    """

    edges: tuple[tuple[str, int, str], ...]
    named: tuple[str, ...]
    values: tuple[str, ...] = ()
    kind: Literal["facts", "comparison", "superlative", "negation", "alternative"] = "facts"

    @property
    def unknown(self) -> tuple[str, ...]:
        """Variables that the question does not name."""
        ends = dict.fromkeys(v for s, _, t in self.edges for v in (s, t))
        return tuple(v for v in ends if v not in self.named)


FORWARD = Shape((("a", 0, "x"),), ("a",))
BACKWARD = Shape((("x", 0, "a"),), ("a",))
TWO_HOPS = Shape((("y", 0, "a"), ("y", 1, "x")), ("a",))
CONJUNCTION = Shape((("x", 0, "a"), ("x", 1, "b")), ("a", "b"))
VALUE = Shape((("a", 0, "x"),), ("a",), ("x",))
COMPARISON = Shape((("x", 0, "v"),), (), ("v",), "comparison")
SUPERLATIVE = Shape((("x", 0, "v"),), (), ("v",), "superlative")
NEGATION = Shape((("x", 0, "a"), ("x", 1, "b")), ("a", "b"), (), "negation")
ALTERNATIVE = Shape((("x", 0, "a"), ("x", 1, "b")), ("a", "b"), (), "alternative")
SHAPES = (
    BACKWARD,
    FORWARD,
    TWO_HOPS,
    CONJUNCTION,
    VALUE,
    COMPARISON,
    SUPERLATIVE,
    NEGATION,
    ALTERNATIVE,
)


def phrased(
    shape: Shape,
    names: Mapping[str, str],
    kinds: Mapping[str, str],
    relations: Sequence[str],
    constant: str = "",
) -> Example:
    """The example that a shape makes of the graph's words.

    Args:
        names: of the variables that the question names.
        kinds: of the unknown variables, in words; without those of no type.
        relations: texts of the relations, by their numbers in the shape.
        constant: what values are compared with.
    """
    elements = dict(names)
    for v in shape.unknown:
        taken = set(elements.values())
        stem = f"UNKNOWN {kinds[v]}" if kinds.get(v) else "UNKNOWN"
        elements[v] = next(e for n in (1, 2) if (e := f"{stem} {n}") not in taken)
    triples = tuple((elements[s], relations[r], elements[t]) for s, r, t in shape.edges)
    asks = (elements["x"],)
    asked = kinds.get("x") or "thing"
    if shape.kind == "negation":
        has, lacks = _predicate(relations[0], names["a"]), _negated(relations[1], names["b"])
        part = {"unknowns": asks, "operator": "not in", "triples": triples[1:]}
        return Example(
            f"Which {asked} {has}, but {lacks}?",
            (f"the {asked} that {has}", f"the {asked} that {lacks}"),
            triples[:1],
            asks,
            parts=(part,),
        )
    if shape.kind in ("facts", "alternative"):
        question, segments = _facts(shape, names, kinds, relations)
        if shape.kind == "alternative":
            first, second = ({"unknowns": asks, "operator": "in", "triples": [t]} for t in triples)
            return Example(
                question, segments, (), asks, parts=(first, second | {"alternative": True})
            )
        return Example(question, segments, triples, asks)
    bare, date = _bare(relations[0]), kinds["v"] == "date"
    where: tuple[tuple[str, ...], ...] = ()
    order = None
    if shape.kind == "comparison":
        said = f"has {'an' if bare[0] in 'aeiou' else 'a'} {bare} "
        said += f"after {constant}" if date else f"of more than {constant}"
        where = ((elements["v"], ">", constant),)
    else:
        said = f"has the {'latest' if date else 'greatest'} {bare}"
        order = {"by": elements["v"], "descending": True, "limit": 1}
    segments = (f"the {asked} that {said}",)
    return Example(f"Which {asked} {said}?", segments, triples, asks, where, order)


def _facts(
    shape: Shape, names: Mapping[str, str], kinds: Mapping[str, str], relations: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """The question of a shape that asks for facts only, and its segments."""
    first = relations[0]
    asked = kinds.get("x") or "thing"
    if shape in (FORWARD, VALUE):
        said = _of(first, names["a"])
        return f"What is {said}?", (said,)
    if shape is TWO_HOPS:
        between = f"the {kinds.get('y') or 'thing'}"
        clause = f"{between} that {_predicate(first, names['a'])}"
        return f"What is {_of(relations[1], clause)}?", (clause, _of(relations[1], between))
    ends = [names[v] for v in shape.named]
    clauses = [_predicate(r, end) for r, end in zip(relations, ends, strict=True)]
    segments = tuple(f"the {asked} that {clause}" for clause in clauses)
    joined = (" or " if shape.kind == "alternative" else " and ").join(clauses)
    return f"Which {asked} {joined}?", segments


def _participle(relation: str) -> bool:
    return relation.split()[-1] in _PREPOSITIONS


def _bare(relation: str) -> str:
    first, _, rest = relation.partition(" ")
    return rest if rest and first in ("has", "have", "is", "was") else relation


def _of(relation: str, source: str) -> str:
    """What a relation leads to: "the capital of France", "Heat directed by"."""
    bare = _bare(relation)
    return f"{source} {bare}" if _participle(bare) else f"the {bare} of {source}"


def _predicate(relation: str, target: str) -> str:
    """What a relation says of its source: "is directed by Mann", "has the genre Crime"."""
    bare = _bare(relation)
    return f"is {bare} {target}" if _participle(bare) else f"has the {bare} {target}"


def _negated(relation: str, target: str) -> str:
    """The contrary: "is not directed by Mann", "does not have the genre Crime"."""
    bare = _bare(relation)
    return f"is not {bare} {target}" if _participle(bare) else f"does not have the {bare} {target}"
