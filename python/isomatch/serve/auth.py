"""Who asks: by a key, a token of the settings, or of an OpenID Connect provider; and how often.

Requests are counted in this process: each worker has its own counts.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from math import ceil
from time import time
from typing import NoReturn

from fastapi import Request
from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from isomatch.errors import ConfigurationError
from isomatch.serve.errors import RequestError
from isomatch.serve.graphs import ANYBODY, Caller
from isomatch.serve.keys import KeyFile
from isomatch.settings import Settings
from isomatch.settings.service import OidcSettings

# Keys cannot be guessed; this bounds what a wrong client costs.
FAILURES = "30/minute"


class Rates:
    """Counts requests of callers.

    Args:
        rate: such as ``60/minute`` or ``5/second;1000/hour``; None for no limit.

    Raises:
        ConfigurationError: it is no rate.
    """

    def __init__(self, rate: str | None = None):
        try:
            self._rates = parse_many(rate) if rate else []
        except ValueError as error:
            raise ConfigurationError(
                f"[serve] rate: {rate!r} is no rate: say 60/minute, or 5/second;1000/hour"
            ) from error
        self._failures = parse_many(FAILURES)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def count(self, who: str) -> None:
        """Count a request.

        Raises:
            RequestError: it is one too many (429).
        """
        for rate in self._rates:
            if not self._limiter.hit(rate, "asked", who):
                raise self._too_often(rate, "asked", who)

    def check_failures(self, address: str) -> None:
        """See that an address has not sent too many wrong keys.

        Raises:
            RequestError: it has (429).
        """
        for rate in self._failures:
            if not self._limiter.test(rate, "failed", address):
                raise self._too_often(rate, "failed", address)

    def count_failure(self, address: str) -> None:
        """Count a wrong key."""
        for rate in self._failures:
            self._limiter.hit(rate, "failed", address)

    def _too_often(self, rate: RateLimitItem, *who: str) -> RequestError:
        again = self._limiter.get_window_stats(rate, *who).reset_time
        seconds = max(ceil(again - time()), 1)
        return RequestError(
            429,
            f"no more than {rate.amount} per {rate.get_expiry()} s: ask again in {seconds} s",
            {"Retry-After": str(seconds)},
        )


_LOG = logging.getLogger("isomatch.serve")

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

CallerOf = Callable[[Request], Awaitable[Caller]]


class Access:
    """Tells who may ask.

    Args:
        keys: the file of keys; None for none.
        token: one token that may ask everything; None for none.
        oidc: the provider whose tokens may ask; None for none.
        rates: limits how often somebody may ask; None for no limits.
        own_names: whether a request for another host than this machine is refused as long as
            nobody needs a key: the name of a page of another site may lead here.
    """

    def __init__(
        self,
        keys: KeyFile | None = None,
        token: str | None = None,
        oidc: OidcSettings | None = None,
        rates: Rates | None = None,
        *,
        own_names: bool = False,
    ):
        self._keys = keys
        self._token = token
        self._rates = rates or Rates()
        self._own_names = own_names
        self._verifier = None
        if oidc is not None:
            from isomatch.serve.oidc import Verifier

            self._verifier = Verifier(oidc)
        # For good: who removes the file must not open the service.
        self._required = token is not None or oidc is not None

    @classmethod
    def of(cls, settings: Settings) -> Access:
        """What the settings say."""
        token, serve = settings.serve_token, settings.serve
        return cls(
            KeyFile.of(settings),
            token.get_secret_value() if token else None,
            serve.oidc,
            Rates(serve.rate),
            own_names=True,
        )

    @property
    def required(self) -> bool:
        """Whether requests must say who asks; from when there are keys on."""
        if not self._required and self._keys is not None and self._keys.exists:
            self._required = True
        return self._required

    async def caller(self, request: Request) -> Caller:
        """Who sends a request; a dependency of routes.

        Raises:
            RequestError: nobody who may (401), too often (429), or see ``own_names`` (403).
        """
        address = request.client.host if request.client else "?"
        if not self.required:
            if self._own_names:
                check_host(request)
            self._rates.count(address)
            return ANYBODY
        self._rates.check_failures(address)
        header = request.headers.get("authorization", "")
        try:
            caller = await self._identified(header)
        except RequestError:
            # Who opens the page has no key yet, and may share a proxy's address with others.
            if header:
                self._rates.count_failure(address)
            raise
        self._rates.count(caller.name)
        request.state.caller = caller
        return caller

    async def _identified(self, header: str) -> Caller:
        scheme, _, given = header.partition(" ")
        given = given.strip()
        if scheme.lower() != "bearer" or not given:
            _refuse(
                "this service needs a key: send the header Authorization: Bearer KEY "
                "(`isomatch keys add NAME` makes one)",
                "",
            )
        if self._token and secrets.compare_digest(given.encode(), self._token.encode()):
            return Caller("token")
        if self._keys is not None and (found := self._known(given)) is not None:
            return found
        if self._verifier is not None and given.count(".") == 2:
            return await asyncio.to_thread(self._of_provider, given)
        return _refuse("this key is not known here; it may have been revoked")

    def _known(self, given: str) -> Caller | None:
        assert self._keys is not None
        try:
            key = self._keys.find(given)
        except ConfigurationError as error:
            _LOG.error("%s", error)
            raise RequestError(503, "keys cannot be checked; the log says why") from error
        if key is None:
            return None
        if key.expired:
            _refuse(f"the key {key.name!r} has expired: ask for a new one")
        return Caller(key.name, key.graphs)

    def _of_provider(self, given: str) -> Caller:
        from isomatch.serve.oidc import Unverified

        assert self._verifier is not None
        try:
            claims = self._verifier.claims(given)
        except Unverified as error:
            _refuse(str(error))
        return Caller(f"oidc:{claims['sub']}", self._verifier.graphs(claims))


def check_host(request: Request) -> None:
    """Refuse a page of another site whose name leads to this machine (DNS rebinding).

    Where no key is asked for, only this machine is served, by one of its own names.

    Raises:
        RequestError: the request is for another name.
    """
    host = request.headers.get("host", "")
    name, _, port = host.rpartition(":")
    if (name if port.isdigit() else host) not in _LOOPBACK:
        raise RequestError(
            403,
            "without keys only requests to 127.0.0.1 or localhost are answered; for others make a "
            "key: isomatch keys add NAME",
        )


def _refuse(words: str, problem: str = ', error="invalid_token"') -> NoReturn:
    raise RequestError(401, words, {"WWW-Authenticate": f'Bearer realm="isomatch"{problem}'})
