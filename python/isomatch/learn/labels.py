"""Which chains explain a question's answers: scored by their ends, or chosen by an LLM.

A chain is run from the question's topic, and its ends are compared with the known
answers. Where a question names two topics, a chain from each must end at the answer: the
intersection is compared.

A language model is shown the question and numbered chains, and replies with numbers, after
Huang et al. (EMNLP Findings 2024), section 4.2; nothing of its reply enters a query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import ceil
from typing import TYPE_CHECKING

from isomatch.chains.graph import Chain, Nodes
from isomatch.learn.walks import Ends, Entities, Walker
from isomatch.llm.client import prompt
from isomatch.phrasing import clean

if TYPE_CHECKING:
    from isomatch.llm import ChatModel

LEAST_F1 = 0.5
SPARE = 16  # ends beyond those that still allow the least F1
PAIR_HOPS = 2
PAIR_ENDS = 2000
SHORTEST_ENDS = 10_000
NEAR = 1e-9  # F1s this near are the same
MOST_SHOWN = 10
_LIST = re.compile(r"\[[\d\s,]*\]")
_NUMBER = re.compile(r"\d{1,4}")
SCHEMA = {
    "type": "object",
    "properties": {"ways": {"type": "array", "items": {"type": "integer"}}},
    "required": ["ways"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """Chains that end at answers: one, or one from each of two topics.

    Attributes:
        parts: (topic, chain) each.
        f1: of what they end at against the known answers.
    """

    parts: tuple[tuple[str, Chain], ...]
    f1: float


@dataclass(frozen=True, slots=True)
class Explained:
    """The explanations of one question.

    Attributes:
        found: with F1 above 0, best first; equally good ones by their words.
        reason: why there are none, else empty.
        cut: number of chains that ended at too many nodes.
    """

    found: tuple[Explanation, ...] = ()
    reason: str = ""
    cut: int = 0

    @property
    def best(self) -> tuple[Explanation, ...]:
        """Those of the highest F1."""
        return tuple(e for e in self.found if e.f1 >= self.found[0].f1 - NEAR)


@dataclass(frozen=True)
class Answers:
    """The known answers of a question as nodes: answer by node id."""

    names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, names: Iterable[str], entities: Entities) -> Answers:
        return cls({id: name for name in names for id in entities.ids(name)})

    @property
    def ids(self) -> list[str]:
        return list(self.names)

    def f1(self, ends: Iterable[str]) -> float:
        """F1 of the ends against the answers; nodes of one answer count once.

        Example:
            >>> Answers({"a1": "a", "a2": "a", "b": "b"}).f1(["a1", "a2", "x"])
            0.5
        """
        hits: set[str] = set()
        others = 0
        for id in ends:
            if id in self.names:
                hits.add(self.names[id])
            else:
                others += 1
        wanted = len(set(self.names.values()))
        return 2 * len(hits) / (len(hits) + others + wanted) if wanted else 0.0

    def limit(self, least: float) -> int:
        """The number of ends from which a chain's F1 must be below ``least``."""
        return ceil(len(self.names) * (2 / least - 1)) + SPARE


class Explainer:
    """Scores chains by their answers."""

    def __init__(self, walker: Walker, entities: Entities):
        self.walker = walker
        self.entities = entities
        self._texts = {r.id: r.text for r in walker.schema.relations}

    def explain(
        self,
        topics: Sequence[str],
        answers: Iterable[str],
        nodes: Nodes,
        *,
        limit: int | None = None,
    ) -> Explained:
        """The chains that explain answers from one topic, or from two.

        Args:
            topics, answers: names; of more than two topics the first two count.
            limit: maximum number of ends of a chain; None for what the least F1 allows.

        Raises:
            QueryTimeout, StoreError: see `Store.run`.
        """
        found, reason = self._nodes(topics, answers)
        if reason:
            return Explained(reason=reason)
        starts, right = found
        if len(starts) == 1:
            return self._single(*starts[0], right, nodes, limit or right.limit(LEAST_F1))
        pairs = self._pairs(starts[:2], right, nodes)
        if pairs.found and pairs.found[0].f1 >= LEAST_F1:
            return pairs
        singles = [
            self._single(topic, ids, right, nodes, limit or right.limit(LEAST_F1))
            for topic, ids in starts
        ]
        return self._ranked(
            [e for single in (pairs, *singles) for e in single.found],
            sum(single.cut for single in (pairs, *singles)),
        )

    def shortest(self, topics: Sequence[str], answers: Iterable[str], nodes: Nodes) -> Explained:
        """The shortest chains from any topic to any answer, as GSR's raw data.

        Only the first 10,000 ends of a chain count.
        """
        found, reason = self._nodes(topics, answers)
        if reason:
            return Explained(reason=reason)
        starts, right = found
        tried = {topic: self.walker.reaching(ids, right.ids) for topic, ids in starts}
        cut = 0
        for length in range(1, self.walker.max_hops + 1):
            reached: list[Explanation] = []
            for topic, ids in starts:
                chains = [chain for chain in tried[topic] if len(chain) == length]
                ends = self.walker.ends(ids, chains, SHORTEST_ENDS, nodes=nodes)
                cut += sum(e.cut for e in ends)
                reached += self._scored(topic, chains, ends, right)
            if reached:
                return self._ranked(reached, cut)
        return self._ranked([], cut)

    def _nodes(
        self, topics: Sequence[str], answers: Iterable[str]
    ) -> tuple[tuple[list[tuple[str, tuple[str, ...]]], Answers], str]:
        starts = [(topic, ids) for topic in topics if (ids := self.entities.ids(topic))]
        right = Answers.of(answers, self.entities)
        reason = "no topic node" if not starts else "no answer node" if not right.names else ""
        return (starts, right), reason

    def _single(
        self, topic: str, ids: Sequence[str], right: Answers, nodes: Nodes, limit: int
    ) -> Explained:
        chains = self.walker.reaching(ids, right.ids)
        ends = self.walker.ends(ids, chains, limit, nodes=nodes)
        whole = [(chain, e) for chain, e in zip(chains, ends, strict=True) if not e.cut]
        scored = self._scored(topic, [c for c, _ in whole], [e for _, e in whole], right)
        return self._ranked(scored, len(chains) - len(whole))

    def _scored(
        self, topic: str, chains: Sequence[Chain], ends: Sequence[Ends], right: Answers
    ) -> list[Explanation]:
        scored = ((chain, right.f1(e.ids)) for chain, e in zip(chains, ends, strict=True))
        return [Explanation(((topic, chain),), f1) for chain, f1 in scored if f1]

    def _pairs(
        self, starts: Sequence[tuple[str, Sequence[str]]], right: Answers, nodes: Nodes
    ) -> Explained:
        """Pairs of chains, one of each topic, whose common ends include an answer."""
        sides: list[list[tuple[str, Chain, frozenset[str]]]] = []
        cut = 0
        for topic, ids in starts:
            chains = [c for c in self.walker.reaching(ids, right.ids) if len(c) <= PAIR_HOPS]
            ends = self.walker.ends(ids, chains, PAIR_ENDS, nodes=nodes)
            cut += sum(e.cut for e in ends)
            sides.append(
                [
                    (topic, chain, e.ids)
                    for chain, e in zip(chains, ends, strict=True)
                    if not e.cut and not e.ids.isdisjoint(right.names)
                ]
            )
        met = (
            Explanation(((t, c), (u, d)), right.f1(left & other))
            for (t, c, left), (u, d, other) in product(*sides)
        )
        return self._ranked([e for e in met if e.f1], cut)

    def _ranked(self, found: Iterable[Explanation], cut: int) -> Explained:
        ranked = tuple(sorted(found, key=lambda e: (-e.f1, self._place(e))))
        return Explained(ranked, "" if ranked else "cut" if cut else "no chain reaches", cut)

    def _place(self, explanation: Explanation) -> list[tuple[int, list[tuple[str, bool]]]]:
        """Sort key among equally good ones: by words, which are the same in every store."""
        return [
            (len(chain), [(self._texts[s.relation], s.back) for s in chain])
            for _, chain in explanation.parts
        ]


def choose(
    model: ChatModel, question: str, found: Sequence[Explanation], texts: Mapping[str, str]
) -> tuple[Explanation, ...]:
    """Those of the ten best explanations that a language model chooses, in its order.

    A reply without a list of numbers chooses none; unknown numbers are ignored.

    Raises:
        ModelError: the endpoint failed.
    """
    shown = found[:MOST_SHOWN]
    ways = "\n".join(f"{n}. {said(way, texts)}" for n, way in enumerate(shown, 1))
    reply = model.complete(
        [
            {"role": "system", "content": prompt("isomatch.learn", "choose.j2")},
            {"role": "user", "content": f"Question: {clean(question)}\n{ways}\nReply:"},
        ],
        schema=SCHEMA,
    )
    listed = _LIST.search(reply)
    numbers = dict.fromkeys(map(int, _NUMBER.findall(listed[0]))) if listed else {}
    return tuple(shown[n - 1] for n in numbers if 0 < n <= len(shown))


def said(explanation: Explanation, texts: Mapping[str, str]) -> str:
    """An explanation as text, for a language model.

    Example:
        >>> from isomatch.chains.graph import Step
        >>> way = Explanation((("Mann", (Step("d", True), Step("s"))),), 1.0)
        >>> said(way, {"d": "by", "s": "of"})
        '(Mann) <-[by]- (?) -[of]-> (?)'
    """
    ways = []
    for topic, chain in explanation.parts:
        walk = f"({clean(topic)})"
        for step in chain:
            relation = clean(texts[step.relation])
            walk += f" <-[{relation}]- (?)" if step.back else f" -[{relation}]-> (?)"
        ways.append(walk)
    return ", which is also ".join(ways)
