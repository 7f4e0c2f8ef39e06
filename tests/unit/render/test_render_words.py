"""Names and proofs in words."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.render.sample_results import films

from isomatch.match.model import Certificate
from isomatch.render.words import (
    MAX_NAME,
    answer_words,
    certificate_words,
    clean,
    is_near,
    printable,
    triple_words,
)


@given(st.text())
def test_a_name_is_one_short_line_without_controls(name: str) -> None:
    text = clean(name)
    assert 1 <= len(text) <= MAX_NAME
    assert all(unicodedata.category(c) not in ("Cc", "Cs", "Zl", "Zp") for c in text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Heat", "Heat"),
        ("two\nlines\tand  spaces ", "two lines and spaces"),
        ("\x1b[31mred", "\ufffd[31mred"),
        ("\u202egnp.exe", "gnp.exe"),
        ("قلب", "قلب"),
        ("👩‍🚀 in space", "👩‍🚀 in space"),
        ("", "(empty)"),
        ("x" * 100_000, "x" * (MAX_NAME - 1) + "…"),
    ],
)
def test_clean(name: str, text: str) -> None:
    assert clean(name) == text


def test_a_text_keeps_its_lines() -> None:
    assert printable("one\ntwo\x1b[2J") == "one\ntwo\ufffd[2J"


def test_a_fact_is_told_as_stored() -> None:
    result = films(["Heat"])
    match = result.interpretations[0].matches[0]
    assert triple_words(match.triples[0]) == "Heat ─directed by→ Michael Mann"
    assert answer_words(result.pattern, match) == "Heat"


@pytest.mark.parametrize(("distance", "near"), [(0.0, True), (1.1, True), (1.11, False)])
def test_near(distance: float, near: bool) -> None:
    assert is_near(films(["Heat"], distance=distance).interpretations[0]) is near


EXACT = Certificate(exact=True, complete=False, bound=0.7312)


@pytest.mark.parametrize(
    ("certificate", "found", "words"),
    [
        (
            Certificate(True, True, inf),
            True,
            "proven complete: no other reading of the whole graph is nearer than these",
        ),
        (
            EXACT,
            True,
            "exact over the candidate lists; a reading outside them may be as near as 0.731",
        ),
        (Certificate(True, True, inf), False, "proven: no reading of the pattern has a match"),
        (EXACT, False, "no reading that is nearer than 0.731 has a match"),
        (
            replace(EXACT, exact=False, ended_by="time"),
            True,
            "not proven: the time budget ended the search; a reading from 0.731 on may be missing",
        ),
        (
            Certificate(True, True, inf, approximate=True),
            True,
            "proven complete: no other reading of the whole graph is nearer than these (relative "
            "to an approximate vector index; --exact-vectors scans every vector)",
        ),
    ],
)
def test_certificates(certificate: Certificate, found: bool, words: str) -> None:
    assert certificate_words(certificate, found) == words
