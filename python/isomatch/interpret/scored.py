"""Chains, or two that meet, with the names of a question that they are about, and the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log10
from typing import Any

from isomatch.chains.graph import ChainGraph, Step
from isomatch.lexicon.language import Language
from isomatch.lexicon.mention import Mention
from isomatch.pattern.types import Pattern
from isomatch.schema.types import Schema

MOST_HOMONYMS = 30  # nodes of one name that are interpretations of their own
IGNORED = 1.5  # what a name that is left out costs


@dataclass(frozen=True, slots=True)
class Scored:
    """A hypothesis, the mentions that it uses, and its score."""

    mentions: tuple[Mention, ...]
    pattern: Pattern
    score: float

    @property
    def options(self) -> dict[str, Any]:
        """Those of the search."""
        several = any(len(mention.ids) > 1 for mention in self.mentions)
        return search_options("anchored", "as written", several=several)

    def ignored(self, certain: Sequence[Mention]) -> int:
        """How many names of the question lie apart from those that it uses."""
        spans = {
            (m.start, m.end)
            for m in certain
            if all(m.end <= used.start or used.end <= m.start for used in self.mentions)
        }
        return len(spans)


def search_options(nodes: str, direction: str, *, several: bool) -> dict[str, Any]:
    """Options of a search; it joins the answers of all nodes of a name that several have."""
    options = {"nodes": nodes, "direction": direction}
    return {**options, "k": MOST_HOMONYMS} if several else options


def best(
    found: Sequence[Scored], certain: Sequence[Mention], top: int
) -> list[tuple[Scored, float, Pattern | None]]:
    """The best of each of ``top`` patterns, with scores from 0 to 1.

    Where the first has a rival, which is the same of another name that the words are a part of, it
    is alone and its score is 0: of two Anns none may answer.
    """
    scores = [scored.score - IGNORED * scored.ignored(certain) for scored in found]
    first: dict[Pattern, tuple[Scored, float]] = {}
    for i in sorted(range(len(found)), key=lambda i: -scores[i]):
        first.setdefault(found[i].pattern, (found[i], 1.0 / (1.0 + exp(1.0 - scores[i]))))
        if len(first) == top:
            break
    ranked = list(first.values())
    rival = _rival(ranked[0][0], found) if ranked else None
    return [(one, 0.0 if rival else score, rival) for one, score in ranked[: 1 if rival else None]]


def _rival(one: Scored, found: Sequence[Scored]) -> Pattern | None:
    """The pattern of another that only differs in what a part of a name was taken for."""
    relations = [edge.relation for edge in one.pattern.edges]
    parts = [(m.start, m.end, m.text) for m in one.mentions if m.part]
    for other in found:
        same = [edge.relation for edge in other.pattern.edges] == relations
        for start, end, text in parts if same else ():
            if any((m.start, m.end) == (start, end) and m.text != text for m in other.mentions):
                return other.pattern
    return None


def are_best(found: Sequence[Scored], top: int, bound: float) -> bool:
    """Whether ``top`` patterns of one mention are better than what has at most some score."""
    return len({scored.pattern for scored in found if scored.score > bound}) >= top


def spread(chain: Sequence[Step], schema: Schema) -> float:
    """How far a chain fans out."""
    known = (schema.by_id[step.relation] for step in chain)
    fans = (r.mean_in if s.back else r.mean_out for s, r in zip(chain, known, strict=True))
    return sum(log10(max(1.0, fan)) for fan in fans)


def leads_to_done(step: Step, schema: Schema, graph: ChainGraph, language: Language) -> bool:
    """Whether a step leads to what people do: from those who lead to what is "led by" them.

    "Who was hired by Ann" asks for people, of whom the graph says the same as of her.
    """
    if not (step.back and language.is_passive(schema.by_id[step.relation].text)):
        return False
    others = set(graph.followers(step)) - {step.inverse}
    return bool(others) and others.isdisjoint(graph.followers(step.inverse))
