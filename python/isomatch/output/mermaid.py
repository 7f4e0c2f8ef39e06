"""A match as a Mermaid flowchart, for Markdown pages."""

from __future__ import annotations

from isomatch.match.types import Match
from isomatch.pattern.types import Pattern
from isomatch.phrasing import clean, relation_label


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
    answers = {match.bindings[id].id for id in pattern.answers}
    numbers: dict[str, int] = {}
    lines = ["flowchart LR"]
    arrows = []
    for triple in match.triples:
        for node in (triple.source, triple.target):
            if node.id not in numbers:
                numbers[node.id] = len(numbers)
                label = _quoted(node.name or node.id)
                shape = f"([{label}]):::answer" if node.id in answers else f"[{label}]"
                lines.append(f"    n{numbers[node.id]}{shape}")
        relation = _quoted(relation_label(triple))
        source, target = numbers[triple.source.id], numbers[triple.target.id]
        arrows.append(f"    n{source} -->|{relation}| n{target}")
    return "\n".join([*lines, *arrows, "    classDef answer stroke-width:3px"])


def _quoted(text: str) -> str:
    # Mermaid has no backslash escapes: characters that mean something to it, or
    # to the HTML that it writes, go in as its entity codes.
    codes = {'"': "#quot;", "#": "#35;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;"}
    return '"' + "".join(codes.get(c, c) for c in clean(text)) + '"'
