"""Why a request is not answered, and with which HTTP status."""

from __future__ import annotations

from isomatch.errors import (
    ConfigurationError,
    InterpretationError,
    IsomatchError,
    PatternError,
    QueryTimeout,
    StoreError,
)


class Refusal(IsomatchError):
    """A request that is not answered; the message says what to do.

    Attributes:
        status: of the HTTP response.
        headers: that go with it.
    """

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None):
        super().__init__(message)
        self.status = status
        self.headers = headers or {}


def refusal_of(error: IsomatchError) -> Refusal:
    """What the asker is told of an error of a search."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, (PatternError, ConfigurationError, InterpretationError)):
        return Refusal(400, str(error))
    if isinstance(error, QueryTimeout):
        return Refusal(503, str(error), {"Retry-After": "5"})
    if isinstance(error, StoreError):
        return Refusal(502, str(error))
    return Refusal(500, str(error))
