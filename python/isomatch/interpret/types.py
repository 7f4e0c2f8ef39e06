"""What every interpreter gives: ranked readings of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from isomatch.pattern.types import Pattern


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One way to understand a question, as a pattern to match.

    Attributes:
        pattern: what to look for.
        score: how well the interpreter believes that it fits the question, 0 to
            1, comparable within one list of readings only; 1 where there is no
            choice (a pattern given by hand, a model's reply).
        options: search options that the reading asks for, by the names of
            `isomatch.options.Options` (relation chains ask for
            ``{"nodes": "anchored", "direction": "as written"}``). What the user
            sets goes first.
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
        """Readings by descending score, at least one.

        Args:
            question: in plain words.
            topics: names of the entities that it is about, where they are known;
                None to find them.

        Raises:
            InterpretationError: no pattern could be made of the question.
        """


@runtime_checkable
class AsyncInterpreter(Interpreter, Protocol):
    """An interpreter that waits for a server, and need not block meanwhile."""

    async def ainterpret(
        self, question: str, topics: Sequence[str] | None = None
    ) -> tuple[Hypothesis, ...]:
        """The same as `interpret`, without blocking."""
