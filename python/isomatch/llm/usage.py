"""What an endpoint says that its replies cost."""

from __future__ import annotations

import json
from dataclasses import dataclass


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
        return Usage(
            self.requests + other.requests,
            self.counted + other.counted,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )

    def __sub__(self, earlier: Usage) -> Usage:
        return Usage(
            self.requests - earlier.requests,
            self.counted - earlier.counted,
            self.prompt_tokens - earlier.prompt_tokens,
            self.completion_tokens - earlier.completion_tokens,
        )


def usage_of(body: bytes) -> Usage:
    """The usage in a whole chat reply; a reply without any is one request.

    Example:
        >>> usage_of(b'{"usage": {"prompt_tokens": 9, "completion_tokens": 2}}')
        Usage(requests=1, counted=1, prompt_tokens=9, completion_tokens=2)
    """
    try:
        usage = json.loads(body)["usage"]
        prompt, completion = usage["prompt_tokens"], usage.get("completion_tokens", 0)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return Usage(1)
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return Usage(1)
    return Usage(1, 1, prompt, completion)
