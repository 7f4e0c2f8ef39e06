"""PathQuestions and WorldCup2014 with gold patterns; these, MetaQA and a slice of WebQSP asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.bench.rows import Row, row
from tests.bench.timing import MANNERS

from isomatch.evaluate.runner import run_eval

FOLDERS = {"metaqa": "metaqa", "pathquestion": "pathquestion", "worldcup": "worldcup2014"}
"""Of the sets with gold patterns."""


def gold(data: Path, questions: int) -> Iterator[Row]:
    """The table that MetaQA has, for the other two sets."""
    for name in ("pathquestion", "worldcup"):
        for manner, options in MANNERS.items():
            report = run_eval(name, data / FOLDERS[name], limit=questions, options=options)
            for part, scores in report["parts"].items():
                title = f"{name} {part}, gold patterns, {manner}"
                yield row(f"{title}: macro-F1", scores["macro_f1"], "")
                yield row(f"{title}: Hits@1", scores["hits_at_1"], "")
                yield row(f"{title}: hit@3", scores["hit_at_3"], "")
                yield row(f"{title}: pattern to result, median", scores["ms"], "ms")


def asked(data: Path, questions: int) -> Iterator[Row]:
    """Questions read without a language model."""
    for name, folder in {**FOLDERS, "webqsp": "webqsp"}.items():
        report = run_eval(name, data / folder, patterns="ask", limit=questions)
        for part, scores in report["parts"].items():
            title = f"{name} {part}, asked"
            yield row(f"{title}: Hits@1", scores["hits_at_1"], "")
            yield row(f"{title}: wrong though answered", scores["wrong"], "")
            yield row(f"{title}: question to answer, median", scores["ms"], "ms")
