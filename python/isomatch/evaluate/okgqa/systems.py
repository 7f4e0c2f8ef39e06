"""What answers open questions: evidence of each form, or a model that sees no graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from isomatch import flows
from isomatch.answer.evidence import key_of, line
from isomatch.answer.paths import way_words
from isomatch.answer.unaided import unaided
from isomatch.errors import InterpretationError, ModelError
from isomatch.evaluate.okgqa.config import form_of, is_form
from isomatch.evaluate.systems import model_of, usage_of
from isomatch.llm import Usage
from isomatch.llm.reply import WithoutText
from isomatch.questions.open.sets import OpenQuestion
from isomatch.texts import find_word

if TYPE_CHECKING:
    from isomatch.answer.types import Answer
    from isomatch.prizes.selection import Selection
    from isomatch.session import Session


@dataclass(frozen=True, slots=True)
class Written:
    """What a system wrote for a question.

    Attributes:
        text: the answer; empty where there is none.
        source: ``graph`` (the evidence in sentences) or ``model``.
        supported: whether facts carry the text; None without a graph.
        context: the evidence, a line for each fact or path, numbered.
        facts: ids of the evidence's facts.
        cited: how many lines the text cites.
        selection: what is proven about the evidence, for JSON; None without any.
        named: share of the topics that the text names.
        error: why there is no text.
    """

    text: str
    source: str
    supported: bool | None = None
    context: tuple[str, ...] = ()
    facts: tuple[tuple[str, str, str], ...] = ()
    cited: int = 0
    selection: Mapping[str, Any] | None = None
    named: float = 0.0
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    milliseconds: float = 0.0
    error: str | None = None


def write(
    system: str,
    session: Session,
    question: OpenQuestion,
    options: Mapping[str, Any],
    samples: int,
) -> Written:
    """What a system writes; an error that concerns this question alone is part of it.

    Raises:
        ConfigurationError: a system without the graph, and no language model.
        ModelError: the model's endpoint failed.
        StoreError, VectorIndexError, EmbeddingError: a part failed.
    """
    started, before = perf_counter(), usage_of(session)
    try:
        if is_form(system):
            answer = session.ask(
                question.text, retriever=form_of(system), topics=question.topics, **options
            )
            found = _of_answer(answer, question)
        else:
            found = _unaided(system, session, question, samples)
    except InterpretationError as error:
        found = _nothing(error)
    except ModelError as error:
        if error.__cause__ is not None and not isinstance(error.__cause__, WithoutText):
            raise  # the endpoint failed, and every other question would too
        found = _nothing(error)
    elapsed = (perf_counter() - started) * 1e3
    return Written(**found, usage=usage_of(session) - before, milliseconds=elapsed)


def _nothing(error: Exception) -> dict[str, Any]:
    return {"text": "", "source": "none", "error": str(error)}


def _of_answer(answer: Answer, question: OpenQuestion) -> dict[str, Any]:
    text = answer.text if answer.supported else ""
    facts = dict.fromkeys(key_of(one.triple)[:3] for one in answer.evidence)
    return {
        "text": text,
        "source": answer.source,
        "supported": answer.supported,
        "context": tuple(_lines(answer)),
        "facts": tuple(facts),
        "cited": len(answer.cited),
        "selection": None if answer.selection is None else _proof(answer.selection),
        "named": _named(text, question),
        "notes": answer.notes,
        "error": None if answer.supported else f"{answer.text} {' '.join(answer.notes)}".strip(),
    }


def _unaided(system: str, session: Session, question: OpenQuestion, samples: int) -> dict[str, Any]:
    model = model_of(session)
    text = flows.run(unaided(model, question.text, system, samples, session.embedder))
    return {"text": text, "source": "model", "named": _named(text, question)}


def _lines(answer: Answer) -> list[str]:
    """The evidence as a model is shown it: a line for each number."""
    if answer.retriever != "paths":
        return [line(one) for one in answer.evidence]
    numbers: dict[int, list[Any]] = {}
    for one in answer.evidence:
        numbers.setdefault(one.number, []).append(one.triple)
    return [f"[{number}] {way_words(triples)}" for number, triples in numbers.items()]


def _proof(selection: Selection) -> dict[str, Any]:
    return {
        "score": selection.score,
        "gap": selection.gap,
        "optimal": selection.optimal,
        "nodes": selection.after.nodes,
        "surrounding_facts": selection.after.facts,
    }


def _named(text: str, question: OpenQuestion) -> float:
    folded = text.casefold()
    named = sum(find_word(folded, topic.casefold()) is not None for topic in question.topics)
    return named / len(question.topics)
