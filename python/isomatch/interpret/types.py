"""What every interpreter gives: ranked hypotheses of what a question means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from isomatch.flows import Flow
from isomatch.pattern.types import Pattern


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One way to understand a question, as a pattern to match.

    Attributes:
        pattern: what to look for.
        score: how probable the interpreter takes it to be, 0 to 1, comparable within
            the hypotheses of one question only; 1 where there is no choice (a pattern
            given by hand, a model's reply).
        options: search options that it asks for, by the names of
            `isomatch.options.Options` (relation chains ask for
            ``{"nodes": "anchored", "direction": "as written"}``). What the user
            sets takes precedence.
        source: name of the interpreter that made it.
        notes: in words, for the result.
    """

    pattern: Pattern
    score: float
    options: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    notes: tuple[str, ...] = ()


@runtime_checkable
class Interpreter(Protocol):
    """Makes patterns of a question."""

    @property
    def name(self) -> str:
        """``given``, ``llm``, ``schema`` or ``gsr``."""

    def interpret(
        self, question: str, topics: Sequence[str] | None = None
    ) -> tuple[Hypothesis, ...]:
        """Hypotheses by descending score, at least one.

        Args:
            question: in plain words.
            topics: names of the entities that it is about, where they are known;
                None to find them.

        Raises:
            InterpretationError: no pattern could be made of the question.
        """


@runtime_checkable
class FlowInterpreter(Interpreter, Protocol):
    """An interpreter that waits for a server, and need not block an event loop meanwhile."""

    def flow(
        self, question: str, topics: Sequence[str] | None = None
    ) -> Flow[tuple[Hypothesis, ...]]:
        """The work of `interpret`, for `isomatch.flows.run` or `arun`."""
