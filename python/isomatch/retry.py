"""Deadlines, and requests that are sent again where that may help."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from math import inf
from time import monotonic, time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tenacity import RetryCallState


class DeadlineExceeded(Exception):
    """The time for some work is over."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The moment by which some work must be done.

    Attributes:
        at: as `time.monotonic` tells it; `math.inf` for no limit.
        seconds: that there were in all.
    """

    at: float
    seconds: float

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """So many seconds from now; None for no limit.

        Example:
            >>> Deadline.after(None).left
            inf
        """
        limit = inf if seconds is None else seconds
        return cls(monotonic() + limit, limit)

    @property
    def left(self) -> float:
        """Seconds that are left; negative after the deadline."""
        return self.at - monotonic()

    def check(self) -> None:
        if self.left <= 0:
            raise DeadlineExceeded


def retry_after(header: str | None) -> float | None:
    """Seconds that a ``Retry-After`` header says, as a number or a date; else None.

    Example:
        >>> retry_after("120"), retry_after("soon")
        (120.0, None)
    """
    value = (header or "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d+)?", value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except (TypeError, ValueError):
        return None


def policy(
    retry: Callable[[BaseException], bool],
    *,
    attempts: int,
    deadline: Deadline,
    back_off: float,
    longest: float,
    jitter: float = 0.0,
    longest_asked: float = inf,
    asked: Callable[[BaseException], float | None] = lambda error: None,
) -> dict[str, Any]:
    """The arguments of tenacity's ``Retrying`` and ``AsyncRetrying``.

    A failure is raised as it is when it is the last one: no attempt begins after the
    deadline. All times are in seconds.

    Args:
        retry: whether another attempt may help after an error.
        attempts: in all.
        back_off: before the second attempt; each wait is twice the one before.
        longest: of a wait at most.
        jitter: random time that is added to a wait, at most.
        longest_asked: of a wait that the server asks for, beyond which there is none.
        asked: time that the server asks to wait after an error; None where it does not.
    """
    from tenacity import retry_if_exception

    def wait(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        pause = None if error is None else asked(error)
        if pause is not None:
            return pause
        grown: float = min(back_off * 2.0 ** (state.attempt_number - 1), longest)
        return grown + random.uniform(0, jitter)  # noqa: S311 - no secret

    def stop(state: RetryCallState) -> bool:
        too_long = state.upcoming_sleep > longest_asked
        over = state.attempt_number >= attempts
        return over or too_long or state.upcoming_sleep >= deadline.left

    return {"wait": wait, "stop": stop, "retry": retry_if_exception(retry), "reraise": True}
