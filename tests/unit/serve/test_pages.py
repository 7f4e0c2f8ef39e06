"""Results in pages: nothing over the limit, nothing lost on the way through them."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from isomatch.answer.evidence import estimate_tokens
from isomatch.serve.pages import LEAST, Path, page, shortened_text, size, written

ADDED = {"truncated": True, "cursor": "0" * 40, "shortened": ["/" + "x" * 59] * 5}
LISTS: list[Path] = [("answers",), ("evidence",), ("inner", "groups")]

texts = st.text(max_size=40) | st.integers(1, 4000).map(lambda n: "é\n𝄞x"[n % 4] * n)
leaves = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(texts, inner, max_size=8),
    max_leaves=40,
)
forms = st.fixed_dictionaries(
    {"text": texts, "answers": st.lists(values, max_size=30), "other": values},
    optional={
        "evidence": st.lists(st.dictionaries(texts, values, max_size=5), max_size=20),
        "inner": st.fixed_dictionaries({"groups": st.lists(values, max_size=20)}),
    },
)


def pages_of(form: dict[str, Any], lists: list[Path], tokens: int) -> list[dict[str, Any]]:
    found, start = [], 0
    while True:
        part = page(form, lists, tokens, start)
        found.append(part.form)
        if part.next is None:
            return found
        assert part.next > start
        start = part.next


@given(forms, st.integers(LEAST, 1500))
def test_no_page_is_over_its_tokens_whatever_the_form(form: dict[str, Any], tokens: int) -> None:
    for part in pages_of(form, LISTS, tokens):
        assert estimate_tokens(written({**part, **ADDED})) <= tokens
        json.loads(written(part))


@given(st.lists(st.text(max_size=300), max_size=60), st.lists(st.text(max_size=300), max_size=60))
def test_the_pages_together_have_every_entry_once_and_in_order(
    answers: list[str], evidence: list[str]
) -> None:
    form = {"text": "x", "answers": answers, "evidence": evidence}
    parts = pages_of(form, LISTS, LEAST)
    assert [entry for part in parts for entry in part["answers"]] == answers
    assert [entry for part in parts for entry in part["evidence"]] == evidence
    assert all(part["text"] == "x" for part in parts)


def test_an_entry_larger_than_a_page_goes_on_in_the_next_one() -> None:
    triples = [{"source": f"node {n}" * 5} for n in range(100)]
    parts = pages_of({"answers": [{"rank": 1, "triples": triples}]}, LISTS, LEAST)
    assert len(parts) > 1
    assert [t for part in parts for entry in part["answers"] for t in entry["triples"]] == triples
    assert all(entry["rank"] == 1 for part in parts for entry in part["answers"])


def test_a_form_that_fits_is_left_as_it_is() -> None:
    form = {"text": "Heat", "answers": [{"id": "a"}], "notes": ["one"]}
    part = page(form, LISTS, LEAST)
    assert (part.form, part.next, part.shortened) == (form, None, [])


def test_long_texts_end_in_a_mark_and_their_places_are_named() -> None:
    part = page({"text": "a" * 9000, "certificate": {"words": "short"}}, [], LEAST)
    assert part.form["text"].endswith("a…")
    assert part.form["certificate"] == {"words": "short"}
    assert part.shortened == ["/text"]


def test_keys_stay_where_they_can_so_that_the_form_keeps_its_type() -> None:
    form = {"text": "a" * 9000, "reading": {"words": ["b" * 9000]}, "found": True, "count": 12}
    part = page(form, [], LEAST)
    assert list(part.form) == list(form)
    assert list(part.form["reading"]) == ["words"]
    assert (part.form["found"], part.form["count"]) == (True, 12)


def test_a_lone_surrogate_becomes_a_question_mark() -> None:
    assert page({"text": "a\ud800"}, [], LEAST).form == {"text": "a?"}


def test_a_page_after_the_last_one_is_empty() -> None:
    part = page({"answers": ["a"]}, LISTS, LEAST, start=5)
    assert (part.form, part.next) == ({"answers": []}, None)


def test_a_shortened_text_has_at_most_its_tokens() -> None:
    assert shortened_text("short", 100) == "short"
    long = shortened_text("é" * 1000, 100)
    assert estimate_tokens(long) <= 100 < size("é" * 1000) / 3
