"""Questions with two names: what is related to both.

"Which films did A direct and B star in" is ``(A)-[r]-(?x)-[s]-(B)``. Both
relations take their own stretch of the question, the left name's before the
right one's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING

from isomatch.chains.graph import Step
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mention import Mention
from isomatch.lexicon.rank import IDLE, LONGEST, Ranker, Stretch, gains
from isomatch.lexicon.verbalise import STYLES, step_words
from isomatch.pattern.types import Edge, Node, Pattern

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

Pair = tuple[Step, Step]


def align_pairs(
    ranker: Ranker,
    question: str,
    left: Mention,
    right: Mention,
    steps: tuple[Sequence[Step], Sequence[Step]],
) -> Mapping[Pair, float]:
    """The alignment of each pair of steps with the question's other words."""
    function_words = ranker.lexicon.language.function_words
    parts = _stretches(question, left, right, function_words)
    weights = ranker.weights(parts)
    lefts, rights = (gains(ranker.similarity(s, parts), weights) for s in steps)
    scores = _best(parts, lefts, rights).tolist()
    return {
        (step, other): scores[row][column]
        for row, step in enumerate(steps[0])
        for column, other in enumerate(steps[1])
    }


def _best(parts: Sequence[Stretch], lefts: Floats, rights: Floats) -> Floats:
    """For each left and right step the best two stretches, the first before the second.

    Either hop may go without one: "players in A from B" has no words for them.
    """
    import numpy as np

    length = max((p.far for p in parts), default=0)
    until = np.full((len(lefts), length + 1), -IDLE, np.float32)
    for number, part in enumerate(parts):
        until[:, part.far] = np.maximum(until[:, part.far], lefts[:, number])
    np.maximum.accumulate(until, axis=1, out=until)
    best = until[:, -1:] + np.full((1, len(rights)), -IDLE, np.float32)
    for number, part in enumerate(parts):
        best = np.maximum(best, until[:, part.near, None] + rights[None, :, number])
    return best


def _stretches(
    question: str, left: Mention, right: Mention, function_words: Set[str]
) -> list[Stretch]:
    """Stretches that cross neither mention; ``near`` and ``far`` count from the start."""
    pieces = (
        question[: left.start],
        question[left.end : right.start],
        question[right.end :],
    )
    found, offset = [], 0
    for piece in pieces:
        words = tokens(piece)
        for near in range(len(words)):
            for far in range(near + 1, min(near + LONGEST, len(words)) + 1):
                if any(w not in function_words for w in words[near:far]):
                    stretch = tuple(words[near:far])
                    found.append(Stretch(stretch, True, offset + near, offset + far))
        offset += len(words)
    return found


def verbalise_pair(lexicon: Lexicon, pair: Pair) -> list[str]:
    """What two steps from two topics lead to, in words."""
    first, second = (step_words(lexicon, step) for step in pair)
    return [
        f"what is {style(f'the {first.source}', first)} and {style(f'the {second.source}', second)}"
        for style in STYLES
    ]


def meeting_pattern(topics: tuple[str, str], walks: tuple[Sequence[str], Sequence[str]]) -> Pattern:
    """The pattern of two names and the node where a chain from each ends.

    Args:
        walks: for each name the relations' texts in order, with ``^`` before one
            that is walked against its direction.
    """
    between = len(walks[0]) + len(walks[1]) - 2
    answer = f"x{between + 1}"
    unknown = iter([f"x{i}" for i in range(1, between + 1)])
    edges = []
    for start, walk in zip(("topic", "other"), walks, strict=True):
        here = start
        for place, text in enumerate(walk, 1):
            there = answer if place == len(walk) else next(unknown)
            back = text.startswith("^")
            source, target = (there, here) if back else (here, there)
            edges.append(Edge(source, text[1:] if back else text, target, directed=True))
            here = there
    texts = dict(zip(("topic", "other"), topics, strict=True))
    mentioned = dict.fromkeys(end for e in edges for end in (e.source, e.target))
    return Pattern(tuple(Node(id, texts.get(id)) for id in mentioned), tuple(edges), (answer,))
