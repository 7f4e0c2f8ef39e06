"""Why a request is not answered, and with which HTTP status."""

from __future__ import annotations

import logging

from isomatch.errors import (
    ConfigurationError,
    InterpretationError,
    IsomatchError,
    PatternError,
    QueryTimeout,
    StoreError,
)

_LOG = logging.getLogger("isomatch.serve")


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
    """What the asker is told of an error of a search.

    Of the database and the index, their addresses and folders, strangers are told
    nothing; the log has it.
    """
    if isinstance(error, Refusal):
        return error
    if isinstance(error, (PatternError, ConfigurationError, InterpretationError)):
        return Refusal(400, str(error))
    _LOG.error("a search failed: %s", error)
    if isinstance(error, QueryTimeout):
        return Refusal(503, "the database took too long; ask for less", {"Retry-After": "5"})
    if isinstance(error, StoreError):
        return Refusal(502, "the database behind isomatch failed; its log says how")
    return Refusal(500, "isomatch could not search; its log says why")
