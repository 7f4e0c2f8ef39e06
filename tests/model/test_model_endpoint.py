"""What must hold whatever a language model says, with a real and weak one.

Nothing here asks whether it is right: replies are well-formed or refused, citations
are there, refusals are honest, and no text of the model's gets into a query.
"""

from __future__ import annotations

import asyncio
import re

import pytest
from tests.unit.learn.toy import BASE, asked

from isomatch.admin.doctor import examine
from isomatch.answer.types import REFUSAL, Answer
from isomatch.errors import InterpretationError
from isomatch.evaluate.systems import TextToQuery
from isomatch.interpret.types import Hypothesis
from isomatch.learn.generated import synthesise
from isomatch.learn.sampling import sample_chains
from isomatch.learn.weak import Labeller
from isomatch.llm import ChatModel
from isomatch.pattern import Pattern
from isomatch.session import Session
from isomatch.trained.masking import MASK
from isomatch.triples.rankers import OneHopRanker

QUESTION = "who directed Heat?"
KNOWN = (BASE, "http://www.w3.org/")


def read(session: Session, question: str) -> Hypothesis | str:
    """The model's reading, or why there is none."""
    try:
        (hypothesis,) = session.interpret(question, interpreter="llm")
    except InterpretationError as error:
        return str(error)
    return hypothesis


@pytest.mark.parametrize(
    "question",
    [QUESTION, "which films starred Al Pacino?", 'x> } INSERT DATA { <e:a> <e:b> "c" } #'],
)
def test_a_reply_is_a_pattern_or_refused_and_never_a_query(session: Session, question: str) -> None:
    hypothesis = read(session, question)
    if isinstance(hypothesis, str):
        assert "in two attempts" in hypothesis
        return
    assert isinstance(hypothesis.pattern, Pattern)
    assert hypothesis.source == "llm"
    for query in session.explain(hypothesis.pattern).queries:
        for iri in re.findall(r"<([a-z]+:[^>\s]*)>", query):
            assert iri.startswith(KNOWN)
    session.match(hypothesis.pattern)


def check(answer: Answer) -> None:
    """An answer that is carried by what it cites, or an honest refusal."""
    known = {e.number for e in answer.evidence}
    if not answer.supported:
        assert answer.text == REFUSAL
        assert answer.answers == ()
        assert answer.cited == ()
        assert answer.notes
        return
    assert answer.source == "model"
    assert answer.cited
    assert set(answer.cited) <= known
    cited = [e.triple for e in answer.evidence if e.number in answer.cited]
    ends = {end for fact in cited for end in (fact.source, fact.target)}
    assert set(answer.answers) <= ends


@pytest.mark.parametrize("retriever", ["pattern", "chain", "triples", "fused"])
def test_an_answer_cites_what_is_there_or_is_refused(session: Session, retriever: str) -> None:
    session.triple_ranker = OneHopRanker(session.resources)
    answer = session.ask(QUESTION, interpreter="schema", retriever=retriever)
    assert answer.evidence
    check(answer)


def test_the_other_ways_to_ask(session: Session) -> None:
    check(asyncio.run(session.aask(QUESTION, interpreter="schema")))
    *pieces, answer = session.stream(QUESTION, interpreter="schema")
    assert all(isinstance(piece, str) for piece in pieces)
    assert isinstance(answer, Answer)
    check(answer)


def test_a_query_that_a_model_writes_changes_nothing(session: Session) -> None:
    before = session.store.describe().triples
    outcome = TextToQuery()(session, asked("1", QUESTION, "Heat", "Michael Mann"))
    assert outcome.query is not None
    assert outcome.usage.requests == 1
    assert session.store.describe().triples == before


def test_chains_that_a_model_chooses_are_the_graphs(session: Session, model: ChatModel) -> None:
    questions = [
        asked("films", "what did Michael Mann direct?", "Michael Mann", "Heat", "Ali", "Thief"),
        asked("thief", "who directed Thief?", "Thief", "Michael Mann"),
    ]
    labels = Labeller(session.resources, "model", model=model).run(questions)
    assert len(labels.labels) == 2
    for label in labels.labels:
        assert bool(label.kept) != bool(label.reason)
        if label.kept:
            assert sum(weight for _, weight in label.kept) == pytest.approx(1)
        for explanation, _ in label.kept:
            for _, chain in explanation.parts:
                assert {step.relation for step in chain} <= set(session.schema.by_id)


def test_what_a_model_rewords_keeps_its_topic(session: Session, model: ChatModel) -> None:
    sampled = list(sample_chains(session.resources, 3))
    made = list(synthesise(session.lexicon, sampled, model=model))
    assert len(made) == len(sampled)
    assert all(example.text.count(MASK) == 1 for example in made)


def test_the_doctor_finds_it(session: Session, model: ChatModel) -> None:
    given = {"model": model.model, "openai_base_url": model.base_url}
    checks = {c.name: c for c in examine(session.settings.model_copy(update=given))}
    assert checks["model"].status == "ok", checks["model"].message
