"""Two runs side by side."""

from __future__ import annotations

import pytest
from tests.unit.evaluate.sample_rows import finished_run, row

from isomatch.errors import ConfigurationError
from isomatch.evaluate.compare import compare_runs, comparison_markdown
from isomatch.evaluate.metrics import CUTS
from isomatch.evaluate.statistics import mcnemar


@pytest.fixture
def runs(tmp_path):
    """The second answers six more and one less; each has a question of its own."""
    first = [row(str(n), f1=float(n >= 6)) for n in range(12)]
    second = [row(str(n), f1=float(n != 11)) for n in range(12)]
    finished_run(tmp_path / "a", [*first, row("only a")])
    finished_run(tmp_path / "b", [*reversed(second), row("only b")], interpreter="gsr")
    return tmp_path / "a", tmp_path / "b"


def test_a_comparison_counts_gained_and_lost_questions(runs):
    found = compare_runs(*runs)
    assert (found["questions"], found["only"]) == (12, [1, 1])
    exact = found["figures"]["exact"]
    assert (exact["first"], exact["second"]) == (0.5, pytest.approx(11 / 12))
    assert exact["p"] == pytest.approx(mcnemar(1, 6))
    assert (found["gained"]["count"], found["lost"]["count"]) == (6, 1)
    assert found["lost"]["questions"] == ["who directed film 11"]
    assert found == compare_runs(*runs)


def test_a_run_that_retrieved_nothing_for_a_question_found_nothing_there(tmp_path):
    some = {"count": 3, "tokens": 9, "recall": dict.fromkeys(map(str, CUTS), 0.5)}
    finished_run(tmp_path / "a", [row("1", triples=some), row("2", triples=some)])
    finished_run(tmp_path / "b", [row("1", triples=some), row("2", triples=None)])
    recall = compare_runs(tmp_path / "a", tmp_path / "b")["figures"]["Triple recall@10"]
    assert (recall["first"], recall["second"]) == (0.5, 0.25)
    finished_run(tmp_path / "none", [row("1"), row("2")])
    nothing = compare_runs(tmp_path / "a", tmp_path / "none")["figures"]
    assert "Triple recall@10" not in nothing


def test_a_comparison_as_markdown_has_a_row_for_each_figure(runs):
    page = comparison_markdown(compare_runs(*runs))
    assert "Each figure is tested by itself: of 10 figures" in page
    assert page.startswith("## interpreter gsr, retriever pattern against interpreter schema")
    assert "| Exact match | 50.0 | 91.7 | +41.7 |" in page


def test_a_question_that_was_changed_is_not_compared(tmp_path):
    finished_run(tmp_path / "a", [row("1"), row("2")])
    finished_run(tmp_path / "b", [row("1"), row("2", question="other words")])
    assert compare_runs(tmp_path / "a", tmp_path / "b")["questions"] == 1


def test_runs_without_common_questions_are_refused(tmp_path):
    finished_run(tmp_path / "a", [row("1")])
    finished_run(tmp_path / "b", [row("2")])
    with pytest.raises(ConfigurationError, match="no question in common"):
        compare_runs(tmp_path / "a", tmp_path / "b")
