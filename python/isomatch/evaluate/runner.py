"""Measure the answers to a question set, and the time of every station."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO

from isomatch.errors import ConfigurationError, InterpretationError
from isomatch.evaluate.datasets import Part, Question, read
from isomatch.evaluate.homes import Progress, open_session
from isomatch.evaluate.metrics import Score, score, stages, summary
from isomatch.evaluate.wording import Wording, reword, wording_name
from isomatch.match.model import MatchResult
from isomatch.pattern import Pattern, format_text
from isomatch.session import Session

SEED = 2014


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question.

    Attributes:
        found: names of the answers, one tuple for each of the first three
            interpretations.
        pattern: that was matched; None where no reading was found.
        error: why there is no result, in words.
    """

    question: Question
    score: Score
    found: tuple[tuple[str, ...], ...]
    stages: Mapping[str, float]
    pattern: Pattern | None
    gsd: float | None = None
    complete: bool = False
    cut: bool = False
    error: str | None = None

    def row(self) -> dict[str, Any]:
        """As one JSON line of the file of results."""
        return {
            "id": self.question.id,
            "question": self.question.text,
            "pattern": format_text(self.pattern) if self.pattern else None,
            "answers": self.question.answers,
            "found": self.found[0] if self.found else (),
            "gsd": self.gsd,
            "complete": self.complete,
            "cut": self.cut,
            "hit_at_1": self.score.hit_at_1,
            "hit_at_3": self.score.hit_at_3,
            "precision": self.score.precision,
            "recall": self.score.recall,
            "f1": self.score.f1,
            "stages_ms": dict(self.stages),
            "error": self.error,
        }


def run_eval(
    name: str,
    data: Path | str,
    *,
    split: str = "dev",
    hops: int | None = None,
    patterns: str = "gold",
    wording: Wording = "names",
    interpreter: str = "schema",
    limit: int | None = None,
    seed: int = SEED,
    out: Path | str | None = None,
    home: Path | str | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Evaluate on a question set; the report is ready for JSON.

    Args:
        name, data, split, hops: see `isomatch.evaluate.datasets.read`.
        patterns: ``gold`` matches the data's own patterns, ``ask`` asks its
            questions.
        wording: of gold patterns, see `isomatch.evaluate.wording.reword`.
        interpreter: of questions that are asked, see `Session.interpret`.
        limit: most questions of a part; the same ones for the same seed.
        out: file for one JSON row a question, written as they come.
        home: folder to keep graphs and indexes under; None for the user's
            cache folder.
        options: of the search, as ``{"nodes": "anchored"}``.
        progress: called with (done, of how many), first for the names that are
            indexed (and their rate), then for the questions.

    Returns:
        ``questions, hits_at_1, hit_at_3, macro_precision, macro_recall,
        macro_f1``; ``stages_ms`` with ``p50, mean, p99`` of each station and
        ``total``; ``complete`` and ``cut``, shares of results with that
        certificate and of first interpretations that a limit cut; what was
        asked for; and ``parts``, the same by part.

    Raises:
        ConfigurationError: an unknown set or option, no gold patterns, or no place
            for the rows.
        LoadError: a file is missing or malformed.
    """
    if patterns not in ("gold", "ask"):
        raise ConfigurationError(f"patterns must be 'gold' or 'ask', not {patterns!r}")
    parts = [(part, sample(part, limit, seed)) for part in read(name, data, split=split, hops=hops)]
    if patterns == "gold":
        _refuse_without_gold(name, parts)
    given = options or {}
    measure: Callable[[Session, Question], Outcome] = (
        partial(match_gold, wording=wording, seed=seed, options=given)
        if patterns == "gold"
        else partial(ask, interpreter=interpreter, options=given)
    )
    total = sum(len(chosen) for _, chosen in parts)
    outcomes: dict[str, list[Outcome]] = {}
    with ExitStack() as stack:
        file = stack.enter_context(_opened(out)) if out else None
        done = 0
        for part, chosen in parts:
            here = outcomes.setdefault(part.name, [])
            with open_session(part, home, progress) as session:
                for question in chosen[:1]:
                    measure(session, question)  # what a start costs is nobody's time
                for question in chosen:
                    outcome = measure(session, question)
                    here.append(outcome)
                    done += 1
                    if file:
                        file.write(json.dumps(outcome.row(), ensure_ascii=False) + "\n")
                    if progress:
                        progress(done, total)
    return {
        "data": name,
        "split": split,
        "patterns": patterns,
        "wording": wording_name(wording) if patterns == "gold" else None,
        "interpreter": interpreter if patterns == "ask" else None,
        "options": dict(given),
        "limit": limit,
        "seed": seed,
        **report([outcome for here in outcomes.values() for outcome in here]),
        "parts": {part: report(here) for part, here in outcomes.items()},
    }


def sample(part: Part, limit: int | None, seed: int) -> tuple[Question, ...]:
    """At most ``limit`` questions of a part, the same ones for the same seed."""
    if limit is None or limit >= len(part.questions):
        return part.questions
    generator = random.Random(f"{seed} {part.name}")  # noqa: S311 - repeatable, not secret
    chosen = generator.sample(range(len(part.questions)), limit)
    return tuple(part.questions[i] for i in sorted(chosen))


def match_gold(
    session: Session, question: Question, wording: Wording, seed: int, options: Mapping[str, Any]
) -> Outcome:
    """Match a question's gold pattern."""
    if question.pattern is None:
        raise ConfigurationError(f"{question.id} has no gold pattern")
    pattern = reword(question.pattern, wording, f"{seed} {question.id}")
    return outcome_of(question, session.match(pattern, **options))


def ask(
    session: Session, question: Question, interpreter: str, options: Mapping[str, Any]
) -> Outcome:
    """Ask a question. A refused answer scores nothing, however near it came."""
    started = perf_counter()
    nothing = score([], question.answers)
    try:
        answer = session.ask(question.text, interpreter=interpreter, **options)
    except InterpretationError as error:
        took = {"total": (perf_counter() - started) * 1e3}
        return Outcome(question, nothing, (), took, None, error=str(error))
    assert answer.result is not None  # no triples alone
    outcome = outcome_of(question, answer.result)
    if answer.supported:
        return outcome
    return Outcome(question, nothing, (), outcome.stages, outcome.pattern, error="refused")


def outcome_of(question: Question, result: MatchResult) -> Outcome:
    """Compare a result with the right answers' names.

    What counts is what the pattern asks for; a topic counts only where the
    pattern may return it (``nodes="repeat"``).
    """
    found = tuple(tuple(node.name for node in result.answers(rank)) for rank in (1, 2, 3))
    first = result.interpretations[0] if result else None
    return Outcome(
        question,
        score(found, question.answers),
        found,
        result.profile.stages,
        result.pattern,
        first.gsd if first else None,
        result.certificate.complete,
        first.cut if first else False,
    )


def report(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Scores, certificates and times of some questions."""
    count = max(len(outcomes), 1)
    return {
        **summary([outcome.score for outcome in outcomes]),
        "complete": sum(outcome.complete for outcome in outcomes) / count,
        "cut": sum(outcome.cut for outcome in outcomes) / count,
        "stages_ms": stages([outcome.stages for outcome in outcomes]),
    }


def _opened(out: Path | str) -> TextIO:
    try:
        return Path(out).open("w", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(
            f"the rows cannot be written to {out}: {error.strerror}"
        ) from error


def _refuse_without_gold(name: str, parts: Sequence[tuple[Part, Sequence[Question]]]) -> None:
    for part, chosen in parts:
        if chosen and chosen[0].gold is None:
            raise ConfigurationError(
                f"{name} gives no gold patterns for {part.name} here: the file of types is "
                "missing; use --patterns ask, or add it"
            )
