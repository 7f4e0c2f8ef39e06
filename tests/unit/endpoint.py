"""An endpoint of the OpenAI kind inside the process, behind httpx's own seam."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import httpx

from isomatch.llm import ChatModel, Retry

Reply = str | httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]
URL = "http://models.test/v1"


class Endpoint:
    """Gives its replies in order, the last one again and again; keeps the requests."""

    def __init__(self, *replies: Reply):
        self.replies = list(replies)
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[httpx.Headers] = []
        self.waits: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.bodies.append(json.loads(request.content))
        self.headers.append(request.headers)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, str):
            return stream(reply) if self.bodies[-1].get("stream") else chat(reply)
        return reply if isinstance(reply, httpx.Response) else reply(request)

    @property
    def said(self) -> list[list[str]]:
        """The contents of each request's messages."""
        return [[m["content"] for m in body["messages"]] for body in self.bodies]

    def model(self, attempts: int = 3, total_seconds: float = 60.0, **settings: Any) -> ChatModel:
        """A real client of this endpoint, whose waits are noted and not waited."""

        async def asleep(seconds: float) -> None:
            self.waits.append(seconds)

        transport = httpx.MockTransport(self)
        return ChatModel(
            "test-model",
            base_url=settings.pop("base_url", URL),
            retry=Retry(attempts, total_seconds, sleep=self.waits.append, asleep=asleep),
            http_client=(
                httpx.Client(transport=transport),
                httpx.AsyncClient(transport=transport),
            ),
            **settings,
        )


def chat(text: str | None, **more: Any) -> httpx.Response:
    message = {"role": "assistant", "content": text, **more}
    return httpx.Response(200, json={"choices": [{"index": 0, "message": message}]})


def stream(text: str, size: int = 5) -> httpx.Response:
    pieces = [text[i : i + size] for i in range(0, len(text), size)]
    return events(*({"choices": [{"delta": {"content": piece}}]} for piece in pieces))


def events(*values: Any, end: bytes = b"data: [DONE]\n\n", cut: int = 7) -> httpx.Response:
    """A stream of events, torn into chunks that respect no boundary."""
    body = b": keep-alive\n\n"
    body += b"".join(
        b"data: " + json.dumps(v, ensure_ascii=False).encode() + b"\n\n" for v in values
    )
    return chunks([(body + end)[i : i + cut] for i in range(0, len(body + end), cut)])


class _Stream(httpx.SyncByteStream, httpx.AsyncByteStream):
    def __init__(self, pieces: Iterable[bytes]):
        self.pieces = pieces

    def __iter__(self):
        yield from self.pieces

    async def __aiter__(self):
        for piece in self.pieces:
            yield piece


def chunks(pieces: Iterable[bytes]) -> httpx.Response:
    return httpx.Response(200, stream=_Stream(pieces))


def problem(
    status: int, message: str, headers: dict[str, str] | None = None, **more: Any
) -> Callable[[httpx.Request], httpx.Response]:
    error = {"error": {"message": message, **more}}
    return lambda request: httpx.Response(status, json=error, headers=headers)
