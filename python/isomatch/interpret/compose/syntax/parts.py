"""The words of a question and what they may be, for what tells how they hang together."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from isomatch.interpret.compose.expressions import OfType
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.compose.leaves.filters import kinds_of_noun
from isomatch.interpret.compose.syntax.scopes import Leaves, is_thing, is_verb

Stretch = tuple[int, int]
"""Numbers of places of content: of the first, and of the one behind the last."""


class Part(NamedTuple):
    """A stretch of words that is something by itself.

    Attributes:
        start, end: its place among the words, and the place behind it.
        following: the place of the next word of content.
        items: what it may be.
    """

    start: int
    end: int
    following: int
    items: Sequence[Item]


@dataclass(frozen=True)
class Parts:
    """A question by its words.

    Attributes:
        texts: the words.
        leaves: what stretches of them may be by themselves.
        places: those of the words that are no function words.
    """

    texts: Sequence[str]
    leaves: Leaves
    places: Sequence[int]

    def __iter__(self) -> Iterator[Part]:
        """The parts that others follow."""
        for (start, end), items in self.leaves.items():
            number = self.number(end)
            if start in self.places and number < len(self.places):
                yield Part(start, end, self.places[number], items)

    def stretches(self) -> Iterator[Stretch]:
        """Those of what is something by itself."""
        for start, end in self.leaves:
            yield self.number(start), self.number(end)

    def number(self, place: int) -> int:
        """How many words of content are before a place."""
        return bisect_left(self.places, place)

    def at(self, place: int) -> list[Item]:
        """What may begin at a place."""
        return [item for (start, _), some in self.leaves.items() if start == place for item in some]

    def ends(self, place: int) -> set[int]:
        """Where what begins at a place may end."""
        return {end for start, end in self.leaves if start == place}

    def before(self, part: Part) -> str:
        """The word before a part; empty where it is the first."""
        return self.texts[part.start - 1] if part.start else ""

    def gap(self, part: Part) -> Sequence[str]:
        """The function words behind a part."""
        return self.texts[part.end : part.following]

    def up_to(self, first: int, part: Part) -> set[Stretch]:
        """The stretches that end with a part, but begin before a number of places."""
        return {(number, self.number(part.following)) for number in range(first)}

    def across(self, inside: Sequence[int], place: int) -> set[Stretch]:
        """The stretches that begin at some places of content, and end behind another."""
        last = range(self.number(place) + 1, len(self.places) + 1)
        return {(self.number(first), end) for first in inside for end in last}


def is_plain_verb(items: Sequence[Item]) -> bool:
    """Whether a part is a verb, and no noun or comparison."""
    plain = not any(is_thing(item) or item.category == "comparison" for item in items)
    return plain and any(map(is_verb, items))


def kinds_of_part(items: Sequence[Item], kinds: GraphKinds) -> Kinds:
    """The kinds of what a noun is for; none for words that may be verbs or names."""
    found: Kinds = frozenset()
    for item in items:
        if is_verb(item) or (item.category == "set" and not isinstance(item.value, OfType)):
            return frozenset()
        if item.category in ("set", "relation"):
            found |= kinds_of_noun(item.value, kinds)
    return found
