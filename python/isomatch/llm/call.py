"""One call to an endpoint, free of I/O: what is sent, when to stop, what went wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from isomatch import cancel
from isomatch.errors import ModelError
from isomatch.llm.reply import MalformedResponse, cut, valid, without_thoughts
from isomatch.retry import Deadline, DeadlineExceeded, policy, retry_after

if TYPE_CHECKING:
    import openai
    from tenacity import RetryCallState

Message = Mapping[str, str]

_BACK_OFF = (0.5, 8.0)  # seconds: the first wait, and the longest


@dataclass(frozen=True, slots=True)
class Retry:
    """How often, and for how long, a failing endpoint is asked.

    Attributes:
        attempts: requests in all for one call; 1 is no retry.
        total_seconds: a call ends after this, waits included.
        sleep, asleep: what waits; tests give their own.
    """

    attempts: int = 3
    total_seconds: float = 180.0
    sleep: Callable[[float], None] = cancel.sleep
    asleep: Callable[[float], Awaitable[None]] = asyncio.sleep


@dataclass(frozen=True, slots=True)
class EndpointCapabilities:
    """What an endpoint is known to accept: see `Call.adapt`."""

    format: int = 0
    temperature: bool = True
    max_tokens: str = "max_tokens"
    system: bool = True
    logprobs: bool = True


class Caller(Protocol):
    """What a call needs to know of its `isomatch.llm.ChatModel`."""

    model: str
    timeout: float
    temperature: float | None
    max_tokens: int | None
    retry: Retry
    capabilities: EndpointCapabilities
    api_key: str

    @property
    def endpoint(self) -> str:
        """The address, without what is secret."""


class Call:
    """One question to the endpoint: what is sent, when to stop, what to say."""

    def __init__(
        self,
        model: Caller,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        streamed: bool = False,
        temperature: float | None = None,
        alternatives: int = 0,
    ):
        self.model = model
        self.temperature = model.temperature if temperature is None else temperature
        self.messages = [{k: valid(v) for k, v in m.items()} for m in messages]
        self.schema = schema
        self.streamed = streamed
        self.alternatives = alternatives
        self.capabilities = model.capabilities
        self.deadline = Deadline.after(model.retry.total_seconds)
        self.attempts = 0

    def request(self) -> dict[str, Any]:
        """The arguments of ``chat.completions.create``."""
        model = self.model
        left = max(self.deadline.left, 0.1)
        request: dict[str, Any] = {
            "model": model.model,
            "messages": self.messages
            if self.capabilities.system
            else _without_system(self.messages),
            "timeout": min(model.timeout, left),
        }
        if self.streamed:
            request["stream"] = True
        if self.temperature is not None and self.capabilities.temperature:
            request["temperature"] = self.temperature
        if model.max_tokens is not None:
            request[self.capabilities.max_tokens] = model.max_tokens
        if self.alternatives and self.capabilities.logprobs:
            request |= {"logprobs": True, "top_logprobs": self.alternatives}
        if self.schema is not None and self.capabilities.format == 0:
            described = {"name": "reply", "schema": self.schema, "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": described}
        elif self.schema is not None and self.capabilities.format == 1:
            request["response_format"] = {"type": "json_object"}
        return request

    def policy(self) -> dict[str, Any]:
        """The arguments of tenacity's ``Retrying``."""

        def count(state: RetryCallState) -> None:
            self.attempts = state.attempt_number

        first, longest = _BACK_OFF
        retries = policy(
            _transient,
            attempts=self.model.retry.attempts,
            deadline=self.deadline,
            back_off=first,
            longest=longest,
            jitter=first,
            asked=_retry_after,
        )
        return {**retries, "before": count}

    def done(self, text: str) -> str:
        """The reply without a reasoning model's thoughts; remembers what the endpoint takes."""
        self.model.capabilities = self.capabilities
        return without_thoughts(text)

    def adapt(self, error: Exception) -> None:
        """Leave out what the endpoint seems to refuse, or raise the `ModelError`.

        Endpoints differ: some know no ``response_format``, reasoning models take
        no temperature and call ``max_tokens`` another name, Gemma's template has
        no system role, many give no log-probabilities. All say 400 or 422, but
        llama-cpp-python's server, which says 500 of the format and of log-probabilities.
        """
        if not _refused(error):
            self.fail(error)
        words, sent = str(error), self.request()
        if "temperature" in sent and "temperature" in words:
            self.capabilities = replace(self.capabilities, temperature=False)
        elif "max_tokens" in sent and "max_completion_tokens" in words:
            self.capabilities = replace(self.capabilities, max_tokens="max_completion_tokens")
        elif "system role" in words.lower() and self.capabilities.system:
            self.capabilities = replace(self.capabilities, system=False)
        elif "logprobs" in sent and ("logprobs" in words or "response_format" not in words):
            self.capabilities = replace(self.capabilities, logprobs=False)
        elif "response_format" in sent:
            self.capabilities = replace(self.capabilities, format=self.capabilities.format + 1)
        else:
            self.fail(error)

    def fail(self, error: Exception) -> NoReturn:
        """Raise the `ModelError` for an error of the libraries below."""
        reason, fix = self._why(error)
        key = self.model.api_key
        # A server may repeat the key; then neither its words nor the cause are shown as they are.
        leaks = bool(key) and key in f"{reason}{error}{getattr(error, 'body', '')}"
        message = (
            f"the language model {self.model.model!r} at {self.model.endpoint} {reason}: {fix}. "
            f"Matching a pattern needs no model"
        )
        raise ModelError(message.replace(key, "***") if key else message) from (
            None if leaks else error
        )

    def _why(self, error: Exception) -> tuple[str, str]:
        import httpx
        import openai

        model = self.model
        tried = f" (asked {self.attempts} times)" if self.attempts > 1 else ""
        if isinstance(error, DeadlineExceeded):
            seconds = f"{model.retry.total_seconds:g} s"
            return f"took longer than {seconds} in all", "ask a faster one, or allow more time"
        if isinstance(error, openai.APITimeoutError | httpx.TimeoutException):
            return (
                f"did not answer within {model.timeout:g} s{tried}",
                "raise the time-out (ISOMATCH_MODEL_TIMEOUT), or use a smaller model",
            )
        if isinstance(error, openai.APIConnectionError | httpx.TransportError):
            cause = error.__cause__ or error
            return (
                f"cannot be reached{tried}: {cut(str(cause) or type(cause).__name__)}",
                "start it, or correct OPENAI_BASE_URL",
            )
        if isinstance(error, openai.APIStatusError):
            said = cut(error.message)
            return f"answered {error.status_code}{tried}: {said}", _fix(error)
        if isinstance(error, MalformedResponse):
            return str(error), "check that OPENAI_BASE_URL is its API (most end in /v1)"
        raise error


def _without_system(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """The system's words at the head of the first message of the user."""
    first, *rest = messages
    if first["role"] != "system" or not rest:
        return messages
    return [{**rest[0], "content": f"{first['content']}\n\n{rest[0]['content']}"}, *rest[1:]]


def _fix(error: openai.APIStatusError) -> str:
    status = error.status_code
    if status in (401, 403):
        return "check OPENAI_API_KEY and what it may use"
    if status == 404:
        return "check the model's name (ISOMATCH_MODEL) and OPENAI_BASE_URL (most end in /v1)"
    if status == 429:
        asked = _retry_after(error)
        wait = f"{asked:.0f} s" if asked is not None else "a while"
        return f"wait {wait}, or check the account's quota"
    if status >= 500:
        return "look at the server's log, or try again later"
    return "check that the prompt fits the model (fewer evidence tokens make it shorter)"


def _refused(error: BaseException) -> bool:
    """Whether an endpoint understood, and does not take what it was asked."""
    status = getattr(error, "status_code", None)
    said = str(error)
    return status in (400, 422) or (
        status == 500 and ("response_format" in said or "logprobs" in said)
    )


def _transient(error: BaseException) -> bool:
    import httpx
    import openai

    if _refused(error):
        return False
    if isinstance(error, openai.APIStatusError):
        spent = getattr(error, "code", None) == "insufficient_quota"  # a 429 that stays
        return not spent and (error.status_code in (408, 409, 429) or error.status_code >= 500)
    return isinstance(error, openai.APIConnectionError | httpx.TransportError)


def _retry_after(error: BaseException) -> float | None:
    """Seconds that the server asks to wait."""
    response = getattr(error, "response", None)
    return None if response is None else retry_after(response.headers.get("retry-after"))
