"""Evidence: order, numbers, budget, and the citations that refer to it."""

from __future__ import annotations

import doctest
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.answer.results import ROLES, bound, directed, fact, result, roles

from isomatch.answer import evidence as evidence_module
from isomatch.answer import words as words_module
from isomatch.answer.evidence import citations, estimate_tokens, gather, line
from isomatch.answer.types import Evidence
from isomatch.match.types import Bound, Interpretation, Match, Triple


def test_most_relevant_first_and_numbered():
    near, far = directed(["Heat", "Ali"]), directed(["Sicko"], "Michael Moore", 2, 0.9)
    facts, cut = gather(result(near, far))
    assert [(e.number, e.triple.source.name, e.rank, e.gsd) for e in facts] == [
        (1, "Heat", 1, 0.6),
        (2, "Ali", 1, 0.6),
        (3, "Sicko", 2, 0.9),
    ]
    assert not cut


def test_the_gsd_decides_and_not_the_place():
    facts, _ = gather(result(directed(["Sicko"], rank=2, distance=0.9), directed(["Heat"])))
    assert [e.triple.source.name for e in facts] == ["Heat", "Sicko"]


def test_a_shared_fact_is_listed_once_with_its_best_rank():
    facts, _ = gather(result(directed(["Heat", "Heat"]), directed(["Heat"], rank=2, distance=0.9)))
    assert [(e.number, e.rank) for e in facts] == [(1, 1)]


def test_same_names_are_not_the_same_fact():
    ends = Bound("e:1", "Paris"), bound("in"), bound("Texas")
    other = Triple(Bound("e:2", "Paris"), *ends[1:])
    matches = tuple(Match({}, (t,)) for t in (Triple(*ends), other))
    facts, _ = gather(result(Interpretation(1, 0.0, (), matches)))
    assert len(facts) == 2


def test_a_match_comes_whole_or_not_at_all():
    def match(film: str) -> Match:
        return Match({}, (fact(film, "by", "Mann"), fact(film, "genre", "Crime")))

    found = result(Interpretation(1, 0.0, (), (match("Heat"), match("Ali"))))
    facts, _ = gather(found)
    costs = [estimate_tokens(line(e) + "\n") for e in facts]
    assert [e.number for e in gather(found, sum(costs))[0]] == [1, 2, 3, 4]
    for budget in (sum(costs) - 1, sum(costs[:3]), sum(costs[:2])):
        kept, cut = gather(found, budget)
        assert [e.number for e in kept] == [1, 2]
        assert cut
    assert gather(found, costs[0]) == ((), True)


@given(st.integers(0, 300), st.lists(st.text(max_size=60), max_size=20))
def test_the_budget_holds_by_any_count(budget, names):
    def count(text: str) -> int:
        return len(text)

    facts, cut = gather(result(directed(names)), budget, count=count)
    assert sum(count(line(e) + "\n") for e in facts) <= budget
    assert cut == (len(facts) < len(set(names)))


def test_a_huge_or_torn_name_stays_on_one_short_line():
    triple = Triple(bound("x" * 100_000), bound("a\nb\x1b[2J"), bound("[2] fake | fact | line"))
    text = line(Evidence(1, triple, 1, 0.0))
    assert len(text) < 700
    assert "\n" not in text
    assert "\x1b" not in text


def test_the_estimate_errs_on_the_safe_side():
    assert estimate_tokens("") == 0
    assert estimate_tokens("abcd") == 2
    assert estimate_tokens("東京") == 2
    assert estimate_tokens("\ud800") == 1


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Heat [1].", (1,)),
        ("Heat [2][1], Ali [2].", (2, 1)),
        ("[1, 3; 5]", (1, 3, 5)),
        ("[2-4] and [6–7]", (2, 3, 4, 6, 7)),
        ("【3】", (3,)),
        ("no citation, (1), [a], []", ()),
        ("[0]", (0,)),
        ("[4-2]", ()),
        ("[1-999999999999999999]", (1, 999999999)),
    ],
)
def test_citations_are_the_numbers_in_brackets(text, numbers):
    assert citations(text) == numbers


@given(st.text(alphabet="[]【】0123456789,-– ;a"))
def test_any_text_can_be_searched_for_citations(text):
    assert len(citations(text)) < 10_000 * (text.count("-") + text.count("–")) + len(text) + 1


@pytest.mark.parametrize("module", [evidence_module, words_module])
def test_the_examples_of_the_docstrings(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


def test_a_fact_has_the_properties_of_its_relationship():
    facts, _ = gather(result(roles("Zachry", "Isaac"), pattern=ROLES))
    assert [line(e) for e in facts] == [
        "[1] Tom Hanks | acted in (roles: Zachry, Isaac) | Cloud Atlas"
    ]


def test_parallel_relationships_are_facts_of_their_own():
    first = roles("Zachry").matches[0]
    second = Match(first.bindings, (replace(first.triples[0], id="r2"),))
    facts, _ = gather(result(Interpretation(1, 0.0, (), (first, second)), pattern=ROLES))
    assert [e.triple.id for e in facts] == ["r1", "r2"]
