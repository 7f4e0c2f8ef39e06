"""Tables for the terminal: a graph's schema, and a search explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from isomatch.phrasing import clean
from isomatch.schema.types import LITERAL, Relation, Schema

if TYPE_CHECKING:
    from rich.console import RenderableType

    from isomatch.link.find import Finding
    from isomatch.match.explain import Explanation

_SPELLINGS = {
    "same": "same",
    "one edit": "one letter off",
    "two edits": "two letters off",
    "other": "",
}


def schema_tables(schema: Schema, shown: int = 30) -> list[RenderableType]:
    """Relations and types, most frequent first, with what else there is to say.

    Of a property graph also what each is in the database (``:ACTED_IN`` is a
    relationship type, ``.released`` a property), what names the nodes of a label,
    the properties of relationships and the indexes.

    Args:
        schema: of the graph.
        shown: most rows of each table; the rest are counted.
    """
    from rich.text import Text

    stored = any(r.id.startswith((":", ".")) for r in schema.relations) or bool(schema.names)
    words = {":": "no label"} | {t.id: t.text for t in schema.types}
    columns = ["relation", "facts", "out", "in", "from", "to"]
    relations = [
        [
            clean(r.text),
            f"{r.triples:,}",
            f"{r.mean_out:.1f} / {r.max_out:,}",
            f"{r.mean_in:.1f} / {r.max_in:,}",
            _kinds(r.source_types, words),
            _targets(r, words) + " in lists" * r.listed,
        ]
        for r in schema.relations[:shown]
    ]
    types = [[clean(t.text), f"{t.nodes:,}"] for t in schema.types[:shown]]
    about_types = ["type", "count", *["subclasses"] * bool(schema.subclasses)]
    numbers = range(1, len(about_types))
    if schema.subclasses:
        for row, type in zip(types, schema.types, strict=False):
            row.append(f"{len(schema.subclasses.get(type.id, ())):,}")
    if stored:
        for row, relation in zip(relations, schema.relations, strict=False):
            edge = _kinds(schema.edge_properties.get(relation.id, {}), {})
            row += [clean(relation.id), edge]
        for row, type in zip(types, schema.types, strict=False):
            row.append(clean(schema.names[type.id]) if type.id in schema.names else "")
    values = sum(type.nodes for type in schema.types if type.id.startswith(LITERAL))
    head = f"{schema.triples:,} facts, {max(0, schema.nodes - values):,} nodes, {values:,} values"
    parts: list[RenderableType] = [
        Text(head),
        rich_table(columns + ["stored as", "with"] * stored, relations, (1, 2, 3)),
    ]
    if (left := len(schema.relations) - shown) > 0:
        parts.append(Text(f"… {left:,} more relations", style="dim"))
    if types:
        parts.append(rich_table(about_types + ["named by"] * stored, types, numbers))
    if (left := len(schema.types) - shown) > 0:
        parts.append(Text(f"… {left:,} more types", style="dim"))
    if schema.indexes:
        rows = [
            (clean(i.type), clean(", ".join(i.properties)), i.kind, clean(i.name))
            for i in schema.indexes[:shown]
        ]
        parts.append(rich_table(("index of", "properties", "kind", "name"), rows, ()))
    if (left := len(schema.indexes) - shown) > 0:
        parts.append(Text(f"… {left:,} more indexes", style="dim"))
    parts.append(Text("out, in: edges of one node, mean / most", style="dim"))
    parts.extend(Text(f"note: {clean(note, None)}", style="dim") for note in schema.notes)
    return parts


def rich_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]
) -> RenderableType:
    """A table without borders.

    Args:
        numbers: indexes of the columns that are aligned to the right.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i in numbers else "left")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def findings_table(findings: Sequence[Finding]) -> RenderableType:
    """What a text may mean, with distances and ids."""
    rows = [
        (f.kind, clean(f.name), f"{f.distance:.3f}", _SPELLINGS[f.spelling], clean(f.id, None))
        for f in findings
    ]
    return rich_table(("kind", "name", "distance", "spelling", "id"), rows, (2,))


def _targets(relation: Relation, names: Mapping[str, str]) -> str:
    texts = f" ({relation.texts}s)" if relation.texts in ("number", "date") else ""
    return _kinds({**relation.target_types, **relation.literal_kinds}, names) + texts


def _kinds(counts: Mapping[str, int], names: Mapping[str, str]) -> str:
    most = sorted(counts, key=lambda id: -counts[id])
    return ", ".join(clean(names.get(id, id)) for id in most[:3]) + (" …" if most[3:] else "")


def explanation_tables(explanation: Explanation) -> list[RenderableType]:
    """Strategy, estimates and the candidate lists in the order of the search."""
    from rich.text import Text

    head = (
        f"strategy: {explanation.strategy}\nwhy: {clean(explanation.why, None)}\n"
        f"interpretations in the lists: {explanation.interpretations:,}\n"
        f"estimated rows: {explanation.estimated_rows:,.0f}"
    )
    rows = []
    for found in explanation.lists:
        name, distance = found.nearest or (None, None)
        nearest = ("nothing", "") if name is None else (clean(name), f"{distance:.3f}")
        whole = "all there are" if found.whole else "more when needed"
        rows.append((found.part, clean(found.text), f"{found.entries:,}", *nearest, whole))
    columns = ("part", "words", "fetched", "nearest", "distance", "")
    parts: list[RenderableType] = [Text(head)]
    if rows:
        parts.append(rich_table(columns, rows, (2, 4)))
    parts.extend(Text(clean(note, None), style="yellow") for note in explanation.notes)
    told = (
        (explanation.parts, "part {}, searched before:"),
        (explanation.optional, "optional part {}, read after:"),
    )
    for explanations, head in told:
        for number, inner in enumerate(explanations, 1):
            parts += [Text(head.format(number), style="bold"), *explanation_tables(inner)]
    return parts
