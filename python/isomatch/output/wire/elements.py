"""Elements of the graph, and what words were taken to mean."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, JsonValue
from typing_extensions import NotRequired, TypedDict

from isomatch.link.candidates import Kind
from isomatch.link.find import Spelling


class Bound(TypedDict):
    """An element of the graph: a node, a value, a relation."""

    id: Annotated[
        str,
        Field(description="IRI, or in Neo4j what identifies the element; of a value its literal."),
    ]
    name: Annotated[str, Field(description="What it is called; a value as it is written.")]


class Triple(TypedDict):
    """A fact as the database stores it."""

    source: Annotated[Bound, Field(description="The node that it leaves.")]
    relation: Annotated[Bound, Field(description="What holds between them.")]
    target: Annotated[Bound, Field(description="The node, or the value, that it leads to.")]
    id: NotRequired[
        Annotated[
            str,
            Field(description="The relationship's own, in a property graph."),
        ]
    ]
    properties: NotRequired[
        Annotated[
            dict[str, JsonValue],
            Field(description="Of the relationship, where it has some."),
        ]
    ]


class Choice(TypedDict):
    """One choice of an interpretation: a part of the pattern and its element of the graph."""

    part: Annotated[str, Field(description="``node``, ``relation`` or ``type``.")]
    text: Annotated[str, Field(description="The pattern's words.")]
    id: Annotated[str, Field(description="The element of the graph.")]
    name: Annotated[str, Field(description="The one of its names that was compared.")]
    distance: Annotated[
        float,
        Field(
            description="What it adds to the distance of the interpretation; 0 for the same words."
        ),
    ]
    called: Annotated[
        str | None,
        Field(description="What it is called, where that is another of its names."),
    ]
    ids: NotRequired[
        Annotated[
            list[str],
            Field(
                description="Of several values or nodes that the words mean together, those "
                "that have a match."
            ),
        ]
    ]


class Finding(TypedDict):
    """An element of the graph that a text may mean."""

    kind: Annotated[Kind, Field(description="What it is.")]
    id: Annotated[str, Field(description="Of the element.")]
    name: Annotated[str, Field(description="The one of its names that was compared.")]
    distance: Annotated[float, Field(description="From the text, 0 to 2.")]
    spelling: Annotated[
        Spelling,
        Field(
            description="``same`` but for case, accents and punctuation, ``one edit`` or "
            "``two edits`` away, or ``other``."
        ),
    ]


class Found(TypedDict):
    """What a text may mean, kind by kind, best first: ``isomatch find --json``."""

    text: Annotated[str, Field(description="As given.")]
    found: Annotated[list[Finding], Field(description="For each kind, best first.")]
