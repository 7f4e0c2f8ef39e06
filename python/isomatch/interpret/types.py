"""What every interpreter gives: ranked hypotheses of what a question means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from isomatch.flows import Flow
from isomatch.lexicon.substitutions import Substitution
from isomatch.pattern.types import Pattern

if TYPE_CHECKING:
    from isomatch.store.base import Store

SpanKind = Literal["name", "relation", "type", "operator", "number", "kind", "word"]
"""What a part of a question is. ``operator``: it changes what is asked for ("largest", "not",
"how many"). ``kind``: the kind of thing that is asked for. ``word``: any other content word."""


TOLD = 0.5
"""`Span.likeness` of a word whose meaning follows from others; the answer tells it."""
GUESSED = 0.79
"""`Span.likeness` of a word that its own letters or its relation explain; the answer tells it."""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a question, and what a reading made of it.

    Attributes:
        start, end: offsets into the question.
        text: the part, as written.
        kind: what it is. A plain ``word`` that was understood was only taken for a name: the
            graph has none in its letters.
        meaning: what it stands for in the pattern; empty where it was left out.
        likeness: cosine of a word for a relation that is only like those which the lexicon has for
            it, to the nearest of them; `TOLD`, `GUESSED`, or 1 for every other.
    """

    start: int
    end: int
    text: str
    kind: SpanKind
    meaning: str = ""
    likeness: float = 1.0

    @property
    def type_meant(self) -> str:
        """The type of what is meant, without the conditions of a definition.

        Example:
            >>> Span(0, 12, "major cities", "type", "city, population > 150000").type_meant
            'city'
        """
        return self.meaning.partition(",")[0]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a question a reading accounts for. Words without content are not listed.

    Attributes:
        understood: what stands for something in the pattern.
        left_out: what stands for nothing in it.
        asked_types: texts of the graph's types that were put onto the pattern because the
            question asks for them: no other types answer it.
        exact: whether all names, relations and types of the pattern are the graph's own, so
            that others which are near mean something else. An interpreter that knows this, but
            not which words it read, gives it without spans, which are then found.
    """

    understood: tuple[Span, ...] = ()
    left_out: tuple[Span, ...] = ()
    asked_types: tuple[str, ...] = ()
    exact: bool = False

    @property
    def missing(self) -> tuple[Span, ...]:
        """What was left out and makes it another question: all but plain words."""
        return tuple(span for span in self.left_out if span.kind != "word")


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
        coverage: which words of the question it accounts for; None for a pattern that was
            given by hand.
        taken_for: words of the question, each with the name, type or relation that it was taken
            for.
        joined_by: the names of relations that no word of the question says.
        doubted: the score below which an answer says how sure its reading is. From 1 on nothing
            has measured that, and it only says that the reading may be wrong.
        may_deny: whether a pattern that asks yes or no may be answered by no. Not where what it
            asks may be so in other ways.
        otherwise: what to look for, one after the other, where the pattern is proven to have no
            match: of those with the fewest things who have none, the least number.
        rival: another reading that is as likely, and has other answers, so that neither may answer.
    """

    pattern: Pattern
    score: float
    options: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    notes: tuple[str, ...] = ()
    coverage: Coverage | None = None
    taken_for: tuple[Substitution, ...] = ()
    otherwise: tuple[Pattern, ...] = ()
    may_deny: bool = True
    rival: Pattern | None = None
    joined_by: tuple[str, ...] = ()
    doubted: float = 0.0

    @property
    def understood(self) -> tuple[Span, ...]:
        """The words that it accounts for; none of a pattern without a `coverage`."""
        return self.coverage.understood if self.coverage else ()

    @property
    def adds_meaning(self) -> bool:
        """Whether words were taken for others, or relations added: it denies nothing then.

        Where nothing is so in a wider sense, nothing is so.
        """
        return bool(self.joined_by) or not all(one.may_deny for one in self.taken_for)


@runtime_checkable
class Interpreter(Protocol):
    """Makes patterns of a question."""

    @property
    def name(self) -> str:
        """``given``, ``llm``, ``schema``, ``gsr`` or ``programs``."""

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
class SnapshotInterpreter(Interpreter, Protocol):
    """An interpreter that asks the graph in one state."""

    @property
    def snapshot(self) -> Store | None:
        """The graph in that state, or in a newer one where other questions came meanwhile."""


@runtime_checkable
class FlowInterpreter(Interpreter, Protocol):
    """An interpreter that waits for a server, and need not block an event loop meanwhile."""

    def flow(
        self, question: str, topics: Sequence[str] | None = None
    ) -> Flow[tuple[Hypothesis, ...]]:
        """The work of `interpret`, for `isomatch.flows.run` or `arun`."""
