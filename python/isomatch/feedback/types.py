"""What is kept of one correction or judgement."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    PlainSerializer,
    ValidationError,
    ValidationInfo,
    model_validator,
)

from isomatch.errors import ConfigurationError
from isomatch.options import option_problem
from isomatch.pattern import Pattern, parse, to_json

Kind = Literal["reading", "up", "down", "answer"]
"""``reading``: another reading was chosen; ``up``, ``down``: a thumb; ``answer``: answers typed."""

MOST_LETTERS = 4_000  # of a question, a comment
MOST_ANSWERS = 1_000
Text = Annotated[str, Field(max_length=MOST_LETTERS)]
Name = Annotated[str, Field(min_length=1, max_length=1_000)]


def _pattern(value: Any, info: ValidationInfo) -> Any:
    return value if value is None else parse(value, (info.context or {}).get("prefixes", {}))


PatternValue = Annotated[InstanceOf[Pattern], BeforeValidator(_pattern), PlainSerializer(to_json)]


class Reading(BaseModel):
    """How a question was read.

    Attributes:
        source: name of the interpreter.
        score: its certainty, 0 to 1; None where it is not known.
        options: of the search, as `isomatch.interpret.types.Hypothesis.options`.
        understood, left_out: words of the question that the reading accounts for, and the
            others.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    source: Name = "given"
    score: float | None = Field(default=None, ge=0, le=1)
    options: Mapping[str, str | int | float | bool | None] = Field(default_factory=dict)
    understood: tuple[Text, ...] = ()
    left_out: tuple[Text, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _texts(cls, value: Any) -> Any:
        """Spans with their places, as ``isomatch ask --json`` prints them, become texts."""
        if not isinstance(value, Mapping):
            return value
        lists = {
            key: [span["text"] if isinstance(span, Mapping) else span for span in spans]
            for key in ("understood", "left_out")
            if isinstance(spans := value.get(key), (list, tuple))
        }
        return {**value, **lists}


class Feedback(BaseModel):
    """What somebody says about one answer.

    Attributes:
        question: in plain words, as asked.
        kind: see `Kind`.
        read_pattern: the pattern that the question was read as; None where there was none.
        pattern: the pattern that the user chose in its place. With a thumb or typed answers it
            is what the question was read as, where ``read_pattern`` is not given.
        answers: names or ids of the right answers.
        comment: in the user's words.
        caller: who says it.
        reading: how the question was read; of a chosen pattern, that one's.

    Raises:
        PatternError: a pattern breaks a rule.

    Example:
        >>> given = Feedback.of(question="who helmed Heat?", kind="reading",
        ...                     pattern='("Heat")-[directed by]->(?who)')
        >>> given.chosen.answers
        ('who',)
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Annotated[Text, Field(min_length=1)]
    kind: Kind
    read_pattern: PatternValue | None = None
    pattern: PatternValue | None = None
    answers: Annotated[tuple[Name, ...], Field(max_length=MOST_ANSWERS)] = ()
    comment: Text = ""
    caller: Annotated[str, Field(max_length=200)] = ""
    reading: Reading | None = None

    @classmethod
    def of(cls, *, prefixes: Mapping[str, str] = MappingProxyType({}), **fields: Any) -> Feedback:
        """Feedback with these fields, checked.

        Args:
            prefixes: namespaces by prefix for patterns in the short form, beside the well-known
                ones (`Settings.prefixes`).

        Raises:
            ConfigurationError: one is missing, unknown, too long, or of the wrong form.
            PatternError: a pattern breaks a rule.
        """
        try:
            return cls.model_validate(fields, context={"prefixes": prefixes})
        except ValidationError as error:
            raise ConfigurationError(_problem(error)) from error

    @model_validator(mode="after")
    def _whole(self) -> Feedback:
        if not self.question.strip():
            raise ValueError("question: expected a text")
        if self.kind == "reading" and self.pattern is None:
            raise ValueError("feedback of the kind 'reading' needs the pattern that was chosen")
        if self.kind == "answer" and not self.answers:
            raise ValueError("feedback of the kind 'answer' needs answers")
        return self

    @property
    def chosen(self) -> Pattern | None:
        """The pattern that is right, as far as this says; None where it does not."""
        if self.kind == "reading":
            return self.pattern
        return self.read if self.kind == "up" else None

    @property
    def read(self) -> Pattern | None:
        """The pattern that the question was read as; None where that is not known."""
        if self.kind == "reading" or self.read_pattern is not None:
            return self.read_pattern
        return self.pattern


class Record(Feedback):
    """Feedback as it is kept.

    Attributes:
        id: of the record.
        time: when it was kept, in UTC.
        graph: the graph's fingerprint then.
    """

    id: Name
    time: AwareDatetime
    graph: str

    @property
    def key(self) -> str:
        """Equal for records of one question, whatever its letter case and blanks."""
        return " ".join(self.question.casefold().split())

    @classmethod
    def of_feedback(cls, given: Feedback, id: str, time: datetime, graph: str) -> Record:
        """A record of what somebody says."""
        fields = {name: getattr(given, name) for name in Feedback.model_fields}
        return cls(id=id, time=time, graph=graph, **fields)


def _problem(error: ValidationError) -> str:
    """The first thing that is wrong, without the text that was too long."""
    fault = error.errors()[0]
    name = ".".join(map(str, fault["loc"]))
    if fault["type"] in ("string_too_long", "too_long"):
        return f"{name} is too long: at most {fault['ctx']['max_length']:,} are kept"
    if fault["type"] == "missing":
        return f"feedback needs {name}"
    if fault["type"] == "value_error" and not name:
        return str(fault["ctx"]["error"])
    return option_problem(error, Feedback.model_fields)
