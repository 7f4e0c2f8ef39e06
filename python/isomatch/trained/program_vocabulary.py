"""The vocabulary of a program model: the tokens of programs over one graph's schema.

The tokens are those of `isomatch.interpret.programs.tokens`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_args

from isomatch.errors import ArtifactError
from isomatch.pattern.elements import Function
from isomatch.pattern.types import Operator
from isomatch.schema.types import Schema
from isomatch.trained.alignment import OPERATORS, Alignment, Program
from isomatch.trained.precedents import Precedents
from isomatch.trained.vocabulary import MOST_RELATIONS, Vocabulary

MOST_SLOTS = 6
"""How many names and values of a question a program may take."""
COMPARED: tuple[Operator, ...] = ("<", "<=", ">", ">=", "!=")
WORKED: tuple[Function, ...] = tuple(f for f in get_args(Function) if f != "count")
_OPERATORS = {**OPERATORS, **{f"{function}:": OPERATORS[function] for function in WORKED}}
"""Tokens of operators, with the words that begin their training."""


@dataclass(frozen=True)
class ProgramVocabulary(Vocabulary[str]):
    """Tokens as numbers: from `isomatch.trained.vocabulary.FIRST` on, each is a token.

    Attributes:
        steps: the tokens: operators, names, types, and the steps of relations.
        texts: the words that each begins its training with.
        left_out: number of the graph's relations without a token.
        said: which words say which tokens.
        precedents: the questions that were learnt from.
    """

    said: Alignment = field(default_factory=Alignment)
    precedents: Precedents = field(default_factory=Precedents)

    @classmethod
    def of(
        cls, schema: Schema, programs: Iterable[Program] = (), most: int = MOST_RELATIONS
    ) -> ProgramVocabulary:
        """The types and the most used relations of a graph, and the values of some programs."""
        tokens = dict(_OPERATORS)
        tokens |= {f"@{k}": f"{k}" for k in range(MOST_SLOTS)}
        tokens |= {f"type:{t.id}": t.text for t in schema.types}
        relations = sorted(schema.relations, key=lambda r: (-r.triples, r.text, r.id))
        for relation in relations[:most]:
            tokens |= {f"{sign}{relation.id}": relation.text for sign in "+-"}
            if set(relation.source_types) & set(relation.target_types):
                tokens[f"~{relation.id}"] = relation.text
        values = sorted({t for p in programs for t in p if t.startswith("value:")})
        tokens |= {token: token.partition("=")[2] for token in values}
        return cls(tuple(tokens), tuple(tokens.values()), len(relations[most:]))

    @property
    def places(self) -> int:
        return 48

    @property
    def relations(self) -> int:
        return sum(token[0] == "+" for token in self.steps)

    @cached_property
    def turned(self) -> tuple[int, ...]:
        """For each token 1 where it walks a relation backwards, else 0."""
        return tuple(int(token[0] == "-") for token in self.steps)

    def bound(self, schema: Schema) -> ProgramVocabulary:
        """The same numbers for a graph that has all its relations and types.

        Raises:
            ArtifactError: the graph lacks some; the message names them.
        """
        known = {t.id for t in schema.types} | schema.by_id.keys()
        used = {_id(t) for t in self.steps if t not in _OPERATORS and t[0] != "@"}
        missing = sorted(used - known)
        if missing:
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            raise ArtifactError(
                f"the trained model does not fit this graph, which lacks {', '.join(missing[:5])}"
                f"{more}: train it again on this graph (`isomatch train programs`), or open the "
                "graph that it was made for"
            )
        return self

    def form(self) -> dict[str, Any]:
        """As JSON."""
        pairs = [list(pair) for pair in zip(self.steps, self.texts, strict=True)]
        return {
            "tokens": pairs,
            "left_out": self.left_out,
            **self.said.form(),
            "precedents": self.precedents.form(),
        }

    @classmethod
    def read(cls, form: Mapping[str, Any]) -> ProgramVocabulary:
        """The vocabulary that `form` wrote.

        Raises:
            ArtifactError: it is damaged.
        """
        try:
            pairs = [(str(token), str(text)) for token, text in form["tokens"]]
            left_out = int(form["left_out"])
            precedents = form["precedents"]
        except (KeyError, TypeError, ValueError) as error:
            raise ArtifactError(
                "the vocabulary of the trained model is damaged: train it again"
            ) from error
        said, read = Alignment.read(form), Precedents.read(precedents)
        return cls(tuple(t for t, _ in pairs), tuple(w for _, w in pairs), left_out, said, read)


def _id(token: str) -> str:
    """The type or relation that a token is of."""
    for kind in ("type:", "value:"):
        if token.startswith(kind):
            return token.removeprefix(kind).partition("=")[0]
    return token[1:]
