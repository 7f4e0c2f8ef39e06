"""The objects that ``--json`` prints."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf

import pytest
from tests.unit.output.sample_results import answer, films

from isomatch.answer.types import REFUSAL
from isomatch.match.types import Bound, Triple
from isomatch.output.json import answer_form, certificate_form, result_form, triple_form
from isomatch.pattern import parse

NOT_READ = "The whole question was not understood: no place was found for “median”."
BY = {"id": "urn:by", "name": "directed by"}
MANN = {"id": "urn:mann", "name": "Michael Mann"}


def test_a_result_has_its_matches_interpretations_and_certificate() -> None:
    form = json.loads(json.dumps(result_form(films(["Heat", "Ali"])), allow_nan=False))
    assert set(form) == {
        *("pattern", "found", "matches", "interpretations", "certificate", "profile", "notes")
    }
    assert parse(form["pattern"]) == films([]).pattern
    assert form["found"] is True
    heat = {"id": "urn:f0", "name": "Heat"}
    assert form["matches"][0] == {
        "rank": 1,
        "gsd": 0.0,
        "interpretation": form["interpretations"][0]["choices"],
        "bindings": {"f": heat, "m": MANN},
        "triples": [{"source": heat, "relation": BY, "target": MANN}],
    }
    assert [m["bindings"]["f"]["name"] for m in form["matches"]] == ["Heat", "Ali"]
    (hypothesis,) = form["interpretations"]
    assert (hypothesis["rank"], hypothesis["count"], hypothesis["cut"]) == (1, 2, False)
    assert hypothesis["choices"][0] == {
        **{"part": "node", "text": "Michael Mann", "distance": 0.0, "called": None},
        **MANN,
    }
    assert form["certificate"]["bound"] is None
    assert form["certificate"]["words"].startswith("proven complete")
    assert form["profile"]["stages_ms"] == {"link": 1.5, "total": 2.0}
    assert form["notes"] == ["vectors: exact scan"]


def test_found_is_false_without_a_near_interpretation() -> None:
    assert result_form(films([]))["found"] is False
    far = result_form(films(["Heat"], director="Heat", distance=1.3))
    assert far["found"] is False
    assert len(far["matches"]) == 1


def test_a_bound_is_a_number_where_there_is_one() -> None:
    certificate = films(["Heat"]).certificate
    assert certificate.bound == inf
    assert certificate_form(certificate, True)["bound"] is None


def test_an_answer_has_its_text_evidence_and_matches() -> None:
    form = json.loads(json.dumps(answer_form(answer(films(["Heat"]))), allow_nan=False))
    assert form["text"] == "Heat."
    assert form["answers"] == [{"id": "urn:f0", "name": "Heat"}]
    assert form["evidence"][0]["number"] == 1
    assert form["evidence"][0]["triple"]["relation"] == BY
    assert form["cited"] == [1]
    assert form["supported"] is True
    assert form["reading"] is None
    assert len(form["matches"]) == 1
    assert form["notes"] == ["read without a model", "vectors: exact scan"]


@pytest.mark.parametrize(
    ("text", "distance", "exact", "words"),
    [
        (NOT_READ, 0.0, False, "nothing is proven: "),
        (REFUSAL, 0.0, True, "nothing is proven: "),  # as a model may say of what was found
        (REFUSAL, 1.3, True, "proven: no interpretation in the whole graph is"),
    ],
)
def test_what_does_not_answer_is_not_complete(
    text: str, distance: float, exact: bool, words: str
) -> None:
    result = films(["Heat"], director="Serpico", distance=distance)
    refused = answer(result, text, supported=False)
    refused = replace(refused, is_not_read=text == NOT_READ)
    form = answer_form(refused)["certificate"]

    assert result.certificate.complete
    assert refused.certificate is not None
    assert form is not None
    assert (form["exact"], form["complete"]) == (exact, False)
    assert (refused.certificate.exact, refused.certificate.complete) == (exact, False)
    assert form["words"].startswith(words)
    assert answer(result).certificate == result.certificate


def test_a_relationship_has_its_id_and_properties() -> None:
    ends = [Bound(name, name) for name in ("hanks", "in", "gump")]
    plain = triple_form(Triple(*ends))
    assert set(plain) == {"source", "relation", "target"}
    form = triple_form(Triple(*ends, id="5:x:1", properties={"roles": ["Forrest"]}))
    assert form == {**plain, "id": "5:x:1", "properties": {"roles": ["Forrest"]}}
