"""Tells "called" before a name, as in "people called Irene", from a verb of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Named, OfType, is_value
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.compose.records import Record
from isomatch.interpret.compose.words import RelationWord
from isomatch.interpret.content import Word


def without_deeds(
    words: Sequence[Word], leaves: Mapping[tuple[int, int], list[Item]], kinds: GraphKinds
) -> Mapping[tuple[int, int], list[Item]]:
    """The leaves without verbs of the graph where "called" gives a name to a class before it.

    "People called Irene" called nobody, where no relation of that verb leads from or to people.
    """
    read = dict(leaves)
    for place, word in enumerate(words):
        if word.text not in kinds.language.grammar.calling or (place, place + 1) not in leaves:
            continue
        before = [i.value for (_, end), some in leaves.items() if end == place for i in some]
        after = [i.value for (at, _), some in leaves.items() if at == place + 1 for i in some]
        named = [one.kinds for one in after if isinstance(one, Named) and not is_value(one)]
        same = {
            kind
            for one in before
            if isinstance(one, OfType)
            for those in named
            for kind in one.kinds & those
        }
        if same and all(same.isdisjoint(_of_verb(i, kinds)) for i in leaves[place, place + 1]):
            del read[place, place + 1]
    return read


def _of_verb(item: Item, kinds: GraphKinds) -> Kinds:
    """The kinds that what a verb says leads from or to."""
    value = item.value[0] if isinstance(item.value, tuple) else item.value
    if isinstance(value, RelationWord):
        steps = [Step(value.relation)]
    elif isinstance(value, Record):
        steps = [value.doer, *value.objects]
    else:
        return frozenset()
    return frozenset().union(*(kind for step in steps for kind in kinds.ends(step)))
