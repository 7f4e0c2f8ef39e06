"""What a model's replies cost, as the endpoint counts it."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from tests.unit.endpoint import Endpoint

from isomatch.llm import Usage
from isomatch.llm.reply import usage_of

QUESTION = [{"role": "user", "content": "?"}]


def costing(**usage: object) -> httpx.Response:
    message = {"role": "assistant", "content": "yes"}
    return httpx.Response(200, json={"choices": [{"message": message}], "usage": usage})


def test_replies_are_added_up():
    endpoint = Endpoint(costing(prompt_tokens=30, completion_tokens=4), "no usage")
    model = endpoint.model()
    assert model.usage == Usage()
    model.complete(QUESTION)
    assert model.usage == Usage(1, 1, 30, 4)
    asyncio.run(model.acomplete(QUESTION))
    assert model.usage == Usage(2, 1, 30, 4)
    assert model.usage - Usage(1, 1, 30, 4) == Usage(1)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"usage": null}', b'{"usage": {"prompt_tokens": "many"}}']
)
def test_a_reply_that_does_not_say(body):
    assert usage_of(body) == Usage(1)
