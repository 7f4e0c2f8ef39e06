"""The questions of a run, and over which graph each is asked."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from isomatch.errors import ConfigurationError
from isomatch.questions.datasets import READERS, Part, Question
from isomatch.questions.sets import (
    Problem,
    QuestionSet,
    by_row,
    by_text,
    check_names,
    read_questions,
)
from isomatch.session import Session

SplitBy = Literal["none", "row", "text"]
OWN = "questions"


@dataclass(frozen=True, slots=True)
class Group:
    """Questions over one graph.

    Attributes:
        name: of the part.
        questions: those that are asked.
        part: of a published set, whose graph's file it has; None for the user's graph.
    """

    name: str
    questions: tuple[Question, ...]
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """Which questions of a set are asked.

    Attributes:
        split: of MetaQA's file names.
        hops: only questions of so many; None for all.
        limit: most questions of each part.
        seed: of the choice, and of the split.
        split_by: ``row`` or ``text`` asks only the side that a training run with the
            same seed and share leaves for testing (`isomatch.questions.sets`);
            ``none`` asks all.
        share: of the questions that go to training.
        strict: whether a line that is no question is an error.
    """

    split: str = "dev"
    hops: int | None = None
    limit: int | None = None
    seed: int = 0
    split_by: SplitBy = "none"
    share: float = 0.5
    strict: bool = False


def source_name(name: str, data: Path | str | None) -> str:
    """``metaqa:DIR`` or a file's name, of a set with its folder apart or not.

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


def chosen(name: str, choice: Choice) -> tuple[QuestionSet, tuple[Group, ...]]:
    """The set, and its questions that are asked, by part.

    Raises:
        ConfigurationError: there is no such set, or no such questions in it.
        LoadError: a file is missing or malformed, or has a problem and ``strict``.
    """
    if choice.split_by not in get_args(SplitBy):
        words = ", ".join(get_args(SplitBy))
        raise ConfigurationError(f"split-by must be one of {words}, not {choice.split_by!r}")
    divided = choice.split_by != "none"
    # A training run divides all questions, whatever their hops.
    read = read_questions(
        name,
        split=choice.split,
        hops=None if divided else choice.hops,
        strict=choice.strict,
    )
    parts: tuple[Part | None, ...] = read.parts or (None,)
    asked = read.questions
    if divided:
        sides = (by_row if choice.split_by == "row" else by_text)(
            read.questions, choice.share, choice.seed
        )
        asked = tuple(q for q in sides[1] if choice.hops in (None, q.hops))
    groups = tuple(_groups(parts, asked, choice))
    if not any(group.questions for group in groups):
        raise ConfigurationError(f"{name} has no questions of {choice.hops} hops")
    return replace(read, questions=asked), groups


def _groups(
    parts: Sequence[Part | None], asked: Sequence[Question], choice: Choice
) -> Iterator[Group]:
    for part in parts:
        name = OWN if part is None else part.name
        own = None if part is None else {q.id for q in part.questions}
        here = [q for q in asked if own is None or q.id in own]
        if here:
            yield Group(name, sample(here, choice.limit, f"{choice.seed} {name}"), part)


def sample(questions: Sequence[Question], limit: int | None, seed: str) -> tuple[Question, ...]:
    """At most ``limit`` of the questions in their order, the same ones for the same seed."""
    if limit is None or limit >= len(questions):
        return tuple(questions)
    generator = random.Random(seed)  # noqa: S311 - repeatable, not secret
    places = generator.sample(range(len(questions)), limit)
    return tuple(questions[i] for i in sorted(places))


def names_unknown(
    group: Group, session: Session, *, strict: bool = False
) -> tuple[tuple[Problem, ...], frozenset[str]]:
    """Names of a group's questions that the graph does not have.

    Nothing can be told where the database finds nodes by itself, without an index of
    their names.

    Returns:
        The problems, and the ids of questions none of whose answers the graph has.

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

    checked = check_names(QuestionSet(group.name, group.questions), known, strict=strict)
    without = {q.id for q in group.questions if not any(map(known, q.answers))}
    return checked.problems, frozenset(without)


def fingerprint(groups: Sequence[Group]) -> str:
    """Of the questions that are asked, their topics and answers."""
    content = hashlib.sha256()
    for group in groups:
        for q in group.questions:
            content.update(json.dumps([group.name, q.id, q.text, q.topics, q.answers]).encode())
    return content.hexdigest()[:16]
