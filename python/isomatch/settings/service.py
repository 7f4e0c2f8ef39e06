"""The table ``[serve]`` of ``isomatch.toml``: limits and behaviour of `isomatch serve`."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class ServiceSettings(BaseModel):
    """How the service behaves.

    Attributes:
        default_graph: name of the graph that is meant where a request names none; needed
            only where there are several.
        searches: searches that run at a time; more wait for their turn.
        waiting: searches that may wait; more are refused (429).
        seconds: for one request, the language model included.
        k: most interpretations that one search may ask for.
        matches: most matches that one search may ask for: its ``k`` times its ``limit``.
        request_bytes: length of a request's body.
        stop_seconds: that requests under way have for their answers once the service is told
            to end; what lasts longer is told to ask again.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    default_graph: str | None = None
    searches: int = Field(default=4, ge=1)
    waiting: int = Field(default=64, ge=0)
    seconds: float = Field(default=30.0, gt=0)
    k: int = Field(default=100, ge=1)
    matches: int = Field(default=10_000, ge=1)
    request_bytes: int = Field(default=1_000_000, ge=1_000)
    stop_seconds: float = Field(default=30.0, ge=0)
