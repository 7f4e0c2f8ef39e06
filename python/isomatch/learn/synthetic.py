"""Questions made from the graph alone: sampled chains, said by templates or by a model.

For teams without questions of their own, or with few. How good they are depends on
the lexicon's words more than on anything else; its draft is enough to start with.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from isomatch.chains.graph import Chain
from isomatch.learn.examples import Example
from isomatch.learn.question_templates import Verbaliser
from isomatch.lexicon.lexicon import Lexicon
from isomatch.seed import SEED
from isomatch.trained.masking import MASK

if TYPE_CHECKING:
    from isomatch.llm import ChatModel

FORMS = 5  # that a model sees of a chain
ASKED = 10  # questions that it is asked for
LONGEST = 300  # characters of one
_PLACE = "[X]"  # models take it for a name more readily than [MASK]

Sampled = tuple[str, Sequence[str], Chain]


def synthesise(
    lexicon: Lexicon,
    sampled: Iterable[Sampled],
    *,
    seed: int = SEED,
    model: ChatModel | None = None,
) -> Iterator[Example]:
    """A question for each sampled chain, as a stream.

    Args:
        lexicon: the words of relations and types.
        sampled: (topic's name, its ids, chain), as of
            `isomatch.learn.sampling.sample_chains`.
        seed: of the choice among the ways to say a chain.
        model: asked once for each different chain for further ways; where what it
            says cannot be used, the templates' words are.

    Raises:
        ModelError: the model's endpoint failed.
    """
    verbaliser = Verbaliser(lexicon)
    said: dict[Chain, list[str]] = {}
    for number, (_, _, chain) in enumerate(sampled):
        chance = random.Random(f"{seed} {number}")  # noqa: S311 - repeatable, not secret
        text = verbaliser.question(chain, chance)
        if model is not None:
            if chain not in said:
                said[chain] = reworded(verbaliser, chain, chance, model)
            text = chance.choice([text, *said[chain]])
        yield Example("retrieval", text, ((chain, 1.0),), "synthetic", f"synthetic:{number}")


def reworded(
    verbaliser: Verbaliser, chain: Chain, chance: random.Random, model: ChatModel
) -> list[str]:
    """What a model makes of a chain in words; lines that lost the topic are dropped.

    Raises:
        ModelError: the model's endpoint failed.
    """
    from isomatch.llm import prompt
    from isomatch.llm.reply import without_thoughts

    forms = sorted({verbaliser.question(chain, chance, _PLACE) for _ in range(FORMS)})
    asked = prompt("isomatch.learn", "questions.j2", questions=forms, number=ASKED)
    reply = without_thoughts(model.complete([{"role": "user", "content": asked}]))
    lines = (line.strip().lstrip("-*0123456789.) ") for line in reply.splitlines())
    return [
        line.replace(_PLACE, MASK)
        for line in dict.fromkeys(lines)
        if line.count(_PLACE) == 1 and len(line) <= LONGEST
    ]
