"""A judge judged: facts of known truth, made from the graph, and how many it gets right.

A third are facts of the graph, a third are facts with one argument swapped for another of the
same relation, a third are put together from parts of different facts. The false ones are not
in the graph under any reading of their names. Each is checked against the facts of its subject.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from heapq import nsmallest
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

from isomatch.answer.sentences import sentences
from isomatch.errors import ConfigurationError
from isomatch.flows import run
from isomatch.judge.judge import Judge
from isomatch.judge.search import fact_line
from isomatch.judge.types import Verdict
from isomatch.llm import Usage
from isomatch.match.types import Bound, Triple
from isomatch.seed import SEED
from isomatch.store.terms import is_literal
from isomatch.triples.features import Elements, has_words
from isomatch.triples.neighbourhood import neighbourhood

if TYPE_CHECKING:
    from isomatch.session import Session

Truth = Literal["true", "swapped", "invented"]
TRUTHS: tuple[Truth, ...] = ("true", "swapped", "invented")
FACTS = 60
_NODES = 40  # that facts are read around, for each that is wanted
_OF_ONE = 20  # facts of one of them
_SHOWN = 15  # facts of its source in a reference
_LEAST = 8  # facts of a reference
_TRIES = 40  # to find a false fact
_HOMONYMS = 8  # nodes of one name that a false fact must not be true of


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A statement of known truth, and the facts to check it against."""

    text: str
    truth: Truth
    reference: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SelfTest:
    """How well a judge did on facts of known truth.

    Attributes:
        facts: with what the judge said of each.
        model: name of the judge.
        seed: that the facts were chosen by.
    """

    facts: tuple[tuple[KnownFact, Verdict], ...]
    model: str
    seed: int
    usage: Usage = field(default_factory=Usage)

    @property
    def accuracy(self) -> float:
        """The share that the judge got right; an invalid verdict is wrong."""
        return sum(_is_right(fact, said) for fact, said in self.facts) / len(self.facts)

    @property
    def invalid(self) -> int:
        """How many replies were outside the form."""
        return sum(said.outcome == "invalid" for _, said in self.facts)

    def of(self, truth: Truth) -> tuple[int, int]:
        """How many facts of a kind it got right, and how many there were."""
        kind = [_is_right(fact, said) for fact, said in self.facts if fact.truth == truth]
        return sum(kind), len(kind)

    def words(self) -> str:
        """The result in one sentence, as reports print it."""
        counts = ", ".join(
            f"{right} of {count} {truth}" for truth in TRUTHS for right, count in [self.of(truth)]
        )
        refused = sum(fact.truth != "true" for fact, _ in self.facts) / len(self.facts)
        no_better = ": this one is no better, so its checks of facts say nothing"
        return (
            f"{self.model} as a judge: {self.accuracy:.2f} of {len(self.facts)} facts of known "
            f"truth right ({counts}; {self.invalid} replies outside the form); one that always "
            f"says “not supported” would have {refused:.2f}"
            f"{no_better if self.accuracy <= refused else ''}"
        )

    def as_json(self) -> dict[str, Any]:
        """The figures, ready for JSON."""
        return {
            "model": self.model,
            "seed": self.seed,
            "facts": len(self.facts),
            "accuracy": self.accuracy,
            "right": {truth: self.of(truth) for truth in TRUTHS},
            "invalid": self.invalid,
            "usage": {
                "requests": self.usage.requests,
                "prompt_tokens": self.usage.prompt_tokens,
                "completion_tokens": self.usage.completion_tokens,
            },
        }


def self_test(
    judge: Judge,
    session: Session,
    n: int = FACTS,
    seed: int = SEED,
    progress: Callable[[int, int], None] | None = None,
) -> SelfTest:
    """Test a judge on facts of a graph.

    Args:
        n: how many facts, a third of each kind.
        progress: called with (done, total).

    Raises:
        ConfigurationError: the judge has no model, or the graph has too few named facts.
        ModelError: the endpoint failed; what the judge had said is in its log.
        StoreError: the database failed.
    """
    if judge.model is None:
        raise ConfigurationError("without a model there is no judge to test: set ISOMATCH_MODEL")
    said: list[tuple[KnownFact, Verdict]] = []
    usage = Usage()
    for fact in make_facts(session, n, seed):
        checked = run(judge.check_flow(fact.text, fact.reference))
        said.append((fact, checked.verdicts[0]))
        usage += checked.usage
        if progress:
            progress(len(said), n)
    return SelfTest(tuple(said), judge.model.model, seed, usage)


def make_facts(session: Session, n: int = FACTS, seed: int = SEED) -> list[KnownFact]:
    """Facts of known truth, in an order of the seed.

    Raises:
        ConfigurationError: ``n`` is less than 3, or the graph has too few named facts.
        StoreError: the database failed.
    """
    if n < len(TRUTHS):
        raise ConfigurationError(f"a self-test needs at least {len(TRUTHS)} facts, not {n}")
    if session.index.nodes is not None:
        raise ConfigurationError(
            "a self-test takes facts of named things, but the index was made without nodes: test "
            "the judge on another graph, or unset " + session.index.nodes.setting
        )
    return _Maker(session, n, seed).make()


class _Maker:
    """Makes facts from those around some nodes, which are chosen by the seed."""

    def __init__(self, session: Session, n: int, seed: int):
        self._session = session
        self._n = n
        self._random = random.Random(str(seed))  # noqa: S311 - repeatable, not secret
        self._facts = self._read(seed)
        self._of: dict[str, list[Triple]] = {}  # facts by source
        self._touching: dict[str, list[Triple]] = {}  # and by target
        for fact in self._facts:
            self._of.setdefault(fact.source.id, []).append(fact)
            self._touching.setdefault(fact.target.id, []).append(fact)
        self._single = frozenset(r.id for r in session.schema.relations if r.max_out == 1)
        self._relations: dict[str, set[str]] = {}  # ids by their words
        for relation in session.schema.relations:
            self._relations.setdefault(relation.text, set()).add(relation.id)

    def make(self) -> list[KnownFact]:
        each = self._n // len(TRUTHS)
        counts = {"swapped": each, "invented": each, "true": self._n - 2 * each}
        makers = {"true": self._true, "swapped": self._swapped, "invented": self._invented}
        made: dict[str, KnownFact] = {}
        for truth in TRUTHS:
            found = makers[truth]()
            for _ in range(counts[truth]):
                fact = next((f for f in found if f.text not in made), None)
                if fact is None:
                    raise ConfigurationError(
                        f"the graph has too few facts between things with names for {self._n} "
                        f"facts of a self-test ({len(self._facts)} were read): ask for fewer"
                    )
                made[fact.text] = fact
        return [made[text] for text in self._shuffled(sorted(made))]

    def _read(self, seed: int) -> list[Triple]:
        """Facts between named things around some of them, in an order of the seed."""
        resources = self._session.resources
        things = (id for name, id in self._session.index.all_names() if _is_thing(id, name))
        # Large graphs have millions of names: those of the smallest hashes, in bounded memory.
        chosen = nsmallest(self._n * _NODES // len(TRUTHS), things, key=partial(_hashed, seed))
        start = list(dict.fromkeys(chosen))
        elements = resources.derived("elements", lambda: Elements(resources))
        hood = neighbourhood(
            self._session.store,
            self._session.schema,
            start,
            elements.names,
            hops=1,
            budget=len(start) * _OF_ONE,
            cap=_OF_ONE,
        )
        bound = [Bound(*pair) for pair in zip(hood.nodes, hood.names, strict=True)]
        by_id = self._session.schema.by_id
        facts = [
            Triple(bound[h], Bound(hood.relations[r], by_id[hood.relations[r]].text), bound[t])
            for h, r, t in zip(hood.heads, hood.links, hood.tails, strict=True)
            if h != t and all(_is_thing(bound[end].id, bound[end].name) for end in (h, t))
        ]
        return self._shuffled(facts)

    def _shuffled(self, items: Sequence[Any]) -> list[Any]:
        order = list(items)
        self._random.shuffle(order)
        return order

    def _true(self) -> Iterator[KnownFact]:
        for fact in self._facts:
            yield self._stated(fact, "true", fact)

    def _swapped(self) -> Iterator[KnownFact]:
        """A fact with its target, or else its source, exchanged for another of the relation."""
        for fact in self._shuffled(self._facts):
            same = [f for f in self._facts if f.relation.id == fact.relation.id]
            others = [Triple(fact.source, fact.relation, f.target) for f in self._shuffled(same)]
            others += [Triple(f.source, fact.relation, fact.target) for f in self._shuffled(same)]
            for other in others[:_TRIES]:
                if self._is_false(other):
                    yield self._stated(other, "swapped", fact)
                    break

    def _invented(self) -> Iterator[KnownFact]:
        """A source, a relation and a target of three different facts."""
        if not self._facts:
            return
        for fact in self._shuffled(self._facts):
            for _ in range(_TRIES):
                relation, target = self._random.choices(self._facts, k=2)
                other = Triple(fact.source, relation.relation, target.target)
                if relation.relation.id != fact.relation.id and self._is_false(other):
                    yield self._stated(other, "invented", None)
                    break

    def _is_false(self, fact: Triple) -> bool:
        """Whether the graph has no such fact of any things of these names, either way round."""
        if fact.source.name == fact.target.name:
            return False
        sources, targets = self._called(fact.source), self._called(fact.target)
        relations = self._relations.get(fact.relation.name, {fact.relation.id})
        triples = list(product(sources, sorted(relations), targets))
        return not any(self._session.store.facts(triples))

    def _called(self, node: Bound) -> list[str]:
        """The nodes of a name."""
        index = self._session.index
        keys = index.keys(index.by_name("nodes", node.name), _HOMONYMS)
        return list(dict.fromkeys([node.id, *(id for ids in keys.values() for id in ids)]))

    def _stated(self, fact: Triple, truth: Truth, origin: Triple | None) -> KnownFact:
        """The fact in words, with facts of its ends; among them that which it was made of."""
        (text,) = sentences([fact], self._session.lexicon, single=self._single)
        around = [f for f in self._of.get(fact.source.id, []) if f != origin]
        shown = self._random.sample(around, min(len(around), _SHOWN))
        # Of things with few facts others are told too, else any line that is there decides.
        others = [f for f in self._touching.get(fact.target.id, []) if f not in shown]
        others += self._random.sample(self._facts, min(len(self._facts), _LEAST))
        shown += others[: max(0, _LEAST - len(shown))]
        if origin is not None:
            shown.append(origin)
        lines = sorted({fact_line(f.source.name, f.relation.name, f.target.name) for f in shown})
        return KnownFact(text, truth, tuple(lines))


def _is_thing(id: str, name: str) -> bool:
    return not is_literal(id) and has_words(id, name)


def _hashed(seed: int, id: str) -> bytes:
    return blake2b(f"{seed} {id}".encode(errors="replace"), digest_size=8).digest()


def _is_right(fact: KnownFact, said: Verdict) -> bool:
    return said.outcome == ("supported" if fact.truth == "true" else "not supported")
