"""What a training run learns from: labelled questions, indexing data, synthetic questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError
from isomatch.learn.choices import Rule
from isomatch.learn.config import GsrConfig, TrainConfig
from isomatch.learn.events import Event, Stage, Watch
from isomatch.learn.examples import Example
from isomatch.learn.generated import NUMBER, index_examples, synthesise
from isomatch.learn.sampling import sample_chains
from isomatch.learn.tie_breaking import settle
from isomatch.learn.walks import Entities
from isomatch.learn.weak import Labeller, WeakLabels
from isomatch.questions.datasets import SplitBy
from isomatch.questions.sets import QuestionSet, by_row, by_text, check_names, limited

if TYPE_CHECKING:
    from isomatch.questions.datasets import Question
    from isomatch.resources import Resources


def training_side(
    questions: QuestionSet, split_by: SplitBy, share: float, seed: int, hops: int | None = None
) -> QuestionSet:
    """The training side of a question set; an evaluation with the same seed has the rest.

    Args:
        split_by: how the set is split, see `isomatch.questions.sets`; ``none`` takes all.
        share: of the questions, for training.
        hops: of those, only questions of so many relations.
    """
    chosen: Sequence[Question] = questions.questions
    if split_by != SplitBy.none:
        split = by_row if split_by == SplitBy.row else by_text
        chosen, _ = split(chosen, share, seed)
    chosen = tuple(q for q in chosen if hops is None or q.hops == hops)
    ids = {question.id for question in chosen}
    parts = tuple(p for p in questions.parts if any(q.id in ids for q in p.questions))
    side = {"split_by": str(split_by), "share": share, "seed": seed, "hops": hops}
    return replace(questions, questions=chosen, parts=parts, taken={**questions.taken, **side})


def label_questions(
    resources: Resources, questions: QuestionSet, config: TrainConfig, work: Path, watch: Watch
) -> WeakLabels:
    """The chains of checked questions, with ties broken as far as possible without a model."""
    labeller = Labeller(
        resources,
        config.rule,
        seed=config.seed,
        model=resources.llm if config.rule == Rule.model else None,
        mentions=partial(names_in, resources),
    )
    labels = labeller.run(
        questions.questions, work / "labels", lambda done, total: watch(Event("label", done, total))
    )
    return settle(labels)


def names_in(resources: Resources, text: str) -> tuple[str, ...]:
    """Names of the graph in a text, for questions without topics."""
    return tuple(dict.fromkeys(m.text for m in resources.mentions.find(text) if m.ids))


def check_questions(
    resources: Resources, questions: QuestionSet, config: TrainConfig, *, strict: bool
) -> QuestionSet:
    """The questions to learn from, without those that the graph has no names of."""
    chosen = replace(questions, questions=limited(questions.questions, config.limit, config.seed))
    checked = check_names(chosen, Entities(resources.index).known, strict=strict)
    if not checked.questions:
        first = f"; the first problem: {checked.problems[0]}" if checked.problems else ""
        raise ConfigurationError(
            f"none of the {len(chosen.questions):,} questions of {questions.name} is about this "
            f"graph{first}"
        )
    return checked


def index_questions(resources: Resources, seed: int, watch: Watch) -> list[Example]:
    """Indexing data: questions for every relation."""
    most = 2 * NUMBER * len(resources.schema.relations)  # in each direction
    examples = index_examples(resources, resources.lexicon, seed=seed)
    made = _watched(examples, "index", most, watch)
    watch(Event("index", len(made), len(made)))
    return made


def synthetic_questions(resources: Resources, config: GsrConfig, watch: Watch) -> list[Example]:
    """Questions made of chains that are sampled from the graph."""
    if config.synthetic < 1:
        return []
    model = resources.llm if config.reword else None
    if config.reword and model is None:
        raise ConfigurationError(
            "rewording synthetic questions needs a language model: set ISOMATCH_MODEL, or "
            "leave --reword out"
        )
    sampled = sample_chains(resources, config.synthetic, seed=config.seed)
    examples = synthesise(resources.lexicon, sampled, seed=config.seed, model=model)
    return _watched(examples, "synthesise", config.synthetic, watch)


def _watched(examples: Iterable[Example], stage: Stage, total: int, watch: Watch) -> list[Example]:
    made: list[Example] = []
    for example in examples:
        made.append(example)
        watch(Event(stage, len(made), total))
    return made


def origin(asked: QuestionSet | None, limit: int | None) -> dict[str, Any]:
    """The questions' origin for a model's config, so that an evaluation can avoid them."""
    return {"questions_from": {**asked.taken, "limit": limit} if asked else None}
