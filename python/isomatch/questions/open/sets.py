"""Sets of open questions: the published one, and files of JSON lines.

A line of a file is an object with ``question``, ``topics`` (names of what it is about) and
``"open": true``; and if known ``kind`` (`TYPES`), ``template`` (of
`isomatch.questions.open.templates`), ``id``, ``reference`` (a text or a list of texts that an
answer may be judged by) and what `isomatch questions` adds: ``scores`` and ``worded``.
"""

from __future__ import annotations

import ast
import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from isomatch.errors import ConfigurationError, LoadError
from isomatch.files import atomic_write
from isomatch.questions.sets import Problem

SET = "okgqa"
TYPES = ("descriptive", "explanatory", "predictive", "comparative", "critical")
_COLUMNS = ("question", "type", "placeholders", "dbpedia_entities_re")
# What stands in a question's slots without being a thing of a graph, most often.
_NO_THINGS = ("time", "timeframe", "time_range", "action", "aspect")


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that a paragraph answers.

    Attributes:
        id: unique in its set.
        topics: names of what it is about, as the graph has them once they were looked up.
        type: one of `TYPES`; empty where not known.
        template: name of the template that it was made from; empty where not known.
        scores: from 1 to 10 by angle, where it was scored.
        worded: ``model`` or ``template``, where it was made.
        reference: texts that an answer may be judged by.
        unknown: names of topics that the graph does not have.
        others: further names of each topic that the set gives.
    """

    id: str
    text: str
    topics: tuple[str, ...]
    type: str = ""
    template: str = ""
    scores: Mapping[str, float] = field(default_factory=dict, hash=False)
    worded: str = ""
    reference: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class OpenSet:
    """Open questions, and what was left out of them.

    Attributes:
        name: of the file.
        total: how many the file has.
    """

    name: str
    questions: tuple[OpenQuestion, ...]
    problems: tuple[Problem, ...] = ()
    total: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """The number of problems by kind, most first."""
        return dict(Counter(problem.kind for problem in self.problems).most_common())


def is_open(source: str, data: Path | str | None = None) -> bool:
    """Whether a source has open questions: ``okgqa``, ``okgqa:…``, or a file of such lines."""
    if source == SET or source.startswith(f"{SET}:"):
        return True
    path = Path(source)
    if data is not None or not path.is_file():
        return False
    first = next((row for _, row in _rows(path) if isinstance(row, dict)), {})
    return first.get("open") is True  # malformed lines before it say nothing


def read_open(source: str, data: Path | str | None = None, *, strict: bool = False) -> OpenSet:
    """The questions of ``okgqa:DIR``, ``okgqa:FILE`` or a file of JSON lines.

    Args:
        data: folder or file, where the source is ``okgqa`` alone.
        strict: stop at the first problem.

    Raises:
        ConfigurationError: no such file, or no open questions in it.
        LoadError: the published file is malformed, or there is a problem and ``strict``.
    """
    if source == SET and data is None:
        raise ConfigurationError(f"say where {SET} is: `{SET}:DIR`, or --data DIR")
    if source != SET and data is not None:
        raise ConfigurationError(f"--data is for a set's name alone; {source} says where it is")
    path = Path(data if data is not None else source.removeprefix(f"{SET}:"))
    if path.is_dir():
        path = path / "questions.csv"
    if not path.is_file():
        raise ConfigurationError(f"there is no file {path} with open questions")
    read = _published if path.suffix == ".csv" else _own
    questions, problems = [], []
    seen: dict[tuple[str, tuple[str, ...]], str] = {}
    ids: set[str] = set()
    for place, made in read(path):
        if isinstance(made, OpenQuestion):
            key = (" ".join(made.text.split()), made.topics)
            if key in seen:
                made = Problem("duplicate", place, f"the same question as {seen[key]}")
            elif made.id in ids:
                made = Problem("duplicate", place, f"the id {made.id!r} again")
            else:
                seen[key] = made.id
                ids.add(made.id)
                questions.append(made)
                continue
        if strict:
            raise LoadError(f"{made}; correct it, or leave out --strict")
        problems.append(made)
    if not questions:
        listed = "".join(f"\n  {problem}" for problem in problems[:3])
        raise ConfigurationError(f"{path} has no open questions that can be used{listed}")
    total = len(questions) + len(problems)
    return OpenSet(path.name, tuple(questions), tuple(problems), total)


def held_by(questions: OpenSet, find: Callable[[str], str | None]) -> OpenSet:
    """The questions of which the graph holds something, each with the topics that it holds.

    Args:
        find: the graph's own name of a topic; None where it has none.

    Raises:
        ConfigurationError: the graph holds a topic of none of them.
    """
    kept: list[OpenQuestion] = []
    problems = list(questions.problems)
    for question in questions.questions:
        found = {t: _first(find, (t, *question.others.get(t, ()))) for t in question.topics}
        topics = tuple(dict.fromkeys(name for name in found.values() if name is not None))
        unknown = tuple(topic for topic, name in found.items() if name is None)
        if topics:
            kept.append(replace(question, topics=topics, unknown=unknown))
        else:
            listed = ", ".join(map(repr, unknown)) or "nothing is named"
            problems.append(
                Problem("unknown topic", question.id, f"the graph has none of its topics: {listed}")
            )
    if not kept:
        raise ConfigurationError(
            f"the graph has nothing that a question of {questions.name} is about "
            f"({len(questions.questions):,} questions): ask a graph that holds their topics, or "
            "make questions of this one with `isomatch questions`"
        )
    return replace(questions, questions=tuple(kept), problems=tuple(problems))


def write_open(path: Path, questions: Iterable[OpenQuestion]) -> None:
    """Write questions as JSON lines, which `read_open` reads.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    lines = [json.dumps(row_of(question), ensure_ascii=False) for question in questions]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as partial:
            partial.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error.strerror or error}") from error


def row_of(question: OpenQuestion) -> dict[str, Any]:
    """A question as a line of a file has it."""
    row: dict[str, Any] = {
        "open": True,
        "id": question.id,
        "question": question.text,
        "topics": list(question.topics),
        "kind": question.type,
        "template": question.template,
        "worded": question.worded,
        "scores": dict(question.scores),
        "reference": list(question.reference),
    }
    return {key: value for key, value in row.items() if value}


def _first(find: Callable[[str], str | None], names: Sequence[str]) -> str | None:
    return next((found for name in names if (found := find(name)) is not None), None)


# -- the published set (questions.csv of OKGQA) ------------------------------------------


def _published(path: Path) -> Iterator[tuple[str, OpenQuestion | Problem]]:
    """Rows with the topics of their placeholders, which Python wrote as dictionaries."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.DictReader(lines)
        missing = [name for name in _COLUMNS if name not in (rows.fieldnames or ())]
        if missing:
            raise LoadError(f"{path} has no column {missing[0]!r}: it is no questions.csv of {SET}")
        for number, row in enumerate(rows, 2):
            place = f"{path}, row {number}"
            try:
                slots = _dictionary(row["placeholders"])
                pages = _dictionary(row["dbpedia_entities_re"])
            except (ValueError, SyntaxError) as error:
                yield place, Problem("malformed", place, f"expected a dictionary ({error})")
                continue
            text, kind = (row["question"] or "").strip(), (row["type"] or "").strip()
            if not text or kind not in TYPES:
                yield place, Problem("malformed", place, f"expected a question and a type: {row}")
                continue
            topics, others = _topics(slots, pages)
            id = f"okgqa-{row.get('id') or number}"
            yield place, OpenQuestion(id, text, topics, kind, others=others)


def _dictionary(text: str | None) -> dict[str, str]:
    value = ast.literal_eval(text) if text else {}
    if not isinstance(value, dict):
        raise ValueError(f"{text!r} is none")
    return {str(key): str(each) for key, each in value.items() if each}


def _topics(
    slots: Mapping[str, str], pages: Mapping[str, str]
) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Names of the linked pages, with the words of the question as further names.

    Without a page, only what may be a thing counts.
    """
    others: dict[str, tuple[str, ...]] = {}
    for slot, words in {**slots, **{k: "" for k in pages if k not in slots}}.items():
        page = pages.get(slot, "").replace("_", " ").strip()
        if page:
            plain = page.partition(" (")[0]
            others[page] = tuple(dict.fromkeys(n for n in (plain, words) if n and n != page))
        elif words and slot not in _NO_THINGS:
            others.setdefault(words, ())
    return tuple(others), others


# -- files of JSON lines -----------------------------------------------------------------


def _own(path: Path) -> Iterator[tuple[str, OpenQuestion | Problem]]:
    for number, row in _rows(path):
        place = f"{path}, line {number}"
        try:
            yield place, _question(row, f"{path.name}:{number}")
        except ValueError as error:
            yield place, Problem("malformed", place, str(error))


def _question(row: Any, id: str) -> OpenQuestion:
    if not isinstance(row, dict):
        raise ValueError("expected an object with `question` and `topics`")
    text = row.get("question")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("expected `question`, a text")
    if row.get("answers") or row.get("cypher") or row.get("sparql"):
        raise ValueError("an open question has no answers: ask it in a set of its own")
    kind, template = row.get("kind") or "", row.get("template") or ""
    if not isinstance(kind, str) or not isinstance(template, str):
        raise ValueError("expected `kind` and `template`, texts")
    scores = row.get("scores") or {}
    if not isinstance(scores, dict) or not all(_is_number(v) for v in scores.values()):
        raise ValueError("expected `scores`, an object of numbers")
    topics = _texts(row, "topics")
    if not topics:
        raise ValueError("expected `topics`, the names of what the question is about")
    return OpenQuestion(
        str(row.get("id", id)),
        text.strip(),
        topics,
        kind.strip(),
        template.strip(),
        {str(key): float(value) for key, value in scores.items()},
        str(row.get("worded") or ""),
        _texts(row, "reference"),
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _texts(row: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = row.get(key) or ()
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(t, str) for t in texts):
        raise ValueError(f"expected `{key}`, a list of texts")
    return tuple(dict.fromkeys(t.strip() for t in texts if t.strip()))


def _rows(path: Path) -> Iterator[tuple[int, Any]]:
    """Line numbers and values; of what is no JSON its text."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            text = line.decode("utf-8-sig", "replace").strip()
            if text:
                try:
                    yield number, json.loads(text)
                except ValueError:
                    yield number, text
