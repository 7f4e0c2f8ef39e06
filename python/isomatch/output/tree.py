"""Results for people: small trees, tables and pictures (Mermaid, Graphviz)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from isomatch.answer.types import Answer
from isomatch.match.types import Interpretation, Match, MatchResult, Profile, Triple, count_of
from isomatch.output.rows import MOST_COMBINED, is_combined_in_part
from isomatch.output.words import (
    answer_proof_words,
    answer_words,
    coverage_words,
    group_words,
    nothing_words,
    optional_words,
    proof_words,
    selection_words,
)
from isomatch.pattern import format_text
from isomatch.pattern.clauses import part_words
from isomatch.pattern.types import Pattern
from isomatch.phrasing import (
    bound_words,
    choices_words,
    clean,
    printable,
    relation_label,
    triple_words,
)

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


SHOWN = 10
FEW = 3  # matches of a part


def result_trees(
    result: MatchResult, shown: int = SHOWN, *, ids: bool = False
) -> list[RenderableType]:
    """One tree for each interpretation, then the certificate in words.

    Args:
        result: of a search.
        shown: most matches listed for one interpretation; the rest are counted.
        ids: whether nodes are shown with their ids.
    """
    parts: list[RenderableType] = []
    if result.holds:
        parts.append(Text("yes", style="bold"))
    if not result.found:
        near = any(i.near for i in result.interpretations)
        far = "; the nearest interpretations are far:" if result and not near else ""
        parts.append(Text(nothing_words(result) + far, style="bold yellow"))
    parts += [
        interpretation_tree(result.pattern, i, shown, ids=ids) for i in result.interpretations
    ]
    return [*parts, *part_trees(result, ids=ids), *certificate_parts(result)]


def part_trees(result: MatchResult, shown: int = FEW, *, ids: bool = False) -> list[Tree]:
    """How the parts of the pattern were read, with some of what they gave."""
    trees = []
    for part, found in zip(result.pattern.parts, result.parts, strict=False):
        before = "or " if part.alternative else ""
        head = clean(f"{before}{part_words(part)} {{ {format_text(part.pattern)} }}", None)
        tree = Tree(Text(head, style="bold"), guide_style="dim")
        for interpretation in found.interpretations:
            tree.add(interpretation_tree(found.pattern, interpretation, shown, ids=ids))
        if not found.interpretations:
            tree.add(Text(nothing_words(found), style="yellow"))
        for inner in part_trees(found, shown, ids=ids):
            tree.add(inner)
        trees.append(tree)
    for optional, found in zip(result.pattern.optional, result.optional, strict=False):
        head = clean(f"optional {{ {format_text(optional)} }}", None)
        tree = Tree(Text(head, style="bold"), guide_style="dim")
        for interpretation in found.interpretations:
            words = choices_words(interpretation.choices) or "read as it is written"
            read = tree.add(Text(words, style="cyan"))
            if not interpretation.near:
                read.add(Text("too far to be meant", style="yellow"))
        trees.append(tree)
    return trees


def certificate_parts(result: MatchResult) -> list[RenderableType]:
    """The proof in words, and the notes."""
    notes = (f"note: {clean(note, None)}" for note in result.certificate.notes)
    return [Text(proof_words(result), style="dim"), *(Text(note, style="dim") for note in notes)]


def rows_remarks(result: MatchResult) -> list[RenderableType]:
    """What rows of the near matches do not say: what is left out, and the proof."""
    far = sum(not i.near for i in result.interpretations)
    parts: list[RenderableType] = []
    if not result.found:
        parts.append(Text(nothing_words(result), style="bold yellow"))
    if far:
        what = "interpretations that are" if far > 1 else "interpretation that is"
        words = f"left out: {far} {what} too far to be meant (see --json)"
        parts.append(Text(words, style="yellow"))
    if cut := [str(i.rank) for i in result.interpretations if i.near and i.cut]:
        words = f"there may be more matches (--limit) at rank {', '.join(cut)}"
        parts.append(Text(words, style="yellow"))
    if any(is_combined_in_part(match) for _, match in result.matches):
        words = f"of one match at most {MOST_COMBINED:,} rows are given; --json has all values"
        parts.append(Text(words, style="yellow"))
    return [*parts, *certificate_parts(result)]


def interpretation_tree(
    pattern: Pattern, interpretation: Interpretation, shown: int = SHOWN, *, ids: bool = False
) -> Tree:
    """Rank, distance and what the words were taken for, with the matches below."""
    matches = _different(pattern, interpretation.matches)
    count = f"{len(matches)}{' or more' if interpretation.cut else ''}"
    noun = "match" if len(matches) == 1 and not interpretation.cut else "matches"
    head = Text.assemble(
        (f"{interpretation.rank}", "bold"),
        f"  distance {interpretation.gsd:.3f}, {count} {noun}",
    )
    if pattern.count is not None:
        head.append(f", count(?{pattern.count}) = {count_of(pattern.count, interpretation)}")
    if (given := pattern.aggregate) is not None and interpretation.value is not None:
        head.append(f", {given.function}(?{given.node}) = {bound_words(interpretation.value)}")
    if read := choices_words(interpretation.choices):
        head.append(f"\n{read}", style="cyan")
    if not interpretation.near:
        head.append("\ntoo far to be meant", style="yellow")
    tree = Tree(head, guide_style="dim")
    for group in interpretation.groups[:shown]:
        tree.add(Text(group_words(pattern, group, ids), style="bold"))
    for match in matches[:shown]:
        _add_match(tree, pattern, match, ids)
    if len(matches) > shown:
        tree.add(Text(f"… {len(matches) - shown} more; --show N lists more", style="dim"))
    return tree


def answer_parts(
    answer: Answer, shown: int = SHOWN, *, with_text: bool = True, ids: bool = False
) -> list[RenderableType]:
    """The answer, the facts it cites, the pattern, and the proof."""
    parts: list[RenderableType] = []
    result = answer.result
    if result is not None and result.certificate.ended_by and not result.found:
        parts.append(Text(nothing_words(result), style="bold yellow"))
    elif with_text:
        parts.append(Text(printable(answer.text), style="bold"))
    listed = [e for e in answer.evidence if e.number in answer.cited]
    if not answer.supported and answer.source == "graph":  # triples are shown uncited
        listed = [e for e in answer.evidence if answer.retriever == "triples"]
    parts.extend(Text(f"  [{e.number}] {triple_words(e.triple, ids)}") for e in listed[:shown])
    if len(listed) > shown:
        parts.append(Text(f"  … {len(listed) - shown} more; --show N lists more", style="dim"))
    if result is not None and not answer.is_not_read:
        best = next(iter(result.interpretations), None)
        near = "" if best is None else f", distance {best.gsd:.3f}"
        pattern = clean(format_text(result.pattern), None)
        parts.append(Text(f"read as {pattern}{near}", style="cyan"))
        coverage = answer.hypothesis.coverage if answer.hypothesis else None
        if words := coverage_words(coverage):
            parts.append(Text(words, style="cyan"))
        parts += part_trees(result, ids=ids)
        parts.append(Text(answer_proof_words(answer), style="dim"))
    if answer.selection is not None:
        parts.append(Text(selection_words(answer.selection), style="dim"))
    notes = (*answer.notes, *(result.certificate.notes if result is not None else ()))
    parts.extend(Text(f"note: {clean(n, None)}", style="dim") for n in dict.fromkeys(notes))
    return parts


def _different(pattern: Pattern, matches: Sequence[Match]) -> list[Match]:
    """Matches without those that are the same facts and answers, with their nodes swapped."""
    found: dict[object, Match] = {}
    for match in matches:
        answers = frozenset(match.bindings[id].id for id in pattern.answers)
        answers |= frozenset(optional_words(pattern, match))
        found.setdefault((frozenset(match.triples), answers), match)
    return list(found.values())


def _add_match(tree: Tree, pattern: Pattern, match: Match, ids: bool) -> None:
    columns = [Text(words, style="bold") for words in optional_words(pattern, match, ids)]
    if len(match.triples) == 1:
        branch = tree.add(Text(triple_words(match.triples[0], ids)))
        for column in columns:
            branch.add(column)
        return
    answer = answer_words(pattern, match, ids)
    branch = tree.add(Text(answer, style="bold")) if pattern.answers else tree
    for triple in match.triples:
        branch.add(Text(triple_words(triple, ids)))
    for column in columns:
        branch.add(column)


def profile_line(profile: Profile) -> Text:
    """Strategy, counts and the milliseconds of each stage."""
    times = ", ".join(f"{station} {ms:.1f}" for station, ms in profile.stages.items())
    return Text(
        f"{profile.strategy}: {profile.examined} interpretations examined, "
        f"{profile.rounds} rounds, {profile.rows} rows, {profile.vectors_read} vectors read; "
        f"milliseconds: {times}",
        style="dim",
    )
