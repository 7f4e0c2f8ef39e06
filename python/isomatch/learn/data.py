"""What a training run learns from: labelled questions, indexing data, made-up questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from isomatch.errors import ConfigurationError
from isomatch.learn.events import Event, Watch
from isomatch.learn.examples import Example
from isomatch.questions.sets import QuestionSet, by_row, by_text, check_names, limited

if TYPE_CHECKING:
    from isomatch.learn.weak import Rule, WeakLabels
    from isomatch.questions.datasets import Question
    from isomatch.session import Session

Split = Literal["none", "row", "text"]


def training_side(
    questions: QuestionSet, split_by: Split, share: float, seed: int, hops: int | None = None
) -> QuestionSet:
    """The questions that a run may learn from; an evaluation with the same seed has the others.

    Args:
        split_by: ``row`` or ``text`` leaves the rest of a set to testing, see
            `isomatch.questions.sets`; ``none`` takes all.
        share: of the questions that are learnt from.
        hops: of those, only questions of so many relations.
    """
    chosen: Sequence[Question] = questions.questions
    if split_by != "none":
        chosen, _ = (by_row if split_by == "row" else by_text)(chosen, share, seed)
    chosen = tuple(q for q in chosen if hops is None or q.hops == hops)
    ids = {question.id for question in chosen}
    parts = tuple(p for p in questions.parts if any(q.id in ids for q in p.questions))
    side = {"split_by": split_by, "share": share, "seed": seed, "hops": hops}
    return replace(questions, questions=chosen, parts=parts, taken={**questions.taken, **side})


def label_questions(
    session: Session,
    questions: QuestionSet,
    rule: Rule,
    limit: int | None,
    seed: int,
    strict: bool,
    work: Path,
    watch: Watch,
) -> tuple[WeakLabels, QuestionSet]:
    """The questions' chains, ties settled as far as they can be without a model."""
    from isomatch.learn.tie_breaking import settle
    from isomatch.learn.weak import Labeller

    checked = check_questions(session, questions, limit, seed, strict)
    labeller = Labeller(
        session,
        rule,
        seed=seed,
        model=session.model if rule == "model" else None,
        mentions=partial(names_in, session),
    )
    labels = labeller.run(
        checked.questions, work / "labels", lambda done, total: watch(Event("label", done, total))
    )
    return settle(labels), checked


def names_in(session: Session, text: str) -> tuple[str, ...]:
    """The names of the graph in a text, for questions that do not say what they are about."""
    return tuple(dict.fromkeys(m.text for m in session.mentions.find(text) if m.ids))


def check_questions(
    session: Session, questions: QuestionSet, limit: int | None, seed: int, strict: bool
) -> QuestionSet:
    """The questions that are learnt from, without those that the graph knows nothing of."""
    from isomatch.learn.entities import Entities

    chosen = replace(questions, questions=limited(questions.questions, limit, seed))
    checked = check_names(chosen, Entities(session.index).known, strict=strict)
    if not checked.questions:
        first = f"; the first problem: {checked.problems[0]}" if checked.problems else ""
        raise ConfigurationError(
            f"none of the {len(chosen.questions):,} questions of {questions.name} is about this "
            f"graph{first}"
        )
    return checked


def index_questions(session: Session, seed: int, watch: Watch) -> list[Example]:
    """Questions for every relation, so that the model knows which there are."""
    from isomatch.learn.indexing import NUMBER as INDEXED
    from isomatch.learn.indexing import index_examples

    most = 2 * INDEXED * len(session.schema.relations)  # in each direction
    made: list[Example] = []
    for example in index_examples(session, session.lexicon, number=INDEXED, seed=seed):
        made.append(example)
        watch(Event("index", len(made), most))
    watch(Event("index", len(made), len(made)))
    return made


def synthetic_questions(
    session: Session, number: int, seed: int, reword: bool, watch: Watch
) -> list[Example]:
    """Questions made of chains that are sampled from the graph."""
    if number < 1:
        return []
    from isomatch.learn.sampling import sample_chains
    from isomatch.learn.synthetic import synthesise

    if reword and session.model is None:
        raise ConfigurationError(
            "rewording synthetic questions needs a language model: set ISOMATCH_MODEL, or "
            "leave --reword out"
        )
    sampled = sample_chains(session, number, seed=seed)
    model = session.model if reword else None
    made: list[Example] = []
    for example in synthesise(session.lexicon, sampled, seed=seed, model=model):
        made.append(example)
        watch(Event("synthesise", len(made), number))
    return made


def origin(asked: QuestionSet | None, limit: int | None) -> dict[str, Any]:
    """What a model's config says of the questions, so that an evaluation can ask others."""
    return {"questions_from": {**asked.taken, "limit": limit} if asked else None}
