"""Answers to open questions by a real and weak model: carried by facts, marked, or refused."""

from __future__ import annotations

import asyncio

import pytest

from isomatch.answer.types import MISSING, REFUSAL, UNSUPPORTED, Answer
from isomatch.answer.unaided import unaided
from isomatch.flows import run
from isomatch.llm import ChatModel
from isomatch.options import OPEN_FORMS, Prompting
from isomatch.session import Session

QUESTION = "How are Heat and Ali connected?"


def words(text: str) -> list[str]:
    """The words of a text; a part of a sentence may end in its own full stop."""
    return text.replace(";", ".").split()


def check(answer: Answer, unsupported: str) -> None:
    """Every sentence of the text is carried by what it cites, or marked."""
    print(f"\n{answer!r}\n{answer.sentences}\n{answer.notes}")
    known = {fact.number for fact in answer.evidence}
    for sentence in answer.sentences:
        assert sentence.supported != bool(sentence.reason)
        if sentence.supported:
            assert sentence.cited
            assert set(sentence.cited) <= known
    carried = [sentence for sentence in answer.sentences if sentence.supported]
    if not answer.supported:
        assert (answer.text, answer.cited, answer.answers) == (REFUSAL, (), ())
        assert answer.notes
        return
    assert answer.source == "model"
    assert answer.text.splitlines()[-1].startswith(MISSING)
    assert set(answer.cited) == {number for sentence in carried for number in sentence.cited}
    shown = [s if s.supported else f"{s.text} {UNSUPPORTED}" for s in answer.sentences]
    if unsupported == "mark":
        told = [getattr(one, "text", one) for one in shown]
    else:
        told = [sentence.text for sentence in carried]
    body = answer.text.rpartition("\n")[0]
    assert words(body) == words(" ".join(told))


@pytest.mark.parametrize("form", OPEN_FORMS)
def test_a_paragraph_cites_or_is_marked(session: Session, form: str) -> None:
    for unsupported in ("mark", "drop"):
        session.resources.settings = session.settings.model_copy(
            update={"unsupported": unsupported}
        )
        check(session.ask(QUESTION, retriever=form), unsupported)


def test_a_paragraph_in_the_other_ways(session: Session) -> None:
    session.resources.settings = session.settings.model_copy(update={"unsupported": "drop"})
    check(asyncio.run(session.aask(QUESTION, retriever="steiner")), "drop")
    *pieces, answer = session.stream(QUESTION, retriever="steiner")
    assert all(isinstance(piece, str) for piece in pieces)
    assert isinstance(answer, Answer)
    check(answer, "drop")


@pytest.mark.parametrize("prompting", list(Prompting), ids=str)
def test_an_answer_without_the_graph(
    session: Session, model: ChatModel, prompting: Prompting
) -> None:
    before = model.usage.requests
    said = run(unaided(model, QUESTION, prompting, 2, session.embedder))
    print(f"\n{prompting}: {said}")
    assert said.strip()
    assert model.usage.requests - before == (2 if "sc" in str(prompting).split("-") else 1)
