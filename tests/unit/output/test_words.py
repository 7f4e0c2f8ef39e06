"""Facts and proofs in words."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from tests.unit.output.sample_results import films

from isomatch.match.nearness import DEFAULT
from isomatch.match.types import Certificate
from isomatch.output.json import result_form
from isomatch.output.words import answer_words, certificate_words
from isomatch.phrasing import triple_words
from isomatch.retrieve.types import Acceptance
from isomatch.serve.sparql.results import SearchResults


def test_a_fact_is_written_in_its_stored_direction() -> None:
    result = films(["Heat"])
    match = result.interpretations[0].matches[0]
    assert triple_words(match.triples[0]) == "Heat ─directed by→ Michael Mann"
    assert answer_words(result.pattern, match) == "Heat"


@pytest.mark.parametrize(
    ("director", "distance", "near"),
    [
        ("Michael Mann", 0.0, True),
        ("Ridley Scott", 0.8, True),
        ("Ridley Scott", 0.81, False),
        ("Micheal Man", 1.2, True),  # the spelling is alike
        ("Zzyzx Qwerty", 1.06, False),
    ],
)
def test_result_json_and_service_are_near_by_the_rule_of_answers(
    director: str, distance: float, near: bool
) -> None:
    result = films(["Heat"], director=director, distance=distance)
    assert DEFAULT.holds(result.interpretations[0]) is near
    assert result.found is result.interpretations[0].near is near
    form = result_form(result)
    assert form["found"] is form["interpretations"][0]["near"] is near
    [row] = SearchResults.of(result).rows(["near"])
    assert str(row[0]) == f'"{str(near).lower()}"^^<http://www.w3.org/2001/XMLSchema#boolean>'
    assert Acceptance().has_near(result) is near


EXACT = Certificate(exact=True, complete=False, bound=0.7312)


@pytest.mark.parametrize(
    ("certificate", "found", "words"),
    [
        (
            Certificate(True, True, inf),
            True,
            "proven complete: no other interpretation in the whole graph is nearer",
        ),
        (
            EXACT,
            True,
            "exact over the candidate lists; an interpretation outside them may be as near as "
            "0.731",
        ),
        (
            Certificate(True, True, inf),
            False,
            "proven: no interpretation of the pattern has a match",
        ),
        (EXACT, False, "no interpretation nearer than 0.731 has a match"),
        (
            replace(EXACT, exact=False, ended_by="time"),
            True,
            "not proven: the time budget ended the search; interpretations from distance 0.731 on "
            "may be missing",
        ),
        (
            replace(EXACT, exact=False, bound=inf, ended_by="rows"),
            False,
            "not proven: the row budget ended the search",
        ),
        (
            Certificate(True, True, inf, approximate=True),
            True,
            "proven complete: no other interpretation in the whole graph is nearer (relative "
            "to approximate lists: of a vector index, which --exact-vectors scans, or of the "
            "database's own search)",
        ),
    ],
)
def test_the_proof_is_put_into_words(certificate: Certificate, found: bool, words: str) -> None:
    assert certificate_words(certificate, found) == words
