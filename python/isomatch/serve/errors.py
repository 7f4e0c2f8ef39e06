"""An error of a request itself, with its HTTP status."""

from __future__ import annotations

from isomatch.errors import IsomatchError


class RequestError(IsomatchError):
    """A request that cannot be answered; the message says what to do.

    Attributes:
        status: HTTP status of the response.
        headers: HTTP headers of the response.
        key: what of the request is wrong, where that is known.
    """

    def __init__(
        self,
        status: int,
        message: str,
        headers: dict[str, str] | None = None,
        *,
        key: str | None = None,
    ):
        super().__init__(message)
        self.status = status
        self.headers = headers or {}
        self.key = key
