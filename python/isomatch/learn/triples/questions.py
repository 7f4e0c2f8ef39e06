"""Questions of a set as the scorer of triples learns from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from isomatch.learn.triples.data import TripleQuestion

if TYPE_CHECKING:
    from isomatch.chains.graph import Chain
    from isomatch.questions.datasets import Question

    Kept = Sequence[tuple[str, Chain]]


def triple_questions(
    questions: Iterable[Question],
    ids: Callable[[str], Sequence[str]],
    chains: Mapping[str, Kept] | None = None,
) -> Iterator[TripleQuestion]:
    """Questions with their topics and answers as nodes.

    Args:
        ids: nodes of a name.
        chains: (name of the topic, chain) of those that explain a question, by its id;
            None where the shortest paths count. Questions without one are left out.
    """
    for question in questions:
        kept: Kept = ()
        if chains is not None:
            kept = chains.get(question.id, ())
            if not kept:
                continue
        yield TripleQuestion(
            question.id,
            question.text,
            tuple(dict.fromkeys(id for name in question.topics for id in ids(name))),
            tuple(dict.fromkeys(id for name in question.answers for id in ids(name))),
            tuple((tuple(ids(topic)), chain) for topic, chain in kept),
        )
