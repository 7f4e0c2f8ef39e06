"""Answers without a graph: what the model is asked, and which reply is given."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from tests.unit.endpoint import Endpoint

from isomatch import flows
from isomatch.answer.unaided import SAMPLES, TEMPERATURE, most_alike, unaided
from isomatch.errors import ConfigurationError, ModelError
from isomatch.options import Prompting

QUESTION = "How are  Japan\nand Brazil connected?"
ASKED = "How are Japan and Brazil connected?"


class Letters:
    """An embedder of the first letters alone, which counts what it embeds."""

    name, dimension = "letters", 26

    def __init__(self):
        self.texts = []

    def embed(self, texts):
        self.texts += texts
        return np.stack([np.eye(26, dtype=np.float32)[ord(t[0].lower()) - 97] for t in texts])

    def close(self):
        pass


def ask(endpoint: Endpoint, *arguments, **more) -> str:
    return flows.run(unaided(endpoint.model(), QUESTION, *arguments, **more))


def test_zero_shot_asks_the_question_alone():
    endpoint = Endpoint("By many emigrants.")
    assert ask(endpoint) == "By many emigrants."
    ((rules, question),) = endpoint.said
    assert question == ASKED
    assert "Answer:" not in rules
    assert endpoint.bodies[0]["temperature"] == 0


def test_few_shot_shows_four_questions_with_answers():
    endpoint = Endpoint("By many emigrants.")
    assert ask(endpoint, "few-shot") == "By many emigrants."
    roles = [m["role"] for m in endpoint.bodies[0]["messages"]]
    assert roles == ["system", *["user", "assistant"] * 4, "user"]
    shown = endpoint.said[0][1:]
    assert shown[-1] == ASKED
    assert all(len(answer) > 200 for answer in shown[1:-1:2])
    assert all(question.endswith("?") for question in shown[:-1:2])


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Step 1. They trade.\nAnswer: By trade.", "By trade."),
        (
            "Answer: no.\nBut wait.\n**Answer:** By trade.\nAnd by people.",
            "By trade.\nAnd by people.",
        ),
        ("They trade, so by trade.", "They trade, so by trade."),
        ("They trade.\nAnswer:", "They trade.\nAnswer:"),
        ("<think>Answer: x</think>\n### Answer:\nBy trade.", "By trade."),
    ],
)
def test_a_chain_of_thought_gives_what_follows_its_reasoning(reply, answer):
    endpoint = Endpoint(reply)
    assert ask(endpoint, Prompting.COT) == answer
    assert "Answer:" in endpoint.said[0][0]
    assert len(endpoint.bodies) == 1


def test_self_consistency_gives_the_sample_most_like_the_others():
    endpoint = Endpoint("Coffee.", "Trade!", "Trade and people.", "Football.", "Answer: x")
    embedder = Letters()
    assert ask(endpoint, "sc", 5, embedder) == "Trade!"
    assert len(endpoint.bodies) == SAMPLES == 5
    assert {body["temperature"] for body in endpoint.bodies} == {TEMPERATURE}
    assert embedder.texts[-1] == "Answer: x"  # without reasoning there is nothing to cut


def test_both_compare_the_answers_and_not_the_reasoning():
    replies = ("Zen.\nAnswer: Coffee.", "Yes.\nAnswer: Trade.", "Zen.\nAnswer: Tea and trade.")
    embedder = Letters()
    assert ask(Endpoint(*replies), "cot-sc", 3, embedder) == "Trade."
    assert embedder.texts == ["Coffee.", "Trade.", "Tea and trade."]


def test_samples_without_an_answer_are_left_out():
    replies = ("<think>Hm.</think>", "Coffee.", "<think>Hm.</think>")
    assert ask(Endpoint(*replies), "sc", 3, Letters()) == "Coffee."
    with pytest.raises(ModelError, match="wrote no answer"):
        ask(Endpoint("<think>Hm.</think>"), "sc", 3, Letters())


def test_the_client_keeps_its_own_temperature():
    model = Endpoint("Trade.").model()
    flows.run(unaided(model, QUESTION, "sc", 2, Letters()))
    assert model.temperature == 0


def test_it_runs_on_an_event_loop_too():
    endpoint = Endpoint("Coffee.", "Trade.", "Tea.")
    flow = unaided(endpoint.model(), QUESTION, "sc", 3, Letters())
    assert asyncio.run(flows.arun(flow)) == "Trade."


def test_of_equally_alike_texts_the_first_is_given():
    assert most_alike(["Tea", "Coffee"], Letters()) == 0
    assert most_alike(["Milk", "Coffee", "Cocoa", "Tea", "Tee"], Letters()) == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("guess",), "one of zero-shot, few-shot, cot, sc, cot-sc, not 'guess'"),
        (("sc", 0), "samples must be a whole number from 1 on, not 0"),
        (("sc", 2.5), "not 2.5"),
        (("sc", True), "not True"),
        (("cot-sc", 2), "'cot-sc' needs an embedder"),
    ],
)
def test_bad_input_is_refused_before_the_model_is_asked(arguments, says):
    endpoint = Endpoint("Trade.")
    with pytest.raises(ConfigurationError, match=says):
        ask(endpoint, *arguments)
    with pytest.raises(ConfigurationError, match="the question is empty"):
        flows.run(unaided(endpoint.model(), "  "))
    assert endpoint.bodies == []
