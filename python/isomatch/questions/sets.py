"""Question sets for training and evaluation: published ones, and the user's own file.

A line of the user's own file is a JSON object: ``question`` and ``answers``, or in their
place a gold query (``cypher``, ``sparql``, or both), or for training of programs none of these;
``kind``, a word for the kind of question; and where they are known ``topics`` (names of the
entities that the question mentions) and ``chain`` (the gold chain from the first topic, as
``["^starred actors", "directed by"]``; ``^`` walks against the stored direction).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from isomatch.errors import ConfigurationError, LoadError
from isomatch.pattern.types import RelationChain
from isomatch.questions.datasets import READERS, Part, Question, read
from isomatch.seed import shuffled
from isomatch.trained.masking import wording_of

QUERIES = ("cypher", "sparql")
KEYS = ("question", "answers", "topics", "chain", "id", "kind", *QUERIES)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a line, a question or a name; most of these are left out.

    Attributes:
        kind: ``malformed``, ``duplicate``, ``empty answers``, ``unknown topic``,
            ``unknown answer``, ``learnt from`` or ``misordered gold``; the last two are kept.
        place: file and line, or the question's id.
        text: what is wrong, in words.
    """

    kind: str
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions, and what was left out of them.

    Attributes:
        name: as given to `read_questions`.
        parts: of a published set, each with its graph's file; a user's own file
            has none.
        taken: set, split and side of the questions, for the config of a model trained
            on them.
    """

    name: str
    questions: tuple[Question, ...]
    problems: tuple[Problem, ...] = ()
    parts: tuple[Part, ...] = ()
    taken: Mapping[str, Any] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """The number of problems by kind, most first."""
        return dict(Counter(problem.kind for problem in self.problems).most_common())

    @property
    def part(self) -> Part | None:
        """The graph's file of a published set; None for a user's own questions.

        Raises:
            ConfigurationError: its questions are about several graphs.
        """
        graphs = {part.graph: part for part in self.parts}
        if len(graphs) > 1:
            raise ConfigurationError(
                f"the questions of {self.name} are about several graphs "
                f"({', '.join(graph.name for graph in graphs)}): choose one by its hops"
            )
        return next(iter(graphs.values()), None)


def read_questions(
    name: str,
    *,
    split: str = "dev",
    hops: int | None = None,
    strict: bool = False,
    queries: bool = False,
    unlabelled: bool = False,
) -> QuestionSet:
    """The questions of ``metaqa:DIR``, ``pathquestion:DIR``, ``worldcup:DIR`` or a file.

    Args:
        split, hops: see `isomatch.questions.datasets.read`. Of a file, ``hops`` is the
            number of relations of the gold chain.
        strict: stop at the first problem.
        queries: whether lines may have a gold query in place of answers.
        unlabelled: whether they may have neither.

    Raises:
        ConfigurationError: no such set, or no questions in it.
        LoadError: a file is missing, a published set is malformed, or there is a
            problem and ``strict``.
    """
    kind, colon, folder = name.partition(":")
    if colon and kind in READERS:
        parts = read(kind, folder, split=split, hops=hops)
        questions = tuple(question for part in parts for question in part.questions)
        return QuestionSet(name, questions, (), parts, {"set": kind, "split": split})
    path = Path(name)
    if not path.is_file():
        sets = ", ".join(f"{known}:DIR" for known in READERS)
        raise ConfigurationError(f"no file {name!r}, and no set of questions: those are {sets}")
    questions, problems = _own(path, strict, queries, unlabelled)
    if hops is not None:
        every, questions = questions, tuple(q for q in questions if q.hops == hops)
        if every and not questions:
            raise ConfigurationError(f"no question of {name} says that its `hops` are {hops}")
    if not questions:
        listed = "".join(f"\n  {problem}" for problem in problems[:3])
        raise ConfigurationError(f"{name} has no questions that can be used{listed}")
    return QuestionSet(name, questions, problems, (), {"set": path.name, "split": split})


def check_names(
    questions: QuestionSet, known: Callable[[str], bool], *, strict: bool = False
) -> QuestionSet:
    """The questions that the graph may answer.

    Unknown topics and answers are left out, and questions that then have no topic or no
    answer. Questions without topics stay: they may be found in the text.

    Args:
        known: whether the graph has a node of this name.
        strict: stop at the first.

    Raises:
        LoadError: a name is unknown, and ``strict``.
    """
    kept: list[Question] = []
    problems = list(questions.problems)
    for question in questions.questions:
        topics = tuple(topic for topic in question.topics if known(topic))
        answers = tuple(answer for answer in question.answers if known(answer))
        found = [
            Problem(f"unknown {what}", question.id, f"the graph has no node named {name!r}")
            for what, names, here in (
                ("topic", question.topics, topics),
                ("answer", question.answers, answers),
            )
            for name in names
            if name not in here
        ]
        if found and strict:
            raise LoadError(f"{found[0]}; correct it, or leave out --strict")
        problems += found
        if answers and (topics or not question.topics):
            kept.append(replace(question, topics=topics, answers=answers))
    return replace(questions, questions=tuple(kept), problems=tuple(problems))


def learnt_from(training: Mapping[str, Any], asked: Mapping[str, Any]) -> str | None:
    """A warning that a model may have been trained on these questions; None if not.

    Args:
        training: of its config (`ArtifactConfig.training`).
        asked: ``set`` and ``split`` of the questions (`QuestionSet.taken`), and the
            ``split_by``, ``share`` and ``seed`` of the test side.
    """
    taken = training.get("questions_from") or {}
    if not taken or any(taken.get(key) != asked.get(key) for key in ("set", "split")):
        return None
    sides = ("split_by", "share", "seed")
    if taken.get("split_by") != "none" and all(taken.get(k) == asked.get(k) for k in sides):
        return None
    how = ", ".join(f"{key} {taken.get(key)}" for key in sides)
    return (
        f"the model may have learnt from some of these questions: it was trained on {taken['set']} "
        f"({how}), and they were not chosen as its other side"
    )


# -- the user's own file -----------------------------------------------------------------


def _own(
    path: Path, strict: bool, queries: bool, unlabelled: bool
) -> tuple[tuple[Question, ...], tuple[Problem, ...]]:
    found: dict[tuple[str, tuple[str, ...]], Question] = {}
    ids: set[str] = set()
    problems: list[Problem] = []
    for number, line in _lines(path):
        place = f"{path}, line {number}"
        try:
            question = _question(json.loads(line), f"{path.name}:{number}", place)
            if question.queries and not queries:
                raise _Wrong("empty answers", "it has a gold query, which only `eval` runs")
            if not (unlabelled or question.answers or question.queries):
                raise _Wrong("empty answers", f"{question.text!r} has no answers")
            key = (" ".join(question.text.split()), question.topics)
            if key in found:
                raise _Wrong("duplicate", f"the same question as {found[key].id}")
            if question.id in ids:
                raise _Wrong("duplicate", f"the id {question.id!r} again")
        except _Wrong as wrong:
            problem = Problem(wrong.kind, place, str(wrong))
        except ValueError as error:
            problem = Problem("malformed", place, f"no JSON ({error})")
        else:
            found[key] = question
            ids.add(question.id)
            continue
        if strict:
            raise LoadError(f"{problem}; correct it, or leave out --strict")
        problems.append(problem)
    return tuple(found.values()), tuple(problems)


class _Wrong(Exception):
    """A line is not a valid question."""

    def __init__(self, kind: str, text: str):
        super().__init__(text)
        self.kind = kind


def _question(row: Any, id: str, place: str) -> Question:
    if not isinstance(row, dict):
        raise _Wrong("malformed", "expected an object with `question` and `answers`")
    for key in row:
        if key not in KEYS and (near := get_close_matches(key, KEYS, 1, 0.75)):
            raise _Wrong("malformed", f"unknown key {key!r}; did you mean {near[0]!r}?")
    text = row.get("question")
    if not isinstance(text, str) or not text.strip():
        raise _Wrong("malformed", "expected `question`, a text")
    answers, queries = _names(row, "answers"), _queries(row)
    if queries and "answers" in row:
        raise _Wrong("malformed", f"expected `answers` or `{next(iter(queries))}`, not both")
    if not answers and "answers" in row:
        raise _Wrong("empty answers", f"{text!r} has no answers")
    topics = _names(row, "topics")
    chain = _names(row, "chain", distinct=False)
    if chain and not topics:
        raise _Wrong("malformed", "a `chain` needs `topics`: it starts from the first")
    named = row.get("id", id)
    gold = RelationChain(topics[0], chain) if chain else None
    kind = row.get("kind") or ""
    if not isinstance(kind, str):
        raise _Wrong("malformed", "expected `kind`, a text")
    return Question(
        str(named),
        text.strip(),
        topics,
        answers,
        gold,
        len(chain),
        kind=kind.strip(),
        queries=queries,
        place=place if queries else "",
    )


def _queries(row: Mapping[str, Any]) -> dict[str, str]:
    queries = {key: row[key] for key in QUERIES if key in row}
    for key, text in queries.items():
        if not isinstance(text, str) or not text.strip():
            raise _Wrong("malformed", f"expected `{key}`, the text of a query")
    return queries


def _names(row: Mapping[str, Any], key: str, *, distinct: bool = True) -> tuple[str, ...]:
    value = row.get(key) or ()
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(n, str | int) for n in names):
        raise _Wrong("malformed", f"expected `{key}`, a list of texts")
    plain = [stripped for name in names if (stripped := str(name).strip())]
    return tuple(dict.fromkeys(plain)) if distinct else tuple(plain)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            # Invalid UTF-8 is invalid JSON too, and is then reported with its line.
            text = line.decode("utf-8-sig", "replace").strip()
            if text:
                yield number, text


# -- choosing and splitting -------------------------------------------------------------


def limited(questions: Sequence[Question], limit: int | None, seed: int) -> tuple[Question, ...]:
    """At most ``limit`` of the questions, in their order; a larger limit includes a smaller."""
    if limit is None or limit >= len(questions):
        return tuple(questions)
    ids = {question.id for question in shuffled(questions, f"{seed} limit")[:limit]}
    return tuple(question for question in questions if question.id in ids)


def by_row(
    questions: Sequence[Question], share: float, seed: int
) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
    """Split at random: a share of the questions for training, and the others.

    Raises:
        ConfigurationError: the share is not between 0 and 1, or a side is empty.
    """
    count = _count(share, len(questions))
    order = shuffled(questions, f"{seed} rows")
    return _sides(questions, order[:count])


def by_text(
    questions: Sequence[Question], share: float, seed: int
) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
    """Split so that no text, with its topics masked, is on both sides.

    Texts go to the first side, in an order of the seed, until it has its share of the
    questions.

    Raises:
        ConfigurationError: see `by_row`.
    """
    count = _count(share, len(questions))
    groups: dict[str, list[Question]] = {}
    for question in questions:
        groups.setdefault(wording_of(question.text, question.topics), []).append(question)
    chosen: list[Question] = []
    for text in shuffled(sorted(groups), f"{seed} texts"):
        if len(chosen) < count:
            chosen += groups[text]
    return _sides(questions, chosen)


def _count(share: float, questions: int) -> int:
    if not 0.0 < share < 1.0:
        raise ConfigurationError(f"the share for training must lie between 0 and 1, not {share}")
    return round(share * questions)


def _sides(
    questions: Sequence[Question], chosen: Iterable[Question]
) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
    ids = {question.id for question in chosen}
    left = tuple(question for question in questions if question.id in ids)
    right = tuple(question for question in questions if question.id not in ids)
    if not left or not right:
        raise ConfigurationError(
            f"{len(questions)} questions cannot be split: a side would have none"
        )
    return left, right
