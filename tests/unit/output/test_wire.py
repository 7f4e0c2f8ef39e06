"""The declared types of JSON objects: what is printed is of them, and they say no more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError
from tests.turtle import opened
from tests.unit.output.sample_results import answer, films
from tests.unit.output.wire_forms import checked, occurrences, optional_keys

import isomatch
from isomatch.answer.types import Answer, Sentence
from isomatch.interpret.types import Coverage, Hypothesis, Span
from isomatch.match.types import Bound, Choice, Triple
from isomatch.options import PrizeOptions
from isomatch.output import wire
from isomatch.output.json import answer_form, explanation_form, found_form, result_form
from isomatch.prizes.graph import Size
from isomatch.prizes.selection import Selection

FILMS = """
@prefix : <urn:films:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:heat a :Film ; rdfs:label "Heat" ; :directed_by :mann ; :budget 60 ; :tagline "A saga" .
:ali a :Film ; rdfs:label "Ali" ; :directed_by :mann ; :budget 107 .
:thief a :Film ; rdfs:label "Thief" ; :directed_by :mann .
:mann rdfs:label "Michael Mann" ; :born_in "Chicago" .
"""
MANN = '(?f)-[directed by]->(m "Michael Mann")'
PATTERNS = (
    f"{MANN} return ?f",
    '(?f)-[directed by]->("Nobody of this name") return ?f',
    f"{MANN} return count(?f)",
    '(?f)-[directed by]->("Michael Mann"), (?f)-[budget]->(?b) return max(?b)',
    "(?f)-[directed by]->(?d), (?f)-[budget]->(?b) return ?d, sum(?b)",
    f"{MANN} return ask",
    f"{MANN} optional {{ (?f)-[tagline]->(?t) }} return ?f, ?t",
    "(?f)-[budget]->(?b) where ?f not in { (?g)-[tagline]->(?t) return ?g } return ?f",
    "(?f)-[budget]->(?b) where ?f in { (?g)-[tagline]->(?t) return ?g } or ?f in "
    "{ (?g)-[budget]->(?c) where ?c > 100 return ?g } return ?f",
    "(?f)-[budget]->(?b) where ?f in { (?g)-[directed by]->(?d) where ?g not in "
    "{ (?h)-[tagline]->(?t) return ?h } return ?g } return ?f",
)


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(FILMS) as session:
        yield session


def results(session: isomatch.Session) -> Iterator[Any]:
    for text in PATTERNS:
        yield result_form(session.match(text, k=1))
    found = films(["Heat"])
    (heat,) = found.interpretations
    year = Choice("node", "1995", '"1995-01-01"', "1995", 0.0, None, ('"1995-01-01"', '"1995"'))
    role = Triple(*(Bound(x, x) for x in "abc"), id="5:x:1", properties={"roles": ["Forrest"]})
    match = replace(heat.matches[0], triples=(role,))
    changed = replace(heat, choices=(*heat.choices, year), matches=(match,))
    yield result_form(replace(found, interpretations=(changed,)))


def answers(session: isomatch.Session) -> Iterator[Any]:
    yield answer_form(session.ask("which films did Michael Mann direct", interpreter="schema"))
    for text in (PATTERNS[5], PATTERNS[6], PATTERNS[7]):
        yield answer_form(session.ask(text, interpreter="given"))
    told = answer(films(["Heat"]))
    pattern = films(["Heat"]).pattern
    span = Span(0, 5, "which", "word")
    coverage = Coverage((replace(span, meaning="film"),), (span,))
    yield answer_form(replace(told, hypothesis=Hypothesis(pattern, 0.5, {"k": 2}, "schema")))
    read = Hypothesis(pattern, 1.0, source="schema", coverage=coverage)
    yield answer_form(replace(told, hypothesis=read))
    yield answer_form(paragraph())


def paragraph() -> Answer:
    told = answer(films(["Heat"]))
    fact = told.evidence[0].triple
    size = Size(2, 1)
    selection = Selection(
        *("steiner", (), ((fact,),), 2.0, 3.5, size, size, PrizeOptions(), ("urn:f0",), ())
    )
    sentences = (Sentence("Heat [1].", (1,), True), Sentence("Ali.", (), False, "no citation"))
    return replace(told, result=None, retriever="steiner", selection=selection, sentences=sentences)


def test_what_match_and_ask_print_is_of_their_types(session: isomatch.Session) -> None:
    seen: set[tuple[str, str, bool]] = set()
    for of, forms in ((wire.Result, results(session)), (wire.Answer, answers(session))):
        for form in forms:
            seen |= set(occurrences(of, checked(of, form)))
    keys = optional_keys(wire.Result) | optional_keys(wire.Answer)
    assert len(keys) > 15
    either = {(*key, there) for key in keys for there in (True, False)}
    assert either - seen == set()


@pytest.mark.parametrize("text", PATTERNS)
def test_what_explain_prints_is_of_its_type(session: isomatch.Session, text: str) -> None:
    form = checked(wire.Explanation, explanation_form(session.explain(text)))
    assert form["lists"]


def test_what_find_prints_is_of_its_type(session: isomatch.Session) -> None:
    form = checked(wire.Found, found_form("Heat", session.find("Heat")))
    assert form["found"][0]["name"] == "Heat"
    checked(wire.Found, found_form("", ()))


def test_another_key_or_type_is_refused() -> None:
    form = result_form(films(["Heat"]))
    for wrong in ({"found": "true"}, {"other": 1}, {"matches": [{}]}, {"pattern": {"nodes": []}}):
        with pytest.raises(ValidationError):
            checked(wire.Result, {**form, **wrong})


def test_every_key_is_described() -> None:
    for name in wire.__all__:
        schema = TypeAdapter(getattr(wire, name)).json_schema(mode="serialization")
        for of in (schema, *schema.get("$defs", {}).values()):
            if of.get("title") in ("PrizeOptions", "Unmatched"):
                continue
            missing = {k for k, v in of.get("properties", {}).items() if "description" not in v}
            assert not missing, (name, of["title"])
