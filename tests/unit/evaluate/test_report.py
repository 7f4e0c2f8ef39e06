"""The pages of a run: whole, safe, and the same for the same rows."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from tests.unit.evaluate.sample_rows import SETTINGS, finished_run, row

from isomatch.evaluate import report
from isomatch.evaluate.metrics import CUTS
from isomatch.evaluate.report import html, markdown
from isomatch.evaluate.summary import summarise

EVIL = 'who <script>alert(1)</script> "directed" & a|b `x`'
RECALL = {"recall": dict.fromkeys(map(str, CUTS), 0.5), "count": 7, "tokens": 90}


def rows():
    return [
        row("1", hops=1),
        row("2", hops=2, f1=0.0, reason="chain wrong", question=EVIL, found=["<b>x</b>"]),
        row("3", hops=2, f1=0.0, reason="chain wrong"),
        row("4", hops=2, stages_ms={"link": 1.0, "match": 1.0, "answer": 2.0, "total": 900.0}),
        row("5", triples={**RECALL, "answer_recall": RECALL["recall"]}),
        row("6", usage={"requests": 2, "counted": 1, "prompt_tokens": 9, "completion_tokens": 3}),
    ]


def summary_of(some):
    problems = {"counts": {"malformed": 2}, "listed": ["malformed: line 3: <i>no JSON</i>"]}
    return {**SETTINGS, **summarise(some, seed=7), "problems": problems}


@pytest.fixture(autouse=True)
def _without_plots() -> None:
    """Plots are drawn here."""


@pytest.fixture(scope="module")
def page() -> str:
    """The page of the rows."""
    return html(rows(), summary_of(rows()))


class Tags(HTMLParser):
    """Elements with their attributes; fails on an element that is not closed."""

    def __init__(self, page: str):
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "use", "path", "defs", "rect", "line"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()


def test_the_page_needs_nothing_else(page):
    tags = Tags(page)
    assert tags.open == []
    names = {tag for tag, _ in tags.seen}
    assert not names & {"script", "link", "img", "iframe", "object", "form"}
    addresses = [a.get(k) for _, a in tags.seen for k in ("href", "src", "xlink:href")]
    assert all(address.startswith("#") for address in addresses if address)
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)


def test_what_a_graph_says_is_shown_as_text(page):
    assert "&lt;script&gt;alert(1)" in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page
    assert "&lt;i&gt;no JSON" in page
    table = markdown(rows(), summary_of(rows()))
    line = next(line for line in table.splitlines() if line.startswith("| chain wrong"))
    assert line.replace("\\|", "").count("|") == 5


def test_the_page_has_all_figures_and_failures(page):
    for words in (
        "interpreter schema",
        "Hits@1",
        "66.7 %",
        "By hops",
        "Recall at K",
        "chain wrong",
        "Time by station",
        "tokens a question",
        "did not say what 1 replies cost",
        "prefers-color-scheme: dark",
    ):
        assert words in page


def test_the_same_rows_give_the_same_pages(page):
    assert html(rows(), summary_of(rows())) == page
    assert markdown(rows(), summary_of(rows())) == markdown(rows(), summary_of(rows()))


def test_plots_take_the_colour_of_the_page(page):
    pytest.importorskip("matplotlib")
    drawn = dict(report.plots(rows(), summary_of(rows())))
    assert list(drawn) == [
        "Scores by hops",
        "Recall at K",
        "Time of a question",
        "Mean time by station",
    ]
    for svg in drawn.values():
        assert svg.startswith("<svg")
        assert "currentColor" in svg
        assert report.INK not in svg
        assert svg in page


def test_without_matplotlib_the_page_says_how_to_get_plots(monkeypatch):
    monkeypatch.setattr(report, "find_spec", lambda _: None)
    page = html(rows(), summary_of(rows()))
    assert "<svg" not in page
    assert "isomatch[report]" in page


def test_a_run_without_a_reader_has_retrieval_alone():
    some = [
        row(
            str(n),
            score=None,
            found=None,
            hops=1 + n % 2,
            triples={**RECALL, "answer_recall": RECALL["recall"]},
        )
        for n in range(3)
    ]
    summary = summary_of(some)
    assert "hits_at_1" not in summary
    page = html(some, summary)
    assert page.count("Answer recall@100") == 2  # as a main figure, and by hops
    assert "Hits@1" not in page


def test_a_question_for_which_nothing_was_retrieved_counts_as_nothing():
    some = [row("1", triples={**RECALL}), row("2", triples=None, reason="mention not found")]
    assert summarise(some, seed=7)["retrieval"]["recall"]["100"] == 0.25


def test_what_cannot_be_found_is_not_missed():
    some = [
        row("1", triples={**RECALL, "answer_recall": RECALL["recall"]}),
        row("2", triples=None, answerable=False, gold_triples=0),
    ]
    found = summarise(some, seed=7)["retrieval"]
    assert found["recall"]["100"] == found["answer_recall"]["100"] == 0.5


def test_a_run_of_one_question_has_a_report(tmp_path):
    one = [row("1")]
    assert "<h1>" in html(one, finished_run(tmp_path / "run", one))


def test_kinds_and_risks_are_shown():
    some = [
        row("1", kind="count", reading_score=0.9),
        row("2", kind="count", f1=0.0, reason="chain wrong", reading_score=0.4),
        row("3", kind="lookup", reading_score=0.7),
        row("4", kind="lookup", found=[], score={**row("4", f1=0.0)["score"], "found": 0}),
    ]
    summary = summary_of(some)
    assert summary["splits"]["kind"]["count"]["wrong"] == 0.5
    assert summary["splits"]["kind"]["lookup"]["unanswered"] == 0.5
    assert [p["coverage"] for p in summary["risk_coverage"]] == [0.25, 0.5, 0.75]
    assert [p["risk"] for p in summary["risk_coverage"]] == [0.0, 0.0, 1 / 3]
    page, text = html(some, summary), markdown(some, summary)
    for shown in ("By kind", "Wrong though answered", "Not answered", "Risk and coverage"):
        assert shown in page
        assert shown in text
    assert "% of these wrong" in page
    assert "| 75.0 % | 33.3 % | 0.40 |" in text


def test_answers_without_a_score_have_no_curve():
    summary = summary_of([row("1"), row("2", reading_score=None)])
    assert summary["risk_coverage"] == []
    assert "Risk and coverage" not in html([row("1")], summary)
