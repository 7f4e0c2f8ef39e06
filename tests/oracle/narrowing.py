"""That a database leaves out nothing that a condition keeps: values and constants of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

from isomatch.match import state
from isomatch.pattern import Condition, Edge, Node, Pattern
from isomatch.pattern.types import OPERATORS, Operator
from isomatch.session import Session
from isomatch.store.terms import XSD, literal

CONSTANTS = (
    *("7", "-3", "0", "0.1", "0.10000000000000001", "1e3", "1995", "1,995", "9007199254740993"),
    *("123456789012345678901234567890", "0.0000001", "1995-07", "1995-07-01", "1996-01-01"),
    *("1995-07-01T10:00:00Z", "1994-12-31T23:30:00-01:00", "-0044-03-15", "12345-01-01", "0001"),
    *("29/08/2017", "noir", "true", "soon"),
)
NUMBERS = (
    *(("7", "integer"), ("007", "integer"), ("-3", "integer"), ("1995", "integer"), ("5", "byte")),
    *(("9007199254740992", "integer"), ("9007199254740993", "integer"), ("1.0E3", "double")),
    *(("123456789012345678901234567890", "integer"), ("0.1", "decimal"), ("0.1", "double")),
    *(("0.1", "float"), ("16777217", "float"), ("1e-320", "double"), ("-0", "double")),
    *(("INF", "double"), ("-INF", "double"), ("NaN", "double"), ("INF", "float"), ("x", "integer")),
    *(("0.000000000000000000000000001", "decimal"), ("1e400", "double"), (" 7 ", "integer")),
)
DATES = (
    *(("1995", "gYear"), ("1995-07", "gYearMonth"), ("1995-07-01", "date"), ("-0044", "gYear")),
    *(("1995-12-31", "date"), ("1995-12-31-14:00", "date"), ("1996-01-01+14:00", "date")),
    *(("1995-12-31T23:30:00-01:00", "dateTime"), ("1995-07-01T10:00:00", "dateTime")),
    *(("-0044-03-15", "date"), ("12345-01-01", "date"), ("1995-02-30", "date"), ("x", "date")),
    *(("10:00:00", "time"), ("P1D", "duration"), ("true", "boolean"), ("x", "other")),
)
TEXTS = (
    *("7", "-3", "1995", "1,995", "0.1", "1995-07-01", "July 1, 1995", "29/08/2017", "noir"),
    *("Noir", "soon", "true", "NaN", "INF", "1e3", " 7"),
)
VALUES = (
    *(literal(form, datatype=XSD + kind) for form, kind in (*NUMBERS, *DATES)),
    *map(literal, TEXTS),
    literal("1995", language="en"),
)
TURTLE = "\n".join(
    f"<http://e/n{i}> <http://e/value> {value} ."
    for i, value in enumerate([*VALUES, "<http://e/n0>"])
)


def conditions() -> Iterator[Condition]:
    """Every comparison that may be one, with constants of every kind."""
    for constant in CONSTANTS:
        ordered = constant not in ("29/08/2017", "noir", "true", "soon")
        for operator in OPERATORS:
            if ordered or operator in ("=", "!=", "in", "contains", "starts with"):
                yield Condition("v", operator, values_of(operator, constant, "1995"))
    # With holes between them, of numbers, of years, and of both.
    for one in (
        ("-3", "7", "1995"),
        ("-0044-03-15", "1995", "12345"),
        ("0", "9007199254740993", "123456789012345678901234567890"),
        ("0.0000001", "0.1", "7"),
        ("1995-07-01", "2017-08-29"),
    ):
        yield Condition("v", "in", one)


def values_of(operator: Operator, *constants: str) -> tuple[str, ...]:
    """As many constants as an operator takes."""
    return constants[: 2 if operator in ("between", "in") else 1]


def judged(session: Session, *where: Condition, narrowed: bool) -> tuple[object, ...]:
    """What a pattern with conditions gives; from all rows, or from what a database leaves."""
    edge = Edge("x", "value", "v", directed=True)
    pattern = Pattern((Node("x"), Node("v")), (edge,), where=where)
    with patch.object(state, "GLANCE", 1 if narrowed else 10**9):
        result = session.match(pattern, k=1)
    (found,) = result.interpretations
    bound = {(m.bindings["x"].id, m.bindings["v"].id) for m in found.matches}
    # How many matches there are at all is not known where not all are read.
    notes = [note.partition(" (of ")[0] for note in result.certificate.notes]
    return bound, found.cut, result.certificate.exact, sorted(notes)


def check_narrowing(session: Session) -> None:
    """Nothing is lost, and nothing that could not be compared goes untold."""
    for condition in conditions():
        given = judged(session, condition, narrowed=False)
        assert judged(session, condition, narrowed=True) == given, condition
