"""Whether the words of a question say the relations of a program in the order of its nesting.

"Friends of relatives" and "relatives of friends" have the same words. A decoder that has seen
one of them only takes the other for it now and then. In English the outer relation mostly comes
first: in 94 of 100 nested pairs of ZOGRASCOPE's questions. So of programs with the same tokens,
those that nest them as the words come are rather meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from isomatch.interpret.programs.tree import Tree, parse
from isomatch.trained.alignment import ENOUGH, Alignment, Program


def turned(
    words: Sequence[str],
    programs: Sequence[Program],
    said: Alignment,
    seen: Callable[[str], str],
) -> list[int]:
    """For each program, how many pairs of nested relations come in the other order.

    Less those of the program of the same tokens that has the fewest.

    Args:
        words: of the question, in their order.
        said: which words say which tokens.
        seen: gives a word as it was learnt.
    """
    learnt = list(map(seen, words))
    counts = [_inversions(learnt, program, said) for program in programs]
    tokens = [tuple(sorted(map(_bare, program))) for program in programs]
    fewest: dict[tuple[str, ...], int] = {}
    for key, count in zip(tokens, counts, strict=True):
        fewest[key] = min(count, fewest.get(key, count))
    return [count - fewest[key] for key, count in zip(tokens, counts, strict=True)]


def _inversions(words: Sequence[str], program: Program, said: Alignment) -> int:
    count = 0
    for outer, inner in _nested(parse(program)):
        before, after = (
            {
                place
                for place, word in enumerate(words)
                if said.shares.get(word, {}).get(relation, 0.0) >= ENOUGH
                and said.speaks_for(word, relation)
            }
            for relation in (outer, inner)
        )
        if before and after and before.isdisjoint(after):
            count += min(before) > max(after)
    return count


def _nested(tree: Tree) -> Iterator[tuple[str, str]]:
    """The pairs of relations of which the second is directly inside the first."""
    for one in tree.all():
        outer = _relation(one)
        if outer:
            for inner in (inner for part in one.sets for inner in _first(part)):
                if inner != outer:
                    yield outer, inner


def _first(tree: Tree) -> Iterator[str]:
    """The outermost relations of a set."""
    if tree.symbol in ("and", "not"):
        for one in tree.sets:
            yield from _first(one)
    elif tree.symbol[0] in "+-~":
        yield tree.symbol[1:]


def _relation(tree: Tree) -> str:
    step = tree.step or tree.symbol
    return step[1:] if step[0] in "+-~" else ""


def _bare(token: str) -> str:
    return token[1:] if token[0] in "+-~" else token
