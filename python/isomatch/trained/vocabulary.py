"""The vocabulary of a chain model: every relation of a graph in both directions.

In GSR (Huang et al., EMNLP Findings 2024, section 4.1) each relation is one token. Here
each direction of a relation is, because chains walk relations both ways.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from isomatch.chains.graph import Step
from isomatch.errors import ArtifactError
from isomatch.schema.types import Relation, Schema

BEGIN = 0
END = 1
FIRST = 2
MOST_RELATIONS = 2000


Token = TypeVar("Token", bound=Hashable)


@dataclass(frozen=True)
class Vocabulary(ABC, Generic[Token]):
    """What a model writes as numbers: 0 begins it, 1 ends it, from 2 on each is a token.

    Attributes:
        steps: the tokens, in the order of their numbers.
        texts: of each token, the words that it begins its training with.
        left_out: number of the graph's relations without a token.
        turned: for each token 1 where it walks a relation backwards, else 0.
        places: how many tokens a model may write, with the beginning.
        relations: how many of the graph's relations it has.
    """

    steps: tuple[Token, ...]
    texts: tuple[str, ...]
    left_out: int = 0

    @property
    @abstractmethod
    def turned(self) -> Sequence[int]: ...

    @property
    @abstractmethod
    def places(self) -> int: ...

    @property
    @abstractmethod
    def relations(self) -> int: ...

    @abstractmethod
    def form(self) -> dict[str, Any]:
        """As JSON."""

    def __len__(self) -> int:
        return FIRST + len(self.steps)

    @cached_property
    def numbers(self) -> Mapping[Token, int]:
        return {token: number for number, token in enumerate(self.steps, FIRST)}

    def knows(self, written: Sequence[Token]) -> bool:
        """Whether it has every token."""
        return all(token in self.numbers for token in written)

    def encode(self, written: Sequence[Token]) -> list[int]:
        """The numbers of tokens; a KeyError where it does not know one."""
        return [self.numbers[token] for token in written]

    def decode(self, numbers: Sequence[int]) -> tuple[Token, ...]:
        """The tokens of numbers."""
        return tuple(self.steps[number - FIRST] for number in numbers)


@dataclass(frozen=True)
class StepVocabulary(Vocabulary[Step]):
    """Steps as numbers: 0 begins a chain, 1 ends it, and from 2 on each is a step.

    Attributes:
        steps: relation by relation, forward and then back, most used first.
        texts: the words of each step's relation, to match a graph with other ids (the
            Neo4j copy of an RDF graph).
        left_out: number of the graph's relations without a number.

    Example:
        >>> words = StepVocabulary((Step("r"), Step("r", True)), ("directed by",) * 2)
        >>> len(words), words.encode((Step("r", True),)), words.decode([3])
        (4, [3], (Step(relation='r', back=True),))
    """

    @classmethod
    def of(cls, schema: Schema, most: int = MOST_RELATIONS) -> StepVocabulary:
        """The most used relations of a graph; equally used ones by their words."""
        relations = _most_used(schema)
        kept = relations[:most]
        return cls(
            tuple(Step(r.id, back) for r in kept for back in (False, True)),
            tuple(r.text for r in kept for _ in range(2)),
            len(relations) - len(kept),
        )

    @property
    def places(self) -> int:
        return 16

    @property
    def relations(self) -> int:
        return len(self.steps) // 2

    @property
    def turned(self) -> tuple[int, ...]:
        return tuple(int(step.back) for step in self.steps)

    def bound(self, schema: Schema) -> StepVocabulary:
        """The same numbers for the relations of a graph, matched by id, else by words.

        Relations of the same words are paired in the order of their use.

        Raises:
            ArtifactError: the graph lacks some relation; the message names it.
        """
        own = {step.relation: text for step, text in zip(self.steps, self.texts, strict=True)}
        free: dict[str, list[str]] = {}
        for relation in _most_used(schema):
            if relation.id not in own:
                free.setdefault(relation.text, []).append(relation.id)
        ids: dict[str, str] = {}
        missing: dict[str, str] = {}
        for id, text in own.items():  # most used first
            if id in schema.by_id:
                ids[id] = id
            elif free.get(text):
                ids[id] = free[text].pop(0)
            else:
                missing[id] = text
        if missing:
            some = [f'"{text}" ({id})' for id, text in missing.items()]
            more = f" and {len(some) - 5} more" if len(some) > 5 else ""
            raise ArtifactError(
                f"the trained model does not fit this graph, which lacks the relation"
                f"{'s' if len(some) > 1 else ''} {', '.join(some[:5])}{more}: train it again on "
                "this graph (`isomatch train`), or open the graph that it was made for"
            )
        steps = tuple(Step(ids[step.relation], step.back) for step in self.steps)
        known = {step.relation for step in steps}
        return replace(self, steps=steps, left_out=len(schema.by_id.keys() - known))

    def form(self) -> dict[str, Any]:
        """As JSON."""
        relations = [
            {"id": step.relation, "text": text}
            for step, text in zip(self.steps[::2], self.texts[::2], strict=True)
        ]
        return {"relations": relations, "left_out": self.left_out}

    @classmethod
    def read(cls, form: Mapping[str, Any]) -> StepVocabulary:
        """The vocabulary that `form` wrote.

        Raises:
            ArtifactError: it is damaged.
        """
        try:
            pairs = [(str(r["id"]), str(r["text"])) for r in form["relations"]]
            left_out = int(form["left_out"])
        except (KeyError, TypeError, ValueError) as error:
            raise ArtifactError(
                "the vocabulary of the trained model is damaged: train it again"
            ) from error
        return cls(
            tuple(Step(id, back) for id, _ in pairs for back in (False, True)),
            tuple(text for _, text in pairs for _ in range(2)),
            left_out,
        )


def _most_used(schema: Schema) -> list[Relation]:
    return sorted(schema.relations, key=lambda r: (-r.triples, r.text, r.id))
