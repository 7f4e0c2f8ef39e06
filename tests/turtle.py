"""Graphs from Turtle, in memory."""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox

import isomatch
from isomatch.errors import InterpretationError


def graph_of(turtle: str | bytes) -> ox.Store:
    """A graph in memory."""
    graph = ox.Store()
    graph.load(turtle, ox.RdfFormat.TURTLE)
    return graph


def opened(turtle: str | bytes, **options: Any) -> isomatch.Session:
    """A session over a graph in memory; ``options`` are those of `isomatch.open`."""
    return isomatch.open(graph_of(turtle), **options)


def asked(session: isomatch.Session, question: str) -> isomatch.Answer | None:
    """The answer to a question that is read without a model; None where it is refused."""
    try:
        answer = session.ask(question, interpreter="schema")
    except InterpretationError:
        return None
    return answer if answer.supported else None
