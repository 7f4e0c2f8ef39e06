"""The JSON form as pydantic models, imported when JSON is first read.

Only the shape is checked here; the rules of a pattern are checked by
`isomatch.pattern.types.find_fault`, as for every form.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from isomatch.pattern.elements import EachFunction, Function
from isomatch.pattern.optional import MOST_OPTIONAL
from isomatch.pattern.types import (
    MAX_EDGES,
    MOST_CONSTANTS,
    MOST_NESTED,
    Operator,
    PartOperator,
)

EXAMPLE: dict[str, JsonValue] = {
    "nodes": [{"id": "film", "type": "film"}, {"id": "mann", "text": "Michael Mann"}],
    "edges": [{"source": "film", "relation": "directed by", "target": "mann"}],
    "return": ["film"],
}


class WireNode(BaseModel):
    """A node of a pattern: known where it has a text, else unknown."""

    model_config = ConfigDict(extra="forbid", title="Node")

    id: str = Field(description="Unique in the pattern; letters, digits and underscores.")
    text: str | None = Field(
        default=None, description="The name to look for; absent for an unknown node."
    )
    type: str | None = Field(
        default=None, description="The kind of thing it should be, in words; absent for any."
    )
    every: bool = Field(
        default=False,
        strict=True,
        description="Whether it stands for all nodes of the name, and may be returned and counted.",
    )


class WireEdge(BaseModel):
    """An edge of a pattern, between the ids of two of its nodes."""

    model_config = ConfigDict(extra="forbid", title="Edge")

    source: str = Field(description="Id of the node that the edge leaves.")
    relation: str | None = Field(
        default=None, description="The relation in words; absent for an unknown one."
    )
    target: str = Field(description="Id of the node that the edge enters.")
    value: str | None = Field(
        default=None,
        description="Id of a node that is a value on the edge, such as the role of an actor; "
        "it is no end of an edge.",
    )
    key: str | None = Field(
        default=None,
        description="The property of the relationship that the value is of; absent for any.",
    )
    directed: bool = Field(
        default=False,
        strict=True,
        description="Whether it is matched from source to target only.",
    )


class WireCondition(BaseModel):
    """What the value of an unknown node must be."""

    model_config = ConfigDict(extra="forbid", title="Condition")

    node: str = Field(description="Id of an unknown node of the pattern.")
    operator: Operator = Field(description="How the value compares with the constants.")
    values: list[str] = Field(
        default=[],
        description="The constants as texts: one, two for between, or for in up to 1,000; absent "
        "with another node.",
        json_schema_extra={"maxItems": MOST_CONSTANTS},
    )
    other: str | None = Field(
        default=None, description="Id of another unknown node, which the node is compared with."
    )
    counted: bool = Field(
        default=False,
        strict=True,
        description="Whether what is compared is how many different things the node stands for in "
        "the matches of each answer.",
    )
    function: Function | None = Field(
        default=None,
        description="What is compared is what this gives of the values in the matches of each "
        "answer; absent for the values, and with counted.",
    )
    either: list[WireCondition] = Field(
        default=[],
        alias="or",
        description="Further conditions on the same node, of which one is enough instead.",
    )


class WirePart(BaseModel):
    """What unknown nodes must be, by the answers of another pattern."""

    model_config = ConfigDict(extra="forbid", title="Part")

    nodes: list[str] = Field(
        description="Ids of unknown nodes of the pattern that has the part, one for each answer "
        "of the other pattern.",
        json_schema_extra={"minItems": 1},
    )
    operator: PartOperator = Field(description="How the nodes compare with the answers.")
    pattern: WirePattern = Field(description="The other pattern, with nodes of its own.")
    alternative: bool = Field(
        default=False,
        strict=True,
        description="Whether it is enough instead of the part before it; both are in, with the "
        "same nodes.",
    )


class WireOrder(BaseModel):
    """Which answers are kept: those with the greatest or least values."""

    model_config = ConfigDict(extra="forbid", title="Order")

    node: str = Field(description="Id of the unknown node whose values are ordered.")
    descending: bool = Field(
        default=False, strict=True, description="Whether the greatest come first."
    )
    limit: int | None = Field(
        default=None,
        strict=True,
        description="How many different answers are kept, and all that share the last place; "
        "absent for all.",
        json_schema_extra={"minimum": 1},
    )
    counted: bool = Field(
        default=False,
        strict=True,
        description="Whether answers are ordered by how many different things the node stands for.",
    )
    function: Function | None = Field(
        default=None,
        description="Answers are ordered by what this gives of the values in the matches of each; "
        "absent for the values, and with counted.",
    )
    offset: int = Field(
        default=0,
        strict=True,
        description="How many places are passed over before the limit, each with all answers that "
        "share it: 1, with a limit of 1, for the second largest.",
        json_schema_extra={"minimum": 0},
    )


class WireEach(BaseModel):
    """What is worked out for each answer."""

    model_config = ConfigDict(extra="forbid", title="Each")

    function: EachFunction = Field(description="What is worked out of the answer's matches.")
    node: str = Field(description="Id of an unknown node that is not returned.")


class WireOptional(BaseModel):
    """A part that gives output columns only: its edges, where a match has them."""

    model_config = ConfigDict(extra="forbid", title="Optional")

    nodes: list[WireNode] = Field(
        description="Unknown ones with the id of one of the pattern are that node; at least one "
        "is, and at least one is not."
    )
    edges: list[WireEdge] = Field(
        description="As those of a pattern.",
        json_schema_extra={"minItems": 1, "maxItems": MAX_EDGES},
    )


class WirePattern(BaseModel):
    """What the subgraph that answers a question should look like.

    Every connected part of it has a known node or a known relation.
    """

    model_config = ConfigDict(
        extra="forbid", title="Pattern", json_schema_extra={"examples": [EXAMPLE]}
    )

    nodes: list[WireNode] = Field(
        description="In order; every node has an edge, or is on one, or is alone and has a type."
    )
    edges: list[WireEdge] = Field(
        description="Parallel edges and loops are allowed. None for a node alone.",
        json_schema_extra={"maxItems": MAX_EDGES},
    )
    returns: list[str] = Field(
        default=[],
        alias="return",
        description="Ids of the unknown nodes that are asked for; all of them when absent.",
    )
    count: str | None = Field(
        default=None,
        description="Id of the unknown node that is counted; it excludes return.",
    )
    where: list[WireCondition] = Field(
        default=[], description="Conditions that every match satisfies."
    )
    parts: list[WirePart] = Field(
        default=[],
        description="Further conditions, by the answers of other patterns; nested at most "
        f"{MOST_NESTED} deep.",
    )
    order: WireOrder | None = Field(default=None, description="Which of the answers are kept.")
    sum: str | None = Field(
        default=None, description="Id of the unknown node whose values are added; excludes return."
    )
    avg: str | None = Field(default=None, description="The same, for the average of its values.")
    min: str | None = Field(default=None, description="The same, for the least of its values.")
    max: str | None = Field(default=None, description="The same, for the greatest of its values.")
    ask: bool = Field(
        default=False,
        strict=True,
        description="Whether it asks only if there is a match; it excludes return, count, sum and "
        "the like, and order.",
    )
    each: list[WireEach] = Field(
        default=[],
        description="What is worked out for each answer that return names: how many different "
        "things another node stands for, or the sum and the like of its values.",
    )
    optional: list[WireOptional] = Field(
        default=[],
        description="Parts for output columns: matches are those of the pattern without them, and "
        "their own unknown nodes, which may be returned, are empty where a part has nothing.",
        json_schema_extra={"maxItems": MOST_OPTIONAL},
    )
