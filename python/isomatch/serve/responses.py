"""What is answered: the bodies of responses, as types.

Responses are made by `isomatch.serve.calls` and sent as they are; the types describe them.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import NotRequired, TypedDict

from isomatch.output import wire
from isomatch.serve.graphs import Database
from isomatch.serve.problems import Problem


class OfGraph(TypedDict):
    """Which graph a response is about."""

    graph: Annotated[str, Field(description="Name of the graph that was asked.")]


class MatchResponse(wire.Result, wire.ShownQuery, OfGraph):
    """What a pattern matches."""


class AskResponse(wire.Answer, wire.ShownQuery, OfGraph):
    """An answer to a question, with the facts that carry it and their proof."""


class ExplainResponse(wire.Explanation, OfGraph):
    """How a pattern would be searched."""


class QueryResponse(OfGraph):
    """The best reading of a pattern as a query."""

    query: Annotated[
        str | None,
        Field(description="In the language of the database; null where nothing was found."),
    ]


class FindResponse(wire.Found, OfGraph):
    """What a text may mean, kind by kind, best first."""


class TypedNode(TypedDict):
    """A node, and what it is."""

    id: Annotated[str, Field(description="As other calls take it.")]
    name: Annotated[str, Field(description="What it is called; its id where it has no name.")]
    types: Annotated[
        list[str],
        Field(description="The words of its types, the most special one first."),
    ]


class AskedNode(TypedNode):
    """A node that was asked for."""

    found: Annotated[
        bool | None,
        Field(description="Whether the graph has it; null where that could not be found out."),
    ]


class NodesResponse(OfGraph):
    """Names and types of nodes."""

    nodes: Annotated[list[AskedNode], Field(description="In the order of the request.")]


class NeighbourhoodResponse(OfGraph):
    """The facts of some nodes."""

    nodes: Annotated[
        list[TypedNode],
        Field(description="Those that were given, and all that the facts name."),
    ]
    triples: Annotated[list[wire.Triple], Field(description="The facts.")]
    cut: Annotated[bool, Field(description="Whether there are more.")]
    notes: Annotated[list[str], Field(description="What was cut, in words.")]


class TypeSummary(TypedDict):
    """A type (class or label) of a graph."""

    id: Annotated[
        str,
        Field(
            description="IRI of the class, or the label; kinds of values begin with ``literal:``."
        ),
    ]
    name: Annotated[str, Field(description="The words that stand for it.")]
    nodes: Annotated[int, Field(description="How many there are, without those of its subclasses.")]


# A class cannot have a key that is a keyword.
_Ends = TypedDict(
    "_Ends",
    {
        "from": Annotated[
            list[str], Field(description="The words of the types of its sources; most first.")
        ],
        "to": Annotated[
            list[str],
            Field(description="Those of its targets, or else the kinds of its values."),
        ],
    },
)


class RelationSummary(_Ends):
    """A relation of a graph."""

    id: Annotated[
        str,
        Field(
            description="IRI of the predicate; in Neo4j the relationship type or the property key."
        ),
    ]
    name: Annotated[str, Field(description="The words that stand for it.")]
    triples: Annotated[int, Field(description="How many facts of it there are.")]


class SchemaResponse(OfGraph):
    """Types and relations, the nearest to the focus first, else the most frequent."""

    nodes: Annotated[int, Field(description="How many nodes the graph has.")]
    facts: Annotated[int, Field(description="How many facts it has, without names and types.")]
    types: Annotated[list[TypeSummary], Field(description="Also kinds of values.")]
    relations: Annotated[list[RelationSummary], Field(description="Also properties.")]
    cut: Annotated[bool, Field(description="Whether there are more.")]
    notes: Annotated[list[str], Field(description="What was estimated or left out, in words.")]


class GraphSummary(TypedDict):
    """A graph that can be asked."""

    name: Annotated[str, Field(description="What requests call it.")]
    database: Annotated[
        Database,
        Field(description="What it is in: ``sparql`` is any SPARQL endpoint."),
    ]
    default: Annotated[bool, Field(description="Whether requests that name none mean it.")]


class GraphsResponse(TypedDict):
    """The graphs that can be asked."""

    graphs: Annotated[list[GraphSummary], Field(description="In the order of the settings.")]


class HealthResponse(TypedDict):
    """That the process is alive."""

    status: Annotated[Literal["ok"], Field(description="Always the same.")]
    version: Annotated[str, Field(description="Of isomatch.")]


class FeedbackResponse(OfGraph):
    """That feedback was kept."""

    id: Annotated[str, Field(description="Of what was kept.")]


class GraphState(TypedDict):
    """Whether a graph can be asked."""

    ready: Annotated[bool, Field(description="Whether its database and index answer.")]
    model: NotRequired[
        Annotated[
            Literal["none", "answers", "does not answer"],
            Field(description="The language model, which does not decide; where it is ready."),
        ]
    ]
    why: NotRequired[Annotated[str, Field(description="What fails; where it is not ready.")]]


class ReadyResponse(TypedDict):
    """Whether every graph can be asked."""

    status: Annotated[
        Literal["ready", "not ready", "stopping"], Field(description="Of the service.")
    ]
    graphs: NotRequired[
        Annotated[
            dict[str, GraphState],
            Field(description="By name, those of the key; not while it is stopping."),
        ]
    ]


class HypothesisForm(wire.Reading):
    """One way to understand a question."""

    pattern: Annotated[wire.Pattern, Field(description="What it looks for.")]


class UnderstoodEvent(TypedDict):
    """How a question is understood."""

    hypotheses: Annotated[list[HypothesisForm], Field(description="The most probable first.")]


class EvidenceEvent(TypedDict):
    """The facts at hand."""

    evidence: Annotated[list[wire.Evidence], Field(description="By number.")]


class TextEvent(TypedDict):
    """A piece of the text, as it is written."""

    text: Annotated[str, Field(description="Unchecked: the answer has the text that counts.")]


class ErrorEvent(TypedDict):
    """What went wrong."""

    problem: Annotated[Problem, Field(description="As the body of a response would be.")]


class AskEvents(TypedDict, total=False):
    """The data of each event of an answer that comes in pieces, by the event's name."""

    understood: Annotated[UnderstoodEvent, Field(description="First, where a pattern is made.")]
    evidence: Annotated[EvidenceEvent, Field(description="Before the text.")]
    text: Annotated[TextEvent, Field(description="One or more.")]
    certificate: Annotated[wire.Certificate, Field(description="What was proved, after the text.")]
    answer: Annotated[AskResponse, Field(description="Last: the whole, checked.")]
    error: Annotated[ErrorEvent, Field(description="Last, in place of the answer.")]


class Translation(TypedDict):
    """A question, and the query that was made of it (TEXT2SPARQL)."""

    dataset: Annotated[str, Field(description="As asked.")]
    question: Annotated[str, Field(description="As asked.")]
    query: Annotated[str, Field(description="SPARQL; its rows are the answers.")]


TYPES: tuple[type, ...] = (
    *(MatchResponse, AskResponse, ExplainResponse, QueryResponse, FindResponse),
    *(NeighbourhoodResponse, NodesResponse, SchemaResponse, GraphsResponse),
    *(FeedbackResponse, HealthResponse, ReadyResponse, Translation),
)
"""Of the bodies of responses."""
