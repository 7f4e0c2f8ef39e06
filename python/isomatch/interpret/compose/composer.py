"""Reads a question whole: every word becomes part of one expression, or is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import exp

from isomatch.chains.graph import ChainGraph
from isomatch.interpret.asked import AskedKinds
from isomatch.interpret.compose.chart import parse
from isomatch.interpret.compose.expressions import Named, to_pattern
from isomatch.interpret.compose.items import Item, WordReader, unread
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.rules import Rules
from isomatch.interpret.content import Word, words_of
from isomatch.interpret.types import Coverage, Hypothesis, Span
from isomatch.lexicon.english import PREPOSITIONS
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mentions import Mention
from isomatch.lexicon.rank import Ranker
from isomatch.pattern.types import Pattern
from isomatch.schema.types import Schema

MOST_PLACES = 16
PASSED_OVER = 1.5  # for a plain word that nothing is made of
LOST = 3.0  # for one without which it is another question
BUILDING = 0.03  # for a word that only builds the sentence
NOT_ASKED = 0.8
PART_OF_NAME = 0.1
MARGIN = 0.3
OPTIONS = {"nodes": "anchored", "direction": "as written"}


class Composer:
    """Composes patterns of the words of questions over one graph.

    Args:
        schema: relations and types.
        lexicon: their words.
        ranker: for words that the lexicon does not have.
    """

    def __init__(self, schema: Schema, lexicon: Lexicon, ranker: Ranker):
        self._kinds = GraphKinds(schema, lexicon)
        self._reader = WordReader(self._kinds, lexicon, ranker)
        self._rules = Rules(self._kinds, lexicon)
        self._asked = AskedKinds(schema, lexicon)

    def hypotheses(
        self, question: str, mentions: Sequence[Mention], graph: ChainGraph, most: int, source: str
    ) -> list[Hypothesis]:
        """Patterns by descending score, at most so many."""
        words = words_of(question)
        named = {w for m in mentions for w in words if _overlap(m, w)}
        asked = self._asked.of(words, {w for w in words if w not in named})
        leaves = self._leaves(question, words, mentions, graph)
        skips: dict[int, tuple[int, Item]] = {}
        for place in range(len(words)):
            length, span = unread(question, words, place)
            if span is not None and span.kind == "word" and words[place] in named:
                span = replace(span, kind="name")
            cost = BUILDING
            if span is not None:
                cost = PASSED_OVER if span.kind == "word" else LOST
            skips[place] = length, Item("set", None, -cost, spans=(span,) if span else ())
        covered = {p for start, end in leaves for p in range(start, end)}
        places = [p for p in range(len(words)) if p in covered or skips[p][1].spans]
        if len(places) > MOST_PLACES or not places:
            return []
        number = {place: n for n, place in enumerate(places)}

        def at(place: int) -> int:
            return sum(p < place for p in places)

        moved = {(at(a), at(b)): items for (a, b), items in leaves.items()}
        passed: dict[int, list[tuple[int, Item]]] = {}
        for place in places:
            length, skip = skips[place]
            passed[number[place]] = [(at(place + length) - number[place], skip)]
        gaps = [
            [w.text for w in words[(places[n - 1] + 1 if n else 0) : place]]
            for n, place in enumerate(places)
        ]
        heads = {w.start for w in asked}
        found: dict[Pattern, tuple[float, Item]] = {}
        for item in parse(len(places), moved, passed, gaps, self._rules):
            if item.category not in ("set", "number of") or isinstance(item.value, Named):
                continue
            pattern = to_pattern(item.value, self._kinds)
            if pattern is None:
                continue
            score = item.score
            if heads and (item.head < 0 or words[item.head].start not in heads):
                score -= NOT_ASKED
            if pattern not in found or found[pattern][0] < score:
                found[pattern] = score, item
        ranked = sorted(found.items(), key=lambda f: -f[1][0])[:most]
        # A reading that is much worse must not answer because the best one has no matches.
        ranked = [f for f in ranked if f[1][0] >= ranked[0][1][0] - MARGIN]
        return [
            Hypothesis(pattern, _bounded(score), OPTIONS, source, (), _coverage(item.spans))
            for pattern, (score, item) in ranked
        ]

    def _leaves(
        self,
        question: str,
        words: Sequence[Word],
        mentions: Sequence[Mention],
        graph: ChainGraph,
    ) -> Mapping[tuple[int, int], list[Item]]:
        """What single words, phrases and names may be, by their places (start, end)."""
        leaves: dict[tuple[int, int], list[Item]] = {}
        for mention in mentions:
            inside = [n for n, w in enumerate(words) if _overlap(mention, w)]
            if inside:
                items = self._names(question, mention, mentions, inside[0], graph)
                leaves.setdefault((inside[0], inside[-1] + 1), []).extend(items)
        explained = {p for start, end in leaves for p in range(start, end)}
        for place in range(len(words)):
            for length, item in self._reader.items(question, words, place):
                leaves.setdefault((place, place + length), []).append(item)
                explained |= set(range(place, place + length))
        runs = []
        for place in range(len(words)):
            length, span = unread(question, words, place)
            if span is not None and span.kind == "word" and place not in explained:
                runs.append((place, length))
                if place + 1 < len(words) and words[place + 1].text in PREPOSITIONS:
                    runs.append((place, 2))
        for place, length, item in self._reader.alike(question, words, runs):
            leaves.setdefault((place, place + length), []).append(item)
        return leaves

    def _names(
        self,
        question: str,
        mention: Mention,
        mentions: Sequence[Mention],
        place: int,
        graph: ChainGraph,
    ) -> list[Item]:
        """What a name may stand for; one inside another costs more."""
        start, end = mention.start, mention.end
        inner = any(
            o.start <= start and end <= o.end and (o.start, o.end) != (start, end) for o in mentions
        )
        span = Span(start, end, question[start:end], "name", mention.text)
        return [
            Item("set", named, -cost - PART_OF_NAME * inner, place, (span,))
            for named, cost in self._reader.names(mention, graph)
        ]


def _overlap(mention: Mention, word: Word) -> bool:
    return mention.start < word.end and word.start < mention.end


def _coverage(spans: Sequence[Span]) -> Coverage:
    ordered = sorted(spans, key=lambda s: s.start)
    return Coverage(
        tuple(s for s in ordered if s.meaning), tuple(s for s in ordered if not s.meaning)
    )


def _bounded(score: float) -> float:
    return 1.0 / (1.0 + exp(-2.0 - score))
