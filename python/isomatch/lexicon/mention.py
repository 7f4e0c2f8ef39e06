"""A part of a question that names something, and which of several lie inside others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mention:
    """A part of a question that names something.

    Attributes:
        text: the name, as the graph has it, else as the question has it.
        start, end: the part of the question, brackets or quotes included.
        ids: graph nodes of that name; empty where the graph has no such name.
        exact: letter case and accents are the graph's.
        marked: the question put it in brackets or quotes.
        written: what the question has, where that is near the name, or an adjective of it;
            else None.
        adjective: whether it is the latter: "European" of "Europe".
        edits: how many letters ``written`` is from the name; 0 where only punctuation differs
            or it lacks a qualifier: "Jaws" of "Jaws (film)".
        part: whether ``written`` is the first or last words of the name: "Ann" of "Ann Lee".
        rivals: the other names that are as near to ``written``.
        plural: whether the question has the plural of the name: "strikers" of "striker".
    """

    text: str
    start: int
    end: int
    ids: tuple[str, ...] = ()
    exact: bool = False
    marked: bool = False
    written: str | None = None
    adjective: bool = False
    edits: int = 0
    part: bool = False
    rivals: tuple[str, ...] = ()
    plural: bool = False

    @property
    def is_guess(self) -> bool:
        """Whether the name is near to what the question has, or holds it."""
        return bool(self.edits) or self.part

    @property
    def evident(self) -> bool:
        """Whether it can hardly be meant as a word: not one common word in lower case."""
        return self.marked or (self.exact and (self.text != self.text.lower() or " " in self.text))


def maximal(mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions that lie in no other which fits the letters as well, by their places."""
    kept = [
        m
        for m in mentions
        if not any(
            holds(o, m)
            and (o.start, o.end) != (m.start, m.end)
            and bool(o.ids) >= bool(m.ids)
            and o.exact >= m.exact
            and o.edits <= m.edits
            for o in mentions
        )
    ]
    return sorted(kept, key=lambda m: (m.start, -m.end, not m.exact, m.text))


def holds(outer: Mention, inner: Mention) -> bool:
    """Whether a mention lies in another, or is as long."""
    return outer.start <= inner.start and inner.end <= outer.end


def is_part(inner: Mention, outer: Mention, question: str) -> bool:
    """Whether a name lies inside one with more words that have capitals, as the graph has it."""
    rest = question[outer.start : inner.start] + question[inner.end : outer.end]
    return outer.exact and any(word[0].isupper() for word in rest.split())
