"""Reading what an endpoint sends: whole replies, streams and what they cost, free of I/O."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from operator import add, sub

_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
MAX_REPLY = 4 * 1024 * 1024  # bytes; no answer to a question is larger


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, by the endpoint's own count.

    Attributes:
        requests: replies that came whole; those of a stream are not counted.
        counted: how many of them said what they cost; not every endpoint does.
        prompt_tokens, completion_tokens: of these, sent and written.
    """

    requests: int = 0
    counted: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*map(add, astuple(self), astuple(other)))

    def __sub__(self, earlier: Usage) -> Usage:
        return Usage(*map(sub, astuple(self), astuple(earlier)))


def usage_of(body: bytes) -> Usage:
    """The usage in a whole chat reply; a reply without any is one request.

    Example:
        >>> usage_of(b'{"usage": {"prompt_tokens": 9, "completion_tokens": 2}}')
        Usage(requests=1, counted=1, prompt_tokens=9, completion_tokens=2)
    """
    try:
        usage = json.loads(body)["usage"]
        prompt, completion = usage["prompt_tokens"], usage.get("completion_tokens", 0)
    except _UNREADABLE:
        return Usage(1)
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return Usage(1)
    return Usage(1, 1, prompt, completion)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a reply, and what could have stood in its place.

    Attributes:
        text: of the token; those of a reply one after the other are the reply.
        chances: natural logarithms of probabilities, by the text of the token that they are of.
    """

    text: str
    chances: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote.

    Attributes:
        text: without a reasoning model's thoughts.
        tokens: thoughts included; empty where the endpoint gives no log-probabilities, or
            none were asked for.
    """

    text: str
    tokens: tuple[Token, ...] = ()


def tokens_of(body: bytes) -> tuple[Token, ...]:
    """The tokens of a whole chat reply; none where they are missing or malformed.

    Example:
        >>> top = '[{"token": "4", "logprob": -0.1}, {"token": "5", "logprob": -2.5}]'
        >>> content = f'[{{"token": "4", "logprob": -0.1, "top_logprobs": {top}}}]'
        >>> tokens_of(f'{{"choices": [{{"logprobs": {{"content": {content}}}}}]}}'.encode())
        (Token(text='4', chances={'4': -0.1, '5': -2.5}),)
    """
    try:
        content = json.loads(body)["choices"][0]["logprobs"]["content"] or ()
        return tuple(
            Token(
                str(token["token"]),
                {
                    str(one["token"]): float(one["logprob"])
                    for one in (*(token.get("top_logprobs") or ()), token)
                },
            )
            for token in content
        )
    except _UNREADABLE:
        return ()


class MalformedResponse(Exception):
    """A reply that is no chat reply."""


class WithoutText(MalformedResponse):
    """A chat reply that says nothing."""


def grow(body: bytearray, chunk: bytes) -> None:
    """Append a chunk; MalformedResponse where the body is longer than any reply."""
    body += chunk
    if len(body) > MAX_REPLY:
        raise MalformedResponse(f"answered more than {MAX_REPLY} bytes")


def whole_text(body: bytes) -> str:
    """The text of a whole chat reply."""
    try:
        reply = json.loads(body)
        message = reply["choices"][0]["message"]
        content = message.get("content")
    except _UNREADABLE:
        raise MalformedResponse(
            f"answered what is no chat reply: {cut(body.decode(errors='replace'))!r}"
        ) from None
    if isinstance(content, str) and content.strip():
        return valid(content)
    why = message.get("refusal") or reply["choices"][0].get("finish_reason") or "no reason given"
    raise WithoutText(f"answered without text ({cut(str(why))})")


class Events:
    """The text in a stream of server-sent events."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._size = 0
        self._spoke = False

    def feed(self, chunk: bytes) -> Iterator[str]:
        """The pieces of text that these bytes complete."""
        self._size += len(chunk)
        if self._size > 16 * MAX_REPLY:  # each token comes wrapped in a few hundred bytes
            raise MalformedResponse(f"streamed more than {16 * MAX_REPLY} bytes")
        self._line += chunk
        *lines, rest = self._line.split(b"\n")
        self._line = bytearray(rest)
        for line in lines:
            yield from self._piece(bytes(line))

    def end(self) -> Iterator[str]:
        """The piece of a last line without its end; a stream without text is refused."""
        yield from self._piece(bytes(self._line))
        if not self._spoke:
            raise MalformedResponse("streamed no text")

    def _piece(self, line: bytes) -> Iterator[str]:
        field, _, data = line.partition(b":")
        data = data.strip()
        if field != b"data" or not data or data == b"[DONE]":
            return  # comments keep a connection alive, other fields carry no text
        try:
            event = json.loads(data)
            if problem := event.get("error"):
                raise MalformedResponse(f"broke off with an error: {cut(str(problem))}")
            choices = event.get("choices") or [{}]
            text = (choices[0].get("delta") or {}).get("content")
        except _UNREADABLE:
            raise MalformedResponse(
                f"streamed what is no chat reply: {cut(data.decode(errors='replace'))!r}"
            ) from None
        if text:
            self._spoke = True
            yield valid(str(text))


def valid(text: str) -> str:
    """The text without halves of surrogate pairs, which JSON can hold and UTF-8 cannot."""
    return text.encode(errors="replace").decode()


def without_thoughts(text: str) -> str:
    """The reply without the ``<think>`` block that some reasoning models put first."""
    return re.sub(r"^\s*<think>.*?</think>", "", text, flags=re.DOTALL).strip()


def cut(text: str, most: int = 300) -> str:
    """The text on one line, and not longer than that."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most]}…"
