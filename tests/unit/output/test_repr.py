"""Results as Python prints them."""

from __future__ import annotations

from tests.unit.answer.results import directed, result
from tests.unit.output.sample_results import answer, films

from isomatch.answer.types import Answer
from isomatch.match.types import IN_NOTEBOOKS


def test_the_repr_of_a_large_result_and_its_answer_is_short() -> None:
    path = "".join(f"-[relation number {i}]-(?x{i}:type)" for i in range(1, 30))
    found = result(*[directed(["Heat"])] * 300, pattern=f'("{"long " * 500}"){path}')
    assert len(repr(found)) < 1000
    assert "complete=True" in repr(found)
    answer = Answer("why? " * 900, "since " * 900, (), True, (), (), False, found, "graph")
    assert len(repr(answer)) < 1000


def test_a_notebook_shows_the_first_matches_as_a_table() -> None:
    page = films(["Heat", "<script>alert(1)</script>"])._repr_html_()
    assert page.startswith("<table><caption>2 matches; exact=True, complete=True</caption>")
    assert "<tr><th>f</th><th>m</th><th>rank</th><th>gsd</th></tr>" in page
    assert "<tr><td>Heat</td><td>Michael Mann</td><td>1</td><td>0.000</td></tr>" in page
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    many = films([f"film {n} {'long ' * 100}" for n in range(1000)])._repr_html_()
    assert many.count("<tr>") == IN_NOTEBOOKS + 1
    assert "1000 matches, 20 shown" in many
    assert len(many) < 10_000


def test_a_notebook_says_what_is_no_match() -> None:
    far = films(["Heat"], director="Zzz", distance=1.3)._repr_html_()
    assert "none near enough to be what the words mean" in far
    assert "0 matches" in films([])._repr_html_()


def test_a_notebook_shows_an_answer_above_its_facts() -> None:
    page = answer(films(["Heat", "Ali"]), text="Heat & Ali.")._repr_html_()
    assert "<caption>Heat &amp; Ali.</caption>" in page
    assert "<tr><td>1</td><td>Heat</td><td>directed by</td><td>Michael Mann</td></tr>" in page
