"""A match in Graphviz's DOT language."""

from __future__ import annotations

from isomatch.match.types import Match
from isomatch.pattern.types import Pattern
from isomatch.phrasing import bound_words, relation_label


def dot(match: Match, pattern: Pattern) -> str:
    """A digraph of the match's facts in their stored direction; answers stand out.

    Draw it with ``isomatch match PATTERN --dot | dot -Tsvg``.
    """
    answers = {match.bindings[id].id for id in pattern.answers}
    nodes: dict[str, str] = {}
    arrows = []
    for triple in match.triples:
        for node in (triple.source, triple.target):
            style = ", penwidth=3" if node.id in answers else ""
            nodes.setdefault(
                node.id,
                f"  {_quoted(node.id)} [label={_quoted(bound_words(node))}{style}];",
            )
        label = _quoted(relation_label(triple))
        source, target = _quoted(triple.source.id), _quoted(triple.target.id)
        arrows.append(f"  {source} -> {target} [label={label}];")
    head = ["digraph match {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    return "\n".join([*head, *nodes.values(), *arrows, "}"])


def _quoted(text: str) -> str:
    # Inside quotes a backslash starts an escape (\n, \N, \G), so each is doubled.
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
