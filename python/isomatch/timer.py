"""The time of the stations around a match."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from isomatch.answer.types import Answer


class StageTimer:
    """Milliseconds of stations, for the answer that they led to."""

    def __init__(self) -> None:
        self._started = self._last = perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, station: str | None = None) -> None:
        """End a stretch; count it as a station's, or as nobody's."""
        now = perf_counter()
        if station:
            self._laps[station] = (now - self._last) * 1e3
        self._last = now

    def stages(self) -> dict[str, float]:
        """The stations so far, and the time in all."""
        return {**self._laps, "total": (perf_counter() - self._started) * 1e3}

    def finish(self, answer: Answer) -> Answer:
        """The answer, with the times of all stations; in its result's profile too."""
        self.lap("answer")
        result = answer.result
        total = (self._last - self._started) * 1e3
        matched = {} if result is None else result.profile.stages
        stages = {**matched, **self._laps, "total": total}
        if result is not None:
            result = replace(result, profile=replace(result.profile, stages=stages))
        return replace(answer, result=result, stages=stages)
