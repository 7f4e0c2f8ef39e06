"""A file of answers, judged: reading it, judging each answer, and the figures of all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from isomatch.errors import ConfigurationError, LoadError, ModelError
from isomatch.judge.facts import score_h
from isomatch.judge.judge import Judge
from isomatch.judge.search import fact_line
from isomatch.judge.self_test import SelfTest
from isomatch.judge.types import MODEL_METRICS, Case, Judged, unusable
from isomatch.llm import Usage

KEYS = ("question", "answer", "context", "reference", "right", "answers")
Reference = Callable[[Case], Sequence[str]]
UNTESTED = "the judge was not tested: its accuracy is not known"


def no_use(judge: str | None) -> ModelError:
    """The error where no reply of a judge could be used."""
    return ModelError(f"no reply of the judge {judge!r} could be used: ask another model")


def read_cases(path: Path | str) -> list[Case]:
    """The answers of a file: JSON objects, one a line or one after the other.

    An object has ``question`` and ``answer``; where they are known ``context`` (lines of the
    evidence), ``reference`` (a text, or several), ``right`` (names of the right answers) and
    ``answers`` (names that were given). What ``isomatch ask --json`` prints is read too.

    Raises:
        ConfigurationError: there is no such file.
        LoadError: it is not UTF-8, an object is malformed, or there is none.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise LoadError(f"{path} is not UTF-8 ({error})") from error
    except OSError as error:
        raise ConfigurationError(f"no file of answers {str(path)!r} ({error.strerror})") from error
    cases = [_case(row, f"{path}, line {line}") for line, row in _objects(text, path)]
    if not cases:
        raise LoadError(f"{path} has no answers: expected objects with question and answer")
    return cases


def _objects(text: str, path: Path | str) -> Iterator[tuple[int, Any]]:
    """Each JSON value with the line that it begins in."""
    decoder = json.JSONDecoder()
    end = 0
    while end < len(text):
        if text[end].isspace():
            end += 1
            continue
        line = text.count("\n", 0, end) + 1
        try:
            value, end = decoder.raw_decode(text, end)
        except (ValueError, RecursionError) as error:
            raise LoadError(f"{path}, line {line}: no JSON object ({error})") from error
        yield line, value


def _case(row: Any, place: str) -> Case:
    if not isinstance(row, Mapping):
        raise LoadError(f"{place}: expected an object with question and answer")
    question, answer = row.get("question"), row.get("answer", row.get("text"))
    if not isinstance(question, str) or not question.strip() or not isinstance(answer, str):
        raise LoadError(f"{place}: expected the texts `question` and `answer`")
    context = row.get("context")
    lines = _evidence(row, place) if context is None else _texts(row, "context", place)
    return Case(
        question,
        answer,
        lines,
        _texts(row, "reference", place),
        _texts(row, "right", place),
        None if row.get("answers") is None else _given(row, place),
    )


def _texts(row: Mapping[str, Any], key: str, place: str) -> tuple[str, ...]:
    value = row.get(key) or ()
    texts = (value,) if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise LoadError(f"{place}: expected `{key}`, a list of texts")
    return tuple(text for text in texts if text.strip())


def _given(row: Mapping[str, Any], place: str) -> tuple[str, ...]:
    """Names, or nodes with names as ``ask --json`` has them."""
    try:
        return tuple(
            str(one["name"] or one["id"]) if isinstance(one, Mapping) else str(one)
            for one in row["answers"]
        )
    except (LookupError, TypeError) as error:
        raise LoadError(f"{place}: expected `answers`, a list of names") from error


def _evidence(row: Mapping[str, Any], place: str) -> tuple[str, ...]:
    """The numbered facts that ``ask --json`` has."""
    try:
        facts = [(fact["number"], fact["triple"]) for fact in row.get("evidence") or ()]
        return tuple(
            f"[{number}] " + fact_line(*(t[key]["name"] or t[key]["id"] for key in t_keys))
            for number, t in facts
            for t_keys in [("source", "relation", "target")]
        )
    except (LookupError, TypeError) as error:
        raise LoadError(f"{place}: expected `evidence` as `isomatch ask --json` has it") from error


@dataclass(frozen=True, slots=True)
class Report:
    """Judgements of several answers.

    Attributes:
        judged: in the order of the answers.
        tested: how often the judge is right; None where it was not tested,
        untested: why not.
    """

    judged: tuple[Judged, ...]
    metrics: tuple[str, ...]
    model: str | None = None
    tested: SelfTest | None = None
    untested: str = ""

    @property
    def usage(self) -> Usage:
        """What the judge's replies on the answers cost, without those of the self-test."""
        return sum((one.usage for one in self.judged), Usage())

    @property
    def failed(self) -> bool:
        """Whether a model was asked, and no reply of it could be used."""
        verdicts = (v for one in self.judged for v in one.verdicts)
        return unusable(Counter(v.outcome for v in verdicts if v.metric in MODEL_METRICS))

    def figures(self) -> dict[str, dict[str, Any]]:
        """For each metric its mean, and how many answers and verdicts that rests on."""
        found: dict[str, dict[str, Any]] = {}
        for metric in self.metrics:
            scores = [s for one in self.judged if (s := one.scores[metric]) is not None]
            verdicts = [v for one in self.judged for v in one.verdicts if v.metric == metric]
            outcomes = Counter(verdict.outcome for verdict in verdicts)
            found[metric] = {
                "mean": fmean(scores) if scores else None,
                "answers": len(scores),
                "verdicts": len(verdicts),
                "invalid": outcomes["invalid"],
                "weighted": sum(verdict.weighted for verdict in verdicts),
            }
            if metric == "grounded" and scores:
                found[metric]["score_h"] = score_h(scores)
        return found

    def judge_words(self) -> str:
        """How far the judge can be trusted, in a sentence."""
        if self.model is None:
            return "judged by rules alone: no language model was asked"
        if self.tested is not None:
            return self.tested.words()
        return f"{self.model}: {UNTESTED}{f' ({self.untested})' if self.untested else ''}"

    def as_json(self) -> dict[str, Any]:
        """The report, ready for JSON."""
        return {
            "model": self.model,
            "self_test": None if self.tested is None else self.tested.as_json(),
            "judge": self.judge_words(),
            "metrics": self.figures(),
            "usage": asdict(self.usage),
            "answers": [one.as_json() for one in self.judged],
        }


def judge_answers(
    judge: Judge,
    cases: Sequence[Case],
    *,
    reference: Reference | None = None,
    tested: SelfTest | None = None,
    untested: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Judge answers one after the other; what the judge's log has is not asked again.

    Args:
        reference: gives texts beside those that an answer has of its own.
        tested, untested: see `Report`.
        progress: called with (done, total).

    Raises:
        EmptyReferenceError: an answer has no reference, and ``factscore`` is asked for.
        ModelError: the endpoint failed; what it had said is in the log.
    """
    judged = []
    for case in cases:
        if reference is not None:
            texts = dict.fromkeys((*case.reference, *reference(case)))
            case = replace(case, reference=tuple(texts))
        judged.append(
            judge.judge(
                case.question,
                case.answer,
                case.context,
                case.reference,
                right=case.right,
                given=case.given,
            )
        )
        if progress:
            progress(len(judged), len(cases))
    model = judge.model.model if judge.model is not None else None
    asked = model if any(metric in MODEL_METRICS for metric in judge.metrics) else None
    return Report(tuple(judged), judge.metrics, asked, tested, untested)
