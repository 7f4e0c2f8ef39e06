"""A chat client for endpoints of the OpenAI kind, sync and async, and prompts.

Retries are ours (tenacity), because the ``openai`` package's own have no bound on
the time in all; bodies are read piece by piece, so that a server that sends a
byte now and then cannot outlast that bound either.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import urlsplit

from isomatch import cancel
from isomatch.errors import ConfigurationError
from isomatch.llm.call import Call, EndpointCapabilities, Message, Retry
from isomatch.llm.reply import Events, Reply, Usage, grow, tokens_of, usage_of, whole_text
from isomatch.texts import templates

if TYPE_CHECKING:
    import httpx
    import openai

    HttpClient = httpx.Client | httpx.AsyncClient

AnyClient = TypeVar("AnyClient")

OPENAI = "https://api.openai.com/v1"


class ChatModel:
    """A language model behind an endpoint of the OpenAI kind; a context manager.

    Args:
        model: its name there.
        base_url: the endpoint; None for ``OPENAI_BASE_URL``, else OpenAI's own.
        api_key: None for ``OPENAI_API_KEY``; endpoints of one's own need none.
        timeout: seconds that an endpoint may stay silent.
        temperature: 0 for replies that vary least; None for the endpoint's own.
        max_tokens: most tokens of a reply; None for the endpoint's own limit.
        retry: see `Retry`.
        http_client: for proxies, certificates and tests; one for blocking calls, one
            for ``await``, or both. Not closed here.

    Attributes:
        usage: what all replies so far have cost, see `Usage`.

    Raises:
        ConfigurationError: no model's name, no key for OpenAI's own endpoint, or
            an address that is no http(s) URL.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        temperature: float | None = 0.0,
        max_tokens: int | None = None,
        retry: Retry | None = None,
        http_client: HttpClient | tuple[HttpClient, ...] = (),
    ):
        self.model = model.strip()
        self.base_url = base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI
        self.api_key = api_key or os.environ.get("OPENAI_API_KEY") or ""
        self.timeout = timeout
        self.temperature = temperature
        self.max_tokens = max_tokens
        self.retry = retry or Retry()
        self._clients = http_client if isinstance(http_client, tuple) else (http_client,)
        self.capabilities = EndpointCapabilities()
        self.usage = Usage()
        self._counting = Lock()
        if not self.model:
            raise ConfigurationError("the language model has no name: set ISOMATCH_MODEL")
        address = urlsplit(self.base_url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ConfigurationError(
                f"the model's endpoint {self.endpoint!r} is no http or https address: "
                f"correct OPENAI_BASE_URL, for example http://localhost:8000/v1"
            )
        if address.hostname == urlsplit(OPENAI).hostname and not self.api_key:
            raise ConfigurationError(
                f"{self.endpoint} needs a key: set OPENAI_API_KEY, or set OPENAI_BASE_URL to "
                f"an endpoint of your own"
            )

    @property
    def endpoint(self) -> str:
        """The address without user, password and query, as messages show it."""
        address = urlsplit(self.base_url)
        return address._replace(netloc=address.netloc.rpartition("@")[2], query="").geturl()

    def __repr__(self) -> str:
        return f"ChatModel({self.model!r}, base_url={self.endpoint!r})"

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        temperature: float | None = None,
    ) -> str:
        """The model's reply to a conversation.

        Args:
            messages: ``role`` and ``content`` each.
            schema: JSON Schema that the reply should meet. An endpoint that
                refuses it is asked for any JSON object, then for plain text, and
                the client remembers: say in the prompt what is expected, and
                check the reply.
            temperature: of this reply; None for the client's.

        Raises:
            ModelError: the endpoint is down, slow, refused, or sent a malformed reply.
        """
        return self.reply(messages, schema=schema, temperature=temperature).text

    async def acomplete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        temperature: float | None = None,
    ) -> str:
        """`complete`, without blocking."""
        return (await self.areply(messages, schema=schema, temperature=temperature)).text

    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        temperature: float | None = None,
        alternatives: int = 0,
    ) -> Reply:
        """`complete`, with the probabilities of the reply's tokens.

        Args:
            alternatives: how many tokens each place should have probabilities of; 0 for
                none. An endpoint that refuses to give them is asked without, and the
                client remembers.
        """
        from tenacity import Retrying

        call = Call(self, messages, schema, False, temperature, alternatives)
        while True:
            try:
                said = Retrying(**call.policy(), sleep=self.retry.sleep)(self._whole, call)
                return Reply(call.done(said.text), said.tokens)
            except Exception as error:
                call.adapt(error)

    async def areply(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        temperature: float | None = None,
        alternatives: int = 0,
    ) -> Reply:
        """`reply`, without blocking."""
        from tenacity import AsyncRetrying

        call = Call(self, messages, schema, False, temperature, alternatives)
        while True:
            try:
                retrying = AsyncRetrying(**call.policy(), sleep=self.retry.asleep)
                said: Reply = await retrying(self._awhole, call)
                return Reply(call.done(said.text), said.tokens)
            except Exception as error:
                call.adapt(error)

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """Pieces of the reply as they come; retried until the first one only.

        Raises:
            ModelError: as in `complete`, or the stream broke off.
        """
        from tenacity import Retrying

        call = Call(self, messages, streamed=True)
        with ExitStack() as stack:
            response: Any = None
            while response is None:
                try:
                    retrying = Retrying(**call.policy(), sleep=self.retry.sleep)
                    response = retrying(lambda: stack.enter_context(self._send(call)))
                except Exception as error:
                    call.adapt(error)
            body = Events()
            try:
                for chunk in response.iter_bytes():
                    cancel.check()
                    call.deadline.check()
                    yield from body.feed(chunk)
                yield from body.end()
            except Exception as error:
                call.fail(error)
        call.done("")

    async def astream(self, messages: Sequence[Message]) -> AsyncIterator[str]:
        """`stream`, without blocking."""
        from tenacity import AsyncRetrying

        call = Call(self, messages, streamed=True)
        async with AsyncExitStack() as stack:
            response: Any = None

            async def enter() -> Any:
                return await stack.enter_async_context(self._asend(call))

            while response is None:
                try:
                    retrying = AsyncRetrying(**call.policy(), sleep=self.retry.asleep)
                    response = await retrying(enter)
                except Exception as error:
                    call.adapt(error)
            body = Events()
            try:
                async for chunk in response.iter_bytes():
                    call.deadline.check()
                    for piece in body.feed(chunk):
                        yield piece
                for piece in body.end():
                    yield piece
            except Exception as error:
                call.fail(error)
        call.done("")

    def close(self) -> None:
        """Close the connections; safe to call twice."""
        import httpx

        if "_client" in self.__dict__ and not self._given(httpx.Client):
            self._client.close()
        self.__dict__.pop("_client", None)

    def __enter__(self) -> ChatModel:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @cached_property
    def _client(self) -> openai.OpenAI:
        import httpx
        import openai

        from isomatch.sockets import cancellable

        client = self._given(httpx.Client) or cancellable(httpx.Client(follow_redirects=True))
        return openai.OpenAI(**self._settings(), http_client=cast(Any, client))

    @cached_property
    def _aclient(self) -> openai.AsyncOpenAI:
        import httpx
        import openai

        # No kept connections: they would belong to one event loop, and a notebook
        # or `asyncio.run` has a new one each time.
        client = self._given(httpx.AsyncClient) or httpx.AsyncClient(
            follow_redirects=True, limits=httpx.Limits(max_keepalive_connections=0)
        )
        return openai.AsyncOpenAI(**self._settings(), http_client=cast(Any, client))

    def _given(self, kind: type[AnyClient]) -> AnyClient | None:
        return next((client for client in self._clients if isinstance(client, kind)), None)

    def _settings(self) -> dict[str, Any]:
        # The package insists on a key; servers that need none ignore this one.
        return {"base_url": self.base_url, "api_key": self.api_key or "none", "max_retries": 0}

    def _send(self, call: Call) -> Any:
        cancel.check()
        return self._client.chat.completions.with_streaming_response.create(**call.request())

    def _asend(self, call: Call) -> Any:
        return self._aclient.chat.completions.with_streaming_response.create(**call.request())

    def _whole(self, call: Call) -> Reply:
        body = bytearray()
        with self._send(call) as response:
            for chunk in response.iter_bytes():
                cancel.check()
                call.deadline.check()
                grow(body, chunk)
        return self._read(bytes(body), call)

    async def _awhole(self, call: Call) -> Reply:
        body = bytearray()
        async with self._asend(call) as response:
            async for chunk in response.iter_bytes():
                call.deadline.check()
                grow(body, chunk)
        return self._read(bytes(body), call)

    def _read(self, body: bytes, call: Call) -> Reply:
        with self._counting:
            self.usage += usage_of(body)
        return Reply(whole_text(body), tokens_of(body) if call.alternatives else ())


@dataclass(frozen=True, slots=True)
class Completion:
    """A step of a flow (see `isomatch.flows`): messages to a model; the result is its reply.

    ``messages``, ``schema`` and ``temperature``: see `ChatModel.complete`.
    """

    model: ChatModel
    messages: Sequence[Message]
    schema: Mapping[str, Any] | None = None
    temperature: float | None = None

    def run(self) -> str:
        return self.model.complete(self.messages, schema=self.schema, temperature=self.temperature)

    async def arun(self, executor: Executor | None) -> str:
        return await self.model.acomplete(
            self.messages, schema=self.schema, temperature=self.temperature
        )


@dataclass(frozen=True, slots=True)
class WeighedCompletion:
    """A step of a flow whose result is a `Reply`, with the probabilities of its tokens.

    ``messages``, ``schema`` and ``alternatives``: see `ChatModel.reply`.
    """

    model: ChatModel
    messages: Sequence[Message]
    schema: Mapping[str, Any] | None = None
    alternatives: int = 0

    def run(self) -> Reply:
        return self.model.reply(self.messages, schema=self.schema, alternatives=self.alternatives)

    async def arun(self, executor: Executor | None) -> Reply:
        return await self.model.areply(
            self.messages, schema=self.schema, alternatives=self.alternatives
        )


@dataclass(frozen=True, slots=True)
class StreamedCompletion(Completion):
    """A `Completion` whose reply comes in pieces."""

    def pieces(self) -> Iterator[str]:
        return self.model.stream(self.messages)

    def apieces(self) -> AsyncIterator[str]:
        return self.model.astream(self.messages)


def continued(messages: Sequence[Message], said: str, told: str) -> list[Message]:
    """A conversation with the model's reply, and what it is told then."""
    reply = {"role": "assistant", "content": said}
    return [*messages, reply, {"role": "user", "content": told}]


def prompt(package: str, name: str, **values: Any) -> str:
    """A prompt of ours: a template from the ``prompts`` folder of a package."""
    return templates(package, "prompts").get_template(name).render(**values).strip()
