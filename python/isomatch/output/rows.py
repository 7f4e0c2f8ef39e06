"""Results as rows: a table for the terminal, CSV, TSV, and SPARQL's JSON.

CSV and TSV follow the SPARQL 1.1 Query Results CSV and TSV Formats, JSON the SPARQL 1.1
Query Results JSON Format.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import islice, product, zip_longest
from math import prod
from typing import TYPE_CHECKING

from isomatch.match.types import Bound, count_of, nearest
from isomatch.options import Format
from isomatch.output.tables import rich_table
from isomatch.pattern.columns import LABEL, column_names
from isomatch.phrasing import bound_words, identified_words
from isomatch.store.terms import (
    XSD,
    element_iri,
    is_blank,
    is_iri,
    is_literal,
    literal,
    split_literal,
    to_sparql,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

    from isomatch.answer.types import Answer
    from isomatch.link.find import Finding
    from isomatch.match.types import Count, Interpretation, Match, MatchResult
    from isomatch.pattern.types import Pattern


MOST_COMBINED = 1000  # rows of one match, where several optional parts have several values each

_NOTHING = Bound("", "")  # of a cell that is empty


@dataclass(frozen=True, slots=True)
class Rows:
    """Graph elements and values in named columns.

    Attributes:
        columns: names, all different.
        rows: an element for each column, without an id where there is none.
        labels: for the first columns, which hold graph elements, the names of the columns
            that their names are in, where these are apart from the ids.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Bound, ...], ...]
    labels: tuple[str, ...] = ()


def result_rows(result: MatchResult) -> Rows:
    """The matches of the near interpretations, best first.

    Columns: what the pattern asks for, which without ``return`` is all unknown nodes and
    unknown relations; then ``rank`` and ``gsd`` of the interpretation. A pattern that counts
    has a row for each interpretation: ``count``, and whether it is ``atLeast`` so many; one that
    adds or the like, a row with the value, and one that does so for each answer, a row for each
    answer with its values. One that asks if there is a match has one column,
    ``holds``, and a row with true or false, or none where that is not known. Nodes of optional
    parts are columns too, empty where a part has nothing; a match has a row for each of several
    values, and for each choice of those of several parts.
    """
    if result.pattern.ask:
        return _holds(result.pattern, result.holds)
    near = [i for i in result.interpretations if i.near]
    if (counted := result.pattern.count) is not None:
        names = column_names(result.pattern, "count", "atLeast", "rank", "gsd")
        rows = ((count_of(counted, i), i.gsd) for i in near)
        columns = tuple(names[key] for key in ("count", "atLeast", "rank", "gsd"))
        return Rows(columns, tuple(_counted(count, gsd) for count, gsd in rows))
    if (given := result.pattern.aggregate) is not None:
        names = column_names(result.pattern, given.function, "rank", "gsd")
        found = ((i.value, _number(i.rank), _number(i.gsd)) for i in near)
        columns = tuple(names[key] for key in (given.function, "rank", "gsd"))
        return Rows(columns, tuple((v, *rest) for v, *rest in found if v is not None))
    return _each(result, near) if result.pattern.each else _matches(result, near)


def answer_rows(answer: Answer) -> Rows:
    """What an answer was read from, each row once; a column ``answer`` where it was not.

    Of evidence by prizes and costs, the facts: ``source``, ``relation``, ``target`` and the
    ``number`` that they are cited by.
    """
    if answer.selection is not None:
        facts = (
            (e.triple.source, e.triple.relation, e.triple.target, _number(e.number))
            for e in answer.evidence
        )
        ends = ("source", "relation", "target")
        return Rows((*ends, "number"), tuple(facts), tuple(f"{end}Label" for end in ends))
    asked = {node.id for node in answer.answers}
    if answer.pattern is not None and answer.pattern.ask:
        return _holds(answer.pattern, answer.holds)
    if (result := answer.result) is not None:
        near = [i for i in result.interpretations if i.near and answer.supported]
        best = nearest(near)
        rows = _each(result, best) if result.pattern.each else _matches(result, best, asked)
        if asked <= {b.id for row in rows.rows for b in row[: len(rows.labels)]}:
            return replace(rows, rows=tuple(dict.fromkeys(rows.rows)))
    return Rows(("answer",), tuple((node,) for node in answer.answers), ("answerLabel",))


def findings_rows(findings: Sequence[Finding]) -> Rows:
    """What a text may mean, likeliest first."""
    rows = (
        (Bound(f.id, f.name), _text(f.kind), _number(f.distance), _text(f.spelling))
        for f in findings
    )
    return Rows(("element", "kind", "distance", "spelling"), tuple(rows), ("elementLabel",))


def _holds(pattern: Pattern, holds: bool | None) -> Rows:
    columns = (column_names(pattern, "holds")["holds"],)
    return Rows(columns, () if holds is None else ((_boolean(holds),),))


def _counted(count: Count, gsd: float) -> tuple[Bound, ...]:
    return (_number(count.value), _boolean(count.at_least), _number(count.rank), _number(gsd))


def _each(result: MatchResult, interpretations: Sequence[Interpretation]) -> Rows:
    """What is worked out for each answer; empty cells where that is nothing."""
    pattern = result.pattern
    worked = [f"{one.function}_{one.node}" for one in pattern.each]
    names = column_names(pattern, *worked, "rank", "gsd")
    numbers = {node.id: n for n, node in enumerate(pattern.nodes)}
    keys = [f"n{numbers[id]}" for id in pattern.answers]
    rows = [
        (*g.answer, *(v or _NOTHING for v in g.values), _number(i.rank), _number(i.gsd))
        for i in interpretations
        for g in i.groups
    ]
    columns = tuple(names[key] for key in (*keys, *worked, "rank", "gsd"))
    return Rows(columns, tuple(rows), tuple(names[key + LABEL] for key in keys))


def _matches(
    result: MatchResult,
    interpretations: Sequence[Interpretation],
    among: Collection[str] | None = None,
) -> Rows:
    """Their matches; only those whose asked-for nodes are ``among`` these ids."""
    pattern, names = result.pattern, column_names(result.pattern, "rank", "gsd")
    unknown = [e for e, edge in enumerate(pattern.edges) if edge.relation is None]
    edges = [] if pattern.returns else unknown
    own = [id for part in pattern.optional for id in pattern.columns_of(part)]
    key_of = {id: f"o{o}" for o, id in enumerate(own)}
    key_of |= {node.id: f"n{n}" for n, node in enumerate(pattern.nodes)}
    keys = [*(key_of[id] for id in pattern.columns), *(f"e{e}" for e in edges)]

    def rows_of(i: Interpretation, match: Match) -> Iterator[tuple[Bound, ...]]:
        relations = [match.triples[e].relation for e in edges]
        for bindings in combined(match):
            nodes = (bindings.get(id, _NOTHING) for id in pattern.columns)
            yield (*nodes, *relations, _number(i.rank), _number(i.gsd))

    rows = [
        row
        for i in interpretations
        for match in i.matches
        if among is None or all(match.bindings[id].id in among for id in pattern.answers)
        for row in rows_of(i, match)
    ]
    columns = [names[key] for key in (*keys, "rank", "gsd")]
    return Rows(tuple(columns), tuple(rows), tuple(names[key + LABEL] for key in keys))


def combined(match: Match) -> Iterator[Mapping[str, Bound]]:
    """The bindings of a match with those of optional parts: one for each choice of their rows.

    A part without a row leaves its nodes out. At most `MOST_COMBINED`.
    """
    some = [values.rows or ({},) for values in match.optional]
    for rows in islice(product(*some), MOST_COMBINED):
        found = dict(match.bindings)
        for row in rows:
            found |= row
        yield found


def is_combined_in_part(match: Match) -> bool:
    """Whether a match has more rows than `combined` gives."""
    return prod(len(values.rows) or 1 for values in match.optional) > MOST_COMBINED


def rows_table(rows: Rows, shown: int, *, ids: bool = False) -> list[RenderableType]:
    """A table with names, and with ids where these are asked for; a line counts the rest."""
    from rich.text import Text

    words = identified_words if ids else bound_words
    numbers = [i for i, name in enumerate(rows.columns) if name.startswith(("rank", "gsd"))]
    cells = [[words(cell) for cell in row] for row in rows.rows[:shown]]
    parts: list[RenderableType] = [rich_table(rows.columns, cells, numbers)]
    if (left := len(rows.rows) - shown) > 0:
        parts.append(Text(f"… {left} more; --show N lists more", style="dim"))
    return parts


def written(rows: Rows, form: Format) -> str:
    """All rows as CSV, TSV or SPARQL's JSON.

    What is no term of RDF, as a node of Neo4j, is its id (the ``elementId``) in CSV, and
    elsewhere an IRI that ends in the id (`isomatch.store.terms.element_iri`).
    """
    header = list(_spread(rows.columns, rows.labels))
    table = [
        list(_spread([b.id for b in row], [_label(b) for b in row[: len(rows.labels)]]))
        for row in rows.rows
    ]
    if form is Format.sparql_json:
        bindings = [
            {name: _json_term(id) for name, id in zip(header, row, strict=True) if id}
            for row in table
        ]
        result = {"head": {"vars": header}, "results": {"bindings": bindings}}
        return json.dumps(result, ensure_ascii=False, indent=2) + "\n"
    if form is Format.tsv:
        lines = [[f"?{name}" for name in header], *([_tsv_term(id) for id in row] for row in table)]
        return "".join("\t".join(line) + "\n" for line in lines)
    text = StringIO()
    lines = [header, *([split_literal(i)[0] if is_literal(i) else i for i in row] for row in table)]
    csv.writer(text).writerows(lines)  # lines end in CR LF, as the format says
    return text.getvalue()


def _spread(cells: Sequence[str], labels: Sequence[str]) -> Iterator[str]:
    """The cells, the first ones with their labels after them."""
    for cell, label in zip_longest(cells, labels):
        yield cell
        if label is not None:
            yield label


def _json_term(id: str) -> dict[str, str]:
    if is_blank(id):
        return {"type": "bnode", "value": id[2:]}
    if not is_literal(id):
        return {"type": "uri", "value": _iri(id)}
    value, datatype, language = split_literal(id)
    if language:
        return {"type": "literal", "value": value, "xml:lang": language}
    typed = {} if datatype == f"{XSD}string" else {"datatype": datatype}
    return {"type": "literal", "value": value, **typed}


def _tsv_term(id: str) -> str:
    if is_blank(id) or not id:
        return id
    return to_sparql(id) if is_literal(id) else f"<{_iri(id)}>"


def _iri(id: str) -> str:
    # An elementId has colons and begins with a digit, a relationship type with a colon.
    return id if is_iri(id) and id[0].isalpha() else element_iri(id)


def _label(bound: Bound) -> str:
    return literal(bound.name) if bound.id else ""


def _text(text: str) -> Bound:
    return Bound(literal(text), text)


def _boolean(value: bool) -> Bound:
    text = "true" if value else "false"
    return Bound(literal(text, datatype=f"{XSD}boolean"), text)


def _number(number: float) -> Bound:
    if isinstance(number, int):
        return Bound(literal(str(number), datatype=f"{XSD}integer"), str(number))
    return Bound(literal(repr(float(number)), datatype=f"{XSD}double"), f"{number:.3f}")
