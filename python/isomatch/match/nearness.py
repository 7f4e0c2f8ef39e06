"""Whether an interpretation is near enough to be what the words mean.

A vector list has a nearest entry for any text, so the best match of a question
about something that the graph does not have is about something else. Distance
alone does not decide: under MiniLM, names of MetaQA with one letter wrong are
0.78 from the right name (median; 1.18 at the 95th percentile), and invented
ones 0.83 to 1.09 from their nearest. The spelling does.

Nor does it tell dates, numbers and codes apart: "1996-09-26" is 0.72 from
"1996-07-04". Those are equal, or they are something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Protocol

from isomatch.link.normalise import agrees, normalise

_COMPARED = 200  # characters: comparing takes the square of the length


class Choice(Protocol):
    """See `isomatch.match.types.Choice`, which asks this module."""

    @property
    def part(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def distance(self) -> float: ...


class Interpretation(Protocol):
    """See `isomatch.match.types.Interpretation`."""

    @property
    def choices(self) -> Sequence[Choice]: ...

    @property
    def parts(self) -> Sequence[Interpretation]: ...


@dataclass(frozen=True, slots=True)
class Nearness:
    """When a choice is taken for what its words mean.

    The defaults fit all-MiniLM-L6-v2; another embedder has other distances.

    Attributes:
        name: greatest L2 distance of a node's name ("Deutschland" is 0.57 from
            "Germany", "Peking" 0.77 from "Beijing").
        relation: of a relation's words ("director" is 0.92 from "directed by";
            words for relations that MetaQA lacks are 1.09 and more from its own,
            but for "invented by", 0.96 from "written by").
        spelling: a choice whose spelling is at least so alike is near at any
            distance: twice the letters in common over all letters, after case,
            accents and punctuation ("Germny" and "Germany" have 0.92).
    """

    name: float = 0.8
    relation: float = 1.1
    spelling: float = 0.75

    def holds(self, interpretation: Interpretation) -> bool:
        """Whether every name and relation is near, in its parts too.

        A type only ranks, but for a node alone, of which nothing else is said.
        """
        said = [c for c in interpretation.choices if c.part != "type"] or interpretation.choices
        return all(map(self.near, said)) and all(map(self.holds, interpretation.parts))

    def near(self, choice: Choice) -> bool:
        """Whether one name or relation is, or the type of a node alone."""
        furthest = self.relation if choice.part == "relation" else self.name
        if choice.distance > furthest and not self.is_spelled_alike(choice):
            return False
        may_differ = choice.part != "node" or not choice.distance
        return may_differ or agrees(choice.text, choice.name)

    def is_spelled_alike(self, choice: Choice) -> bool:
        """Whether a name or relation is so alike in its letters that it is near at any distance.

        One with further words is another: "Jaws 2" is not "Jaws".
        """
        asked, found = normalise(choice.text[:_COMPARED]), normalise(choice.name[:_COMPARED])
        short, long = sorted(map(len, (asked, found)))
        if 2 * short < self.spelling * (short + long):
            return False
        words, others = set(asked.split()), set(found.split())
        if words < others or others < words:
            return False
        alike = SequenceMatcher(None, asked, found, autojunk=False)
        # The first is at least the second, and takes less time.
        return alike.quick_ratio() >= self.spelling and alike.ratio() >= self.spelling


DEFAULT = Nearness()
