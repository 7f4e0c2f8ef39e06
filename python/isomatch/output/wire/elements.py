"""Elements of the graph, and what words were taken to mean."""

from __future__ import annotations

from pydantic import ConfigDict, JsonValue, with_config
from typing_extensions import NotRequired, TypedDict

from isomatch.link.candidates import Kind
from isomatch.link.find import Spelling


@with_config(ConfigDict(use_attribute_docstrings=True))
class Documented(TypedDict):
    """Has the texts under its keys as their descriptions.

    pydantic reads those of a class itself only: what others inherit has its text in a `Field`.
    """


class Bound(Documented):
    """An element of the graph: a node, a value, a relation."""

    id: str
    """IRI, or in Neo4j what identifies the element; of a value its literal."""
    name: str
    """What it is called; a value as it is written."""


class Triple(Documented):
    """A fact as the database stores it."""

    source: Bound
    """The node that it leaves."""
    relation: Bound
    """What holds between them."""
    target: Bound
    """The node, or the value, that it leads to."""
    id: NotRequired[str]
    """The relationship's own, in a property graph."""
    properties: NotRequired[dict[str, JsonValue]]
    """Of the relationship, where it has some."""


class Choice(Documented):
    """One choice of an interpretation: a part of the pattern and its element of the graph."""

    part: str
    """``node``, ``relation`` or ``type``."""
    text: str
    """The pattern's words."""
    id: str
    """The element of the graph."""
    name: str
    """The one of its names that was compared."""
    distance: float
    """What it adds to the distance of the interpretation; 0 for the same words."""
    called: str | None
    """What it is called, where that is another of its names."""
    ids: NotRequired[list[str]]
    """Of several values or nodes that the words mean together, those that have a match."""


class Finding(Documented):
    """An element of the graph that a text may mean."""

    kind: Kind
    """What it is."""
    id: str
    """Of the element."""
    name: str
    """The one of its names that was compared."""
    distance: float
    """From the text, 0 to 2."""
    spelling: Spelling
    """``same`` but for case, accents and punctuation, ``one edit`` away, or ``other``."""


class Found(Documented):
    """What a text may mean, kind by kind, best first: ``isomatch find --json``."""

    text: str
    """As given."""
    found: list[Finding]
    """For each kind, best first."""
