"""Indexing data: questions that say one relation each, in both directions.

After GSR (Huang et al., EMNLP Findings 2024, section 4.2): up to ten questions for every
relation, made of templates and of triples of the graph, so that a model learns which
relations there are, how they are said and what they are between. The words come from the
lexicon where GSR asks GPT-4 for templates.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from isomatch.chains.graph import Step
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
    from isomatch.session import Session

NUMBER = 10
NAMED = 3  # of ten are made of the relation's own name, the others of the lexicon's words
ENDS = 100  # a node with more is said without one of them


def index_examples(
    session: Session, lexicon: Lexicon, *, number: int = NUMBER, seed: int = SEED
) -> Iterator[Example]:
    """For every relation and direction up to ``number`` questions, all different.

    Args:
        session: store, schema and index of the graph.
        lexicon: the words of relations and types.
        seed: the same gives the same, in every store.

    Raises:
        ConfigurationError: the index was made without nodes.
        StoreError: the database failed.
    """
    walker, verbaliser = Walker(session.store, session.schema), Verbaliser(lexicon)
    texts = {r.id: r.text for r in session.schema.relations}
    seen: set[tuple[Step, str]] = set()
    places: dict[Step, int] = {}
    for step, topic, ids in Sampler(session, seed).steps(number):
        relation = texts[step.relation]
        place = places[step] = places.get(step, -1) + 1
        chosen = f"{seed} {relation} {step.back} {topic}"
        chance = random.Random(chosen)  # noqa: S311 - repeatable, not secret
        if place % NUMBER < NAMED:
            other = _other(session, walker, step, ids)
            text = chance.choice(_lines(relation, step.back, other))
        else:
            text = verbaliser.question((step,), chance)
        if (step, text) not in seen:
            seen.add((step, text))
            yield Example("index", text, (((step,), 1.0),), "index", f"index:{len(seen)}")


def _other(session: Session, walker: Walker, step: Step, ids: Sequence[str]) -> str | None:
    """The name of what a step leads to, the first of all; None where those are many."""
    [ends] = walker.ends(ids, [(step,)], ENDS)
    names = session.index.name_of(sorted(ends.ids))
    found = sorted(names.get(id) or display_name(id) for id in ends.ids)
    return found[0] if found and not ends.cut and len(found[0]) <= LONGEST else None


def _lines(relation: str, back: bool, other: str | None) -> list[str]:
    text = (
        templates("isomatch.learn", "templates")
        .get_template("index.j2")
        .render(relation=relation, back=back, other=other, topic=MASK)
    )
    return [line.strip() for line in text.splitlines() if line.strip()]
