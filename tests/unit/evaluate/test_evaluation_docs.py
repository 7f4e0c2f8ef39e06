"""docs/evaluation.md names what there is: scores, reasons, baselines, files."""

from __future__ import annotations

from pathlib import Path

from isomatch.evaluate import report, runs
from isomatch.evaluate.scoring import REASONS
from isomatch.evaluate.tables import FIGURES, RETRIEVAL
from isomatch.options import Baseline
from isomatch.questions.datasets import READERS
from isomatch.questions.sets import KEYS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "evaluation.md").read_text(encoding="utf-8")


def test_every_score_is_on_the_page():
    for key, _, _ in (*FIGURES, *RETRIEVAL):
        assert f"`{key}`" in PAGE


def test_every_reason_is_on_the_page():
    table = PAGE.partition("| reason |")[2].partition("\n\n")[0]
    cells = [row.split("|")[1] for row in table.splitlines()[2:]]
    assert {name.strip() for cell in cells for name in cell.split(",")} == set(REASONS)


def test_every_baseline_set_key_and_file_is_on_the_page():
    for name in (*(baseline.value for baseline in Baseline), *READERS, *KEYS):
        assert f"`{name}`" in PAGE
    for file in (runs.RUN, runs.ROWS, runs.SUMMARY, report.HTML, report.MARKDOWN):
        assert f"`{file}`" in PAGE
