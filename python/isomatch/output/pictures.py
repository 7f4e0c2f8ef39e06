"""A match as a picture: a Mermaid flowchart, or a digraph for Graphviz."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from isomatch.match.types import Match, Triple
from isomatch.pattern.types import Pattern
from isomatch.phrasing import bound_words, clean, relation_label

# Mermaid has no backslash escapes: characters with a meaning in it, or in the HTML that it
# writes, are written as its entity codes.
_ENTITIES = {'"': "#quot;", "#": "#35;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;"}


def mermaid(match: Match, pattern: Pattern) -> str:
    """A flowchart of the match's facts in their stored direction; answers stand out.

    Example:
        >>> from isomatch.match.types import Bound, Match, Triple
        >>> from isomatch.pattern import parse
        >>> heat, mann = Bound("urn:heat", "Heat"), Bound("urn:mann", 'Michael "M" Mann')
        >>> fact = Triple(heat, Bound("urn:by", "directed by"), mann)
        >>> print(mermaid(Match({"f": heat, "m": mann}, (fact,)),
        ...               parse('(?f)-[directed by]-(m "Michael Mann")')))
        flowchart LR
            n0(["Heat"]):::answer
            n1["Michael #quot;M#quot; Mann"]
            n0 -->|"directed by"| n1
            classDef answer stroke-width:3px
    """
    return flowchart(match.triples, {match.bindings[id].id for id in pattern.answers})


def flowchart(triples: Sequence[Triple], marked: Collection[str]) -> str:
    """A Mermaid flowchart of facts in their stored direction.

    Args:
        marked: ids of the nodes that stand out.
    """
    numbers: dict[str, int] = {}
    lines = ["flowchart LR"]
    for triple in triples:
        for node in (triple.source, triple.target):
            if node.id not in numbers:
                numbers[node.id] = len(numbers)
                label = _entities(node.name or node.id)
                shape = f"([{label}]):::answer" if node.id in marked else f"[{label}]"
                lines.append(f"    n{numbers[node.id]}{shape}")
    for triple in triples:
        source, target = numbers[triple.source.id], numbers[triple.target.id]
        lines.append(f"    n{source} -->|{_entities(relation_label(triple))}| n{target}")
    return "\n".join([*lines, "    classDef answer stroke-width:3px"])


def dot(match: Match, pattern: Pattern) -> str:
    """A digraph of the match's facts in their stored direction; answers stand out.

    Draw it with ``isomatch match PATTERN --dot | dot -Tsvg``.
    """
    return digraph(match.triples, {match.bindings[id].id for id in pattern.answers})


def digraph(triples: Sequence[Triple], marked: Collection[str]) -> str:
    """A digraph for Graphviz of facts in their stored direction; see `flowchart`."""
    nodes = {node.id: node for t in triples for node in (t.source, t.target)}
    lines = ["digraph match {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    for id, node in nodes.items():
        style = ", penwidth=3" if id in marked else ""
        lines.append(f"  {_escaped(id)} [label={_escaped(bound_words(node))}{style}];")
    for triple in triples:
        source, target = _escaped(triple.source.id), _escaped(triple.target.id)
        lines.append(f"  {source} -> {target} [label={_escaped(relation_label(triple))}];")
    return "\n".join([*lines, "}"])


def _entities(text: str) -> str:
    return '"' + "".join(_ENTITIES.get(c, c) for c in clean(text)) + '"'


def _escaped(text: str) -> str:
    # In quotes a backslash starts an escape (\n, \N, \G), so each one is doubled.
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
