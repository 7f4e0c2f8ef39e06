"""What orders and parts of patterns must give, by their definitions and without any search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from isomatch.match.conditions import compare, period
from isomatch.pattern.types import Condition, Each, Edge, Node, Order, Part, Pattern
from isomatch.session import Session
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL, XSD, literal, split_literal

BASE = "http://e/"
NAMES = ("Ann Lee", "Bob Ray", "Cid Moe")
Row = tuple[str | None, ...]


@dataclass(frozen=True)
class Films:
    """Films of a year by people, of whom several may have one name.

    Attributes:
        names: of people, by id.
        facts: (film, person, year) in full; a film may have several of either.
    """

    names: dict[str, str]
    facts: tuple[tuple[str, str, int], ...]

    def turtle(self) -> str:
        """The graph."""
        lines = []
        for person, name in self.names.items():
            lines.append(f'<{person}> <{RDFS_LABEL}> "{name}" ; <{RDF_TYPE}> <{BASE}Person> ;')
            lines.append(f"  <{BASE}lives> <{BASE}town> .")  # what has no relation is not indexed
        for film, person, year in self.facts:
            lines.append(f"<{film}> <{BASE}by> <{person}> ; <{BASE}year> {year} .")
            lines.append(f'<{film}> <{RDFS_LABEL}> "{film[-2:]}" ; <{RDF_TYPE}> <{BASE}Film> .')
        return "\n".join(lines)

    def years(self, film: str) -> set[int]:
        """Of a film."""
        return {year for one, _, year in self.facts if one == film}

    def people(self, film: str) -> set[str]:
        """Who made a film."""
        return {person for one, person, _ in self.facts if one == film}

    def films_of(self, people: Iterable[str]) -> set[str]:
        """By any of these."""
        return {film for film, person, _ in self.facts if person in set(people)}

    def called(self, name: str) -> list[str]:
        """Everyone of a name."""
        return [person for person, one in self.names.items() if one == name]


_films = st.sampled_from([f"{BASE}f{i}" for i in range(6)])
_people = [f"{BASE}p{i}" for i in range(4)]


SOME = Films(
    dict(zip(_people, ("Ann Lee", "Ann Lee", "Bob Ray", "Cid Moe"), strict=True)),
    (
        (f"{BASE}f0", _people[0], 1990),
        (f"{BASE}f1", _people[1], 1992),
        (f"{BASE}f1", _people[2], 1992),
        (f"{BASE}f2", _people[2], 1991),
        (f"{BASE}f3", _people[2], 1993),
    ),
)
"""Two people of one name, and one without films."""


@st.composite
def films(draw: st.DrawFn) -> Films:
    """Up to six films by up to four people of three names."""
    fact = st.tuples(_films, st.sampled_from(_people), st.integers(1990, 1993))
    facts = draw(st.lists(fact, min_size=1, max_size=10, unique=True))
    return Films({p: draw(st.sampled_from(NAMES)) for p in _people}, tuple(facts))


_values = st.one_of(
    st.integers(-3, 3).map(lambda n: literal(str(n), datatype=XSD + "integer")),
    st.sampled_from(("1.0", "2.50", "-3", "NaN", "INF")).map(
        lambda n: literal(n, datatype=XSD + "double")
    ),
    st.sampled_from(("2001", "2002")).map(lambda y: literal(y, datatype=XSD + "gYear")),
    st.sampled_from(("2001-05-01", "2001-05-02", "2002-12-31")).map(
        lambda d: literal(d, datatype=XSD + "date")
    ),
    st.sampled_from(("b", "a", "Ä", "B", "7", "2001", "true")).map(literal),
    st.sampled_from((f"{BASE}a", f"{BASE}b", '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>')),
)
values = st.lists(st.tuples(_values, _values, _values), max_size=12, unique=True)
"""Rows of three columns with values of every kind, which often tie."""

TRIPLE = Pattern((Node("a"), Node("b"), Node("c")), (Edge("a", "x", "b"), Edge("b", "y", "c")))


def key_of(kind: str, id: str) -> object:
    """What a value is ordered by among those of a kind; None where it is none of them."""
    if not id.startswith('"'):
        return None
    text, datatype, _ = split_literal(id)
    numbers = (XSD + "integer", XSD + "double")
    if kind == "number":
        plain = datatype in numbers or (datatype == XSD + "string" and text.isdigit())
        return float(text) if plain and text not in ("NaN", "INF") else None
    if kind == "date":
        year = datatype == XSD + "string" and len(text) == 4 and text.isdigit()
        found = period(text) if year or datatype in (XSD + "gYear", XSD + "date") else None
        return found and (found.start, found.end)
    return text.casefold().replace("ä", "a") if datatype == XSD + "string" else None


def kind_of(ids: Sequence[str]) -> str:
    """The kind that most have; a text that is a number or a date as a whole is that."""
    counts = dict.fromkeys(("number", "date", "text"), 0)
    for id in ids:
        kinds = [kind for kind in ("number", "date") if key_of(kind, id) is not None]
        for kind in kinds or ["text"] * (key_of("text", id) is not None):
            counts[kind] += 1
    return max(counts, key=lambda kind: counts[kind])


@dataclass(frozen=True)
class Worked:
    """What a function gives of values: what it is compared by, and the id of a min or max."""

    key: Any
    id: str = ""


def worked_out(function: str, column: Sequence[str]) -> Worked | None:
    """What a function gives of values, one of each row; None where it gives nothing."""
    if function == "count":
        return Worked(len(set(column)))
    if function in ("sum", "avg"):
        keys = [key_of("number", one) for one in column]
        numbers = [Fraction(key) for key in keys if isinstance(key, float)]
        total = sum(numbers) / (len(numbers) or 1 if function == "avg" else 1)
        return Worked(total) if numbers else None
    kind = kind_of(column)
    found = [(key, one) for one in column if (key := key_of(kind, one)) is not None]
    best = (max if function == "max" else min)((key for key, _ in found), default=None)  # type: ignore[type-var]
    return Worked(best, min(one for key, one in found if key == best)) if found else None


def best_answers(order: Order, answers: Sequence[int], rows: Sequence[Row]) -> set[Row]:
    """The answers that an order keeps: each that fewer than its limit are before.

    Of those that have not one of the first values, as many as the offset says.
    """
    at = "abc".index(order.node)
    kind = kind_of([row[at] or "" for row in rows])
    keys: dict[Row, list[object]] = {}
    if order.function:
        of = {tuple(row[i] for i in answers): [] for row in rows}
        for row in rows:
            of[tuple(row[i] for i in answers)].append(row[at] or "")
        worked = {
            a: value for a, column in of.items() if (value := worked_out(order.function, column))
        }
        if order.function in ("min", "max"):  # a value of the graph, ordered as any other is
            kind = kind_of([value.id for a, value in worked.items() for _ in of[a]])
            ordered = {a: key_of(kind, value.id) for a, value in worked.items()}
        else:
            ordered = {a: value.key for a, value in worked.items()}
        keys = {a: [key] for a, key in ordered.items() if key is not None}
    for row in () if order.function else rows:
        answer = tuple(row[i] for i in answers)
        if (key := key_of(kind, row[at] or "")) is not None:
            keys.setdefault(answer, []).append(key)
    best = {a: (max if order.descending else min)(found) for a, found in keys.items()}  # type: ignore[type-var]
    alone = tuple(answers) == (at,) and not order.function
    ranked = sorted(set(best.values()), reverse=order.descending)  # type: ignore[type-var]
    best = {a: key for a, key in best.items() if key not in ranked[: order.offset]}

    def before(key: object) -> int:
        ahead = [k for k in best.values() if (k > key if order.descending else k < key)]  # type: ignore[operator]
        return len(set(ahead)) if alone else len(ahead)

    return {a for a, key in best.items() if order.limit is None or before(key) < order.limit}


def satisfies(part: Part, answers: Sequence[Row], row: Row) -> bool:
    """Whether a row satisfies a part that gave these answers."""
    ids = [row["abc".index(id)] or "" for id in part.nodes]

    def same(a: str, b: str) -> bool | None:
        return True if a == b else compare("=", a, b)

    if "in" not in part.operator:
        compared = [compare(part.operator, ids[0], answer[0] or "") for answer in answers]
        return bool(answers) and all(compared)
    equal = [[same(a, b or "") for a, b in zip(ids, answer, strict=True)] for answer in answers]
    within = any(all(one) for one in equal)
    if part.operator == "in":
        return within
    return not within and all(None not in one for one in equal)


# -- the same on every store ---------------------------------------------------------


def by(name: str | None = None, **more: object) -> Pattern:
    """Films that someone made, with their years."""
    return Pattern(
        (Node("f"), Node("p", name), Node("y")),
        (Edge("f", "by", "p", directed=True), Edge("f", "year", "y", directed=True)),
        ("f",),
        **more,  # type: ignore[arg-type]
    )


def check_language(session: Session, graph: Films) -> None:
    """Orders and parts give the films that they must."""

    def found(pattern: Pattern) -> set[str]:
        result = session.match(pattern, k=1)
        assert result.certificate.exact
        return {i.id for i in result.answers() if result.found}

    films = {film for film, _, _ in graph.facts}
    greatest = max(year for _, _, year in graph.facts)
    assert found(by(order=Order("y", True, 1))) == {
        film for film in films if greatest in graph.years(film)
    }
    most = max(len(graph.people(film)) for film in films)
    assert found(by(order=Order("p", True, 1, function="count"))) == {
        film for film in films if len(graph.people(film)) == most
    }
    each = Pattern(by().nodes, by().edges, ("p",), each=(Each("count", "f"), Each("min", "y")))
    groups = session.match(each, k=1).groups()
    assert {g.answer[0].id: [v and v.name for v in g.values] for g in groups} == {
        person: [str(len(own)), str(min(y for f, _, y in graph.facts if f in own))]
        for person in graph.names
        if (own := graph.films_of([person]))
    }
    for name in NAMES:
        called = graph.called(name)
        if not called:
            continue
        excluded = by(parts=(Part(("f",), "not in", by(name)),))
        assert found(excluded) == films - graph.films_of(called), name
        counted = by(order=None, parts=(Part(("f",), "not in", by(name)),))
        assert found(counted) == films - graph.films_of(called)
        made = [p for p in called if graph.films_of([p])]
        if len(made) == 1 and len(called) == 1:
            own = graph.films_of(made)
            latest = by(where=(Condition("y", ">=", (str(greatest),)),))
            either = (Part(("f",), "in", by(name)), Part(("f",), "in", latest, alternative=True))
            late = {film for film in films if greatest in graph.years(film)}
            assert found(by(parts=either)) == own | late
            beside = Part(("f",), "not in", by(name))
            assert found(by(parts=(*either, beside))) == late - own
            assert found(by(parts=(Part(("f",), "in", by(name)),))) == own
            first = min(year for film in own for year in graph.years(film))
            least = Pattern(by(name).nodes, by(name).edges, ("y",), order=Order("y", False, 1))
            before = {film for film in films if any(year < first for year in graph.years(film))}
            assert found(by(parts=(Part(("y",), "<", least),))) == before
            old = by(where=(Condition("y", "<", (str(first),)),))
            assert found(old) == before
