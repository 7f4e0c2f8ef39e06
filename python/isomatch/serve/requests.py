"""What is asked: the bodies of requests, for HTTP, MCP and the page."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from isomatch.feedback.types import MOST_LETTERS
from isomatch.feedback.types import Kind as FeedbackKind
from isomatch.link.candidates import KINDS
from isomatch.options import (
    CHOICES,
    InterpreterName,
    Options,
    PrizeOptions,
    RetrieverName,
    spaced,
)

GraphName = Annotated[
    str | None,
    Field(description="Name of the graph, see GET /v1/graphs; not needed where there is one."),
]
PatternForm = Annotated[
    str | dict[str, Any] | list[Any],
    Field(
        description="A pattern: its text form, its JSON form, or triples.",
        examples=['(?film:film)-[directed by]-("Michael Mann")'],
    ),
]
WithQuery = Annotated[
    bool | Literal["answers"],
    Field(
        description="Also give the best interpretation as a query (Cypher or SPARQL); `answers`: "
        "as SPARQL whose rows are the answers and nothing else."
    ),
]
Kind = Literal["node", "relation", "type"]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def _options_model(name: str, *of: type) -> type[_Request]:
    """A model of the fields of option classes; what is not given stays at their defaults."""
    known: dict[str, Any] = {}
    for options in of:
        hints = get_type_hints(options)
        for field in fields(options):
            default: Any = {"default": field.default}
            hint = hints[field.name]
            if words := CHOICES.get(field.name):  # "as-drawn", as on the command line
                hint = Annotated[hint, BeforeValidator(partial(spaced, words=words))]
            known.setdefault(field.name, (hint, Field(None, json_schema_extra=default)))
    return create_model(name, __base__=_Request, **known)


SearchOptions = _options_model("SearchOptions", Options)
AskOptions = _options_model("AskOptions", Options, PrizeOptions)


class MatchRequest(_Request):
    """A pattern to search."""

    graph: GraphName = None
    pattern: PatternForm
    options: SearchOptions = Field(default_factory=SearchOptions)  # type: ignore[valid-type]
    query: WithQuery = False


class ExplainRequest(MatchRequest):
    """A pattern whose search is to be explained; ``query`` runs the search."""


class AskRequest(_Request):
    """A question."""

    graph: GraphName = None
    question: str = Field(
        min_length=1,
        max_length=10_000,
        description="In plain words; a pattern where the interpreter is `given`.",
        examples=["which films did Michael Mann direct"],
    )
    interpreter: InterpreterName = Field("auto", description="What reads the question.")
    retriever: RetrieverName = Field("pattern", description="How the facts are found.")
    topics: list[str] | None = Field(
        None, description="Names of the entities that it is about; null to find them."
    )
    options: AskOptions = Field(default_factory=AskOptions)  # type: ignore[valid-type]
    query: WithQuery = False


class FindRequest(_Request):
    """A text whose meanings are to be found."""

    graph: GraphName = None
    text: str = Field(
        min_length=1,
        max_length=1_000,
        description="A name, or words for a relation or type.",
        examples=["Micheal Mann"],
    )
    kinds: list[Kind] = Field(list(KINDS), min_length=1, description="What to find.")
    limit: int = Field(10, ge=1, le=100, description="Most entries of each kind.")


class NeighbourhoodRequest(_Request):
    """Nodes whose facts are to be read."""

    graph: GraphName = None
    nodes: list[str] = Field(
        min_length=1, max_length=20, description="Ids of nodes, or what names one node."
    )
    limit: int = Field(50, ge=1, le=1_000, description="Most facts.")


class NodesRequest(_Request):
    """Nodes whose names and types are to be read."""

    graph: GraphName = None
    nodes: list[str] = Field(min_length=1, max_length=1_000, description="Ids of nodes.")


class FeedbackRequest(_Request):
    """What somebody says about an answer; see `isomatch.feedback.types.Feedback`."""

    graph: GraphName = None
    question: str = Field(min_length=1, max_length=MOST_LETTERS, description="As it was asked.")
    kind: FeedbackKind = Field(
        description="`reading`: another reading was chosen; `up`, `down`: a thumb; `answer`: "
        "answers were typed."
    )
    read_pattern: PatternForm | None = Field(None, description="What the question was read as.")
    pattern: PatternForm | None = Field(
        None, description="What was chosen in its place (`reading`); else what it was read as."
    )
    answers: list[str] = Field([], max_length=1_000, description="The right answers.")
    comment: str = Field("", max_length=MOST_LETTERS, description="In your own words.")
    reading: dict[str, Any] | None = Field(None, description="`reading` of the answer.")


class SchemaRequest(_Request):
    """What of a schema to give."""

    model_config = ConfigDict(strict=False)  # it is of texts, in an address

    graph: GraphName = None
    focus: str | None = Field(
        None, max_length=1_000, description="Words: what is nearest to them comes first."
    )
    limit: int = Field(100, ge=1, le=1_000, description="Most types, and most relations.")
