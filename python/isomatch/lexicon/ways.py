"""Whether something goes the other way than a relation: what is "from" it, and what is "to" it."""

from __future__ import annotations

from collections.abc import Collection

from isomatch.lexicon.tables import Grammar


def says_other_way(ends: Collection[str], gap: Collection[str], grammar: Grammar) -> bool:
    """Whether words before a name say the opposite of what a relation ends with.

    Args:
        ends: the last words of a relation, and of verbs for it: "to", of a `destination`.
        gap: the words before the name.
    """
    own, said = {*ends}, {*gap}
    pairs = ((grammar.whence, grammar.whither), (grammar.whither, grammar.whence))
    return any(
        bool(one & own and other & said) and not (one & said or other & own) for one, other in pairs
    )
