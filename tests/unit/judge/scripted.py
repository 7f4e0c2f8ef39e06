"""A judge's endpoint that replies by rules of the test, and keeps what it was asked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import httpx
from tests.unit.endpoint import Endpoint

TRUE = ("Michael Mann directed Heat.", "Heat is a film.")


def usage(text: str) -> httpx.Response:
    """A reply that says what it cost: ten tokens and one."""
    message = {"role": "assistant", "content": text}
    cost = {"prompt_tokens": 10, "completion_tokens": 1}
    return httpx.Response(200, json={"choices": [{"message": message}], "usage": cost})


def scripted(reply: Callable[[str, list[str]], Any]) -> Endpoint:
    """An endpoint whose replies a function gives.

    Args:
        reply: of the rules (system) and the later messages; an object becomes JSON.
    """

    def answer(request: httpx.Request) -> httpx.Response:
        rules, *said = [m["content"] for m in json.loads(request.content)["messages"]]
        value = reply(rules, said)
        if isinstance(value, httpx.Response):
            return value
        return usage(value if isinstance(value, str) else json.dumps(value))

    return Endpoint(answer)


def honest(rules: str, said: list[str]) -> Any:
    """A judge that holds `TRUE` for true, and says facts as sentences have them."""
    if "take texts apart" in rules:
        return {"facts": [re.findall(r"The sentence:\n(.*)", said[0])[0]]}
    if "check one statement" in rules:
        statement = re.findall(r"Statement: (.*)", said[0])[0]
        verdict = "supported" if statement in TRUE else "not supported"
        return {"reason": "the texts decide", "verdict": verdict}
    if "carried by what a search gives" in rules:
        statement = re.findall(r"Statement: (.*)", said[0])[0]
        if len(said) == 1:
            return {"reason": "look", "action": "search", "query": statement}
        verdict = "supported" if statement in TRUE else "not supported"
        return {"reason": "found", "action": verdict, "query": ""}
    assert "You rate an answer" in rules
    return {"reason": "clear", "score": 4}
