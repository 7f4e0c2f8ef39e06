"""Prompts, and conversations that are written once for sync and async."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar, cast

from isomatch.llm.call import Message
from isomatch.texts import templates

if TYPE_CHECKING:
    pass

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
    return templates(package, "prompts").get_template(name).render(**values).strip()
