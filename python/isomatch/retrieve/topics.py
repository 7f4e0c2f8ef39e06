"""The nodes that a question is about: given by name, or found in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from isomatch.errors import InterpretationError
from isomatch.lexicon.substitutions import spelling_notes
from isomatch.link.linker import link
from isomatch.link.normalise import normalise
from isomatch.options import Options
from isomatch.pattern.types import Edge, Node, Pattern
from isomatch.phrasing import clean

if TYPE_CHECKING:
    from isomatch.lexicon.mention import Mention
    from isomatch.resources import Resources


@dataclass(frozen=True, slots=True)
class FoundTopics:
    """Ids of the nodes, and in words what was misspelt or is not in the graph."""

    ids: tuple[str, ...]
    notes: tuple[str, ...]


def find_topics(resources: Resources, question: str, topics: Sequence[str] | None) -> FoundTopics:
    """The topics of a question.

    Args:
        topics: names of the entities that it is about; None to find them.

    Raises:
        InterpretationError: nothing in the graph has the name of a topic.
    """
    finder = resources.mentions
    mentions = finder.find(question) if topics is None else finder.given(question, topics)
    ids: dict[str, None] = {}
    notes = [*resources.about, *spelling_notes(mentions, finder.language)]
    known = len(notes)
    for mention in mentions:
        ids.update(dict.fromkeys(mention.ids or _looked_up(resources, mention, notes)))
    if not ids:
        said = "".join(f"; {note}" for note in notes[known:])
        raise InterpretationError(
            f"no name of the graph was found in {question!r}{said}: put the name in quotes or "
            "[brackets], or say what it is about"
        )
    return FoundTopics(tuple(ids), tuple(notes))


def _looked_up(resources: Resources, mention: Mention, notes: list[str]) -> Sequence[str]:
    """The node of a name that is not among those that the session keeps.

    A merely near name is not taken: the facts would be about another thing, and nothing in
    them would say so.
    """
    pattern = Pattern((Node("topic", mention.text), Node("x")), (Edge("topic", None, "x"),))
    linked = link(pattern, resources.index, resources.embedder, resources.schema, Options())
    nearest = next((one for names in linked.nodes.values() for one in list(names)[:1]), None)
    if nearest is not None and normalise(nearest.name) == normalise(mention.text):
        return (nearest.id,)
    near = f"; the nearest name is “{clean(nearest.name)}”" if nearest is not None else ""
    notes.append(f"nothing in the graph is called “{clean(mention.text)}”{near}")
    return ()
