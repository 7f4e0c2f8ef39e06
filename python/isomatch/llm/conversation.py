"""Prompts, and the model's replies as steps of a flow."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from isomatch.llm.call import Message
from isomatch.texts import templates

if TYPE_CHECKING:
    from isomatch.llm.client import ChatModel


@dataclass(frozen=True, slots=True)
class Completion:
    """A step of a flow (see `isomatch.flows`): messages to a model; the result is its reply.

    Attributes:
        model: the endpoint.
        messages: see `ChatModel.complete`.
        schema: the JSON Schema of the reply, where it is to be JSON.
    """

    model: ChatModel
    messages: Sequence[Message]
    schema: Mapping[str, Any] | None = None

    def run(self) -> str:
        """See `isomatch.flows.Step`."""
        return self.model.complete(self.messages, schema=self.schema)

    async def arun(self, executor: Executor | None) -> str:
        """See `isomatch.flows.Step`."""
        return await self.model.acomplete(self.messages, schema=self.schema)


@dataclass(frozen=True, slots=True)
class StreamedCompletion(Completion):
    """A `Completion` whose reply comes in pieces."""

    def pieces(self) -> Iterator[str]:
        """See `isomatch.flows.TextStep`."""
        return self.model.stream(self.messages)

    def apieces(self) -> AsyncIterator[str]:
        """See `isomatch.flows.TextStep`."""
        return self.model.astream(self.messages)


def prompt(package: str, name: str, **values: Any) -> str:
    """A prompt of ours: a template from the ``prompts`` folder of a package."""
    return templates(package, "prompts").get_template(name).render(**values).strip()
