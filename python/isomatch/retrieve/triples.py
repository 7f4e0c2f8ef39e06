"""The triples around a question's topics, scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from isomatch.errors import InterpretationError
from isomatch.lexicon.mentions import spelling_notes
from isomatch.link.linker import link
from isomatch.match.types import Choice
from isomatch.options import Options
from isomatch.pattern.types import Edge, Node, Pattern
from isomatch.phrasing import choices_words

if TYPE_CHECKING:
    from isomatch.lexicon.mentions import Mention
    from isomatch.resources import Resources
    from isomatch.retrieve.types import Acceptance
    from isomatch.triples.ranking import ScoredTriple, TripleRanker

TRIPLES = 100  # as published (SubgraphRAG, section 4.2); the token budget may cut more


@dataclass(frozen=True, slots=True)
class ScoredTriples:
    """The best triples around a question's topics.

    Attributes:
        triples: best first.
        topics: ids of the nodes that they were looked for around.
        notes: in words: what was taken for a topic, and which part of its
            neighbourhood was left out.
    """

    triples: tuple[ScoredTriple, ...]
    topics: tuple[str, ...]
    notes: tuple[str, ...]


def score_triples(
    resources: Resources,
    ranker: TripleRanker,
    question: str,
    topics: Sequence[str] | None,
    acceptance: Acceptance,
    k: int,
) -> ScoredTriples:
    """The best ``k`` triples around the topics of a question.

    Args:
        ranker: scores them.
        topics: names of the entities that the question is about; None to find them.
        acceptance: which node may be taken for a name that the graph lacks.

    Raises:
        InterpretationError: nothing in the graph has the name of a topic.
        StoreError, VectorIndexError, EmbeddingError: a part failed.
    """
    finder = resources.mentions
    mentions = finder.find(question) if topics is None else finder.given(question, topics)
    ids: dict[str, None] = {}
    notes = list(spelling_notes(mentions))
    for mention in mentions:
        known = mention.ids or _nearest(resources, mention, acceptance, notes)
        ids.update(dict.fromkeys(known))
    if not ids:
        raise InterpretationError(
            f"no name of the graph was found in {question!r}; put the name in quotes or "
            "[brackets], or say what it is about"
        )
    hood = ranker.neighbourhood(list(ids))
    best = ranker.best(hood, ranker.scores(question, hood), k)
    return ScoredTriples(tuple(best), tuple(ids), (*notes, *hood.notes))


def _nearest(
    resources: Resources, mention: Mention, acceptance: Acceptance, notes: list[str]
) -> Sequence[str]:
    """The node of the nearest name, where it is near enough to be meant."""
    pattern = Pattern((Node("topic", mention.text), Node("x")), (Edge("topic", None, "x"),))
    linked = link(pattern, resources.index, resources.embedder, resources.schema, Options())
    for candidates in linked.nodes.values():
        for nearest in list(candidates)[:1]:
            choice = Choice("node", mention.text, nearest.id, nearest.name, nearest.distance)
            if acceptance.is_near(choice):
                notes.append(choices_words([choice]))
                return (nearest.id,)
    return ()
