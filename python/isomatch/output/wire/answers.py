"""Answers to questions, and how these were read."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, GetPydanticSchema, JsonValue
from typing_extensions import NotRequired

from isomatch.interpret.types import SpanKind
from isomatch.options import OpenForm, PrizeOptions, RetrieverName
from isomatch.output.wire.elements import Bound, Documented, Triple
from isomatch.output.wire.results import (
    Certificate,
    FoundMatches,
    Interpretation,
    Match,
    Pattern,
    Profile,
)

Prizes = Annotated[dict[str, Any], GetPydanticSchema(lambda _, handler: handler(PrizeOptions))]


class Evidence(Documented):
    """A fact that an answer may cite."""

    number: int
    """What a citation ``[1]`` names; all facts of one path have the same."""
    rank: int
    """Of the best reading with a match that has the fact, or its own among scored facts."""
    gsd: float
    """The distance of that reading."""
    score: float | None
    """Of the path's chain, or of the fact; null for the facts of a pattern."""
    triple: Triple
    """As the database stores it."""


class Sentence(Documented):
    """A sentence of an answer to an open question."""

    text: str
    """With its citations."""
    cited: list[int]
    """Numbers of the facts that it cites."""
    supported: bool
    """Whether facts carry it."""
    reason: NotRequired[str]
    """Why they do not, in words; only where it has no support."""


class Size(Documented):
    """The size of a part of the graph."""

    nodes: int
    """How many nodes it has."""
    facts: int
    """How many facts it has."""


class Sizes(Documented):
    """The size of what was searched."""

    before: Size
    """As it was read."""
    after: Size
    """As it was searched, without what is far from the topics."""


class Selection(Documented):
    """What is proven about evidence by prizes and costs, and how it was chosen."""

    form: OpenForm
    """Facts one by one, paths or a subgraph."""
    score: float
    """By prizes and costs."""
    bound: float | None
    """What no other evidence of that form exceeds; null where none is known."""
    gap: float | None
    """How much better other evidence may be; null where that is not known."""
    optimal: bool
    """Whether it is proven that nothing scores more."""
    words: str
    """All this in words."""
    options: Prizes
    """What it was chosen by."""
    surroundings: Sizes
    """The size of what it was chosen from."""
    groups: list[list[Triple]]
    """The facts of each path or tree, in order."""
    topics: list[str]
    """Ids of the nodes that the question is about."""


class Skipped(Documented):
    """A part of a question that became nothing in the pattern."""

    start: Annotated[int, Field(description="Offset into the question, in characters.")]
    end: Annotated[int, Field(description="Offset of what follows it.")]
    text: Annotated[str, Field(description="As written.")]
    kind: Annotated[
        SpanKind,
        Field(
            description="What it is; ``operator`` changes what is asked for, ``kind`` is what is "
            "asked for."
        ),
    ]


class Understood(Skipped):
    """A part of a question, and what it became."""

    meaning: str
    """What it stands for in the pattern."""


class Covered(Documented):
    """Which words of a question the reading accounts for; neither key where that is not known."""

    understood: NotRequired[
        Annotated[list[Understood], Field(description="What stands for something in the pattern.")]
    ]
    left_out: NotRequired[
        Annotated[list[Skipped], Field(description="What stands for nothing in it.")]
    ]


class Reading(Covered):
    """How a question was understood."""

    source: str
    """The interpreter that read it."""
    score: float
    """How probable the interpreter takes it to be, 0 to 1; 1 where there is no choice."""
    options: dict[str, JsonValue]
    """Options of the search that it asks for."""


class Paragraph(Documented):
    """What an answer to an open question has beside others."""

    sentences: NotRequired[
        Annotated[list[Sentence], Field(description="Where the answer is a paragraph.")]
    ]
    selection: NotRequired[
        Annotated[Selection, Field(description="Of evidence by prizes and costs.")]
    ]


class Unmatched(Documented):
    """In place of a result, where the evidence is not of a pattern."""

    pattern: None
    found: bool
    matches: list[Match]
    interpretations: list[Interpretation]
    certificate: None
    profile: None


class Answer(FoundMatches, Paragraph):
    """An answer to a question, with the facts that carry it: ``isomatch ask --json``."""

    question: str
    """As asked."""
    text: str
    """The answer in words, or that the graph does not say."""
    answers: list[Bound]
    """Nodes and values that answer."""
    supported: bool
    """Whether facts of the graph carry the text."""
    source: Literal["graph", "model"]
    """Who wrote the text."""
    retriever: RetrieverName
    """What found the evidence."""
    evidence: list[Evidence]
    """The facts that were at hand, by number."""
    cited: list[int]
    """Numbers of the facts that carry the text."""
    cut: bool
    """Whether facts were left out of what the model reads."""
    reading: Reading | None
    """How the question was understood; null where no pattern was made of it."""
    pattern: Pattern | None
    """What was searched; null where the evidence is not of a pattern."""
    certificate: Certificate | None
    """Null where the evidence is not of a pattern."""
    profile: Profile | None
    """Null where the evidence is not of a pattern."""
    stages_ms: dict[str, float]
    """Milliseconds by station, and ``total``."""
