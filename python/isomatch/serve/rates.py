"""How often somebody may ask. Counted in this process: each worker has its own counts."""

from __future__ import annotations

from math import ceil
from time import time

from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from isomatch.errors import ConfigurationError
from isomatch.serve.errors import RequestError

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
