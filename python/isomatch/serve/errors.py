"""Errors of the service, with their HTTP status."""

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


class RequestError(IsomatchError):
    """A request that cannot be answered; the message says what to do.

    Attributes:
        status: HTTP status of the response.
        headers: HTTP headers of the response.
    """

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None):
        super().__init__(message)
        self.status = status
        self.headers = headers or {}


def request_error(error: IsomatchError) -> RequestError:
    """The response to an error of a search.

    The client may be a stranger: addresses and folders of the database and the index are
    logged, not sent.
    """
    if isinstance(error, RequestError):
        return error
    if isinstance(error, (PatternError, ConfigurationError, InterpretationError)):
        return RequestError(400, str(error))
    _LOG.error("a search failed: %s", error)
    if isinstance(error, QueryTimeout):
        return RequestError(503, "the database took too long; ask for less", {"Retry-After": "5"})
    if isinstance(error, StoreError):
        return RequestError(502, "the database behind isomatch failed; its log says how")
    return RequestError(500, "isomatch could not search; its log says why")
