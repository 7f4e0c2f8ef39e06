"""Results for people: small trees and tables in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from isomatch.match.model import Choice, Interpretation, Match, MatchResult
from isomatch.pattern.model import Pattern
from isomatch.render.words import answer_words, certificate_words, clean, triple_words

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree

SHOWN = 10
SAME = 1e-4  # distances below are rounding of the embedder, not difference


def result_trees(result: MatchResult, shown: int = SHOWN) -> list[RenderableType]:
    """One tree for each interpretation, then the certificate in words.

    Args:
        result: of a search.
        shown: most matches listed for one interpretation; the rest are counted.
    """
    from rich.text import Text

    parts: list[RenderableType] = [
        interpretation_tree(result.pattern, i, shown) for i in result.interpretations
    ]
    if not result:
        parts.append(Text("no match", style="bold yellow"))
    parts.append(Text(certificate_words(result.certificate, bool(result)), style="dim"))
    parts.extend(Text(f"note: {note}", style="dim") for note in result.certificate.notes)
    return parts


def interpretation_tree(
    pattern: Pattern, interpretation: Interpretation, shown: int = SHOWN
) -> Tree:
    """Rank, distance and how the words were read, with the matches below."""
    from rich.text import Text
    from rich.tree import Tree

    matches = interpretation.matches
    count = f"{len(matches)}{' or more' if interpretation.cut else ''}"
    noun = "match" if len(matches) == 1 and not interpretation.cut else "matches"
    head = Text.assemble(
        (f"{interpretation.rank}", "bold"),
        f"  distance {interpretation.gsd:.3f}, {count} {noun}",
    )
    if read := reading_words(interpretation.choices):
        head.append(f"\n{read}", style="cyan")
    tree = Tree(head, guide_style="dim")
    for match in matches[:shown]:
        _add_match(tree, pattern, match)
    if len(matches) > shown:
        tree.add(Text(f"… {len(matches) - shown} more; --show N lists more", style="dim"))
    return tree


def reading_words(choices: Sequence[Choice]) -> str:
    """How the pattern's words were read, where a word was not found as written."""
    return "; ".join(
        f'"{clean(c.text, 40)}" read as the {c.part} {clean(c.name, 60)} ({c.distance:.3f})'
        for c in choices
        if c.distance > SAME
    )


def _add_match(tree: Tree, pattern: Pattern, match: Match) -> None:
    from rich.text import Text

    if len(match.triples) == 1:
        tree.add(Text(triple_words(match.triples[0])))
        return
    branch = tree.add(Text(answer_words(pattern, match), style="bold")) if pattern.answers else tree
    for triple in match.triples:
        branch.add(Text(triple_words(triple)))
