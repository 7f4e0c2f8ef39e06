"""What "where" asks for: the place of the offices, and no offices."""

from __future__ import annotations

from collections.abc import Sequence, Set

from isomatch.interpret.compose.expressions import Along, Both, OfType
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.sets.joins import Joins
from isomatch.lexicon.folding import tokens


def are_located(words: Sequence[str], item: Item, people: Set[str], joins: Joins) -> bool:
    """Whether a set is of the things whose place is asked for: "where are the offices of Acme".

    Things of a class that is called a place are such things, too, where the graph says where they
    are. All of the class are in any case, and people always.

    Args:
        words: of the question.
        people: the kinds that are.
    """
    of, being = item.value, joins.grammar.being
    if of.kinds and of.kinds <= people:
        return True
    if item.head < 0 or being.isdisjoint(words[1:2]):
        return False
    if isinstance(of, Along):  # "the offices", over those that people have
        return isinstance(of.of, OfType) and len(item.spans) == 1
    if not isinstance(of, Both | OfType):
        return False
    named = [s for s in item.spans if s.kind == "type" and words[item.head] in tokens(s.text)]
    relations = [r for r in joins.kinds.relations if not of.kinds.isdisjoint(r.source_types)]
    placed = any(joins.language.says_place(tokens(relation.text)) for relation in relations)
    return bool(named) and (placed or isinstance(of, OfType))
