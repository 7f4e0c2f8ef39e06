"""A result as a drawing for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from isomatch.errors import MissingExtraError
from isomatch.phrasing import bound_words

if TYPE_CHECKING:
    from neo4j_viz import VisualizationGraph

    from isomatch.match.types import MatchResult

ANSWER = "#ffd86e"
OTHER = "#a5abb6"


def to_viz(result: MatchResult) -> VisualizationGraph:
    """The facts of all matches as one graph of ``neo4j-viz``; ``.render()`` draws it.

    Everything that a pattern node is bound to is a node, values too, so that a
    drawing of any store shows what was matched; what was asked for stands out.
    Ids are the graph's.

    Raises:
        MissingExtraError: neo4j-viz is not installed.
    """
    try:
        from neo4j_viz import Node, Relationship, VisualizationGraph
    except ImportError as error:
        raise MissingExtraError(
            "a result is drawn by neo4j-viz: pip install 'isomatch[viz]'"
        ) from error
    bound = {node.id: node for _, match in result.matches for node in match.bindings.values()}
    asked = {match.bindings[id].id for _, match in result.matches for id in result.pattern.answers}
    facts = dict.fromkeys(triple for _, match in result.matches for triple in match.triples)
    return VisualizationGraph(
        [
            Node(id=id, caption=bound_words(node), color=ANSWER if id in asked else OTHER)
            for id, node in bound.items()
        ],
        [
            Relationship(
                id=fact.id or str(number),
                source=fact.source.id,
                target=fact.target.id,
                caption=bound_words(fact.relation),
                properties=dict(fact.properties),
            )
            for number, fact in enumerate(facts)
        ],
    )
