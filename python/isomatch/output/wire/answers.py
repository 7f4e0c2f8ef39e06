"""Answers to questions, and how these were read."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, GetPydanticSchema, JsonValue
from typing_extensions import NotRequired, TypedDict

from isomatch.interpret.types import SpanKind
from isomatch.options import OpenForm, PrizeOptions, RetrieverName
from isomatch.output.wire.elements import Bound, Triple
from isomatch.output.wire.results import (
    Certificate,
    FoundMatches,
    Interpretation,
    Match,
    Pattern,
    Profile,
)

Prizes = Annotated[dict[str, Any], GetPydanticSchema(lambda _, handler: handler(PrizeOptions))]


class Evidence(TypedDict):
    """A fact that an answer may cite."""

    number: Annotated[
        int,
        Field(description="What a citation ``[1]`` names; all facts of one path have the same."),
    ]
    rank: Annotated[
        int,
        Field(
            description="Of the best reading with a match that has the fact, or its own among "
            "scored facts."
        ),
    ]
    gsd: Annotated[float, Field(description="The distance of that reading.")]
    score: Annotated[
        float | None,
        Field(description="Of the path's chain, or of the fact; null for the facts of a pattern."),
    ]
    triple: Annotated[Triple, Field(description="As the database stores it.")]


class Sentence(TypedDict):
    """A sentence of an answer to an open question."""

    text: Annotated[str, Field(description="With its citations.")]
    cited: Annotated[list[int], Field(description="Numbers of the facts that it cites.")]
    supported: Annotated[bool, Field(description="Whether facts carry it.")]
    reason: NotRequired[
        Annotated[
            str,
            Field(description="Why they do not, in words; only where it has no support."),
        ]
    ]


class Size(TypedDict):
    """The size of a part of the graph."""

    nodes: Annotated[int, Field(description="How many nodes it has.")]
    facts: Annotated[int, Field(description="How many facts it has.")]


class Sizes(TypedDict):
    """The size of what was searched."""

    before: Annotated[Size, Field(description="As it was read.")]
    after: Annotated[
        Size,
        Field(description="As it was searched, without what is far from the topics."),
    ]


class Selection(TypedDict):
    """What is proven about evidence by prizes and costs, and how it was chosen."""

    form: Annotated[OpenForm, Field(description="Facts one by one, paths or a subgraph.")]
    score: Annotated[float, Field(description="By prizes and costs.")]
    bound: Annotated[
        float | None,
        Field(description="What no other evidence of that form exceeds; null where none is known."),
    ]
    gap: Annotated[
        float | None,
        Field(description="How much better other evidence may be; null where that is not known."),
    ]
    optimal: Annotated[bool, Field(description="Whether it is proven that nothing scores more.")]
    words: Annotated[str, Field(description="All this in words.")]
    options: Annotated[Prizes, Field(description="What it was chosen by.")]
    surroundings: Annotated[Sizes, Field(description="The size of what it was chosen from.")]
    groups: Annotated[
        list[list[Triple]],
        Field(description="The facts of each path or tree, in order."),
    ]
    topics: Annotated[list[str], Field(description="Ids of the nodes that the question is about.")]


class Skipped(TypedDict):
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

    meaning: Annotated[str, Field(description="What it stands for in the pattern.")]


class Covered(TypedDict):
    """Which words of a question the reading accounts for; neither key where that is not known."""

    understood: NotRequired[
        Annotated[list[Understood], Field(description="What stands for something in the pattern.")]
    ]
    left_out: NotRequired[
        Annotated[list[Skipped], Field(description="What stands for nothing in it.")]
    ]


class Taken(TypedDict):
    """What must be so for an answer: words of the question mean something of the graph."""

    words: Annotated[
        str, Field(description="As the question has them, or what they are short for.")
    ]
    meaning: Annotated[
        str, Field(description="The name, type or relation that they were taken for.")
    ]


class Reading(Covered):
    """How a question was understood."""

    taken_for: Annotated[
        list[Taken],
        Field(description="What must be so for the answer to be one; the text begins with it."),
    ]
    joined_by: Annotated[
        list[str],
        Field(description="Relations that no word says, and the pattern goes over."),
    ]

    source: Annotated[str, Field(description="The interpreter that read it.")]
    score: Annotated[
        float,
        Field(
            description="How probable the interpreter takes it to be, 0 to 1; 1 where there is "
            "no choice."
        ),
    ]
    options: Annotated[
        dict[str, JsonValue],
        Field(description="Options of the search that it asks for."),
    ]


class Paragraph(TypedDict):
    """What an answer to an open question has beside others."""

    sentences: NotRequired[
        Annotated[list[Sentence], Field(description="Where the answer is a paragraph.")]
    ]
    selection: NotRequired[
        Annotated[Selection, Field(description="Of evidence by prizes and costs.")]
    ]


class Unmatched(TypedDict):
    """In place of a result, where the evidence is not of a pattern."""

    pattern: None
    found: bool
    matches: list[Match]
    interpretations: list[Interpretation]
    certificate: None
    profile: None


class Answer(FoundMatches, Paragraph):
    """An answer to a question, with the facts that carry it: ``isomatch ask --json``."""

    question: Annotated[str, Field(description="As asked.")]
    text: Annotated[str, Field(description="The answer in words, or that the graph does not say.")]
    answers: Annotated[list[Bound], Field(description="Nodes and values that answer.")]
    supported: Annotated[bool, Field(description="Whether facts of the graph carry the text.")]
    not_read: Annotated[
        bool, Field(description="Whether it is refused because the question was not understood.")
    ]
    source: Annotated[Literal["graph", "model"], Field(description="Who wrote the text.")]
    retriever: Annotated[RetrieverName, Field(description="What found the evidence.")]
    evidence: Annotated[
        list[Evidence],
        Field(description="The facts that were at hand, by number."),
    ]
    cited: Annotated[list[int], Field(description="Numbers of the facts that carry the text.")]
    cut: Annotated[bool, Field(description="Whether facts were left out of what the model reads.")]
    reading: Annotated[
        Reading | None,
        Field(description="How the question was understood; null where no pattern was made of it."),
    ]
    pattern: Annotated[
        Pattern | None,
        Field(description="What was searched; null where the evidence is not of a pattern."),
    ]
    certificate: Annotated[
        Certificate | None,
        Field(
            description="What was proved of the answer; null where the evidence is not of a "
            "pattern. Only a supported answer can be complete."
        ),
    ]
    profile: Annotated[
        Profile | None,
        Field(description="Null where the evidence is not of a pattern."),
    ]
    stages_ms: Annotated[
        dict[str, float],
        Field(description="Milliseconds by station, and ``total``."),
    ]
