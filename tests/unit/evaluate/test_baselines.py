"""Baselines over a small graph, with a model that replies what it was told to."""

from __future__ import annotations

import httpx
import pytest
from tests.unit.endpoint import Endpoint

from isomatch.errors import ConfigurationError
from isomatch.evaluate.systems import System, answer_lines, make_baseline, query_of, schema_prompt
from isomatch.options import Baseline
from isomatch.questions.datasets import Question

QUESTION = Question(
    "1", "which films did Michael Mann direct", ("Michael Mann",), ("Heat", "Ali"), None, 1
)
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
QUERY = f"""SELECT DISTINCT ?answer WHERE {{
  ?m <{RDFS}label> "Michael Mann" .
  ?answer <urn:isomatch:relation:directed_by> ?m
}}"""


def baseline(name: str, *, given: bool) -> System:
    """A baseline by name."""
    return make_baseline(Baseline(name), topics_given=given)


def costing(text: str) -> httpx.Response:
    """A reply whose endpoint says what it cost."""
    return httpx.Response(
        200,
        json={
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 30, "completion_tokens": 4},
        },
    )


@pytest.mark.parametrize("name", ["one-hop", "cosine", "pagerank"])
def test_triples_are_ranked_and_nothing_reads_them(session, name):
    outcome = baseline(name, given=True)(session, QUESTION)
    assert outcome.found is None
    assert {t.source.name for t in outcome.triples[:2]} == {"Heat", "Ali"}
    assert outcome.tokens > 0
    assert outcome.stages["retrieve"] > 0


def test_a_model_reads_ranked_triples(session):
    session.model = Endpoint(costing("ans: Heat [1]")).model()
    outcome = baseline("one-hop", given=True)(session, QUESTION)
    assert outcome.found is not None
    assert outcome.usage.prompt_tokens >= 30


def test_neighbourhoods_have_no_clock(session):
    for name in ("one-hop", "cosine", "pagerank"):
        system = baseline(name, given=True)
        system(session, QUESTION)
        assert system._opened[1].around.seconds is None


def test_a_reader_is_judged_by_what_it_was_shown(session):
    session.model = Endpoint(costing("ans: Heat [1]")).model()
    resources = session.resources
    resources.settings = resources.settings.model_copy(update={"evidence_tokens": 30})
    outcome = baseline("pagerank", given=True)(session, QUESTION)
    shown = {end.name for t in outcome.shown or () for end in (t.source, t.target)}
    assert 0 < len(outcome.shown or ()) < len(outcome.triples)
    assert set(outcome.evidence_names) == shown


def test_a_topic_that_is_not_found_is_an_error_of_the_question(session):
    nowhere = Question("2", "what is it", (), ("Heat",), None, 0)
    assert baseline("cosine", given=False)(session, nowhere).error


def test_the_baseline_none_shows_the_model_no_evidence(session):
    endpoint = Endpoint(costing("ans: Heat\nans: Ali"))
    session.model = endpoint.model()
    outcome = baseline("none", given=False)(session, QUESTION)
    assert outcome.found == (("Heat", "Ali"),)
    assert (outcome.usage.requests, outcome.usage.completion_tokens) == (1, 4)
    assert endpoint.said[0][-1] == f"Question: {QUESTION.text}"
    assert "Heat" not in endpoint.said[0][0]


def test_no_answer_is_a_refusal(session):
    session.model = Endpoint("ans: unknown").model()
    outcome = baseline("none", given=False)(session, QUESTION)
    assert (outcome.found, outcome.refused) == (((),), True)
    assert answer_lines("- ANS: Lisbon.\nnothing") == ("Lisbon",)


def test_a_query_is_run_and_its_nodes_are_named(session):
    session.model = Endpoint(costing(f"Here:\n```sparql\n{QUERY}\n```")).model()
    outcome = baseline("text-to-query", given=False)(session, QUESTION)
    assert outcome.error is None
    assert sorted((outcome.found or ((),))[0]) == ["Ali", "Heat"]
    assert outcome.query == QUERY
    assert outcome.usage.prompt_tokens == 30


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", "INSERT"),
        ("SELECT ?answer { SERVICE <http://evil.test/> { ?s ?p ?answer } }", "SERVICE"),
        ("SELECT ?x { ?s ?p ?x }", "selects no ?answer"),
        ("SELECT ?answer { ?s ?p ", "refused the query"),
    ],
)
def test_a_query_that_is_refused_or_fails_gives_nothing(session, query, words):
    before = session.store.fingerprint()
    session.model = Endpoint(query).model()
    outcome = baseline("text-to-query", given=False)(session, QUESTION)
    assert words in (outcome.error or "")
    assert outcome.found == ((),)
    assert session.store.fingerprint() == before


def test_the_prompt_has_the_graphs_own_words(session):
    said = schema_prompt(session.schema, session.store.capabilities)
    assert "<urn:isomatch:relation:directed_by> directed by" in said
    assert f"<{RDFS}label>" in said
    assert "$" not in said


def test_a_model_is_needed(session):
    session.model = None
    for name in ("none", "text-to-query"):
        with pytest.raises(ConfigurationError, match="set ISOMATCH_MODEL"):
            baseline(name, given=False)(session, QUESTION)


def test_a_query_without_a_block():
    assert query_of(" SELECT ?answer {} ") == "SELECT ?answer {}"
    assert query_of("```\nA\n```\n```\nB\n```") == "A"
