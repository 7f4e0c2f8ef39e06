"""The nodes that a question is about: given by name, or found in it."""

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
from isomatch.phrasing import choices_words, clean

if TYPE_CHECKING:
    from isomatch.lexicon.mentions import Mention
    from isomatch.resources import Resources
    from isomatch.retrieve.types import Acceptance


@dataclass(frozen=True, slots=True)
class FoundTopics:
    """Ids of the nodes, and in words what was taken for a name or is not in the graph."""

    ids: tuple[str, ...]
    notes: tuple[str, ...]


def find_topics(
    resources: Resources, question: str, topics: Sequence[str] | None, acceptance: Acceptance
) -> FoundTopics:
    """The topics of a question.

    Args:
        topics: names of the entities that it is about; None to find them.
        acceptance: which node may be taken for a name that the graph lacks.

    Raises:
        InterpretationError: nothing in the graph has the name of a topic.
    """
    finder = resources.mentions
    mentions = finder.find(question) if topics is None else finder.given(question, topics)
    ids: dict[str, None] = {}
    notes = [*resources.about, *spelling_notes(mentions)]
    for mention in mentions:
        known = mention.ids or _nearest(resources, mention, acceptance, notes)
        if not known and topics is not None:
            notes.append(f"nothing in the graph is called “{clean(mention.text)}”")
        ids.update(dict.fromkeys(known))
    if not ids:
        raise InterpretationError(
            f"no name of the graph was found in {question!r}; put the name in quotes or "
            "[brackets], or say what it is about"
        )
    return FoundTopics(tuple(ids), tuple(notes))


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
