"""Graphs from Turtle, in memory."""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox

import isomatch


def graph_of(turtle: str | bytes) -> ox.Store:
    """A graph in memory."""
    graph = ox.Store()
    graph.load(turtle, ox.RdfFormat.TURTLE)
    return graph


def opened(turtle: str | bytes, **options: Any) -> isomatch.Session:
    """A session over a graph in memory; ``options`` are those of `isomatch.open`."""
    return isomatch.open(graph_of(turtle), **options)
