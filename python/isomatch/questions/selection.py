"""Which questions of a set an evaluation asks, and over which graph."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from isomatch.errors import ConfigurationError
from isomatch.options import SplitBy
from isomatch.questions.datasets import READERS, Part, Question
from isomatch.questions.sets import (
    Problem,
    QuestionSet,
    by_row,
    by_text,
    check_names,
    read_questions,
)
from isomatch.seed import SEED

if TYPE_CHECKING:
    from isomatch.session import Session

Some = TypeVar("Some")
OWN = "questions"  # name of the group of a user's own questions


class Selection(BaseModel):
    """Which questions of a set are asked.

    Attributes:
        split: part of MetaQA's file names: ``dev``, ``test``, …
        hops: only questions of so many hops; None for all.
        limit: most questions of each part.
        seed: of the sample and of the division.
        split_by: ``row`` or ``text`` asks only the side that a training run with the
            same seed and share leaves for testing (`isomatch.questions.sets`);
            ``none`` asks all.
        share: of the questions that go to training.
        strict: whether a malformed line is an error.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    split: str = "dev"
    hops: int | None = None
    limit: int | None = Field(None, ge=1)
    seed: int = SEED
    split_by: SplitBy = SplitBy.none
    share: float = 0.5
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Questions that are asked over one graph: that of a published set's part, or the user's."""

    name: str
    questions: tuple[Question, ...]
    part: Part | None = None


def is_published(source: str) -> bool:
    """Whether a source is a published set with its folder, as ``metaqa:DIR``."""
    kind, colon, _ = source.partition(":")
    return bool(colon) and kind in READERS


def source_name(name: str, data: Path | str | None) -> str:
    """The source as ``metaqa:DIR`` or a file's name.

    Raises:
        ConfigurationError: a set without its folder, or a file with one.
    """
    if data is None and name in READERS:
        raise ConfigurationError(f"say where {name} is: `{name}:DIR`, or --data DIR")
    if data is None:
        return name
    if ":" in name or Path(name).suffix == ".jsonl":
        raise ConfigurationError(f"--data is for a set's name alone; {name} says where it is")
    return f"{name}:{data}"


def select(source: str, selection: Selection) -> tuple[QuestionSet, tuple[Group, ...]]:
    """Read a set, and choose the questions to ask, by part.

    Raises:
        ConfigurationError: there is no such set, or no such questions in it.
        LoadError: a file is missing or malformed, or has a problem and ``strict``.
    """
    divided = selection.split_by is not SplitBy.none
    # A training run divides all questions, whatever their hops.
    questions = read_questions(
        source,
        split=selection.split,
        hops=None if divided else selection.hops,
        strict=selection.strict,
        queries=True,
    )
    if divided:
        divide = by_row if selection.split_by is SplitBy.row else by_text
        _, test = divide(questions.questions, selection.share, selection.seed)
        chosen = tuple(q for q in test if selection.hops in (None, q.hops))
        questions = replace(questions, questions=chosen)
    groups = grouped(questions, selection)
    if not groups:
        raise ConfigurationError(f"{source} has no questions of {selection.hops} hops")
    return questions, groups


def grouped(questions: QuestionSet, selection: Selection) -> tuple[Group, ...]:
    """The questions to ask, by part; of each a sample where there is a limit."""
    return tuple(_groups(questions, selection))


def _groups(questions: QuestionSet, selection: Selection) -> Iterator[Group]:
    parts: tuple[Part | None, ...] = questions.parts or (None,)
    for part in parts:
        name = OWN if part is None else part.name
        ids = None if part is None else {q.id for q in part.questions}
        members = [q for q in questions.questions if ids is None or q.id in ids]
        if members:
            seed = f"{selection.seed} {name}"
            yield Group(name, sample(members, selection.limit, seed), part)


def sample(questions: Sequence[Some], limit: int | None, seed: str) -> tuple[Some, ...]:
    """At most ``limit`` of the questions in their order, the same ones for the same seed."""
    if limit is None or limit >= len(questions):
        return tuple(questions)
    generator = random.Random(seed)  # noqa: S311 - repeatable, not secret
    places = generator.sample(range(len(questions)), limit)
    return tuple(questions[i] for i in sorted(places))


def unknown_names(
    group: Group, session: Session, *, strict: bool = False
) -> tuple[tuple[Problem, ...], frozenset[str]]:
    """Find names in a group's questions that the graph does not have.

    Nothing is found where the database looks up nodes itself, without an index of names.

    Returns:
        The problems, and the ids of questions with no answer in the graph.

    Raises:
        LoadError: there is one, and ``strict``.
    """
    index = session.index
    if next(index.all_names(), None) is None:
        return (), frozenset()

    @cache
    def known(name: str) -> bool:
        plain = name.replace("_", " ")
        return bool(index.by_name("nodes", plain) or index.values(plain))

    # What a gold query gives is in the graph, or is computed from it.
    listed = tuple(replace(q, answers=()) if q.queries else q for q in group.questions)
    checked = check_names(QuestionSet(group.name, listed), known, strict=strict)
    unanswerable = {q.id for q in listed if not q.queries and not any(map(known, q.answers))}
    return checked.problems, frozenset(unanswerable)


def fingerprint(groups: Sequence[Group]) -> str:
    """A hash of the questions that are asked, their topics, and answers or gold queries."""
    content = hashlib.sha256()
    for group in groups:
        for q in group.questions:
            gold = [dict(q.queries)] if q.queries else []
            asked = [group.name, q.id, q.text, q.topics, q.answers, *gold]
            content.update(json.dumps(asked).encode())
    return content.hexdigest()[:16]
