"""Prompts, and conversations that are written once for sync and async."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Generator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from isomatch.model.call import Message

if TYPE_CHECKING:
    from jinja2 import Environment

R = TypeVar("R")


def converse(
    flow: Generator[list[Message], str, R],
    ask: Callable[[list[Message]], str],
    said: str | None = None,
) -> R:
    """Run a conversation: ``flow`` gives messages and is sent the model's replies.

    A station writes such a flow once, free of I/O; `aconverse` is its async twin.

    Args:
        flow: returns what the station makes of the replies.
        ask: sends messages to the model.
        said: the reply to the messages that the flow gave last; None starts it.
    """
    try:
        messages = flow.send(cast(str, said))
        while True:
            messages = flow.send(ask(messages))
    except StopIteration as end:
        return cast(R, end.value)


async def aconverse(
    flow: Generator[list[Message], str, R],
    ask: Callable[[list[Message]], Awaitable[str]],
    said: str | None = None,
) -> R:
    """`converse`, without blocking."""
    try:
        messages = flow.send(cast(str, said))
        while True:
            messages = flow.send(await ask(messages))
    except StopIteration as end:
        return cast(R, end.value)


def prompt(package: str, name: str, **values: Any) -> str:
    """A prompt of ours: a template from the ``prompts`` folder of a package."""
    return _prompts(package).get_template(name).render(**values).strip()


@lru_cache(maxsize=8)
def _prompts(package: str) -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(package, "prompts"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - not HTML
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["json"] = lambda value: json.dumps(value, ensure_ascii=False)
    return environment
