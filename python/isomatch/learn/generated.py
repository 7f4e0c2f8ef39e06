"""Questions generated from the graph: indexing data and synthetic questions.

Indexing data state one relation each, in both directions, after GSR (Huang et al., EMNLP
Findings 2024, section 4.2), so that a model learns which relations there are, how they are
said and what they connect. The words come from the lexicon where GSR asks GPT-4.

Synthetic questions are sampled chains, put in words by templates or a language model, for
teams with few questions of their own. Their quality depends mostly on the lexicon's words;
its draft is enough to start with.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from isomatch.chains.graph import Chain, Step
from isomatch.learn.examples import Example
from isomatch.learn.question_templates import Verbaliser
from isomatch.learn.sampling import LONGEST, Sampler
from isomatch.learn.walks import Walker
from isomatch.lexicon.lexicon import Lexicon
from isomatch.seed import SEED
from isomatch.store.terms import display_name
from isomatch.texts import templates
from isomatch.trained.masking import MASK

if TYPE_CHECKING:
    from isomatch.llm import ChatModel
    from isomatch.resources import Resources

NUMBER = 10  # indexing questions per relation and direction
NAMED = 3  # of ten contain the relation's own name, the others the lexicon's words
ENDS = 100  # a node with more is asked about without naming one of them
FORMS = 5  # that a language model is shown of a chain
ASKED = 10  # questions that it is asked for
LONGEST_QUESTION = 300  # characters
_PLACE = "[X]"  # models take it for a name more readily than [MASK]

Sampled = tuple[str, Sequence[str], Chain]


def index_examples(
    resources: Resources, lexicon: Lexicon, *, number: int = NUMBER, seed: int = SEED
) -> Iterator[Example]:
    """Up to ``number`` different questions for every relation and direction.

    Args:
        resources: store, schema and index of the graph.
        lexicon: the words of relations and types.
        seed: the same seed gives the same questions, in every store.

    Raises:
        ConfigurationError: the index was made without nodes.
        StoreError: the database failed.
    """
    walker, verbaliser = Walker(resources.store, resources.schema), Verbaliser(lexicon)
    texts = {r.id: r.text for r in resources.schema.relations}
    seen: set[tuple[Step, str]] = set()
    places: dict[Step, int] = {}
    for step, topic, ids in Sampler(resources, seed).steps(number):
        relation = texts[step.relation]
        place = places[step] = places.get(step, -1) + 1
        chosen = f"{seed} {relation} {step.back} {topic}"
        chance = random.Random(chosen)  # noqa: S311 - repeatable, not secret
        if place % NUMBER < NAMED:
            other = _other(resources, walker, step, ids)
            text = chance.choice(_lines(relation, step.back, other))
        else:
            text = verbaliser.question((step,), chance)
        if (step, text) not in seen:
            seen.add((step, text))
            yield Example("index", text, (((step,), 1.0),), "index", f"index:{len(seen)}")


def _other(resources: Resources, walker: Walker, step: Step, ids: Sequence[str]) -> str | None:
    """The first name among a step's ends; None where there are many."""
    [ends] = walker.ends(ids, [(step,)], ENDS)
    names = resources.index.name_of(sorted(ends.ids))
    found = sorted(names.get(id) or display_name(id) for id in ends.ids)
    return found[0] if found and not ends.cut and len(found[0]) <= LONGEST else None


def _lines(relation: str, back: bool, other: str | None) -> list[str]:
    text = (
        templates("isomatch.learn", "templates")
        .get_template("index.j2")
        .render(relation=relation, back=back, other=other, topic=MASK)
    )
    return [line.strip() for line in text.splitlines() if line.strip()]


def synthesise(
    lexicon: Lexicon,
    sampled: Iterable[Sampled],
    *,
    seed: int = SEED,
    model: ChatModel | None = None,
) -> Iterator[Example]:
    """A question for each sampled chain, one by one.

    Args:
        lexicon: the words of relations and types.
        sampled: (topic's name, its ids, chain), as of
            `isomatch.learn.sampling.sample_chains`.
        seed: of the choice among the wordings of a chain.
        model: asked once per distinct chain for more wordings; where its reply cannot be
            used, the templates' wording is.

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
    """Wordings of a chain by a language model; lines without the topic are dropped.

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
        if line.count(_PLACE) == 1 and len(line) <= LONGEST_QUESTION
    ]
